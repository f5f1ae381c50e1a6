//! The verdict of each flow's message so far, in tables.
//!
//! Whether a message is bad, and whether it begins, is known before its counts are, and has a table of its own: so nothing of that
//! has to be decided in the same clock in which they are added up.
//!
//! # Latency
//! [`LATENCY`] clocks from a beat's sums, a beat in every clock.
//!
//! # Reset
//! What marks beats; the flows are cleared by whoever goes through all of them after a reset.

use super::sums::BAD_AHEAD;
use super::table::{FLOW_BITS, Table};
use super::totals::{self, PackNumbers, Totals};
use crate::layout::VERDICT_BITS;
use crate::primitives::delay::{Delay, LateValid};
use crate::primitives::wires::from_bits;
use crate::primitives::{DFF, blank};
use crate::validate::fields::PackVerdict;
use crate::verilog::{Body, concat, name, one};
use hdl_macros::{Blank, Block, logic};
use rust_hdl::prelude::*;

/// Clocks from a beat's sums to its verdict on the output registers.
pub const LATENCY: usize = totals::LATENCY;

/// Bits of a flow's fault: bad, kind, error_len, signature, and whether its counts have begun.
const FAULT: usize = 8;
/// Clocks from a beat's fault in its register to the output registers.
const TO_SHOWN: usize = BAD_AHEAD - 1 + LATENCY;

/// What is kept of a flow whose counts have begun, beside these, in one vector.
#[derive(Block, Blank)]
pub struct PackFault {
    pub bad: Signal<In, Bit>,
    pub kind: Signal<In, Bits<3>>,
    pub error_len: Signal<In, Bits<2>>,
    pub signature: Signal<In, Bit>,
    pub y: Signal<Out, Bits<FAULT>>,
}

impl Logic for PackFault {
    fn update(&mut self) {
        let fault = u64::from(self.bad.val())
            | self.kind.val().to_u64() << 1
            | self.error_len.val().to_u64() << 4
            | u64::from(self.signature.val()) << 6
            | 1 << 7;
        self.y.next = from_bits(|bit| fault >> bit & 1 == 1);
    }

    fn connect(&mut self) {
        self.y.connect();
    }

    fn hdl(&self) -> Verilog {
        let [bad, kind, error_len, signature] = ["bad", "kind", "error_len", "signature"].map(name);
        let fault = concat([bad, kind, error_len, signature, one()]);
        Body::new(Self::ABOUT).assign("y", fault).done()
    }
}

/// Keeps what is known of each flow's message, and gives the verdicts. All inputs but the sums are [`BAD_AHEAD`] clocks before
/// these.
#[derive(Block)]
pub struct Running {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    /// A flow comes, before the others by the clocks that its word takes ([`super::table::READ_LATENCY`]).
    pub touch: Signal<In, Bit>,
    pub flow: Signal<In, Bits<FLOW_BITS>>,
    /// There is a beat; it is refused; its message begins anew before it, or ends with it.
    pub is_beat: Signal<In, Bit>,
    pub refused: Signal<In, Bit>,
    pub opens: Signal<In, Bit>,
    pub ends: Signal<In, Bit>,
    pub clears: Signal<In, Bit>,
    pub signature: Signal<In, Bit>,
    /// The beat makes its message bad; kind and length of its first ill-formed piece; its sums.
    pub bad: Signal<In, Bit>,
    pub kind: Signal<In, Bits<3>>,
    pub error_len: Signal<In, Bits<2>>,
    pub bytes: Signal<In, Bits<8>>,
    pub scalars: Signal<In, Bits<8>>,
    pub ill_formed: Signal<In, Bits<8>>,
    pub valid_up_to: Signal<In, Bits<8>>,

    /// A clock later: the message was bad before the beat.
    pub was_bad: Signal<Out, Bit>,
    /// There was a beat; it was refused, or its flow's message is ill-formed so far.
    pub out_is_beat: Signal<Out, Bit>,
    pub out_refused: Signal<Out, Bit>,
    pub out_bad: Signal<Out, Bit>,
    /// Its message ends with it; the fields of the verdict, zero otherwise.
    pub out_valid: Signal<Out, Bit>,
    pub fields: Signal<Out, Bits<VERDICT_BITS>>,
    /// The two will be so in the next clock.
    pub due_beat: Signal<Out, Bit>,
    pub due: Signal<Out, Bit>,

    faults: Table<FAULT>,
    fault: Signal<Local, Bits<FAULT>>,
    begins: Signal<Local, Bit>,
    had_bad: Signal<Local, Bit>,
    is_bad: Signal<Local, Bit>,
    new_kind: Signal<Local, Bits<3>>,
    new_error_len: Signal<Local, Bits<2>>,
    new_signature: Signal<Local, Bit>,
    pack_fault: PackFault,
    /// The message was bad before the beat.
    s1_was_bad: DFF<Bit>,

    /// A flow comes to the totals.
    late_touch: LateValid<BAD_AHEAD>,
    late_flow: Delay<Bits<FLOW_BITS>, BAD_AHEAD>,
    late_begins: Delay<Bit, BAD_AHEAD>,
    pack_numbers: PackNumbers,
    totals: Totals,

    ended: Signal<Local, Bit>,
    /// There is a beat, and it ends its message, when its sums are there.
    n_is_beat: LateValid<TO_SHOWN>,
    n_ended: LateValid<{ TO_SHOWN - 1 }>,
    /// There is a verdict in the next clock; there is none, from a register of its own for all that it clears.
    n_ends: DFF<Bit>,
    n_hides: DFF<Bit>,
    n_refused: Delay<Bit, TO_SHOWN>,
    n_bad: Delay<Bit, TO_SHOWN>,
    n_kind: Delay<Bits<3>, TO_SHOWN>,
    n_error_len: Delay<Bits<2>, TO_SHOWN>,
    n_signature: Delay<Bit, TO_SHOWN>,

    /// The outputs.
    shows_bad: DFF<Bit>,
    shows_refused: DFF<Bit>,
    shows_beat: DFF<Bit>,
    shows: DFF<Bit>,
    shown_well_formed: DFF<Bit>,
    shown_kind: DFF<Bits<3>>,
    shown_error_len: DFF<Bits<2>>,
    shown_signature: DFF<Bit>,
    pack: PackVerdict,
}

impl Running {
    /// With so many flows, and counters of so many bits.
    pub fn new(flows: usize, counter_width: usize) -> Self {
        Self {
            faults: Table::new(flows),
            totals: Totals::new(flows, counter_width),
            late_touch: LateValid::new(BAD_AHEAD),
            n_is_beat: LateValid::new(TO_SHOWN),
            n_ended: LateValid::new(TO_SHOWN - 1),
            clock: blank(),
            reset: blank(),
            touch: blank(),
            flow: blank(),
            is_beat: blank(),
            refused: blank(),
            opens: blank(),
            ends: blank(),
            clears: blank(),
            signature: blank(),
            bad: blank(),
            kind: blank(),
            error_len: blank(),
            bytes: blank(),
            scalars: blank(),
            ill_formed: blank(),
            valid_up_to: blank(),
            was_bad: blank(),
            out_is_beat: blank(),
            out_refused: blank(),
            out_bad: blank(),
            out_valid: blank(),
            fields: blank(),
            due_beat: blank(),
            due: blank(),
            fault: blank(),
            begins: blank(),
            had_bad: blank(),
            is_bad: blank(),
            new_kind: blank(),
            new_error_len: blank(),
            new_signature: blank(),
            pack_fault: blank(),
            s1_was_bad: blank(),
            late_flow: blank(),
            pack_numbers: blank(),
            n_ends: blank(),
            n_hides: blank(),
            late_begins: blank(),
            ended: blank(),
            n_refused: blank(),
            n_bad: blank(),
            n_kind: blank(),
            n_error_len: blank(),
            n_signature: blank(),
            shows_bad: blank(),
            shows_refused: blank(),
            shows_beat: blank(),
            shows: blank(),
            shown_well_formed: blank(),
            shown_kind: blank(),
            shown_error_len: blank(),
            shown_signature: blank(),
            pack: blank(),
        }
    }
}

impl Logic for Running {
    #[logic]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            s1_was_bad,
            n_ends,
            n_hides,
            shows_bad,
            shows_refused,
            shows_beat,
            shows,
            shown_well_formed,
            shown_kind,
            shown_error_len,
            shown_signature
        );
        self.faults.clock.next = self.clock.val();
        self.late_touch.clock.next = self.clock.val();
        self.late_flow.clock.next = self.clock.val();
        self.late_begins.clock.next = self.clock.val();
        self.totals.clock.next = self.clock.val();
        self.n_is_beat.clock.next = self.clock.val();
        self.n_ended.clock.next = self.clock.val();
        self.n_refused.clock.next = self.clock.val();
        self.n_bad.clock.next = self.clock.val();
        self.n_kind.clock.next = self.clock.val();
        self.n_error_len.clock.next = self.clock.val();
        self.n_signature.clock.next = self.clock.val();
        self.faults.reset.next = self.reset.val();
        self.late_touch.reset.next = self.reset.val();
        self.totals.reset.next = self.reset.val();
        self.n_is_beat.reset.next = self.reset.val();
        self.n_ended.reset.next = self.reset.val();

        // The message's first fault stays.
        self.faults.touch.next = self.touch.val();
        self.faults.flow.next = self.flow.val();
        if self.opens.val() {
            self.fault.next = 0.into();
        } else {
            self.fault.next = self.faults.state.val();
        }
        self.begins.next = !self.fault.val().get_bit(7);
        self.had_bad.next = self.fault.val().get_bit(0);
        self.is_bad.next = self.had_bad.val() | self.bad.val();
        if self.had_bad.val() {
            self.new_kind.next = self.fault.val().get_bits::<3>(1);
            self.new_error_len.next = self.fault.val().get_bits::<2>(4);
        } else if self.bad.val() {
            self.new_kind.next = self.kind.val();
            self.new_error_len.next = self.error_len.val();
        } else {
            self.new_kind.next = 0.into();
            self.new_error_len.next = 0.into();
        }
        self.new_signature.next = self.fault.val().get_bit(6) | self.signature.val();
        self.pack_fault.bad.next = self.is_bad.val();
        self.pack_fault.kind.next = self.new_kind.val();
        self.pack_fault.error_len.next = self.new_error_len.val();
        self.pack_fault.signature.next = self.new_signature.val();
        if self.clears.val() {
            self.faults.result.next = 0.into();
        } else {
            self.faults.result.next = self.pack_fault.y.val();
        }
        self.s1_was_bad.d.next = self.had_bad.val();
        self.was_bad.next = self.s1_was_bad.q.val();

        self.late_touch.x.next = self.touch.val();
        self.late_flow.x.next = self.flow.val();
        self.late_begins.x.next = self.begins.val();
        self.pack_numbers.bytes.next = self.bytes.val();
        self.pack_numbers.valid_up_to.next = self.valid_up_to.val();
        self.pack_numbers.scalars.next = self.scalars.val();
        self.pack_numbers.ill_formed.next = self.ill_formed.val();
        self.totals.numbers.next = self.pack_numbers.y.val();
        self.totals.touch.next = self.late_touch.y.val();
        self.totals.flow.next = self.late_flow.y.val();
        self.totals.begins.next = self.late_begins.y.val();

        self.ended.next = self.ends.val() & self.is_beat.val();
        self.n_is_beat.x.next = self.is_beat.val();
        self.n_ended.x.next = self.ended.val();
        self.n_ends.d.next = self.n_ended.y.val() & !self.reset.val();
        self.n_hides.d.next = !self.n_ended.y.val() | self.reset.val();
        self.n_refused.x.next = self.refused.val();
        self.n_bad.x.next = self.is_bad.val();
        self.n_kind.x.next = self.new_kind.val();
        self.n_error_len.x.next = self.new_error_len.val();
        self.n_signature.x.next = self.new_signature.val();
        self.due_beat.next = self.n_is_beat.y.val();
        self.due.next = self.n_ends.q.val();

        self.shows_beat.d.next = self.n_is_beat.y.val() & !self.reset.val();
        self.shows.d.next = self.n_ends.q.val() & !self.reset.val();
        self.shows_refused.d.next = false;
        self.shows_bad.d.next = false;
        if self.n_is_beat.y.val() {
            self.shows_refused.d.next = self.n_refused.y.val();
            if !self.n_refused.y.val() {
                self.shows_bad.d.next = self.n_bad.y.val();
            }
        }
        self.totals.hides.next = self.n_hides.q.val();
        self.shown_well_formed.d.next = false;
        self.shown_kind.d.next = 0.into();
        self.shown_error_len.d.next = 0.into();
        self.shown_signature.d.next = false;
        if self.n_ends.q.val() {
            self.shown_well_formed.d.next = !self.n_bad.y.val();
            self.shown_kind.d.next = self.n_kind.y.val();
            self.shown_error_len.d.next = self.n_error_len.y.val();
            self.shown_signature.d.next = self.n_signature.y.val();
        }
        self.pack.bytes.next = self.totals.y.val().get_bits::<32>(0);
        self.pack.valid_up_to.next = self.totals.y.val().get_bits::<32>(32);
        self.pack.scalars.next = self.totals.y.val().get_bits::<32>(64);
        self.pack.ill_formed.next = self.totals.y.val().get_bits::<32>(96);
        self.pack.well_formed.next = self.shown_well_formed.q.val();
        self.pack.signature.next = self.shown_signature.q.val();
        self.pack.kind.next = self.shown_kind.q.val();
        self.pack.error_len.next = self.shown_error_len.q.val();
        self.pack.saturated.next = self.totals.saturated.val();

        self.out_is_beat.next = self.shows_beat.q.val();
        self.out_refused.next = self.shows_refused.q.val();
        self.out_bad.next = self.shows_bad.q.val();
        self.out_valid.next = self.shows.q.val();
        self.fields.next = self.pack.fields.val();
    }
}
