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
use crate::primitives::delay::{Late, LateValid};
use crate::primitives::memory::Ring;
use crate::primitives::{DFF, blank};
use crate::side::Sideband;
use hdl_macros::{Block, logic};
use rust_hdl::prelude::*;

/// Clocks from a sparse beat to the dense one that it completes.
pub const fn latency(lanes: usize) -> usize {
    ranks::latency(lanes) + network::latency(lanes) + merge::LATENCY
}

/// Clocks that a beat waits for its ranks, and from there to a clock before it leaves the network: at most so many, of 64 lanes.
const MOST_RANKED: usize = 13;
const MOST_ROUTED: usize = 6;

/// Moves a beat's events to the lowest lanes, together with those of the beats before. `STACK` is the width of all planes.
#[derive(Block)]
pub struct Dense<const N: usize, const STACK: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    /// A sparse beat enters; or one that had nothing to send.
    pub valid: Signal<In, Bit>,
    pub empty: Signal<In, Bit>,
    pub last: Signal<In, Bit>,
    pub signature: Signal<In, Bit>,
    pub sent: Signal<In, Bits<N>>,
    pub planes: Signal<In, Bits<STACK>>,
    pub side: Signal<In, Sideband>,
    /// A dense beat leaves. The payload is zero otherwise, but for the clock after a reset.
    pub out_valid: Signal<Out, Bit>,
    pub out_last: Signal<Out, Bit>,
    pub out_signature: Signal<Out, Bit>,
    pub out_planes: Signal<Out, Bits<STACK>>,
    pub out_side: Signal<Out, Sideband>,
    /// A sparse beat has entered for which none will leave.
    pub retired: Signal<Out, Bit>,

    /// No beat of the packet has entered yet.
    begins: DFF<Bit>,
    ranks: Ranks<N>,
    sent_ranked: Ring<Bits<N>, 4>,
    planes_ranked: Ring<Bits<STACK>, 4>,
    arrival: Signal<Local, Bit>,
    arrival_ranked: LateValid<MOST_RANKED>,
    last_ranked: Late<Bit, MOST_RANKED>,
    signature_ranked: Late<Bit, MOST_RANKED>,
    network: Network<N, STACK>,
    nonzero_routed: Late<Bit, MOST_ROUTED>,
    full_routed: Late<Bit, MOST_ROUTED>,
    arrival_routed: LateValid<MOST_ROUTED>,
    last_routed: Late<Bit, MOST_ROUTED>,
    signature_routed: Late<Bit, MOST_ROUTED>,
    side_routed: Ring<Sideband, 5>,
    merge: Merge<N, STACK>,
}

impl<const N: usize, const STACK: usize> Dense<N, STACK> {
    pub fn new() -> Self {
        let (ranked, routed) = (ranks::latency(N), network::latency(N));
        // What the merge decides by comes to it a clock before the planes.
        let early = routed - 1;
        Self {
            sent_ranked: Ring::new(ranked),
            planes_ranked: Ring::new(ranked + 1),
            arrival_ranked: LateValid::new(ranked),
            last_ranked: Late::new(ranked),
            signature_ranked: Late::new(ranked),
            nonzero_routed: Late::new(early),
            full_routed: Late::new(early),
            arrival_routed: LateValid::new(early),
            last_routed: Late::new(early),
            signature_routed: Late::new(early),
            side_routed: Ring::new(ranked + routed),
            clock: blank(),
            reset: blank(),
            valid: blank(),
            empty: blank(),
            last: blank(),
            signature: blank(),
            sent: blank(),
            planes: blank(),
            side: blank(),
            out_valid: blank(),
            out_last: blank(),
            out_signature: blank(),
            out_planes: blank(),
            out_side: blank(),
            retired: blank(),
            begins: blank(),
            ranks: blank(),
            network: blank(),
            arrival: blank(),
            merge: blank(),
        }
    }
}

impl<const N: usize, const STACK: usize> Default for Dense<N, STACK> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize, const STACK: usize> Logic for Dense<N, STACK> {
    #[logic]
    fn update(&mut self) {
        dff_setup!(self, clock, begins);
        self.arrival.next = self.valid.val() | self.empty.val();
        if self.valid.val() {
            self.begins.d.next = self.last.val();
        } else if self.empty.val() {
            self.begins.d.next = false;
        }
        if self.reset.val() {
            self.begins.d.next = true;
        }

        self.ranks.clock.next = self.clock.val();
        self.ranks.first.next = self.arrival.val() & self.begins.q.val();
        self.ranks.sent.next = self.sent.val();

        self.sent_ranked.clock.next = self.clock.val();
        self.sent_ranked.reset.next = self.reset.val();
        self.sent_ranked.x.next = self.sent.val();
        self.planes_ranked.clock.next = self.clock.val();
        self.planes_ranked.reset.next = self.reset.val();
        self.planes_ranked.x.next = self.planes.val();
        self.arrival_ranked.clock.next = self.clock.val();
        self.arrival_ranked.reset.next = self.reset.val();
        self.arrival_ranked.x.next = self.arrival.val();
        self.last_ranked.clock.next = self.clock.val();
        self.last_ranked.x.next = self.last.val();
        self.signature_ranked.clock.next = self.clock.val();
        self.signature_ranked.x.next = self.signature.val();

        self.network.clock.next = self.clock.val();
        self.network.reset.next = self.reset.val();
        self.network.arrival.next = self.arrival_ranked.y.val();
        self.network.present.next = self.sent_ranked.y.val();
        self.network.planes.next = self.planes_ranked.y.val();
        for i in 0..7 {
            self.network.rank[i].next = self.ranks.rank[i].val();
        }

        self.nonzero_routed.clock.next = self.clock.val();
        self.nonzero_routed.x.next = self.ranks.nonzero.val();
        self.full_routed.clock.next = self.clock.val();
        self.full_routed.x.next = self.ranks.full.val();
        self.arrival_routed.clock.next = self.clock.val();
        self.arrival_routed.reset.next = self.reset.val();
        self.arrival_routed.x.next = self.arrival_ranked.y.val();
        self.last_routed.clock.next = self.clock.val();
        self.last_routed.x.next = self.last_ranked.y.val();
        self.signature_routed.clock.next = self.clock.val();
        self.signature_routed.x.next = self.signature_ranked.y.val();
        self.side_routed.clock.next = self.clock.val();
        self.side_routed.reset.next = self.reset.val();
        self.side_routed.x.next = self.side.val();

        self.merge.clock.next = self.clock.val();
        self.merge.reset.next = self.reset.val();
        self.merge.arrival.next = self.arrival_routed.y.val();
        self.merge.last.next = self.last_routed.y.val();
        self.merge.signature.next = self.signature_routed.y.val();
        self.merge.full.next = self.full_routed.y.val();
        self.merge.nonzero.next = self.nonzero_routed.y.val();
        self.merge.for_this.next = self.network.out_this.val();
        self.merge.for_next.next = self.network.out_next.val();
        self.merge.planes.next = self.network.out_planes.val();
        self.merge.side.next = self.side_routed.y.val();

        self.out_valid.next = self.merge.out_valid.val();
        self.out_last.next = self.merge.out_last.val();
        self.out_signature.next = self.merge.out_signature.val();
        self.out_planes.next = self.merge.out_planes.val();
        self.out_side.next = self.merge.out_side.val();
        self.retired.next = self.merge.retired.val();
    }
}
