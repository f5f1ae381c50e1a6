//! A counter of a packet, of up to 32 bits, that says when it has saturated.
//!
//! No path in it has more than one LUT. A number is added to the lower bits, one a clock; so each is a clock later than the one below it.
//! The lower bits are so many that they carry at most every second clock ([`lower`]): that is time to see, in the clock between, which of
//! the upper bits are ones. So the upper bits, four in a digit, all take that carry at once: those of the lowest digit when it comes,
//! the others a clock later.
//!
//! # Latency
//! [`latency`] clocks, a number in every clock.
//!
//! # Reset
//! None: a packet's first number clears what is there.

use crate::primitives::blank;
use crate::primitives::count::add;
use crate::verilog::{
    Body, Expression, Run, bit, bits, choose, concat, literal, name, one, repeat, set, zero,
};
use hdl_macros::{Blank, Block, Described};
use rust_hdl::prelude::*;
use std::iter;
use std::ops::Range;

/// Bits of a number.
const NUMBER: usize = 8;
/// Upper bits that are a digit.
const DIGIT: usize = 4;

const DIGITS: &str = "Upper bits of the sum so far, which all take the carry at once.";
const HIDES: &str = "The sum is not shown. Each counter has this by itself, near to what it clears. A first number never carries, but no tool knows that; else it would take all for one.";
const SHOWN: &str = "The sum, and whether it has saturated.";

/// How many of the bits a number is added to. In two clocks no more than twice the lanes and three bytes that waited can come, which is
/// less than these bits count to.
pub const fn lower(lanes: usize) -> usize {
    let bits = lanes.ilog2() as usize + 2;
    if bits < 3 { 3 } else { bits }
}

/// Clocks from a number's lowest bit to the shown sum that contains it.
pub const fn latency(lanes: usize) -> usize {
    lower(lanes) + 3
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
    /// Two clocks before the sum is due: it is not to be shown.
    pub hide: Signal<In, Bit>,
    /// The sum, or all ones if it has saturated; zero if it is not to be shown.
    pub value: Signal<Out, Bits<32>>,
    pub saturated: Signal<Out, Bit>,
    _width: usize,
    _lower: usize,
    _run: Run,
}

impl Counter {
    /// Of `width` bits: 8, 16, 24 or 32.
    pub fn new(lanes: usize, width: usize) -> Self {
        Self {
            _width: width,
            _lower: lower(lanes).min(width),
            ..blank()
        }
    }

    fn body(&self, body: Body) -> Body {
        let digits = self.upper().div_ceil(DIGIT);
        let (mut body, mut sum) = self.lower_bits(body);
        body = self.registers(body);
        for digit in 0..digits {
            body = self.upper_digit(body, digit);
            sum.push(name(match digit {
                0 => "late_digit_0".to_string(),
                _ => format!("digit_{digit}"),
            }));
        }
        let [carry, over, hides, starts] = ["into_over", "over", "hides", "starts"].map(name);
        let most = literal(32, u64::MAX >> (64 - self._width));
        let whole = concat(sum.into_iter().chain([zero(32 - self._width)]));
        let shown = choose(over.clone(), most, whole);
        body.at_clock(set("into_over", self.carry_into(digits)))
            .at_clock(set(
                "over",
                !starts.clone() & (over.clone() | carry.clone()),
            ))
            .at_clock(set("hides", name("hide") | (carry & starts)))
            .later("shown", 32, SHOWN, choose(hides.clone(), zero(32), shown))
            .later("shown_over", 1, "", !hides & over)
            .assign("value", name("shown"))
            .assign("saturated", name("shown_over"))
    }

    /// The bits that a number is added to; and these when they have waited for the upper ones.
    fn lower_bits(&self, body: Body) -> (Body, Vec<Expression>) {
        let lower = self._lower;
        let passed = |into: &str, from: &str| concat([name(into), bits(from, 0, lower - 1)]);
        let [kept, number, carries] = [name("kept"), bits("number", 0, lower), name("carries")];
        let (total, carried) = add(kept, number, Some(carries));
        let mut body = body
            .register("total", lower, "The lower bits of the sum so far.")
            .register(
                "carried",
                lower,
                "Carries on their way, and the marks of a packet's first number.",
            )
            .register("firsts", lower, "")
            .wire("is_first", lower, passed("first", "firsts"))
            .wire("carries", lower, passed("one", "carried"))
            .wire("kept", lower, name("total") & !name("is_first"))
            .at_clock(set("total", total))
            .at_clock(set("carried", carried))
            .at_clock(set("firsts", name("is_first")))
            .later(
                "starts",
                1,
                "The mark comes to the upper digits.",
                bit("firsts", lower - 1),
            );
        let mut doc = "The lower bits in the clocks before, the newest lowest.";
        let mut late = Vec::new();
        for index in 0..lower {
            let (register, clocks) = (format!("bit_{index}"), lower + 1 - index);
            let next = concat([bit("total", index), bits(&register, 0, clocks - 1)]);
            body = body.later(&register, clocks, std::mem::take(&mut doc), next);
            late.push(bit(register, clocks - 1));
        }
        (body, late)
    }

    /// Bits that take a carry only.
    fn upper(&self) -> usize {
        self._width - self._lower
    }

    /// Bits of an upper digit.
    fn width_of(&self, digit: usize) -> usize {
        DIGIT.min(self.upper() - DIGIT * digit)
    }

    /// The registers of the upper digits, and of what comes of them.
    fn registers(&self, body: Body) -> Body {
        let digits = self.upper().div_ceil(DIGIT);
        let of = |what: &'static str, digits: Range<usize>, doc: &'static str| {
            let docs = iter::once(doc).chain(iter::repeat(""));
            digits.zip(docs).map(move |(digit, doc)| (what, digit, doc))
        };
        of("digit", 0..digits, DIGITS)
            .chain(of(
                "late_digit",
                0..digits.min(1),
                "The lowest digit waits for the others.",
            ))
            .chain(of(
                "ones",
                0..digits,
                "Whether the bits below are ones, of each digit's upper two bits.",
            ))
            .chain(of("full", 0..digits, "All bits of the digit are ones."))
            .chain(of(
                "full_1_to",
                2..digits.max(3) - 1,
                "All bits of the digits up to this are, but for the lowest.",
            ))
            .chain(of("into", 1..digits, "The carry on its way to the digit."))
            .fold(body, |body, (what, digit, doc)| {
                let width = match what {
                    "digit" | "late_digit" => self.width_of(digit),
                    "ones" => self.width_of(digit).saturating_sub(2),
                    _ => 1,
                };
                match width {
                    0 => body,
                    _ => body.register(format!("{what}_{digit}"), width, doc),
                }
            })
            .register(
                "into_over",
                1,
                "The carry out of all digits; the sum has saturated.",
            )
            .register("over", 1, "")
            .register("hides", 1, HIDES)
    }

    /// What an upper digit becomes, which all take their carry at once.
    fn upper_digit(&self, body: Body, digit: usize) -> Body {
        let width = self.width_of(digit);
        let own = format!("digit_{digit}");
        let below = |count: usize| bits(&own, 0, count).all();
        let top = self._lower - 1;
        let (body, first, carry) = match digit {
            0 => {
                let body = body.at_clock(set("late_digit_0", name(&own)));
                (body, bit("firsts", top), bit("carried", top))
            }
            _ => {
                let into = format!("into_{digit}");
                let body = body.at_clock(set(&into, self.carry_into(digit)));
                (body, name("starts"), name(into))
            }
        };
        let ones = format!("ones_{digit}");
        let lowest = [one(), bit(&own, 0)].into_iter().chain([name(&ones)]);
        let flips = repeat(width, carry) & concat(lowest.take(width));
        let mut body = body.at_clock(set(&own, repeat(width, !first) & (name(&own) ^ flips)));
        if width > 2 {
            body = body.at_clock(set(ones, concat((2..width).map(below))));
        }
        let body = body.at_clock(set(format!("full_{digit}"), name(&own).all()));
        match digit {
            // A carry comes through them in one LUT; the lowest digit is not all ones again in the few clocks that this is late.
            2.. if digit + 2 <= self.upper().div_ceil(DIGIT) => {
                let below = match digit {
                    2 => name("full_1"),
                    _ => name(format!("full_1_to_{}", digit - 1)),
                };
                body.at_clock(set(
                    format!("full_1_to_{digit}"),
                    below & name(format!("full_{digit}")),
                ))
            }
            _ => body,
        }
    }

    /// The carry into an upper digit but the lowest, or out of all: every digit below is all ones.
    fn carry_into(&self, digit: usize) -> Expression {
        let full = |digit: usize| name(format!("full_{digit}"));
        let between = match digit {
            0 | 1 => Vec::new(),
            2 => vec![full(1)],
            3 => vec![full(1), full(2)],
            _ => vec![name(format!("full_1_to_{}", digit - 2)), full(digit - 1)],
        };
        let lowest = (digit > 0).then(|| full(0));
        (lowest.into_iter().chain(between))
            .fold(bit("carried", self._lower - 1), |all, it| all & it)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::random;
    use crate::embedded::settle;
    use crate::vector::from_bits;
    use rand::Rng;

    struct Beat {
        number: u64,
        hide: bool,
        sum: u64,
    }

    /// A beat in every clock: the sum of its packet so far, with every carry, up to saturation. Most beats are full; up to three bytes
    /// wait for the next one.
    fn sums(lanes: usize, width: usize, packet: u64, beats: usize) {
        let mut counter = Counter::new(lanes, width);
        counter.connect_all();
        let (mut random, mut saturated, mut waiting) = (random(), 0, 0);
        let most = u64::MAX >> (64 - width);
        let latency = latency(lanes);
        let mut all: Vec<Beat> = Vec::new();
        for clock in 0..beats {
            let before = all.last().map_or(0, |beat| beat.sum);
            let first = clock == 0 || random.random_range(0..packet) == 0;
            let lanes = lanes as u64;
            let bytes = match random.random_bool(0.9) {
                true => lanes,
                false => random.random_range(0..=lanes),
            };
            let waits = random.random_range(0..=3).min(bytes);
            let brings = bytes + if first { 0 } else { waiting } - waits;
            waiting = waits;
            let one = brings > 0 && random.random();
            let number = brings - u64::from(one);
            let sum = if first { 0 } else { before } + brings;
            let hide = random.random_range(0..8) == 0;
            all.push(Beat { number, hide, sum });
            let ago = |clocks: usize| clock.checked_sub(clocks).map(|beat| &all[beat]);
            counter.first.next = first;
            counter.one.next = one;
            counter.number.next =
                from_bits(|bit| ago(bit).is_some_and(|beat| beat.number >> bit & 1 == 1));
            counter.hide.next = ago(latency - 2).is_some_and(|beat| beat.hide);
            counter.clock.next = Clock { clk: false };
            settle(&mut counter).expect("it settles");
            if let Some(beat) = ago(latency) {
                let over = !beat.hide && beat.sum > most;
                let shown = if beat.hide { 0 } else { beat.sum.min(most) };
                assert_eq!(
                    counter.value.val().to_u64(),
                    shown,
                    "{lanes}: clock {clock}"
                );
                assert_eq!(counter.saturated.val(), over, "{lanes}: clock {clock}");
                saturated += usize::from(over);
            }
            counter.clock.next = Clock { clk: true };
            settle(&mut counter).expect("it settles");
        }
        assert!(saturated > 0);
    }

    #[test]
    fn a_packet_is_added_up_and_saturates() {
        for lanes in [1, 2, 4, 8, 64] {
            sums(lanes, 8, 400 / lanes as u64, 4_000);
        }
        sums(32, 16, 3_000, 10_000);
        sums(64, 16, 1_500, 10_000);
    }
}
