//! Where a beat is, by its number in the packet, beside a position of the packet: the upper bits of a position are the number of a beat, the
//! others a lane's.

use crate::layout::{PLACE_BITS, WINDOW_BITS};
use crate::primitives::blank;
use crate::verilog::{
    Body, Expression, Operator, Run, bit, bits, choose, concat, name, set, when, zero,
};
use hdl_macros::{Blank, Block, Described};
use rust_hdl::prelude::*;

/// Bits of a beat's number: one more than the upper bits of a position, for a beat that is beyond all positions.
const NUMBER_BITS: usize = PLACE_BITS + 1;

/// Bits of a position that are a lane's number.
const fn lane_bits(lanes: usize) -> usize {
    lanes.ilog2() as usize
}

/// The number of the packet's newest beat. A beat beyond all positions has the highest bit set, and no more of them are counted.
#[derive(Block, Blank, Described)]
pub struct Number<const N: usize> {
    pub clock: Signal<In, Clock>,
    /// A beat comes; it is its packet's first.
    pub beat: Signal<In, Bit>,
    pub starts: Signal<In, Bit>,
    pub y: Signal<Out, Bits<NUMBER_BITS>>,
    _run: Run,
}

impl<const N: usize> Number<N> {
    fn body(&self, body: Body) -> Body {
        let width = NUMBER_BITS - lane_bits(N);
        let is_within = concat([!bit("beats", width - 1), zero(width - 1)]);
        let next = choose(name("starts"), zero(width), name("beats") + is_within);
        let doc = "The beat's number; its highest bit is set beyond all positions.";
        let body = body
            .register("beats", width, doc)
            .at_clock(when(name("beat"), vec![set("beats", next)]));
        body.assign("y", widened("beats", width, NUMBER_BITS))
    }
}

/// A net with zeros above it.
fn widened(net: &str, width: usize, to: usize) -> Expression {
    match to - width {
        0 => name(net),
        more => concat([name(net), zero(more)]),
    }
}

/// Whether a beat is before the one with a position of the window, or is that one.
#[derive(Block, Blank, Described)]
pub struct Against<const N: usize> {
    pub clock: Signal<In, Clock>,
    pub number: Signal<In, Bits<NUMBER_BITS>>,
    pub window: Signal<In, Bits<WINDOW_BITS>>,
    /// It is looked for; else the beat is neither.
    pub asks: Signal<In, Bit>,
    pub is_before: Signal<Out, Bit>,
    pub is_at: Signal<Out, Bit>,
    /// Where the position is in the window.
    _low: usize,
    _run: Run,
}

impl<const N: usize> Against<N> {
    pub fn new(low: usize) -> Self {
        Self {
            _low: low,
            ..blank()
        }
    }

    fn body(&self, body: Body) -> Body {
        let of_lane = lane_bits(N);
        let number = bits("number", 0, NUMBER_BITS - of_lane);
        let beat = bits("window", self._low + of_lane, PLACE_BITS - of_lane);
        let place = concat([beat, zero(1)]);
        let before = number.clone().binary(Operator::Less, place.clone()) & name("asks");
        let at = number.equals(place) & name("asks");
        body.later("before", 1, "The beat is before the position's.", before)
            .later("at", 1, "It is the position's.", at)
            .assign("is_before", name("before"))
            .assign("is_at", name("at"))
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
