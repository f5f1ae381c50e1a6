//! Which bytes of each packet are judged: those of its window, from a first position up to an end.
//!
//! No byte moves: a lane outside the window is as if it had no byte, and what comes after works lane by lane. Beats without a judged byte
//! stay beats, so that what waits for the next beat never waits long.
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

pub mod countdown;
pub mod cut;

use self::cut::Cut;
use crate::layout::{PLACE_BITS, REASON_BITS, WINDOW_BITS};
use crate::primitives::Cuts;
use crate::primitives::wires::{Join, Lane};
use hdl_macros::stages;
use rust_hdl::prelude::*;

/// Clocks from a beat to the same with the lanes that are judged.
pub const LATENCY: usize = cut::LATENCY;

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
            /// A null beat is dropped. `tkeep` is contiguous, so lane 0 alone says whether the beat has a byte.
            let comes: Bit = valid & (last | lowest);
            let has: Bit = window.get_bit(0);
            let from: Bits<PLACE_BITS> = window.get_bits::<PLACE_BITS>(FIRST);
            let to: Bits<PLACE_BITS> = window.get_bits::<PLACE_BITS>(END);
        }

        stage 0 "the input register, and whether a packet begins" {
            last: Bit = last;
            /// In registers: a memory for so few clocks is far from most of what reads it.
            data: Bits<DATA> = data;
            keep = keep;
            /// No beat of the packet has come yet.
            state begins: Bit = if reset { true } else if comes { last };
        }

        stage 3 "the lanes within the window" {
            part cut: Cut<N, PLACE_BITS>(Cuts::ALL) = {
                reset, valid: comes, loads: begins.at(0), has, from, to, keep: keep.at(2),
            };
        }

        stage 4 "why a packet is not judged" {
            wires why: Join<REASON_BITS> = {
                x[0]: !cut.out_has, x[1]: false, x[2]: false, x[3]: false,
            };
        }

        /// A beat leaves; its bytes, and the lanes of those that are judged.
        out out_valid: Bit = cut.out_valid @ 3;
        out out_data: Bits<DATA> = data @ 3;
        out out_keep = cut.out_judged @ 3;
        out out_last: Bit = last @ 3;
        /// Its lanes with a byte, judged or not.
        out all = keep @ 3;
        /// The lane of the window's first byte, if that may be in the beat; else zero.
        out first: Bits<8> = cut.out_first @ 3;
        /// Why the packet is not judged, by its code; zero if it is.
        out reason: Bits<REASON_BITS> = why @ 3;
    }
}
