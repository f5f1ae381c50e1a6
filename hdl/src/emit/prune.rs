//! Removes what a configuration leaves without effect: branches on constants, and nets, registers and ports that nothing
//! reads.
//!
//! A synthesiser would do the same; done here, the Verilog shows the core that was asked for, and simulates faster.

use super::module::{Instance, Module, Port, Statement};
use super::pins::UNREAD;
use super::rewrite::identifiers;
use std::collections::{BTreeMap, BTreeSet};

/// Prunes all modules. The first is the top, whose ports all stay; every other module has one instance.
pub fn prune(modules: &mut Vec<Module>) {
    // Constants of one bit, by module: its own, and inputs that its parent, which comes before it, ties to one.
    let mut constants: BTreeMap<String, BTreeMap<String, bool>> = BTreeMap::new();
    for module in modules.iter_mut() {
        let known = constants.entry(module.name.clone()).or_default();
        known.extend(
            module
                .constants
                .iter()
                .filter_map(|(name, value)| Some((name.clone(), bit(value)?))),
        );
        module.statements = choose(std::mem::take(&mut module.statements), known);
        let tied: BTreeMap<&str, bool> = module.statements.iter().filter_map(tie).collect();
        for instance in &module.instances {
            let inputs = constants.entry(instance.module.clone()).or_default();
            inputs.extend(
                instance
                    .connections
                    .iter()
                    .filter_map(|(port, net)| Some((port.clone(), *tied.get(net.as_str())?))),
            );
        }
    }
    while prune_once(modules) {}
}

/// The value of a literal of one bit.
fn bit(literal: &str) -> Option<bool> {
    match literal {
        "1'b0" => Some(false),
        "1'b1" => Some(true),
        _ => None,
    }
}

/// The net that a statement ties to a constant.
fn tie(statement: &Statement) -> Option<(&str, bool)> {
    match statement {
        Statement::Assign { target, value } => Some((target, bit(value)?)),
        Statement::If { .. } => None,
    }
}

/// Decides every `if` on a constant.
fn choose(statements: Vec<Statement>, constants: &BTreeMap<String, bool>) -> Vec<Statement> {
    let mut chosen = Vec::new();
    for statement in statements {
        match statement {
            Statement::If {
                test,
                then,
                otherwise,
            } => match constants.get(&test) {
                Some(true) => chosen.extend(choose(then, constants)),
                Some(false) => chosen.extend(choose(otherwise, constants)),
                None => chosen.push(Statement::If {
                    test,
                    then: choose(then, constants),
                    otherwise: choose(otherwise, constants),
                }),
            },
            assign => chosen.push(assign),
        }
    }
    chosen
}

/// One round. Whether it removed anything.
fn prune_once(modules: &mut Vec<Module>) -> bool {
    let before = size(modules);
    // A module's children come after it, so that those which go do not move it.
    let mut index = 0;
    while index < modules.len() {
        let read = names_read(&modules[index], modules);
        drop_unread(&mut modules[index], &read);
        let read = names_read(&modules[index], modules);
        prune_children(index, &read, modules);
        index += 1;
    }
    size(modules) != before
}

/// Everything that a round can make smaller.
fn size(modules: &[Module]) -> usize {
    modules
        .iter()
        .map(|m| m.ports.len() + m.registers.len() + m.constants.len() + m.statements.len() + 1)
        .sum()
}

fn child<'a>(modules: &'a [Module], instance: &Instance) -> Option<&'a Module> {
    modules.iter().find(|module| module.name == instance.module)
}

/// Every name that something in the module needs: its outputs, and what its statements and instances read.
fn names_read(module: &Module, modules: &[Module]) -> BTreeSet<String> {
    let outputs = module.ports.iter().filter(|port| port.output);
    let mut read: BTreeSet<String> = outputs.map(|port| port.net.name.clone()).collect();
    // It is there for linters alone.
    read.insert(UNREAD.to_string());
    let mut add = |text: &str| read.extend(identifiers(text).map(str::to_string));
    for statement in &module.statements {
        statement.reads(&mut |text| {
            // A register that keeps its value does not thereby have a reader.
            let keeps = matches!(statement, Statement::Assign { target, .. }
                if target.strip_suffix("$d") == Some(text));
            if !keeps {
                add(text);
            }
        });
    }
    for instance in &module.instances {
        for port in child(modules, instance)
            .iter()
            .flat_map(|child| &child.ports)
        {
            let net = instance
                .connections
                .iter()
                .find(|(name, _)| *name == port.net.name);
            if let Some((_, net)) = net
                && !port.output
            {
                add(net);
            }
        }
    }
    read.extend(
        module
            .registers
            .iter()
            .map(|register| register.clock.clone()),
    );
    for line in module.custom.iter().flat_map(|body| body.lines()) {
        if unused_input(line).is_none() {
            read.extend(identifiers(line).map(str::to_string));
        }
    }
    read
}

/// The input, or the part of one, that a line of a custom block only lists as unused.
fn unused_input(line: &str) -> Option<&str> {
    line.strip_prefix("wire unused_")?
        .split_once(" = ")?
        .1
        .strip_suffix(';')
}

/// Drops statements, registers and constants whose value nothing reads.
fn drop_unread(module: &mut Module, read: &BTreeSet<String>) {
    let is_read = |target: &str| read.contains(target.strip_suffix("$d").unwrap_or(target));
    module.statements = keep_read(std::mem::take(&mut module.statements), &is_read);
    module
        .registers
        .retain(|register| read.contains(&register.net.name));
    module.constants.retain(|(name, _)| read.contains(name));
}

fn keep_read(statements: Vec<Statement>, is_read: &dyn Fn(&str) -> bool) -> Vec<Statement> {
    let mut kept = Vec::new();
    for statement in statements {
        match statement {
            Statement::Assign { target, value } if is_read(&target) => {
                kept.push(Statement::Assign { target, value });
            }
            Statement::Assign { .. } => {}
            Statement::If {
                test,
                then,
                otherwise,
            } => {
                let then = keep_read(then, is_read);
                let otherwise = keep_read(otherwise, is_read);
                if !then.is_empty() || !otherwise.is_empty() {
                    kept.push(Statement::If {
                        test,
                        then,
                        otherwise,
                    });
                }
            }
        }
    }
    kept
}

/// Takes from the children of a module the outputs that it does not read and the inputs that they do not, and the children
/// that have no output left.
fn prune_children(parent: usize, read: &BTreeSet<String>, modules: &mut Vec<Module>) {
    let mut instances = std::mem::take(&mut modules[parent].instances);
    let mut removed: BTreeSet<String> = BTreeSet::new();
    instances.retain_mut(|instance| {
        let Some(index) = modules.iter().position(|m| m.name == instance.module) else {
            return true;
        };
        let child_reads = names_read(&modules[index], modules);
        let child = &mut modules[index];
        let used = |port: &Port, connections: &[(String, String)]| {
            let net = connections.iter().find(|(name, _)| *name == port.net.name);
            match port.output {
                true => net.is_some_and(|(_, net)| read.contains(net)),
                false => child_reads.contains(&port.net.name),
            }
        };
        let has_use = child
            .ports
            .iter()
            .any(|port| port.output && used(port, &instance.connections));
        if !has_use {
            removed.insert(instance.module.clone());
        } else {
            // The outputs of a custom block stay, for it drives them in any case.
            let is_custom = child.custom.is_some();
            child
                .ports
                .retain(|port| used(port, &instance.connections) || (is_custom && port.output));
            if let Some(body) = &mut child.custom {
                let listed = |line: &&str| {
                    unused_input(line).is_none_or(|input| {
                        identifiers(input)
                            .all(|name| child.ports.iter().any(|p| p.net.name == name))
                    })
                };
                *body = body
                    .lines()
                    .filter(listed)
                    .map(|line| format!("{line}\n"))
                    .collect();
            }
            let ports = &child.ports;
            instance
                .connections
                .retain(|(name, _)| ports.iter().any(|port| port.net.name == *name));
        }
        has_use
    });
    modules[parent].instances = instances;
    // With a module go the modules below it.
    modules.retain(|module| {
        !removed
            .iter()
            .any(|name| module.name == *name || module.name.starts_with(&format!("{name}$")))
    });
    let connected: BTreeSet<String> = modules[parent]
        .instances
        .iter()
        .flat_map(|instance| instance.connections.iter().map(|(_, net)| net.clone()))
        .collect();
    let parent = &mut modules[parent];
    let written: BTreeSet<String> = parent
        .statements
        .iter()
        .flat_map(|statement| statement.targets())
        .map(str::to_string)
        .collect();
    parent
        .nets
        .retain(|net| connected.contains(&net.name) || written.contains(&net.name));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emit::parse::parse;

    /// A child with a side branch that its parent ties off, and an output that it does not read.
    const TEXT: &str = "
module top(a,b);
    input wire  a;
    output reg  b;
    reg  child$tied;
    reg  child$x;
    wire  child$y;
    wire  child$unread;
    top$child child(
        .tied(child$tied),
        .x(child$x),
        .y(child$y),
        .unread(child$unread)
    );
    always @(*) begin
        child$tied = 1'b0;
        child$x = ~a;
        b = child$y;
    end
endmodule // top

module top$child(tied,x,y,unread);
    input wire  tied;
    input wire  x;
    output reg  y;
    output reg  unread;
    always @(*) begin
        if (tied) begin
            y = ~x;
        end
        else begin
            y = x;
        end
        unread = tied;
    end
endmodule // top$child
";

    #[test]
    fn tied_inputs_and_unread_outputs_go() {
        let mut modules = parse(TEXT).unwrap_or_else(|error| panic!("{error}"));
        prune(&mut modules);
        let names = |index: usize| -> Vec<&str> {
            let ports: &Vec<Port> = &modules[index].ports;
            ports.iter().map(|port| port.net.name.as_str()).collect()
        };
        assert_eq!(names(0), ["a", "b"]);
        assert_eq!(names(1), ["x", "y"]);
        let statement = Statement::Assign {
            target: "y".to_string(),
            value: "x".to_string(),
        };
        assert_eq!(modules[1].statements, [statement]);
        assert_eq!(modules[0].nets.len(), 2, "{:?}", modules[0].nets);
        assert_eq!(modules[0].statements.len(), 2);
    }

    #[test]
    fn a_child_that_nothing_reads_goes_whole() {
        let text = TEXT.replace("b = child$y;", "b = a;");
        let mut modules = parse(&text).unwrap_or_else(|error| panic!("{error}"));
        prune(&mut modules);
        assert_eq!(modules.len(), 1);
        assert!(modules[0].instances.is_empty());
    }
}
