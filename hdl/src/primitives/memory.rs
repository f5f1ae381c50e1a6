//! Memories: a plain one, and one that delays.

use rust_hdl::prelude::*;

/// A memory of `2^A` words with one write port and one combinational read port; not reset.
#[derive(LogicBlock, Default)]
pub struct Memory<const W: usize, const A: usize> {
    pub clock: Signal<In, Clock>,
    pub write: Signal<In, Bit>,
    pub write_address: Signal<In, Bits<A>>,
    pub write_data: Signal<In, Bits<W>>,
    pub read_address: Signal<In, Bits<A>>,
    pub read_data: Signal<Out, Bits<W>>,
    _words: Vec<Bits<W>>,
}

impl<const W: usize, const A: usize> Logic for Memory<W, A> {
    fn update(&mut self) {
        self._words.resize(1 << A, Default::default());
        if self.clock.pos_edge() && self.write.val() {
            let address = self.write_address.val().to_u64() as usize;
            self._words[address] = self.write_data.val();
        }
        self.read_data.next = self._words[self.read_address.val().to_u64() as usize];
    }

    fn connect(&mut self) {
        self.read_data.connect();
    }

    fn hdl(&self) -> Verilog {
        Verilog::Custom(format!(
            "reg [{}:0] words [0:{}];\n\
             always @(posedge clock) if (write) words[write_address] <= write_data;\n\
             assign read_data = words[read_address];\n",
            W - 1,
            (1 << A) - 1
        ))
    }
}

/// `x`, a number of clocks from 1 to `2^A + 1` later that is chosen when it is built: a ring in a memory, where so many
/// registers would be a waste. What it shows in the first clocks after the power is on means nothing.
///
/// No path has more than the memory in it: both addresses are registers, and so is what is read.
#[derive(LogicBlock)]
pub struct Ring<const W: usize, const A: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub x: Signal<In, Bits<W>>,
    pub y: Signal<Out, Bits<W>>,
    memory: Memory<W, A>,
    at: DFF<Bits<A>>,
    from: DFF<Bits<A>>,
    read: DFF<Bits<W>>,
    /// From `at` to what will be `from`: one behind it is what leaves two clocks after it came.
    ahead: Constant<Bits<A>>,
    /// A clock only: there is no need for the memory, nor the time.
    is_one: Constant<Bit>,
}

impl<const W: usize, const A: usize> Ring<W, A> {
    pub fn new(clocks: usize) -> Self {
        let words = 1 << A;
        assert!((1..=words + 1).contains(&clocks));
        Self {
            is_one: Constant::new(clocks == 1),
            ahead: Constant::new(((words + 2 - clocks) as u64 % words as u64).into()),
            clock: Default::default(),
            reset: Default::default(),
            x: Default::default(),
            y: Default::default(),
            memory: Default::default(),
            at: Default::default(),
            from: Default::default(),
            read: Default::default(),
        }
    }
}

impl<const W: usize, const A: usize> Logic for Ring<W, A> {
    #[hdl_gen]
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
