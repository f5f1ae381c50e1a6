//! The FIFO in which packets wait until it is known whether they are bad, and are dropped if they are.
//!
//! Beats are written into a block memory as they come. With a packet's last beat all of it is handed over to the reader, or its words are
//! free again and the next packet is written over it. A packet of more beats than can wait is handed over from the first beat that is too
//! many; it is not dropped.
//!
//! Where a beat is written is the packet's first word and the number of beats before it; so nothing has to go back. How many beats the
//! reader may take and how many words are free are counts with a bias, so that their top bit alone says whether there are enough, and is
//! zero before the first reset. They are late, and err to the safe side.
//!
//! # Latency
//! [`LATENCY`] clocks from a packet's last beat to its first one.
//!
//! # Reset
//! All but the words, and what is read of them.

mod room;

use crate::layout::FILL_BITS;
use crate::primitives::blank;
use crate::verilog::{
    Body, Expression, Run, Sideband, bit, bits, choose, concat, literal, name, one, repeat, set,
    undefined, when, width, write, zero,
};
use hdl_macros::{Blank, Block, Described};
use rust_hdl::prelude::*;

/// Clocks from a packet's last beat until its first one comes out.
pub const LATENCY: usize = 5;

/// Clocks from when a beat is read until it comes out.
pub const READ_LATENCY: usize = 2;

/// `tready` falls while fewer words than this are free: four beats may enter before `tready` shows the first of them.
const MARGIN: usize = 4;

/// A FIFO of packets whose last beat says whether they are bad: the lowest of their side signals. `longest` beats can wait; the memory has
/// `words`, a power of two.
#[derive(Blank, Block, Described)]
pub struct PacketFifo<const W: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    /// A beat enters the core.
    pub spent: Signal<In, Bit>,
    /// A beat enters the FIFO; its top bit says that its packet ends.
    pub push: Signal<In, Bit>,
    pub beat: Signal<In, Bits<W>>,
    pub side: Signal<In, Sideband>,
    /// There is room for a beat after this FIFO.
    pub enough: Signal<In, Bit>,
    /// A beat is read; it comes out [`READ_LATENCY`] clocks later.
    pub reads: Signal<Out, Bit>,
    /// A beat comes out.
    pub valid: Signal<Out, Bit>,
    pub out_beat: Signal<Out, Bits<W>>,
    pub out_side: Signal<Out, Sideband>,
    /// A packet has ended that is dropped, or that was too long for it.
    pub dropped: Signal<Out, Bit>,
    pub long: Signal<Out, Bit>,
    /// Words in use, or promised to a beat on its way.
    pub fill: Signal<Out, Bits<FILL_BITS>>,
    /// There are enough free words for what enters before `tready` can fall.
    pub room: Signal<Out, Bit>,
    _words: usize,
    _longest: usize,
    _run: Run,
}

impl<const W: usize> PacketFifo<W> {
    pub fn new(words: usize, longest: usize) -> Self {
        assert!(words.is_power_of_two() && longest > 0 && longest + 2 * MARGIN <= words);
        Self {
            _words: words,
            _longest: longest,
            ..blank()
        }
    }

    fn address_bits(&self) -> usize {
        self._words.ilog2() as usize
    }

    /// Bits of a count of words, of which the top one is for the bias.
    fn count_bits(&self) -> usize {
        self.address_bits() + 1
    }

    /// Bits of a beat with its side signals.
    fn all_bits(&self) -> usize {
        W + width::<Sideband>()
    }

    fn body(&self, body: Body) -> Body {
        let body = self.room(self.stock(self.write(self.come(body))));
        let beat = bits("shown", 0, W);
        let side = bits("shown", W, width::<Sideband>());
        body.assign("out_beat", beat)
            .assign("out_side", side)
            .assign("valid", name("valid_2"))
            .assign("reads", name("go"))
            .assign("dropped", name("dropped_1"))
            .assign("long", name("long_1"))
    }

    /// A beat comes: which one of its packet it is, and what is to be done with its packet.
    fn come(&self, body: Body) -> Body {
        let (address_bits, count_bits) = (self.address_bits(), self.count_bits());
        let push = || name("push");
        let last = || bit("beat", W - 1);
        let ends = || push() & last();
        let bad = || bit("side", 0);
        let too_long = || bit("left", count_bits - 1);
        let first = || literal(count_bits, self._longest as u64 - 1);
        let count = || name("count") + literal(address_bits, 1);
        let left = name("left") + literal(count_bits, (2 << address_bits) - 1);
        let next_count = choose(
            ends(),
            zero(address_bits),
            choose(push(), count(), name("count")),
        );
        let next_left = choose(
            ends(),
            first(),
            choose(push() & !too_long(), left, name("left")),
        );
        let next_released = choose(
            push(),
            (name("released") | too_long()) & !last(),
            name("released"),
        );
        let handed = !name("released") & (too_long() | (last() & !bad()));
        body.with_reset(
            "count",
            address_bits,
            "Beats of the packet before the next one.",
            next_count,
            zero(address_bits),
        )
        .with_reset(
            "left",
            count_bits,
            "Beats that can still come until the packet is too long, less one; the top bit says that the next one makes it so.",
            next_left,
            first(),
        )
        .with_reset(
            "released",
            1,
            "The packet is too long, and the reader has what there is of it.",
            next_released,
            zero(1),
        )
        .with_reset("push_1", 1, "A beat has come.", push(), zero(1))
        .with_reset(
            "stays_1",
            1,
            "It ends its packet, whose words stay taken.",
            ends() & (too_long() | !bad()),
            zero(1),
        )
        .with_reset(
            "whole_1",
            1,
            "With it the reader gets all beats of its packet so far.",
            push() & handed,
            zero(1),
        )
        .with_reset(
            "one_1",
            1,
            "With it the reader gets it alone: the packet is too long.",
            push() & name("released"),
            zero(1),
        )
        .with_reset(
            "long_1",
            1,
            "It ends its packet, which is too long to be dropped.",
            ends() & too_long(),
            zero(1),
        )
        .with_reset(
            "dropped_1",
            1,
            "It ends its packet, which is dropped.",
            ends() & bad() & !too_long(),
            zero(1),
        )
        .later(
            "count_1",
            address_bits,
            "Beats of its packet before it, and with it.",
            name("count"),
        )
        .later("length_1", address_bits, "", count())
        .later(
            "beat_1",
            self.all_bits(),
            "The beat, and its side signals.",
            concat([name("beat"), name("side")]),
        )
    }

    /// The beat is written.
    fn write(&self, body: Body) -> Body {
        let address_bits = self.address_bits();
        let next_base = choose(
            name("stays_1"),
            name("base") + name("length_1"),
            name("base"),
        );
        let place = name("base") + name("count_1");
        let written = write("words", name("write_address"), name("beat_2"));
        body.with_reset(
            "base",
            address_bits,
            "Where the packet's first beat is.",
            next_base,
            zero(address_bits),
        )
        .with_reset(
            "push_2",
            1,
            "A beat is written: where, and what.",
            name("push_1"),
            zero(1),
        )
        .later("write_address", address_bits, "", place)
        .later("beat_2", self.all_bits(), "", name("beat_1"))
        .memory("words", self.all_bits(), self._words, "Never reset.")
        .at_clock(when(name("push_2"), vec![written]))
    }

    /// The beats that the reader may take, and those that it takes.
    fn stock(&self, body: Body) -> Body {
        let (address_bits, count_bits) = (self.address_bits(), self.count_bits());
        let less = choose(
            name("whole_1"),
            concat([name("count_1"), zero(1)]),
            repeat(count_bits, !name("one_1")),
        );
        // One more if none is taken: as a carry into the chain, before which there is no LUT then.
        let sum = concat([one(), name("stock")]) + concat([!name("go"), name("less_2")]);
        let next_read = choose(
            name("go"),
            name("read_address") + literal(address_bits, 1),
            name("read_address"),
        );
        let go = bit("stock", count_bits - 1) & name("enough");
        let clash = name("push_2") & name("write_address").equals(name("read_address"));
        let word = Expression::At("words".into(), Box::new(name("read_address")));
        let read = choose(name("clash"), undefined(self.all_bits()), word);
        body.with_reset(
            "less_2",
            count_bits,
            "Beats that the reader gets, less one.",
            less,
            literal(count_bits, (2 << address_bits) - 1),
        )
        .wire("go", 1, go)
        .wire("stock_sum", count_bits + 1, sum)
        .with_reset(
            "stock",
            count_bits,
            "Beats that the reader may take, less one; with a bias, so that the top bit says whether there is one.",
            bits("stock_sum", 1, count_bits),
            literal(count_bits, (1 << address_bits) - 1),
        )
        .with_reset(
            "read_address",
            address_bits,
            "Where the next beat is read.",
            next_read,
            zero(address_bits),
        )
        .with_reset(
            "valid_1",
            1,
            "A beat was read; a beat is shown.",
            name("go"),
            zero(1),
        )
        .with_reset("valid_2", 1, "", name("valid_1"), zero(1))
        .wire("clash", 1, clash)
        .any_register(
            "read",
            self.all_bits(),
            "What is read; nobody looks at it if it is written in the same clock.",
        )
        .at_clock(set("read", read))
        .any_register(
            "shown",
            self.all_bits(),
            "The beat that comes out, from a register of the memory's own.",
        )
        .at_clock(set("shown", name("read")))
    }
}
