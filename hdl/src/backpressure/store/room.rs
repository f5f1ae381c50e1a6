//! The free words of a store, and whether they are enough.

use super::{MARGIN, Store};
use crate::layout::FILL_BITS;
use crate::verilog::{Body, Expression, Operator, bit, concat, literal, name, repeat, zero};

impl Store {
    /// All words, less the margin, with the bias.
    fn most(self) -> Expression {
        literal(self.count_bits(), (2 * self.words - MARGIN) as u64)
    }

    /// The free words: the top bit of `free` says whether they are enough. `freed` is the number of those that are given up at once.
    pub fn room(self, body: Body, freed: Option<Expression>) -> Body {
        let count_bits = self.count_bits();
        let step = concat([bit("step", 0), repeat(count_bits - 1, bit("step", 1))]);
        let change = match freed {
            Some(freed) => freed + step,
            None => step,
        };
        let spent = name("was_spent") & !name("was_read");
        let body = body
            .with_reset(
                "was_spent",
                1,
                "What will be a beat here entered the core a clock ago.",
                name("spent"),
                zero(1),
            )
            .with_reset(
                "step",
                2,
                "Beats that were read, less those that entered: 1, 0 or minus 1.",
                concat([name("was_spent") ^ name("was_read"), spent]),
                zero(2),
            )
            .with_reset(
                "change",
                count_bits,
                "Words that became free, less the one that was taken.",
                change,
                zero(count_bits),
            );
        body.settled(
            "free",
            count_bits,
            "Free words beyond the margin; with a bias, so that the top bit says whether there are enough.",
            name("free") + name("change"),
            self.most(),
        )
    }

    /// The output `fill`, for the registers.
    pub fn fill(self, body: Body) -> Body {
        let count_bits = self.count_bits();
        body.with_reset(
            "fill_now",
            count_bits,
            "Words that are in use or promised.",
            self.most().binary(Operator::Sub, name("free")),
            zero(count_bits),
        )
        .assign(
            "fill",
            concat([name("fill_now"), zero(FILL_BITS - count_bits)]),
        )
    }
}
