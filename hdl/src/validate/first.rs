//! The first ill-formed piece that ends in a beat: a tree that picks the lower of two lanes.
//!
//! # Latency
//! [`latency`] clocks, a beat in every clock.
//!
//! # Reset
//! None.

use crate::primitives::wires::{BitReverse, Halves, Join, Lane};
use crate::primitives::{DFF, blank, blanks, several};
use hdl_macros::{Block, logic};
use rust_hdl::prelude::*;

/// Clocks from the planes to what is picked.
pub const fn latency(lanes: usize) -> usize {
    lanes.ilog2() as usize
}

/// One level of the search for the first piece: of a lane of the lower half and its partner in the upper half, the lower if it has a piece. `A` planes travel
/// with `any`, and one more says that it was the lower. If `N` is `H`, there is nothing to pick, and `y` is `x`.
#[derive(Block)]
pub struct FirstLevel<const N: usize, const H: usize, const A: usize, const B: usize> {
    pub clock: Signal<In, Clock>,
    pub any: Signal<In, Bits<N>>,
    pub x: Vec<Signal<In, Bits<N>>>,
    pub out_any: Signal<Out, Bits<H>>,
    pub y: Vec<Signal<Out, Bits<H>>>,
    there: Constant<Bit>,
    all: Constant<Bits<H>>,
    half_any: Halves<N, H>,
    half: Vec<Halves<N, H>>,
    /// Pairs of lanes of which one has a piece; what the first such lane of each pair has.
    next_any: DFF<Bits<H>>,
    next: Vec<DFF<Bits<H>>>,
}

impl<const N: usize, const H: usize, const A: usize, const B: usize> Default
    for FirstLevel<N, H, A, B>
{
    fn default() -> Self {
        const { assert!(B == A + 1) }
        Self {
            there: Constant::new(N > H),
            all: Constant::new(!Bits::default()),
            clock: blank(),
            any: blank(),
            x: blanks(A),
            out_any: blank(),
            y: blanks(B),
            half_any: blank(),
            half: blanks(A),
            next_any: blank(),
            next: blanks(B),
        }
    }
}

impl<const N: usize, const H: usize, const A: usize, const B: usize> Logic
    for FirstLevel<N, H, A, B>
{
    #[logic]
    fn update(&mut self) {
        dff_setup!(self, clock, next_any);
        self.half_any.x.next = self.any.val();
        self.next_any.d.next = self.half_any.lower.val() | self.half_any.upper.val();
        for i in 0..B {
            self.next[i].clock.next = self.clock.val();
        }
        for i in 0..A {
            self.half[i].x.next = self.x[i].val();
            self.next[i].d.next = (self.half_any.lower.val() & self.half[i].lower.val())
                | (!self.half_any.lower.val() & self.half[i].upper.val());
        }
        for i in A..B {
            self.next[i].d.next = self.half_any.lower.val();
        }
        if self.there.val() {
            self.out_any.next = self.next_any.q.val();
        } else {
            self.out_any.next = self.half_any.lower.val();
        }
        for i in 0..A {
            if self.there.val() {
                self.y[i].next = self.next[i].q.val();
            } else {
                self.y[i].next = self.half[i].lower.val();
            }
        }
        for i in A..B {
            if self.there.val() {
                self.y[i].next = self.next[i].q.val();
            } else {
                self.y[i].next = self.all.val();
            }
        }
    }
}

/// Finds the first ill-formed piece of a beat: its lane, kind and length, which mean nothing if there is none. `H1` is half of `N`,
/// `H2` half of `H1` and so on, but none is below 1.
#[derive(Block)]
pub struct First<
    const N: usize,
    const H1: usize,
    const H2: usize,
    const H3: usize,
    const H4: usize,
    const H5: usize,
> {
    pub clock: Signal<In, Clock>,
    pub ill: Signal<In, Bits<N>>,
    /// Kind (three planes) and length (two, the lower inverted).
    pub x: Vec<Signal<In, Bits<N>>>,
    pub any: Signal<Out, Bit>,
    pub kind: Signal<Out, Bits<3>>,
    pub length: Signal<Out, Bits<2>>,
    pub lane: Signal<Out, Bits<8>>,
    order_any: BitReverse<N>,
    order: Vec<BitReverse<N>>,
    level_1: FirstLevel<N, H1, 5, 6>,
    level_2: FirstLevel<H1, H2, 6, 7>,
    level_3: FirstLevel<H2, H3, 7, 8>,
    level_4: FirstLevel<H3, H4, 8, 9>,
    level_5: FirstLevel<H4, H5, 9, 10>,
    level_6: FirstLevel<H5, 1, 10, 11>,
    any_bit: Lane<1>,
    bit: Vec<Lane<1>>,
    join_kind: Join<3>,
    join_length: Join<2>,
    join_lane: Join<8>,
}

impl<
    const N: usize,
    const H1: usize,
    const H2: usize,
    const H3: usize,
    const H4: usize,
    const H5: usize,
> Default for First<N, H1, H2, H3, H4, H5>
{
    fn default() -> Self {
        Self {
            x: blanks(5),
            order: blanks(5),
            any_bit: Lane::new(0),
            bit: several(11, |_| Lane::new(0)),
            clock: blank(),
            ill: blank(),
            any: blank(),
            kind: blank(),
            length: blank(),
            lane: blank(),
            order_any: blank(),
            level_1: blank(),
            level_2: blank(),
            level_3: blank(),
            level_4: blank(),
            level_5: blank(),
            level_6: blank(),
            join_kind: blank(),
            join_length: blank(),
            join_lane: blank(),
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
> Logic for First<N, H1, H2, H3, H4, H5>
{
    #[logic]
    fn update(&mut self) {
        self.level_1.clock.next = self.clock.val();
        self.level_2.clock.next = self.clock.val();
        self.level_3.clock.next = self.clock.val();
        self.level_4.clock.next = self.clock.val();
        self.level_5.clock.next = self.clock.val();
        self.level_6.clock.next = self.clock.val();
        // In this order the halves of the first level are neighbours, those of the second pairs of them, and so on: each
        // level adds the next bit of the lane's number.
        self.order_any.x.next = self.ill.val();
        self.level_1.any.next = self.order_any.y.val();
        for i in 0..5 {
            self.order[i].x.next = self.x[i].val();
            self.level_1.x[i].next = self.order[i].y.val();
        }
        self.level_2.any.next = self.level_1.out_any.val();
        for i in 0..6 {
            self.level_2.x[i].next = self.level_1.y[i].val();
        }
        self.level_3.any.next = self.level_2.out_any.val();
        for i in 0..7 {
            self.level_3.x[i].next = self.level_2.y[i].val();
        }
        self.level_4.any.next = self.level_3.out_any.val();
        for i in 0..8 {
            self.level_4.x[i].next = self.level_3.y[i].val();
        }
        self.level_5.any.next = self.level_4.out_any.val();
        for i in 0..9 {
            self.level_5.x[i].next = self.level_4.y[i].val();
        }
        self.level_6.any.next = self.level_5.out_any.val();
        for i in 0..10 {
            self.level_6.x[i].next = self.level_5.y[i].val();
        }
        self.any_bit.x.next = self.level_6.out_any.val();
        self.any.next = self.any_bit.y.val();
        for i in 0..11 {
            self.bit[i].x.next = self.level_6.y[i].val();
        }
        for i in 0..3 {
            self.join_kind.x[i].next = self.bit[i].y.val();
        }
        for i in 0..1 {
            self.join_length.x[i].next = !self.bit[i + 3].y.val();
        }
        for i in 1..2 {
            self.join_length.x[i].next = self.bit[i + 3].y.val();
        }
        for i in 0..6 {
            self.join_lane.x[i].next = !self.bit[i + 5].y.val();
        }
        for i in 6..8 {
            self.join_lane.x[i].next = false;
        }
        self.kind.next = self.join_kind.y.val();
        self.length.next = self.join_length.y.val();
        self.lane.next = self.join_lane.y.val();
    }
}
