//! How many lanes of a plane are set: a tree of adders over the lanes.
//!
//! Every adder takes a bit a clock, so that no path is longer than one full adder: bit `b` of a sum is a clock later than
//! bit `b - 1`, and the next adder takes it as it comes.
//!
//! # Latency
//! [`latency`] clocks, a beat in every clock.
//!
//! # Reset
//! None.

use crate::primitives::delay::Late;
use crate::primitives::wires::{Halves, Join, Lane};
use rust_hdl::prelude::*;

/// Clocks from a plane to its count.
pub const fn latency(lanes: usize) -> usize {
    2 * lanes.ilog2() as usize
}

/// One level: the lower half of the lanes and the upper half add what they have, `A` bits to `A` bits. Bit `b` of `x` is `b`
/// clocks late, and so is bit `b` of `y`. If `N` is `H`, there is nothing to add, and `y` is `x`.
#[derive(LogicBlock)]
pub struct CountLevel<const N: usize, const H: usize, const A: usize, const B: usize> {
    pub clock: Signal<In, Clock>,
    pub x: [Signal<In, Bits<N>>; A],
    pub y: [Signal<Out, Bits<H>>; B],
    there: Constant<Bit>,
    half: [Halves<N, H>; A],
    sum: [DFF<Bits<H>>; B],
    carry: [DFF<Bits<H>>; A],
}

impl<const N: usize, const H: usize, const A: usize, const B: usize> Default
    for CountLevel<N, H, A, B>
{
    fn default() -> Self {
        const { assert!(B == A + 1) }
        Self {
            there: Constant::new(N > H),
            clock: Default::default(),
            x: std::array::from_fn(|_| Default::default()),
            y: std::array::from_fn(|_| Default::default()),
            half: std::array::from_fn(|_| Default::default()),
            sum: std::array::from_fn(|_| Default::default()),
            carry: std::array::from_fn(|_| Default::default()),
        }
    }
}

impl<const N: usize, const H: usize, const A: usize, const B: usize> Logic
    for CountLevel<N, H, A, B>
{
    #[hdl_gen]
    fn update(&mut self) {
        for i in 0..A {
            self.carry[i].clock.next = self.clock.val();
            self.half[i].x.next = self.x[i].val();
        }
        for i in 0..B {
            self.sum[i].clock.next = self.clock.val();
        }
        for i in 0..1 {
            self.sum[i].d.next = self.half[i].lower.val() ^ self.half[i].upper.val();
            self.carry[i].d.next = self.half[i].lower.val() & self.half[i].upper.val();
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

/// The count of a plane's lanes, 0 to 64. `H1` is half of `N`, `H2` half of `H1` and so on, but none is below 1.
#[derive(LogicBlock)]
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
    level_1: CountLevel<N, H1, 1, 2>,
    level_2: CountLevel<H1, H2, 2, 3>,
    level_3: CountLevel<H2, H3, 3, 4>,
    level_4: CountLevel<H3, H4, 4, 5>,
    level_5: CountLevel<H4, H5, 5, 6>,
    level_6: CountLevel<H5, 1, 6, 7>,
    bit: [Lane<1>; 7],
    late: [Late<Bit, 6>; 7],
    joined: Join<8>,
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
        let levels = N.ilog2() as usize;
        Self {
            late: std::array::from_fn(|bit| Late::new(levels.saturating_sub(bit))),
            bit: std::array::from_fn(|_| Lane::new(0)),
            clock: Default::default(),
            x: Default::default(),
            y: Default::default(),
            level_1: Default::default(),
            level_2: Default::default(),
            level_3: Default::default(),
            level_4: Default::default(),
            level_5: Default::default(),
            level_6: Default::default(),
            joined: Default::default(),
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
    #[hdl_gen]
    fn update(&mut self) {
        self.level_1.clock.next = self.clock.val();
        self.level_2.clock.next = self.clock.val();
        self.level_3.clock.next = self.clock.val();
        self.level_4.clock.next = self.clock.val();
        self.level_5.clock.next = self.clock.val();
        self.level_6.clock.next = self.clock.val();
        for i in 0..1 {
            self.level_1.x[i].next = self.x.val();
        }
        for i in 0..2 {
            self.level_2.x[i].next = self.level_1.y[i].val();
        }
        for i in 0..3 {
            self.level_3.x[i].next = self.level_2.y[i].val();
        }
        for i in 0..4 {
            self.level_4.x[i].next = self.level_3.y[i].val();
        }
        for i in 0..5 {
            self.level_5.x[i].next = self.level_4.y[i].val();
        }
        for i in 0..6 {
            self.level_6.x[i].next = self.level_5.y[i].val();
        }
        for i in 0..7 {
            self.bit[i].x.next = self.level_6.y[i].val();
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
