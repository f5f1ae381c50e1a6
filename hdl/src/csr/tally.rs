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
use crate::primitives::blank;
use crate::primitives::delay::{Delay, LateValid};
use crate::primitives::skew::Skew;
use crate::primitives::wires::{Join, Stack};
use hdl_macros::{Blank, Block, logic};
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

/// What a beat adds to each counter, all numbers in the same clock.
#[derive(Block)]
pub struct Tally<
    const N: usize,
    const H1: usize,
    const H2: usize,
    const H3: usize,
    const H4: usize,
    const H5: usize,
> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    /// Of stage 12: ill-formed pieces and their kinds.
    pub ill: Signal<In, Bits<N>>,
    pub kind_0: Signal<In, Bits<N>>,
    pub kind_1: Signal<In, Bits<N>>,
    pub kind_2: Signal<In, Bits<N>>,
    /// From [`crate::validate::verdict::Verdict`]: the beat is its packet's first, or its last; the packet is ill-formed so far;
    /// its bytes; its scalar values, bit `b` of which is `b` clocks late, and a further one.
    pub starts: Signal<In, Bit>,
    pub last: Signal<In, Bit>,
    pub wrong: Signal<In, Bit>,
    pub bytes: Signal<In, Bits<NUMBER>>,
    pub scalars: Signal<In, Bits<NUMBER>>,
    pub scalars_one: Signal<In, Bit>,

    /// The beat of the next clock is its packet's first; this one is the last.
    pub restarts: Signal<Out, Bit>,
    pub ends: Signal<Out, Bit>,
    /// A number for each counter, and a further one.
    pub numbers: Signal<Out, Bits<NUMBERS>>,
    pub ones: Signal<Out, Bits<COUNTERS>>,
    kinds: Kinds<N, H1, H2, H3, H4, H5>,
    even_bytes: Skew<NUMBER>,
    even_scalars: Skew<NUMBER>,
    one_scalar: Delay<Bit, DELAY>,
    late_starts: Delay<Bit, { DELAY - 1 }>,
    /// The beat is its packet's last, when its numbers are there.
    late_last: LateValid<DELAY>,
    late_wrong: Delay<Bit, DELAY>,
    in_order: InOrder,
}

impl<
    const N: usize,
    const H1: usize,
    const H2: usize,
    const H3: usize,
    const H4: usize,
    const H5: usize,
> Default for Tally<N, H1, H2, H3, H4, H5>
{
    fn default() -> Self {
        Self {
            even_scalars: Skew::new(kinds::rest(DELAY)),
            even_bytes: Skew::new(|_| DELAY),
            late_last: LateValid::new(DELAY),
            clock: blank(),
            reset: blank(),
            ill: blank(),
            kind_0: blank(),
            kind_1: blank(),
            kind_2: blank(),
            starts: blank(),
            last: blank(),
            wrong: blank(),
            bytes: blank(),
            scalars: blank(),
            scalars_one: blank(),
            restarts: blank(),
            ends: blank(),
            numbers: blank(),
            ones: blank(),
            kinds: blank(),
            one_scalar: blank(),
            late_starts: blank(),
            late_wrong: blank(),
            in_order: blank(),
        }
    }
}

impl<
    const N: usize,
    const H1: usize,
    const H2: usize,
    const H3: usize,
    const H4: usize,
    const H5: usize,
> Logic for Tally<N, H1, H2, H3, H4, H5>
{
    #[logic]
    fn update(&mut self) {
        self.kinds.clock.next = self.clock.val();
        self.kinds.ill.next = self.ill.val();
        self.kinds.kind_0.next = self.kind_0.val();
        self.kinds.kind_1.next = self.kind_1.val();
        self.kinds.kind_2.next = self.kind_2.val();
        self.even_bytes.clock.next = self.clock.val();
        self.even_bytes.x.next = self.bytes.val();
        self.even_scalars.clock.next = self.clock.val();
        self.even_scalars.x.next = self.scalars.val();
        self.one_scalar.clock.next = self.clock.val();
        self.one_scalar.x.next = self.scalars_one.val();
        self.late_starts.clock.next = self.clock.val();
        self.late_starts.x.next = self.starts.val();
        self.late_last.clock.next = self.clock.val();
        self.late_last.reset.next = self.reset.val();
        self.late_last.x.next = self.last.val();
        self.late_wrong.clock.next = self.clock.val();
        self.late_wrong.x.next = self.wrong.val();

        self.in_order.ends.next = self.late_last.y.val();
        self.in_order.bad.next = self.late_wrong.y.val();
        self.in_order.bytes.next = self.even_bytes.y.val();
        self.in_order.scalars.next = self.even_scalars.y.val();
        self.in_order.scalars_one.next = self.one_scalar.y.val();
        for i in 0..7 {
            self.in_order.kinds[i].next = self.kinds.number[i].val();
            self.in_order.kinds_one[i].next = self.kinds.further[i].val();
        }
        self.restarts.next = self.late_starts.y.val();
        self.ends.next = self.late_last.y.val();
        self.numbers.next = self.in_order.numbers.val();
        self.ones.next = self.in_order.ones.val();
    }
}
