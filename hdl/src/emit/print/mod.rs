//! Prints modules as Verilog-2005.

mod clocked;
mod expression;
mod unread;

use super::error::EmitError;
use super::module::{Assign, Port, documented};
use super::share::{Child, Kind, Shared};
use super::text::{comment, fill, range};
use crate::verilog::{Expression, Net};
use clocked::print_clocked;
use expression::{expression, plain};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write;
use unread::unread;

/// The text of a module. `describe` gives the comment of a port, if it has one.
pub fn print(
    module: &Shared,
    all: &[Shared],
    describe: &dyn Fn(&str) -> Option<&'static str>,
) -> Result<String, EmitError> {
    check_names(module)?;
    let mut out = String::new();
    match module.library {
        Some(Kind::Delay) => out += &delay(&module.name),
        None => {
            comment(&module.doc, "", &mut out);
            print_module(module, all, describe, &mut out)?;
        }
    }
    Ok(out)
}

/// What the module of a delay does.
pub const DELAY: &str = "x, CLOCKS clocks later";

/// A module of any width and number of clocks.
fn delay(name: &str) -> String {
    format!(
        "// {DELAY}.\n\
        module {name} #(\n    \
            parameter WIDTH = 1,\n    \
            parameter CLOCKS = 1\n\
        ) (\n    \
            input wire clock,\n    \
            input wire [WIDTH-1:0] x,\n    \
            output wire [WIDTH-1:0] y\n\
        );\n    \
            // What came in the clocks before, the newest lowest.\n    \
            reg [WIDTH*CLOCKS-1:0] stages = {{WIDTH*CLOCKS{{1'b0}}}};\n    \
            wire [WIDTH*CLOCKS+WIDTH-1:0] line = {{stages, x}};\n\n    \
            assign y = line[WIDTH*CLOCKS +: WIDTH];\n\n    \
            always @(posedge clock) stages <= line[WIDTH*CLOCKS-1:0];\n\
        endmodule\n"
    )
}

fn print_module(
    module: &Shared,
    all: &[Shared],
    describe: &dyn Fn(&str) -> Option<&'static str>,
    out: &mut String,
) -> Result<(), EmitError> {
    let _ = writeln!(out, "module {} (", module.name);
    print_ports(module, describe, out);
    out.push_str(");\n");
    for (net, value) in &module.constants {
        let value = expression(&Expression::Literal(value.clone()));
        let text = format!("localparam {} = {value};", declare(net));
        annotated(&text, doc(module, &net.name), out);
    }
    print_registers(module, out);
    for memory in &module.memories {
        let text = format!("reg {} [0:{}];", declare(&memory.net), memory.words - 1);
        annotated(&text, doc(module, &memory.net.name), out);
    }
    print_nets(module, out)?;
    let mut is_short = false;
    for child in &module.children {
        let mut text = String::new();
        if let Some(doc) = doc(module, &child.name) {
            comment(&doc, "    ", &mut text);
        }
        print_child(child, &all[child.module].name, &mut text);
        let was_short = is_short;
        is_short = text.lines().count() == 1;
        if !(was_short && is_short) {
            out.push('\n');
        }
        *out += &text;
    }
    let outputs: Vec<&Assign> = (module.assigned.iter())
        .filter(|it| module.ports.iter().any(|port| port.net.name == it.target))
        .collect();
    if !outputs.is_empty() {
        out.push('\n');
    }
    for Assign { target, value } in outputs {
        fill(
            &format!("assign {} = {};", plain(target), expression(value)),
            "    ",
            out,
        );
    }
    print_clocked(module, out);
    out.push_str("endmodule\n");
    Ok(())
}

/// The ports. Those that have no comment of their own share that of the one before them.
fn print_ports(module: &Shared, describe: &dyn Fn(&str) -> Option<&'static str>, out: &mut String) {
    let is_register = |port: &Port| {
        module
            .registers
            .iter()
            .any(|it| it.net.name == port.net.name)
    };
    let is_described = |port: &Port| describe(&port.net.name).is_some();
    let of =
        |port: &Port| documented(&port.net.name, &module.docs, &module.parts).map(str::to_string);
    let mut groups = (module.ports)
        .chunk_by(|above, port| {
            (above.output, above.net.width) == (port.output, port.net.width)
                && !is_register(above)
                && !is_register(port)
                && !is_described(port)
                && of(above) == of(port)
        })
        .peekable();
    let mut last = None;
    while let Some(group) = groups.next() {
        let names: Vec<String> = group.iter().map(|port| plain(&port.net.name)).collect();
        let comma = if groups.peek().is_none() { "" } else { "," };
        let first = declare_port(&group[0], module);
        let rest: String = names[1..].iter().map(|name| format!(", {name}")).collect();
        let described = describe(&group[0].net.name).map(str::to_string);
        let doc = described.or_else(|| new_doc(module, &group[0].net.name, &mut last));
        annotated(&format!("{first}{rest}{comma}"), doc, out);
    }
}

/// The comment of what has a name, unless it is the last one that was written.
fn new_doc(module: &Shared, name: &str, last: &mut Option<String>) -> Option<String> {
    let of = documented(name, &module.docs, &module.parts)?;
    if last.as_deref() == Some(of) {
        return None;
    }
    *last = Some(of.to_string());
    module.docs.get(of).cloned()
}

/// Registers that are no ports. Those that have no comment of their own share that of the one before them.
fn print_registers(module: &Shared, out: &mut String) {
    let ports: HashSet<&str> = (module.ports.iter())
        .map(|port| port.net.name.as_str())
        .collect();
    let own = (module.registers.iter()).filter(|it| !ports.contains(it.net.name.as_str()));
    let own: Vec<_> = own.collect();
    let of = |name| documented(name, &module.docs, &module.parts);
    let mut last = None;
    for same in own.chunk_by(|above, register| {
        let (one, other) = (of(&above.net.name), of(&register.net.name));
        (other.is_none() || one == other)
            && (above.net.width, above.starts) == (register.net.width, register.starts)
    }) {
        let names = same.iter().map(|register| {
            // One word, so that no line ends in it.
            let start = if register.starts {
                "\u{a0}=\u{a0}0"
            } else {
                ""
            };
            format!("{}{start}", plain(&register.net.name))
        });
        let range = range(same[0].net.width);
        let text = format!("reg {range}{};", names.collect::<Vec<_>>().join(", "));
        annotated(&text, new_doc(module, &same[0].net.name, &mut last), out);
    }
}

/// The doc comment that something has of its own, or with its list.
fn doc(module: &Shared, name: &str) -> Option<String> {
    let of = documented(name, &module.docs, &[])?;
    module.docs.get(of).cloned()
}

/// A declaration with its comment: on the same line if both fit, else above.
fn annotated(declaration: &str, doc: Option<String>, out: &mut String) {
    if let Some(text) = doc {
        let one = format!("    {declaration} // {text}").replace('\u{a0}', " ");
        if !text.contains('\n') && one.len() <= crate::emit::text::WIDTH {
            let _ = writeln!(out, "{one}");
            return;
        }
        comment(&text, "    ", out);
    }
    fill(declaration, "    ", out);
}

fn declare(net: &Net) -> String {
    format!("{}{}", range(net.width), plain(&net.name))
}

fn declare_port(port: &Port, module: &Shared) -> String {
    let net = declare(&port.net);
    let registers = &module.registers;
    match registers.iter().find(|it| it.net.name == port.net.name) {
        Some(register) if register.starts => format!("output reg {net} = 0"),
        Some(_) => format!("output reg {net}"),
        None if port.output => format!("output wire {net}"),
        None => format!("input wire {net}"),
    }
}

/// Nets that children drive, then nets with their values, each after those that it is made of.
fn print_nets(module: &Shared, out: &mut String) -> Result<(), EmitError> {
    let values: HashMap<&str, &Expression> = (module.assigned.iter())
        .map(|assign| (assign.target.as_str(), &assign.value))
        .collect();
    let mut driven: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for net in &module.nets {
        if !values.contains_key(net.name.as_str()) {
            driven.entry(net.width).or_default().push(plain(&net.name));
        }
    }
    for (width, names) in driven {
        let text = format!("wire {}{};", range(width), names.join(", "));
        fill(&text, "    ", out);
    }
    let own: HashMap<&str, &Net> = (module.nets.iter())
        .map(|net| (net.name.as_str(), net))
        .collect();
    let mut done: HashSet<&str> = HashSet::new();
    for net in &module.nets {
        print_value(&net.name, &values, &own, module, &mut done, 0, out)?;
    }
    let unread = unread(module);
    if !unread.is_empty() {
        let names = unread.iter().map(expression).collect::<Vec<_>>().join(", ");
        fill(
            &format!("wire unused_bits = &{{1'b0, {names}}};"),
            "    ",
            out,
        );
    }
    Ok(())
}

fn print_value<'a>(
    name: &'a str,
    values: &HashMap<&'a str, &'a Expression>,
    own: &HashMap<&'a str, &'a Net>,
    module: &Shared,
    done: &mut HashSet<&'a str>,
    depth: usize,
    out: &mut String,
) -> Result<(), EmitError> {
    let (Some(net), Some(value)) = (own.get(name), values.get(name)) else {
        return Ok(());
    };
    if depth > own.len() {
        return Err(EmitError::unknown(&format!("{name}, made of itself")));
    }
    if done.contains(name) {
        return Ok(());
    }
    let mut needed = Vec::new();
    value.names(&mut |name| needed.push(name));
    for name in needed {
        print_value(name, values, own, module, done, depth + 1, out)?;
    }
    done.insert(name);
    if let Some(doc) = doc(module, name) {
        comment(&doc, "    ", out);
    }
    fill(
        &format!("wire {} = {};", declare(net), expression(value)),
        "    ",
        out,
    );
    Ok(())
}

fn print_child(child: &Child, module: &str, out: &mut String) {
    let parameters = match child.parameters.as_slice() {
        [] => String::new(),
        parameters => {
            let all = parameters.iter();
            let all: Vec<String> = all
                .map(|(name, value)| format!(".{name}({value})"))
                .collect();
            format!("#({}) ", all.join(", "))
        }
    };
    let connections: Vec<String> = (child.connections.iter())
        .map(|(port, value)| format!(".{}({})", plain(port), expression(value)))
        .collect();
    let head = format!("    {module} {parameters}{}", plain(&child.name));
    let one = format!("{head} ({});", connections.join(", "));
    if one.len() <= crate::emit::text::WIDTH {
        let _ = writeln!(out, "{one}");
        return;
    }
    let _ = writeln!(out, "{head} (");
    for line in crate::emit::text::lines(&connections.join(", "), "        ") {
        let _ = writeln!(out, "{line}");
    }
    out.push_str("    );\n");
}

/// Refuses what the printed text could not mean: keywords as names, names that become equal.
fn check_names(module: &Shared) -> Result<(), EmitError> {
    let mut seen: BTreeMap<String, &str> = BTreeMap::new();
    // A port may be a register.
    let registers = module.registers.iter().map(|register| &register.net.name);
    let registers =
        registers.filter(|name| !module.ports.iter().any(|port| port.net.name == **name));
    let declared = (module.ports.iter().map(|port| &port.net.name))
        .chain(module.nets.iter().map(|net| &net.name))
        .chain(registers)
        .chain(module.memories.iter().map(|memory| &memory.net.name))
        .chain(module.constants.iter().map(|(net, _)| &net.name))
        .chain(module.children.iter().map(|child| &child.name));
    for name in declared {
        let printed = plain(name);
        if crate::config::names::is_keyword(&printed) {
            return Err(EmitError::unknown(&format!(
                "the keyword {printed} as a name"
            )));
        }
        if let Some(other) = seen.insert(printed, name) {
            return Err(EmitError::unknown(&format!(
                "{name} and {other}, which would have one name in {}",
                module.name
            )));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
