//! What a beat adds to its message: the sums over its pieces, of which one may have begun in the three lanes below its own.
//!
//! # Latency
//! [`latency`] clocks from the pieces, a beat in every clock.
//!
//! # Reset
//! None: without a beat all sums are zero.

use super::tail::TAIL;
use crate::primitives::delay::{Delay, Late};
use crate::primitives::skew::Skew;
use crate::primitives::wires::{Join, Lane, Widen, from_bits};
use crate::primitives::{DFF, blank};
use crate::validate::count::{self, Count, CountLow};
use crate::validate::first::First;
use crate::verilog::{Body, bits};
use hdl_macros::{Blank, Block, logic};
use rust_hdl::prelude::*;

/// Clocks by which the highest bit of a count is later than the lowest.
const SKEW: usize = 5;

/// Steps of addition behind them.
const LEVEL: usize = 3;

/// So many clocks before the sums it is known whether the beat makes its message bad.
pub const BAD_AHEAD: usize = 2;

/// Clocks from the pieces to the sums.
pub const fn latency(lanes: usize) -> usize {
    1 + count::latency(lanes) + SKEW + LEVEL
}

/// The lanes of a beat without those that were put before it.
#[derive(Block, Blank)]
pub struct OwnLanes<const M: usize, const N: usize> {
    pub x: Signal<In, Bits<M>>,
    pub y: Signal<Out, Bits<N>>,
}

impl<const M: usize, const N: usize> Logic for OwnLanes<M, N> {
    fn update(&mut self) {
        const { assert!(M == N + TAIL) }
        let x = self.x.val();
        self.y.next = from_bits(|lane| x.get_bit(lane + TAIL));
    }

    fn connect(&mut self) {
        self.y.connect();
    }

    fn hdl(&self) -> Verilog {
        Body::new(Self::ABOUT)
            .assign("y", bits("x", TAIL, N))
            .done()
    }
}

/// What a beat adds to its flow's message, and whether it makes the message bad. The inputs are those of [`crate::pieces::Pieces`], stage 12, of a beat with the three bytes before it.
#[derive(Block)]
pub struct Sums<
    const N: usize,
    const M: usize,
    const H1: usize,
    const H2: usize,
    const H3: usize,
    const H4: usize,
    const H5: usize,
> {
    pub clock: Signal<In, Clock>,
    pub valid: Signal<In, Bit>,
    /// The message ends with the beat; else a sequence that is unfinished there goes on in the flow's next beat.
    pub ends: Signal<In, Bit>,
    /// A clock before the sums: the message was bad before the beat.
    pub was_bad: Signal<In, Bit>,
    /// In stage 8: a sequence is unfinished.
    pub open_8: Signal<In, Bits<M>>,
    pub present: Signal<In, Bits<M>>,
    pub scalar: Signal<In, Bits<M>>,
    pub ill: Signal<In, Bits<M>>,
    pub kind_0: Signal<In, Bits<M>>,
    pub kind_1: Signal<In, Bits<M>>,
    pub kind_2: Signal<In, Bits<M>>,
    pub second: Signal<In, Bits<M>>,
    pub length_1: Signal<In, Bits<M>>,

    pub bytes: Signal<Out, Bits<8>>,
    pub scalars: Signal<Out, Bits<8>>,
    pub ill_formed: Signal<Out, Bits<8>>,
    /// Bytes of the pieces that end in the beat, up to the message's first ill-formed one.
    pub valid_up_to: Signal<Out, Bits<8>>,
    /// [`BAD_AHEAD`] clocks before the others: an ill-formed piece ends in the beat; the kind of the first, and its length as a
    /// verdict tells it.
    pub bad: Signal<Out, Bit>,
    pub kind: Signal<Out, Bits<3>>,
    pub error_len: Signal<Out, Bits<2>>,

    /// For the counters: the ill-formed pieces that end in the beat's own lanes and their kinds, a clock after the pieces; and the
    /// one that may have ended before, [`LEVEL`] clocks before the sums.
    pub own_ills: Signal<Out, Bits<N>>,
    pub own_kinds_0: Signal<Out, Bits<N>>,
    pub own_kinds_1: Signal<Out, Bits<N>>,
    pub own_kinds_2: Signal<Out, Bits<N>>,
    pub before_ill: Signal<Out, Bit>,
    pub before_kind: Signal<Out, Bits<3>>,

    /// The lane before the beat: what was unfinished there may end because of this beat.
    open_before: Lane<M>,
    late_open: Delay<Bit, 4>,
    ill_before: Lane<M>,
    kind_before_0: Lane<M>,
    kind_before_1: Lane<M>,
    kind_before_2: Lane<M>,
    second_before: Lane<M>,
    length_before: Lane<M>,
    kind_before: Join<3>,
    bytes_before: Join<2>,
    cut_before: Signal<Local, Bit>,
    at_end_before: Signal<Local, Bit>,
    /// The sequence before the beat is cut by it, and is ill-formed; its kind and its bytes.
    s1_cut_before: DFF<Bit>,
    s1_ill_before: DFF<Bit>,
    s1_kind_before: DFF<Bits<3>>,
    s1_before: DFF<Bits<2>>,
    s1_ends: DFF<Bit>,

    own_present: OwnLanes<M, N>,
    own_scalar: OwnLanes<M, N>,
    own_ill: OwnLanes<M, N>,
    own_kind_0: OwnLanes<M, N>,
    own_kind_1: OwnLanes<M, N>,
    own_kind_2: OwnLanes<M, N>,
    own_second: OwnLanes<M, N>,
    own_length_1: OwnLanes<M, N>,
    /// Lanes with a byte; with the end of a scalar value.
    s1_present: DFF<Bits<N>>,
    s1_scalar: DFF<Bits<N>>,
    /// Cut by the beat's end or ill-formed; the latter.
    s1_cut: DFF<Bits<N>>,
    s1_ill: DFF<Bits<N>>,
    s1_kind_0: DFF<Bits<N>>,
    s1_kind_1: DFF<Bits<N>>,
    s1_kind_2: DFF<Bits<N>>,
    s1_second: DFF<Bits<N>>,
    s1_length_1: DFF<Bits<N>>,

    count_bytes: CountLow<N, H2, H4>,
    count_scalars: Count<N, H1, H2, H3, H4, H5>,
    count_ill: Count<N, H1, H2, H3, H4, H5>,
    pick: First<N, H1, H2, H3, H4, H5>,
    late_bytes: Delay<Bits<8>, SKEW>,
    level_scalars: Skew<8>,
    level_ill: Skew<8>,
    late_scalars_one: Delay<Bit, SKEW>,
    late_ill_one: Delay<Bit, SKEW>,
    late_any: Delay<Bit, SKEW>,
    late_kind: Delay<Bits<3>, SKEW>,
    late_length: Delay<Bits<2>, SKEW>,
    late_lane: Delay<Bits<8>, SKEW>,
    late_cut_before: Late<Bit, 11>,
    late_ill_before: Late<Bit, 11>,
    late_kind_before: Late<Bits<3>, 11>,
    late_before: Late<Bits<2>, 11>,
    late_ends: Late<Bit, 11>,

    /// Three steps of addition.
    chosen_kind: Signal<Local, Bits<3>>,
    chosen_length: Signal<Local, Bits<2>>,
    picked_at_end: Signal<Local, Bit>,
    chosen_at_end: Signal<Local, Bit>,
    /// The first step: what is added, and the first ill-formed piece.
    a_bytes: DFF<Bits<8>>,
    a_scalars: DFF<Bits<8>>,
    a_ill: DFF<Bits<8>>,
    a_lane: DFF<Bits<8>>,
    a_length: DFF<Bits<2>>,
    a_any: DFF<Bit>,
    a_cut_before: DFF<Bit>,
    a_ill_before: DFF<Bit>,
    a_before: DFF<Bits<2>>,
    a_bad: DFF<Bit>,
    a_kind: DFF<Bits<3>>,
    a_error_len: DFF<Bits<2>>,
    a_less: Widen<2, 8>,
    /// The second step: where that piece ends.
    b_bytes: DFF<Bits<8>>,
    b_scalars: DFF<Bits<8>>,
    b_ill: DFF<Bits<8>>,
    b_end: DFF<Bits<8>>,
    b_cut_before: DFF<Bit>,
    b_before: DFF<Bits<2>>,
    b_more: Widen<2, 8>,
    /// The third step: the sums.
    c_bytes: DFF<Bits<8>>,
    c_scalars: DFF<Bits<8>>,
    c_ill: DFF<Bits<8>>,
    c_valid_up_to: DFF<Bits<8>>,
}

impl<
    const N: usize,
    const M: usize,
    const H1: usize,
    const H2: usize,
    const H3: usize,
    const H4: usize,
    const H5: usize,
> Default for Sums<N, M, H1, H2, H3, H4, H5>
{
    fn default() -> Self {
        let level = |bit: usize| SKEW.saturating_sub(bit);
        let to_level = count::latency(N) + SKEW;
        Self {
            open_before: Lane::new(TAIL - 1),
            ill_before: Lane::new(TAIL - 1),
            kind_before_0: Lane::new(TAIL - 1),
            kind_before_1: Lane::new(TAIL - 1),
            kind_before_2: Lane::new(TAIL - 1),
            second_before: Lane::new(TAIL - 1),
            length_before: Lane::new(TAIL - 1),
            level_scalars: Skew::new(level),
            level_ill: Skew::new(level),
            late_cut_before: Late::new(to_level),
            late_ill_before: Late::new(to_level),
            late_kind_before: Late::new(to_level),
            late_before: Late::new(to_level),
            late_ends: Late::new(to_level),
            clock: blank(),
            valid: blank(),
            was_bad: blank(),
            ends: blank(),
            open_8: blank(),
            present: blank(),
            scalar: blank(),
            ill: blank(),
            kind_0: blank(),
            kind_1: blank(),
            kind_2: blank(),
            second: blank(),
            length_1: blank(),
            bytes: blank(),
            scalars: blank(),
            ill_formed: blank(),
            valid_up_to: blank(),
            bad: blank(),
            kind: blank(),
            error_len: blank(),
            own_ills: blank(),
            own_kinds_0: blank(),
            own_kinds_1: blank(),
            own_kinds_2: blank(),
            before_ill: blank(),
            before_kind: blank(),
            late_open: blank(),
            kind_before: blank(),
            bytes_before: blank(),
            cut_before: blank(),
            at_end_before: blank(),
            s1_cut_before: blank(),
            s1_ill_before: blank(),
            s1_kind_before: blank(),
            s1_before: blank(),
            s1_ends: blank(),
            own_present: blank(),
            own_scalar: blank(),
            own_ill: blank(),
            own_kind_0: blank(),
            own_kind_1: blank(),
            own_kind_2: blank(),
            own_second: blank(),
            own_length_1: blank(),
            s1_present: blank(),
            s1_scalar: blank(),
            s1_cut: blank(),
            s1_ill: blank(),
            s1_kind_0: blank(),
            s1_kind_1: blank(),
            s1_kind_2: blank(),
            s1_second: blank(),
            s1_length_1: blank(),
            count_bytes: blank(),
            count_scalars: blank(),
            count_ill: blank(),
            pick: blank(),
            late_bytes: blank(),
            late_scalars_one: blank(),
            late_ill_one: blank(),
            late_any: blank(),
            late_kind: blank(),
            late_length: blank(),
            late_lane: blank(),
            chosen_kind: blank(),
            chosen_length: blank(),
            picked_at_end: blank(),
            chosen_at_end: blank(),
            a_bytes: blank(),
            a_scalars: blank(),
            a_ill: blank(),
            a_lane: blank(),
            a_length: blank(),
            a_any: blank(),
            a_cut_before: blank(),
            a_ill_before: blank(),
            a_before: blank(),
            a_bad: blank(),
            a_kind: blank(),
            a_error_len: blank(),
            a_less: blank(),
            b_bytes: blank(),
            b_scalars: blank(),
            b_ill: blank(),
            b_end: blank(),
            b_cut_before: blank(),
            b_before: blank(),
            b_more: blank(),
            c_bytes: blank(),
            c_scalars: blank(),
            c_ill: blank(),
            c_valid_up_to: blank(),
        }
    }
}

impl<
    const N: usize,
    const M: usize,
    const H1: usize,
    const H2: usize,
    const H3: usize,
    const H4: usize,
    const H5: usize,
> Logic for Sums<N, M, H1, H2, H3, H4, H5>
{
    #[logic]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            s1_cut_before,
            s1_ill_before,
            s1_kind_before,
            s1_before,
            s1_ends,
            s1_present,
            s1_scalar,
            s1_cut,
            s1_ill,
            s1_kind_0,
            s1_kind_1,
            s1_kind_2,
            s1_second,
            s1_length_1,
            a_bytes,
            a_scalars,
            a_ill,
            a_lane
        );
        dff_setup!(
            self,
            clock,
            a_length,
            a_any,
            a_cut_before,
            a_ill_before,
            a_before,
            a_bad,
            a_kind,
            a_error_len,
            b_bytes,
            b_scalars,
            b_ill,
            b_end,
            b_cut_before,
            b_before,
            c_bytes
        );
        dff_setup!(self, clock, c_scalars, c_ill, c_valid_up_to);
        self.late_open.clock.next = self.clock.val();
        self.count_bytes.clock.next = self.clock.val();
        self.count_scalars.clock.next = self.clock.val();
        self.count_ill.clock.next = self.clock.val();
        self.pick.clock.next = self.clock.val();
        self.late_bytes.clock.next = self.clock.val();
        self.level_scalars.clock.next = self.clock.val();
        self.level_ill.clock.next = self.clock.val();
        self.late_scalars_one.clock.next = self.clock.val();
        self.late_ill_one.clock.next = self.clock.val();
        self.late_any.clock.next = self.clock.val();
        self.late_kind.clock.next = self.clock.val();
        self.late_length.clock.next = self.clock.val();
        self.late_lane.clock.next = self.clock.val();
        self.late_cut_before.clock.next = self.clock.val();
        self.late_ill_before.clock.next = self.clock.val();
        self.late_kind_before.clock.next = self.clock.val();
        self.late_before.clock.next = self.clock.val();
        self.late_ends.clock.next = self.clock.val();

        self.open_before.x.next = self.open_8.val();
        self.late_open.x.next = self.open_before.y.val();
        self.ill_before.x.next = self.ill.val();
        self.kind_before_0.x.next = self.kind_0.val();
        self.kind_before_1.x.next = self.kind_1.val();
        self.kind_before_2.x.next = self.kind_2.val();
        self.second_before.x.next = self.second.val();
        self.length_before.x.next = self.length_1.val();
        self.at_end_before.next =
            self.kind_before_0.y.val() & self.kind_before_1.y.val() & self.kind_before_2.y.val();
        self.cut_before.next = self.ill_before.y.val() & self.late_open.y.val();
        for i in 0..1 {
            self.kind_before.x[i].next = self.kind_before_0.y.val();
            self.bytes_before.x[i].next =
                self.late_open.y.val() & self.valid.val() & !self.second_before.y.val();
        }
        for i in 1..2 {
            self.kind_before.x[i].next = self.kind_before_1.y.val();
            self.bytes_before.x[i].next =
                self.late_open.y.val() & self.valid.val() & self.length_before.y.val();
        }
        for i in 2..3 {
            self.kind_before.x[i].next = self.kind_before_2.y.val();
        }
        self.s1_cut_before.d.next = self.cut_before.val();
        self.s1_ill_before.d.next =
            self.cut_before.val() & (self.ends.val() | !self.at_end_before.val());
        self.s1_kind_before.d.next = self.kind_before.y.val();
        self.s1_before.d.next = self.bytes_before.y.val();
        self.s1_ends.d.next = self.ends.val();

        self.own_present.x.next = self.present.val();
        self.own_scalar.x.next = self.scalar.val();
        self.own_ill.x.next = self.ill.val();
        self.own_kind_0.x.next = self.kind_0.val();
        self.own_kind_1.x.next = self.kind_1.val();
        self.own_kind_2.x.next = self.kind_2.val();
        self.own_second.x.next = self.second.val();
        self.own_length_1.x.next = self.length_1.val();
        self.s1_present.d.next = self.own_present.y.val();
        self.s1_scalar.d.next = self.own_scalar.y.val();
        self.s1_cut.d.next = self.own_ill.y.val();
        if self.ends.val() {
            self.s1_ill.d.next = self.own_ill.y.val();
        } else {
            self.s1_ill.d.next = self.own_ill.y.val()
                & !(self.own_kind_0.y.val() & self.own_kind_1.y.val() & self.own_kind_2.y.val());
        }
        self.s1_kind_0.d.next = self.own_kind_0.y.val();
        self.s1_kind_1.d.next = self.own_kind_1.y.val();
        self.s1_kind_2.d.next = self.own_kind_2.y.val();
        self.s1_second.d.next = self.own_second.y.val();
        self.s1_length_1.d.next = self.own_length_1.y.val();

        self.count_bytes.x.next = self.s1_present.q.val();
        self.count_scalars.x.next = self.s1_scalar.q.val();
        self.count_ill.x.next = self.s1_ill.q.val();
        self.pick.ill.next = self.s1_cut.q.val();
        for i in 0..1 {
            self.pick.x[i].next = self.s1_kind_0.q.val();
        }
        for i in 1..2 {
            self.pick.x[i].next = self.s1_kind_1.q.val();
        }
        for i in 2..3 {
            self.pick.x[i].next = self.s1_kind_2.q.val();
        }
        for i in 3..4 {
            self.pick.x[i].next = self.s1_second.q.val();
        }
        for i in 4..5 {
            self.pick.x[i].next = self.s1_length_1.q.val();
        }
        self.late_bytes.x.next = self.count_bytes.y.val();
        self.level_scalars.x.next = self.count_scalars.y.val();
        self.level_ill.x.next = self.count_ill.y.val();
        self.late_scalars_one.x.next = self.count_scalars.one.val();
        self.late_ill_one.x.next = self.count_ill.one.val();
        self.late_any.x.next = self.pick.any.val();
        self.late_kind.x.next = self.pick.kind.val();
        self.late_length.x.next = self.pick.length.val();
        self.late_lane.x.next = self.pick.lane.val();
        self.late_cut_before.x.next = self.s1_cut_before.q.val();
        self.late_ill_before.x.next = self.s1_ill_before.q.val();
        self.late_kind_before.x.next = self.s1_kind_before.q.val();
        self.late_before.x.next = self.s1_before.q.val();
        self.late_ends.x.next = self.s1_ends.q.val();

        // What was unfinished before the beat comes first; cut by the end of a beat without a byte, it is alone.
        if self.late_cut_before.y.val() {
            self.chosen_kind.next = self.late_kind_before.y.val();
            self.chosen_length.next = self.late_before.y.val();
        } else {
            self.chosen_kind.next = self.late_kind.y.val();
            self.chosen_length.next = self.late_length.y.val();
        }
        self.picked_at_end.next = self.late_kind.y.val() == 7;
        self.chosen_at_end.next = self.chosen_kind.val() == 7;
        self.a_bytes.d.next = self.late_bytes.y.val();
        self.a_scalars.d.next = self.level_scalars.y.val();
        if self.late_scalars_one.y.val() {
            self.a_scalars.d.next = self.level_scalars.y.val() + 1;
        }
        self.a_ill.d.next = self.level_ill.y.val();
        if self.late_ill_one.y.val() {
            self.a_ill.d.next = self.level_ill.y.val() + 1;
        }
        self.a_lane.d.next = self.late_lane.y.val() + 1;
        self.a_length.d.next = self.late_length.y.val();
        self.a_any.d.next = self.late_any.y.val();
        self.a_cut_before.d.next = self.late_cut_before.y.val();
        self.a_ill_before.d.next = self.late_ill_before.y.val();
        self.a_before.d.next = self.late_before.y.val();
        self.a_bad.d.next = self.late_ill_before.y.val()
            | (self.late_any.y.val() & (self.late_ends.y.val() | !self.picked_at_end.val()));
        self.a_kind.d.next = self.chosen_kind.val();
        if self.chosen_at_end.val() {
            self.a_error_len.d.next = 0.into();
        } else {
            self.a_error_len.d.next = self.chosen_length.val();
        }

        self.b_bytes.d.next = self.a_bytes.q.val();
        self.b_scalars.d.next = self.a_scalars.q.val();
        self.b_ill.d.next = self.a_ill.q.val();
        if self.a_ill_before.q.val() {
            self.b_ill.d.next = self.a_ill.q.val() + 1;
        }
        self.a_less.x.next = self.a_length.q.val();
        if self.a_any.q.val() {
            self.b_end.d.next = self.a_lane.q.val() - self.a_less.y.val();
        } else {
            self.b_end.d.next = self.a_bytes.q.val();
        }
        self.b_cut_before.d.next = self.a_cut_before.q.val();
        self.b_before.d.next = self.a_before.q.val();

        self.b_more.x.next = self.b_before.q.val();
        self.c_bytes.d.next = self.b_bytes.q.val();
        self.c_scalars.d.next = self.b_scalars.q.val();
        self.c_ill.d.next = self.b_ill.q.val();
        if self.b_cut_before.q.val() | self.was_bad.val() {
            self.c_valid_up_to.d.next = 0.into();
        } else {
            self.c_valid_up_to.d.next = self.b_end.q.val() + self.b_more.y.val();
        }

        self.bytes.next = self.c_bytes.q.val();
        self.scalars.next = self.c_scalars.q.val();
        self.ill_formed.next = self.c_ill.q.val();
        self.valid_up_to.next = self.c_valid_up_to.q.val();
        self.bad.next = self.a_bad.q.val();
        self.kind.next = self.a_kind.q.val();
        self.error_len.next = self.a_error_len.q.val();
        self.own_ills.next = self.s1_ill.q.val();
        self.own_kinds_0.next = self.s1_kind_0.q.val();
        self.own_kinds_1.next = self.s1_kind_1.q.val();
        self.own_kinds_2.next = self.s1_kind_2.q.val();
        self.before_ill.next = self.late_ill_before.y.val();
        self.before_kind.next = self.late_kind_before.y.val();
    }
}
