//! A core as a tree of modules, each with its children in it: what [`super::probe`] makes and [`super::simplify`] makes plain.

use crate::verilog::{Expression, Library, Literal, Memory, Net, Register, Statement};
use std::collections::{BTreeMap, HashMap};

/// A module's port.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Port {
    pub output: bool,
    pub net: Net,
}

/// A net and its one value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Assign {
    pub target: String,
    pub value: Expression,
}

/// A child, with its connections (port, expression). Of an output the expression is a net's name.
#[derive(Clone, Debug)]
pub struct Instance {
    pub name: String,
    pub module: Module,
    pub connections: Vec<(String, Expression)>,
}

#[derive(Clone, Debug, Default)]
pub struct Module {
    /// The name of its type in Rust.
    pub kind: String,
    /// The block's doc comment.
    pub doc: String,
    /// Doc comments of ports, registers, nets and instances, by name.
    pub docs: BTreeMap<String, String>,
    /// The titles of its stages.
    pub stages: BTreeMap<usize, String>,
    /// The names of its parts, in their order.
    pub parts: Vec<String>,
    pub ports: Vec<Port>,
    pub constants: Vec<(Net, Literal)>,
    /// Nets that are no ports.
    pub nets: Vec<Net>,
    pub registers: Vec<Register>,
    pub memories: Vec<Memory>,
    pub instances: Vec<Instance>,
    /// What is assigned at all times.
    pub assigned: Vec<Assign>,
    /// What happens at the clock.
    pub clocked: Vec<Statement>,
    /// The net that is the clock.
    pub clock: String,
    pub library: Option<Library>,
}

impl Module {
    /// The widths of all that has a name and can be read.
    pub fn widths(&self) -> HashMap<String, usize> {
        let ports = self.ports.iter().map(|port| &port.net);
        let constants = self.constants.iter().map(|(net, _)| net);
        let registers = self.registers.iter().map(|register| &register.net);
        let nets = ports.chain(constants).chain(registers).chain(&self.nets);
        nets.map(|net| (net.name.clone(), net.width)).collect()
    }

    /// Puts the registers in the order of the parts that they are, or are of.
    pub fn sort_registers(&mut self) {
        let place = |register: &Register| {
            let part = register.net.name.split('$').next();
            self.parts.iter().position(|it| Some(it.as_str()) == part)
        };
        self.registers.sort_by_cached_key(place);
    }

    pub fn is_output(&self, name: &str) -> bool {
        (self.ports.iter()).any(|port| port.output && port.net.name == name)
    }

    /// Whether it has anything that a clock moves.
    pub fn is_clocked(&self) -> bool {
        !self.registers.is_empty() || !self.memories.is_empty() || self.library.is_some()
    }

    /// Calls `visit` with every expression that the module reads: its own, and those at its children's inputs.
    pub fn reads<'a>(&'a self, visit: &mut dyn FnMut(&'a Expression)) {
        self.assigned.iter().for_each(|assign| visit(&assign.value));
        self.clocked.iter().for_each(|it| it.reads(visit));
        for instance in &self.instances {
            for (port, value) in &instance.connections {
                if !instance.module.is_output(port) {
                    visit(value);
                }
            }
        }
    }

    /// Changes every expression that the module reads.
    pub fn change_reads(&mut self, change: &mut dyn FnMut(Expression) -> Expression) {
        for assign in &mut self.assigned {
            change_in_place(&mut assign.value, change);
        }
        for statement in &mut self.clocked {
            statement.change_reads(change);
        }
        for instance in &mut self.instances {
            for (port, value) in &mut instance.connections {
                if !instance.module.is_output(port) {
                    change_in_place(value, change);
                }
            }
        }
    }
}

fn change_in_place(value: &mut Expression, change: &mut dyn FnMut(Expression) -> Expression) {
    let taken = std::mem::replace(value, Expression::Undefined(0));
    *value = change(taken);
}

impl Statement {
    /// The name of what an assignment's target is a part of.
    pub fn base(target: &Expression) -> &str {
        match target {
            Expression::Name(name) | Expression::At(name, _) => name,
            Expression::Bits { of, .. } => of,
            _ => "",
        }
    }

    /// Calls `visit` with the name of everything that it may write.
    pub fn targets<'a>(&'a self, visit: &mut dyn FnMut(&'a str)) {
        match self {
            Statement::Assign { target, .. } => visit(Self::base(target)),
            Statement::If {
                then, otherwise, ..
            } => (then.iter().chain(otherwise)).for_each(|it| it.targets(visit)),
        }
    }

    /// Calls `visit` with every expression that it reads, addresses of written words among them.
    pub fn reads<'a>(&'a self, visit: &mut dyn FnMut(&'a Expression)) {
        match self {
            Statement::Assign { target, value } => {
                if let Expression::At(_, address) = target {
                    visit(address);
                }
                visit(value);
            }
            Statement::If {
                test,
                then,
                otherwise,
            } => {
                visit(test);
                (then.iter().chain(otherwise)).for_each(|it| it.reads(visit));
            }
        }
    }

    pub fn change_reads(&mut self, change: &mut dyn FnMut(Expression) -> Expression) {
        match self {
            Statement::Assign { target, value } => {
                if let Expression::At(_, address) = target {
                    change_in_place(address, change);
                }
                change_in_place(value, change);
            }
            Statement::If {
                test,
                then,
                otherwise,
            } => {
                change_in_place(test, change);
                for statement in then.iter_mut().chain(otherwise) {
                    statement.change_reads(change);
                }
            }
        }
    }

    /// Renames in targets.
    pub fn rename_targets(&mut self, rename: &dyn Fn(&str) -> String) {
        match self {
            Statement::Assign { target, .. } => match target {
                Expression::Name(name) | Expression::At(name, _) => *name = rename(name),
                Expression::Bits { of, .. } => *of = rename(of),
                _ => {}
            },
            Statement::If {
                then, otherwise, ..
            } => {
                for statement in then.iter_mut().chain(otherwise) {
                    statement.rename_targets(rename);
                }
            }
        }
    }
}

/// Whose doc comment something has: its own, that of the list that it is of, or that of the last part before it that has one.
pub fn documented<'a>(
    name: &'a str,
    docs: &BTreeMap<String, String>,
    parts: &'a [String],
) -> Option<&'a str> {
    let base = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let list = base.strip_suffix('$').unwrap_or(name);
    let part = name.split('$').next();
    let place = parts.iter().position(|it| Some(it.as_str()) == part);
    let before = parts[..place.map_or(0, |place| place + 1)].iter().rev();
    ([name, list].into_iter())
        .chain(before.map(String::as_str))
        .find(|name| docs.contains_key(*name))
}

/// The statements without the assignments that are not kept, and without an `if` that is left empty.
pub fn keep(statements: Vec<Statement>, is_kept: &dyn Fn(&Expression) -> bool) -> Vec<Statement> {
    let kept = statements
        .into_iter()
        .filter_map(|statement| match statement {
            Statement::Assign { ref target, .. } => is_kept(target).then_some(statement),
            Statement::If {
                test,
                then,
                otherwise,
            } => {
                let then = keep(then, is_kept);
                let otherwise = keep(otherwise, is_kept);
                let is_empty = then.is_empty() && otherwise.is_empty();
                (!is_empty).then_some(Statement::If {
                    test,
                    then,
                    otherwise,
                })
            }
        });
    kept.collect()
}
