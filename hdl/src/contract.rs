//! What a source has to keep to, and whether it did: of the lanes those with a byte are the lowest, and all unless the packet ends.
//!
//! # Reset
//! No beat that came before it is told of.

use crate::primitives::blank;
use crate::primitives::wires::{Lane, concat, lane_of, range};
use hdl_macros::{Blank, Block, logic};
use rust_hdl::prelude::*;

/// Whether a beat that is taken has lanes with a byte that are not the lowest, or some lanes without one though its packet goes on.
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
    partial_1: DFF<Bit>,
    partial_2: DFF<Bit>,
    taken_1: DFF<Bit>,
    taken_2: DFF<Bit>,
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
            return Verilog::Custom(
                "wire unused = &{clock, keep};\nassign y = 1'b0;\n".to_string(),
            );
        }
        let groups = (0..N - 1).step_by(Self::GROUP);
        let count = groups.len();
        let group = |low: usize| {
            let high = (low + Self::GROUP).min(N - 1);
            let bits = |high: usize, low: usize| {
                if high == low {
                    lane_of::<N>("keep", low)
                } else {
                    format!("keep[{high}:{low}]")
                }
            };
            format!("|({} & ~{})", bits(high, low + 1), bits(high - 1, low))
        };
        Verilog::Custom(format!(
            "reg {range}group;\nreg any;\ninitial group = {count}'h0;\ninitial any = 1'b0;\n\
             always @(posedge clock) begin\ngroup <= {};\nany <= |group;\nend\nassign y = any;\n",
            concat(groups.map(group)),
            range = range(count),
        ))
    }
}
