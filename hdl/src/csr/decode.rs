//! What an address is, made from [`super::map::MAP`].

use super::map::{Access, Register, registers};
use crate::config::Config;
use crate::layout::ADDRESS_BITS;
use crate::primitives::blank;
use crate::verilog::{Body, Expression, Operator, Run, literal, name, zero};
use hdl_macros::{Blank, Block, Described};
use rust_hdl::prelude::*;

/// The map of addresses: which can be read, which can be written, and which do something when written. An address within a word is
/// not the word's.
#[derive(Block, Blank, Described)]
pub struct Decode {
    pub address: Signal<In, Bits<ADDRESS_BITS>>,
    pub readable: Signal<Out, Bit>,
    pub writable: Signal<Out, Bit>,
    pub control: Signal<Out, Bit>,
    pub command: Signal<Out, Bit>,
    /// Only of a core that forbids classes.
    pub forbid: Signal<Out, Bit>,
    /// Only of a core that drops packets and can leave some unjudged: the register `drop_unjudged`.
    pub closed: Signal<Out, Bit>,
    /// Only of a core with a table of ports: the register about all of them, and an entry.
    pub ports: Signal<Out, Bit>,
    pub port_entry: Signal<Out, Bit>,
    _registers: Vec<&'static Register>,
    _run: Run,
}

impl Decode {
    pub fn new(config: &Config) -> Self {
        Self {
            _registers: registers(config),
            ..blank()
        }
    }

    /// Addresses of all words of registers that have a property.
    fn addresses(&self, is: impl Fn(&str, Access) -> bool) -> Vec<usize> {
        let registers = self._registers.iter().filter(|it| is(it.name, it.access));
        registers
            .flat_map(|it| (0..it.words()).map(|word| it.offset + 4 * word))
            .collect()
    }

    /// Each output, with its addresses.
    fn outputs(&self) -> [(&'static str, Vec<usize>); 8] {
        [
            ("readable", self.addresses(|_, _| true)),
            (
                "writable",
                self.addresses(|_, access| access != Access::Read),
            ),
            ("control", self.addresses(|name, _| name == "control")),
            ("command", self.addresses(|name, _| name == "command")),
            ("forbid", self.addresses(|name, _| name == "forbid")),
            ("closed", self.addresses(|name, _| name == "drop_unjudged")),
            ("ports", self.addresses(|name, _| name == "ports")),
            ("port_entry", self.addresses(|name, _| is_entry(name))),
        ]
    }

    fn body(&self, body: Body) -> Body {
        let outputs = self.outputs().into_iter();
        outputs.fold(body, |body, (output, addresses)| {
            let tests = addresses.into_iter();
            let tests =
                tests.map(|address| name("address").equals(literal(ADDRESS_BITS, address as u64)));
            let test = Expression::join(Operator::Or, tests);
            body.assign(output, test.unwrap_or_else(|| zero(1)))
        })
    }
}

/// Whether a register is of an entry of the table of ports.
pub(super) fn is_entry(register: &str) -> bool {
    register.starts_with("port_")
}
