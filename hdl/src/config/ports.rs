//! The pins of a core: one table, from which the Verilog's comments, the JSON description and the simulators' drivers come.

use super::bus;
use super::configuration::{Config, Core, Encoding, Form, Mode, Replace, SideWidths};
use super::grammar::Grammar;
use super::passed_ports::{passed, repaired};
use super::port::{input, output};
use super::word_ports::{packed, words};
use crate::layout::{COMMAND_BITS, WINDOW_BITS};

pub use super::port::{Direction, Port};

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
    match config.core {
        Core::Encode { from, .. } => ports.extend(words(config, from)),
        _ => ports.extend(bytes(config)),
    }
    match config.core {
        Core::Decode { dense, to, .. } => ports.extend(events(config, dense, to)),
        Core::Validate {
            mode,
            verdict_width,
            flows,
            ..
        } => {
            if mode.passes() {
                ports.extend(passed(config));
            }
            if flows.is_some() {
                ports.extend(beats(config));
            }
            ports.extend(verdicts(config, mode == Mode::Snoop, verdict_width));
        }
        Core::Encode { verdict_width, .. } => {
            ports.extend(packed(config));
            ports.extend(verdicts(config, false, verdict_width));
        }
        Core::Sanitise {
            replace,
            verdict_width,
            ..
        } => {
            match replace {
                Replace::Fffd => ports.extend(packed(config)),
                Replace::Ascii => ports.extend(repaired(config)),
            }
            ports.extend(verdicts(config, false, verdict_width));
        }
    }
    if config.beat_error {
        let broken = match config.core {
            Core::Encode { .. } => {
                "the beat accepted three clocks ago has a part of a word in tkeep"
            }
            _ => {
                "the beat accepted three clocks ago has a hole in tkeep, or is partial without tlast"
            }
        };
        ports.push(output("beat_error", 1, broken));
    }
    if config.has_registers() {
        ports.extend(bus::PORTS);
    }
    // A sideband of zero bits has no pin.
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
        input(
            "s_axis_tready",
            1,
            "the stream's sink accepts the beat (the core only monitors the stream)",
        )
    } else {
        output(
            "s_axis_tready",
            1,
            "the beat is accepted; driven by a register",
        )
    };
    [
        input("s_axis_tvalid", 1, "a beat of bytes is valid"),
        ready,
        input(
            "s_axis_tdata",
            8 * config.lanes,
            "bytes, lane 0 (bits 7..0) first in the stream",
        ),
        input(
            "s_axis_tkeep",
            config.lanes,
            "lanes with a byte: contiguous from lane 0; partial only with tlast, or all zeros",
        ),
        input("s_axis_tlast", 1, "the packet ends with this beat"),
        if flows {
            input("s_axis_tid", id, "number of the flow")
        } else {
            input("s_axis_tid", id, "copied to the output of this beat")
        },
        input("s_axis_tdest", dest, "copied to the output of this beat"),
        if flows {
            input(
                "s_axis_tuser",
                user + COMMAND_BITS,
                "bit 0 more: the message continues after this packet; 1 open: a new message begins with this beat; 2 forget: discard \
                 the flow's state after this beat, without a verdict",
            )
        } else if config.core.policy().takes_windows() {
            input(
                "s_axis_tuser",
                user + WINDOW_BITS,
                "of a packet's first beat with a byte or tlast, bit 0: the packet has a window; 16..1: position of its first byte; 32..17: \
                 position after its last byte. The bits above are copied to the output of this beat",
            )
        } else {
            input("s_axis_tuser", user, "copied to the output of this beat")
        },
    ]
}

/// The stream of events.
fn events(config: &Config, dense: bool, to: Encoding) -> [Port; 8] {
    let lanes = config.lanes;
    let SideWidths { id, dest, user } = config.side;
    [
        output(
            "m_axis_tvalid",
            1,
            match (to.is_utf16(), dense) {
                (false, true) => "a beat of events is valid: it is full or ends its packet",
                (false, false) => "a beat of events is valid: it has an event or ends its packet",
                (true, true) => "a beat of units is valid: it is full or ends its packet",
                (true, false) => "a beat of units is valid: it has a unit or ends its packet",
            },
        ),
        input("m_axis_tready", 1, "the sink accepts the beat"),
        output(
            "m_axis_tdata",
            to.bits() * lanes,
            match to {
                Encoding::Utf32 => {
                    "32 bits per lane: scalar value, U+FFFD if ill-formed, 0 without an event"
                }
                Encoding::Utf16le => {
                    "16 bits per lane: UTF-16 unit, its low octet in the low byte; FFFD if ill-formed, 0 without a unit"
                }
                Encoding::Utf16be => {
                    "16 bits per lane: UTF-16 unit, its high octet in the low byte; FFFD if ill-formed, 0 without a unit"
                }
            },
        ),
        output(
            "m_axis_tkeep",
            to.bits() / 8 * lanes,
            match (to.is_utf16(), dense) {
                (false, true) => {
                    "4 bits per lane, all ones in a lane with an event: contiguous from lane 0, partial only with tlast"
                }
                (false, false) => "4 bits per lane: all ones in a lane with an event, else zeros",
                (true, true) => {
                    "2 bits per lane, both ones in a lane with a unit: contiguous from lane 0, partial only with tlast"
                }
                (true, false) => "2 bits per lane: both ones in a lane with a unit, else zeros",
            },
        ),
        output("m_axis_tlast", 1, "the packet ends with this beat"),
        output(
            "m_axis_tid",
            id,
            "sideband of the last input beat that contributed to this one; it may have no bytes",
        ),
        output(
            "m_axis_tdest",
            dest,
            "sideband of the last input beat that contributed to this one; it may have no bytes",
        ),
        output(
            "m_axis_tuser",
            config.core.grammar().user_bits() * lanes + 1 + user,
            match (config.core.grammar(), user > 0) {
                (Grammar::Rfc3629, true) => {
                    "{s_axis_tuser, signature flag, 5 bits per lane: {length[1:0], kind[2:0]}}"
                }
                (Grammar::Rfc3629, false) => {
                    "{signature flag, 5 bits per lane: {length[1:0], kind[2:0]}}"
                }
                (Grammar::Rfc2279, true) => {
                    "{s_axis_tuser, signature flag, 6 bits per lane: {length[2:0], kind[2:0]}}"
                }
                (Grammar::Rfc2279, false) => {
                    "{signature flag, 6 bits per lane: {length[2:0], kind[2:0]}}"
                }
            },
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
            "the table of flows has been cleared after the reset; no beat is accepted before",
        ),
        output(
            "m_axis_flow_tvalid",
            1,
            "a beat with bytes or tlast was accepted or refused",
        ),
        output(
            "m_axis_flow_tdata",
            8,
            "bit 0 bad: the flow's message is ill-formed so far; 1 refused: the beat had no effect",
        ),
        output("m_axis_flow_tid", id, "number of the flow"),
        output("m_axis_flow_tdest", dest, "s_axis_tdest, unchanged"),
        output(
            "m_axis_flow_tuser",
            user,
            "s_axis_tuser without its lowest three bits",
        ),
    ]
}

/// The stream of verdicts.
fn verdicts(config: &Config, snoops: bool, width: usize) -> Vec<Port> {
    let SideWidths { id, dest, user } = config.side;
    let mut ports = vec![
        output(
            "m_axis_verdict_tvalid",
            1,
            "a verdict is valid: a packet has ended",
        ),
        input("m_axis_verdict_tready", 1, "the sink accepts the verdict"),
        output(
            "m_axis_verdict_tdata",
            width,
            match config.core {
                Core::Encode { .. } => {
                    "one verdict: {flags, ill_formed, words, valid_up_to, bytes}, 32 bits each"
                }
                _ if config.core.policy().is_full => {
                    "one verdict: {utf16_units, ascii, forbidden_end, flags, ill_formed, scalars, valid_up_to, bytes}, 32 bits each"
                }
                _ if !config.core.policy().forbid.is_empty() => {
                    "one verdict: {forbidden_end, flags, ill_formed, scalars, valid_up_to, bytes}, 32 bits each"
                }
                _ => "one verdict: {flags, ill_formed, scalars, valid_up_to, bytes}, 32 bits each",
            },
        ),
        output(
            "m_axis_verdict_tid",
            id,
            "s_axis_tid of the packet's last beat",
        ),
        output(
            "m_axis_verdict_tdest",
            dest,
            "s_axis_tdest of the packet's last beat",
        ),
        output(
            "m_axis_verdict_tuser",
            user,
            match config.core.policy().takes_windows() {
                true => "s_axis_tuser above its lowest 33 bits, of the packet's last beat",
                false => "s_axis_tuser of the packet's last beat",
            },
        ),
    ];
    // Snoop mode only watches, so that it cannot stall the stream.
    if snoops {
        ports.retain(|port| port.name != "m_axis_verdict_tready");
    }
    ports
}
