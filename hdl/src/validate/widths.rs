//! How many bits the scalar values of a beat need.
//!
//! As of [`super::forbidden`], the trees over the lanes work on beats as they come, and what they find waits in a slot of its own.
//!
//! # Latency
//! In step with [`super::verdict`], stage 19, a beat in every clock.
//!
//! # Reset
//! None. What was found in a beat is looked at only when its pieces leave.

use super::any::Any;
use super::forbidden::stages_of;
use crate::primitives::count::Steps;
use crate::primitives::wires::{Join, Unstack};
use hdl_macros::stages;
use rust_hdl::prelude::*;

stages! {
    /// Which scalar values the beat that leaves has. `DATA` is `8 * N`.
    pub block Widths<const N: usize, const DATA: usize> {
        /// The stages of the trees' levels.
        given steps: Steps = Steps::of(cuts, 13..13 + N.ilog2() as i32);
        given cuts: Cuts = stages_of(cuts, N);

        /// The planes of the bytes.
        in bytes: Bits<DATA> @ 0;
        /// A beat, or a reset in its place.
        in valid: Bit @ 1;
        /// The byte continues a sequence; it is the third or fourth of one; the fourth.
        in consumed, third_up, fourth @ 8;
        /// A beat comes; its lanes with a byte; those that end a well-formed sequence.
        in arrival: Bit @ 9;
        in present, scalar @ 9;

        beat valid, valid;

        stage 1 "functions of each nibble" {
            wires b: Unstack<N, 8, DATA> = { x: bytes };
            hi_c = b[7] & b[6] & !b[5] & !b[4];
            lo_2_3 = !(b[3] | b[2]) & b[1];
        }

        stage 2 "leading bytes C2 and C3, of U+0080 to U+00FF" {
            lead_c2_c3 = hi_c & lo_2_3;
        }

        stage 4 "what comes after one of them" {
            to_ff = before_any(lead_c2_c3);
        }

        stage 12 "the lanes where scalar values end, from 80, 100, 800 and 10000 on" {
            ends = scalar & present;
            from_80 = consumed;
            from_100 = consumed & !to_ff;
            from_800 = third_up;
            from_10000 = fourth;
        }

        stage 19 "the ends of the trees" {
            part any: Any<N>(steps.clone()) = { x: ends.at(12), of: ends.at(12) } -> Bit;
            part any_80: Any<N>(steps.clone()) = { x: from_80.at(12), of: ends.at(12) } -> Bit;
            part any_100: Any<N>(steps.clone()) = { x: from_100.at(12), of: ends.at(12) } -> Bit;
            part any_800: Any<N>(steps.clone()) = { x: from_800.at(12), of: ends.at(12) } -> Bit;
            part any_10000: Any<N>(steps) = { x: from_10000.at(12), of: ends.at(12) } -> Bit;
        }

        stage 20 "the slot: what was found in the newest beat" {
            wires all: Join<5> = {
                x[0]: any, x[1]: any_80, x[2]: any_100, x[3]: any_800, x[4]: any_10000,
            };
            state found: Bits<5> = if arrival { all };
        }

        /// Of the beat that leaves, if one does: whether it has a scalar value; one from 80, from 100, from 800, from 10000 on.
        out found: Bits<5> @ 21;
    }
}
