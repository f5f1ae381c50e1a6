//! What is kept of each flow: a block memory that is read, changed and written back, a flow in every clock.
//!
//! A word takes [`READ_LATENCY`] clocks to come, and one more until what was made of it can be read again. A flow that comes back
//! sooner takes what was made of its word in the clocks between from registers, at the last moment at which it can: so it makes no
//! difference whether beats of one flow follow each other or those of many.
//!
//! # Reset
//! What marks the flows on the way. The words are cleared by whoever goes through all flows after a reset.

use crate::layout::FLOW_BITS;
use crate::primitives::blank;
use crate::verilog::{
    Body, Expression, Run, bits, choose, concat, name, set, undefined, when, write,
};
use hdl_macros::{Blank, Block, Described, stages};
use rust_hdl::prelude::*;

/// Clocks from a flow's number to its word.
pub const READ_LATENCY: usize = 4;

/// A memory with a word for each flow, whose read port has a register. What it reads while it writes there means nothing: a
/// simulator that knows unknown values shows one, so that nobody looks at it unnoticed, and block memories need no logic to
/// tell old from new.
#[derive(Blank, Block, Described)]
pub struct Words<const W: usize> {
    pub clock: Signal<In, Clock>,
    pub write: Signal<In, Bit>,
    pub write_flow: Signal<In, Bits<FLOW_BITS>>,
    pub write_data: Signal<In, Bits<W>>,
    pub read_flow: Signal<In, Bits<FLOW_BITS>>,
    pub read_data: Signal<Out, Bits<W>>,
    _flows: usize,
    _run: Run,
}

impl<const W: usize> Words<W> {
    /// A word for each of `flows` flows.
    pub fn new(flows: usize) -> Self {
        Self {
            _flows: flows,
            ..blank()
        }
    }

    fn body(&self, body: Body) -> Body {
        let flows = self._flows;
        let address_bits = (flows.next_power_of_two().ilog2() as usize).max(1);
        let address = |flow: &str| bits(flow, 0, address_bits);
        let word = Expression::At("kept".into(), Box::new(address("read_flow")));
        let clash = name("write") & address("write_flow").equals(address("read_flow"));
        let written = write("kept", address("write_flow"), name("write_data"));
        let read = choose(name("clash"), undefined(W), word);
        body.memory("kept", W, flows.max(2), "A word of each flow.")
            .any_register(
                "read",
                W,
                "The word that is read; nobody looks at it if it is written in the same clock.",
            )
            .wire("clash", 1, clash)
            .at_clock(when(name("write"), vec![written]))
            .at_clock(set("read", read))
            .assign("read_data", name("read"))
    }
}

/// `result` if the flow is the same, else `word`. It is in the tables' loops, and what chooses is far from some of the bits: so it comes from
/// two registers, for half of them each; and one says the opposite of the other, lest Yosys take the two for one.
#[derive(Block, Blank, Described)]
pub struct Choose<const W: usize> {
    pub same: Signal<In, Bit>,
    pub other: Signal<In, Bit>,
    pub result: Signal<In, Bits<W>>,
    pub word: Signal<In, Bits<W>>,
    pub y: Signal<Out, Bits<W>>,
    _run: Run,
}

impl<const W: usize> Choose<W> {
    fn body(&self, body: Body) -> Body {
        const { assert!(W > 1) }
        let half = W / 2;
        let part = |test: &str, then: &str, otherwise: &str, low: usize, width: usize| {
            choose(
                name(test),
                bits(then, low, width),
                bits(otherwise, low, width),
            )
        };
        let chosen = concat([
            part("same", "result", "word", 0, half),
            part("other", "word", "result", half, W - half),
        ]);
        body.assign("y", chosen)
    }
}

stages! {
    /// A word for each flow, and the results that are not in the memory yet. Whoever has it makes `result` of `state` in the same
    /// clock.
    pub block Table<const W: usize> {
        given flows: usize;

        in reset: Bit;
        /// A flow comes, one of those that there are; which.
        in touch: Bit @ 0;
        in flow: Bits<FLOW_BITS> @ 0;
        /// What its word is from now on.
        in result: Bits<W> @ 4;

        stage 1 "the memory is read, and the flow compared with those before" {
            part words: Words<W>(flows) = {
                write: touch.at(5),
                write_flow: flow.at(5),
                write_data: result.at(5),
                read_flow: flow,
            };
            /// A flow comes.
            mark touch: Bit = touch;
            /// In which bits it differs from the flow that came one to five clocks before.
            differs_1: Bits<FLOW_BITS> = flow.at(1) ^ flow;
            differs_2: Bits<FLOW_BITS> = flow.at(2) ^ flow;
            differs_3: Bits<FLOW_BITS> = flow.at(3) ^ flow;
            differs_4: Bits<FLOW_BITS> = flow.at(4) ^ flow;
            differs_5: Bits<FLOW_BITS> = flow.at(5) ^ flow;
        }

        stage 2 "whether it is the same; from here on until that one's result is here" {
            /// It is the one that came one to five clocks before.
            same_1: Bit = touch.at(2) & !differs_1.any();
            same_2: Bit = touch.at(3) & !differs_2.any();
            same_3: Bit = touch.at(4) & !differs_3.any();
            same_4: Bit = touch.at(5) & !differs_4.any();
            same_5: Bit = touch.at(6) & !differs_5.any();
            /// The word from the memory.
            plain: Bits<W> = words.read_data;
        }

        stage 3 "the word, or an older result; the nearer ones are the newer ones" {
            early: Bits<W> =
                if same_4 { result.at(6) } else if same_5 { result.at(7) } else { plain };
        }

        stage 4 "the word, or a newer result; the newest is chosen after this" {
            late: Bits<W> =
                if same_2 { result.at(5) } else if same_3 { result.at(6) } else { early };
            /// One is what the other is not.
            next_same_1: Bit = same_1;
            next_other_1: Bit = !same_1;
        }

        stage 5 "the newest of the word and the results" {
            wires choose: Choose<W> = {
                same: next_same_1,
                other: next_other_1,
                result: result.at(5),
                word: late,
            };
        }

        /// The flow's word.
        out state: Bits<W> = choose @ 4;
    }
}

const _: () = assert!(READ_LATENCY == 4, "what `Table` forwards, and when");
