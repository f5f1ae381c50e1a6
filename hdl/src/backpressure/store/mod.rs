//! The FIFO in block memory that drop mode has for both streams: its words, how they are read, and how many of them are free.
//!
//! A block memory has a register for what it reads, and one of its own after it, each with an enable. They hold a beat each, so that the
//! sink's `tready` comes to a few enables, and not to a register bit for each bit of a beat. What reads is there once for each [`REGION`]
//! blocks of a beat's bits, near to these; the copies do the same.
//!
//! Which beats may be read is a count, too slow for that. So each beat is *given* to the readers first, a token for each, and they have
//! enough tokens to read in every clock while the count is asked for the next one. A count has a bias, so that its top bit alone says
//! whether there is enough.
//!
//! A block that uses it has the inputs `reset`, `spent` and `ready`, the register `write_beat`, and for each region `writes` and
//! `write_address`: a beat is written, and where.

mod room;

use crate::primitives::digits::Digits;
use crate::verilog::{
    Body, Expression, bit, bits, choose, concat, literal, name, one, repeat, set, undefined, when,
    write, zero,
};

/// `tready` falls while fewer words than this are free: five beats may enter before `tready` shows the first of them.
pub const MARGIN: usize = 5;

/// Clocks from when the count of beats that may be read shows a beat until it comes out.
pub const READ_LATENCY: usize = 4;

/// Bits of all words of a block, and of a word at most.
const BLOCK: usize = 18 << 10;
const BLOCK_WORD: usize = 36;

/// Blocks, side by side, that one reader has at least.
const REGION: usize = 4;

/// Tokens: a beat is given four clocks after the read that makes room for it, and one token may be on its way. Five are enough; one is to
/// spare.
const TOKENS: usize = 6;

/// A memory of `words`, a power of two, each of `bits`.
#[derive(Clone, Copy)]
pub struct Store {
    pub words: usize,
    pub bits: usize,
}

impl Store {
    pub fn address_bits(self) -> usize {
        self.words.ilog2() as usize
    }

    /// Bits of a count of words, of which the top one is for the bias.
    pub fn count_bits(self) -> usize {
        self.address_bits() + 1
    }

    /// What is read. `less` is the number of beats that may be read from now on, less one. The beat that comes out is `shown`, if `shows`.
    pub fn reads(self, body: Body, less: Expression) -> Body {
        let mut body = self.given(body, less);
        for region in 0..self.regions() {
            body = self.reader(body, region);
        }
        let all = (0..self.regions()).map(|region| name(self.of("shown", region)));
        let shown = concat(all);
        match self.regions() {
            1 => body,
            _ => body
                .wire("shown", self.bits, shown)
                .wire("shows", 1, name(self.of("shows", 0))),
        }
    }

    /// Bits of a beat that a block has.
    fn block(self) -> usize {
        (BLOCK / self.words).clamp(1, BLOCK_WORD)
    }

    fn blocks(self) -> usize {
        self.bits.div_ceil(self.block())
    }

    pub fn regions(self) -> usize {
        (self.blocks() / REGION).max(1)
    }

    /// The lowest bit of a region.
    fn low(self, region: usize) -> usize {
        self.bits
            .min(region * self.blocks() / self.regions() * self.block())
    }

    /// The name of what each region has.
    pub fn of(self, what: &str, region: usize) -> String {
        match self.regions() {
            1 => what.to_string(),
            _ => format!("{what}_{region}"),
        }
    }

    /// The beats that are given to the readers.
    fn given(self, body: Body, less: Expression) -> Body {
        let count_bits = self.count_bits();
        let top = |count: &str| bit(count, count_bits - 1);
        // One more if none was given: as a carry into the chain.
        let sum = |count: &str| concat([one(), name(count)]) + concat([name("kept"), less.clone()]);
        let is_there = top("stock") & (!name("gave") | top("stock_before"));
        let next = |count: &str| bits(format!("{count}_sum"), 1, count_bits);
        let bias = (1 << (count_bits - 1)) - 1;
        let body = body
            .wire("gives", 1, is_there & bit("tokens_free", 1))
            .with_reset(
                "gave",
                1,
                "A beat is given to the readers.",
                name("gives"),
                zero(1),
            );
        let doc = "None is: a register of its own, so that there is no LUT before the chain.";
        let body = (body.settled("kept", 1, doc, !name("gives"), one()))
            .wire("stock_sum", count_bits + 1, sum("stock"))
            .wire("stock_before_sum", count_bits + 1, sum("stock_before"));
        let body = body.settled(
            "stock",
            count_bits,
            "Beats that may be given, the one that was given a clock ago included, less one; with a bias, so that the top bit says whether there is one.",
            next("stock"),
            literal(count_bits, bias),
        );
        let body = body.settled(
            "stock_before",
            count_bits,
            "One less, for the clock after one was given.",
            next("stock_before"),
            literal(count_bits, bias - 1),
        );
        let body = body.with_reset(
            "was_read",
            1,
            "A beat was read.",
            name(self.of("reads", 0)),
            zero(1),
        );
        let change = name("gave") ^ name("was_read");
        let free = moved("tokens_free", TOKENS, name("was_read"));
        body.settled(
            "tokens_free",
            TOKENS,
            "Bit i says that more than i tokens are free.",
            choose(change, free, name("tokens_free")),
            repeat(TOKENS, one()),
        )
    }

    /// A region of the memory, and what reads it.
    fn reader(self, body: Body, region: usize) -> Body {
        let low = self.low(region);
        let width = self.low(region + 1) - low;
        let of = |what: &str| self.of(what, region);
        let on = |what: &str| name(of(what));
        let any = || bit(of("tokens"), 0);
        let waits = || on("shows") & !name("ready");
        let change = name("gave") ^ on("reads");
        let tokens = moved(&of("tokens"), TOKENS, name("gave"));
        let full = (any() & (on("fetched") | waits())) | (on("fetched") & waits());
        let clash = on("writes") & on("write_address").equals(on("read_address"));
        let word = Expression::At(of("words"), Box::new(on("read_address")));
        let read = choose(on("clash"), undefined(width), word);
        let written = write(
            of("words"),
            on("write_address"),
            bits("write_beat", low, width),
        );
        let address = Digits {
            name: &of("read_address"),
            bits: self.address_bits(),
            first: 0,
            fills: false,
            reset: "reset",
        };
        let body = address.count(body, "Where the next beat is read.", on("reads"), None);
        body.memory(of("words"), width, self.words, "Never reset.")
            .at_clock(when(on("writes"), vec![written]))
            .wire(of("reads"), 1, any() & (!on("full") | name("ready")))
            .with_reset(
                of("tokens"),
                TOKENS,
                "Bit i says that more than i beats were given that are not read.",
                choose(change, tokens, on("tokens")),
                zero(TOKENS),
            )
            .with_reset(
                of("fetched"),
                1,
                "A beat waits in read.",
                any() | (on("full") & !name("ready")),
                zero(1),
            )
            .with_reset(
                of("shows"),
                1,
                "A beat comes out.",
                on("fetched") | waits(),
                zero(1),
            )
            .with_reset(
                of("full"),
                1,
                "A beat comes out, and one waits in read.",
                full,
                zero(1),
            )
            .wire(of("clash"), 1, clash)
            .any_register(
                of("read"),
                width,
                "What was read; never from a word in the clock that writes it.",
            )
            .at_clock(when(on("reads"), vec![set(of("read"), read)]))
            .register(
                of("shown"),
                width,
                "The beat that comes out, from a register of the memory's own.",
            )
            .at_clock(when(
                on("fetched") & (!on("shows") | name("ready")),
                vec![set(of("shown"), on("read"))],
            ))
    }
}

/// A thermometer with one more, or one less.
fn moved(thermometer: &str, width: usize, more: Expression) -> Expression {
    let up = concat([one(), bits(thermometer, 0, width - 1)]);
    let down = concat([bits(thermometer, 1, width - 1), zero(1)]);
    choose(more, up, down)
}
