//! How many beats there are still to a position of the packet: the upper bits of a position are the number of a beat.

use crate::primitives::blank;
use crate::verilog::{Body, Operator, Run, bit, bits, choose, concat, name, set, when, zero};
use hdl_macros::{Blank, Block, Described};
use rust_hdl::prelude::*;

/// The beats from the newest one to a position, which are counted down, so that nothing has to be compared with a number but zero. A clock
/// later than the beat.
#[derive(Block, Blank, Described)]
pub struct Countdown<const P: usize> {
    pub clock: Signal<In, Clock>,
    /// A beat comes.
    pub beat: Signal<In, Bit>,
    /// With it a position, counted from its first lane; else it goes on to that of before.
    pub loads: Signal<In, Bit>,
    pub position: Signal<In, Bits<P>>,
    /// The beats, and above them whether the position has passed.
    pub left: Signal<Out, Bits<P>>,
    pub has_passed: Signal<Out, Bit>,
    /// The position is in this beat.
    pub is_here: Signal<Out, Bit>,
    /// Bits of a position that are no beat's.
    _low: usize,
    _run: Run,
}

impl<const P: usize> Countdown<P> {
    pub fn new(low: usize) -> Self {
        Self {
            _low: low,
            ..blank()
        }
    }

    fn body(&self, body: Body) -> Body {
        let width = P - self._low;
        let beats = bits("position", self._low, width);
        // Below zero it stays where it is.
        let one = concat([!bit("beats", width), zero(width)]);
        let fewer = name("beats").binary(Operator::Sub, one);
        let next = choose(name("loads"), concat([beats, zero(1)]), fewer);
        let doc = "Beats from the newest one to the position's; below zero if that has passed.";
        (body.register("beats", width + 1, doc))
            .at_clock(when(name("beat"), vec![set("beats", next)]))
            .assign("left", concat([bits("beats", 0, width), zero(self._low)]))
            .assign("has_passed", bit("beats", width))
            .assign("is_here", !name("beats").any())
    }
}
