//! Last part of the pipeline: one event per piece, on the byte that ends it.
//!
//! Whether an unfinished sequence ends at a byte is known from the next byte. Within a beat that is the lane above; for the
//! top lane it is lane 0 of the next beat, so the newest beat stays in a slot until it is finished (its top lane is not in
//! an unfinished sequence, or it is the packet's last) or until the next beat arrives, whichever is first. An arrival always
//! empties the slot, so no beat is ever in another's way.
//!
//! # Latency
//! From stage 8: 5 clocks if the beat is finished, else 4 after the arrival of the next; a beat in every clock.
//!
//! # Reset
//! The beats' `valid` bits and the pending signature flag; the payload registers are not reset.

use crate::layout::REPLACEMENT;
use crate::primitives::{Lane, LaneAhead, Widen};
use rust_hdl::prelude::*;

/// Events of a beat. The inputs are those of stage 8, but for `scalars`, which is of stage 9.
#[derive(LogicBlock)]
pub struct Events<const N: usize, const SCALARS: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub valid: Signal<In, Bit>,
    pub last: Signal<In, Bit>,
    pub present: Signal<In, Bits<N>>,
    pub cont: Signal<In, Bits<N>>,
    pub consumed: Signal<In, Bits<N>>,
    pub complete: Signal<In, Bits<N>>,
    pub open: Signal<In, Bits<N>>,
    pub second: Signal<In, Bits<N>>,
    pub third_up: Signal<In, Bits<N>>,
    pub never: Signal<In, Bits<N>>,
    pub own_0: Signal<In, Bits<N>>,
    pub own_1: Signal<In, Bits<N>>,
    pub own_2: Signal<In, Bits<N>>,
    pub signature: Signal<In, Bits<N>>,
    pub scalars: Signal<In, Bits<SCALARS>>,

    /// A beat leaves: it has an event, or ends its packet. Every other output is zero otherwise.
    pub out_valid: Signal<Out, Bit>,
    pub out_last: Signal<Out, Bit>,
    /// A beat has left the pipeline without anything to send.
    pub retired: Signal<Out, Bit>,
    /// Lanes with an event.
    pub sent: Signal<Out, Bits<N>>,
    pub out_scalars: Signal<Out, Bits<SCALARS>>,
    pub kind_0: Signal<Out, Bits<N>>,
    pub kind_1: Signal<Out, Bits<N>>,
    pub kind_2: Signal<Out, Bits<N>>,
    pub length_0: Signal<Out, Bits<N>>,
    pub length_1: Signal<Out, Bits<N>>,
    pub out_signature: Signal<Out, Bit>,

    // Configuration.
    strip: Constant<Bit>,
    flag: Constant<Bit>,
    /// A full beat of so many lanes always has an event, even if a signature is stripped from it.
    always_sends: Constant<Bit>,
    replacement: Constant<Bits<SCALARS>>,

    // Stage 9: what each byte is, but for look-ahead.
    s9_valid: DFF<Bit>,
    s9_last: DFF<Bit>,
    s9_waits: DFF<Bit>,
    s9_present: DFF<Bits<N>>,
    s9_cont: DFF<Bits<N>>,
    s9_consumed: DFF<Bits<N>>,
    s9_scalar: DFF<Bits<N>>,
    s9_open: DFF<Bits<N>>,
    s9_alone: DFF<Bits<N>>,
    s9_own_0: DFF<Bits<N>>,
    s9_own_1: DFF<Bits<N>>,
    s9_own_2: DFF<Bits<N>>,
    s9_length_0: DFF<Bits<N>>,
    s9_length_1: DFF<Bits<N>>,
    s9_signature: DFF<Bits<N>>,
    top_open: Lane<N>,

    // Stage 10: the slot.
    slot_valid: DFF<Bit>,
    slot_last: DFF<Bit>,
    slot_waits: DFF<Bit>,
    slot_present: DFF<Bits<N>>,
    slot_cont: DFF<Bits<N>>,
    slot_consumed: DFF<Bits<N>>,
    slot_scalar: DFF<Bits<N>>,
    slot_open: DFF<Bits<N>>,
    slot_alone: DFF<Bits<N>>,
    slot_own_0: DFF<Bits<N>>,
    slot_own_1: DFF<Bits<N>>,
    slot_own_2: DFF<Bits<N>>,
    slot_length_0: DFF<Bits<N>>,
    slot_length_1: DFF<Bits<N>>,
    slot_signature: DFF<Bit>,
    slot_scalars: DFF<Bits<SCALARS>>,
    signature_lane: Lane<N>,
    leave: Signal<Local, Bit>,
    ahead_present: LaneAhead<N>,
    ahead_cont: LaneAhead<N>,
    ahead_consumed: LaneAhead<N>,
    same_packet: Signal<Local, Bit>,

    // Stage 11: with look-ahead.
    s11_valid: DFF<Bit>,
    s11_last: DFF<Bit>,
    s11_scalar: DFF<Bits<N>>,
    s11_ill: DFF<Bits<N>>,
    s11_by_own: DFF<Bits<N>>,
    s11_at_end: DFF<Bits<N>>,
    s11_own_0: DFF<Bits<N>>,
    s11_own_1: DFF<Bits<N>>,
    s11_own_2: DFF<Bits<N>>,
    s11_length_0: DFF<Bits<N>>,
    s11_length_1: DFF<Bits<N>>,
    s11_signature: DFF<Bit>,
    s11_scalars: DFF<Bits<SCALARS>>,

    // Stage 12: only what leaves.
    leaving: Signal<Local, Bit>,
    s12_valid: DFF<Bit>,
    s12_last: DFF<Bit>,
    s12_scalar: DFF<Bits<N>>,
    s12_ill: DFF<Bits<N>>,
    s12_kind_0: DFF<Bits<N>>,
    s12_kind_1: DFF<Bits<N>>,
    s12_kind_2: DFF<Bits<N>>,
    s12_length_0: DFF<Bits<N>>,
    s12_length_1: DFF<Bits<N>>,
    s12_signature: DFF<Bit>,
    s12_scalars: DFF<Bits<SCALARS>>,
    widen_scalar: Widen<N, SCALARS>,
    widen_ill: Widen<N, SCALARS>,
    sends: Signal<Local, Bit>,
    flagged: Signal<Local, Bit>,
    /// A signature was stripped and no beat has carried its flag yet.
    pending: DFF<Bit>,

    // Stage 13: the outputs.
    s13_valid: DFF<Bit>,
    s13_retired: DFF<Bit>,
    s13_last: DFF<Bit>,
    s13_sent: DFF<Bits<N>>,
    s13_scalars: DFF<Bits<SCALARS>>,
    s13_kind_0: DFF<Bits<N>>,
    s13_kind_1: DFF<Bits<N>>,
    s13_kind_2: DFF<Bits<N>>,
    s13_length_0: DFF<Bits<N>>,
    s13_length_1: DFF<Bits<N>>,
    s13_signature: DFF<Bit>,
}

/// What the core does with a signature: EF BB BF at the beginning of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SignatureRule {
    /// It is not sent.
    pub strip: bool,
    /// Its packet is flagged.
    pub flag: bool,
}

impl<const N: usize, const SCALARS: usize> Events<N, SCALARS> {
    pub fn new(rule: SignatureRule) -> Self {
        let mut replacement = Bits::<SCALARS>::default();
        for bit in 0..SCALARS {
            replacement =
                replacement.replace_bit(bit, REPLACEMENT >> (bit % (SCALARS / N)) & 1 == 1);
        }
        Self {
            strip: Constant::new(rule.strip),
            flag: Constant::new(rule.flag),
            always_sends: Constant::new(N >= 8),
            replacement: Constant::new(replacement),
            top_open: Lane::new(N - 1),
            // A signature ends at a packet's third byte: lane 2, or lane 0 of the third or second beat.
            signature_lane: Lane::new(if N > 2 { 2 } else { 0 }),
            clock: Default::default(),
            reset: Default::default(),
            valid: Default::default(),
            last: Default::default(),
            present: Default::default(),
            cont: Default::default(),
            consumed: Default::default(),
            complete: Default::default(),
            open: Default::default(),
            second: Default::default(),
            third_up: Default::default(),
            never: Default::default(),
            own_0: Default::default(),
            own_1: Default::default(),
            own_2: Default::default(),
            signature: Default::default(),
            scalars: Default::default(),
            out_valid: Default::default(),
            out_last: Default::default(),
            retired: Default::default(),
            sent: Default::default(),
            out_scalars: Default::default(),
            kind_0: Default::default(),
            kind_1: Default::default(),
            kind_2: Default::default(),
            length_0: Default::default(),
            length_1: Default::default(),
            out_signature: Default::default(),
            s9_valid: Default::default(),
            s9_last: Default::default(),
            s9_waits: Default::default(),
            s9_present: Default::default(),
            s9_cont: Default::default(),
            s9_consumed: Default::default(),
            s9_scalar: Default::default(),
            s9_open: Default::default(),
            s9_alone: Default::default(),
            s9_own_0: Default::default(),
            s9_own_1: Default::default(),
            s9_own_2: Default::default(),
            s9_length_0: Default::default(),
            s9_length_1: Default::default(),
            s9_signature: Default::default(),
            slot_valid: Default::default(),
            slot_last: Default::default(),
            slot_waits: Default::default(),
            slot_present: Default::default(),
            slot_cont: Default::default(),
            slot_consumed: Default::default(),
            slot_scalar: Default::default(),
            slot_open: Default::default(),
            slot_alone: Default::default(),
            slot_own_0: Default::default(),
            slot_own_1: Default::default(),
            slot_own_2: Default::default(),
            slot_length_0: Default::default(),
            slot_length_1: Default::default(),
            slot_signature: Default::default(),
            slot_scalars: Default::default(),
            leave: Default::default(),
            ahead_present: Default::default(),
            ahead_cont: Default::default(),
            ahead_consumed: Default::default(),
            same_packet: Default::default(),
            s11_valid: Default::default(),
            s11_last: Default::default(),
            s11_scalar: Default::default(),
            s11_ill: Default::default(),
            s11_by_own: Default::default(),
            s11_at_end: Default::default(),
            s11_own_0: Default::default(),
            s11_own_1: Default::default(),
            s11_own_2: Default::default(),
            s11_length_0: Default::default(),
            s11_length_1: Default::default(),
            s11_signature: Default::default(),
            s11_scalars: Default::default(),
            leaving: Default::default(),
            s12_valid: Default::default(),
            s12_last: Default::default(),
            s12_scalar: Default::default(),
            s12_ill: Default::default(),
            s12_kind_0: Default::default(),
            s12_kind_1: Default::default(),
            s12_kind_2: Default::default(),
            s12_length_0: Default::default(),
            s12_length_1: Default::default(),
            s12_signature: Default::default(),
            s12_scalars: Default::default(),
            widen_scalar: Default::default(),
            widen_ill: Default::default(),
            sends: Default::default(),
            flagged: Default::default(),
            pending: Default::default(),
            s13_valid: Default::default(),
            s13_retired: Default::default(),
            s13_last: Default::default(),
            s13_sent: Default::default(),
            s13_scalars: Default::default(),
            s13_kind_0: Default::default(),
            s13_kind_1: Default::default(),
            s13_kind_2: Default::default(),
            s13_length_0: Default::default(),
            s13_length_1: Default::default(),
            s13_signature: Default::default(),
        }
    }
}

impl<const N: usize, const SCALARS: usize> Logic for Events<N, SCALARS> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            s9_valid,
            s9_last,
            s9_waits,
            s9_present,
            s9_cont,
            s9_consumed,
            s9_scalar,
            s9_open,
            s9_alone,
            s9_own_0,
            s9_own_1,
            s9_own_2,
            s9_length_0,
            s9_length_1,
            s9_signature
        );
        dff_setup!(
            self,
            clock,
            slot_valid,
            slot_last,
            slot_waits,
            slot_present,
            slot_cont,
            slot_consumed,
            slot_scalar,
            slot_open,
            slot_alone,
            slot_own_0,
            slot_own_1,
            slot_own_2,
            slot_length_0,
            slot_length_1,
            slot_signature,
            slot_scalars
        );
        dff_setup!(
            self,
            clock,
            s11_valid,
            s11_last,
            s11_scalar,
            s11_ill,
            s11_by_own,
            s11_at_end,
            s11_own_0,
            s11_own_1,
            s11_own_2,
            s11_length_0,
            s11_length_1,
            s11_signature,
            s11_scalars
        );
        dff_setup!(
            self,
            clock,
            s12_valid,
            s12_last,
            s12_scalar,
            s12_ill,
            s12_kind_0,
            s12_kind_1,
            s12_kind_2,
            s12_length_0,
            s12_length_1,
            s12_signature,
            s12_scalars,
            pending
        );
        dff_setup!(
            self,
            clock,
            s13_valid,
            s13_retired,
            s13_last,
            s13_sent,
            s13_scalars,
            s13_kind_0,
            s13_kind_1,
            s13_kind_2,
            s13_length_0,
            s13_length_1,
            s13_signature
        );

        // Stage 9
        self.top_open.x.next = self.open.val();
        self.s9_valid.d.next = self.valid.val() & !self.reset.val();
        self.s9_last.d.next = self.last.val();
        self.s9_waits.d.next = self.top_open.y.val() & !self.last.val();
        self.s9_present.d.next = self.present.val();
        self.s9_cont.d.next = self.cont.val();
        self.s9_consumed.d.next = self.consumed.val();
        if self.strip.val() {
            self.s9_scalar.d.next = self.complete.val() & !self.signature.val();
        } else {
            self.s9_scalar.d.next = self.complete.val();
        }
        self.s9_open.d.next = self.open.val();
        self.s9_alone.d.next = self.never.val() | (self.cont.val() & !self.consumed.val());
        // A continuation byte that continues nothing is a stray_continuation, 1.
        self.s9_own_0.d.next = self.own_0.val() | self.cont.val();
        self.s9_own_1.d.next = self.own_1.val();
        self.s9_own_2.d.next = self.own_2.val();
        self.s9_length_0.d.next = !self.second.val();
        self.s9_length_1.d.next = self.second.val() | self.third_up.val();
        self.s9_signature.d.next = self.signature.val();

        // Stage 10: an arrival fills the slot, else it keeps its beat until that may leave.
        self.leave.next =
            self.slot_valid.q.val() & (self.s9_valid.q.val() | !self.slot_waits.q.val());
        self.slot_valid.d.next = !self.reset.val()
            & (self.s9_valid.q.val() | (self.slot_valid.q.val() & self.slot_waits.q.val()));
        self.signature_lane.x.next = self.s9_signature.q.val();
        if self.s9_valid.q.val() {
            self.slot_last.d.next = self.s9_last.q.val();
            self.slot_waits.d.next = self.s9_waits.q.val();
            self.slot_present.d.next = self.s9_present.q.val();
            self.slot_cont.d.next = self.s9_cont.q.val();
            self.slot_consumed.d.next = self.s9_consumed.q.val();
            self.slot_scalar.d.next = self.s9_scalar.q.val();
            self.slot_open.d.next = self.s9_open.q.val();
            self.slot_alone.d.next = self.s9_alone.q.val();
            self.slot_own_0.d.next = self.s9_own_0.q.val();
            self.slot_own_1.d.next = self.s9_own_1.q.val();
            self.slot_own_2.d.next = self.s9_own_2.q.val();
            self.slot_length_0.d.next = self.s9_length_0.q.val();
            self.slot_length_1.d.next = self.s9_length_1.q.val();
            self.slot_signature.d.next = self.signature_lane.y.val();
            self.slot_scalars.d.next = self.scalars.val();
        }

        // Stage 11: beyond the last byte of a packet there is nothing; else the next byte is the lane above.
        self.same_packet.next = !self.slot_last.q.val();
        self.ahead_present.x.next = self.slot_present.q.val();
        self.ahead_present.upper.next = self.s9_present.q.val();
        self.ahead_present.same_packet.next = self.same_packet.val();
        self.ahead_cont.x.next = self.slot_cont.q.val();
        self.ahead_cont.upper.next = self.s9_cont.q.val();
        self.ahead_cont.same_packet.next = self.same_packet.val();
        self.ahead_consumed.x.next = self.slot_consumed.q.val();
        self.ahead_consumed.upper.next = self.s9_consumed.q.val();
        self.ahead_consumed.same_packet.next = self.same_packet.val();
        self.s11_valid.d.next = self.leave.val() & !self.reset.val();
        self.s11_last.d.next = self.slot_last.q.val();
        self.s11_scalar.d.next = self.slot_scalar.q.val();
        self.s11_ill.d.next =
            self.slot_alone.q.val() | (self.slot_open.q.val() & !self.ahead_consumed.y.val());
        self.s11_by_own.d.next = self.slot_alone.q.val() | self.ahead_cont.y.val();
        self.s11_at_end.d.next = !self.ahead_present.y.val();
        self.s11_own_0.d.next = self.slot_own_0.q.val();
        self.s11_own_1.d.next = self.slot_own_1.q.val();
        self.s11_own_2.d.next = self.slot_own_2.q.val();
        self.s11_length_0.d.next = self.slot_length_0.q.val();
        self.s11_length_1.d.next = self.slot_length_1.q.val();
        self.s11_signature.d.next = self.slot_signature.q.val();
        self.s11_scalars.d.next = self.slot_scalars.q.val();

        // Stage 12: truncated is 6, truncated_at_end 7.
        self.leaving.next = self.s11_valid.q.val() & !self.reset.val();
        self.s12_valid.d.next = self.leaving.val();
        self.s12_last.d.next = self.s11_last.q.val() & self.leaving.val();
        self.s12_signature.d.next = self.s11_signature.q.val() & self.leaving.val();
        if self.leaving.val() {
            self.s12_scalar.d.next = self.s11_scalar.q.val();
            self.s12_ill.d.next = self.s11_ill.q.val();
        } else {
            self.s12_scalar.d.next = 0.into();
            self.s12_ill.d.next = 0.into();
        }
        self.s12_kind_0.d.next = (self.s11_by_own.q.val() & self.s11_own_0.q.val())
            | (!self.s11_by_own.q.val() & self.s11_at_end.q.val());
        self.s12_kind_1.d.next = !self.s11_by_own.q.val() | self.s11_own_1.q.val();
        self.s12_kind_2.d.next = !self.s11_by_own.q.val() | self.s11_own_2.q.val();
        self.s12_length_0.d.next = self.s11_length_0.q.val();
        self.s12_length_1.d.next = self.s11_length_1.q.val();
        self.s12_scalars.d.next = self.s11_scalars.q.val();

        // Stage 13
        if self.always_sends.val() {
            self.sends.next = self.s12_valid.q.val();
        } else {
            self.sends.next =
                self.s12_last.q.val() | self.s12_scalar.q.val().any() | self.s12_ill.q.val().any();
        }
        if self.strip.val() {
            self.flagged.next = self.s12_signature.q.val() | self.pending.q.val();
        } else if self.flag.val() {
            self.flagged.next = self.s12_signature.q.val();
        } else {
            self.flagged.next = false;
        }
        self.pending.d.next = self.flagged.val() & !self.sends.val() & !self.reset.val();
        self.widen_scalar.x.next = self.s12_scalar.q.val();
        self.widen_ill.x.next = self.s12_ill.q.val();
        self.s13_valid.d.next = self.sends.val() & !self.reset.val();
        self.s13_retired.d.next = self.s12_valid.q.val() & !self.sends.val() & !self.reset.val();
        self.s13_last.d.next = self.s12_last.q.val();
        self.s13_sent.d.next = self.s12_scalar.q.val() | self.s12_ill.q.val();
        self.s13_scalars.d.next = (self.s12_scalars.q.val() & self.widen_scalar.y.val())
            | (self.replacement.val() & self.widen_ill.y.val());
        self.s13_kind_0.d.next = self.s12_kind_0.q.val() & self.s12_ill.q.val();
        self.s13_kind_1.d.next = self.s12_kind_1.q.val() & self.s12_ill.q.val();
        self.s13_kind_2.d.next = self.s12_kind_2.q.val() & self.s12_ill.q.val();
        self.s13_length_0.d.next = self.s12_length_0.q.val() & self.s12_ill.q.val();
        self.s13_length_1.d.next = self.s12_length_1.q.val() & self.s12_ill.q.val();
        self.s13_signature.d.next = self.flagged.val() & self.sends.val();

        self.out_valid.next = self.s13_valid.q.val();
        self.retired.next = self.s13_retired.q.val();
        self.out_last.next = self.s13_last.q.val();
        self.sent.next = self.s13_sent.q.val();
        self.out_scalars.next = self.s13_scalars.q.val();
        self.kind_0.next = self.s13_kind_0.q.val();
        self.kind_1.next = self.s13_kind_1.q.val();
        self.kind_2.next = self.s13_kind_2.q.val();
        self.length_0.next = self.s13_length_0.q.val();
        self.length_1.next = self.s13_length_1.q.val();
        self.out_signature.next = self.s13_signature.q.val();
    }
}
