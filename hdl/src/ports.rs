//! The pins of a core: one table, from which the Verilog's comments, the JSON description and the simulators' drivers come.

use crate::config::{Config, Core, Form, Mode, SideWidths};
use crate::csr::bus;
use crate::flows::entry::COMMAND_BITS;
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

pub(crate) const fn input(name: &'static str, width: usize, description: &'static str) -> Port {
    Port {
        name,
        direction: Direction::Input,
        width,
        description,
    }
}

pub(crate) const fn output(name: &'static str, width: usize, description: &'static str) -> Port {
    Port {
        name,
        direction: Direction::Output,
        width,
        description,
    }
}

/// All pins, in the order of the Verilog's ports; the clock is first.
pub fn ports(config: &Config) -> Vec<Port> {
    let mut ports = vec![
        input("clk", 1, "rising edge"),
        input(
            "rst",
            1,
            "synchronous, active high, for one clock or more; drops the packets in the core",
        ),
    ];
    ports.extend(bytes(config));
    match config.core {
        Core::Decode { dense, .. } => ports.extend(events(config, dense)),
        Core::Validate {
            mode,
            verdict_width,
            flows,
            ..
        } => {
            if mode == Mode::Pass {
                ports.extend(passed(config));
            }
            if flows.is_some() {
                ports.extend(beats(config));
            }
            ports.extend(verdicts(config, mode, verdict_width));
        }
    }
    if config.beat_error {
        ports.push(output(
            "beat_error",
            1,
            "a beat that was taken three clocks ago has a hole in tkeep, or is partial without tlast",
        ));
    }
    if config.has_registers() {
        ports.extend(bus::PORTS);
    }
    // A pin of no width is none.
    ports.retain(|port| port.width > 0);
    if config.form == Form::Free {
        ports.retain(|port| !port.name.ends_with("_tready"));
    }
    ports
}

/// Whether the core only watches the stream of bytes.
fn snoops(config: &Config) -> bool {
    matches!(
        config.core,
        Core::Validate {
            mode: Mode::Snoop,
            ..
        }
    )
}

/// The stream of bytes that enters, or is watched.
fn bytes(config: &Config) -> [Port; 8] {
    let SideWidths { id, dest, user } = config.side;
    let flows = config.core.flows().is_some();
    let ready = if snoops(config) {
        input("s_axis_tready", 1, "its sink takes it")
    } else {
        output("s_axis_tready", 1, "it is taken; from a register")
    };
    [
        input("s_axis_tvalid", 1, "a beat of bytes is offered"),
        ready,
        input(
            "s_axis_tdata",
            8 * config.lanes,
            "bytes, lane 0 (bits 7..0) first in the stream",
        ),
        input(
            "s_axis_tkeep",
            config.lanes,
            "lanes with a byte: low-aligned, partial or none only with tlast",
        ),
        input("s_axis_tlast", 1, "the packet ends with this beat"),
        if flows {
            input("s_axis_tid", id, "the flow")
        } else {
            input("s_axis_tid", id, "comes out with what the beat gives")
        },
        input("s_axis_tdest", dest, "comes out with what the beat gives"),
        if flows {
            input(
                "s_axis_tuser",
                user + COMMAND_BITS,
                "bit 0 more: the packet does not end its message; 1 open: the message begins anew with this beat; 2 forget: \
                 the flow's state is discarded after it, without a verdict",
            )
        } else {
            input("s_axis_tuser", user, "comes out with what the beat gives")
        },
    ]
}

/// The stream of events.
fn events(config: &Config, dense: bool) -> [Port; 8] {
    let lanes = config.lanes;
    let SideWidths { id, dest, user } = config.side;
    [
        output(
            "m_axis_tvalid",
            1,
            if dense {
                "a beat of events is offered: it is full or ends its packet"
            } else {
                "a beat of events is offered: it has an event or ends its packet"
            },
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
            if dense {
                "4 bits a lane: all ones where an event is; low-aligned, partial only with tlast"
            } else {
                "4 bits a lane: all ones where an event is, else zeros"
            },
        ),
        output("m_axis_tlast", 1, "the packet ends with this beat"),
        output(
            "m_axis_tid",
            id,
            "of the newest input beat in it, which may have no bytes",
        ),
        output(
            "m_axis_tdest",
            dest,
            "of the newest input beat in it, which may have no bytes",
        ),
        output(
            "m_axis_tuser",
            USER_BITS * lanes + 1 + user,
            if user > 0 {
                "s_axis_tuser, then signature flag, then 5 bits a lane: {length[1:0], kind[2:0]}"
            } else {
                "signature flag, then 5 bits a lane: {length[1:0], kind[2:0]}"
            },
        ),
    ]
}

/// The stream of bytes that passes through.
fn passed(config: &Config) -> [Port; 8] {
    let lanes = config.lanes;
    let SideWidths { id, dest, user } = config.side;
    [
        output("m_axis_tvalid", 1, "a beat of bytes is offered"),
        input("m_axis_tready", 1, "it is taken"),
        output("m_axis_tdata", 8 * lanes, "as it came"),
        output("m_axis_tkeep", lanes, "as it came"),
        output("m_axis_tlast", 1, "as it came"),
        output("m_axis_tid", id, "as it came"),
        output("m_axis_tdest", dest, "as it came"),
        output(
            "m_axis_tuser",
            user.max(1),
            "as it came, but for bit 0 with tlast: set if the packet is ill-formed",
        ),
    ]
}

/// What is known of the flow of each beat, and whether the flows can be used.
fn beats(config: &Config) -> [Port; 6] {
    let SideWidths { id, dest, user } = config.side;
    [
        output(
            "flows_ready",
            1,
            "every flow has been forgotten since the reset; no beat is taken before",
        ),
        output(
            "m_axis_flow_tvalid",
            1,
            "a beat with bytes or tlast has been taken or refused",
        ),
        output(
            "m_axis_flow_tdata",
            8,
            "bit 0 bad: its flow's message is ill-formed so far; 1 refused: the beat has no effect",
        ),
        output("m_axis_flow_tid", id, "its flow"),
        output("m_axis_flow_tdest", dest, "as it came"),
        output(
            "m_axis_flow_tuser",
            user,
            "as it came, without the lowest three bits",
        ),
    ]
}

/// The stream of verdicts.
fn verdicts(config: &Config, mode: Mode, width: usize) -> Vec<Port> {
    let SideWidths { id, dest, user } = config.side;
    let mut ports = vec![
        output("m_axis_verdict_tvalid", 1, "a packet has ended"),
        input("m_axis_verdict_tready", 1, "its verdict is taken"),
        output(
            "m_axis_verdict_tdata",
            width,
            "one verdict: {flags, ill_formed, scalars, valid_up_to, bytes}, 32 bits each",
        ),
        output("m_axis_verdict_tid", id, "of the packet's last beat"),
        output("m_axis_verdict_tdest", dest, "of the packet's last beat"),
        output("m_axis_verdict_tuser", user, "of the packet's last beat"),
    ];
    // Who only watches cannot hold anything up.
    if mode == Mode::Snoop {
        ports.retain(|port| port.name != "m_axis_verdict_tready");
    }
    ports
}
