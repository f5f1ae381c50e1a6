//! The pins of a core: one table, from which the Verilog's comments, the JSON signature and the simulators' drivers come.

use crate::config::{Config, Form};
use crate::layout::USER_BITS;
use serde::Serialize;

/// Direction of a pin, seen from the core.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    Input,
    Output,
}

/// A pin: its width in bits, and what it means.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Port {
    pub name: &'static str,
    pub direction: Direction,
    pub width: usize,
    pub description: &'static str,
}

impl Port {
    /// 32-bit words that the pin takes in a frame (see [`crate::embedded`]).
    pub fn words(&self) -> usize {
        self.width.div_ceil(32)
    }
}

/// All pins, in the order of the Verilog's ports; the clock is first.
pub fn ports(config: &Config) -> Vec<Port> {
    let lanes = config.lanes;
    let input = |name, width, description| Port {
        name,
        direction: Direction::Input,
        width,
        description,
    };
    let output = |name, width, description| Port {
        name,
        direction: Direction::Output,
        width,
        description,
    };
    let mut ports = vec![
        input("clk", 1, "rising edge"),
        input(
            "rst",
            1,
            "synchronous, active high; drops the packets in the core",
        ),
        input("s_axis_tvalid", 1, "a beat of bytes is offered"),
        output("s_axis_tready", 1, "it is taken; from a register"),
        input(
            "s_axis_tdata",
            8 * lanes,
            "bytes, lane 0 (bits 7..0) first in the stream",
        ),
        input(
            "s_axis_tkeep",
            lanes,
            "lanes with a byte: low-aligned, partial or none only with tlast",
        ),
        input("s_axis_tlast", 1, "the packet ends with this beat"),
        output(
            "m_axis_tvalid",
            1,
            "a beat of events is offered: it has an event or ends its packet",
        ),
        input("m_axis_tready", 1, "it is taken"),
        output(
            "m_axis_tdata",
            32 * lanes,
            "32 bits a lane: scalar value, U+FFFD if ill-formed, 0 if no event",
        ),
        output(
            "m_axis_tkeep",
            4 * lanes,
            "4 bits a lane: all ones where an event is, else zeros",
        ),
        output("m_axis_tlast", 1, "the packet ends with this beat"),
        output(
            "m_axis_tuser",
            USER_BITS * lanes + 1,
            "signature flag, then 5 bits a lane: {length[1:0], kind[2:0]}",
        ),
    ];
    if config.form == Form::Free {
        ports.retain(|port| !port.name.ends_with("_tready"));
    }
    ports
}
