//! A counter of a packet, of up to 32 bits, that says when it has saturated.
//!
//! A number is added to the lower bits of the sum, one bit in each clock, the lowest first. These bits are wide enough to carry into the
//! upper ones at most every second clock ([`lower`]). The clock between is enough to find which of the upper bits are ones. So all upper
//! bits take a carry at once. They have two shapes:
//!
//! - Where registers are on the carry's way, it comes to [`digits`] of four bits: to the lowest when it leaves the lower bits, to the others a
//!   clock later. No path has more than one LUT.
//! - Where none are, there is time for carry [`chain`]s, which are half as many LUTs.
//!
//! # Latency
//! [`latency`] clocks, a number in every clock.
//!
//! # Reset
//! None: a packet's first number clears what is there.

use self::digits::{Digits, at, state};
use crate::config::Grammar;
use crate::primitives::Cuts;
use crate::primitives::blank;
use crate::primitives::count::add;
use crate::primitives::fanout::is_far;
use crate::primitives::ripple::{NUMBER, passing, stage_of};
use crate::verilog::{Body, Expression, Run, Statement};
use crate::verilog::{bit, bits, concat, name, repeat, set, set_bits, zero};
use hdl_macros::{Blank, Block, Described};
use rust_hdl::prelude::*;

mod chain;
mod digits;

/// The verdict's stages: of a number's lowest bit, and of what adds it up; where a carry comes to the upper digits, where they have it,
/// and where the sum is shown.
const FIRST_STAGE: i32 = 23;
const CARRIED: i32 = 32;
const WHOLE: i32 = 33;

const SHOWN: &str = "The sum, and whether it has saturated.";

/// How many of the bits a number is added to, if the counter has as many. In two clocks no more than twice the lanes and the bytes that
/// waited can come, which is no more than these bits count to.
pub const fn lower(lanes: usize, grammar: Grammar) -> usize {
    (2 * lanes + grammar.most_waiting())
        .next_power_of_two()
        .ilog2() as usize
}

/// Clocks from a bit of a count to the same bit of the number that is added up. The bits are a stage later each, from 19 on without a tree's
/// own.
pub(super) fn to_number(cuts: Cuts) -> impl Fn(usize) -> usize {
    move |bit| cuts.between(19 + bit as i32, 22 + bit as i32)
}

/// Clocks from a number's lowest bit to the shown sum that contains it.
pub const fn latency(lanes: usize, grammar: Grammar) -> usize {
    lower(lanes, grammar) + 3
}

/// Copies of a register that clears or fills a sum of `width` bits: one for each eight bits if the lanes are far from each other, for then
/// so is what shows the sum.
pub fn copies_of_sum(lanes: usize, width: usize) -> usize {
    if is_far(lanes) { width / 8 } else { 1 }
}

/// Adds up what a packet's beats bring.
#[derive(Blank, Block, Described)]
pub struct Counter {
    pub clock: Signal<In, Clock>,
    /// The number is the first of its packet.
    pub first: Signal<In, Bit>,
    /// Each bit a clock later than the one below it.
    pub number: Signal<In, Bits<NUMBER>>,
    /// One more than `number`.
    pub one: Signal<In, Bit>,
    /// A clock before the sum is due: it is to be shown. A bit for each eight of the sum.
    pub shows: Signal<In, Bits<4>>,
    /// The sum, or all ones if it has saturated; zero if it is not to be shown.
    pub value: Signal<Out, Bits<32>>,
    pub saturated: Signal<Out, Bit>,
    _width: usize,
    /// Whether each lower bit has a register, and whether it has one at each further stage. With 128 lanes and counters of 8 bits there is
    /// a stage more than bits: what comes out of the top bit waits there.
    _lower: Vec<bool>,
    _waits: Vec<usize>,
    _carried: bool,
    _whole: bool,
    _copies: usize,
    _run: Run,
}

impl Counter {
    /// Of `width` bits: 8, 16, 24 or 32. With registers at these stages of the verdict.
    pub fn new(cuts: Cuts, lanes: usize, width: usize, grammar: Grammar) -> Self {
        let stages = (FIRST_STAGE..).take(lower(lanes, grammar));
        Self {
            _width: width,
            _waits: stages
                .clone()
                .map(|stage| cuts.between(stage, WHOLE))
                .collect(),
            _lower: stages.map(|stage| cuts.has(stage)).collect(),
            _carried: cuts.has(CARRIED),
            _whole: cuts.has(WHOLE),
            _copies: copies_of_sum(lanes, width),
            ..blank()
        }
    }

    fn body(&self, body: Body) -> Body {
        let (body, lower) = self.lower_bits(body);
        let is_chained = !self._carried && !self._whole && self.upper() > 0;
        let (body, sum) = match is_chained {
            true => self.chain(body, lower),
            false => self.digits(body, lower),
        };
        let copies = self._copies;
        let of_all = |bit: Expression| repeat(copies, bit);
        let over = of_all(!name("starts")) & (name("over") | of_all(name("into_over")));
        let body = body.register("over", copies, "The sum has saturated.");
        let (body, _) = state(body, self._whole, "over", copies, over);
        let over = match self._whole {
            true => "over",
            false => "now_over",
        };
        let body = body.wire("sum", self._width, concat(sum));
        let body = match is_chained {
            true => self.show_chain(body, over),
            false => self.show_digits(body, over),
        };
        body.later("shown_over", 1, "", bit(over, 0) & bit("shows", 0))
            .assign("saturated", name("shown_over"))
    }

    /// Bits above those that a number is added to.
    fn upper(&self) -> usize {
        self._width - self.lower_width()
    }

    /// The bits of the sum, with the upper ones in digits.
    fn digits(&self, body: Body, lower: Lower) -> (Body, Vec<Expression>) {
        let digits = Digits {
            bits: self.upper(),
            carried: self._carried,
            whole: self._whole,
        };
        let body = digits.registers(body);
        // See STARTS.
        let starts = match self._carried {
            true => lower.first.clone() & !lower.carry.clone(),
            false => lower.first.clone(),
        };
        let mut body = at(body, self._carried, "starts", 1, starts);
        let mut sum = lower.bits;
        for digit in 0..digits.digits() {
            let shown;
            (body, shown) = digits.digit(body, digit, &lower.first, &lower.carry);
            sum.push(shown);
        }
        let out = digits.carry_into(digits.digits(), &lower.carry);
        (at(body, self._carried, "into_over", 1, out), sum)
    }

    /// The same with the upper ones in carry chains.
    fn chain(&self, body: Body, lower: Lower) -> (Body, Vec<Expression>) {
        let body = body
            .wire("starts", 1, lower.first)
            .wire("into_upper", 1, lower.carry_or_first);
        let mut sum = lower.bits;
        sum.push(name("upper_sum"));
        (chain::chains(body, self.upper()), sum)
    }

    /// What is shown, in sums of products, for the way to a register's own clear would be longer than that through its LUT.
    fn show_digits(&self, body: Body, over: &str) -> Body {
        let bytes = (0..self._width / 8).map(|byte| {
            let over = bit(over, byte.min(self._copies - 1));
            let now = bits("sum", 8 * byte, 8) | repeat(8, over);
            now & repeat(8, bit("shows", byte))
        });
        let shown = concat(bytes.chain([zero(32 - self._width)]));
        body.later("shown", 32, SHOWN, shown)
            .assign("value", name("shown"))
    }

    /// What is shown; of the upper bits the sum as it comes out of the chains, with the registers' own clear: no LUT.
    fn show_chain(&self, mut body: Body, over: &str) -> Body {
        body = body.register("shown", self._width, SHOWN);
        let lower = self.lower_width();
        let of_copy = self._width / self._copies;
        for (copy, low) in (0..self._width).step_by(of_copy).enumerate() {
            let end = low + of_copy;
            if low < lower {
                let width = lower.min(end) - low;
                let now = bits("sum", low, width) | repeat(width, bit(over, copy));
                let shown = now & repeat(width, bit("shows", copy));
                body = body.at_clock(set_bits("shown", low, width, shown));
            }
            let low = low.max(lower);
            if low < end {
                let width = end - low;
                let shown = |value| vec![set_bits("shown", low, width, value)];
                body = body.at_clock(Statement::If {
                    test: bit("shows", copy) & !name("starts"),
                    then: shown(bits("sum", low, width)),
                    otherwise: shown(zero(width)),
                });
            }
        }
        let value = match 32 - self._width {
            0 => name("shown"),
            above => concat([name("shown"), zero(above)]),
        };
        body.assign("value", value)
    }

    fn lower_width(&self) -> usize {
        self._lower.len().min(self._width)
    }

    /// The bits that a number is added to.
    fn lower_bits(&self, body: Body) -> (Body, Lower) {
        let registers = &self._lower;
        let (lower, width) = (registers.len(), self.lower_width());
        let number = match width.checked_sub(NUMBER) {
            None | Some(0) => bits("number", 0, width),
            Some(more) => concat([name("number"), zero(more)]),
        };
        let first = |_, into| into;
        let (body, firsts) = passing(body, registers, "firsts", name("first"), first);
        let over = |index, into| {
            if index >= width {
                return into;
            }
            let kept = bit("total", index) & !bit("is_first", index);
            let number = if index < NUMBER {
                bit("number", index)
            } else {
                zero(1)
            };
            add(kept, number, Some(into)).1
        };
        let body = body
            .register("total", width, "The lower bits of the sum so far.")
            .register(
                "carried",
                lower,
                "Carries on their way, and the marks of a packet's first number.",
            )
            .register("firsts", lower, "")
            .wire("is_first", lower, firsts.into);
        let (body, carries) = passing(body, registers, "carried", name("one"), over);
        let of_bits = |of: &str| match lower - width {
            0 => name(of),
            _ => bits(of, 0, width),
        };
        let (total, mut carried) = add(name("kept"), number, Some(of_bits("carries")));
        if lower > width {
            carried = concat([carried, bits("carries", width, lower - width)]);
        }
        let mut body = body
            .wire("carries", lower, carries.into)
            .wire("kept", width, name("total") & !of_bits("is_first"))
            .wire("next", width, total)
            .at_clock(set("total", name("next")))
            .at_clock(set("carried", carried))
            .at_clock(set("firsts", name("is_first")));
        let mut doc = "The lower bits in the clocks before, the newest lowest.";
        let mut all = Vec::new();
        let after = stage_of(&registers[..width], "total", "next");
        for (index, (bit_now, &clocks)) in after.into_iter().zip(&self._waits).enumerate() {
            let register = format!("bit_{index}");
            all.push(match clocks {
                0 => bit_now,
                1 => {
                    body = body.later(&register, 1, std::mem::take(&mut doc), bit_now);
                    name(register)
                }
                _ => {
                    let next = concat([bit_now, bits(&register, 0, clocks - 1)]);
                    body = body.later(&register, clocks, std::mem::take(&mut doc), next);
                    bit(register, clocks - 1)
                }
            });
        }
        // Without a register after the top bit: for the chains, without a look at the mark of a first number, which is a LUT less.
        let top = width - 1;
        let carry_or_first = match registers[top..] {
            [false] if top < NUMBER => {
                add(
                    bit("total", top),
                    bit("number", top),
                    Some(bit("carries", top)),
                )
                .1
            }
            [false] => bit("carries", top) & bit("total", top),
            _ => carries.out.clone(),
        };
        let lower = Lower {
            bits: all,
            first: firsts.out,
            carry: carries.out,
            carry_or_first,
        };
        (body, lower)
    }
}

/// A counter's lower bits when they have waited for the upper ones, and what comes out of them.
struct Lower {
    bits: Vec<Expression>,
    /// The mark of a packet's first number.
    first: Expression,
    carry: Expression,
    /// The carry; with a first number, which clears all upper bits, it may be anything.
    carry_or_first: Expression,
}

#[cfg(test)]
mod tests;
