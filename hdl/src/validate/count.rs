//! How many lanes of a plane are set.
//!
//! [`Count`] is a tree of adders over the lanes. Each takes two numbers and, as its carry, a lane, so that `2^k - 1` lanes need
//! no more than `2^k - k - 1` full adders; the one lane that is left is for the carry of whoever adds the count. Every adder takes
//! a bit a clock, so that no path is longer than one full adder: bit `b` of a sum is a clock later than bit `b - 1`, and the
//! next adder takes it as it comes, as does [`super::counter`] at the end. [`CountLow`] is for lanes that are set from the lowest up, without a hole: bit `b` is the
//! parity of every `2^b`th.
//!
//! # Latency
//! [`latency`] clocks, a beat in every clock; of a [`Count`], bit 0.
//!
//! # Reset
//! None.

use crate::primitives::delay::Late;
use crate::primitives::wires::{FoldXor, Halves, Join, Lane};
use crate::primitives::{DFF, blank, blanks, several};
use hdl_macros::{Block, logic};
use rust_hdl::prelude::*;

/// Clocks from a plane to its count.
pub const fn latency(lanes: usize) -> usize {
    lanes.ilog2() as usize
}

/// One level of a count: the lower half of the numbers, the upper half and half of the lanes that are left add up. `A` bits become `B`. Bit `b`
/// of `x` is `b` clocks late, and so is bit `b` of `y`. If `N` is `H`, there is nothing to add, and `y` is `x`.
#[derive(Block)]
pub struct CountLevel<const N: usize, const H: usize, const A: usize, const B: usize> {
    pub clock: Signal<In, Clock>,
    pub x: Vec<Signal<In, Bits<N>>>,
    pub left: Signal<In, Bits<N>>,
    pub y: Vec<Signal<Out, Bits<H>>>,
    pub out_left: Signal<Out, Bits<H>>,
    there: Constant<Bit>,
    half: Vec<Halves<N, H>>,
    half_left: Halves<N, H>,
    /// The bits of each lane's sum, and their carries.
    sum: Vec<DFF<Bits<H>>>,
    /// The carries of these sums, for the next bit.
    carry: Vec<DFF<Bits<H>>>,
    next_left: DFF<Bits<H>>,
}

impl<const N: usize, const H: usize, const A: usize, const B: usize> Default
    for CountLevel<N, H, A, B>
{
    fn default() -> Self {
        const { assert!(B == A + 1) }
        Self {
            there: Constant::new(N > H),
            clock: blank(),
            x: blanks(A),
            left: blank(),
            y: blanks(B),
            out_left: blank(),
            half: blanks(A),
            half_left: blank(),
            sum: blanks(B),
            carry: blanks(A),
            next_left: blank(),
        }
    }
}

impl<const N: usize, const H: usize, const A: usize, const B: usize> Logic
    for CountLevel<N, H, A, B>
{
    #[logic]
    fn update(&mut self) {
        dff_setup!(self, clock, next_left);
        for i in 0..A {
            self.carry[i].clock.next = self.clock.val();
            self.half[i].x.next = self.x[i].val();
        }
        for i in 0..B {
            self.sum[i].clock.next = self.clock.val();
        }
        self.half_left.x.next = self.left.val();
        self.next_left.d.next = self.half_left.upper.val();
        for i in 0..1 {
            self.sum[i].d.next =
                self.half[i].lower.val() ^ self.half[i].upper.val() ^ self.half_left.lower.val();
            self.carry[i].d.next = (self.half[i].lower.val() & self.half[i].upper.val())
                | (self.half_left.lower.val()
                    & (self.half[i].lower.val() | self.half[i].upper.val()));
        }
        for i in 1..A {
            self.sum[i].d.next =
                self.half[i].lower.val() ^ self.half[i].upper.val() ^ self.carry[i - 1].q.val();
            self.carry[i].d.next = (self.half[i].lower.val() & self.half[i].upper.val())
                | (self.carry[i - 1].q.val()
                    & (self.half[i].lower.val() | self.half[i].upper.val()));
        }
        for i in A..B {
            self.sum[i].d.next = self.carry[i - 1].q.val();
        }
        if self.there.val() {
            self.out_left.next = self.next_left.q.val();
        } else {
            self.out_left.next = self.half_left.lower.val();
        }
        for i in 0..A {
            if self.there.val() {
                self.y[i].next = self.sum[i].q.val();
            } else {
                self.y[i].next = self.half[i].lower.val();
            }
        }
        for i in A..B {
            if self.there.val() {
                self.y[i].next = self.sum[i].q.val();
            } else {
                self.y[i].next = 0.into();
            }
        }
    }
}

/// Counts the lanes that are set: as a number from 0 to 63, bit `b` of which is `b` clocks late, and a further one. `H1` is half of `N`,
/// `H2` half of `H1` and so on, but none is below 1.
#[derive(Block)]
pub struct Count<
    const N: usize,
    const H1: usize,
    const H2: usize,
    const H3: usize,
    const H4: usize,
    const H5: usize,
> {
    pub clock: Signal<In, Clock>,
    pub x: Signal<In, Bits<N>>,
    pub y: Signal<Out, Bits<8>>,
    /// One more than `y`.
    pub one: Signal<Out, Bit>,
    there: Constant<Bit>,
    half: Halves<N, H1>,
    level_1: CountLevel<H1, H2, 1, 2>,
    level_2: CountLevel<H2, H3, 2, 3>,
    level_3: CountLevel<H3, H4, 3, 4>,
    level_4: CountLevel<H4, H5, 4, 5>,
    level_5: CountLevel<H5, 1, 5, 6>,
    bit: Vec<Lane<1>>,
    late: Vec<Late<Bit, 1>>,
    joined: Join<8>,
    bit_left: Lane<1>,
    late_left: Late<Bit, 1>,
}

impl<
    const N: usize,
    const H1: usize,
    const H2: usize,
    const H3: usize,
    const H4: usize,
    const H5: usize,
> Default for Count<N, H1, H2, H3, H4, H5>
{
    fn default() -> Self {
        // The first two lanes of all need no level.
        let rest = latency(N).min(1);
        Self {
            there: Constant::new(N > 1),
            late: several(6, |_| Late::new(rest)),
            bit: several(6, |_| Lane::new(0)),
            bit_left: Lane::new(0),
            late_left: Late::new(rest),
            clock: blank(),
            x: blank(),
            y: blank(),
            one: blank(),
            half: blank(),
            level_1: blank(),
            level_2: blank(),
            level_3: blank(),
            level_4: blank(),
            level_5: blank(),
            joined: blank(),
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
> Logic for Count<N, H1, H2, H3, H4, H5>
{
    #[logic]
    fn update(&mut self) {
        self.level_1.clock.next = self.clock.val();
        self.level_2.clock.next = self.clock.val();
        self.level_3.clock.next = self.clock.val();
        self.level_4.clock.next = self.clock.val();
        self.level_5.clock.next = self.clock.val();
        self.half.x.next = self.x.val();
        for i in 0..1 {
            if self.there.val() {
                self.level_1.x[i].next = self.half.lower.val();
                self.level_1.left.next = self.half.upper.val();
            } else {
                self.level_1.x[i].next = 0.into();
                self.level_1.left.next = self.half.lower.val();
            }
        }
        self.level_2.left.next = self.level_1.out_left.val();
        for i in 0..2 {
            self.level_2.x[i].next = self.level_1.y[i].val();
        }
        self.level_3.left.next = self.level_2.out_left.val();
        for i in 0..3 {
            self.level_3.x[i].next = self.level_2.y[i].val();
        }
        self.level_4.left.next = self.level_3.out_left.val();
        for i in 0..4 {
            self.level_4.x[i].next = self.level_3.y[i].val();
        }
        self.level_5.left.next = self.level_4.out_left.val();
        for i in 0..5 {
            self.level_5.x[i].next = self.level_4.y[i].val();
        }
        for i in 0..6 {
            self.bit[i].x.next = self.level_5.y[i].val();
            self.late[i].clock.next = self.clock.val();
            self.late[i].x.next = self.bit[i].y.val();
            self.joined.x[i].next = self.late[i].y.val();
        }
        for i in 6..8 {
            self.joined.x[i].next = false;
        }
        self.bit_left.x.next = self.level_5.out_left.val();
        self.late_left.clock.next = self.clock.val();
        self.late_left.x.next = self.bit_left.y.val();
        self.y.next = self.joined.y.val();
        self.one.next = self.late_left.y.val();
    }
}

/// Whether an odd number of lanes is set, of some of the lanes: every `2^bit`th.
#[derive(Block)]
pub struct Parity<const N: usize, const H2: usize, const H4: usize> {
    pub clock: Signal<In, Clock>,
    pub x: Signal<In, Bits<N>>,
    pub y: Signal<Out, Bit>,
    lanes: Constant<Bits<N>>,
    fold_1: FoldXor<N, H2>,
    fold_2: FoldXor<H2, H4>,
    fold_3: FoldXor<H4, 1>,
    late_1: Late<Bits<H2>, 1>,
    late_2: Late<Bits<H4>, 1>,
    late_3: Late<Bits<1>, 1>,
}

impl<const N: usize, const H2: usize, const H4: usize> Parity<N, H2, H4> {
    /// Clocks of a parity of any lane.
    const LATENCY: usize = (N > 1) as usize + (H2 > 1) as usize + (H4 > 1) as usize;

    pub fn new(bit: usize) -> Self {
        let lanes = (0..N).filter(|lane| (lane + 1).is_multiple_of(1 << bit));
        let clocks = |so_many: bool| usize::from(so_many && N >> bit > 0);
        Self {
            lanes: Constant::new(lanes.fold(0.into(), |lanes: Bits<N>, lane| {
                lanes.replace_bit(lane, true)
            })),
            late_1: Late::new(clocks(N > 1)),
            late_2: Late::new(clocks(H2 > 1)),
            late_3: Late::new(clocks(H4 > 1)),
            clock: blank(),
            x: blank(),
            y: blank(),
            fold_1: blank(),
            fold_2: blank(),
            fold_3: blank(),
        }
    }
}

impl<const N: usize, const H2: usize, const H4: usize> Logic for Parity<N, H2, H4> {
    #[logic]
    fn update(&mut self) {
        self.late_1.clock.next = self.clock.val();
        self.late_2.clock.next = self.clock.val();
        self.late_3.clock.next = self.clock.val();
        self.fold_1.x.next = self.x.val() & self.lanes.val();
        self.late_1.x.next = self.fold_1.y.val();
        self.fold_2.x.next = self.late_1.y.val();
        self.late_2.x.next = self.fold_2.y.val();
        self.fold_3.x.next = self.late_2.y.val();
        self.late_3.x.next = self.fold_3.y.val();
        self.y.next = self.late_3.y.val().any();
    }
}

/// Counts lanes that are set from the lowest up without a gap: 0 to 64. `H2` is a quarter of `N` and `H4` a sixteenth, but none is
/// below 1.
#[derive(Block)]
pub struct CountLow<const N: usize, const H2: usize, const H4: usize> {
    pub clock: Signal<In, Clock>,
    pub x: Signal<In, Bits<N>>,
    pub y: Signal<Out, Bits<8>>,
    bit: Vec<Parity<N, H2, H4>>,
    late: Vec<Late<Bit, 3>>,
    joined: Join<8>,
}

impl<const N: usize, const H2: usize, const H4: usize> Default for CountLow<N, H2, H4> {
    fn default() -> Self {
        let rest = latency(N) - Parity::<N, H2, H4>::LATENCY;
        Self {
            bit: several(7, Parity::new),
            late: several(7, |bit| Late::new(if N >> bit > 0 { rest } else { 0 })),
            clock: blank(),
            x: blank(),
            y: blank(),
            joined: blank(),
        }
    }
}

impl<const N: usize, const H2: usize, const H4: usize> Logic for CountLow<N, H2, H4> {
    #[logic]
    fn update(&mut self) {
        for i in 0..7 {
            self.bit[i].clock.next = self.clock.val();
            self.bit[i].x.next = self.x.val();
            self.late[i].clock.next = self.clock.val();
            self.late[i].x.next = self.bit[i].y.val();
            self.joined.x[i].next = self.late[i].y.val();
        }
        for i in 7..8 {
            self.joined.x[i].next = false;
        }
        self.y.next = self.joined.y.val();
    }
}
