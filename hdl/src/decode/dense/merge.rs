//! Joins the events of several sparse beats into dense ones.
//!
//! What has come of a beat is held, in the lanes where it will be. A beat leaves when it is full or its packet ends. If a
//! packet's last events need two beats, the second is *pending*: what is held leaves a clock later, and the next packet's
//! events are held instead. They may be pending in turn; but a packet that needs two beats at its end had a sparse beat that
//! gave none, so one pending beat is the most there ever is.
//!
//! Of the credits, each sparse beat has brought one. The first in a packet that gives no beat keeps it, for its packet
//! may need two at the end; every further one gives it back.
//!
//! # Latency
//! [`LATENCY`] clocks from the planes: one decides, and the other does what was decided, so that no decision reaches all planes in a
//! clock. What it is decided by comes a clock before the planes, so that each decision is one LUT.
//!
//! # Reset
//! All that marks a beat, and what is held.

use crate::primitives::DFF;
use crate::primitives::wires::{Broadcast, Repeat};
use crate::side::Sideband;
use hdl_macros::{Blank, Block, logic};
use rust_hdl::prelude::*;

/// Clocks from the network to the output registers.
pub const LATENCY: usize = 2;

/// Puts the events of sparse beats together to dense beats. `STACK` is the width of all planes.
#[derive(Block, Blank)]
pub struct Merge<const N: usize, const STACK: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    /// A clock before the planes: a sparse beat comes out of the network.
    pub arrival: Signal<In, Bit>,
    pub last: Signal<In, Bit>,
    pub signature: Signal<In, Bit>,
    /// With it, a dense beat is full; there are events for a further one.
    pub full: Signal<In, Bit>,
    pub nonzero: Signal<In, Bit>,
    /// Lanes with an event for this dense beat, and for the next one.
    pub for_this: Signal<In, Bits<N>>,
    pub for_next: Signal<In, Bits<N>>,
    pub planes: Signal<In, Bits<STACK>>,
    pub side: Signal<In, Sideband>,

    /// A dense beat leaves. The payload is zero otherwise.
    pub out_valid: Signal<Out, Bit>,
    pub out_last: Signal<Out, Bit>,
    pub out_signature: Signal<Out, Bit>,
    pub out_planes: Signal<Out, Bits<STACK>>,
    pub out_side: Signal<Out, Sideband>,
    /// A credit comes back without a beat.
    pub retired: Signal<Out, Bit>,

    /// What is known: a beat has arrived; and with it a dense beat is complete, it ends its packet and no event is left over or some
    /// are, it has a signature, or its credit is not wanted for two beats.
    arrives: DFF<Bit>,
    completes: DFF<Bit>,
    ends: DFF<Bit>,
    ends_over: DFF<Bit>,
    over: Signal<Local, Bit>,
    ended: DFF<Bit>,
    signs: DFF<Bit>,
    settles: DFF<Bit>,

    /// What is decided.
    every_hold: Broadcast<N>,
    every_part: Broadcast<N>,
    pending: DFF<Bit>,
    pending_last: DFF<Bit>,
    owed: DFF<Bit>,
    held_signature: DFF<Bit>,
    held_side: DFF<Sideband>,
    emit: DFF<Bit>,
    emit_last: DFF<Bit>,
    emit_signature: DFF<Bit>,
    emit_side: DFF<Sideband>,
    emit_retired: DFF<Bit>,
    keep: DFF<Bit>,
    /// Lanes that the beat which is shown takes from the network, and from what is held.
    take_out: DFF<Bits<N>>,
    take_held: DFF<Bits<N>>,
    /// What comes out of the network.
    new_planes: DFF<Bits<STACK>>,

    /// What is done.
    every_emit: Repeat<N, STACK>,
    every_keep: Repeat<N, STACK>,
    every_out: Repeat<N, STACK>,
    every_held: Repeat<N, STACK>,
    emit_lanes: Broadcast<N>,
    keep_lanes: Broadcast<N>,
    /// Events for the next dense beat.
    held: DFF<Bits<STACK>>,
    /// The dense beat that leaves.
    shown: DFF<Bit>,
    shown_last: DFF<Bit>,
    shown_signature: DFF<Bit>,
    shown_planes: DFF<Bits<STACK>>,
    shown_side: DFF<Sideband>,
    shown_retired: DFF<Bit>,
}

impl<const N: usize, const STACK: usize> Logic for Merge<N, STACK> {
    #[logic]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            arrives,
            completes,
            ends,
            ends_over,
            ended,
            signs,
            settles,
            pending,
            pending_last,
            owed
        );
        dff_setup!(
            self,
            clock,
            held_signature,
            held_side,
            emit,
            emit_last,
            emit_signature,
            emit_side,
            emit_retired,
            keep,
            take_out,
            take_held,
            new_planes
        );
        dff_setup!(
            self,
            clock,
            held,
            shown,
            shown_last,
            shown_signature,
            shown_planes,
            shown_side,
            shown_retired
        );

        // Know.
        self.over.next = self.full.val() & self.nonzero.val();
        self.arrives.d.next = self.arrival.val();
        self.completes.d.next = self.arrival.val() & (self.full.val() | self.last.val());
        self.ended.d.next = self.last.val();
        self.ends.d.next = self.last.val() & !self.over.val();
        self.ends_over.d.next = self.arrival.val() & self.last.val() & self.over.val();
        self.signs.d.next = self.arrival.val() & self.signature.val();
        self.settles.d.next = self.arrival.val()
            & ((!self.full.val() & !self.last.val()) | (self.last.val() & !self.over.val()));
        if self.reset.val() {
            self.arrives.d.next = false;
            self.completes.d.next = false;
            self.ends_over.d.next = false;
            self.signs.d.next = false;
            self.settles.d.next = false;
        }

        // Decide.
        self.every_hold.x.next = self.pending.q.val() | !self.completes.q.val();
        self.every_part.x.next = self.completes.q.val() & !self.pending.q.val();
        self.take_held.d.next =
            self.for_next.val() | (self.for_this.val() & self.every_hold.y.val());
        self.take_out.d.next = self.for_this.val() & self.every_part.y.val();
        self.keep.d.next = !self.pending.q.val() & !self.completes.q.val();
        self.new_planes.d.next = self.planes.val();
        self.emit.d.next = self.pending.q.val() | self.completes.q.val();
        if self.pending.q.val() {
            self.pending.d.next = self.completes.q.val();
            self.emit_last.d.next = self.pending_last.q.val();
            self.emit_signature.d.next = self.held_signature.q.val();
            self.emit_side.d.next = self.held_side.q.val();
            self.held_signature.d.next = self.signs.q.val();
        } else {
            self.pending.d.next = self.ends_over.q.val();
            self.emit_last.d.next = self.ends.q.val();
            self.emit_signature.d.next = self.held_signature.q.val() | self.signs.q.val();
            self.emit_side.d.next = self.side.val();
            self.held_signature.d.next =
                !self.completes.q.val() & (self.held_signature.q.val() | self.signs.q.val());
        }
        self.emit_retired.d.next = self.owed.q.val()
            & (self.settles.q.val() | (self.ends_over.q.val() & self.pending.q.val()));
        if self.arrives.q.val() {
            self.pending_last.d.next = self.ended.q.val();
            self.held_side.d.next = self.side.val();
            self.owed.d.next = !self.ended.q.val() & (self.owed.q.val() | !self.completes.q.val());
        }
        if self.reset.val() {
            self.pending.d.next = false;
            self.owed.d.next = false;
            self.held_signature.d.next = false;
            self.emit.d.next = false;
            self.emit_retired.d.next = false;
            self.keep.d.next = false;
            self.take_out.d.next = 0.into();
            self.take_held.d.next = 0.into();
        }

        // Do.
        self.emit_lanes.x.next = self.emit.q.val();
        self.keep_lanes.x.next = self.keep.q.val();
        self.every_emit.x.next = self.emit_lanes.y.val();
        self.every_keep.x.next = self.keep_lanes.y.val();
        self.every_out.x.next = self.take_out.q.val();
        self.every_held.x.next = self.take_held.q.val();
        self.held.d.next = (self.held.q.val() & self.every_keep.y.val())
            | (self.new_planes.q.val() & self.every_held.y.val());
        self.shown.d.next = self.emit.q.val();
        self.shown_retired.d.next = self.emit_retired.q.val();
        self.shown_last.d.next = self.emit_last.q.val() & self.emit.q.val();
        self.shown_signature.d.next = self.emit_signature.q.val() & self.emit.q.val();
        self.shown_planes.d.next = (self.held.q.val() & self.every_emit.y.val())
            | (self.new_planes.q.val() & self.every_out.y.val());
        if self.reset.val() {
            self.shown.d.next = false;
            self.shown_retired.d.next = false;
        }
        if self.emit.q.val() {
            self.shown_side.d.next = self.emit_side.q.val();
        } else {
            self.shown_side.d.next = 0.into();
        }

        self.out_valid.next = self.shown.q.val();
        self.out_last.next = self.shown_last.q.val();
        self.out_signature.next = self.shown_signature.q.val();
        self.out_planes.next = self.shown_planes.q.val();
        self.out_side.next = self.shown_side.q.val();
        self.retired.next = self.shown_retired.q.val();
    }
}
