//! How many events come before each: a prefix sum over the lanes, and what is left of the beats before.
//!
//! Every adder takes a bit a clock, so that no path is longer than one full adder: bit `b` of a sum is a clock later than
//! bit `b - 1`, and the next adder takes it as it comes.
//!
//! # Latency
//! [`latency`] clocks, a beat in every clock.
//!
//! # Reset
//! None: the first beat of a packet counts from zero.

use crate::primitives::delay::Late;
use crate::primitives::wires::{Broadcast, Lane, ShiftUp};
use rust_hdl::prelude::*;

/// Clocks from the events to their ranks.
pub const fn latency(lanes: usize) -> usize {
    2 * lanes.ilog2() as usize + 1
}

/// One level of the prefix sum: each lane adds what the lane `distance` below has, `A` bits to `A` bits. Bit `b` of `x` is `b`
/// clocks late, and so is bit `b` of `y`. If there are not so many lanes, `y` is `x`.
#[derive(LogicBlock)]
pub struct PrefixLevel<const N: usize, const A: usize, const B: usize> {
    pub clock: Signal<In, Clock>,
    pub x: [Signal<In, Bits<N>>; A],
    pub y: [Signal<Out, Bits<N>>; B],
    there: Constant<Bit>,
    below: [ShiftUp<N>; A],
    sum: [DFF<Bits<N>>; B],
    carry: [DFF<Bits<N>>; A],
}

impl<const N: usize, const A: usize, const B: usize> PrefixLevel<N, A, B> {
    pub fn new(distance: usize) -> Self {
        const { assert!(B == A + 1) }
        Self {
            there: Constant::new(distance < N),
            below: std::array::from_fn(|_| ShiftUp::new(distance)),
            clock: Default::default(),
            x: std::array::from_fn(|_| Default::default()),
            y: std::array::from_fn(|_| Default::default()),
            sum: std::array::from_fn(|_| Default::default()),
            carry: std::array::from_fn(|_| Default::default()),
        }
    }
}

impl<const N: usize, const A: usize, const B: usize> Logic for PrefixLevel<N, A, B> {
    #[hdl_gen]
    fn update(&mut self) {
        for i in 0..A {
            self.carry[i].clock.next = self.clock.val();
            self.below[i].x.next = self.x[i].val();
        }
        for i in 0..B {
            self.sum[i].clock.next = self.clock.val();
        }
        for i in 0..1 {
            self.sum[i].d.next = self.x[i].val() ^ self.below[i].y.val();
            self.carry[i].d.next = self.x[i].val() & self.below[i].y.val();
        }
        for i in 1..A {
            self.sum[i].d.next =
                self.x[i].val() ^ self.below[i].y.val() ^ self.carry[i - 1].q.val();
            self.carry[i].d.next = (self.x[i].val() & self.below[i].y.val())
                | (self.carry[i - 1].q.val() & (self.x[i].val() | self.below[i].y.val()));
        }
        for i in A..B {
            self.sum[i].d.next = self.carry[i - 1].q.val();
        }
        for i in 0..A {
            if self.there.val() {
                self.y[i].next = self.sum[i].q.val();
            } else {
                self.y[i].next = self.x[i].val();
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

/// Ranks of a beat's events, modulo twice the lanes.
#[derive(LogicBlock)]
pub struct Ranks<const N: usize> {
    pub clock: Signal<In, Clock>,
    /// The beat begins a packet.
    pub first: Signal<In, Bit>,
    pub sent: Signal<In, Bits<N>>,
    /// How many events come before each lane in the dense beat that the first of them goes into. With `L` the logarithm of
    /// the lanes, bits `L - 1..0` are the lane, bit `L` tells that it is in the next beat.
    pub rank: [Signal<Out, Bits<N>>; 7],
    /// The dense beat is full; there are events for a further one, or it has begun.
    pub full: Signal<Out, Bit>,
    pub nonzero: Signal<Out, Bit>,

    level_1: PrefixLevel<N, 1, 2>,
    level_2: PrefixLevel<N, 2, 3>,
    level_3: PrefixLevel<N, 3, 4>,
    level_4: PrefixLevel<N, 4, 5>,
    level_5: PrefixLevel<N, 5, 6>,
    level_6: PrefixLevel<N, 6, 7>,
    before: [ShiftUp<N>; 7],
    count: [Lane<N>; 7],

    // What is left of the beats before, modulo the lanes, and the sum with this beat's events.
    first_counted: Late<Bit, 6>,
    first_at: [DFF<Bit>; 7],
    left: [DFF<Bit>; 7],
    total: [DFF<Bit>; 7],
    carry: [DFF<Bit>; 7],
    base: [Signal<Local, Bit>; 7],
    sum: [Signal<Local, Bit>; 7],
    every_base: [Broadcast<N>; 7],
    lane_sum: [DFF<Bits<N>>; 7],
    lane_carry: [DFF<Bits<N>>; 7],

    late_rank: [Late<Bits<N>, 6>; 7],
    late_total: [Late<Bit, 6>; 7],
    any: [Signal<Local, Bit>; 7],
    is_lane: [Constant<Bit>; 7],
    is_full: [Constant<Bit>; 7],
}

impl<const N: usize> Default for Ranks<N> {
    fn default() -> Self {
        let levels = N.ilog2() as usize;
        let late = |bit: usize| levels.saturating_sub(bit);
        Self {
            level_1: PrefixLevel::new(1),
            level_2: PrefixLevel::new(2),
            level_3: PrefixLevel::new(4),
            level_4: PrefixLevel::new(8),
            level_5: PrefixLevel::new(16),
            level_6: PrefixLevel::new(32),
            before: std::array::from_fn(|_| ShiftUp::new(1)),
            count: std::array::from_fn(|_| Lane::new(N - 1)),
            first_counted: Late::new(levels),
            late_rank: std::array::from_fn(|bit| Late::new(late(bit))),
            late_total: std::array::from_fn(|bit| Late::new(late(bit))),
            is_lane: std::array::from_fn(|bit| Constant::new(bit < levels)),
            is_full: std::array::from_fn(|bit| Constant::new(bit == levels)),
            clock: Default::default(),
            first: Default::default(),
            sent: Default::default(),
            rank: std::array::from_fn(|_| Default::default()),
            full: Default::default(),
            nonzero: Default::default(),
            first_at: std::array::from_fn(|_| Default::default()),
            left: std::array::from_fn(|_| Default::default()),
            total: std::array::from_fn(|_| Default::default()),
            carry: std::array::from_fn(|_| Default::default()),
            base: std::array::from_fn(|_| Default::default()),
            sum: std::array::from_fn(|_| Default::default()),
            every_base: std::array::from_fn(|_| Default::default()),
            lane_sum: std::array::from_fn(|_| Default::default()),
            lane_carry: std::array::from_fn(|_| Default::default()),
            any: std::array::from_fn(|_| Default::default()),
        }
    }
}

impl<const N: usize> Logic for Ranks<N> {
    #[hdl_gen]
    fn update(&mut self) {
        self.level_1.clock.next = self.clock.val();
        self.level_2.clock.next = self.clock.val();
        self.level_3.clock.next = self.clock.val();
        self.level_4.clock.next = self.clock.val();
        self.level_5.clock.next = self.clock.val();
        self.level_6.clock.next = self.clock.val();
        for i in 0..1 {
            self.level_1.x[i].next = self.sent.val();
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

        // Bit i of everything here is i clocks later than bit 0.
        self.first_counted.clock.next = self.clock.val();
        self.first_counted.x.next = self.first.val();
        for i in 0..7 {
            self.first_at[i].clock.next = self.clock.val();
            self.left[i].clock.next = self.clock.val();
            self.total[i].clock.next = self.clock.val();
            self.carry[i].clock.next = self.clock.val();
            self.lane_sum[i].clock.next = self.clock.val();
            self.lane_carry[i].clock.next = self.clock.val();
            self.late_rank[i].clock.next = self.clock.val();
            self.late_total[i].clock.next = self.clock.val();
            self.before[i].x.next = self.level_6.y[i].val();
            self.count[i].x.next = self.level_6.y[i].val();
        }
        for i in 0..1 {
            self.first_at[i].d.next = self.first_counted.y.val();
            self.base[i].next = self.left[i].q.val() & !self.first_counted.y.val();
            self.every_base[i].x.next = self.base[i].val();
            self.sum[i].next = self.base[i].val() ^ self.count[i].y.val();
            self.carry[i].d.next = self.base[i].val() & self.count[i].y.val();
            self.lane_sum[i].d.next = self.every_base[i].y.val() ^ self.before[i].y.val();
            self.lane_carry[i].d.next = self.every_base[i].y.val() & self.before[i].y.val();
        }
        for i in 1..7 {
            self.first_at[i].d.next = self.first_at[i - 1].q.val();
            self.base[i].next = self.left[i].q.val() & !self.first_at[i - 1].q.val();
            self.every_base[i].x.next = self.base[i].val();
            self.sum[i].next =
                self.base[i].val() ^ self.count[i].y.val() ^ self.carry[i - 1].q.val();
            self.carry[i].d.next = (self.base[i].val() & self.count[i].y.val())
                | (self.carry[i - 1].q.val() & (self.base[i].val() | self.count[i].y.val()));
            self.lane_sum[i].d.next = self.every_base[i].y.val()
                ^ self.before[i].y.val()
                ^ self.lane_carry[i - 1].q.val();
            self.lane_carry[i].d.next = (self.every_base[i].y.val() & self.before[i].y.val())
                | (self.lane_carry[i - 1].q.val()
                    & (self.every_base[i].y.val() | self.before[i].y.val()));
        }
        for i in 0..7 {
            self.total[i].d.next = self.sum[i].val();
            if self.is_lane[i].val() {
                self.left[i].d.next = self.sum[i].val();
            } else {
                self.left[i].d.next = false;
            }
            self.late_rank[i].x.next = self.lane_sum[i].q.val();
            self.late_total[i].x.next = self.total[i].q.val();
            self.rank[i].next = self.late_rank[i].y.val();
        }

        self.full.next = false;
        for i in 0..7 {
            if self.is_full[i].val() {
                self.full.next = self.late_total[i].y.val();
            }
        }
        for i in 0..1 {
            if self.is_lane[i].val() {
                self.any[i].next = self.late_total[i].y.val();
            } else {
                self.any[i].next = false;
            }
        }
        for i in 1..7 {
            if self.is_lane[i].val() {
                self.any[i].next = self.any[i - 1].val() | self.late_total[i].y.val();
            } else {
                self.any[i].next = self.any[i - 1].val();
            }
        }
        for i in 6..7 {
            self.nonzero.next = self.any[i].val();
        }
    }
}
