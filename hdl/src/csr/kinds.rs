//! How many ill-formed pieces of each kind a beat has.
//!
//! # Latency
//! [`latency`] clocks, a beat in every clock; all bits of a number come in the same one.
//!
//! # Reset
//! None.

use crate::layout::KINDS;
use crate::primitives::delay::Delay;
use crate::primitives::skew::Skew;
use crate::validate::count::{self, Count};
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

/// How late the bits of a count are, each by its number, until all are so many clocks late.
pub fn rest(clocks: usize) -> impl Fn(usize) -> usize {
    move |bit| clocks - bit.min(BITS)
}

/// Counts the ill-formed pieces of a beat, each kind by itself.
#[derive(LogicBlock)]
pub struct Kinds<
    const N: usize,
    const H1: usize,
    const H2: usize,
    const H3: usize,
    const H4: usize,
    const H5: usize,
> {
    pub clock: Signal<In, Clock>,
    /// Lanes in which an ill-formed piece ends, and of which kind.
    pub ill: Signal<In, Bits<N>>,
    pub kind_0: Signal<In, Bits<N>>,
    pub kind_1: Signal<In, Bits<N>>,
    pub kind_2: Signal<In, Bits<N>>,
    /// Of each kind a number, and a further one.
    pub number: [Signal<Out, Bits<NUMBER>>; ILL],
    pub further: [Signal<Out, Bit>; ILL],
    plane: [DFF<Bits<N>>; ILL],
    count: [Count<N, H1, H2, H3, H4, H5>; ILL],
    even: [Skew<NUMBER>; ILL],
    one: [Delay<Bit, BITS>; ILL],
}

impl<
    const N: usize,
    const H1: usize,
    const H2: usize,
    const H3: usize,
    const H4: usize,
    const H5: usize,
> Default for Kinds<N, H1, H2, H3, H4, H5>
{
    fn default() -> Self {
        Self {
            even: std::array::from_fn(|_| Skew::new(rest(BITS))),
            clock: Default::default(),
            ill: Default::default(),
            kind_0: Default::default(),
            kind_1: Default::default(),
            kind_2: Default::default(),
            number: Default::default(),
            further: Default::default(),
            plane: Default::default(),
            count: Default::default(),
            one: Default::default(),
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
> Logic for Kinds<N, H1, H2, H3, H4, H5>
{
    #[hdl_gen]
    fn update(&mut self) {
        for i in 0..1 {
            self.plane[i].d.next =
                self.ill.val() & !self.kind_2.val() & !self.kind_1.val() & self.kind_0.val();
        }
        for i in 1..2 {
            self.plane[i].d.next =
                self.ill.val() & !self.kind_2.val() & self.kind_1.val() & !self.kind_0.val();
        }
        for i in 2..3 {
            self.plane[i].d.next =
                self.ill.val() & !self.kind_2.val() & self.kind_1.val() & self.kind_0.val();
        }
        for i in 3..4 {
            self.plane[i].d.next =
                self.ill.val() & self.kind_2.val() & !self.kind_1.val() & !self.kind_0.val();
        }
        for i in 4..5 {
            self.plane[i].d.next =
                self.ill.val() & self.kind_2.val() & !self.kind_1.val() & self.kind_0.val();
        }
        for i in 5..6 {
            self.plane[i].d.next =
                self.ill.val() & self.kind_2.val() & self.kind_1.val() & !self.kind_0.val();
        }
        for i in 6..7 {
            self.plane[i].d.next =
                self.ill.val() & self.kind_2.val() & self.kind_1.val() & self.kind_0.val();
        }
        for i in 0..7 {
            self.plane[i].clock.next = self.clock.val();
            self.count[i].clock.next = self.clock.val();
            self.count[i].x.next = self.plane[i].q.val();
            self.even[i].clock.next = self.clock.val();
            self.even[i].x.next = self.count[i].y.val();
            self.one[i].clock.next = self.clock.val();
            self.one[i].x.next = self.count[i].one.val();
            self.number[i].next = self.even[i].y.val();
            self.further[i].next = self.one[i].y.val();
        }
    }
}
