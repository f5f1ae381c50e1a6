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

use crate::primitives::fanout::ClearedReplicas;
use crate::primitives::wires::{Broadcast, Repeat};
use crate::verilog::Sideband;
use hdl_macros::stages;
use rust_hdl::prelude::*;

/// Clocks from the network to the output registers.
pub const LATENCY: usize = 2;

/// Lanes that each register is for of what is decided, which drives a bit of each, and of what is done, which drives all their planes.
const DECIDED: usize = 4;
const DONE: usize = 2;

stages! {
    /// Puts the events of sparse beats together to dense beats. `STACK` is the width of all planes.
    pub block Merge<const N: usize, const STACK: usize> {
        /// Configuration: a flag comes with a packet's end, and belongs to it.
        given flags_end: bool;

        in reset: Bit;
        /// A clock before the planes: a sparse beat comes out of the network.
        in arrival, last, signature: Bit @ 0;
        /// With it, a dense beat is full; there are events for a further one.
        in full, nonzero: Bit @ 0;
        /// It is full, or the packet ends.
        in fills: Bit @ 0;
        /// Lanes with an event for this dense beat, and for the next one.
        in for_this, for_next @ 1;
        in planes: Bits<STACK> @ 1;
        in side: Sideband @ 1;
        /// Never set: it keeps the copies of a register apart.
        in apart: Bit;

        always {
            /// The reset, a clock later and nearer: for what is not looked at before that.
            late: Bit = reset;
        }

        stage 1 "what is known" {
            let over: Bit = full & nonzero;
            /// A beat has arrived, and with it a dense beat is complete.
            arrives: Bit = if reset { false } else { arrival };
            completes: Bit = if reset { false } else { arrival & fills };
            wires all_complete: Broadcast<N> = { x: arrival & fills };
            /// The same in every lane.
            part every_completes: ClearedReplicas<N, DECIDED> = { reset, x: all_complete, apart };
            /// It ends its packet, and no event is left over; or some are.
            ends: Bit = last & !over;
            ends_over: Bit = if reset { false } else { arrival & last & over };
            /// It has a signature.
            signs: Bit = arrival & signature;
            /// Its credit is not wanted for two beats.
            settles: Bit = if reset { false } else { arrival & ((!full & !last) | (last & !over)) };
        }

        stage 2 "what is decided" {
            /// A dense beat waits, with a packet's last events, which did not fit into the one before; it is its packet's last.
            state pending: Bit = if reset {
                false
            } else if was(pending) {
                completes
            } else {
                ends_over
            };
            wires all_end_over: Broadcast<N> = { x: ends_over };
            /// The same in every lane.
            part every_pending: ClearedReplicas<N, DECIDED> = {
                reset,
                x: (was(every_pending) & every_completes) | (!was(every_pending) & all_end_over),
                apart,
            };
            state pending_last: Bit = if arrives { last };
            /// A dense beat that has begun has a credit too many.
            state owed: Bit = if late {
                false
            } else if arrives {
                !last & (was(owed) | !completes)
            };
            /// What is kept for the dense beat that has begun.
            state held_signature: Bit = if late {
                false
            } else if flags_end | was(pending) {
                signs
            } else {
                !completes & (was(held_signature) | signs)
            };
            state held_side: Sideband = if arrives { side };
            /// A dense beat leaves, and what goes with it.
            emit: Bit = if reset { false } else { was(pending) | completes };
            emit_last: Bit = if was(pending) { was(pending_last) } else { ends };
            emit_signature: Bit = if was(pending) {
                was(held_signature)
            } else if flags_end {
                signs & !ends_over
            } else {
                was(held_signature) | signs
            };
            emit_side: Sideband = if was(pending) { was(held_side) } else { side };
            emit_retired: Bit = if reset {
                false
            } else {
                was(owed) & (settles | (ends_over & was(pending)))
            };
            /// In every lane: what is held leaves; or it stays, for none leaves.
            part every_emits: ClearedReplicas<N, DONE> = {
                reset, x: was(every_pending) | every_completes, apart,
            };
            part every_keeps: ClearedReplicas<N, DONE> = {
                reset, x: !was(every_pending) & !every_completes, apart,
            };
            /// Lanes that the beat which is shown takes from the network, and those that are held from it.
            take_out = if reset { 0 } else { for_this & every_completes & !was(every_pending) };
            take_held = if reset {
                0
            } else {
                for_next | (for_this & (was(every_pending) | !every_completes))
            };
        }

        stage 3 "what is done" {
            wires every_emit: Repeat<N, STACK> = { x: every_emits };
            wires every_keep: Repeat<N, STACK> = { x: every_keeps };
            wires every_out: Repeat<N, STACK> = { x: take_out };
            wires every_held: Repeat<N, STACK> = { x: take_held };
            /// Events for the next dense beat.
            state held: Bits<STACK> = (was(held) & every_keep) | (planes & every_held);
            /// The dense beat that leaves.
            shown: Bit = if reset { false } else { emit };
            shown_last: Bit = emit_last & emit;
            shown_signature: Bit = emit_signature & emit;
            shown_planes: Bits<STACK> = (was(held) & every_emit) | (planes & every_out);
            shown_side: Sideband = if emit { emit_side } else { 0 };
            shown_retired: Bit = if reset { false } else { emit_retired };
        }

        /// A dense beat leaves. The payload is zero otherwise.
        out out_valid: Bit = shown @ 3;
        out out_last: Bit = shown_last @ 3;
        out out_signature: Bit = shown_signature @ 3;
        out out_planes: Bits<STACK> = shown_planes @ 3;
        out out_side: Sideband = shown_side @ 3;
        /// A credit comes back without a beat.
        out retired: Bit = shown_retired @ 3;
    }
}
