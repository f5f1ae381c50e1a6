//! The verdict on each packet, from the ends of its pieces.
//!
//! Of each beat it takes how many bytes, scalar values and ill-formed pieces there are ([`super::count`]) and the first
//! ill-formed piece ([`super::first`]), and adds them up over the packet ([`super::counter`]).
//!
//! `valid_up_to` is counted, too, and never taken back: a beat adds the bytes of the pieces that end in it, up to the packet's
//! first ill-formed one. Those are its bytes, and those that the beat before had left in an unfinished piece (its *tail*),
//! less its own tail; or, in the beat with that first ill-formed piece, the bytes below and in it, less its length.
//!
//! # Latency
//! [`latency`] clocks from stage 12, a beat in every clock.
//!
//! # Reset
//! `out_valid`, and that a packet begins; all else is cleared by a packet's first beat.

use super::count::{self, Count, CountLow};
use super::counter::{self, Counter, Passed};
use super::fields::PackVerdict;
use super::first::{self, First};
use crate::layout::VERDICT_BITS;
use crate::primitives::delay::{Delay, Late, LateValid};
use crate::primitives::skew::Skew;
use crate::primitives::wires::{Broadcast, Join};
use crate::primitives::{DFF, blank};
use hdl_macros::{Block, logic};
use rust_hdl::prelude::*;

/// Clocks from a beat's pieces to its sums.
const SUM_LATENCY: usize = 3;

/// Clocks from the pieces of a packet's last beat to its verdict.
pub const fn latency(lanes: usize) -> usize {
    count::latency(lanes) + SUM_LATENCY + counter::LATENCY
}

/// Clocks from the pieces of a packet's last beat to whether the packet is bad.
pub const fn bad_latency(lanes: usize) -> usize {
    first::latency(lanes) + 1
}

/// The verdict of each packet: what its beats come to. The inputs are the outputs of [`crate::pieces::Pieces`], stage 12.
#[derive(Block)]
pub struct Verdict<
    const N: usize,
    const H1: usize,
    const H2: usize,
    const H3: usize,
    const H4: usize,
    const H5: usize,
> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub valid: Signal<In, Bit>,
    pub last: Signal<In, Bit>,
    pub signature: Signal<In, Bit>,
    pub present: Signal<In, Bits<N>>,
    pub scalar: Signal<In, Bits<N>>,
    pub ill: Signal<In, Bits<N>>,
    pub kind_0: Signal<In, Bits<N>>,
    pub kind_1: Signal<In, Bits<N>>,
    pub kind_2: Signal<In, Bits<N>>,
    pub second: Signal<In, Bits<N>>,
    pub length_1: Signal<In, Bits<N>>,
    pub tail_0: Signal<In, Bit>,
    pub tail_1: Signal<In, Bit>,

    /// A packet has ended; the fields of its verdict, zero otherwise but for two clocks after a reset.
    pub out_valid: Signal<Out, Bit>,
    pub fields: Signal<Out, Bits<VERDICT_BITS>>,
    /// A verdict will be in `fields` in the next clock.
    pub due: Signal<Out, Bit>,
    /// [`bad_latency`] clocks after a packet's last beat: it is ill-formed.
    pub bad: Signal<Out, Bit>,
    /// For [`crate::csr::tally`], [`count::latency`] clocks after the beat: it is its packet's first, or its last; the packet is
    /// ill-formed so far; its bytes; its scalar values, bit `b` of which is `b` clocks late, and a further one.
    pub sum_starts: Signal<Out, Bit>,
    pub sum_last: Signal<Out, Bit>,
    pub sum_wrong: Signal<Out, Bit>,
    pub sum_bytes: Signal<Out, Bits<8>>,
    pub sum_scalars: Signal<Out, Bits<8>>,
    pub sum_scalars_one: Signal<Out, Bit>,

    /// No beat of the packet has come yet.
    begins: DFF<Bit>,
    starts: Signal<Local, Bit>,
    count_bytes: CountLow<N, H2, H4>,
    count_scalars: Count<N, H1, H2, H3, H4, H5>,
    count_ill: Count<N, H1, H2, H3, H4, H5>,
    pick: First<N, H1, H2, H3, H4, H5>,

    /// Whether the packet is bad, as early as that is known.
    bad_so_far: DFF<Bit>,
    bad_last: DFF<Bit>,

    /// In step with the counts.
    late_valid: LateValid<6>,
    late_starts: Late<Bit, 6>,
    late_last: Late<Bit, 6>,
    late_signature: Late<Bit, 6>,
    late_tail_0: Late<Bit, 6>,
    late_tail_1: Late<Bit, 6>,
    picked_length_0: Signal<Local, Bit>,
    picked_length_1: Signal<Local, Bit>,

    /// Sum stage 0: what the beat adds to valid_up_to, in parts: `add`, and the tail of the beat before, less `less`.
    stopped: Signal<Local, Bit>,
    wrong: DFF<Bit>,
    tail_before_0: DFF<Bit>,
    tail_before_1: DFF<Bit>,
    cut: Broadcast<2>,
    v0_add: DFF<Bits<8>>,
    v0_before_0: DFF<Bit>,
    v0_before_1: DFF<Bit>,
    v0_less_0: DFF<Bit>,
    v0_less_1: DFF<Bit>,
    v0_skips: DFF<Bit>,
    v0_captures: DFF<Bit>,
    v0_kind: DFF<Bits<3>>,
    v0_error_len: DFF<Bits<2>>,
    v0_starts: DFF<Bit>,
    v0_signature: DFF<Bit>,

    /// Sum stage 1: the tails' difference, -3 to 3.
    borrow: Signal<Local, Bit>,
    captured_kind: Broadcast<3>,
    kept_kind: Broadcast<3>,
    captured_error_len: Broadcast<2>,
    kept_error_len: Broadcast<2>,
    v1_add: DFF<Bits<8>>,
    v1_difference_0: DFF<Bit>,
    v1_difference_1: DFF<Bit>,
    v1_negative: DFF<Bit>,
    v1_kind: DFF<Bits<3>>,
    v1_error_len: DFF<Bits<2>>,
    v1_signature: DFF<Bit>,
    v1_wrong: DFF<Bit>,

    /// Sum stage 2, and from here on a clock later for each bit.
    difference: Join<8>,
    add: Skew<8>,
    less: Skew<8>,
    carries: Passed<8>,
    v2_valid_up_to: DFF<Bits<8>>,
    v2_carried: DFF<Bits<8>>,
    v2_starts: Delay<Bit, 2>,
    v2_bytes: Skew<8>,
    v2_scalars: Skew<8>,
    v2_ill: Skew<8>,
    v2_scalars_one: Delay<Bit, SUM_LATENCY>,
    v2_ill_one: Delay<Bit, SUM_LATENCY>,

    bytes: Counter,
    valid_up_to: Counter,
    scalars: Counter,
    ill_formed: Counter,
    done: LateValid<{ counter::LATENCY + 1 }>,
    /// A verdict is shown from the next clock on; and its fields are, which a reset does not look at, for its way to what clears them, and
    /// to the like in each counter, would be long.
    shows: DFF<Bit>,
    fields_show: DFF<Bit>,
    late_v1_kind: Skew<3>,
    late_v1_error_len: Skew<2>,
    late_v1_signature: Delay<Bit, { counter::LATENCY }>,
    late_v1_wrong: Delay<Bit, { counter::LATENCY }>,
    shown: DFF<Bit>,
    shown_kind: DFF<Bits<3>>,
    shown_error_len: DFF<Bits<2>>,
    shown_signature: DFF<Bit>,
    shown_well_formed: DFF<Bit>,
    saturated: Join<4>,
    pack: PackVerdict,
}

impl<
    const N: usize,
    const H1: usize,
    const H2: usize,
    const H3: usize,
    const H4: usize,
    const H5: usize,
> Verdict<N, H1, H2, H3, H4, H5>
{
    /// With counters of so many bits.
    pub fn new(counter_width: usize) -> Self {
        let levels = count::latency(N);
        Self {
            clock: blank(),
            reset: blank(),
            valid: blank(),
            last: blank(),
            signature: blank(),
            present: blank(),
            scalar: blank(),
            ill: blank(),
            kind_0: blank(),
            kind_1: blank(),
            kind_2: blank(),
            second: blank(),
            length_1: blank(),
            tail_0: blank(),
            tail_1: blank(),
            out_valid: blank(),
            fields: blank(),
            due: blank(),
            bad: blank(),
            sum_starts: blank(),
            sum_last: blank(),
            sum_wrong: blank(),
            sum_bytes: blank(),
            sum_scalars: blank(),
            sum_scalars_one: blank(),
            begins: blank(),
            starts: blank(),
            count_bytes: blank(),
            count_scalars: blank(),
            count_ill: blank(),
            pick: blank(),
            bad_so_far: blank(),
            bad_last: blank(),
            late_valid: LateValid::new(levels),
            late_starts: Late::new(levels),
            late_last: Late::new(levels),
            late_signature: Late::new(levels),
            late_tail_0: Late::new(levels),
            late_tail_1: Late::new(levels),
            picked_length_0: blank(),
            picked_length_1: blank(),
            stopped: blank(),
            wrong: blank(),
            tail_before_0: blank(),
            tail_before_1: blank(),
            cut: blank(),
            v0_add: blank(),
            v0_before_0: blank(),
            v0_before_1: blank(),
            v0_less_0: blank(),
            v0_less_1: blank(),
            v0_skips: blank(),
            v0_captures: blank(),
            v0_kind: blank(),
            v0_error_len: blank(),
            v0_starts: blank(),
            v0_signature: blank(),
            borrow: blank(),
            captured_kind: blank(),
            kept_kind: blank(),
            captured_error_len: blank(),
            kept_error_len: blank(),
            v1_add: blank(),
            v1_difference_0: blank(),
            v1_difference_1: blank(),
            v1_negative: blank(),
            v1_kind: blank(),
            v1_error_len: blank(),
            v1_signature: blank(),
            v1_wrong: blank(),
            difference: blank(),
            add: Skew::new(|bit| bit),
            less: Skew::new(|bit| bit),
            carries: blank(),
            v2_valid_up_to: blank(),
            v2_carried: blank(),
            v2_starts: blank(),
            v2_bytes: Skew::new(|bit| SUM_LATENCY + bit),
            v2_scalars: Skew::new(|_| SUM_LATENCY),
            v2_ill: Skew::new(|_| SUM_LATENCY),
            v2_scalars_one: blank(),
            v2_ill_one: blank(),
            bytes: Counter::new(counter_width),
            valid_up_to: Counter::new(counter_width),
            scalars: Counter::new(counter_width),
            ill_formed: Counter::new(counter_width),
            done: LateValid::new(counter::LATENCY + 1),
            shows: blank(),
            fields_show: blank(),
            late_v1_kind: Skew::new(|_| counter::LATENCY),
            late_v1_error_len: Skew::new(|_| counter::LATENCY),
            late_v1_signature: blank(),
            late_v1_wrong: blank(),
            shown: blank(),
            shown_kind: blank(),
            shown_error_len: blank(),
            shown_signature: blank(),
            shown_well_formed: blank(),
            saturated: blank(),
            pack: blank(),
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
> Logic for Verdict<N, H1, H2, H3, H4, H5>
{
    #[logic]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            begins,
            bad_so_far,
            bad_last,
            wrong,
            tail_before_0,
            tail_before_1,
            v0_add,
            v0_before_0,
            v0_before_1,
            v0_less_0,
            v0_less_1,
            v0_skips,
            v0_captures,
            v0_kind,
            v0_error_len,
            v0_starts,
            v0_signature
        );
        dff_setup!(
            self,
            clock,
            v1_add,
            v1_difference_0,
            v1_difference_1,
            v1_negative,
            v1_kind,
            v1_error_len,
            v1_signature,
            v1_wrong,
            v2_valid_up_to,
            v2_carried,
            shows,
            fields_show,
            shown,
            shown_kind,
            shown_error_len,
            shown_signature,
            shown_well_formed
        );

        self.starts.next = self.valid.val() & self.begins.q.val();
        if self.valid.val() {
            self.begins.d.next = self.last.val();
        }
        if self.reset.val() {
            self.begins.d.next = true;
        }

        self.count_bytes.clock.next = self.clock.val();
        self.count_bytes.x.next = self.present.val();
        self.count_scalars.clock.next = self.clock.val();
        self.count_scalars.x.next = self.scalar.val();
        self.count_ill.clock.next = self.clock.val();
        self.count_ill.x.next = self.ill.val();
        self.pick.clock.next = self.clock.val();
        self.pick.ill.next = self.ill.val();
        for i in 0..1 {
            self.pick.x[i].next = self.kind_0.val();
        }
        for i in 1..2 {
            self.pick.x[i].next = self.kind_1.val();
        }
        for i in 2..3 {
            self.pick.x[i].next = self.kind_2.val();
        }
        for i in 3..4 {
            self.pick.x[i].next = self.second.val();
        }
        for i in 4..5 {
            self.pick.x[i].next = self.length_1.val();
        }

        self.bad_so_far.d.next =
            self.pick.any.val() | (self.bad_so_far.q.val() & !self.late_starts.y.val());
        self.bad_last.d.next = self.late_last.y.val();
        self.bad.next = self.bad_so_far.q.val() & self.bad_last.q.val();

        self.late_valid.clock.next = self.clock.val();
        self.late_valid.reset.next = self.reset.val();
        self.late_valid.x.next = self.valid.val();
        self.late_starts.clock.next = self.clock.val();
        self.late_starts.x.next = self.starts.val();
        self.late_last.clock.next = self.clock.val();
        self.late_last.x.next = self.last.val();
        self.late_signature.clock.next = self.clock.val();
        self.late_signature.x.next = self.signature.val();
        self.late_tail_0.clock.next = self.clock.val();
        self.late_tail_0.x.next = self.tail_0.val();
        self.late_tail_1.clock.next = self.clock.val();
        self.late_tail_1.x.next = self.tail_1.val();

        // Sum stage 0: nothing is added to valid_up_to after the packet's first ill-formed piece.
        self.stopped.next = self.wrong.q.val() & !self.late_starts.y.val();
        self.wrong.d.next = self.pick.any.val() | self.stopped.val();
        self.picked_length_0.next = self.pick.length.val().get_bit(0);
        self.picked_length_1.next = self.pick.length.val().get_bit(1);
        if self.pick.any.val() {
            self.v0_add.d.next = self.pick.lane.val();
            // The lane is one less than the bytes up to it, and so is this than the length.
            self.v0_less_0.d.next = !self.picked_length_0.val();
            self.v0_less_1.d.next = self.picked_length_0.val() & self.picked_length_1.val();
        } else {
            self.v0_add.d.next = self.count_bytes.y.val();
            self.v0_less_0.d.next = self.late_tail_0.y.val();
            self.v0_less_1.d.next = self.late_tail_1.y.val();
        }
        if self.late_valid.y.val() {
            self.tail_before_0.d.next = self.late_tail_0.y.val();
            self.tail_before_1.d.next = self.late_tail_1.y.val();
        }
        self.v0_before_0.d.next = self.tail_before_0.q.val() & !self.late_starts.y.val();
        self.v0_before_1.d.next = self.tail_before_1.q.val() & !self.late_starts.y.val();
        self.v0_skips.d.next = !self.late_valid.y.val() | self.stopped.val();
        self.v0_captures.d.next = self.pick.any.val() & !self.stopped.val();
        self.v0_kind.d.next = self.pick.kind.val();
        // A sequence cut by the packet's end has no error_len.
        self.cut.x.next = self.pick.kind.val().all();
        self.v0_error_len.d.next = self.pick.length.val() & !self.cut.y.val();
        self.v0_starts.d.next = self.late_starts.y.val();
        self.v0_signature.d.next = self.late_signature.y.val();

        // Sum stage 1
        self.borrow.next = !self.v0_before_0.q.val() & self.v0_less_0.q.val();
        self.v1_add.d.next = self.v0_add.q.val();
        self.v1_difference_0.d.next = self.v0_before_0.q.val() ^ self.v0_less_0.q.val();
        self.v1_difference_1.d.next =
            self.v0_before_1.q.val() ^ self.v0_less_1.q.val() ^ self.borrow.val();
        self.v1_negative.d.next = (!self.v0_before_1.q.val() & self.v0_less_1.q.val())
            | (self.borrow.val() & !(self.v0_before_1.q.val() ^ self.v0_less_1.q.val()));
        if self.v0_skips.q.val() {
            self.v1_add.d.next = 0.into();
            self.v1_difference_0.d.next = false;
            self.v1_difference_1.d.next = false;
            self.v1_negative.d.next = false;
        }
        self.captured_kind.x.next = self.v0_captures.q.val();
        self.kept_kind.x.next = !self.v0_starts.q.val();
        self.v1_kind.d.next = (self.v0_kind.q.val() & self.captured_kind.y.val())
            | (self.v1_kind.q.val() & self.kept_kind.y.val());
        self.captured_error_len.x.next = self.v0_captures.q.val();
        self.kept_error_len.x.next = !self.v0_starts.q.val();
        self.v1_error_len.d.next = (self.v0_error_len.q.val() & self.captured_error_len.y.val())
            | (self.v1_error_len.q.val() & self.kept_error_len.y.val());
        self.v1_signature.d.next =
            self.v0_signature.q.val() | (self.v1_signature.q.val() & !self.v0_starts.q.val());
        self.v1_wrong.d.next = self.wrong.q.val();

        // Sum stage 2
        for i in 0..1 {
            self.difference.x[i].next = self.v1_difference_0.q.val();
        }
        for i in 1..2 {
            self.difference.x[i].next = self.v1_difference_1.q.val();
        }
        for i in 2..8 {
            self.difference.x[i].next = self.v1_negative.q.val();
        }
        self.add.clock.next = self.clock.val();
        self.add.x.next = self.v1_add.q.val();
        self.less.clock.next = self.clock.val();
        self.less.x.next = self.difference.y.val();
        self.carries.into.next = false;
        self.carries.x.next = self.v2_carried.q.val();
        self.v2_valid_up_to.d.next = self.add.y.val() ^ self.less.y.val() ^ self.carries.y.val();
        self.v2_carried.d.next = (self.add.y.val() & self.less.y.val())
            | (self.carries.y.val() & (self.add.y.val() | self.less.y.val()));
        self.v2_starts.clock.next = self.clock.val();
        self.v2_starts.x.next = self.v0_starts.q.val();
        self.v2_bytes.clock.next = self.clock.val();
        self.v2_bytes.x.next = self.count_bytes.y.val();
        self.v2_scalars.clock.next = self.clock.val();
        self.v2_scalars.x.next = self.count_scalars.y.val();
        self.v2_ill.clock.next = self.clock.val();
        self.v2_ill.x.next = self.count_ill.y.val();
        self.v2_scalars_one.clock.next = self.clock.val();
        self.v2_scalars_one.x.next = self.count_scalars.one.val();
        self.v2_ill_one.clock.next = self.clock.val();
        self.v2_ill_one.x.next = self.count_ill.one.val();

        self.done.clock.next = self.clock.val();
        self.done.reset.next = self.reset.val();
        self.done.x.next = self.late_valid.y.val() & self.late_last.y.val();
        self.bytes.clock.next = self.clock.val();
        self.bytes.first.next = self.v2_starts.y.val();
        self.bytes.number.next = self.v2_bytes.y.val();
        self.bytes.one.next = false;
        self.bytes.hide.next = !self.done.y.val();
        self.valid_up_to.clock.next = self.clock.val();
        self.valid_up_to.first.next = self.v2_starts.y.val();
        self.valid_up_to.number.next = self.v2_valid_up_to.q.val();
        self.valid_up_to.one.next = false;
        self.valid_up_to.hide.next = !self.done.y.val();
        self.scalars.clock.next = self.clock.val();
        self.scalars.first.next = self.v2_starts.y.val();
        self.scalars.number.next = self.v2_scalars.y.val();
        self.scalars.one.next = self.v2_scalars_one.y.val();
        self.scalars.hide.next = !self.done.y.val();
        self.ill_formed.clock.next = self.clock.val();
        self.ill_formed.first.next = self.v2_starts.y.val();
        self.ill_formed.number.next = self.v2_ill.y.val();
        self.ill_formed.one.next = self.v2_ill_one.y.val();
        self.ill_formed.hide.next = !self.done.y.val();
        self.late_v1_kind.clock.next = self.clock.val();
        self.late_v1_kind.x.next = self.v1_kind.q.val();
        self.late_v1_error_len.clock.next = self.clock.val();
        self.late_v1_error_len.x.next = self.v1_error_len.q.val();
        self.late_v1_signature.clock.next = self.clock.val();
        self.late_v1_signature.x.next = self.v1_signature.q.val();
        self.late_v1_wrong.clock.next = self.clock.val();
        self.late_v1_wrong.x.next = self.v1_wrong.q.val();
        self.shows.d.next = self.done.y.val();
        self.fields_show.d.next = self.done.y.val();
        self.shown.d.next = self.shows.q.val();
        self.shown_kind.d.next = self.late_v1_kind.y.val();
        self.shown_error_len.d.next = self.late_v1_error_len.y.val();
        self.shown_signature.d.next = self.late_v1_signature.y.val();
        self.shown_well_formed.d.next = self.fields_show.q.val() & !self.late_v1_wrong.y.val();
        if !self.fields_show.q.val() {
            self.shown_kind.d.next = 0.into();
            self.shown_error_len.d.next = 0.into();
            self.shown_signature.d.next = false;
        }
        if self.reset.val() {
            self.shows.d.next = false;
            self.shown.d.next = false;
        }

        for i in 0..1 {
            self.saturated.x[i].next = self.bytes.saturated.val();
        }
        self.pack.bytes.next = self.bytes.value.val();
        for i in 1..2 {
            self.saturated.x[i].next = self.valid_up_to.saturated.val();
        }
        self.pack.valid_up_to.next = self.valid_up_to.value.val();
        for i in 2..3 {
            self.saturated.x[i].next = self.scalars.saturated.val();
        }
        self.pack.scalars.next = self.scalars.value.val();
        for i in 3..4 {
            self.saturated.x[i].next = self.ill_formed.saturated.val();
        }
        self.pack.ill_formed.next = self.ill_formed.value.val();
        self.pack.well_formed.next = self.shown_well_formed.q.val();
        self.pack.signature.next = self.shown_signature.q.val();
        self.pack.kind.next = self.shown_kind.q.val();
        self.pack.error_len.next = self.shown_error_len.q.val();
        self.pack.saturated.next = self.saturated.y.val();
        self.out_valid.next = self.shown.q.val();
        self.fields.next = self.pack.fields.val();
        self.due.next = self.shows.q.val();
        self.sum_starts.next = self.late_starts.y.val();
        self.sum_last.next = self.late_valid.y.val() & self.late_last.y.val();
        self.sum_wrong.next = self.pick.any.val() | self.stopped.val();
        self.sum_bytes.next = self.count_bytes.y.val();
        self.sum_scalars.next = self.count_scalars.y.val();
        self.sum_scalars_one.next = self.count_scalars.one.val();
    }
}
