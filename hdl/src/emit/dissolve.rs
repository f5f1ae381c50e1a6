//! Dissolves what only passes something on: nets that are another's name, and outputs of modules that are one of its inputs or
//! a constant.
//!
//! A configuration turns whole parts of the description into such wires: a level of a tree that has no lanes left, a delay
//! of no clocks. What is left without an output then goes when [`super::prune`] runs again.

use super::module::{Instance, Module, Port, Statement};
use super::rewrite::{identifiers, rename};
use std::collections::{BTreeMap, BTreeSet};

/// One round over all modules, each of which has one instance but the top, which is first. Whether it changed anything.
pub fn dissolve(modules: &mut [Module]) -> bool {
    let mut changed = false;
    for index in 0..modules.len() {
        changed |= dissolve_names(index, modules);
        changed |= dissolve_outputs(index, modules);
        changed |= sink_constants(index, modules);
    }
    changed
}

/// A literal of a stated width.
fn is_literal(text: &str) -> bool {
    text.split_once('\'').is_some_and(|(width, value)| {
        !width.is_empty()
            && width.bytes().all(|byte| byte.is_ascii_digit())
            && value.starts_with(['h', 'b'])
            && value[1..].bytes().all(|byte| byte.is_ascii_hexdigit())
    })
}

fn is_name(text: &str) -> bool {
    identifiers(text).next() == Some(text)
}

/// The value of a literal that Rust-HDL wrote without a width, with that of the net it goes to.
fn sized(value: &str, width: usize) -> String {
    match value.strip_prefix('\'') {
        Some(value) => format!("{width}'{value}"),
        None => value.to_string(),
    }
}

/// Replaces names where a module reads them: in expressions, and at inputs of its children.
fn replace(index: usize, modules: &mut [Module], by: &BTreeMap<String, String>) {
    let outputs: BTreeSet<(String, String)> = modules
        .iter()
        .flat_map(|module| module.ports.iter().map(move |port| (module, port)))
        .filter(|(_, port)| port.output)
        .map(|(module, port)| (module.name.clone(), port.net.name.clone()))
        .collect();
    let new_name = |word: &str| by.get(word).cloned().unwrap_or(word.to_string());
    let module = &mut modules[index];
    for statement in &mut module.statements {
        replace_reads(statement, &new_name);
    }
    for instance in &mut module.instances {
        for (port, net) in &mut instance.connections {
            if !outputs.contains(&(instance.module.clone(), port.clone())) {
                *net = rename(net, new_name);
            }
        }
    }
}

fn replace_reads(statement: &mut Statement, new_name: &dyn Fn(&str) -> String) {
    match statement {
        Statement::Assign { value, .. } => *value = rename(value, new_name),
        Statement::If {
            test,
            then,
            otherwise,
        } => {
            *test = rename(test, new_name);
            for statement in then.iter_mut().chain(otherwise) {
                replace_reads(statement, new_name);
            }
        }
    }
}

/// How many statements of a module may write each net.
fn writers(module: &Module) -> BTreeMap<String, usize> {
    let mut writers = BTreeMap::new();
    for target in module.statements.iter().flat_map(Statement::targets) {
        *writers.entry(target.to_string()).or_default() += 1;
    }
    writers
}

/// Whether a name may be replaced by a literal: nobody takes a part of it.
fn is_whole(module: &Module, name: &str) -> bool {
    let part = format!("{name}[");
    let mut whole = true;
    for statement in &module.statements {
        statement.reads(&mut |text| whole &= !text.contains(&part));
    }
    whole
}

/// Nets that are only another's name, or a constant's.
fn dissolve_names(index: usize, modules: &mut [Module]) -> bool {
    let module = &modules[index];
    let writers = writers(module);
    let once = |name: &str| writers.get(name).is_none_or(|&count| count == 1);
    let mut by = BTreeMap::new();
    for statement in &module.statements {
        let Statement::Assign { target, value } = statement else {
            continue;
        };
        let Some(net) = module.nets.iter().find(|net| net.name == *target) else {
            continue;
        };
        let value = sized(value, net.width);
        let literal = is_literal(&value) && is_whole(module, target);
        if once(target) && (literal || (is_name(&value) && once(&value))) {
            by.insert(target.clone(), value);
        }
    }
    if by.is_empty() {
        return false;
    }
    follow(&mut by);
    modules[index].statements.retain(
        |statement| !matches!(statement, Statement::Assign { target, .. } if by.contains_key(target)),
    );
    replace(index, modules, &by);
    modules[index]
        .nets
        .retain(|net| !by.contains_key(&net.name));
    true
}

/// What stands for a name may itself be dissolved in the same round.
fn follow(by: &mut BTreeMap<String, String>) {
    while let Some((name, value)) = by
        .iter()
        .find_map(|(name, value)| Some((name.clone(), by.get(value)?.clone())))
    {
        by.insert(name, value);
    }
}

/// What an output of a module is, if it is one of its inputs or a constant.
fn passed_on(module: &Module, output: &str, width: usize) -> Option<String> {
    let value = match &module.custom {
        Some(body) => {
            let start = format!("assign {output} = ");
            let mut lines = body.lines().filter_map(|line| line.strip_prefix(&start));
            lines.next()?.strip_suffix(';')?.to_string()
        }
        None => {
            let mut of_it = (module.statements.iter()).filter(|s| s.targets().contains(output));
            let (Some(Statement::Assign { value, .. }), None) = (of_it.next(), of_it.next()) else {
                return None;
            };
            sized(value, width)
        }
    };
    let is_input = |port: &Port| !port.output && port.net.name == value;
    (is_literal(&value) || module.ports.iter().any(is_input)).then_some(value)
}

/// Replaces such outputs of the children of a module by what they are.
fn dissolve_outputs(parent: usize, modules: &mut [Module]) -> bool {
    let module = &modules[parent];
    let mut by = BTreeMap::new();
    for instance in &module.instances {
        let Some(child) = modules.iter().find(|module| module.name == instance.module) else {
            continue;
        };
        for port in child.ports.iter().filter(|port| port.output) {
            let connected = |name: &str| {
                let mut all = instance.connections.iter();
                all.find(|(port, _)| port == name)
                    .map(|(_, net)| net.clone())
            };
            let Some(net) = connected(&port.net.name).filter(|net| is_read(module, net, instance))
            else {
                continue;
            };
            let Some(value) = passed_on(child, &port.net.name, port.net.width) else {
                continue;
            };
            if let Some(value) = connected(&value).or(is_literal(&value).then_some(value))
                && (!is_literal(&value) || is_whole(module, &net))
            {
                by.insert(net, value);
            }
        }
    }
    if by.is_empty() {
        return false;
    }
    follow(&mut by);
    replace(parent, modules, &by);
    true
}

/// Whether a module reads a net that this instance drives.
fn is_read(module: &Module, net: &str, driver: &Instance) -> bool {
    let mut read = false;
    for statement in &module.statements {
        statement.reads(&mut |text| read |= identifiers(text).any(|word| word == net));
    }
    let connections = (module.instances.iter().filter(|other| *other != driver))
        .flat_map(|instance| &instance.connections);
    read || connections
        .into_iter()
        .any(|(_, connected)| connected == net)
}

/// Puts constants at inputs of children into the children themselves, as far as those are no text of their own.
fn sink_constants(parent: usize, modules: &mut [Module]) -> bool {
    let mut found = None;
    for (at, instance) in modules[parent].instances.iter().enumerate() {
        let Some(child) = modules
            .iter()
            .position(|module| module.name == instance.module)
        else {
            continue;
        };
        if modules[child].custom.is_some() {
            continue;
        }
        let inputs: BTreeMap<String, String> = instance
            .connections
            .iter()
            .filter(|(port, net)| is_literal(net) && is_whole(&modules[child], port))
            .cloned()
            .collect();
        if !inputs.is_empty() {
            found = Some((at, child, inputs));
            break;
        }
    }
    let Some((at, child, inputs)) = found else {
        return false;
    };
    replace(child, modules, &inputs);
    modules[child]
        .ports
        .retain(|port| port.output || !inputs.contains_key(&port.net.name));
    modules[parent].instances[at]
        .connections
        .retain(|(port, _)| !inputs.contains_key(port));
    sink_constants(parent, modules);
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emit::parse::parse;
    use crate::emit::prune::prune;

    /// A child that passes one input on, ties an output to a constant, and computes a third, which the parent reads through a
    /// net of another name; a second child that takes the constant.
    const TEXT: &str = "
module top(a,b,c);
    input wire  a;
    output reg  b;
    output reg  c;
    reg  other;
    reg  wires$x;
    wire  wires$y;
    wire  wires$zero;
    wire  wires$z;
    reg  taker$on;
    reg  taker$x;
    wire  taker$y;
    top$wires wires(
        .x(wires$x),
        .y(wires$y),
        .zero(wires$zero),
        .z(wires$z)
    );
    top$taker taker(
        .on(taker$on),
        .x(taker$x),
        .y(taker$y)
    );
    always @(*) begin
        wires$x = a;
        other = wires$z;
        taker$on = wires$zero;
        taker$x = wires$y;
        b = ~other;
        c = taker$y;
    end
endmodule // top

module top$wires(x,y,zero,z);
    input wire  x;
    output reg  y;
    output reg  zero;
    output reg  z;
    always @(*) begin
        y = x;
        zero = 1'h0;
        z = ~x;
    end
endmodule // top$wires

module top$taker(on,x,y);
    input wire  on;
    input wire  x;
    output reg  y;
    always @(*) begin
        y = on | ~x;
    end
endmodule // top$taker
";

    fn dissolved(text: &str) -> Vec<Module> {
        let mut modules = parse(text).unwrap_or_else(|error| panic!("{error}"));
        prune(&mut modules);
        while dissolve(&mut modules) {
            prune(&mut modules);
        }
        modules
    }

    fn assigned<'a>(module: &'a Module, name: &str) -> &'a str {
        let mut values = module.statements.iter().filter_map(|statement| {
            let Statement::Assign { target, value } = statement else {
                return None;
            };
            (target == name).then_some(value.as_str())
        });
        values.next().unwrap_or_else(|| panic!("no {name}"))
    }

    #[test]
    fn what_only_passes_on_goes_and_what_computes_stays() {
        let modules = dissolved(TEXT);
        let [top, wires, taker] = modules.as_slice() else {
            panic!("{} modules", modules.len());
        };
        let ports = |module: &Module| -> Vec<String> {
            let ports = module.ports.iter();
            ports.map(|port| port.net.name.clone()).collect()
        };
        assert_eq!(ports(wires), ["x", "z"]);
        assert_eq!(ports(taker), ["x", "y"], "the constant is in the child");
        assert_eq!(assigned(taker, "y"), "1'h0 | ~x");
        assert_eq!(assigned(top, "b"), "~wires$z", "a net of another name");
        for instance in &top.instances {
            let x = ("x".to_string(), "a".to_string());
            assert!(instance.connections.contains(&x), "{instance:?}");
        }
    }

    #[test]
    fn a_net_that_is_written_twice_is_nobodys_name() {
        let twice = TEXT.replace(
            "other = wires$z;",
            "other = wires$z;\n        if (a) begin\n            other = a;\n        end",
        );
        let modules = dissolved(&twice);
        assert_eq!(assigned(&modules[0], "b"), "~other");
    }
}
