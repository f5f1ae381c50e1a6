//! The free words of the packet FIFO, and whether they are enough.

use super::{MARGIN, PacketFifo};
use crate::layout::FILL_BITS;
use crate::verilog::{Body, Operator, bit, choose, concat, literal, name, repeat, zero};

impl<const W: usize> PacketFifo<W> {
    /// The free words.
    pub(super) fn room(&self, body: Body) -> Body {
        let count_bits = self.count_bits();
        let freed = choose(
            name("dropped_1"),
            concat([name("length_1"), zero(1)]),
            zero(count_bits),
        );
        let (spent, read) = (|| name("was_spent"), || name("was_read"));
        let step = concat([spent() ^ read(), repeat(count_bits - 1, spent() & !read())]);
        // All words, less the margin, with the bias.
        let most = || literal(count_bits, (2 * self._words - MARGIN) as u64);
        body.with_reset(
            "was_spent",
            1,
            "A beat entered the core a clock ago; one was read then.",
            name("spent"),
            zero(1),
        )
        .with_reset("was_read", 1, "", name("go"), zero(1))
        .with_reset(
            "freed_2",
            count_bits,
            "Beats of the packet that is dropped.",
            freed,
            zero(count_bits),
        )
        .with_reset(
            "change",
            count_bits,
            "Words that became free, less the one that was taken.",
            name("freed_2") + step,
            zero(count_bits),
        )
        .with_reset(
            "free",
            count_bits,
            "Free words beyond the margin; with a bias, so that the top bit says whether there are enough.",
            name("free") + name("change"),
            most(),
        )
        .with_reset(
            "fill_now",
            count_bits,
            "Words that are in use or promised.",
            most().binary(Operator::Sub, name("free")),
            zero(count_bits),
        )
        .assign("room", bit("free", count_bits - 1))
        .assign(
            "fill",
            concat([name("fill_now"), zero(FILL_BITS - count_bits)]),
        )
    }
}
