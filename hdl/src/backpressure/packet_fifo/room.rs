//! The free words of the packet FIFO, and whether they are enough.

use super::{MARGIN, PacketFifo};
use crate::layout::FILL_BITS;
use crate::verilog::{
    Body, Expression, Operator, bit, choose, concat, literal, name, repeat, zero,
};

impl<const W: usize> PacketFifo<W> {
    /// The free words.
    pub(super) fn room(&self, body: Body) -> Body {
        let count_bits = self.count_bits();
        let flag = |next: Expression| [next, zero(1)];
        let body = self.register(
            body,
            "was_spent",
            1,
            "A beat entered the core a clock ago; one was read then.",
            flag(name("spent")),
        );
        let body = self.register(body, "was_read", 1, "", flag(name("go")));
        let freed = choose(
            name("dropped_1"),
            concat([name("length_1"), zero(1)]),
            zero(count_bits),
        );
        let body = self.register(
            body,
            "freed_2",
            count_bits,
            "Beats of the packet that is dropped.",
            [freed, zero(count_bits)],
        );
        let (spent, read) = (|| name("was_spent"), || name("was_read"));
        let step = concat([spent() ^ read(), repeat(count_bits - 1, spent() & !read())]);
        let body = self.register(
            body,
            "change",
            count_bits,
            "Words that became free, less the one that was taken.",
            [name("freed_2") + step, zero(count_bits)],
        );
        let most = 2 * self._words - MARGIN;
        let body = self.register(
            body,
            "free",
            count_bits,
            "Free words beyond the margin; with a bias, so that the top bit says whether there are enough.",
            [name("free") + name("change"), literal(count_bits, most as u64)],
        );
        let most = literal(count_bits, most as u64);
        let fill = most.binary(Operator::Sub, name("free"));
        let body = self.register(
            body,
            "fill_now",
            count_bits,
            "Words that are in use or promised.",
            [fill, zero(count_bits)],
        );
        body.assign("room", bit("free", count_bits - 1)).assign(
            "fill",
            concat([name("fill_now"), zero(FILL_BITS - count_bits)]),
        )
    }
}
