//! Memories: a plain one, and such that delay.

use crate::primitives::{DFF, blank, blanks, several};
use crate::verilog::{Body, Expression, Run, Value, bits, concat, name, when, width, write};
use hdl_macros::{Blank, Block, Described, logic};
use rust_hdl::prelude::*;

/// A word of a memory.
fn word(memory: &str, address: Expression) -> Expression {
    Expression::At(memory.into(), Box::new(address))
}

/// A memory of `2^A` words with one write port and one combinational read port; not reset.
#[derive(Block, Blank, Described)]
pub struct Memory<T: Value, const A: usize> {
    pub clock: Signal<In, Clock>,
    pub write: Signal<In, Bit>,
    pub write_address: Signal<In, Bits<A>>,
    pub write_data: Signal<In, T>,
    pub read_address: Signal<In, Bits<A>>,
    pub read_data: Signal<Out, T>,
    _run: Run,
}

impl<T: Value, const A: usize> Memory<T, A> {
    fn body(&self, body: Body) -> Body {
        let written = write("words", name("write_address"), name("write_data"));
        body.memory("words", width::<T>(), 1 << A, "Never reset.")
            .at_clock(when(name("write"), vec![written]))
            .assign("read_data", word("words", name("read_address")))
    }
}

/// Parts of a word that are kept in memories of their own.
const BANKS: usize = 4;

/// A memory in banks, each with a part of every word and with an address of its own; written in every clock, not reset. It has `2^A` words.
#[derive(Blank, Block, Described)]
pub struct Banks<const W: usize, const A: usize> {
    pub clock: Signal<In, Clock>,
    #[many(BANKS)]
    pub write_address: Vec<Signal<In, Bits<A>>>,
    pub write_data: Signal<In, Bits<W>>,
    #[many(BANKS)]
    pub read_address: Vec<Signal<In, Bits<A>>>,
    pub read_data: Signal<Out, Bits<W>>,
    _run: Run,
}

impl<const W: usize, const A: usize> Banks<W, A> {
    fn body(&self, mut body: Body) -> Body {
        const { assert!(W.is_multiple_of(BANKS)) }
        let bits_of_bank = W / BANKS;
        let mut read = Vec::new();
        for bank in 0..BANKS {
            let words = format!("words_{bank}");
            let data = bits("write_data", bits_of_bank * bank, bits_of_bank);
            read.push(word(&words, name(format!("read_address${bank}"))));
            body = body
                .memory(&words, bits_of_bank, 1 << A, "A part of each word.")
                .at_clock(write(&words, name(format!("write_address${bank}")), data));
        }
        body.assign("read_data", concat(read))
    }
}

/// A delay through a memory, where registers for all clocks would be a waste. It is of 1 to `2^A + 1` clocks, chosen when it is built.
/// What it shows in the first clocks after the power is on means nothing.
///
/// No path has more than the memory in it: both addresses are registers, and so is what is read.
#[derive(Block)]
pub struct Ring<T: Value, const A: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub x: Signal<In, T>,
    pub y: Signal<Out, T>,
    /// The words.
    memory: Memory<T, A>,
    /// Where the next word is written, and what is read.
    at: DFF<Bits<A>>,
    from: DFF<Bits<A>>,
    /// The word that leaves.
    read: DFF<T>,
    /// The distance from where a word is written to where one is read.
    ahead: Constant<Bits<A>>,
    /// A clock only: there is no need for the memory, nor the time.
    is_one: Constant<Bit>,
}

impl<T: Value, const A: usize> Ring<T, A> {
    pub fn new(clocks: usize) -> Self {
        let words = 1 << A;
        assert!((1..=words + 1).contains(&clocks));
        Self {
            is_one: Constant::new(clocks == 1),
            ahead: Constant::new(((words + 2 - clocks) as u64 % words as u64).into()),
            clock: blank(),
            reset: blank(),
            x: blank(),
            y: blank(),
            memory: blank(),
            at: blank(),
            from: blank(),
            read: blank(),
        }
    }
}

impl<T: Value, const A: usize> Logic for Ring<T, A> {
    #[logic]
    fn update(&mut self) {
        dff_setup!(self, clock, at, from, read);
        // A reset drops every beat on the way, so the address may jump.
        if self.reset.val() {
            self.at.d.next = 0.into();
        } else {
            self.at.d.next = self.at.q.val() + 1;
        }
        self.memory.clock.next = self.clock.val();
        self.memory.write.next = true;
        self.memory.write_address.next = self.at.q.val();
        self.memory.write_data.next = self.x.val();
        self.from.d.next = self.at.q.val() + self.ahead.val();
        self.memory.read_address.next = self.from.q.val();
        if self.is_one.val() {
            self.read.d.next = self.x.val();
        } else {
            self.read.d.next = self.memory.read_data.val();
        }
        self.y.next = self.read.q.val();
    }
}

/// A delay of wide words through a memory, whose banks have addresses of their own, near to them. It is of 3 clocks or more. A tool would take one for all
/// if they were alike, so a reset leaves each with another number.
#[derive(Block)]
pub struct WideRing<const W: usize, const A: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub x: Signal<In, Bits<W>>,
    pub y: Signal<Out, Bits<W>>,
    /// The words.
    memory: Banks<W, A>,
    /// Where the next word is written, and what is read.
    at: Vec<DFF<Bits<A>>>,
    from: Vec<DFF<Bits<A>>>,
    first: Vec<Constant<Bits<A>>>,
    /// The word that leaves.
    read: DFF<Bits<W>>,
    ahead: Constant<Bits<A>>,
}

impl<const W: usize, const A: usize> WideRing<W, A> {
    pub fn new(clocks: usize) -> Self {
        let words = 1 << A;
        assert!((3..=words + 1).contains(&clocks));
        Self {
            first: several(BANKS, |bank| Constant::new((bank as u64).into())),
            ahead: Constant::new(((words + 2 - clocks) as u64).into()),
            clock: blank(),
            reset: blank(),
            x: blank(),
            y: blank(),
            memory: blank(),
            at: blanks(BANKS),
            from: blanks(BANKS),
            read: blank(),
        }
    }
}

impl<const W: usize, const A: usize> Logic for WideRing<W, A> {
    #[logic]
    fn update(&mut self) {
        dff_setup!(self, clock, read);
        self.memory.clock.next = self.clock.val();
        self.memory.write_data.next = self.x.val();
        for i in 0..BANKS {
            self.at[i].clock.next = self.clock.val();
            self.from[i].clock.next = self.clock.val();
            if self.reset.val() {
                self.at[i].d.next = self.first[i].val();
            } else {
                self.at[i].d.next = self.at[i].q.val() + 1;
            }
            self.from[i].d.next = self.at[i].q.val() + self.ahead.val();
            self.memory.write_address[i].next = self.at[i].q.val();
            self.memory.read_address[i].next = self.from[i].q.val();
        }
        self.read.d.next = self.memory.read_data.val();
        self.y.next = self.read.q.val();
    }
}
