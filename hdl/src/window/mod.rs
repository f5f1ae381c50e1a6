//! Which bytes of each packet are judged: those of its window, from a first position up to an end.
//!
//! No byte moves: a lane outside the window is as if it had no byte, and what comes after works lane by lane. The packet's beats are
//! counted, down to the one with the first byte and to the one with the end: a beat is before one of these, or is it, and then the low
//! bits of the position say in which lane, or is after it. Beats without a judged byte stay beats, so that what waits for the next beat never waits long.
//!
//! # Ports
//! Beats as they come, each packet's window with its first one; the same beats later, with the lanes that are judged.
//!
//! # Parameters
//! `N` lanes, 1 to 128 by powers of two; `DATA` is `8 * N`.
//!
//! # Latency
//! [`LATENCY`] clocks, a beat in every clock.
//!
//! # Reset
//! No beat that came before it leaves; the next one is a packet's first.

mod place;

use self::place::{LaneOf, Until};
use crate::layout::{PLACE_BITS, REASON_BITS, WINDOW_BITS};
use crate::primitives::wires::{Broadcast, Join, Lane, LanesBelow};
use hdl_macros::stages;
use rust_hdl::prelude::*;

/// Clocks from a beat to the same with the lanes that are judged.
pub const LATENCY: usize = 3;

/// Where the positions of the first byte, and of the one after the last, begin in what a packet has as its window.
const FIRST: usize = 1;
const END: usize = FIRST + PLACE_BITS;

stages! {
    /// Beats with the lanes that are judged.
    pub block Window<const N: usize, const DATA: usize> {
        in reset: Bit;
        /// A beat enters in this clock.
        in valid: Bit;
        in data: Bits<DATA>;
        in keep;
        in last: Bit;
        /// Bit 0: the packet has a window; then the position of its first byte, and of the one after its last byte.
        in window: Bits<WINDOW_BITS>;

        always {
            wires lowest: Lane<N>(0) = { x: keep };
            /// A beat that has no byte and ends no packet is no beat; what has one has one in lane 0.
            let comes: Bit = valid & (last | lowest);
        }

        stage 0 "the input register, and the packet's window" {
            mark valid: Bit = comes;
            last: Bit = last;
            /// In registers: a memory for three clocks is far from most of what reads it.
            data: Bits<DATA> = data;
            keep = keep;
            /// No beat of the packet has come yet.
            state begins: Bit = if reset { true } else if comes { last };
            state place: Bits<WINDOW_BITS> = if comes & was(begins) { window };
        }

        stage 2 "where the beat is, and the lanes below the first byte and below the end" {
            part first: Until<N>(FIRST) = {
                beat: comes, begins: begins.at(0), window, asks: place.at(0).get_bit(0),
            };
            part end: Until<N>(END) = {
                beat: comes, begins: begins.at(0), window, asks: place.at(0).get_bit(0),
            };
            wires first_lane_of: LaneOf<N>(FIRST) = { window: place };
            wires end_lane_of: LaneOf<N>(END) = { window: place };
            wires lanes_below_first: LanesBelow<N> = { lane: first_lane_of };
            wires lanes_below_end: LanesBelow<N> = { lane: end_lane_of };
            below_first = lanes_below_first;
            below_end = lanes_below_end;
            lane: Bits<8> = first_lane_of;
            has: Bit = place.get_bit(0);
        }

        stage 3 "the lanes that are judged; their register is what takes the beat" {
            wires before_first: Broadcast<N> = { x: first.is_before };
            wires at_first: Broadcast<N> = { x: first.is_at };
            wires before_end: Broadcast<N> = { x: end.is_before };
            wires at_end: Broadcast<N> = { x: end.is_at };
            wires all_first: Broadcast<8> = { x: first.is_at };
            let judged = keep & !(before_first | (at_first & below_first))
                & (before_end | (at_end & below_end));
            let first_lane: Bits<8> = lane & all_first;
            wires why: Join<REASON_BITS> = {
                x[0]: !has, x[1]: false, x[2]: false, x[3]: false,
            };
        }

        /// A beat leaves; its bytes, and the lanes of those that are judged.
        out out_valid: Bit = valid @ 2;
        out out_data: Bits<DATA> = data @ 2;
        out out_keep = judged @ 2;
        out out_last: Bit = last @ 2;
        /// Its lanes with a byte, judged or not.
        out all = keep @ 2;
        /// The lane of the window's first byte, if that may be in the beat; else zero.
        out first: Bits<8> = first_lane @ 2;
        /// Why the packet is not judged, by its code; zero if it is.
        out reason: Bits<REASON_BITS> = why @ 2;
    }
}
