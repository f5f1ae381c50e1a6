//! A counter of a packet, of up to 32 bits, that says when it has saturated.
//!
//! It is cut into segments of four bits: each adds what the one below carried a clock before, so that no carry runs through
//! more than four bits however wide the counter is.
//!
//! # Latency
//! [`LATENCY`] clocks, a number in every clock.
//!
//! # Reset
//! None: a packet's first number clears what is there.

use crate::primitives::delay::Late;
use crate::primitives::wires::{Add, Stack, Unstack};
use rust_hdl::prelude::*;

const SEGMENTS: usize = 8;

/// Clocks from a number to the shown sum that contains it.
pub const LATENCY: usize = SEGMENTS + 2;

/// Four bits of a counter; or, if the counter is not so wide, a register for what is carried.
#[derive(LogicBlock)]
pub struct Segment {
    pub clock: Signal<In, Clock>,
    /// The number is the first of its packet.
    pub first: Signal<In, Bit>,
    pub number: Signal<In, Bits<4>>,
    /// What the segment below carried.
    pub carry_in: Signal<In, Bit>,
    pub sum: Signal<Out, Bits<4>>,
    pub carry: Signal<Out, Bit>,
    pub first_later: Signal<Out, Bit>,
    there: Constant<Bit>,
    add: Add<4>,
    total: DFF<Bits<4>>,
    carried: DFF<Bit>,
    first_next: DFF<Bit>,
}

impl Segment {
    pub fn new(there: bool) -> Self {
        Self {
            there: Constant::new(there),
            clock: Default::default(),
            first: Default::default(),
            number: Default::default(),
            carry_in: Default::default(),
            sum: Default::default(),
            carry: Default::default(),
            first_later: Default::default(),
            add: Default::default(),
            total: Default::default(),
            carried: Default::default(),
            first_next: Default::default(),
        }
    }
}

impl Logic for Segment {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, total, carried, first_next);
        if self.first.val() {
            self.add.a.next = 0.into();
        } else {
            self.add.a.next = self.total.q.val();
        }
        self.add.b.next = self.number.val();
        self.add.carry_in.next = self.carry_in.val();
        if self.there.val() {
            self.total.d.next = self.add.sum.val();
            self.carried.d.next = self.add.carry.val();
            self.sum.next = self.total.q.val();
        } else {
            self.total.d.next = 0.into();
            self.carried.d.next = self.carry_in.val();
            self.sum.next = 0.into();
        }
        self.first_next.d.next = self.first.val();
        self.carry.next = self.carried.q.val();
        self.first_later.next = self.first_next.q.val();
    }
}

/// Counts what a packet's beats bring.
#[derive(LogicBlock)]
pub struct Counter {
    pub clock: Signal<In, Clock>,
    pub first: Signal<In, Bit>,
    pub number: Signal<In, Bits<8>>,
    /// A clock before the sum is due: it is not to be shown.
    pub hide: Signal<In, Bit>,
    /// The sum, or all ones if it has saturated; zero if it is not to be shown.
    pub value: Signal<Out, Bits<32>>,
    pub saturated: Signal<Out, Bit>,
    halves: Unstack<4, 2, 8>,
    upper_half: DFF<Bits<4>>,
    segment: [Segment; SEGMENTS],
    over: DFF<Bit>,
    late: [Late<Bits<4>, SEGMENTS>; SEGMENTS],
    sum: Stack<4, 8, 32>,
    most: Constant<Bits<32>>,
    shown: DFF<Bits<32>>,
    shown_over: DFF<Bit>,
}

impl Counter {
    /// A counter of 8, 16, 24 or 32 bits.
    pub fn new(width: usize) -> Self {
        Self {
            segment: std::array::from_fn(|segment| Segment::new(4 * segment < width)),
            late: std::array::from_fn(|segment| Late::new(SEGMENTS - segment)),
            most: Constant::new((u64::MAX >> (64 - width)).into()),
            clock: Default::default(),
            first: Default::default(),
            number: Default::default(),
            hide: Default::default(),
            value: Default::default(),
            saturated: Default::default(),
            halves: Default::default(),
            upper_half: Default::default(),
            over: Default::default(),
            sum: Default::default(),
            shown: Default::default(),
            shown_over: Default::default(),
        }
    }
}

impl Logic for Counter {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, upper_half, over, shown, shown_over);
        self.halves.x.next = self.number.val();
        for i in 0..SEGMENTS {
            self.segment[i].clock.next = self.clock.val();
        }
        for i in 0..1 {
            self.segment[i].first.next = self.first.val();
            self.segment[i].number.next = self.halves.y[i].val();
            self.segment[i].carry_in.next = false;
        }
        for i in 1..2 {
            self.upper_half.d.next = self.halves.y[i].val();
            self.segment[i].number.next = self.upper_half.q.val();
        }
        for i in 2..SEGMENTS {
            self.segment[i].number.next = 0.into();
        }
        for i in 1..SEGMENTS {
            self.segment[i].first.next = self.segment[i - 1].first_later.val();
            self.segment[i].carry_in.next = self.segment[i - 1].carry.val();
        }
        // The last turn is the one that counts: the subset has no index but a loop's.
        for i in 0..SEGMENTS {
            self.over.d.next = (self.over.q.val() & !self.segment[i].first_later.val())
                | self.segment[i].carry.val();
            self.late[i].clock.next = self.clock.val();
            self.late[i].x.next = self.segment[i].sum.val();
            self.sum.x[i].next = self.late[i].y.val();
        }
        if self.over.q.val() {
            self.shown.d.next = self.most.val();
        } else {
            self.shown.d.next = self.sum.y.val();
        }
        self.shown_over.d.next = self.over.q.val();
        if self.hide.val() {
            self.shown.d.next = 0.into();
            self.shown_over.d.next = false;
        }
        self.value.next = self.shown.q.val();
        self.saturated.next = self.shown_over.q.val();
    }
}
