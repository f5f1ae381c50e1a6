//! The FIFO in which packets wait until it is known whether they are bad, and are dropped if they are.
//!
//! Beats are written into a block memory as they come. With a packet's last beat all of it is handed over to the reader, or its words are
//! free again and the next packet is written over it. A packet of more beats than can wait is handed over from the first beat that is too
//! many; it is not dropped.
//!
//! Where a beat is written is the packet's first word and the number of beats before it; so nothing has to go back. How it is read, and
//! how words become free, is of every [`super::store`].
//!
//! # Latency
//! [`LATENCY`] clocks from a packet's last beat to its first one.
//!
//! # Reset
//! All but the words, what is read of them, and, if there are several readers, what says that a beat is written: one more may be written
//! then, where nothing is read.

use super::store::{MARGIN, READ_LATENCY, Store};
use crate::layout::FILL_BITS;
use crate::primitives::blank;
use crate::primitives::digits::Digits;
use crate::primitives::fanout::copies;
use crate::verilog::{
    Body, Run, Sideband, bit, bits, choose, concat, name, one, repeat, width, zero,
};
use hdl_macros::{Blank, Block, Described, once};
use rust_hdl::prelude::*;

/// What reads beats of this number of bits, with their side signals, from a memory: each has a part of them.
pub fn readers(words: usize, bits: usize) -> usize {
    Store { words, bits }.regions()
}

/// Clocks from a packet's last beat until its first one comes out.
pub const LATENCY: usize = 3 + READ_LATENCY;

const WRITES: &str = "A beat is written.";

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
    /// The sink takes the beat on the outputs.
    pub ready: Signal<In, Bit>,
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

    /// Of beats with their side signals.
    fn store(&self) -> Store {
        Store {
            words: self._words,
            bits: W + width::<Sideband>(),
        }
    }

    fn body(&self, body: Body) -> Body {
        let body = self.room(self.read(self.write(self.come(body))));
        let beat = bits("shown", 0, W);
        let side = bits("shown", W, width::<Sideband>());
        body.assign("out_beat", beat)
            .assign("out_side", side)
            .assign("valid", name("shows"))
            .assign("dropped", name("dropped_1"))
            .assign("long", name("long_1"))
    }

    /// A beat comes: which one of its packet it is, and what is to be done with its packet.
    #[once(W, store: Store = self.store(), words = self._words, longest = self._longest)]
    fn come(&self, body: Body) -> Body {
        let address_bits = store.address_bits();
        let push = || name("push");
        let last = || bit("beat", W - 1);
        let ends = || push() & last();
        let bad = || bit("side", 0);
        let count = Digits {
            name: "count",
            bits: address_bits,
            first: 0,
            fills: false,
            reset: "reset",
        };
        let size = Digits {
            name: "size",
            first: (words - 1 - longest) as u64,
            fills: true,
            ..count
        };
        let too_long = || size.is_full();
        let next_released = choose(
            push(),
            (name("released") | too_long()) & !last(),
            name("released"),
        );
        let doc = "Beats of the packet before the next one.";
        let body = count.count(body, doc, push(), Some(ends()));
        let doc = "The same, from a number on with which it is full when the next one makes the packet too long.";
        let body = size.count(body, doc, push() & !too_long(), Some(ends()));
        body.with_reset(
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
            "good_1",
            1,
            "It ends a packet that is good and not too long: the reader gets all of it.",
            ends() & !bad() & !name("released"),
            zero(1),
        )
        .with_reset(
            "grows_1",
            1,
            "It makes its packet too long: the reader gets all of it so far.",
            push() & too_long() & !name("released"),
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
        .later("length_1", address_bits, "", count.next())
        .later(
            "beat_1",
            store.bits,
            "The beat, and its side signals.",
            concat([name("beat"), name("side")]),
        )
    }

    /// The beat is written.
    #[once(store: Store = self.store())]
    fn write(&self, body: Body) -> Body {
        let address_bits = store.address_bits();
        let mut body = match store.regions() {
            1 => body.with_reset("writes", 1, WRITES, name("push_1"), zero(1)),
            regions => {
                let never = name("stays_1") & name("dropped_1");
                let body = body.later("apart", 1, "Never set: it keeps copies apart.", never);
                let next = repeat(regions, name("push_1"));
                let body = copies(body, "writes", regions, WRITES, next);
                (0..regions).fold(body, |body, region| {
                    body.wire(store.of("writes", region), 1, bit("writes", region))
                })
            }
        };
        for region in 0..store.regions() {
            let [base, address] = ["base", "write_address"].map(|it| store.of(it, region));
            let next = choose(name("stays_1"), name(&base) + name("length_1"), name(&base));
            let doc = "Where the packet's first beat is.";
            let place = name(&base) + name("count_1");
            body = body
                .with_reset(base, address_bits, doc, next, zero(address_bits))
                .later(address, address_bits, "Where the beat is written.", place);
        }
        let doc = "The beat that is written.";
        body.later("write_beat", store.bits, doc, name("beat_1"))
    }

    /// The beats that are handed over, and read.
    fn read(&self, body: Body) -> Body {
        let store = self.store();
        let count_bits = store.count_bits();
        let less = choose(
            name("good_1") | name("grows_1"),
            concat([name("count_1"), zero(1)]),
            repeat(count_bits, !name("one_1")),
        );
        let body = body.settled(
            "less_2",
            count_bits,
            "Beats that the reader gets, less one.",
            less,
            repeat(count_bits, one()),
        );
        store.reads(body, name("less_2"))
    }

    /// The words that are free, those of a packet that is dropped too.
    fn room(&self, body: Body) -> Body {
        let store = self.store();
        let count_bits = store.count_bits();
        let freed = choose(
            name("dropped_1"),
            concat([name("length_1"), zero(1)]),
            zero(count_bits),
        );
        let body = body.with_reset(
            "freed_2",
            count_bits,
            "Beats of the packet that is dropped.",
            freed,
            zero(count_bits),
        );
        let body = store.room(body, Some(name("freed_2")));
        store.fill(body).assign("room", bit("free", count_bits - 1))
    }
}
