//! A counter of a packet, of up to 32 bits, that says when it has saturated.
//!
//! No carry runs through more than one LUT in a clock. The lower eight bits, to which a number is added, take a bit a clock
//! ([`Lower`]); above them there is only a carry to add, and two bits with that are as little logic as one with a number, so they
//! take two bits a clock ([`Upper`]). Step `s` is `s` clocks later than the first, and so are its bits.
//!
//! # Latency
//! [`LATENCY`] clocks, a number in every clock.
//!
//! # Reset
//! None: a packet's first number clears what is there.

use crate::primitives::skew::Skew;
use crate::primitives::wires::{Join, Lane, LaneShift, from_bits};
use crate::primitives::{DFF, blank};
use crate::verilog::{Body, bit, concat, name};
use hdl_macros::{Blank, Block, logic};
use rust_hdl::prelude::*;

const LOWER: usize = 8;
const UPPER: usize = 12;
const STEPS: usize = LOWER + UPPER;

/// Clocks from a number to the shown sum that contains it.
pub const LATENCY: usize = STEPS + 2;

/// A bit that passes from step to step, a clock each: bit `s` of `y` is what comes to step `s`, and bit `s` of `x` is what step `s`
/// gave in the clock before.
#[derive(Block, Blank)]
pub struct Passed<const W: usize> {
    pub into: Signal<In, Bit>,
    pub x: Signal<In, Bits<W>>,
    pub y: Signal<Out, Bits<W>>,
    pub out: Signal<Out, Bit>,
    lowest: Join<1>,
    shift: LaneShift<W, 1>,
}

impl<const W: usize> Logic for Passed<W> {
    #[logic]
    fn update(&mut self) {
        for i in 0..1 {
            self.lowest.x[i].next = self.into.val();
        }
        self.shift.x.next = self.x.val();
        self.shift.lower.next = self.lowest.y.val();
        self.y.next = self.shift.y.val();
        self.out.next = self.shift.top.val().any();
    }
}

/// The lower bits of a count. Bit `b` of `number` and of `sum` is `b` clocks late.
#[derive(Block, Blank)]
pub struct Lower {
    pub clock: Signal<In, Clock>,
    pub first: Signal<In, Bit>,
    pub number: Signal<In, Bits<LOWER>>,
    pub one: Signal<In, Bit>,
    pub sum: Signal<Out, Bits<LOWER>>,
    pub carry: Signal<Out, Bit>,
    pub first_later: Signal<Out, Bit>,
    /// The sum so far.
    total: DFF<Bits<LOWER>>,
    /// Carries on their way, and the marks of a packet's first number.
    carried: DFF<Bits<LOWER>>,
    firsts: DFF<Bits<LOWER>>,
    carries: Passed<LOWER>,
    is_first: Passed<LOWER>,
    kept: Signal<Local, Bits<LOWER>>,
}

impl Logic for Lower {
    #[logic]
    fn update(&mut self) {
        dff_setup!(self, clock, total, carried, firsts);
        self.is_first.into.next = self.first.val();
        self.is_first.x.next = self.firsts.q.val();
        self.firsts.d.next = self.is_first.y.val();
        self.carries.into.next = self.one.val();
        self.carries.x.next = self.carried.q.val();
        self.kept.next = self.total.q.val() & !self.is_first.y.val();
        self.total.d.next = self.kept.val() ^ self.number.val() ^ self.carries.y.val();
        self.carried.d.next = (self.kept.val() & self.number.val())
            | (self.carries.y.val() & (self.kept.val() | self.number.val()));
        self.sum.next = self.total.q.val();
        self.carry.next = self.carries.out.val();
        self.first_later.next = self.is_first.out.val();
    }
}

/// The upper bits of a count, in pairs. Bit `s` of `even` and of `odd` is `s` clocks late.
#[derive(Block)]
pub struct Upper {
    pub clock: Signal<In, Clock>,
    pub first: Signal<In, Bit>,
    pub carry_in: Signal<In, Bit>,
    pub even: Signal<Out, Bits<UPPER>>,
    pub odd: Signal<Out, Bits<UPPER>>,
    pub carry: Signal<Out, Bit>,
    pub first_later: Signal<Out, Bit>,
    /// Never set, for a pair that gives a carry is zero; but no tool knows it.
    pub never: Signal<Out, Bit>,
    /// Steps of the counter's width; the others only pass a carry on.
    there: Constant<Bits<UPPER>>,
    /// Steps of two bits: the even bits, and the odd ones.
    total_even: DFF<Bits<UPPER>>,
    total_odd: DFF<Bits<UPPER>>,
    /// Carries on their way, and the marks of a packet's first number.
    carried: DFF<Bits<UPPER>>,
    firsts: DFF<Bits<UPPER>>,
    carries: Passed<UPPER>,
    is_first: Passed<UPPER>,
    kept_even: Signal<Local, Bits<UPPER>>,
    kept_odd: Signal<Local, Bits<UPPER>>,
    first_pair: Lane<UPPER>,
}

impl Upper {
    /// Of so many pairs.
    pub fn new(pairs: usize) -> Self {
        Self {
            there: Constant::new(((1u64 << pairs) - 1).into()),
            clock: blank(),
            first: blank(),
            carry_in: blank(),
            even: blank(),
            odd: blank(),
            carry: blank(),
            first_later: blank(),
            never: blank(),
            total_even: blank(),
            total_odd: blank(),
            carried: blank(),
            firsts: blank(),
            carries: blank(),
            is_first: blank(),
            kept_even: blank(),
            kept_odd: blank(),
            first_pair: Lane::new(0),
        }
    }
}

impl Logic for Upper {
    #[logic]
    fn update(&mut self) {
        dff_setup!(self, clock, total_even, total_odd, carried, firsts);
        self.is_first.into.next = self.first.val();
        self.is_first.x.next = self.firsts.q.val();
        self.firsts.d.next = self.is_first.y.val();
        self.carries.into.next = self.carry_in.val();
        self.carries.x.next = self.carried.q.val();
        self.kept_even.next = self.total_even.q.val() & !self.is_first.y.val();
        self.kept_odd.next = self.total_odd.q.val() & !self.is_first.y.val();
        self.total_even.d.next = (self.kept_even.val() ^ self.carries.y.val()) & self.there.val();
        self.total_odd.d.next = (self.kept_odd.val()
            ^ (self.kept_even.val() & self.carries.y.val()))
            & self.there.val();
        self.carried.d.next = self.carries.y.val()
            & ((self.kept_even.val() & self.kept_odd.val()) | !self.there.val());
        self.even.next = self.total_even.q.val();
        self.odd.next = self.total_odd.q.val();
        self.carry.next = self.carries.out.val();
        self.first_later.next = self.is_first.out.val();
        self.first_pair.x.next = self.carried.q.val() & self.total_even.q.val();
        self.never.next = self.first_pair.y.val();
    }
}

/// Adds up what a packet's beats bring: one bit, or two, carry in each clock.
#[derive(Block)]
pub struct Counter {
    pub clock: Signal<In, Clock>,
    /// The number is the first of its packet.
    pub first: Signal<In, Bit>,
    /// Bit `b` is `b` clocks late.
    pub number: Signal<In, Bits<LOWER>>,
    /// One more than `number`.
    pub one: Signal<In, Bit>,
    /// Two clocks before the sum is due: it is not to be shown.
    pub hide: Signal<In, Bit>,
    /// The sum, or all ones if it has saturated; zero if it is not to be shown.
    pub value: Signal<Out, Bits<32>>,
    pub saturated: Signal<Out, Bit>,
    lower: Lower,
    upper: Upper,
    /// The sum has saturated.
    over: DFF<Bit>,
    /// Each counter has its own, near to what it clears; a tool would take all for one, were it not for [`Upper::never`].
    hides: DFF<Bit>,
    late_lower: Skew<LOWER>,
    late_even: Skew<UPPER>,
    late_odd: Skew<UPPER>,
    sum: InOrder,
    most: Constant<Bits<32>>,
    /// The outputs.
    shown: DFF<Bits<32>>,
    shown_over: DFF<Bit>,
}

impl Counter {
    /// A counter of 8, 16, 24 or 32 bits.
    pub fn new(width: usize) -> Self {
        let pairs = (width - LOWER) / 2;
        let late_upper = |step| if step < pairs { UPPER - step } else { 0 };
        Self {
            upper: Upper::new(pairs),
            late_lower: Skew::new(|bit| STEPS - bit),
            late_even: Skew::new(late_upper),
            late_odd: Skew::new(late_upper),
            most: Constant::new((u64::MAX >> (64 - width)).into()),
            clock: blank(),
            first: blank(),
            number: blank(),
            one: blank(),
            hide: blank(),
            value: blank(),
            saturated: blank(),
            lower: blank(),
            over: blank(),
            hides: blank(),
            sum: blank(),
            shown: blank(),
            shown_over: blank(),
        }
    }
}

impl Logic for Counter {
    #[logic]
    fn update(&mut self) {
        dff_setup!(self, clock, over, hides, shown, shown_over);
        self.lower.clock.next = self.clock.val();
        self.lower.first.next = self.first.val();
        self.lower.number.next = self.number.val();
        self.lower.one.next = self.one.val();
        self.upper.clock.next = self.clock.val();
        self.upper.first.next = self.lower.first_later.val();
        self.upper.carry_in.next = self.lower.carry.val();
        self.over.d.next =
            (self.over.q.val() & !self.upper.first_later.val()) | self.upper.carry.val();
        self.late_lower.clock.next = self.clock.val();
        self.late_lower.x.next = self.lower.sum.val();
        self.late_even.clock.next = self.clock.val();
        self.late_even.x.next = self.upper.even.val();
        self.late_odd.clock.next = self.clock.val();
        self.late_odd.x.next = self.upper.odd.val();
        self.sum.lower.next = self.late_lower.y.val();
        self.sum.even.next = self.late_even.y.val();
        self.sum.odd.next = self.late_odd.y.val();
        if self.over.q.val() {
            self.shown.d.next = self.most.val();
        } else {
            self.shown.d.next = self.sum.y.val();
        }
        self.shown_over.d.next = self.over.q.val();
        self.hides.d.next = self.hide.val() | self.upper.never.val();
        if self.hides.q.val() {
            self.shown.d.next = 0.into();
            self.shown_over.d.next = false;
        }
        self.value.next = self.shown.q.val();
        self.saturated.next = self.shown_over.q.val();
    }
}

/// The bits of a sum in their order.
#[derive(Block, Blank)]
pub struct InOrder {
    pub lower: Signal<In, Bits<LOWER>>,
    pub even: Signal<In, Bits<UPPER>>,
    pub odd: Signal<In, Bits<UPPER>>,
    pub y: Signal<Out, Bits<32>>,
}

impl Logic for InOrder {
    fn update(&mut self) {
        let (lower, even, odd) = (self.lower.val(), self.even.val(), self.odd.val());
        self.y.next = from_bits(|bit| match bit.checked_sub(LOWER) {
            None => lower.get_bit(bit),
            Some(above) if above % 2 == 0 => even.get_bit(above / 2),
            Some(above) => odd.get_bit(above / 2),
        });
    }

    fn connect(&mut self) {
        self.y.connect();
    }

    fn hdl(&self) -> Verilog {
        let pairs = (0..UPPER).flat_map(|step| [bit("even", step), bit("odd", step)]);
        let all = std::iter::once(name("lower")).chain(pairs);
        Body::new(Self::ABOUT).assign("y", concat(all)).done()
    }
}
