//! How many beats there are still to a position of the packet: the upper bits of a position are the number of a beat.

use crate::primitives::blank;
use crate::verilog::{
    Body, Expression, Operator, Run, bit, bits, choose, concat, literal, name, set, when, zero,
};
use hdl_macros::{Blank, Block, Described};
use rust_hdl::prelude::*;

/// Bits that are counted down together: whether they are all clear is known a clock before it is needed, so that no carry passes through them.
const DIGIT: usize = 4;

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
        let digits = (width + 1).div_ceil(DIGIT);
        let bounds = |digit: usize| (DIGIT * digit, (width + 1 - DIGIT * digit).min(DIGIT));
        let position = concat([bits("position", self._low, width), zero(1)]);
        let loads = || name("loads");
        // Whether one comes off a digit: all lower ones are zero, and below zero none are.
        let lower_are_none = |digit: usize| (0..digit).map(|lower| bit("none", lower));
        let takes = |digit: usize| {
            Expression::join(Operator::And, lower_are_none(digit)).unwrap_or(!bit("beats", width))
        };
        let (mut turns, mut of_position, mut of_fewer) = (Vec::new(), Vec::new(), Vec::new());
        for digit in 0..digits {
            let (from, of_digit) = bounds(digit);
            turns.push(takes(digit));
            turns.extend(
                (1..of_digit).map(|place| takes(digit) & !bits("beats", from, place).any()),
            );
            of_position.push(!bits("next_position", from, of_digit).any());
            let is_one = bits("beats", from, of_digit).equals(literal(of_digit, 1));
            of_fewer.push(choose(takes(digit), is_one, bit("none", digit)));
        }
        let fewer = name("beats") ^ name("turns");
        let next_none = choose(loads(), concat(of_position), concat(of_fewer));
        let next = vec![
            set("beats", choose(loads(), name("next_position"), fewer)),
            set("none", next_none),
        ];
        let doc = "Beats from the newest one to the position's; below zero if that has passed.";
        body.wire("next_position", width + 1, position)
            // The bits that change when one comes off.
            .wire("turns", width + 1, concat(turns))
            .register("beats", width + 1, doc)
            .register(
                "none",
                digits,
                "Of each four bits of these, whether none is set.",
            )
            .at_clock(when(name("beat"), next))
            .assign("left", concat([bits("beats", 0, width), zero(self._low)]))
            .assign("has_passed", bit("beats", width))
            .assign("is_here", !name("beats").any())
    }
}
