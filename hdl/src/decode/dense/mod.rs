//! Packs events: contiguous, in order, in the low lanes, across the beats of a packet.
//!
//! Each event's place is its rank, the number of events before it in its packet: the lane is the rank's low bits, and the
//! beat follows from the rest. [`ranks`] counts; [`network`] takes each event to its lane, a bit of the rank a level, in
//! which no two events ever want the same place, for their ranks are consecutive; [`merge`] joins what belongs to one beat.
//!
//! # Latency
//! [`latency`] clocks if no beat waits; a beat in every clock. A packet's last events may need two beats. The second waits a
//! clock, and with it what follows, until a beat of a later packet gives none of its own: so at most one beat ever waits.
//!
//! # Reset
//! What marks beats, and what [`merge`] holds.

pub mod merge;
pub mod network;
pub mod ranks;

use self::merge::Merge;
use self::network::Network;
use self::ranks::Ranks;
use crate::primitives::delay::{DelayLine, ValidDelayLine};
use crate::primitives::memory::DelayRam;
use crate::verilog::Sideband;
use hdl_macros::stages;
use rust_hdl::prelude::*;

/// Clocks from a sparse beat to the dense one that it completes.
pub const fn latency(lanes: usize) -> usize {
    ranks::latency(lanes) + network::latency(lanes) + merge::LATENCY
}

/// Credits that it keeps, besides those of the beats in its stages: see [`merge`].
pub const KEPT_CREDITS: usize = 1;

stages! {
    /// Moves a beat's events to the lowest lanes, together with those of the beats before. `STACK` is the width of all planes.
    pub block Dense<const N: usize, const STACK: usize> {
        given flags_end: bool;
        given ranked: usize = ranks::latency(N);
        /// What the merge decides by comes to it a clock before the planes.
        given early: usize = network::latency(N) - 1;

        in reset: Bit;
        /// A sparse beat enters; or one that had nothing to send.
        in valid, empty: Bit;
        in last, signature: Bit;
        in sent;
        in planes: Bits<STACK>;
        in side: Sideband;
        /// Never set: it keeps the copies of a register apart.
        in apart: Bit;

        always {
            let arrival: Bit = valid | empty;
            /// No beat of the packet has entered yet.
            state begins: Bit = if reset { true } else if valid { last } else if empty { false };
            part ranks: Ranks<N> = { first: arrival & begins, sent };

            part sent_ranked: DelayRam<Bits<N>, 4>(ranked) = { reset, x: sent };
            part planes_ranked: DelayRam<Bits<STACK>, 4>(ranked + 1) = { reset, x: planes };
            part arrival_ranked: ValidDelayLine(ranked) = { reset, x: arrival };
            part last_ranked: DelayLine<Bit>(ranked) = { x: last };
            part signature_ranked: DelayLine<Bit>(ranked) = { x: signature };
            part network: Network<N, STACK> = {
                reset,
                arrival: arrival_ranked,
                present: sent_ranked,
                planes: planes_ranked,
                rank[i in 0..7]: ranks.rank[i],
            };

            part nonzero_routed: DelayLine<Bit>(early) = { x: ranks.nonzero };
            part full_routed: DelayLine<Bit>(early) = { x: ranks.full };
            part fills_routed: DelayLine<Bit>(early) = { x: ranks.full | last_ranked };
            part arrival_routed: ValidDelayLine(early) = { reset, x: arrival_ranked };
            part last_routed: DelayLine<Bit>(early) = { x: last_ranked };
            part signature_routed: DelayLine<Bit>(early) = { x: signature_ranked };
            part side_routed: DelayRam<Sideband, 5>(ranked + early + 1) = { reset, x: side };
            part merge: Merge<N, STACK>(cuts, flags_end) = {
                reset,
                arrival: arrival_routed,
                last: last_routed,
                signature: signature_routed,
                full: full_routed,
                nonzero: nonzero_routed,
                fills: fills_routed,
                for_this: network.out_this,
                for_next: network.out_next,
                planes: network.out_planes,
                side: side_routed,
                apart,
            };
        }

        /// A dense beat leaves. The payload is zero otherwise, but for the clock after a reset.
        out out_valid: Bit = merge.out_valid;
        out out_last: Bit = merge.out_last;
        out out_signature: Bit = merge.out_signature;
        out out_planes: Bits<STACK> = merge.out_planes;
        out out_side: Sideband = merge.out_side;
        /// A sparse beat has entered for which none will leave.
        out retired: Bit = merge.retired;
    }
}
