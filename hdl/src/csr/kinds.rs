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
use crate::primitives::{DFF, blank, blanks, several};
use crate::validate::count::{self, Count};
use hdl_macros::{Block, logic};
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

/// Counts a beat's ill-formed pieces, each kind by itself.
#[derive(Block)]
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
    pub number: Vec<Signal<Out, Bits<NUMBER>>>,
    pub further: Vec<Signal<Out, Bit>>,
    /// For each kind, the lanes in which a piece of it ends.
    plane: Vec<DFF<Bits<N>>>,
    count: Vec<Count<N, H1, H2, H3, H4, H5>>,
    even: Vec<Skew<NUMBER>>,
    one: Vec<Delay<Bit, BITS>>,
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
            even: several(ILL, |_| Skew::new(rest(BITS))),
            clock: blank(),
            ill: blank(),
            kind_0: blank(),
            kind_1: blank(),
            kind_2: blank(),
            number: blanks(ILL),
            further: blanks(ILL),
            plane: blanks(ILL),
            count: blanks(ILL),
            one: blanks(ILL),
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
    #[logic]
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
