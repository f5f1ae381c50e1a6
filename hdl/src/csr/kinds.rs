//! How many ill-formed pieces of each kind a beat has.
//!
//! # Latency
//! [`latency`] clocks, a beat in every clock; all bits of a number come in the same one.
//!
//! # Reset
//! None.

use crate::layout::KINDS;
use crate::primitives::count::{self, Count};
use crate::primitives::skew::Skew;
use hdl_macros::stages;
use rust_hdl::prelude::*;

/// Kinds of ill-formed pieces.
pub const ILL: usize = KINDS.len() - 1;
/// Clocks in which the bits of a count come, one after the other.
pub const BITS: usize = 5;
/// Bits of what a beat brings to a counter.
pub const NUMBER: usize = 8;

/// Clocks from the pieces to their numbers.
pub const fn latency(lanes: usize) -> usize {
    1 + count::latency(lanes) + BITS
}

/// The clocks that each bit of a count is to be delayed, until all are as late as `clocks`: each comes late by its number.
pub fn rest(clocks: usize) -> impl Fn(usize) -> usize {
    move |bit| clocks - bit.min(BITS)
}

stages! {
    /// Counts a beat's ill-formed pieces, each kind by itself.
    pub block Kinds<
        const N: usize,
    > {
        /// Lanes in which an ill-formed piece ends, and of which kind.
        in ill, kind_0, kind_1, kind_2 @ 0;

        stage 1 "the kinds, a plane each" {
            /// For each kind, the lanes in which a piece of it ends.
            plane = [
                ill & !kind_2 & !kind_1 & kind_0,
                ill & !kind_2 & kind_1 & !kind_0,
                ill & !kind_2 & kind_1 & kind_0,
                ill & kind_2 & !kind_1 & !kind_0,
                ill & kind_2 & !kind_1 & kind_0,
                ill & kind_2 & kind_1 & !kind_0,
                ill & kind_2 & kind_1 & kind_0,
            ];
        }

        stage 2 "their numbers" takes count::latency(N) {
            for i in 0..ILL {
                part count: Count<N> = { x: plane[i] } -> Bits<NUMBER>;
            }
        }

        stage 3 "one more of each" {
            for i in 0..ILL {
                let one: Bit = count[i].one;
            }
        }

        stage 7 "all bits of the numbers" {
            for i in 0..ILL {
                part even: Skew<NUMBER>(rest(BITS)) = { x: count[i].at(2) };
            }
        }

        /// Of each kind a number, and a further one.
        out number[i in 0..ILL]: Bits<NUMBER> = even[i] @ 7;
        out further[i in 0..ILL]: Bit = one[i] @ 7;
    }
}

const _: () = assert!(7 - 2 == BITS);
