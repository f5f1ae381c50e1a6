//! What a source has to keep to, and whether it did: of the lanes those with a byte are the lowest, and all unless the packet ends.
//!
//! # Reset
//! No beat that came before it is told of.

use crate::primitives::wires::Lane;
use crate::primitives::{DFF, blank};
use crate::verilog::{Body, bits, concat, name, set, zero};
use hdl_macros::{Blank, Block, logic};
use rust_hdl::prelude::*;

/// Whether a beat breaks the stream's contract: lanes with a byte that are not the lowest, or lanes without one though its packet
/// goes on.
/// (One without any byte is none.) Three clocks later, in that clock only.
#[derive(Block)]
pub struct Contract<const N: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub taken: Signal<In, Bit>,
    pub keep: Signal<In, Bits<N>>,
    pub last: Signal<In, Bit>,
    pub beat_error: Signal<Out, Bit>,
    holes: Holes<N>,
    lowest: Lane<N>,
    topmost: Lane<N>,
    /// The beat has some lanes without a byte though its packet goes on.
    partial_1: DFF<Bit>,
    partial_2: DFF<Bit>,
    /// The beat is taken.
    taken_1: DFF<Bit>,
    taken_2: DFF<Bit>,
    /// It breaks the contract.
    error: DFF<Bit>,
}

impl<const N: usize> Default for Contract<N> {
    fn default() -> Self {
        Self {
            lowest: Lane::new(0),
            topmost: Lane::new(N - 1),
            clock: blank(),
            reset: blank(),
            taken: blank(),
            keep: blank(),
            last: blank(),
            beat_error: blank(),
            holes: blank(),
            partial_1: blank(),
            partial_2: blank(),
            taken_1: blank(),
            taken_2: blank(),
            error: blank(),
        }
    }
}

impl<const N: usize> Logic for Contract<N> {
    #[logic]
    fn update(&mut self) {
        dff_setup!(self, clock, partial_1, partial_2, taken_1, taken_2, error);
        self.holes.clock.next = self.clock.val();
        self.holes.keep.next = self.keep.val();
        self.lowest.x.next = self.keep.val();
        self.topmost.x.next = self.keep.val();
        // Of a beat with a hole it is of no matter whether it is partial.
        self.partial_1.d.next = self.lowest.y.val() & !self.topmost.y.val() & !self.last.val();
        self.partial_2.d.next = self.partial_1.q.val();
        self.taken_1.d.next = self.taken.val() & !self.reset.val();
        self.taken_2.d.next = self.taken_1.q.val() & !self.reset.val();
        self.error.d.next = self.taken_2.q.val()
            & !self.reset.val()
            & (self.holes.y.val() | self.partial_2.q.val());
        self.beat_error.next = self.error.q.val();
    }
}

/// Whether the lanes with a byte are not the lowest without a hole, two clocks later.
#[derive(Block, Blank)]
pub struct Holes<const N: usize> {
    pub clock: Signal<In, Clock>,
    pub keep: Signal<In, Bits<N>>,
    pub y: Signal<Out, Bit>,
    _before: bool,
    _now: bool,
}

impl<const N: usize> Holes<N> {
    /// Lanes that are looked at together.
    const GROUP: usize = 8;
}

impl<const N: usize> Logic for Holes<N> {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            let keep = self.keep.val();
            self._now = self._before;
            self._before = (1..N).any(|lane| keep.get_bit(lane) && !keep.get_bit(lane - 1));
        }
        self.y.next = self._now;
    }

    fn connect(&mut self) {
        self.y.connect();
    }

    fn hdl(&self) -> Verilog {
        if N == 1 {
            return Body::new(Self::ABOUT).assign("y", zero(1)).done();
        }
        let groups = (0..N - 1).step_by(Self::GROUP);
        let count = groups.len();
        let holes = groups.map(|low| {
            let lanes = Self::GROUP.min(N - 1 - low);
            (bits("keep", low + 1, lanes) & !bits("keep", low, lanes)).any()
        });
        Body::new(Self::ABOUT)
            .register("group", count, "In each group of lanes, whether one without a byte is below one with a byte; in any.")
            .register("any", 1, "")
            .at_clock(set("group", concat(holes)))
            .at_clock(set("any", name("group").any()))
            .assign("y", name("any"))
            .done()
    }
}
