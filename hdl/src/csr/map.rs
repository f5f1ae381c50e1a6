//! The register map, once: the hardware's decoder and read data ([`super::words`]), the C header, the Rust module, the Markdown and
//! the JSON description ([`crate::emit`]) all come from [`registers`]: [`MAP`], and [`super::classes`] of a core with forbidden classes and [`super::reasons`]
//! of one that judges a part of each packet, [`super::drops`] of one that drops them, and [`super::port_table`] of one with a table of ports.

use super::classes::OF_CLASSES;
use super::drops::{OF_DROPS, OF_UNJUDGED};
use super::port_table::OF_PORTS;
use super::reasons::{self, OF_REASONS};
pub use super::register::{Access, Content, Field, Register};
use super::register::{counter, field};
use crate::config::{Config, Core, Form, Mode};
use crate::layout::KINDS;

/// How many 64-bit counters there are.
pub const COUNTERS: usize = 11;
/// Changes whenever a program written for the map before would go wrong.
const REVISION: u32 = 1;
/// What `id` reads as: "RUNE".
const ID: u32 = u32::from_be_bytes(*b"RUNE");

/// Of a kind of ill-formed pieces, by its code.
const fn of_kind(code: usize, description: &'static str) -> Register {
    counter(KINDS[code], 0x38 + 8 * code, description)
}

const PIECES: &str = "ill-formed pieces of this kind";

/// The registers of every core, in the order of their addresses.
pub const MAP: [Register; 18] = [
    Register {
        name: "id",
        offset: 0x00,
        access: Access::Read,
        content: Content::Fields(&[field(
            "id",
            0,
            32,
            |_| ID,
            "ASCII \"RUNE\", first letter in the top byte",
        )]),
        description: "identification of the core",
    },
    Register {
        name: "version",
        offset: 0x04,
        access: Access::Read,
        content: Content::Fields(&[
            field(
                "map",
                0,
                8,
                |_| REVISION,
                "revision of this register map; another revision is incompatible",
            ),
            field(
                "patch",
                8,
                8,
                |_| part(env!("CARGO_PKG_VERSION_PATCH")),
                "patch version of the generator",
            ),
            field(
                "minor",
                16,
                8,
                |_| part(env!("CARGO_PKG_VERSION_MINOR")),
                "minor version of the generator",
            ),
            field(
                "major",
                24,
                8,
                |_| part(env!("CARGO_PKG_VERSION_MAJOR")),
                "major version of the generator",
            ),
        ]),
        description: "revision of the map, version of the generator",
    },
    Register {
        name: "config",
        offset: 0x08,
        access: Access::Read,
        content: Content::Fields(&[
            field(
                "lanes",
                0,
                8,
                |config| config.lanes as u32,
                "bytes per beat",
            ),
            field(
                "counter_width",
                8,
                8,
                |config| verdict(config).2 as u32,
                "width of each counter of a verdict, in bits",
            ),
            field(
                "pass",
                16,
                1,
                |config| u32::from(verdict(config).0.passes()),
                "1: packets pass through the core (mode pass or drop); 0: it only monitors them (mode snoop)",
            ),
            field(
                "free",
                17,
                1,
                |config| u32::from(config.form == Form::Free),
                "1: form free, without tready; 0: form axis",
            ),
            field(
                "flows",
                18,
                14,
                |config| config.core.flows().unwrap_or_default() as u32,
                "number of interleaved flows; 0: packets do not interleave",
            ),
        ]),
        description: "configuration of the core",
    },
    Register {
        name: "widths",
        offset: 0x0C,
        access: Access::Read,
        content: Content::Fields(&[
            field(
                "id",
                0,
                8,
                |config| config.side.id as u32,
                "width of tid in bits",
            ),
            field(
                "dest",
                8,
                8,
                |config| config.side.dest as u32,
                "width of tdest in bits",
            ),
            field(
                "user",
                16,
                8,
                |config| config.side.user as u32,
                "width of the user's part of s_axis_tuser in bits (--user-width)",
            ),
            field(
                "verdict",
                24,
                8,
                |config| verdict(config).1 as u32 / 8,
                "width of m_axis_verdict_tdata in bytes",
            ),
        ]),
        description: "widths of the streams' sidebands and of the verdict",
    },
    Register {
        name: "control",
        offset: 0x10,
        access: Access::ReadWrite,
        content: Content::Fields(&[field(
            "enable",
            0,
            1,
            |_| 1,
            "1: judge the packets that begin; 0: let them pass unchanged, without a verdict and without being counted; with flows, 0 holds the core in reset",
        )]),
        description: "control of the core",
    },
    Register {
        name: "command",
        offset: 0x14,
        access: Access::Command,
        content: Content::Fields(&[
            field(
                "snapshot",
                0,
                1,
                |_| 0,
                "copy all counters, with the same packets in each, to the registers that are read",
            ),
            field(
                "clear",
                1,
                1,
                |_| 0,
                "set all counters and status to 0; together with snapshot, the copy comes first and no packet is lost in between",
            ),
            field(
                "soft_reset",
                2,
                1,
                |_| 0,
                "reset the core as rst does; the bus and all registers stay as they are",
            ),
        ]),
        description: "commands: write 1 to start; complete when the write is answered; read as 0",
    },
    Register {
        name: "status",
        offset: 0x18,
        access: Access::Read,
        content: Content::Fields(&[field(
            "beat_error",
            0,
            1,
            |_| 0,
            "1: a beat had a hole in tkeep, or was partial without tlast, and its packet's verdict and counts are wrong (with flows: a beat was \
             refused); cleared by command.clear and by rst; not part of a snapshot",
        )]),
        description: "sticky status",
    },
    counter(
        "packets",
        0x20,
        "packets (with flows: messages), including ill-formed ones",
    ),
    counter(
        "bad_packets",
        0x28,
        "bad packets (with flows: messages): without a policy the ill-formed ones",
    ),
    counter(
        "bytes",
        0x30,
        "bytes of the packets (with flows: of all beats)",
    ),
    counter(
        "scalars",
        0x38,
        "well-formed sequences, that is, scalar values",
    ),
    of_kind(1, PIECES),
    of_kind(2, PIECES),
    of_kind(3, PIECES),
    of_kind(4, PIECES),
    of_kind(
        5,
        "ill-formed pieces of this kind (with --grammar rfc2279: always 0)",
    ),
    of_kind(6, PIECES),
    of_kind(7, PIECES),
];

/// A part of a version.
fn part(text: &str) -> u32 {
    text.parse().expect("Cargo's versions are numbers")
}

/// What a validator has of its own: mode, bits of a verdict, bits of its counters.
fn verdict(config: &Config) -> (Mode, usize, usize) {
    match config.core {
        Core::Validate {
            mode,
            verdict_width,
            counter_width,
            ..
        } => (mode, verdict_width, counter_width),
        _ => unreachable!("it has no registers"),
    }
}

/// All registers that a core can have.
pub fn every() -> impl Iterator<Item = &'static Register> {
    (MAP.iter().chain(&OF_CLASSES))
        .chain(&OF_REASONS)
        .chain(&OF_DROPS)
        .chain(&OF_UNJUDGED)
        .chain(&OF_PORTS)
}

/// All registers of a core, in the order of their addresses.
pub fn registers(config: &Config) -> Vec<&'static Register> {
    let of_classes: &[_] = match config.core.policy().forbid.is_empty() {
        true => &[],
        false => &OF_CLASSES,
    };
    let of_reasons = OF_REASONS.iter().enumerate();
    let of_reasons = of_reasons.filter(|(code, _)| reasons::is_possible(config, *code));
    let of_ports: &[_] = match config.core.policy().ports {
        None => &[],
        Some(_) => &OF_PORTS,
    };
    let of_drops: &[_] = match config.core.packet_memory(config.lanes) {
        None => &[],
        Some(_) => &OF_DROPS,
    };
    let of_unjudged: &[_] = match config.closes() {
        false => &[],
        true => &OF_UNJUDGED,
    };
    let all = (MAP.iter().chain(of_classes))
        .chain(of_ports)
        .chain(of_drops)
        .chain(of_unjudged);
    let mut all: Vec<_> = all
        .chain(of_reasons.map(|(_, register)| register))
        .collect();
    all.sort_by_key(|register| register.offset);
    all
}

/// The place of a counter among those of [`every`].
pub fn index_of(counter: &Register) -> usize {
    let mut counters = every().filter(|it| it.words() == 2);
    let place = counters.position(|it| it.name == counter.name);
    place.expect("it is one of them")
}

/// A field that the hardware needs to know of.
pub fn find(register: &str, field: &str) -> Field {
    let registers = every().filter(|it| it.name == register);
    let mut fields = registers.flat_map(|it| it.fields());
    *fields
        .find(|it| it.name == field)
        .unwrap_or_else(|| panic!("the map has no {register}.{field}"))
}

#[cfg(test)]
mod tests;
