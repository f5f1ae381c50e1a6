//! The ports in the header of UDP or TCP: whether they are judged.
//!
//! Both are in the header's first word, so they come no later than the lengths.
//!
//! # Latency
//! [`LATENCY`] clocks, a beat in every clock.
//!
//! # Reset
//! What marks beats.

use super::pick::{HotWord, JoinFours, PickOfFour, big_endian};
use super::transport::Kind;
use super::words::{NEXT_BITS, WORDS_BITS, word_bits};
use crate::config::{PORT_ENTRIES, PortEntry, PortTable};
use crate::layout::{PORT_BITS, PORTS_BITS};
use crate::primitives::blank;
use crate::verilog::{Body, Expression, Operator, Run, bit, bits, concat, literal, name, zero};
use crate::window::countdown::Countdown;
use hdl_macros::{Blank, Block, Described, once, stages};
use rust_hdl::prelude::*;

/// Clocks from what follows IP's headers to whether the ports are judged, and to the beat's words.
pub const LATENCY: usize = 7;
pub const TO_WORD: usize = 2;
/// Of the source and of the destination of each entry, and one for all ports.
const MATCHES: usize = 2 * PORT_ENTRIES + 1;

/// The second halves of a beat's words, in planes as of [`super::words::Words`].
#[derive(Block, Blank, Described)]
pub struct SecondHalves<const N: usize, const DATA: usize> {
    pub data: Signal<In, Bits<DATA>>,
    pub nibble_0: Signal<Out, Bits<N>>,
    pub nibble_1: Signal<Out, Bits<N>>,
    pub nibble_2: Signal<Out, Bits<N>>,
    pub nibble_3: Signal<Out, Bits<N>>,
    _run: Run,
}

impl<const N: usize, const DATA: usize> SecondHalves<N, DATA> {
    #[once(N)]
    fn body(&self, body: Body) -> Body {
        (0..4).fold(body, |body, nibble| {
            let of_word = |word: usize| bits("data", 32 * word + 4 * nibble, 4);
            body.assign(format!("nibble_{nibble}"), concat((0..N / 4).map(of_word)))
        })
    }
}

/// Of each entry whether the packet's source is in it, and whether its destination is; and above these whether all ports are judged.
#[derive(Block, Blank, Described)]
pub struct InTable {
    pub is_tcp: Signal<In, Bit>,
    /// The two halves of the header's first word.
    pub first: Signal<In, Bits<16>>,
    pub second: Signal<In, Bits<16>>,
    /// The table, if that can be written, as the registers keep it.
    pub written: Signal<In, Bits<PORTS_BITS>>,
    pub y: Signal<Out, Bits<MATCHES>>,
    _table: PortTable,
    _is_written: bool,
    _run: Run,
}

impl InTable {
    pub fn new(table: Option<PortTable>, is_written: bool) -> Self {
        Self {
            _table: table.unwrap_or_default(),
            _is_written: is_written,
            ..blank()
        }
    }

    fn body(&self, body: Body) -> Body {
        let sides = ["source", "destination"];
        let body = (body.wire("source", 16, big_endian("first"))).wire(
            "destination",
            16,
            big_endian("second"),
        );
        let matches = (0..PORT_ENTRIES).flat_map(|index| {
            sides.map(|side| match self._is_written {
                true => of_register(index, side),
                false => self
                    ._table
                    .entry(index)
                    .map_or(zero(1), |it| of_entry(it, side)),
            })
        });
        let all = match self._is_written {
            true => bit("written", PORTS_BITS - 1),
            false => zero(1),
        };
        body.assign("y", concat(matches.chain([all])))
    }
}

fn less(one: Expression, other: Expression) -> Expression {
    one.binary(Operator::Less, other)
}

/// Whether a side's port is in an entry that is written.
fn of_register(index: usize, side: &str) -> Expression {
    let at = PORT_BITS * index;
    let [low, high] = [0, 16].map(|from| bits("written", at + from, 16));
    let [udp, tcp, source, destination] = [0, 1, 2, 3].map(|of| bit("written", at + 32 + of));
    let in_range = !less(name(side), low) & !less(high, name(side));
    let protocol = (name("is_tcp") & tcp) | (!name("is_tcp") & udp);
    in_range
        & protocol
        & if side == "source" {
            source
        } else {
            destination
        }
}

/// The same of an entry that never changes.
fn of_entry(entry: PortEntry, side: &str) -> Expression {
    let is_of_side = if side == "source" {
        entry.of_source
    } else {
        entry.of_destination
    };
    if !is_of_side {
        return zero(1);
    }
    let port = |port: u16| literal(16, port.into());
    let protocol = if entry.is_tcp {
        name("is_tcp")
    } else {
        !name("is_tcp")
    };
    let tests = match entry.low == entry.high {
        true => vec![name(side).equals(port(entry.low))],
        false => [
            (entry.low > 0).then(|| !less(name(side), port(entry.low))),
            (entry.high < u16::MAX).then(|| !less(port(entry.high), name(side))),
        ]
        .into_iter()
        .flatten()
        .collect(),
    };
    tests.into_iter().fold(protocol, |all, test| all & test)
}

stages! {
    /// Reads the ports: whether a table has them.
    pub block Ports<const N: usize> {
        given table: Option<PortTable>;
        /// The table can be written.
        given is_written: bool;
        in reset: Bit;
        /// As of [`super::extension::Extension`].
        in valid, starts, found: Bit @ 0;
        in kind: Bits<NEXT_BITS> @ 0;
        in distance: Bits<WORDS_BITS> @ 0;
        /// The beat's words: the nibbles of their first halves, and of their second halves.
        in nibble_0, nibble_1, nibble_2, nibble_3 @ 0;
        in second_0, second_1, second_2, second_3 @ 2;
        in written: Bits<PORTS_BITS> @ 4;

        stage 1 "which word has the ports" {
            mark valid: Bit = valid;
            starts: Bit = starts;
            wires which: Kind = { kind, distance };
            mark found: Bit = found & which.is_transport;
            distance: Bits<WORDS_BITS> = distance;
            is_tcp: Bit = which.is_tcp;
        }

        stage 2 "the beats up to it" {
            mark valid: Bit = valid;
            part left: Countdown<WORDS_BITS>(word_bits(N)) = {
                beat: valid, loads: found, position: distance,
            } -> Bits<WORDS_BITS>;
            state waits: Bit = if found { true } else if valid & starts { false };
            state is_tcp: Bit = if found { is_tcp };
            wires words: HotWord<N> = { words: distance };
            state hot: Bits<16> = if found { words.hot };
        }

        stage 3 "the word of each four" {
            mark here: Bit = valid & waits & left.is_here;
            wires first_of_four: PickOfFour<N> = {
                nibble_0, nibble_1, nibble_2, nibble_3, hot,
            } -> Bits<64>;
            wires second_of_four: PickOfFour<N> = {
                nibble_0: second_0, nibble_1: second_1, nibble_2: second_2, nibble_3: second_3, hot,
            } -> Bits<64>;
            first_of_fours: Bits<64> = first_of_four;
            second_of_fours: Bits<64> = second_of_four;
        }

        stage 4 "the ports" {
            mark here: Bit = here;
            wires first_half: JoinFours = { x: first_of_fours } -> Bits<16>;
            wires second_half: JoinFours = { x: second_of_fours } -> Bits<16>;
            first: Bits<16> = first_half;
            second: Bits<16> = second_half;
        }

        stage 5 "the entries that have one of them" {
            mark here: Bit = here;
            wires in_table: InTable(table, is_written) = {
                is_tcp, first, second, written,
            } -> Bits<MATCHES>;
            matches: Bits<MATCHES> = in_table;
        }

        stage 6 "whether there is one" {
            mark here: Bit = here;
            has: Bit = matches.any();
        }

        stage 7 "until the next frame's" {
            state judged: Bit = if here { has };
        }

        /// The packet's ports are judged.
        out are_judged: Bit = judged @ 7;
    }
}

const _: () = assert!(LATENCY == super::transport::LATENCY - 1);
