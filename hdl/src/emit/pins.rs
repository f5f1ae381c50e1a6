//! Gives the top the pins of its configuration.
//!
//! The description carries `tid`, `tdest` and `tuser` as one vector of a width that stands for any ([`crate::side`]), what the
//! events have in `tuser` apart from what came with the bytes, and a verdict without what fills its bus. Here the vector gets
//! its width and falls into pins.

use super::module::{Module, Net, Port, Statement};
use crate::config::{Config, Core};
use crate::csr::bus;
use crate::flows::entry::COMMAND_BITS;
use crate::layout::{USER_BITS, VERDICT_BITS};
use crate::ports::{Direction, ports};
use crate::side::{SIDE, SideFields, fields};
use std::sync::LazyLock;

use regex::{Captures, Regex};

/// What depends on the vector's width in an expression or in a `Verilog::Custom` block: literals and ranges.
static WIDTH: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(&format!(r"\b{SIDE}'|\[{}:0\]", SIDE - 1)).expect("it is well-formed")
});

/// Adapts all modules; the first is the top.
pub fn adapt(modules: &mut [Module], config: &Config) {
    let places = fields(config);
    // A vector of no bits is a zero that nothing reads.
    let width = places.width.max(1);
    for module in modules.iter_mut() {
        narrow(module, width);
    }
    let Some(top) = modules.first_mut() else {
        return;
    };
    let old = std::mem::take(&mut top.ports);
    let table = ports(config);
    for port in &table {
        let before = old.iter().find(|old| old.net.name == port.name);
        top.ports.push(Port {
            output: port.direction == Direction::Output,
            net: Net {
                name: port.name.to_string(),
                // Of a pin that the description has, its width is what is told.
                width: before.map_or(port.width, |old| old.net.width),
            },
        });
    }
    for port in old {
        if !table.iter().any(|pin| pin.name == port.net.name) {
            if port.output {
                top.statements.extend(outputs(&port.net, config, &places));
                if let Some(unread) = unread(&port.net, config, &places) {
                    top.statements.push(assign(UNREAD, unread));
                    top.nets.push(Net {
                        name: UNREAD.to_string(),
                        width: 1,
                    });
                }
            } else {
                let value = input(&port.net, config);
                top.statements.insert(0, assign(&port.net.name, value));
            }
            top.nets.push(port.net);
        }
    }
}

/// Puts the width of the configuration in the place of the one that stands for any.
fn narrow(module: &mut Module, width: usize) {
    let narrow = |net: &mut Net| {
        if net.width == SIDE {
            net.width = width;
        }
    };
    module
        .ports
        .iter_mut()
        .for_each(|port| narrow(&mut port.net));
    module.nets.iter_mut().for_each(narrow);
    module.registers.iter_mut().for_each(|register| {
        narrow(&mut register.net);
        register.initial = narrowed(&register.initial, width);
    });
    for statement in &mut module.statements {
        narrow_statement(statement, width);
    }
    if let Some(custom) = &mut module.custom {
        *custom = narrowed(custom, width);
    }
}

fn narrow_statement(statement: &mut Statement, width: usize) {
    match statement {
        Statement::Assign { value, .. } => *value = narrowed(value, width),
        Statement::If {
            then, otherwise, ..
        } => {
            for statement in then.iter_mut().chain(otherwise) {
                narrow_statement(statement, width);
            }
        }
    }
}

fn narrowed(text: &str, width: usize) -> String {
    WIDTH
        .replace_all(text, |found: &Captures| {
            if found[0].starts_with('[') {
                format!("[{}:0]", width - 1)
            } else {
                format!("{width}'")
            }
        })
        .into_owned()
}

fn assign(target: &str, value: String) -> Statement {
    Statement::Assign {
        target: target.to_string(),
        value,
    }
}

/// What an input of the description is in terms of pins. One that is no pin and has no fields is not there: zero.
fn input(net: &Net, config: &Config) -> String {
    let side = config.side;
    let flows = config.core.flows().is_some();
    let mut parts = Vec::new();
    if flows && net.name == "s_axis_flow" {
        parts.extend((net.width > side.id).then(|| format!("{}'h0", net.width - side.id)));
        parts.push("s_axis_tid".to_string());
    }
    if flows && net.name == "s_axis_command" {
        parts.push(slice(
            "s_axis_tuser",
            COMMAND_BITS + side.user,
            0,
            COMMAND_BITS,
        ));
    }
    if net.name == "s_axis_side" {
        for (name, width) in [("tdest", side.dest), ("tid", side.id)] {
            if width > 0 {
                parts.push(format!("s_axis_{name}"));
            }
        }
        if side.user > 0 {
            let commands = if flows { COMMAND_BITS } else { 0 };
            parts.push(slice(
                "s_axis_tuser",
                commands + side.user,
                commands,
                side.user,
            ));
        }
        // Room for the mark of a bad packet.
        if fields(config).user.1 > side.user {
            parts.push("1'h0".to_string());
        }
    }
    if net.name == "s_axil_in" && config.has_registers() {
        parts.extend(bus::places(Direction::Input).map(|(name, ..)| name.to_string()));
        parts.reverse();
    }
    match parts.len() {
        0 => format!("{}'b0", net.width),
        1 => parts.remove(0),
        _ => format!("{{{}}}", parts.join(", ")),
    }
}

/// The pins that an output of the description gives.
fn outputs(net: &Net, config: &Config, places: &SideFields) -> Vec<Statement> {
    let slice = |(low, width): (usize, usize)| slice(&net.name, net.width, low, width);
    let stream = net.name.trim_end_matches("_side");
    match net.name.as_str() {
        "m_axis_verdict" => {
            let Core::Validate { verdict_width, .. } = config.core else {
                return Vec::new();
            };
            let fill = verdict_width - VERDICT_BITS;
            let value = if fill == 0 {
                net.name.clone()
            } else {
                format!("{{{fill}'h0, {}}}", net.name)
            };
            vec![assign("m_axis_verdict_tdata", value)]
        }
        "s_axil_out" if config.has_registers() => bus::places(Direction::Output)
            .map(|(name, low, width)| assign(name, self::slice(&net.name, net.width, low, width)))
            .collect(),
        // Nobody asked for such pins.
        "s_axil_out" | "beat_error" => Vec::new(),
        "m_axis_kinds" => {
            let kinds = net.name.clone();
            let user = self::slice(
                "m_axis_side",
                places.width.max(1),
                places.user.0,
                places.user.1,
            );
            debug_assert_eq!(net.width, USER_BITS * config.lanes + 1);
            let value = if places.user.1 == 0 {
                kinds
            } else {
                format!("{{{user}, {kinds}}}")
            };
            vec![assign("m_axis_tuser", value)]
        }
        _ => {
            // Only what came with the bytes belongs to a verdict; a mark is of the packet that passes.
            let marked = stream == "m_axis" && matches!(config.core, Core::Validate { .. });
            let user = (
                places.user.0,
                if marked {
                    places.user.1
                } else {
                    config.side.user
                },
            );
            let with_kinds = matches!(config.core, Core::Decode { .. });
            [
                ("tid", places.id, true),
                ("tdest", places.dest, true),
                ("tuser", user, !with_kinds),
            ]
            .into_iter()
            .filter(|(_, (_, width), own)| *width > 0 && *own)
            .map(|(name, place, _)| assign(&format!("{stream}_{name}"), slice(place)))
            .collect()
        }
    }
}

/// What a verdict's vector has beside its pins: the mark of a bad packet, which is of the packet that passes. Linters are content
/// with a name that says so.
fn unread(net: &Net, config: &Config, places: &SideFields) -> Option<String> {
    let (low, width) = places.user;
    let is_read = width == config.side.user || places.width == width;
    (net.name == "m_axis_verdict_side" && !is_read).then(|| slice(&net.name, net.width, low, width))
}
pub const UNREAD: &str = "unused_verdict_mark";

/// Bits of a net.
fn slice(name: &str, of: usize, low: usize, width: usize) -> String {
    if width == of {
        name.to_string()
    } else if width == 1 {
        format!("{name}[{low}]")
    } else {
        format!("{name}[{}:{low}]", (low + width).saturating_sub(1))
    }
}
