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
use crate::primitives::held::{Far, Groups, Held, REGION, Spread, is_far};
use crate::primitives::wires::{Broadcast, Lane, LaneAhead};
use crate::primitives::{DFF, blank};
use hdl_macros::{Block, logic};
use rust_hdl::prelude::*;

/// The slot: a beat waits in it until the next byte has come, which tells where its last piece ends. The inputs are those of stage 8.
#[derive(Block)]
pub struct Lookahead<const N: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    /// At stage 3: never set, which no tool can see; so it does not merge what is alike.
    pub last_only: Signal<In, Bit>,
    /// At stages 5 and 7: what goes to all lanes needs two clocks to get there, four if they are far.
    pub valid_5: Signal<In, Bit>,
    pub valid_7: Signal<In, Bit>,
    pub last_7: Signal<In, Bit>,
    pub open_7: Signal<In, Bits<N>>,
    /// At stage 8: a beat; it is its packet's last; its planes.
    pub valid: Signal<In, Bit>,
    pub last: Signal<In, Bit>,
    pub present: Signal<In, Bits<N>>,
    pub cont: Signal<In, Bits<N>>,
    pub consumed: Signal<In, Bits<N>>,
    pub open: Signal<In, Bits<N>>,
    pub second: Signal<In, Bits<N>>,
    pub high: Signal<In, Bits<N>>,
    pub never: Signal<In, Bits<N>>,
    pub own_0: Signal<In, Bits<N>>,
    pub own_1: Signal<In, Bits<N>>,
    pub own_2: Signal<In, Bits<N>>,
    pub signature: Signal<In, Bits<N>>,

    /// A beat is at stage 9: it fills the slot, and the one that is there leaves. All lanes of `fill` are alike.
    pub arrival: Signal<Out, Bit>,
    pub fill: Signal<Out, Bits<N>>,
    /// A beat leaves stage 11.
    pub out_valid: Signal<Out, Bit>,
    pub out_last: Signal<Out, Bit>,
    /// A scalar value to send ends here; an ill-formed piece ends here.
    pub scalar: Signal<Out, Bits<N>>,
    pub ill: Signal<Out, Bits<N>>,
    /// The piece's kind: bits 1 and 2, and what bit 0 is unless these two are set.
    pub own_kind_0: Signal<Out, Bits<N>>,
    pub kind_1: Signal<Out, Bits<N>>,
    pub kind_2: Signal<Out, Bits<N>>,
    /// A byte follows in the packet.
    pub followed: Signal<Out, Bits<N>>,
    /// The byte is the second of its sequence; the second or a later one.
    pub out_second: Signal<Out, Bits<N>>,
    pub out_consumed: Signal<Out, Bits<N>>,
    /// Clear if no beat leaves, so that it gates the other planes lane by lane.
    pub out_present: Signal<Out, Bits<N>>,
    /// The top lane was in an unfinished sequence when the beat left.
    pub waited: Signal<Out, Bit>,
    /// The beat has the last byte of a signature.
    pub out_signature: Signal<Out, Bit>,

    /// Configuration: a signature is not sent; a reset clears all lanes; these are far.
    strip: Constant<Bit>,
    clears: Constant<Bit>,
    is_far: Constant<Bit>,

    /// Stage 9: what each byte is, but for look-ahead.
    s9_valid: DFF<Bit>,
    /// The same beat: it is its packet's last, it waits in the slot for the next byte; its planes.
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
    s9_second: DFF<Bits<N>>,
    s9_signature: DFF<Bits<N>>,
    s9_fill: Spread<N>,
    s9_every_waits: Groups<N, REGION>,
    every_waits: Broadcast<N>,
    top_open_7: Lane<N>,
    /// A clock after `last_only`: never set, either.
    s4_last_only: DFF<Bit>,
    /// The beat waits for the next byte, on its way to lanes that are far.
    far_waits: Far<N, 2>,
    top_open: Lane<N>,

    /// Stage 10: the slot. Beats from before a reset still arrive for 10 clocks; none of them is live.
    rested: Rested<10>,
    /// There is a beat in the slot.
    slot_live: DFF<Bit>,
    /// Unless a reset `clears` all lanes, they have what says that the slot's beat leaves beside them: the same, but that a reset gets
    /// there three clocks later, five if they are far, so that until then lanes leave without `out_valid`.
    rested_6: Rested<6>,
    rested_8: Rested<8>,
    /// The same in every lane.
    every_rested: Spread<N>,
    /// There is a beat in the slot, and it waits for the next byte: the same in every lane.
    slot_every_live: DFF<Bits<N>>,
    slot_every_waits: Held<N, N>,
    all_leave: Broadcast<N>,
    leaves: Signal<Local, Bits<N>>,
    /// The slot's beat is its packet's last; it waits for the next byte.
    slot_last: DFF<Bit>,
    slot_waits: DFF<Bit>,
    /// Its planes, as they were at stage 9.
    slot_present: Held<N, N>,
    slot_cont: Held<N, N>,
    slot_consumed: Held<N, N>,
    slot_scalar: Held<N, N>,
    slot_open: Held<N, N>,
    slot_alone: Held<N, N>,
    slot_own_0: Held<N, N>,
    slot_own_1: Held<N, N>,
    slot_own_2: Held<N, N>,
    slot_second: Held<N, N>,
    slot_signature: DFF<Bit>,
    signature_lane: Lane<N>,
    leave: Signal<Local, Bit>,
    ahead_present: LaneAhead<N>,
    ahead_cont: LaneAhead<N>,
    ahead_consumed: LaneAhead<N>,
    same_packet: Signal<Local, Bit>,

    /// Stage 11: which pieces end, now that the byte after is known.
    s11_valid: DFF<Bit>,
    s11_last: DFF<Bit>,
    s11_scalar: DFF<Bits<N>>,
    s11_ill: DFF<Bits<N>>,
    s11_own_0: DFF<Bits<N>>,
    s11_kind_1: DFF<Bits<N>>,
    s11_kind_2: DFF<Bits<N>>,
    s11_followed: DFF<Bits<N>>,
    s11_second: DFF<Bits<N>>,
    s11_consumed: DFF<Bits<N>>,
    s11_signature: DFF<Bit>,
    s11_present: DFF<Bits<N>>,
    s11_waited: DFF<Bit>,
}

impl<const N: usize> Lookahead<N> {
    pub fn new(strip: bool, clears: bool) -> Self {
        Self {
            strip: Constant::new(strip),
            clears: Constant::new(clears),
            is_far: Constant::new(is_far(N)),
            top_open_7: Lane::new(N - 1),
            s4_last_only: blank(),
            far_waits: blank(),
            top_open: Lane::new(N - 1),
            // A signature ends at a packet's third byte: lane 2, or lane 0 of the third or second beat.
            signature_lane: Lane::new(if N > 2 { 2 } else { 0 }),
            clock: blank(),
            reset: blank(),
            last_only: blank(),
            valid_5: blank(),
            valid_7: blank(),
            last_7: blank(),
            open_7: blank(),
            valid: blank(),
            last: blank(),
            present: blank(),
            cont: blank(),
            consumed: blank(),
            open: blank(),
            second: blank(),
            high: blank(),
            never: blank(),
            own_0: blank(),
            own_1: blank(),
            own_2: blank(),
            signature: blank(),
            out_valid: blank(),
            out_last: blank(),
            scalar: blank(),
            ill: blank(),
            own_kind_0: blank(),
            kind_1: blank(),
            kind_2: blank(),
            followed: blank(),
            out_second: blank(),
            out_consumed: blank(),
            out_signature: blank(),
            arrival: blank(),
            fill: blank(),
            out_present: blank(),
            waited: blank(),
            s9_valid: blank(),
            s9_last: blank(),
            s9_waits: blank(),
            s9_present: blank(),
            s9_cont: blank(),
            s9_consumed: blank(),
            s9_scalar: blank(),
            s9_open: blank(),
            s9_alone: blank(),
            s9_own_0: blank(),
            s9_own_1: blank(),
            s9_own_2: blank(),
            s9_second: blank(),
            s9_fill: blank(),
            s9_every_waits: blank(),
            every_waits: blank(),
            s9_signature: blank(),
            slot_live: blank(),
            rested_6: blank(),
            rested_8: blank(),
            every_rested: blank(),
            slot_every_live: blank(),
            slot_every_waits: blank(),
            all_leave: blank(),
            leaves: blank(),
            slot_last: blank(),
            slot_waits: blank(),
            slot_present: blank(),
            slot_cont: blank(),
            slot_consumed: blank(),
            slot_scalar: blank(),
            slot_open: blank(),
            slot_alone: blank(),
            slot_own_0: blank(),
            slot_own_1: blank(),
            slot_own_2: blank(),
            slot_second: blank(),
            slot_signature: blank(),
            leave: blank(),
            ahead_present: blank(),
            ahead_cont: blank(),
            ahead_consumed: blank(),
            same_packet: blank(),
            rested: blank(),
            s11_valid: blank(),
            s11_last: blank(),
            s11_scalar: blank(),
            s11_ill: blank(),
            s11_own_0: blank(),
            s11_kind_1: blank(),
            s11_kind_2: blank(),
            s11_followed: blank(),
            s11_second: blank(),
            s11_consumed: blank(),
            s11_signature: blank(),
            s11_present: blank(),
            s11_waited: blank(),
        }
    }
}

impl<const N: usize> Logic for Lookahead<N> {
    // A branch on a constant goes, a condition with one would stay.
    #[expect(clippy::collapsible_if)]
    #[logic]
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
            s9_second,
            s9_signature,
            s4_last_only
        );
        dff_setup!(
            self,
            clock,
            slot_live,
            slot_every_live,
            slot_last,
            slot_waits,
            slot_signature
        );
        dff_setup!(
            self,
            clock,
            s11_valid,
            s11_last,
            s11_scalar,
            s11_ill,
            s11_own_0,
            s11_kind_1,
            s11_kind_2,
            s11_followed,
            s11_second,
            s11_consumed,
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
        // A byte ends a well-formed sequence if it is ASCII, or continues one that is not open any more.
        if self.strip.val() {
            self.s9_scalar.d.next = (!self.high.val() | (self.consumed.val() & !self.open.val()))
                & !self.signature.val();
        } else {
            self.s9_scalar.d.next = !self.high.val() | (self.consumed.val() & !self.open.val());
        }
        self.s9_open.d.next = self.open.val();
        self.s9_alone.d.next = self.never.val() | (self.cont.val() & !self.consumed.val());
        self.s9_own_0.d.next = self.own_0.val();
        self.s9_own_1.d.next = self.own_1.val();
        self.s9_own_2.d.next = self.own_2.val();
        self.s9_second.d.next = self.second.val();
        self.s9_fill.clock.next = self.clock.val();
        self.s9_fill.x.next = self.valid_7.val();
        self.s9_fill.early.next = self.valid_5.val();
        self.s9_fill.never.next = self.last_only.val();
        self.every_waits.x.next = self.top_open.y.val() & !self.last.val();
        self.s9_every_waits.clock.next = self.clock.val();
        self.s9_every_waits.x.next = self.every_waits.y.val();
        self.s9_every_waits.never.next = self.last_only.val();
        self.top_open_7.x.next = self.open_7.val();
        self.far_waits.clock.next = self.clock.val();
        self.far_waits.x.next = self.top_open_7.y.val() & !self.last_7.val();
        // What waits comes from the top lane, far from what fills: a register of its own.
        self.s4_last_only.d.next = self.last_only.val();
        self.far_waits.never.next = self.s4_last_only.q.val();
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
        self.rested_6.clock.next = self.clock.val();
        self.rested_6.reset.next = self.reset.val();
        self.rested_8.clock.next = self.clock.val();
        self.rested_8.reset.next = self.reset.val();
        self.every_rested.clock.next = self.clock.val();
        self.every_rested.x.next = self.rested_8.y.val();
        self.every_rested.early.next = self.rested_6.y.val();
        self.every_rested.never.next = self.last_only.val();
        self.slot_every_waits.clock.next = self.clock.val();
        self.slot_every_waits.fill.next = self.s9_fill.y.val();
        if self.is_far.val() {
            self.slot_every_waits.x.next = self.far_waits.y.val();
        } else {
            self.slot_every_waits.x.next = self.s9_every_waits.y.val();
        }
        if self.clears.val() {
            self.slot_every_live.d.next = 0.into();
        } else {
            self.slot_every_live.d.next = self.every_rested.y.val()
                & (self.s9_fill.y.val()
                    | (self.slot_every_live.q.val() & self.slot_every_waits.y.val()));
        }
        self.signature_lane.x.next = self.s9_signature.q.val();
        if self.s9_valid.q.val() {
            self.slot_last.d.next = self.s9_last.q.val();
            self.slot_waits.d.next = self.s9_waits.q.val();
            self.slot_signature.d.next = self.signature_lane.y.val();
        }
        self.slot_present.clock.next = self.clock.val();
        self.slot_present.fill.next = self.s9_fill.y.val();
        self.slot_present.x.next = self.s9_present.q.val();
        self.slot_cont.clock.next = self.clock.val();
        self.slot_cont.fill.next = self.s9_fill.y.val();
        self.slot_cont.x.next = self.s9_cont.q.val();
        self.slot_consumed.clock.next = self.clock.val();
        self.slot_consumed.fill.next = self.s9_fill.y.val();
        self.slot_consumed.x.next = self.s9_consumed.q.val();
        self.slot_scalar.clock.next = self.clock.val();
        self.slot_scalar.fill.next = self.s9_fill.y.val();
        self.slot_scalar.x.next = self.s9_scalar.q.val();
        self.slot_open.clock.next = self.clock.val();
        self.slot_open.fill.next = self.s9_fill.y.val();
        self.slot_open.x.next = self.s9_open.q.val();
        self.slot_alone.clock.next = self.clock.val();
        self.slot_alone.fill.next = self.s9_fill.y.val();
        self.slot_alone.x.next = self.s9_alone.q.val();
        self.slot_own_0.clock.next = self.clock.val();
        self.slot_own_0.fill.next = self.s9_fill.y.val();
        self.slot_own_0.x.next = self.s9_own_0.q.val();
        self.slot_own_1.clock.next = self.clock.val();
        self.slot_own_1.fill.next = self.s9_fill.y.val();
        self.slot_own_1.x.next = self.s9_own_1.q.val();
        self.slot_own_2.clock.next = self.clock.val();
        self.slot_own_2.fill.next = self.s9_fill.y.val();
        self.slot_own_2.x.next = self.s9_own_2.q.val();
        self.slot_second.clock.next = self.clock.val();
        self.slot_second.fill.next = self.s9_fill.y.val();
        self.slot_second.x.next = self.s9_second.q.val();

        self.all_leave.x.next = self.leave.val();
        if self.clears.val() {
            self.leaves.next = self.all_leave.y.val();
        } else {
            self.leaves.next = self.slot_every_live.q.val()
                & (self.s9_fill.y.val() | !self.slot_every_waits.y.val());
        }

        // Stage 11: beyond the last byte of a packet there is nothing; else the next byte is the lane above.
        self.same_packet.next = !self.slot_last.q.val();
        self.ahead_present.x.next = self.slot_present.y.val();
        self.ahead_present.upper.next = self.s9_present.q.val();
        self.ahead_present.same_packet.next = self.same_packet.val();
        self.ahead_cont.x.next = self.slot_cont.y.val();
        self.ahead_cont.upper.next = self.s9_cont.q.val();
        self.ahead_cont.same_packet.next = self.same_packet.val();
        self.ahead_consumed.x.next = self.slot_consumed.y.val();
        self.ahead_consumed.upper.next = self.s9_consumed.q.val();
        self.ahead_consumed.same_packet.next = self.same_packet.val();
        self.s11_last.d.next = self.slot_last.q.val();
        self.s11_scalar.d.next = self.slot_scalar.y.val();
        self.s11_ill.d.next =
            self.slot_alone.y.val() | (self.slot_open.y.val() & !self.ahead_consumed.y.val());
        // Truncated is 6, truncated_at_end 7, and no byte's own kind has both upper bits.
        self.s11_own_0.d.next = self.slot_own_0.y.val();
        self.s11_kind_1.d.next =
            self.slot_own_1.y.val() | !(self.slot_alone.y.val() | self.ahead_cont.y.val());
        self.s11_kind_2.d.next =
            self.slot_own_2.y.val() | !(self.slot_alone.y.val() | self.ahead_cont.y.val());
        self.s11_followed.d.next = self.ahead_present.y.val();
        self.s11_second.d.next = self.slot_second.y.val();
        self.s11_consumed.d.next = self.slot_consumed.y.val();
        self.s11_signature.d.next = self.slot_signature.q.val();
        self.s11_valid.d.next = self.leave.val();
        self.s11_present.d.next = self.slot_present.y.val() & self.leaves.val();
        if self.reset.val() {
            self.s11_valid.d.next = false;
        }
        if self.clears.val() {
            if self.reset.val() {
                self.s11_present.d.next = 0.into();
            }
        }
        self.s11_waited.d.next = self.slot_waits.q.val();

        self.arrival.next = self.s9_valid.q.val();
        self.fill.next = self.s9_fill.y.val();
        self.out_valid.next = self.s11_valid.q.val();
        self.out_last.next = self.s11_last.q.val();
        self.scalar.next = self.s11_scalar.q.val();
        self.ill.next = self.s11_ill.q.val();
        self.own_kind_0.next = self.s11_own_0.q.val();
        self.kind_1.next = self.s11_kind_1.q.val();
        self.kind_2.next = self.s11_kind_2.q.val();
        self.followed.next = self.s11_followed.q.val();
        self.out_second.next = self.s11_second.q.val();
        self.out_consumed.next = self.s11_consumed.q.val();
        self.out_signature.next = self.s11_signature.q.val();
        self.out_present.next = self.s11_present.q.val();
        self.waited.next = self.s11_waited.q.val();
    }
}
