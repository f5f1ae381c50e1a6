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
//! [`LATENCY`] clocks: one decides, and the other does what was decided, so that no decision reaches all planes in a clock.
//!
//! # Reset
//! `out_valid`, `retired`, and what is held.

use crate::primitives::wires::{Broadcast, Repeat};
use crate::side::SIDE;
use rust_hdl::prelude::*;

/// Clocks from the network to the output registers.
pub const LATENCY: usize = 2;

/// Dense beats. `STACK` is the width of all planes.
#[derive(LogicBlock, Default)]
pub struct Merge<const N: usize, const STACK: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    /// A sparse beat comes out of the network.
    pub arrival: Signal<In, Bit>,
    pub last: Signal<In, Bit>,
    pub signature: Signal<In, Bit>,
    /// With it, a dense beat is full; there are events for a further one.
    pub full: Signal<In, Bit>,
    pub nonzero: Signal<In, Bit>,
    /// Lanes with an event; those whose event belongs to the next dense beat.
    pub present: Signal<In, Bits<N>>,
    pub wrapped: Signal<In, Bits<N>>,
    pub planes: Signal<In, Bits<STACK>>,
    pub side: Signal<In, Bits<SIDE>>,

    /// A dense beat leaves. The payload is zero otherwise.
    pub out_valid: Signal<Out, Bit>,
    pub out_last: Signal<Out, Bit>,
    pub out_signature: Signal<Out, Bit>,
    pub out_planes: Signal<Out, Bits<STACK>>,
    pub out_side: Signal<Out, Bits<SIDE>>,
    /// A credit comes back without a beat.
    pub retired: Signal<Out, Bit>,

    // What is decided.
    arrives: Signal<Local, Bit>,
    complete: Signal<Local, Bit>,
    /// All events are held; or those of the next dense beat are, and the others leave.
    holds_all: Signal<Local, Bit>,
    parts: Signal<Local, Bit>,
    overflows: Signal<Local, Bit>,
    every_all: Broadcast<N>,
    every_part: Broadcast<N>,
    pending: DFF<Bit>,
    pending_last: DFF<Bit>,
    owed: DFF<Bit>,
    gives_none: Signal<Local, Bit>,
    settles: Signal<Local, Bit>,
    held_signature: DFF<Bit>,
    held_side: DFF<Bits<SIDE>>,
    emit: DFF<Bit>,
    emit_last: DFF<Bit>,
    emit_signature: DFF<Bit>,
    emit_side: DFF<Bits<SIDE>>,
    emit_retired: DFF<Bit>,
    keep: DFF<Bit>,
    take_out: DFF<Bits<N>>,
    take_held: DFF<Bits<N>>,
    new_planes: DFF<Bits<STACK>>,

    // What is done.
    every_emit: Repeat<N, STACK>,
    every_keep: Repeat<N, STACK>,
    every_out: Repeat<N, STACK>,
    every_held: Repeat<N, STACK>,
    emit_lanes: Broadcast<N>,
    keep_lanes: Broadcast<N>,
    held: DFF<Bits<STACK>>,
    shown: DFF<Bit>,
    shown_last: DFF<Bit>,
    shown_signature: DFF<Bit>,
    shown_planes: DFF<Bits<STACK>>,
    shown_side: DFF<Bits<SIDE>>,
    shown_retired: DFF<Bit>,
}

impl<const N: usize, const STACK: usize> Logic for Merge<N, STACK> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            pending,
            pending_last,
            owed,
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

        // Decide.
        self.arrives.next = self.arrival.val() & !self.reset.val();
        self.complete.next = self.arrives.val() & (self.full.val() | self.last.val());
        self.overflows.next = self.full.val() & self.nonzero.val() & !self.pending.q.val();
        self.parts.next = self.complete.val() & !self.pending.q.val();
        self.holds_all.next = self.arrives.val() & !self.parts.val();
        self.every_all.x.next = self.holds_all.val();
        self.every_part.x.next = self.parts.val();
        self.take_held.d.next = self.present.val()
            & (self.every_all.y.val() | (self.every_part.y.val() & self.wrapped.val()));
        self.take_out.d.next = self.present.val() & self.every_part.y.val() & !self.wrapped.val();
        self.keep.d.next = !self.pending.q.val() & !self.parts.val();
        self.new_planes.d.next = self.planes.val();
        self.emit.d.next = self.pending.q.val() | self.parts.val();
        if self.pending.q.val() {
            self.pending.d.next = self.complete.val();
            self.emit_last.d.next = self.pending_last.q.val();
            self.emit_signature.d.next = self.held_signature.q.val();
            self.emit_side.d.next = self.held_side.q.val();
            self.held_signature.d.next = self.signature.val() & self.arrives.val();
        } else {
            self.pending.d.next = self.parts.val() & self.last.val() & self.overflows.val();
            self.emit_last.d.next = self.last.val() & !self.overflows.val();
            self.emit_signature.d.next =
                self.held_signature.q.val() | (self.signature.val() & self.arrives.val());
            self.emit_side.d.next = self.side.val();
            self.held_signature.d.next = !self.parts.val()
                & (self.held_signature.q.val() | (self.signature.val() & self.arrives.val()));
        }
        if self.arrives.val() {
            self.pending_last.d.next = self.last.val();
            self.held_side.d.next = self.side.val();
        }
        self.gives_none.next = self.arrives.val() & !self.complete.val();
        self.settles.next = self.arrives.val() & self.last.val() & !self.overflows.val();
        self.emit_retired.d.next = self.owed.q.val() & (self.gives_none.val() | self.settles.val());
        if self.arrives.val() {
            self.owed.d.next = !self.last.val() & (self.owed.q.val() | self.gives_none.val());
        }
        if self.reset.val() {
            self.pending.d.next = false;
            self.owed.d.next = false;
            self.held_signature.d.next = false;
            self.keep.d.next = false;
            self.emit.d.next = false;
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
