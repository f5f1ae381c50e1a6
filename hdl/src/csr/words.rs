//! What is at an address, made from [`super::map::MAP`].

use super::classes::COUNT as CLASSES;
use super::decode::is_entry;
use super::drops::{COUNT as DROPS, OF_DROPS};
use super::map::{COUNTERS, Content, Field, find, index_of, registers};
use super::port_table::{self, TABLE_ADDRESS};
use super::reasons::COUNT as REASONS;
use crate::config::Config;
use crate::layout::{ADDRESS_BITS, FILL_BITS};
use crate::primitives::blank;
use crate::verilog::{
    Body, Expression, Operator, Run, bits, concat, literal, name, repeat, set, zero,
};
use hdl_macros::{Blank, Block, Described};
use rust_hdl::prelude::*;

/// One or more, joined by or.
fn any_of(all: impl IntoIterator<Item = Expression>) -> Expression {
    Expression::join(Operator::Or, all).expect("one at least")
}

/// Clocks from an address to its word.
pub const LATENCY: usize = 5;
/// Words of counters, and one of all else, that are joined at once: one LUT.
const JOINED: usize = 4;

/// What a read gives: the word at an address, some clocks later ([`LATENCY`]), if it stays; zero at no register's.
///
/// Each counter has registers of its own that choose it, and each clock one LUT: the counters lie wherever the core does.
#[derive(Blank, Block, Described)]
pub struct Words {
    pub clock: Signal<In, Clock>,
    pub address: Signal<In, Bits<ADDRESS_BITS>>,
    #[many(COUNTERS)]
    pub counter: Vec<Signal<In, Bits<64>>>,
    #[many(CLASSES)]
    pub class: Vec<Signal<In, Bits<64>>>,
    #[many(REASONS)]
    pub reason: Vec<Signal<In, Bits<64>>>,
    /// Only of a core that drops packets.
    pub dropped_packets: Signal<In, Bits<64>>,
    pub dropped_bytes: Signal<In, Bits<64>>,
    pub long_packets: Signal<In, Bits<64>>,
    pub most_words: Signal<In, Bits<FILL_BITS>>,
    /// `control.enable` and `status.beat_error`: the other fields are constant.
    pub enable: Signal<In, Bit>,
    pub beat_error: Signal<In, Bit>,
    /// The register `forbid`, if there is one.
    pub forbid: Signal<In, Bits<8>>,
    /// The register `drop_unjudged`, if there is one.
    pub closed: Signal<In, Bits<8>>,
    /// `ports.all`, and the word of the table of ports at the address, two clocks later.
    pub all_ports: Signal<In, Bit>,
    pub port_word: Signal<In, Bits<32>>,
    pub y: Signal<Out, Bits<32>>,
    /// What is there, by address.
    _words: Vec<(usize, Word)>,
    /// There is a table of ports.
    _has_table: bool,
    _run: Run,
}

/// What a word is.
#[derive(Clone, Copy)]
enum Word {
    Constant(u32),
    /// What changes, at this place in zeros.
    Live(Live, usize),
    /// The lower half of a counter, or the upper.
    Counter(usize, usize),
}

/// What changes, and is no counter.
#[derive(Clone, Copy, PartialEq)]
enum Live {
    Enable,
    BeatError,
    Forbid,
    Closed,
    AllPorts,
    MostWords,
}

impl Live {
    /// Of a register that has such a bit.
    fn of(register: &str) -> Option<(Self, Field)> {
        match register {
            "control" => Some((Self::Enable, find(register, "enable"))),
            "status" => Some((Self::BeatError, find(register, "beat_error"))),
            "forbid" => Some((Self::Forbid, find(register, "nul"))),
            "drop_unjudged" => Some((Self::Closed, find(register, "no_window"))),
            "ports" => Some((Self::AllPorts, find(register, "all"))),
            "most_words" => Some((Self::MostWords, find(register, "words"))),
            _ => None,
        }
    }

    const ALL: [Self; 6] = [
        Self::Enable,
        Self::BeatError,
        Self::Forbid,
        Self::Closed,
        Self::AllPorts,
        Self::MostWords,
    ];

    const fn width(self) -> usize {
        match self {
            Self::Enable | Self::BeatError | Self::AllPorts => 1,
            Self::Forbid => CLASSES,
            Self::Closed => REASONS - 1,
            Self::MostWords => FILL_BITS,
        }
    }

    /// Its input.
    const fn name(self) -> &'static str {
        match self {
            Self::Enable => "enable",
            Self::BeatError => "beat_error",
            Self::Forbid => "forbid",
            Self::Closed => "closed",
            Self::AllPorts => "all_ports",
            Self::MostWords => "most_words",
        }
    }
}

impl Words {
    pub fn new(config: &Config) -> Self {
        let mut words = Vec::new();
        let forbid = config.core.policy().forbid;
        for register in registers(config) {
            let at = register.offset;
            match register.content {
                Content::Counter => {
                    let index = index_of(register);
                    // No packet has a class that the core does not find.
                    let class = index.checked_sub(COUNTERS).filter(|it| *it < CLASSES);
                    let is_there = class.is_none_or(|it| forbid.has(it));
                    words.extend([0, 1].map(|half| match is_there {
                        true => (at + 4 * half, Word::Counter(index, half)),
                        false => (at + 4 * half, Word::Constant(0)),
                    }));
                }
                // They are chosen where they are kept.
                Content::Fields(_) if is_entry(register.name) => (),
                Content::Fields(_) => words.push((
                    at,
                    match Live::of(register.name) {
                        Some((live, field)) => Word::Live(live, field.low),
                        None => Word::Constant(register.reset(config)),
                    },
                )),
            }
        }
        Self {
            _words: words,
            _has_table: config.core.policy().ports.is_some(),
            ..blank()
        }
    }

    fn bits(word: Word) -> Expression {
        match word {
            Word::Constant(value) => literal(32, value.into()),
            Word::Live(live, low) => {
                let width = live.width();
                let live = name(format!("{}_2", live.name()));
                concat([zero(low), live, zero(32 - low - width)])
            }
            Word::Counter(index, half) => {
                let of = match index.checked_sub(COUNTERS) {
                    None => format!("counter${index}"),
                    Some(class @ ..CLASSES) => format!("class${class}"),
                    Some(further) => match (further - CLASSES).checked_sub(REASONS) {
                        None => format!("reason${}", further - CLASSES),
                        Some(drop) => OF_DROPS[drop].name.to_string(),
                    },
                };
                bits(of, 32 * half, 32)
            }
        }
    }

    fn body(&self, body: Body) -> Body {
        // All words have their addresses below this power of two.
        let most = self._words.iter().map(|(at, _)| *at).max().expect("a word");
        let most = if self._has_table {
            most.max(port_table::FIRST)
        } else {
            most
        };
        let below = most.ilog2() as usize + 1;
        let is_zero = |low: usize, width: usize| bits("address", low, width).equals(zero(width));
        let register = |body: Body, name: &str, width: usize, doc, next: Expression| {
            (body.any_register(name, width, doc)).at_clock(set(name, next))
        };
        let in_map = is_zero(below, ADDRESS_BITS - below) & is_zero(0, 2);
        let mut body = register(
            body,
            "in_map",
            1,
            "The address is one of a word of the map.",
            in_map,
        );
        body = register(
            body,
            "at",
            below - 2,
            "Which word.",
            bits("address", 2, below - 2),
        );
        // They are as late as what chooses among the words.
        let has = |live: &Live| {
            let is_it = |(_, word): &(usize, Word)| matches!(word, Word::Live(it, _) if it == live);
            self._words.iter().any(is_it)
        };
        for live in Live::ALL.into_iter().filter(has) {
            let (live, width) = (live.name(), live.width());
            body = register(
                body,
                &format!("{live}_1"),
                width,
                "The bits that change, in step.",
                name(live),
            );
            let second = name(format!("{live}_1"));
            body = register(body, &format!("{live}_2"), width, "", second);
        }
        let mut fixed = Vec::new();
        let mut counters = vec![Vec::new(); COUNTERS + CLASSES + REASONS + DROPS];
        for (at, word) in &self._words {
            let is_at = name("at").equals(literal(below - 2, *at as u64 / 4));
            body = register(
                body,
                &format!("at_{at:x}"),
                1,
                if *at == 0 {
                    "The address is this one."
                } else {
                    ""
                },
                name("in_map") & is_at,
            );
            let chosen = repeat(32, name(format!("at_{at:x}"))) & Self::bits(*word);
            match word {
                Word::Counter(index, _) => counters[*index].push(chosen),
                _ => fixed.push(chosen),
            }
        }
        if self._has_table {
            let upper = below - TABLE_ADDRESS;
            let table = literal(upper, (port_table::FIRST >> TABLE_ADDRESS) as u64);
            let is_at = name("in_map") & bits("at", TABLE_ADDRESS - 2, upper).equals(table);
            let doc = "The address is one of the table of ports.";
            body = register(body, "at_table", 1, doc, is_at);
            fixed.push(repeat(32, name("at_table")) & name("port_word"));
        }
        let mut parts = Vec::new();
        let all = std::iter::once(fixed).chain(counters);
        for (index, chosen) in all.filter(|it| !it.is_empty()).enumerate() {
            let part = format!("part_{index}");
            body = register(
                body,
                &part,
                32,
                if index == 0 {
                    "The word at the address, else zero: of the words that are no counters', and of each counter."
                } else {
                    ""
                },
                any_of(chosen),
            );
            parts.push(name(part));
        }
        let mut joined = Vec::new();
        for (index, parts) in parts.chunks(JOINED).enumerate() {
            let part = format!("joined_{index}");
            body = register(body, &part, 32, "", any_of(parts.to_vec()));
            joined.push(name(part));
        }
        body = register(body, "word", 32, "The word at the address.", any_of(joined));
        body.assign("y", name("word"))
    }
}
