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

use crate::primitives::delay::DelayLine;
use crate::primitives::wires::{Broadcast, Lane, ShiftUp};
use crate::primitives::{DFF, blank, blanks, several};
use hdl_macros::{Block, logic};
use rust_hdl::prelude::*;

/// Clocks from the events to their ranks.
pub const fn latency(lanes: usize) -> usize {
    2 * lanes.ilog2() as usize + 1
}

/// One level of a prefix sum: each lane adds what the lane some lanes below (`distance`) has. `A` bits are added to `A` bits. Bit `b` of `x` is `b`
/// clocks late, and so is bit `b` of `y`. With fewer lanes, `y` is `x`.
#[derive(Block)]
pub struct PrefixLevel<const N: usize, const A: usize, const B: usize> {
    pub clock: Signal<In, Clock>,
    pub x: Vec<Signal<In, Bits<N>>>,
    pub y: Vec<Signal<Out, Bits<N>>>,
    there: Constant<Bit>,
    below: Vec<ShiftUp<N>>,
    /// The bits of each lane's count, a level a clock, and their carries.
    sum: Vec<DFF<Bits<N>>>,
    /// The carries, for the next bit.
    carry: Vec<DFF<Bits<N>>>,
}

impl<const N: usize, const A: usize, const B: usize> PrefixLevel<N, A, B> {
    pub fn new(distance: usize) -> Self {
        const { assert!(B == A + 1) }
        Self {
            there: Constant::new(distance < N),
            below: several(A, |_| ShiftUp::new(distance)),
            clock: blank(),
            x: blanks(A),
            y: blanks(B),
            sum: blanks(B),
            carry: blanks(A),
        }
    }
}

impl<const N: usize, const A: usize, const B: usize> Logic for PrefixLevel<N, A, B> {
    #[logic]
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

/// How many events come before each one, modulo twice the lanes: where it goes.
#[derive(Block)]
pub struct Ranks<const N: usize> {
    pub clock: Signal<In, Clock>,
    /// The beat begins a packet.
    pub first: Signal<In, Bit>,
    pub sent: Signal<In, Bits<N>>,
    /// How many events come before each lane in the dense beat that the first of them goes into. With `L` the logarithm of
    /// the lanes, bits `L - 1..0` are the lane, bit `L` tells that it is in the next beat.
    pub rank: Vec<Signal<Out, Bits<N>>>,
    /// The dense beat is full; there are events for a further one, or it has begun.
    pub full: Signal<Out, Bit>,
    pub nonzero: Signal<Out, Bit>,

    level_1: PrefixLevel<N, 1, 2>,
    level_2: PrefixLevel<N, 2, 3>,
    level_3: PrefixLevel<N, 3, 4>,
    level_4: PrefixLevel<N, 4, 5>,
    level_5: PrefixLevel<N, 5, 6>,
    level_6: PrefixLevel<N, 6, 7>,
    before: Vec<ShiftUp<N>>,
    count: Vec<Lane<N>>,

    /// What is left of the beats before, modulo the lanes, and the sum with this beat's events.
    first_counted: DelayLine<Bit>,
    /// Where the beat's first event goes: a bit a clock.
    first_at: Vec<DFF<Bit>>,
    /// How many events are left, modulo the lanes.
    left: Vec<DFF<Bit>>,
    /// That number and the beat's, and the carries between the bits.
    total: Vec<DFF<Bit>>,
    carry: Vec<DFF<Bit>>,
    base: Vec<Signal<Local, Bit>>,
    sum: Vec<Signal<Local, Bit>>,
    every_base: Vec<Broadcast<N>>,
    /// The rank of each lane: a bit a clock, and the carries.
    lane_sum: Vec<DFF<Bits<N>>>,
    lane_carry: Vec<DFF<Bits<N>>>,

    late_rank: Vec<DelayLine<Bits<N>>>,
    late_total: Vec<DelayLine<Bit>>,
    any: Vec<Signal<Local, Bit>>,
    is_lane: Vec<Constant<Bit>>,
    is_full: Vec<Constant<Bit>>,
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
            before: several(7, |_| ShiftUp::new(1)),
            count: several(7, |_| Lane::new(N - 1)),
            first_counted: DelayLine::new(levels),
            late_rank: several(7, |bit| DelayLine::new(late(bit))),
            late_total: several(7, |bit| DelayLine::new(late(bit))),
            is_lane: several(7, |bit| Constant::new(bit < levels)),
            is_full: several(7, |bit| Constant::new(bit == levels)),
            clock: blank(),
            first: blank(),
            sent: blank(),
            rank: blanks(7),
            full: blank(),
            nonzero: blank(),
            first_at: blanks(7),
            left: blanks(7),
            total: blanks(7),
            carry: blanks(7),
            base: blanks(7),
            sum: blanks(7),
            every_base: blanks(7),
            lane_sum: blanks(7),
            lane_carry: blanks(7),
            any: blanks(7),
        }
    }
}

impl<const N: usize> Logic for Ranks<N> {
    #[logic]
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
