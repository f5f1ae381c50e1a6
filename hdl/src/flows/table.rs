//! What is kept of each flow: a block memory that is read, changed and written back, a flow in every clock.
//!
//! A word takes [`READ_LATENCY`] clocks to come, and one more until what was made of it can be read again. A flow that comes back
//! sooner takes what was made of its word in the clocks between from registers, at the last moment at which it can: so it makes no
//! difference whether beats of one flow follow each other or those of many.
//!
//! # Reset
//! What marks the flows on the way. The words are cleared by whoever goes through all flows after a reset.

use crate::primitives::delay::Delay;
use crate::primitives::wires::from_bits;
use crate::primitives::{DFF, blank, blanks};
use crate::verilog::{Body, Expression, bits, choose, concat, name, set, undefined, when, write};
use hdl_macros::{Blank, Block, logic};
use rust_hdl::prelude::*;

/// Bits of a flow's number inside the core; a pin may have fewer.
pub const FLOW_BITS: usize = 16;
/// Clocks from a flow's number to its word.
pub const READ_LATENCY: usize = 4;
/// So many clocks after its number came, a flow's new word is written.
const DISTANCE: usize = READ_LATENCY + 1;
const TOUCHES: usize = DISTANCE + 1;

const _: () = assert!(DISTANCE == 5, "what `Table` forwards, and when");

/// A memory with a word for each flow, whose read port has a register. What it reads while it writes there means nothing: a
/// simulator that knows unknown values shows one, so that nobody looks at it unnoticed, and block memories need no logic to
/// tell old from new.
#[derive(Block)]
pub struct Words<const W: usize> {
    pub clock: Signal<In, Clock>,
    pub write: Signal<In, Bit>,
    pub write_flow: Signal<In, Bits<FLOW_BITS>>,
    pub write_data: Signal<In, Bits<W>>,
    pub read_flow: Signal<In, Bits<FLOW_BITS>>,
    pub read_data: Signal<Out, Bits<W>>,
    _words: Vec<Bits<W>>,
    _read: Bits<W>,
}

impl<const W: usize> Words<W> {
    /// For so many flows.
    pub fn new(flows: usize) -> Self {
        Self {
            clock: blank(),
            write: blank(),
            write_flow: blank(),
            write_data: blank(),
            read_flow: blank(),
            read_data: blank(),
            _words: vec![Default::default(); flows],
            _read: blank(),
        }
    }
}

impl<const W: usize> Logic for Words<W> {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            let at = |flow: Bits<FLOW_BITS>| flow.to_u64() as usize % self._words.len();
            let (read, write) = (at(self.read_flow.val()), at(self.write_flow.val()));
            self._read = self._words[read];
            if self.write.val() {
                self._words[write] = self.write_data.val();
                if read == write {
                    self._read = !self.write_data.val();
                }
            }
        }
        self.read_data.next = self._read;
    }

    fn connect(&mut self) {
        self.read_data.connect();
    }

    fn hdl(&self) -> Verilog {
        let flows = self._words.len();
        let address_bits = (flows.next_power_of_two().ilog2() as usize).max(1);
        let address = |flow: &str| bits(flow, 0, address_bits);
        let word = Expression::At("kept".into(), Box::new(address("read_flow")));
        let clash = name("write") & address("write_flow").equals(address("read_flow"));
        let written = write("kept", address("write_flow"), name("write_data"));
        let read = choose(name("clash"), undefined(W), word);
        Body::new(Self::ABOUT)
            .memory("kept", W, flows.max(2), "A word of each flow.")
            .any_register(
                "read",
                W,
                "The word that is read; nobody looks at it if it is written in the same clock.",
            )
            .wire("clash", 1, clash)
            .at_clock(when(name("write"), vec![written]))
            .at_clock(set("read", read))
            .assign("read_data", name("read"))
            .done()
    }
}

/// `result` if the flow is the same, else `word`. It is in the tables' loops, and what chooses is far from some of the bits: so it comes from
/// two registers, for half of them each; and one says the opposite of the other, lest Yosys take the two for one.
#[derive(Block, Blank)]
pub struct Choose<const W: usize> {
    pub same: Signal<In, Bit>,
    pub other: Signal<In, Bit>,
    pub result: Signal<In, Bits<W>>,
    pub word: Signal<In, Bits<W>>,
    pub y: Signal<Out, Bits<W>>,
}

impl<const W: usize> Logic for Choose<W> {
    fn update(&mut self) {
        const { assert!(W > 1) }
        let (result, word) = (self.result.val(), self.word.val());
        self.y.next = from_bits(|bit| {
            let is_result = if bit < W / 2 {
                self.same.val()
            } else {
                !self.other.val()
            };
            if is_result {
                result.get_bit(bit)
            } else {
                word.get_bit(bit)
            }
        });
    }

    fn connect(&mut self) {
        self.y.connect();
    }

    fn hdl(&self) -> Verilog {
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
        Body::new(Self::ABOUT).assign("y", chosen).done()
    }
}

/// A word for each flow, and the results that are not in the memory yet. Whoever has it makes `result` of `state` in the same clock.
#[derive(Block)]
pub struct Table<const W: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    /// A flow comes, one of those that there are.
    pub touch: Signal<In, Bit>,
    pub flow: Signal<In, Bits<FLOW_BITS>>,
    /// [`READ_LATENCY`] clocks later: its word, and what it is from then on.
    pub state: Signal<Out, Bits<W>>,
    pub result: Signal<In, Bits<W>>,

    words: Words<W>,
    /// A flow came one, two and more clocks ago; which.
    touched: Vec<DFF<Bit>>,
    flows: Vec<DFF<Bits<FLOW_BITS>>>,
    /// In which bits it differs from the flow that came one to five clocks before, and whether that is the same: a clock for
    /// either, and from `same` on until that one's result is here.
    differs: Vec<DFF<Bits<FLOW_BITS>>>,
    same: Vec<DFF<Bit>>,
    late_same_1: Delay<Bit, 1>,
    /// One is what the other is not.
    next_same_1: DFF<Bit>,
    next_other_1: DFF<Bit>,
    late_same_2: Delay<Bit, 1>,
    late_same_3: Delay<Bit, 1>,
    is_same_4: Signal<Local, Bit>,
    is_same_5: Signal<Local, Bit>,
    /// The word from the memory, and what is chosen of it and of the results on their way.
    plain: DFF<Bits<W>>,
    early: DFF<Bits<W>>,
    late: DFF<Bits<W>>,
    choose: Choose<W>,
    /// The results of one, two and three clocks before.
    result_1: DFF<Bits<W>>,
    result_2: DFF<Bits<W>>,
    result_3: DFF<Bits<W>>,
}

impl<const W: usize> Table<W> {
    /// For so many flows.
    pub fn new(flows: usize) -> Self {
        Self {
            words: Words::new(flows),
            touched: blanks(TOUCHES),
            flows: blanks(DISTANCE),
            differs: blanks(DISTANCE),
            same: blanks(DISTANCE),
            late_same_1: blank(),
            next_same_1: blank(),
            next_other_1: blank(),
            choose: blank(),
            late_same_2: blank(),
            late_same_3: blank(),
            is_same_4: blank(),
            is_same_5: blank(),
            clock: blank(),
            reset: blank(),
            touch: blank(),
            flow: blank(),
            state: blank(),
            result: blank(),
            plain: blank(),
            early: blank(),
            late: blank(),
            result_1: blank(),
            result_2: blank(),
            result_3: blank(),
        }
    }
}

impl<const W: usize> Logic for Table<W> {
    #[logic]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            next_same_1,
            next_other_1,
            plain,
            early,
            late,
            result_1,
            result_2,
            result_3
        );
        self.words.clock.next = self.clock.val();
        self.late_same_1.clock.next = self.clock.val();
        self.late_same_2.clock.next = self.clock.val();
        self.late_same_3.clock.next = self.clock.val();
        for i in 0..TOUCHES {
            self.touched[i].clock.next = self.clock.val();
        }
        for i in 0..DISTANCE {
            self.flows[i].clock.next = self.clock.val();
            self.differs[i].clock.next = self.clock.val();
            self.same[i].clock.next = self.clock.val();
        }
        for i in 0..1 {
            self.touched[i].d.next = self.touch.val();
            self.flows[i].d.next = self.flow.val();
        }
        for i in 1..DISTANCE {
            self.flows[i].d.next = self.flows[i - 1].q.val();
        }
        for i in 1..TOUCHES {
            self.touched[i].d.next = self.touched[i - 1].q.val();
            if self.reset.val() {
                self.touched[i].d.next = false;
            }
        }
        for i in 0..1 {
            if self.reset.val() {
                self.touched[i].d.next = false;
            }
        }
        for i in 0..DISTANCE {
            self.differs[i].d.next = self.flows[i].q.val() ^ self.flow.val();
            self.same[i].d.next = self.touched[i + 1].q.val() & !self.differs[i].q.val().any();
        }

        self.words.read_flow.next = self.flow.val();
        for i in 4..5 {
            self.words.write.next = self.touched[i].q.val();
            self.words.write_flow.next = self.flows[i].q.val();
            self.is_same_5.next = self.same[i].q.val();
        }
        self.words.write_data.next = self.result_1.q.val();
        for i in 3..4 {
            self.is_same_4.next = self.same[i].q.val();
        }
        for i in 2..3 {
            self.late_same_3.x.next = self.same[i].q.val();
        }
        for i in 1..2 {
            self.late_same_2.x.next = self.same[i].q.val();
        }
        for i in 0..1 {
            self.late_same_1.x.next = self.same[i].q.val();
        }

        self.plain.d.next = self.words.read_data.val();
        // The nearer ones are the newer ones; no more than two of them in a clock.
        if self.is_same_4.val() {
            self.early.d.next = self.result_2.q.val();
        } else if self.is_same_5.val() {
            self.early.d.next = self.result_3.q.val();
        } else {
            self.early.d.next = self.plain.q.val();
        }
        if self.late_same_2.y.val() {
            self.late.d.next = self.result_1.q.val();
        } else if self.late_same_3.y.val() {
            self.late.d.next = self.result_2.q.val();
        } else {
            self.late.d.next = self.early.q.val();
        }
        self.next_same_1.d.next = self.late_same_1.y.val();
        self.next_other_1.d.next = !self.late_same_1.y.val();
        self.choose.same.next = self.next_same_1.q.val();
        self.choose.other.next = self.next_other_1.q.val();
        self.choose.result.next = self.result_1.q.val();
        self.choose.word.next = self.late.q.val();
        self.state.next = self.choose.y.val();
        self.result_1.d.next = self.result.val();
        self.result_2.d.next = self.result_1.q.val();
        self.result_3.d.next = self.result_2.q.val();
    }
}
