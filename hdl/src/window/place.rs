//! Where a beat is beside a position of its packet: the upper bits of a position are the number of a beat, the others a lane's.

use crate::layout::{PLACE_BITS, WINDOW_BITS};
use crate::primitives::blank;
use crate::verilog::{Body, Operator, Run, bit, bits, choose, concat, name, set, when, zero};
use hdl_macros::{Blank, Block, Described};
use rust_hdl::prelude::*;

/// Bits of a position that are a lane's number.
const fn lane_bits(lanes: usize) -> usize {
    lanes.ilog2() as usize
}

/// Whether a beat is before the one with a position of the window, or is that one. The beats up to it are counted down, so that nothing
/// has to be compared with a number but zero. Three clocks later than the beat.
#[derive(Block, Blank, Described)]
pub struct Until<const N: usize> {
    pub clock: Signal<In, Clock>,
    /// A beat comes; it is its packet's first, and has its window.
    pub beat: Signal<In, Bit>,
    pub begins: Signal<In, Bit>,
    pub window: Signal<In, Bits<WINDOW_BITS>>,
    /// A clock later: the position is looked for; else the beat is neither.
    pub asks: Signal<In, Bit>,
    pub is_before: Signal<Out, Bit>,
    pub is_at: Signal<Out, Bit>,
    /// Where the position is in the window.
    _low: usize,
    _run: Run,
}

impl<const N: usize> Until<N> {
    pub fn new(low: usize) -> Self {
        Self {
            _low: low,
            ..blank()
        }
    }

    fn body(&self, body: Body) -> Body {
        let width = PLACE_BITS - lane_bits(N);
        let place = bits("window", self._low + lane_bits(N), width);
        // Below zero it stays where it is.
        let one = concat([!bit("left", width), zero(width)]);
        let fewer = name("left").binary(Operator::Sub, one);
        let next = choose(name("begins"), concat([place, zero(1)]), fewer);
        let doc = "Beats from the newest one to the position's; below zero if that has passed.";
        let body = (body.register("left", width + 1, doc))
            .at_clock(when(name("beat"), vec![set("left", next)]));
        let fours = (0..width).step_by(4);
        let fours = fours.map(|low| bits("left", low, 4.min(width - low)).any());
        let groups = width.div_ceil(4);
        let gone = bit("left", width) | !name("asks");
        let body = body
            .later("gone", 1, "It has passed, or is not looked for.", gone)
            .later(
                "some",
                groups,
                "Any of four bits of what is left.",
                concat(fours),
            );
        let doc = "The beat is before the position's, or is that.";
        let comes = !name("gone");
        body.later("ahead", 1, doc, comes.clone() & name("some").any())
            .later("there", 1, "", comes & !name("some").any())
            .assign("is_before", name("ahead"))
            .assign("is_at", name("there"))
    }
}

/// The lane of a position of the window.
#[derive(Block, Blank, Described)]
pub struct LaneOf<const N: usize> {
    pub window: Signal<In, Bits<WINDOW_BITS>>,
    pub y: Signal<Out, Bits<8>>,
    _low: usize,
    _run: Run,
}

impl<const N: usize> LaneOf<N> {
    pub fn new(low: usize) -> Self {
        Self {
            _low: low,
            ..Default::default()
        }
    }

    fn body(&self, body: Body) -> Body {
        let lane = match lane_bits(N) {
            0 => zero(8),
            of_lane => concat([bits("window", self._low, of_lane), zero(8 - of_lane)]),
        };
        body.assign("y", lane)
    }
}
