//! What each beat brings to the counters.
//!
//! Bytes and scalar values are counted for the verdict already; here the ill-formed pieces are, by their kinds, and all comes to the
//! counters in the same clock.
//!
//! # Latency
//! [`latency`] clocks from stage 12, a beat in every clock.
//!
//! # Reset
//! That a packet ends: what is dropped is not counted.

use super::kinds::{self, ILL, Kinds, NUMBER};
use super::map::COUNTERS;
use crate::primitives::Cuts;
use crate::primitives::skew::Skew;
use crate::primitives::wires::{Join, Stack};
use hdl_macros::{Blank, Block, logic, stages};
use rust_hdl::prelude::*;

/// From a beat's counts for the verdict to those of the kinds, which are a clock later, with all their bits.
const DELAY: usize = kinds::BITS + 1;
/// Bits of what a beat brings to all counters, without the one more.
pub const NUMBERS: usize = NUMBER * COUNTERS;

/// Clocks from the pieces of a beat to what it brings.
pub const fn latency(lanes: usize) -> usize {
    kinds::latency(lanes)
}

/// What a beat brings to each counter, in the order of the map.
#[derive(Block, Blank)]
pub struct InOrder {
    /// The beat's packet ends with it, and is ill-formed.
    pub ends: Signal<In, Bit>,
    pub bad: Signal<In, Bit>,
    pub bytes: Signal<In, Bits<NUMBER>>,
    /// Scalar values, and of each kind the ill-formed pieces: a number, and a further one.
    pub scalars: Signal<In, Bits<NUMBER>>,
    pub scalars_one: Signal<In, Bit>,
    pub kinds: [Signal<In, Bits<NUMBER>>; ILL],
    pub kinds_one: [Signal<In, Bit>; ILL],
    pub numbers: Signal<Out, Bits<NUMBERS>>,
    pub ones: Signal<Out, Bits<COUNTERS>>,
    stack: Stack<NUMBER, COUNTERS, NUMBERS>,
    joined: Join<COUNTERS>,
}

impl Logic for InOrder {
    #[logic]
    fn update(&mut self) {
        for i in 0..1 {
            self.stack.x[i].next = 0.into();
            self.joined.x[i].next = self.ends.val();
        }
        for i in 1..2 {
            self.stack.x[i].next = 0.into();
            self.joined.x[i].next = self.ends.val() & self.bad.val();
        }
        for i in 2..3 {
            self.stack.x[i].next = self.bytes.val();
            self.joined.x[i].next = false;
        }
        for i in 3..4 {
            self.stack.x[i].next = self.scalars.val();
            self.joined.x[i].next = self.scalars_one.val();
        }
        for i in 4..11 {
            self.stack.x[i].next = self.kinds[i - 4].val();
            self.joined.x[i].next = self.kinds_one[i - 4].val();
        }
        self.numbers.next = self.stack.y.val();
        self.ones.next = self.joined.y.val();
    }
}

stages! {
    /// What a beat adds to each counter, all numbers in the same clock.
    pub block Tally<
        const N: usize,
    > {
        in reset: Bit;
        /// Of stage 12 of the pieces: ill-formed ones and their kinds.
        in ill, kind_0, kind_1, kind_2;
        /// From [`crate::validate::verdict::Verdict`]: the beat is its packet's first, or its last; the packet is ill-formed so far.
        in starts, last, wrong: Bit @ 0;
        /// Its bytes; its scalar values, bit `b` of which is `b` clocks late, and a further one.
        in bytes, scalars: Bits<NUMBER> @ 0;
        in scalars_one: Bit @ 0;

        stage 1 {
            /// The beat is its packet's last.
            mark last: Bit = last;
        }

        stage 6 "all of it in one clock" {
            part kinds: Kinds<N>(Cuts::ALL) = { ill, kind_0, kind_1, kind_2 };
            part even_scalars: Skew<NUMBER>(kinds::rest(DELAY)) = { x: scalars.at(0) };
        }

        stage 7 {
            wires in_order: InOrder = {
                ends: last,
                bad: wrong,
                bytes,
                scalars: even_scalars,
                scalars_one,
                kinds[i in 0..ILL]: kinds.number[i],
                kinds_one[i in 0..ILL]: kinds.further[i],
            };
        }

        /// The beat of the next clock is its packet's first; this one is the last.
        out restarts: Bit = starts @ 5;
        out ends: Bit = last @ 6;
        /// A number for each counter, and a further one.
        out numbers: Bits<NUMBERS> = in_order.numbers @ 6;
        out ones: Bits<COUNTERS> = in_order.ones @ 6;
    }
}

const _: () = assert!(DELAY == 6);
