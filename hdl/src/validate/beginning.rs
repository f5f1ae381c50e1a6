//! The beginning of a packet's window, which may be in any lane.
//!
//! Positions count from there, so that its lane is what has to be taken off a number of lanes. As of [`super::forbidden`], the trees over the
//! lanes work on beats as they come, and what they find waits in a slot of its own.
//!
//! # Latency
//! In step with [`super::verdict`], stage 19, a beat in every clock.
//!
//! # Reset
//! None. What was found in a beat is looked at only when its pieces leave.

use super::any::Any;
use super::forbidden::stages_of;
use crate::primitives::count::{CountLow, Steps};
use crate::primitives::wires::{Join, LanesBelow, Subtract};
use hdl_macros::stages;
use rust_hdl::prelude::*;

stages! {
    /// Of the beat that leaves: where the window begins, and what is at its beginning.
    pub block Beginning<const N: usize> {
        /// The stages of the trees' levels.
        given steps: Steps = Steps::of(cuts, 13..13 + N.ilog2() as i32);
        given cuts: Cuts = stages_of(cuts, N);

        /// The lane of the window's first byte, in the beat that may have it; else zero.
        in first: Bits<8>;
        /// The last byte of a signature.
        in signature @ 8;
        /// A continuation byte as the window's first, second and third byte, with such before it only.
        in head_1 @ 5;
        in head_2 @ 6;
        in head_3 @ 7;
        /// A beat comes; its lanes that are judged.
        in arrival: Bit @ 9;
        in present @ 9;

        stage 0 "the input register" {
            first: Bits<8> = first;
        }

        stage 9 "the lanes below the first byte" {
            wires lanes_below: LanesBelow<N> = { lane: first };
            below = lanes_below;
        }

        stage 12 "lanes from the lowest up, as these are counted" {
            low = present | below;
        }

        stage 19 "the ends of the trees" {
            part count: CountLow<N>(steps.clone()) = { x: low.at(12) } -> Bits<8>;
            part any: Any<N>(steps.clone()) = {
                x: signature.at(12), of: signature.at(12),
            } -> Bit;
            part any_1: Any<N>(steps.clone()) = { x: head_1.at(12), of: head_1.at(12) } -> Bit;
            part any_2: Any<N>(steps.clone()) = { x: head_2.at(12), of: head_2.at(12) } -> Bit;
            part any_3: Any<N>(steps) = { x: head_3.at(12), of: head_3.at(12) } -> Bit;
        }

        stage 20 "the slot: what was found in the newest beat" {
            state first: Bits<8> = if arrival { first };
            wires less: Subtract<8> = { x: count, by: first };
            state count: Bits<8> = if arrival { count };
            state bytes: Bits<8> = if arrival { less };
            state signature: Bit = if arrival { any };
            wires all: Join<3> = { x[0]: any_1, x[1]: any_2, x[2]: any_3 };
            state heads: Bits<3> = if arrival { all };
        }

        /// Of the beat that leaves, if one does: the lane of the window's first byte, or zero; its judged bytes, and with these the lanes
        /// below them; whether a signature ends in it.
        out out_bytes: Bits<8> = bytes @ 21;
        out out_count: Bits<8> = count @ 21;
        out out_first: Bits<8> = first @ 21;
        out out_signature: Bit = signature @ 21;
        /// Which of the window's first three bytes its beginning has cut, a bit for each.
        out heads: Bits<3> @ 21;
    }
}
