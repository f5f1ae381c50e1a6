//! The FIFO of a core of a smaller depth, with its credits.
//!
//! The count has more than one LUT between registers, as the pipeline before it has, and the FIFO has one bank. So a credit is back after
//! fewer clocks than with [`super::fifo`] and [`super::credits`], and fewer words are enough.
//!
//! # Latency
//! [`LATENCY`] clocks, a beat in every clock.
//!
//! # Reset
//! All but the words and what shows them.

use crate::primitives::blank;
use crate::verilog::{
    Body, Expression, Run, Sideband, Statement, bit, bits, concat, literal, name, one, repeat, set,
    when, width, write, zero,
};
use hdl_macros::{Blank, Block, Described, once};
use rust_hdl::prelude::*;

/// Clocks that the FIFO adds.
pub const LATENCY: usize = 2;

/// `tready` falls while fewer words than this are unpromised: four beats may enter before `tready` shows the first of them,
/// and a word is always left empty.
const MARGIN: usize = 5;

/// The words of the FIFO after a pipeline of some clocks. A sink that takes a beat in every clock never makes the source wait: a word is
/// free for each beat in the pipeline, for the one that is being read, and for the margin.
pub const fn words(clocks: usize) -> usize {
    clocks + 1 + MARGIN
}

/// A FIFO that does not refuse a beat, and the count of its free words. A beat that enters the core spends one; it comes back when the
/// beat leaves the memory, or turns out to have nothing to send.
#[derive(Blank, Block, Described)]
pub struct Shallow<const W: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    /// A beat enters the core.
    pub spent: Signal<In, Bit>,
    /// A beat that entered the core will not come.
    pub retired: Signal<In, Bit>,
    /// A beat enters the FIFO.
    pub push: Signal<In, Bit>,
    pub beat: Signal<In, Bits<W>>,
    pub side: Signal<In, Sideband>,
    /// The sink takes the beat on the outputs.
    pub ready: Signal<In, Bit>,
    pub valid: Signal<Out, Bit>,
    pub out_beat: Signal<Out, Bits<W>>,
    pub out_side: Signal<Out, Sideband>,
    /// There are enough unpromised words for what enters before `tready` can fall.
    pub enough: Signal<Out, Bit>,
    _words: usize,
    _run: Run,
}

impl<const W: usize> Shallow<W> {
    pub fn new(words: usize) -> Self {
        Self {
            _words: words,
            ..blank()
        }
    }

    fn body(&self, body: Body) -> Body {
        let body = self.credits(self.queue(body));
        body.assign("valid", name("shown"))
            .assign("out_beat", name("shown_beat"))
            .assign("out_side", name("shown_side"))
    }

    /// The words, and the one that is shown.
    #[once(W, words = self._words)]
    fn queue(&self, body: Body) -> Body {
        let most = words - 1;
        let address_bits = words.next_power_of_two().ilog2() as usize;
        let any = bit("filled", 0);
        let [push, loads] = ["push", "loads"].map(name);
        let goes_on = |address: &str| {
            let next = name(address) + literal(address_bits, 1);
            set(address, next)
        };
        let more = concat([one(), bits("filled", 0, most - 1)]);
        let fewer = concat([bits("filled", 1, most - 1), zero(1)]);
        let word = |memory: &str| Expression::At(memory.into(), Box::new(name("read_address")));
        body.wire("loads", 1, any.clone() & (!name("shown") | name("ready")))
            .register(
                "write_address",
                address_bits,
                "Where the next beat is written, and where the oldest one is.",
            )
            .register("read_address", address_bits, "")
            .register(
                "filled",
                most,
                "Bit i says that more than i beats are in the memory.",
            )
            .register(
                "shown",
                1,
                "A beat is shown; the beat, and its side signals.",
            )
            .register("shown_beat", W, "")
            .register("shown_side", width::<Sideband>(), "")
            .memory("beats", W, 1 << address_bits, "Never reset.")
            .memory(
                "sides",
                width::<Sideband>(),
                1 << address_bits,
                "Never reset.",
            )
            .at_clock(write("beats", name("write_address"), name("beat")))
            .at_clock(write("sides", name("write_address"), name("side")))
            .at_clock(Statement::If {
                test: name("reset"),
                then: vec![
                    set("write_address", zero(address_bits)),
                    set("read_address", zero(address_bits)),
                    set("filled", zero(most)),
                    set("shown", zero(1)),
                ],
                otherwise: vec![
                    when(push.clone(), vec![goes_on("write_address")]),
                    when(loads.clone(), vec![goes_on("read_address")]),
                    when(
                        push.clone() ^ loads.clone(),
                        vec![Statement::If {
                            test: push,
                            then: vec![set("filled", more)],
                            otherwise: vec![set("filled", fewer)],
                        }],
                    ),
                    set("shown", any | (name("shown") & !name("ready"))),
                ],
            })
            .at_clock(when(
                loads,
                vec![
                    set("shown_beat", word("beats")),
                    set("shown_side", word("sides")),
                ],
            ))
    }

    /// The words that are not promised to a beat. What happens in a clock is registered, then what it comes to, then the count of it.
    #[once(words = self._words)]
    fn credits(&self, body: Body) -> Body {
        let free = words - MARGIN;
        let count_bits = 1 + free.max(MARGIN - 1).ilog2() as usize + 1;
        let [spent, retired, loads] = ["spent", "retired", "loads"].map(name);
        let [was_spent, one, two] = ["was_spent", "was_one", "was_two"].map(name);
        let step = concat([
            bits("step", 0, 2),
            repeat(count_bits - 2, bit("step", 1) & bit("step", 0)),
        ]);
        let after_reset = [
            set("was_spent", zero(1)),
            set("was_one", zero(1)),
            set("was_two", zero(1)),
            set("step", zero(2)),
            set("room", literal(count_bits, free as u64)),
        ];
        let moves = [
            set("was_spent", spent),
            set("was_one", retired.clone() ^ loads.clone()),
            set("was_two", retired & loads),
            set(
                "step",
                concat([one.clone() ^ was_spent.clone(), two ^ (was_spent & !one)]),
            ),
            set("room", name("room") + step),
        ];
        body.register(
            "was_spent",
            1,
            "A credit was spent a clock ago; one has come back then, or two.",
        )
        .register("was_one", 1, "")
        .register("was_two", 1, "")
        .register(
            "step",
            2,
            "The change of the count: from minus 1 to 2, modulo 4.",
        )
        .register(
            "room",
            count_bits,
            "Free words beyond the margin; the top bit is the sign.",
        )
        .at_clock(Statement::If {
            test: name("reset"),
            then: after_reset.into(),
            otherwise: moves.into(),
        })
        .assign("enough", !bit("room", count_bits - 1))
    }
}
