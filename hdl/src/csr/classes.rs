//! The registers of a core that forbids classes of scalar values: which of them it looks for, and how many packets have each.

use super::register::{Access, Content, Field, Register, counter, field};
use crate::config::Config;
use crate::layout::CLASSES;

/// Bits of the register `forbid`, and counters of classes.
pub const COUNT: usize = CLASSES.len();

/// Whether the core finds a class.
fn has(config: &Config, class: usize) -> u32 {
    u32::from(config.core.policy().forbid.has(class))
}

const fn class(bit: usize, name: &'static str, reset: fn(&Config) -> u32) -> Field {
    field(name, bit, 1, reset, CLASSES[bit].1)
}

const fn packets(bit: usize, name: &'static str) -> Register {
    counter(
        name,
        0x78 + 8 * bit,
        "packets with a forbidden scalar value of this class",
    )
}

/// In the order of their addresses.
pub const OF_CLASSES: [Register; 1 + COUNT] = [
    Register {
        name: "forbid",
        offset: 0x1C,
        access: Access::ReadWrite,
        content: Content::Fields(&[
            class(0, "nul", |config| has(config, 0)),
            class(1, "control", |config| has(config, 1)),
            class(2, "c1", |config| has(config, 2)),
            class(3, "noncharacter", |config| has(config, 3)),
            class(4, "bidi", |config| has(config, 4)),
            class(5, "private", |config| has(config, 5)),
            class(6, "supplementary", |config| has(config, 6)),
            class(7, "from_0300", |config| has(config, 7)),
        ]),
        description: "1: look for this class; read when a packet's first beat is taken, if only a null one; a class that is not in --forbid stays 0",
    },
    packets(0, "forbidden_nul"),
    packets(1, "forbidden_control"),
    packets(2, "forbidden_c1"),
    packets(3, "forbidden_noncharacter"),
    packets(4, "forbidden_bidi"),
    packets(5, "forbidden_private"),
    packets(6, "forbidden_supplementary"),
    packets(7, "forbidden_from_0300"),
];
