//! Counters without a chain of carries: no bit waits for more than a digit and a few flags.
//!
//! A counter is some digits of up to three bits. Beside each but the lowest a register says that all digits below it are full, so that
//! the next step carries into it. That is known a step before: the lowest digit becomes full, and those in between are. They change at
//! most once in eight steps, so what says that they are full may be late, by a clock for each of them.

use crate::verilog::{Body, Expression, choose, concat, is_number, literal, name, or_reset, zero};

/// Bits of a digit; the highest one may have fewer.
const DIGIT: usize = 3;

/// Bits that are one digit: with a reset by the flip-flop and an enable of it, they are functions of four inputs.
const FEW: usize = 4;

/// Registers `NAME_digit_0`, `NAME_digit_1` and so on, and the wire `NAME` of all; of few bits the register `NAME`.
#[derive(Clone, Copy)]
pub struct Digits<'a> {
    pub name: &'a str,
    pub bits: usize,
    /// The value after a reset.
    pub first: u64,
    /// Whether it is asked if the counter is full.
    pub fills: bool,
    /// The reset.
    pub reset: &'a str,
}

impl Digits<'_> {
    /// The counter, which takes a step if `step` says so, and is at its first value again if `again` does.
    pub fn count(
        self,
        mut body: Body,
        doc: &'static str,
        step: Expression,
        again: Option<Expression>,
    ) -> Body {
        let first = |low: usize, bits: usize| self.first >> low & ((1 << bits) - 1);
        let or_first = |next: Expression, value: Expression| match &again {
            Some(again) => choose(again.clone(), value, next),
            None => next,
        };
        if self.is_one() {
            let value = literal(self.bits, self.first);
            let next = choose(step, self.next(), name(self.name));
            let next = or_first(next, value.clone());
            return self.set_at_reset(body, self.name.to_string(), self.bits, doc, next, value);
        }
        // Six steps after a digit has changed it is asked for: each digit in between takes one.
        assert!(self.bits >= DIGIT && self.carries() <= 8);
        // Whether the digits from the second one to this one are full in the first value.
        let is_full_at_first = |digit: usize| {
            let ones = |of: usize| first(DIGIT * of, self.width(of)) == (1 << self.width(of)) - 1;
            (1..=digit).all(ones)
        };
        for digit in 0..self.digits() {
            let (of, width) = (self.of("digit_", digit), self.width(digit));
            let steps = match digit {
                0 => step.clone(),
                _ => step.clone() & name(self.of("carry_", digit)),
            };
            let doc = if digit == 0 { doc } else { "" };
            let next = choose(steps, name(&of) + literal(width, 1), name(&of));
            let value = literal(width, first(DIGIT * digit, width));
            body = self.set_at_reset(body, of, width, doc, or_first(next, value.clone()), value);
        }
        for digit in 1..self.carries() {
            let of = self.of("carry_", digit);
            let mut fills = is_number(&self.of("digit_", 0), 0, DIGIT, (1 << DIGIT) - 2);
            if digit > 1 {
                fills = fills & name(self.of("full_", digit - 1));
            }
            let value = first(0, DIGIT) == (1 << DIGIT) - 1 && is_full_at_first(digit - 1);
            let value = literal(1, u64::from(value));
            let next = or_first(choose(step.clone(), fills, name(&of)), value.clone());
            let doc = if digit == 1 { CARRY } else { "" };
            body = self.set_at_reset(body, of, 1, doc, next, value);
        }
        for digit in 1..self.carries() - 1 {
            let mut full = name(self.of("digit_", digit)).all();
            if digit > 1 {
                full = full & name(self.of("full_", digit - 1));
            }
            let value = literal(1, u64::from(is_full_at_first(digit)));
            let next = or_first(full, value.clone());
            let doc = if digit == 1 { FULL } else { "" };
            body = self.set_at_reset(body, self.of("full_", digit), 1, doc, next, value);
        }
        let all = (0..self.digits()).map(|digit| name(self.of("digit_", digit)));
        body.wire(self.name, self.bits, concat(all))
    }

    /// The value after a step.
    pub fn next(self) -> Expression {
        if self.is_one() {
            return name(self.name) + literal(self.bits, 1);
        }
        concat((0..self.digits()).map(|digit| {
            let width = self.width(digit);
            let carry = match digit {
                0 => literal(width, 1),
                _ if width == 1 => name(self.of("carry_", digit)),
                _ => concat([name(self.of("carry_", digit)), zero(width - 1)]),
            };
            name(self.of("digit_", digit)) + carry
        }))
    }

    /// All bits are set.
    pub fn is_full(self) -> Expression {
        name(self.of("carry_", self.digits()))
    }

    fn is_one(self) -> bool {
        self.bits <= FEW && !self.fills
    }

    fn digits(self) -> usize {
        self.bits.div_ceil(DIGIT)
    }

    fn width(self, digit: usize) -> usize {
        DIGIT.min(self.bits - DIGIT * digit)
    }

    /// One more than the digits that have a carry into them; after the highest one if it is asked whether all are full.
    fn carries(self) -> usize {
        self.digits() + usize::from(self.fills)
    }

    /// A register that has this value after a reset.
    fn set_at_reset(
        self,
        body: Body,
        of: String,
        width: usize,
        doc: &'static str,
        next: Expression,
        value: Expression,
    ) -> Body {
        let is_zero = matches!(&value, Expression::Literal(literal) if literal.is_zero());
        let body = match is_zero {
            true => body.register(&of, width, doc),
            // At power-up it is no number of its own: a flip-flop has one value for both.
            false => body.any_register(&of, width, doc),
        };
        body.at_clock(or_reset(self.reset, of, next, value))
    }

    fn of(self, what: &str, digit: usize) -> String {
        format!("{}_{what}{digit}", self.name)
    }
}

const CARRY: &str = "All digits below it are full: the next step carries into it.";
const FULL: &str = "It is full, and all between it and the lowest one; a clock late for each.";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::random;
    use crate::embedded::settle;
    use crate::primitives::blank;
    use crate::verilog::Run;
    use hdl_macros::{Blank, Block, Described};
    use rand::Rng;
    use rust_hdl::prelude::*;

    /// A counter, and what it says of itself.
    #[derive(Blank, Block, Described)]
    struct Counted {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        pub step: Signal<In, Bit>,
        pub again: Signal<In, Bit>,
        pub value: Signal<Out, Bits<16>>,
        pub next: Signal<Out, Bits<16>>,
        pub full: Signal<Out, Bit>,
        _bits: usize,
        _first: u64,
        _run: Run,
    }

    impl Counted {
        fn body(&self, body: Body) -> Body {
            let bits = self._bits;
            let digits = Digits {
                name: "count",
                bits,
                first: self._first,
                fills: true,
                reset: "reset",
            };
            let wide = |value| match bits {
                16 => value,
                _ => concat([value, zero(16 - bits)]),
            };
            digits
                .count(body, "", name("step"), Some(name("again")))
                .assign("value", wide(name("count")))
                .assign("next", wide(digits.next()))
                .assign("full", digits.is_full())
        }
    }

    #[test]
    fn it_counts_from_its_first_value_on() {
        let mut random = random();
        for (bits, first) in [
            (4, 0),
            (4, 9),
            (5, 30),
            (6, 7),
            (7, 120),
            (9, 0),
            (9, 509),
            (10, 1016),
            (13, 8127),
        ] {
            let mut block = Counted {
                _bits: bits,
                _first: first,
                ..blank()
            };
            block.connect_all();
            let mut value = first;
            for clock in 0..3000 {
                // Some runs through all values, some that end early.
                let again = clock > 1500 && random.random_bool(0.05);
                block.reset.next = clock == 0 || random.random_bool(0.0005);
                block.step.next = random.random_bool(0.9);
                block.again.next = again;
                for clk in [false, true] {
                    block.clock.next = Clock { clk };
                    settle(&mut block).expect("it settles");
                    if !clk && clock > 0 {
                        let all = (1 << bits) - 1;
                        assert_eq!(
                            block.value.val().to_u64(),
                            value,
                            "{bits} bits from {first}"
                        );
                        assert_eq!(block.next.val().to_u64(), (value + 1) & all);
                        assert_eq!(block.full.val(), value == all, "{bits} bits at {value}");
                    }
                }
                value = match () {
                    _ if block.reset.val() || block.again.val() => first,
                    _ if block.step.val() => (value + 1) & ((1 << bits) - 1),
                    _ => value,
                };
            }
        }
    }
}
