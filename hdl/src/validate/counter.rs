//! A counter of a packet, of up to 32 bits, that says when it has saturated.
//!
//! It is cut into segments of eight bits: each adds what the one below carried a clock before, so that no carry runs through
//! more than eight bits however wide the counter is.
//!
//! # Latency
//! [`LATENCY`] clocks, a number in every clock.
//!
//! # Reset
//! None: a packet's first number clears what is there.

use crate::primitives::delay::Delay;
use crate::primitives::wires::{Add, Join, Stack};
use rust_hdl::prelude::*;

/// Clocks from a number to the shown sum that contains it.
pub const LATENCY: usize = 6;

/// Eight bits of a counter; or, if the counter is not so wide, a register for what is carried.
#[derive(LogicBlock)]
pub struct Segment {
    pub clock: Signal<In, Clock>,
    /// The number is the first of its packet.
    pub first: Signal<In, Bit>,
    pub number: Signal<In, Bits<8>>,
    /// What passes if the segment is not there.
    pub past: Signal<In, Bit>,
    pub sum: Signal<Out, Bits<8>>,
    pub carry: Signal<Out, Bit>,
    pub first_later: Signal<Out, Bit>,
    there: Constant<Bit>,
    add: Add<8>,
    total: DFF<Bits<8>>,
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
            past: Default::default(),
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
        if self.there.val() {
            self.total.d.next = self.add.sum.val();
            self.carried.d.next = self.add.carry.val();
            self.sum.next = self.total.q.val();
        } else {
            self.total.d.next = 0.into();
            self.carried.d.next = self.past.val();
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
    /// A clock before the sum is due: it is to be shown.
    pub show: Signal<In, Bit>,
    /// The sum, or all ones if it has saturated; zero if it is not to be shown.
    pub value: Signal<Out, Bits<32>>,
    pub saturated: Signal<Out, Bit>,
    segment_0: Segment,
    segment_1: Segment,
    segment_2: Segment,
    segment_3: Segment,
    number_1: Join<8>,
    number_2: Join<8>,
    number_3: Join<8>,
    over: DFF<Bit>,
    late_0: Delay<Bits<8>, 4>,
    late_1: Delay<Bits<8>, 3>,
    late_2: Delay<Bits<8>, 2>,
    late_3: Delay<Bits<8>, 1>,
    sum: Stack<8, 4, 32>,
    most: Constant<Bits<32>>,
    shown: DFF<Bits<32>>,
    shown_over: DFF<Bit>,
}

impl Counter {
    /// A counter of 8, 16, 24 or 32 bits.
    pub fn new(width: usize) -> Self {
        Self {
            segment_0: Segment::new(true),
            segment_1: Segment::new(width > 8),
            segment_2: Segment::new(width > 16),
            segment_3: Segment::new(width > 24),
            most: Constant::new((u64::MAX >> (64 - width)).into()),
            clock: Default::default(),
            first: Default::default(),
            number: Default::default(),
            show: Default::default(),
            value: Default::default(),
            saturated: Default::default(),
            number_1: Default::default(),
            number_2: Default::default(),
            number_3: Default::default(),
            over: Default::default(),
            late_0: Default::default(),
            late_1: Default::default(),
            late_2: Default::default(),
            late_3: Default::default(),
            sum: Default::default(),
            shown: Default::default(),
            shown_over: Default::default(),
        }
    }
}

impl Logic for Counter {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, over, shown, shown_over);
        self.segment_0.clock.next = self.clock.val();
        self.segment_0.first.next = self.first.val();
        self.segment_0.number.next = self.number.val();
        self.segment_0.past.next = false;
        for i in 0..1 {
            self.number_1.x[i].next = self.segment_0.carry.val();
        }
        for i in 1..8 {
            self.number_1.x[i].next = false;
        }
        self.segment_1.clock.next = self.clock.val();
        self.segment_1.first.next = self.segment_0.first_later.val();
        self.segment_1.number.next = self.number_1.y.val();
        self.segment_1.past.next = self.segment_0.carry.val();
        for i in 0..1 {
            self.number_2.x[i].next = self.segment_1.carry.val();
        }
        for i in 1..8 {
            self.number_2.x[i].next = false;
        }
        self.segment_2.clock.next = self.clock.val();
        self.segment_2.first.next = self.segment_1.first_later.val();
        self.segment_2.number.next = self.number_2.y.val();
        self.segment_2.past.next = self.segment_1.carry.val();
        for i in 0..1 {
            self.number_3.x[i].next = self.segment_2.carry.val();
        }
        for i in 1..8 {
            self.number_3.x[i].next = false;
        }
        self.segment_3.clock.next = self.clock.val();
        self.segment_3.first.next = self.segment_2.first_later.val();
        self.segment_3.number.next = self.number_3.y.val();
        self.segment_3.past.next = self.segment_2.carry.val();
        self.over.d.next =
            (self.over.q.val() & !self.segment_3.first_later.val()) | self.segment_3.carry.val();

        self.late_0.clock.next = self.clock.val();
        self.late_0.x.next = self.segment_0.sum.val();
        self.late_1.clock.next = self.clock.val();
        self.late_1.x.next = self.segment_1.sum.val();
        self.late_2.clock.next = self.clock.val();
        self.late_2.x.next = self.segment_2.sum.val();
        self.late_3.clock.next = self.clock.val();
        self.late_3.x.next = self.segment_3.sum.val();
        for i in 0..1 {
            self.sum.x[i].next = self.late_0.y.val();
        }
        for i in 1..2 {
            self.sum.x[i].next = self.late_1.y.val();
        }
        for i in 2..3 {
            self.sum.x[i].next = self.late_2.y.val();
        }
        for i in 3..4 {
            self.sum.x[i].next = self.late_3.y.val();
        }
        if !self.show.val() {
            self.shown.d.next = 0.into();
        } else if self.over.q.val() {
            self.shown.d.next = self.most.val();
        } else {
            self.shown.d.next = self.sum.y.val();
        }
        self.shown_over.d.next = self.over.q.val() & self.show.val();
        self.value.next = self.shown.q.val();
        self.saturated.next = self.shown_over.q.val();
    }
}
