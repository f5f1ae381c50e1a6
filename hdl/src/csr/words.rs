//! What is at an address: made from [`MAP`], as hardware and as Verilog.

use super::map::{ADDRESS_BITS, Access, COUNTERS, Content, Field, MAP, find};
use crate::config::Config;
use crate::primitives::wires::from_bits;
use crate::primitives::{blank, blanks};
use hdl_macros::{Blank, Block};
use rust_hdl::prelude::*;

/// Whether an address may be read, or written, and whether it is that of a register that does something of its own when written. An
/// address within a word is not the word's.
#[derive(Block, Blank)]
pub struct Decode {
    pub address: Signal<In, Bits<ADDRESS_BITS>>,
    pub readable: Signal<Out, Bit>,
    pub writable: Signal<Out, Bit>,
    pub control: Signal<Out, Bit>,
    pub command: Signal<Out, Bit>,
}

impl Decode {
    /// Addresses of all words of registers that have a property.
    fn addresses(is: impl Fn(&str, Access) -> bool) -> Vec<usize> {
        let registers = MAP.iter().filter(|it| is(it.name, it.access));
        registers
            .flat_map(|it| (0..it.words()).map(|word| it.offset + 4 * word))
            .collect()
    }

    /// Each output, with its addresses.
    fn outputs() -> [(&'static str, Vec<usize>); 4] {
        [
            ("readable", Self::addresses(|_, _| true)),
            (
                "writable",
                Self::addresses(|_, access| access != Access::Read),
            ),
            ("control", Self::addresses(|name, _| name == "control")),
            ("command", Self::addresses(|name, _| name == "command")),
        ]
    }
}

impl Logic for Decode {
    fn update(&mut self) {
        let address = self.address.val().to_u64() as usize;
        let [readable, writable, control, command] =
            Self::outputs().map(|(_, addresses)| addresses.contains(&address));
        self.readable.next = readable;
        self.writable.next = writable;
        self.control.next = control;
        self.command.next = command;
    }

    fn connect(&mut self) {
        self.readable.connect();
        self.writable.connect();
        self.control.connect();
        self.command.connect();
    }

    fn hdl(&self) -> Verilog {
        let lines = Self::outputs().map(|(name, addresses)| {
            let tests = addresses.iter();
            let tests = tests.map(|address| format!("(address == {ADDRESS_BITS}'h{address:x})"));
            format!(
                "assign {name} = {};\n",
                tests.collect::<Vec<_>>().join(" | ")
            )
        });
        Verilog::Custom(lines.concat())
    }
}

/// Clocks from an address to its word.
pub const LATENCY: usize = 5;
/// Words of counters, and one of all else, that are joined at once: one LUT.
const JOINED: usize = 4;

/// The word at an address, [`LATENCY`] clocks later, if it stays; zero at no register's.
///
/// Each counter has registers of its own that choose it, and each clock one LUT: the counters lie wherever the core does.
#[derive(Block)]
pub struct Words {
    pub clock: Signal<In, Clock>,
    pub address: Signal<In, Bits<ADDRESS_BITS>>,
    pub counter: Vec<Signal<In, Bits<64>>>,
    /// `control.enable` and `status.beat_error`: the other fields are constant.
    pub enable: Signal<In, Bit>,
    pub beat_error: Signal<In, Bit>,
    pub y: Signal<Out, Bits<32>>,
    /// What is there, by address.
    _words: Vec<(usize, Word)>,
    /// What was there in the clocks before, the newest first.
    _past: [u32; LATENCY],
}

/// What a word is.
#[derive(Clone, Copy)]
enum Word {
    Constant(u32),
    /// One of the bits that change, at this place in zeros.
    Bit(Live, usize),
    /// The lower half of a counter, or the upper.
    Counter(usize, usize),
}

/// What changes, and is no counter.
#[derive(Clone, Copy)]
enum Live {
    Enable,
    BeatError,
}

impl Live {
    /// Of a register that has such a bit.
    fn of(register: &str) -> Option<(Self, Field)> {
        match register {
            "control" => Some((Self::Enable, find(register, "enable"))),
            "status" => Some((Self::BeatError, find(register, "beat_error"))),
            _ => None,
        }
    }

    const ALL: [Self; 2] = [Self::Enable, Self::BeatError];

    /// Its input.
    const fn name(self) -> &'static str {
        match self {
            Self::Enable => "enable",
            Self::BeatError => "beat_error",
        }
    }
}

impl Words {
    pub fn new(config: &Config) -> Self {
        let mut words = Vec::new();
        let mut counters = 0..COUNTERS;
        for register in &MAP {
            let at = register.offset;
            match register.content {
                Content::Counter => {
                    let index = counters.next().expect("there are so many");
                    words.extend([0, 1].map(|half| (at + 4 * half, Word::Counter(index, half))));
                }
                Content::Fields(_) => words.push((
                    at,
                    match Live::of(register.name) {
                        Some((bit, field)) => Word::Bit(bit, field.low),
                        None => Word::Constant(register.reset(config)),
                    },
                )),
            }
        }
        Self {
            clock: blank(),
            address: blank(),
            counter: blanks(COUNTERS),
            enable: blank(),
            beat_error: blank(),
            y: blank(),
            _words: words,
            _past: [0; LATENCY],
        }
    }

    fn value(&self, address: usize) -> u32 {
        let word = self._words.iter().find(|(at, _)| *at == address);
        match word {
            None => 0,
            Some((_, Word::Constant(value))) => *value,
            Some((_, Word::Bit(Live::Enable, bit))) => u32::from(self.enable.val()) << bit,
            Some((_, Word::Bit(Live::BeatError, bit))) => u32::from(self.beat_error.val()) << bit,
            Some((_, Word::Counter(index, half))) => {
                (self.counter[*index].val().to_u64() >> (32 * half)) as u32
            }
        }
    }

    fn text(word: Word) -> String {
        match word {
            Word::Constant(value) => format!("32'h{value:x}"),
            Word::Bit(live, 0) => format!("{{31'h0, {}_2}}", live.name()),
            Word::Bit(live, bit) => format!("{{{}'h0, {}_2, {bit}'h0}}", 31 - bit, live.name()),
            Word::Counter(index, half) => {
                format!("counter${index}[{}:{}]", 32 * half + 31, 32 * half)
            }
        }
    }
}

impl Logic for Words {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            let word = self.value(self.address.val().to_u64() as usize);
            self._past.rotate_right(1);
            self._past[0] = word;
        }
        let y = self._past[LATENCY - 1];
        self.y.next = from_bits(|bit| y >> bit & 1 == 1);
    }

    fn connect(&mut self) {
        self.y.connect();
    }

    fn hdl(&self) -> Verilog {
        // All words have their addresses below this one, which is a power of two.
        let bits = self
            ._words
            .last()
            .map_or(0, |(at, _)| at.ilog2() as usize + 1);
        let mut text = format!(
            "reg in_map;\nreg [{}:0] at;\nalways @(posedge clock) in_map <= (address[{}:{bits}] == {}'h0) & (address[1:0] == 2'h0);\n\
             always @(posedge clock) at <= address[{}:2];\n",
            bits - 3,
            ADDRESS_BITS - 1,
            ADDRESS_BITS - bits,
            bits - 1,
        );
        // They are as late as what chooses among the words.
        for live in Live::ALL.map(Live::name) {
            text += &format!(
                "reg {live}_1;\nreg {live}_2;\nalways @(posedge clock) begin\n{live}_1 <= {live};\n{live}_2 <= {live}_1;\nend\n"
            );
        }
        let mut fixed = Vec::new();
        let mut counters = vec![Vec::new(); COUNTERS];
        for (at, word) in &self._words {
            text += &format!(
                "reg at_{at:x};\nalways @(posedge clock) at_{at:x} <= in_map & (at == {}'h{:x});\n",
                bits - 2,
                at / 4
            );
            let chosen = format!("({{32{{at_{at:x}}}}} & {})", Self::text(*word));
            match word {
                Word::Counter(index, _) => counters[*index].push(chosen),
                _ => fixed.push(chosen),
            }
        }
        let mut parts = Vec::new();
        for (index, chosen) in std::iter::once(&fixed).chain(&counters).enumerate() {
            text += &format!(
                "reg [31:0] part_{index};\nalways @(posedge clock) part_{index} <= {};\n",
                chosen.join(" | ")
            );
            parts.push(format!("part_{index}"));
        }
        let mut joined = Vec::new();
        for (index, parts) in parts.chunks(JOINED).enumerate() {
            text += &format!(
                "reg [31:0] joined_{index};\nalways @(posedge clock) joined_{index} <= {};\n",
                parts.join(" | ")
            );
            joined.push(format!("joined_{index}"));
        }
        text += &format!(
            "reg [31:0] word;\nalways @(posedge clock) word <= {};\nassign y = word;\n",
            joined.join(" | ")
        );
        Verilog::Custom(text)
    }
}
