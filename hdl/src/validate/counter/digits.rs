//! The upper bits of a counter, in digits that all take a carry at once.

use crate::verilog::{Body, Expression, bit, bits, concat, name, one, repeat, set};
use std::iter;
use std::ops::Range;

/// Bits of a digit.
const DIGIT: usize = 4;
const DIGITS: &str = "Upper bits of the sum so far, which all take the carry at once.";
pub const STARTS: &str = "The mark comes to the upper digits, of each counter by itself, near to what it clears. A first number never carries, but no tool knows that; else it would take all for one.";

/// What a register of a stage is to become, or the wire in its place is.
pub fn at(body: Body, is_register: bool, name: &str, width: usize, next: Expression) -> Body {
    match is_register {
        true => body.at_clock(set(name, next)),
        false => body.wire(name, width, next),
    }
}

/// What a state is to become, and what it is after its stage.
pub fn state(
    body: Body,
    is_register: bool,
    state: &str,
    width: usize,
    next: Expression,
) -> (Body, Expression) {
    if is_register {
        return (body.at_clock(set(state, next)), name(state));
    }
    let now = format!("now_{state}");
    let body = body.wire(&now, width, next);
    (body.at_clock(set(state, name(&now))), name(now))
}

/// The digits, and whether there are registers where a carry comes to them, and where they have taken it.
pub struct Digits {
    /// Bits of all.
    pub bits: usize,
    pub carried: bool,
    pub whole: bool,
}

impl Digits {
    pub fn digits(&self) -> usize {
        self.bits.div_ceil(DIGIT)
    }

    /// Bits of an upper digit.
    fn width_of(&self, digit: usize) -> usize {
        DIGIT.min(self.bits - DIGIT * digit)
    }

    /// The registers of the upper digits, and of what comes of them.
    pub fn registers(&self, body: Body) -> Body {
        let digits = self.digits();
        let of = |what: &'static str, digits: Range<usize>, doc: &'static str| {
            let docs = iter::once(doc).chain(iter::repeat(""));
            digits.zip(docs).map(move |(digit, doc)| (what, digit, doc))
        };
        let [carried, whole] = [self.carried, self.whole].map(usize::from);
        let one = |body: Body, is_register, name: &str, doc| match is_register {
            true => body.register(name, 1, doc),
            false => body,
        };
        let body = one(body, self.carried, "starts", STARTS);
        let body = of("digit", 0..digits, DIGITS)
            .chain(of(
                "late_digit",
                0..digits.min(whole),
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
            .chain(of(
                "into",
                1..1 + digits.saturating_sub(1) * carried,
                "The carry on its way to the digit.",
            ))
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
            });
        one(
            body,
            self.carried,
            "into_over",
            "The carry out of all digits.",
        )
    }

    /// What an upper digit becomes, which all take their carry at once; and what it is when the sum is whole.
    pub fn digit(
        &self,
        body: Body,
        digit: usize,
        first: &Expression,
        carry: &Expression,
    ) -> (Body, Expression) {
        let width = self.width_of(digit);
        let own = format!("digit_{digit}");
        let below = |count: usize| bits(&own, 0, count).all();
        let (body, first, carry) = match digit {
            0 => (body, first.clone(), carry.clone()),
            _ => {
                let into = format!("into_{digit}");
                let body = at(body, self.carried, &into, 1, self.carry_into(digit, carry));
                (body, name("starts"), name(into))
            }
        };
        let ones = format!("ones_{digit}");
        let lowest = [one(), bit(&own, 0)].into_iter().chain([name(&ones)]);
        let flips = repeat(width, carry) & concat(lowest.take(width));
        let next = repeat(width, !first) & (name(&own) ^ flips);
        let (mut body, mut shown) = match digit {
            0 => state(body, self.carried, &own, width, next),
            _ => state(body, self.whole, &own, width, next),
        };
        if digit == 0 && self.whole {
            body = body.at_clock(set("late_digit_0", shown));
            shown = name("late_digit_0");
        }
        if width > 2 {
            body = body.at_clock(set(ones, concat((2..width).map(below))));
        }
        let body = body.at_clock(set(format!("full_{digit}"), name(&own).all()));
        let body = match digit {
            // A carry comes through them in one LUT; the lowest digit is not all ones again in the few clocks that this is late.
            2.. if digit + 2 <= self.digits() => {
                let below = match digit {
                    2 => name("full_1"),
                    _ => name(format!("full_1_to_{}", digit - 1)),
                };
                let all = below & name(format!("full_{digit}"));
                body.at_clock(set(format!("full_1_to_{digit}"), all))
            }
            _ => body,
        };
        (body, shown)
    }

    /// The carry into an upper digit but the lowest, or out of all: every digit below is all ones.
    pub fn carry_into(&self, digit: usize, carry: &Expression) -> Expression {
        let full = |digit: usize| name(format!("full_{digit}"));
        let between = match digit {
            0 | 1 => Vec::new(),
            2 => vec![full(1)],
            3 => vec![full(1), full(2)],
            _ => vec![name(format!("full_1_to_{}", digit - 2)), full(digit - 1)],
        };
        let lowest = (digit > 0).then(|| full(0));
        (lowest.into_iter().chain(between)).fold(carry.clone(), |all, it| all & it)
    }
}
