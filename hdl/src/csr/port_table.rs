//! The registers of a core with a table of ports that can be written.
//!
//! # Reset
//! The table is that of the configuration.

use super::register::{Access, Content, Register, field};
use crate::config::{self, Config, PORT_ENTRIES, PortEntry};
use crate::layout::{ADDRESS_BITS, PORT_BITS, PORTS_BITS};
use crate::primitives::blank;
use crate::verilog::{
    Body, Expression, Operator, Run, Statement, bit, bits, choose, concat, literal, name, repeat,
    set, when, zero,
};
use hdl_macros::{Blank, Block, Described};
use rust_hdl::prelude::*;

/// The address of the first entry, a multiple of the table's bytes.
pub const FIRST: usize = 0x180;
/// Bytes of an entry: two words.
const ENTRY: usize = 8;
/// Bits of an address within the table.
pub const TABLE_ADDRESS: usize = (ENTRY * PORT_ENTRIES).ilog2() as usize;
/// Entries that are read in one clock.
const GROUP: usize = 4;

/// Whether the table has all ports.
fn has_all(config: &Config) -> u32 {
    let ports = config.core.policy().ports;
    u32::from(ports.is_none_or(|table| table.has_all()))
}

fn entry(config: &Config, index: usize) -> Option<PortEntry> {
    config
        .core
        .policy()
        .ports
        .and_then(|table| table.entry(index))
}

/// What a field of an entry is after a reset; zero of one that is not used.
fn of<const INDEX: usize>(config: &Config, field: impl Fn(PortEntry) -> u32) -> u32 {
    entry(config, INDEX).map_or(0, field)
}

const fn range<const INDEX: usize>(name: &'static str) -> Register {
    Register {
        name,
        offset: FIRST + ENTRY * INDEX,
        access: Access::ReadWrite,
        content: Content::Fields(
            const {
                &[
                    field(
                        "low",
                        0,
                        16,
                        |config| of::<INDEX>(config, |it| it.low.into()),
                        "the first port",
                    ),
                    field(
                        "high",
                        16,
                        16,
                        |config| of::<INDEX>(config, |it| it.high.into()),
                        "the last port",
                    ),
                ]
            },
        ),
        description: "an entry of the table of ports: its first port and its last, both included; it has none if the first is above the last",
    }
}

const fn side<const INDEX: usize>(name: &'static str) -> Register {
    Register {
        name,
        offset: FIRST + ENTRY * INDEX + 4,
        access: Access::ReadWrite,
        content: Content::Fields(
            const {
                &[
                    field(
                        "udp",
                        0,
                        1,
                        |config| of::<INDEX>(config, |it| (!it.is_tcp).into()),
                        "1: of UDP",
                    ),
                    field(
                        "tcp",
                        1,
                        1,
                        |config| of::<INDEX>(config, |it| it.is_tcp.into()),
                        "1: of TCP, whose segments are judged only with --edges open",
                    ),
                    field(
                        "source",
                        2,
                        1,
                        |config| of::<INDEX>(config, |it| it.of_source.into()),
                        "1: if the source has such a port",
                    ),
                    field(
                        "destination",
                        3,
                        1,
                        |config| of::<INDEX>(config, |it| it.of_destination.into()),
                        "1: if the destination has such a port",
                    ),
                ]
            },
        ),
        description: "the same entry: its protocols and sides; it is used if one of each is set",
    }
}

macro_rules! of_ports {
    ($($index:literal)*) => {
        /// In the order of their addresses.
        pub const OF_PORTS: [Register; 1 + 2 * PORT_ENTRIES] = [
            Register {
                name: "ports",
                offset: 0x100,
                access: Access::ReadWrite,
                content: Content::Fields(&[field(
                    "all",
                    0,
                    1,
                    has_all,
                    "1: all ports are judged; 0: only those of the table",
                )]),
                description: "which ports are judged; a write counts for the frames whose ports are compared after it",
            },
            $(
                range::<$index>(concat!("port_", $index, "_range")),
                side::<$index>(concat!("port_", $index, "_match")),
            )*
        ];
    };
}
of_ports!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);

/// Keeps the table: of each entry, from its lowest bit on, the first port and the last one (16 bits each), and whether it is of UDP, of TCP, of
/// the source and of the destination; the highest bit of all says that all ports are judged.
#[derive(Blank, Block, Described)]
pub struct WrittenPorts {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    /// A write is carried out, of an entry or of the register `ports`.
    pub writes_entry: Signal<In, Bit>,
    pub writes_all: Signal<In, Bit>,
    pub address: Signal<In, Bits<ADDRESS_BITS>>,
    pub data: Signal<In, Bits<32>>,
    pub strobes: Signal<In, Bits<4>>,
    pub y: Signal<Out, Bits<PORTS_BITS>>,
    pub all: Signal<Out, Bit>,
    /// The table's word at the address, two clocks later.
    pub word: Signal<Out, Bits<32>>,
    /// What it has after a reset.
    _table: config::PortTable,
    _run: Run,
}

impl WrittenPorts {
    pub fn new(table: Option<config::PortTable>) -> Self {
        Self {
            _table: table.unwrap_or_default(),
            ..blank()
        }
    }

    fn body(&self, mut body: Body) -> Body {
        let register = |body: Body, net: String, width, doc, reset, writes, next| {
            (body.register(&net, width, doc)).at_clock(Statement::If {
                test: name("reset"),
                then: vec![set(&net, literal(width, reset))],
                otherwise: vec![when(writes, vec![set(&net, next)])],
            })
        };
        let mut words = Vec::new();
        for index in 0..PORT_ENTRIES {
            let entry = self._table.entry(index);
            let at = |half: u64| {
                let at = literal(TABLE_ADDRESS - 2, 2 * index as u64 + half);
                name("writes_entry") & bits("address", 2, TABLE_ADDRESS - 2).equals(at)
            };
            let range = format!("range_{index}");
            let doc = if index == 0 {
                "Of each entry the first port and the last one; whether it is of UDP and of TCP, of the source and of the destination."
            } else {
                ""
            };
            let reset = entry.map_or(0, |it| u64::from(it.high) << 16 | u64::from(it.low));
            let byte = |byte: usize| {
                let [old, new] = [range.as_str(), "data"].map(|of| bits(of, 8 * byte, 8));
                choose(bit("strobes", byte), new, old)
            };
            let next = concat((0..4).map(byte));
            body = register(body, range.clone(), 32, doc, reset, at(0), next);
            let sides = format!("sides_{index}");
            let reset = entry.map_or(0, |it| {
                let bits = [!it.is_tcp, it.is_tcp, it.of_source, it.of_destination];
                (bits.into_iter().enumerate()).fold(0, |all, (at, bit)| all | u64::from(bit) << at)
            });
            let writes = at(1) & bit("strobes", 0);
            body = register(
                body,
                sides.clone(),
                4,
                "",
                reset,
                writes,
                bits("data", 0, 4),
            );
            words.push([range, sides]);
        }
        let reset = u64::from(self._table.has_all());
        let writes = name("writes_all") & bit("strobes", 0);
        let doc = "All ports are judged.";
        body = register(
            body,
            "judges_all".into(),
            1,
            doc,
            reset,
            writes,
            bit("data", 0),
        );
        let all = words.iter().flatten().map(name).chain([name("judges_all")]);
        self.read(body.assign("y", concat(all)), &words)
            .assign("all", name("judges_all"))
    }

    /// Chooses the word that is read: first among four entries each, then among these groups.
    fn read(&self, mut body: Body, words: &[[String; 2]]) -> Body {
        let is = |low, width, value: usize| {
            let value = bits("address", low, width).equals(literal(width, value as u64));
            repeat(32, value)
        };
        let any = |all: Vec<Expression>| Expression::join(Operator::Or, all).expect("some");
        let mut groups = Vec::new();
        for (index, entries) in words.chunks(GROUP).enumerate() {
            let group = format!("group_{index}");
            let entry = |(at, [range, sides]): (usize, &[String; 2])| {
                let word = choose(
                    bit("address", 2),
                    concat([name(sides), zero(28)]),
                    name(range),
                );
                is(3, 2, at) & word
            };
            let doc = if index == 0 {
                "The word that is read, of each four entries."
            } else {
                ""
            };
            let value = any(entries.iter().enumerate().map(entry).collect());
            body = body.later(&group, 32, doc, value);
            groups.push(is(5, 2, index) & name(group));
        }
        let doc = "The word that is read.";
        body.later("read", 32, doc, any(groups))
            .assign("word", name("read"))
    }
}

const _: () = assert!(FIRST.is_multiple_of(1 << TABLE_ADDRESS));
const _: () = assert!(PORT_BITS == 32 + 4 && PORTS_BITS == PORT_ENTRIES * PORT_BITS + 1);
const _: () = assert!(PORT_ENTRIES == GROUP * 4);
