//! Gives the top the pins of its configuration.
//!
//! The description carries `tid`, `tdest` and `tuser` as one vector ([`crate::verilog::Sideband`]), what the
//! events have in `tuser` apart from what came with the bytes, and a verdict without what fills its bus. Here the vector falls
//! into pins.

use super::module::{Assign, Module, Port};
use crate::config::bus;
use crate::config::ports::{Direction, ports};
use crate::config::{Config, Core};
use crate::layout::{COMMAND_BITS, VERDICT_BITS, WINDOW_BITS};
use crate::sideband::{SideFields, fields};
use crate::verilog::{Expression, Net, bits, concat, name, zero};

/// What the description calls a verdict's further words.
const FURTHER: &str = "m_axis_further";

/// Adapts a core.
pub fn adapt(top: &mut Module, config: &Config) {
    let places = fields(config);
    let old = std::mem::take(&mut top.ports);
    let table = ports(config);
    for port in &table {
        let before = old.iter().find(|old| old.net.name == port.name);
        top.ports.push(Port {
            output: port.direction == Direction::Output,
            net: Net {
                name: port.name.to_string(),
                // A pin that the description has keeps its width.
                width: before.map_or(port.width, |old| old.net.width),
            },
        });
    }
    for port in old {
        if !table.iter().any(|pin| pin.name == port.net.name) {
            if port.output {
                top.assigned.extend(outputs(&port.net, config, &places));
            } else {
                let value = input(&port.net, config);
                top.assigned.push(assign(&port.net.name, value));
            }
            top.nets.push(port.net);
        }
    }
}

fn assign(target: &str, value: Expression) -> Assign {
    let target = target.to_string();
    Assign { target, value }
}

/// What an input of the description is in terms of pins. One that is no pin and has no fields is not there: zero.
fn input(net: &Net, config: &Config) -> Expression {
    let side = config.side;
    let flows = config.core.flows().is_some();
    let mut parts = Vec::new();
    if flows && net.name == "s_axis_flow" {
        parts.push(name("s_axis_tid"));
        parts.push(zero(net.width.saturating_sub(side.id)));
    }
    if flows && net.name == "s_axis_command" {
        parts.push(bits("s_axis_tuser", 0, COMMAND_BITS));
    }
    if net.name == "s_axis_window" && config.core.policy().takes_windows() {
        parts.push(bits("s_axis_tuser", 0, WINDOW_BITS));
    }
    if net.name == "s_axis_side" {
        if side.user > 0 {
            parts.push(bits("s_axis_tuser", config.core.low_user_bits(), side.user));
        }
        // Room for the marks of a bad packet.
        let marks = fields(config).user.1 - side.user;
        if marks > 0 {
            parts.push(zero(marks));
        }
        for (pin, width) in [("s_axis_tid", side.id), ("s_axis_tdest", side.dest)] {
            if width > 0 {
                parts.push(name(pin));
            }
        }
    }
    if net.name == "s_axil_in" && config.has_registers() {
        parts.extend(bus::places(Direction::Input).map(|(pin, ..)| name(pin)));
    }
    if parts.is_empty() {
        return zero(net.width);
    }
    concat(parts)
}

/// The pins that an output of the description gives.
fn outputs(net: &Net, config: &Config, places: &SideFields) -> Vec<Assign> {
    let own = |(low, width): (usize, usize)| bits(net.name.clone(), low, width);
    let stream = net.name.trim_end_matches("_side");
    match net.name.as_str() {
        "m_axis_verdict" => {
            let Some((verdict_width, _)) = config.core.verdict() else {
                return Vec::new();
            };
            let mut value = vec![name(net.name.clone())];
            let width = config.core.verdict_bits();
            if width > VERDICT_BITS {
                value.push(bits(FURTHER, 0, width - VERDICT_BITS));
            }
            value.push(zero(verdict_width - width));
            let value = concat(value);
            vec![assign("m_axis_verdict_tdata", value)]
        }
        "s_axil_out" if config.has_registers() => bus::places(Direction::Output)
            .map(|(pin, low, width)| assign(pin, own((low, width))))
            .collect(),
        // Nobody asked for such pins.
        "s_axil_out" | "beat_error" => Vec::new(),
        // It is in the verdict.
        FURTHER => Vec::new(),
        "m_axis_kinds" => {
            assert_eq!(
                net.width,
                config.core.grammar().user_bits() * config.lanes + 1
            );
            let user = bits("m_axis_side", places.user.0, places.user.1);
            let value = concat([name(net.name.clone()), user]);
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
            .map(|(pin, place, _)| assign(&format!("{stream}_{pin}"), own(place)))
            .collect()
        }
    }
}
