//! Bits of the Verilog that never change, whatever the inputs do: so says Yosys, which propagates constants through the logic,
//! the registers (from the values that they begin with) and the memories.

use super::verilated::place;
use crate::netlist::{self, NetlistError};
use regex::Regex;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet, HashMap};

#[derive(Deserialize)]
struct Design {
    modules: HashMap<String, Module>,
}

#[derive(Deserialize)]
struct Module {
    cells: HashMap<String, Cell>,
    netnames: HashMap<String, Net>,
}

#[derive(Deserialize)]
struct Cell {
    #[serde(rename = "type")]
    kind: String,
    attributes: HashMap<String, serde_json::Value>,
}

#[derive(Deserialize)]
struct Net {
    bits: Vec<Bit>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Bit {
    /// Its number says by what.
    Driven(#[expect(dead_code)] u64),
    Constant(String),
}

/// The names of all points, of the core `module`, that constants keep from being reached: bits, and the branches of an `if`
/// on one.
pub fn constants(module: &str, verilog: &str) -> Result<BTreeSet<String>, NetlistError> {
    let commands = format!(
        "hierarchy -top {module}; proc; flatten; opt -full; memory_collect; opt_mem; opt -full"
    );
    let json = netlist::yosys_json(verilog, &commands)?;
    let bits = bits(&json, module).map_err(std::io::Error::from)?;
    let mut points = branches(&bits, module, verilog);
    points.extend(bits.into_keys());
    Ok(points)
}

/// The constant bits, and whether each is a one in all instances of its module; nothing, if it is not the same in all.
fn bits(json: &str, module: &str) -> serde_json::Result<BTreeMap<String, Option<bool>>> {
    let design: Design = serde_json::from_str(json)?;
    let mut constant = BTreeMap::new();
    let mut driven = BTreeSet::new();
    for flat in design.modules.values() {
        for (name, net) in &flat.netnames {
            let (place, signal) = match name.rsplit_once('.') {
                None => (place(module, module), name.as_str()),
                // What was an instance is a cell that tells its module.
                Some((instance, signal)) => match flat.cells.get(instance) {
                    Some(cell) if cell.kind == "$scopeinfo" => {
                        let of = cell.attributes["module"].as_str().unwrap_or_default();
                        let own = instance.rsplit('.').next().unwrap_or(instance);
                        match of.starts_with("$paramod") {
                            true => (own, signal),
                            false => (place(of, module), signal),
                        }
                    }
                    _ => continue,
                },
            };
            for (index, bit) in net.bits.iter().enumerate() {
                let point = match net.bits.len() {
                    1 => format!("{place}.{signal}"),
                    _ => format!("{place}.{signal}[{index}]"),
                };
                match bit {
                    Bit::Driven(_) => {
                        driven.insert(point);
                    }
                    Bit::Constant(value) => {
                        let value = Some(value == "1");
                        let known = constant.entry(point).or_insert(value);
                        *known = known.filter(|_| *known == value);
                    }
                }
            }
        }
    }
    constant.retain(|point, _| !driven.contains(point));
    Ok(constant)
}

/// The branches that are never taken, since their condition is a constant bit.
fn branches(bits: &BTreeMap<String, Option<bool>>, core: &str, verilog: &str) -> BTreeSet<String> {
    let condition = Regex::new(r"\bif \((\w+)\)").expect("an expression");
    let mut branches = BTreeSet::new();
    let mut within = "";
    for (line, number) in verilog.lines().zip(1..) {
        if let Some(header) = line.strip_prefix("module ") {
            let end = header.find([' ', '(']).unwrap_or(header.len());
            within = place(&header[..end], core);
        }
        let code = line.split("//").next().unwrap_or(line);
        if let Some(signal) = condition.captures(code)
            && let Some(Some(value)) = bits.get(&format!("{within}.{}", &signal[1]))
        {
            let never = if *value { "else" } else { "if" };
            branches.insert(format!("{within}, {never} in line {number}"));
        }
    }
    branches
}

#[cfg(test)]
mod tests {
    use super::*;

    const VERILOG: &str = "module m (\n  always if (a) x; else y;\nmodule m_fifo (\n if (b) x;\n if (c) x; // if (b)\nendmodule";

    #[test]
    fn a_bit_is_constant_if_it_is_in_all_instances() {
        let json = r#"{"modules": {"m": {"cells": {
            "f": {"type": "$scopeinfo", "attributes": {"module": "m_fifo"}},
            "g": {"type": "$scopeinfo", "attributes": {"module": "m_fifo"}},
            "g.late": {"type": "$scopeinfo", "attributes": {"module": "$paramod$1a\\m_delay"}}
        }, "netnames": {
            "g.late.x": {"bits": ["1", 4]},
            "a": {"bits": ["1"]}, "v": {"bits": [2, "0"]},
            "f.b": {"bits": ["0"]}, "g.b": {"bits": ["0"]},
            "f.c": {"bits": ["0"]}, "g.c": {"bits": ["1"]},
            "f.d": {"bits": ["0"]}, "g.d": {"bits": [3]}
        }}}}"#;
        let bits = bits(json, "m").expect("it is understood");
        let expected = [
            ("fifo.b", Some(false)),
            ("fifo.c", None),
            ("late.x[0]", Some(true)),
            ("top.a", Some(true)),
            ("top.v[1]", Some(false)),
        ];
        assert_eq!(
            bits,
            expected
                .map(|(name, value)| (name.to_string(), value))
                .into()
        );
        let never = ["fifo, if in line 4", "top, else in line 2"];
        assert_eq!(
            branches(&bits, "m", VERILOG),
            never.map(str::to_string).into()
        );
    }
}
