//! Third part of [`super::Pieces`]: the next byte.
//!
//! Whether an unfinished sequence ends at a byte is known from the next byte. Within a beat that is the lane above; for the
//! top lane it is lane 0 of the next beat, so the newest beat stays in a slot until it is finished (its top lane is not in
//! an unfinished sequence, or it is the packet's last) or until the next beat arrives, whichever is first. An arrival always
//! empties the slot, so no beat is ever in another's way.
//!
//! # Latency
//! From stage 8: 3 clocks if the beat is finished, else 2 after the arrival of the next; a beat in every clock.
//!
//! # Reset
//! It comes as a packet's last beat, which waits for nothing; beats that were before it, and it, do not leave.

use crate::primitives::delay::Rested;
use crate::primitives::wires::{Broadcast, Lane, LaneAhead};
use rust_hdl::prelude::*;

/// Where pieces end. The inputs are those of stage 8.
#[derive(LogicBlock)]
pub struct Lookahead<const N: usize> {
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

    /// A beat is at stage 9: it fills the slot, and the one that is there leaves.
    pub arrival: Signal<Out, Bit>,
    /// A beat leaves stage 11.
    pub out_valid: Signal<Out, Bit>,
    pub out_last: Signal<Out, Bit>,
    /// A scalar value to send ends here; an ill-formed piece ends here.
    pub scalar: Signal<Out, Bits<N>>,
    pub ill: Signal<Out, Bits<N>>,
    /// Its kind is the byte's own, not that of a truncated sequence.
    pub by_own: Signal<Out, Bits<N>>,
    /// No byte follows in the packet.
    pub at_end: Signal<Out, Bits<N>>,
    /// The kind, if it is the byte's own.
    pub out_own_0: Signal<Out, Bits<N>>,
    pub out_own_1: Signal<Out, Bits<N>>,
    pub out_own_2: Signal<Out, Bits<N>>,
    /// The length, if it is ill-formed.
    pub length_0: Signal<Out, Bits<N>>,
    pub length_1: Signal<Out, Bits<N>>,
    /// Clear if no beat leaves, so that it gates the other planes lane by lane.
    pub out_present: Signal<Out, Bits<N>>,
    /// The top lane was in an unfinished sequence when the beat left.
    pub waited: Signal<Out, Bit>,
    /// The beat has the last byte of a signature.
    pub out_signature: Signal<Out, Bit>,

    /// Configuration: a signature is not sent.
    strip: Constant<Bit>,

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

    // Stage 10: the slot. What was before it at a reset, and the reset itself, has come in when 10 clocks have passed; it is not
    // live, and does not leave.
    rested: Rested<10>,
    slot_live: DFF<Bit>,
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
    signature_lane: Lane<N>,
    leave: Signal<Local, Bit>,
    ahead_present: LaneAhead<N>,
    ahead_cont: LaneAhead<N>,
    ahead_consumed: LaneAhead<N>,
    same_packet: Signal<Local, Bit>,
    every: Broadcast<N>,

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
    s11_present: DFF<Bits<N>>,
    s11_waited: DFF<Bit>,
}

impl<const N: usize> Lookahead<N> {
    pub fn new(strip: bool) -> Self {
        Self {
            strip: Constant::new(strip),
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
            out_valid: Default::default(),
            out_last: Default::default(),
            scalar: Default::default(),
            ill: Default::default(),
            by_own: Default::default(),
            at_end: Default::default(),
            out_own_0: Default::default(),
            out_own_1: Default::default(),
            out_own_2: Default::default(),
            length_0: Default::default(),
            length_1: Default::default(),
            out_signature: Default::default(),
            arrival: Default::default(),
            out_present: Default::default(),
            waited: Default::default(),
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
            slot_live: Default::default(),
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
            leave: Default::default(),
            ahead_present: Default::default(),
            ahead_cont: Default::default(),
            ahead_consumed: Default::default(),
            same_packet: Default::default(),
            every: Default::default(),
            rested: Default::default(),
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
            s11_present: Default::default(),
            s11_waited: Default::default(),
        }
    }
}

impl<const N: usize> Logic for Lookahead<N> {
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
            slot_live,
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
            slot_signature
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
            s11_present,
            s11_waited
        );

        // Stage 9
        self.top_open.x.next = self.open.val();
        self.s9_valid.d.next = self.valid.val();
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
        self.rested.clock.next = self.clock.val();
        self.rested.reset.next = self.reset.val();
        self.leave.next =
            self.slot_live.q.val() & (self.s9_valid.q.val() | !self.slot_waits.q.val());
        self.slot_live.d.next = self.rested.y.val()
            & (self.s9_valid.q.val() | (self.slot_live.q.val() & self.slot_waits.q.val()));
        if self.reset.val() {
            self.slot_live.d.next = false;
        }
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
        self.every.x.next = self.leave.val();
        if self.reset.val() {
            self.s11_valid.d.next = false;
            self.s11_present.d.next = 0.into();
        } else {
            self.s11_valid.d.next = self.leave.val();
            self.s11_present.d.next = self.slot_present.q.val() & self.every.y.val();
        }
        self.s11_waited.d.next = self.slot_waits.q.val();

        self.arrival.next = self.s9_valid.q.val();
        self.out_valid.next = self.s11_valid.q.val();
        self.out_last.next = self.s11_last.q.val();
        self.scalar.next = self.s11_scalar.q.val();
        self.ill.next = self.s11_ill.q.val();
        self.by_own.next = self.s11_by_own.q.val();
        self.at_end.next = self.s11_at_end.q.val();
        self.out_own_0.next = self.s11_own_0.q.val();
        self.out_own_1.next = self.s11_own_1.q.val();
        self.out_own_2.next = self.s11_own_2.q.val();
        self.length_0.next = self.s11_length_0.q.val();
        self.length_1.next = self.s11_length_1.q.val();
        self.out_signature.next = self.s11_signature.q.val();
        self.out_present.next = self.s11_present.q.val();
        self.waited.next = self.s11_waited.q.val();
    }
}
