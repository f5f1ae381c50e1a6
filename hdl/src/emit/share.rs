//! Modules that are alike become one, and get their names.

use super::module::{Assign, Instance, Module, Port};
use crate::verilog::{Expression, Library, Literal, Memory, Net, Register, Statement};
use std::collections::{BTreeMap, HashMap};

/// A module whose children are numbers of modules in the list that it is in.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Shared {
    /// The name in Verilog.
    pub name: String,
    pub kind: String,
    pub doc: String,
    pub docs: BTreeMap<String, String>,
    pub stages: BTreeMap<usize, String>,
    pub parts: Vec<String>,
    pub ports: Vec<Port>,
    pub constants: Vec<(Net, Literal)>,
    pub nets: Vec<Net>,
    pub registers: Vec<Register>,
    pub memories: Vec<Memory>,
    pub children: Vec<Child>,
    pub assigned: Vec<Assign>,
    pub clocked: Vec<Statement>,
    pub clock: String,
    pub library: Option<Kind>,
}

/// A module that is printed once for all parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    Delay,
}

/// An instance of a module of the list.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Child {
    pub name: String,
    pub module: usize,
    pub parameters: Vec<(&'static str, usize)>,
    pub connections: Vec<(String, Expression)>,
}

/// The modules of a core whose top is called `name`; the top is first, and each other comes after one that has it as a child.
pub fn share(top: Module, name: &str) -> Vec<Shared> {
    let mut all = Vec::new();
    let top = place(top, &mut all, &mut HashMap::new());
    let mut order = Vec::new();
    list(top, &all, &mut order);
    let mut names: HashMap<String, usize> = HashMap::new();
    let mut modules: Vec<Shared> = Vec::new();
    for (index, &module) in order.iter().enumerate() {
        let mut module = all[module].clone();
        for child in &mut module.children {
            let place = order.iter().position(|&listed| listed == child.module);
            child.module = place.unwrap_or_default();
        }
        module.name = match index {
            0 => name.to_string(),
            _ => {
                let own = format!("{name}_{}", words(&module.kind));
                let count = names.entry(own.clone()).or_default();
                *count += 1;
                match count {
                    1 => own,
                    count => format!("{own}_{count}"),
                }
            }
        };
        modules.push(module);
    }
    modules
}

/// Puts a module in the list, unless one like it is there, after its children. Returns its place.
fn place(module: Module, all: &mut Vec<Shared>, known: &mut HashMap<Shared, usize>) -> usize {
    let children = (module.instances.into_iter())
        .map(|instance| {
            let Instance {
                name,
                mut module,
                connections,
            } = instance;
            let mut parameters = Vec::new();
            if let Some(Library::Delay { width, clocks }) = module.library {
                parameters = vec![("WIDTH", width), ("CLOCKS", clocks)];
                // One module for all widths.
                module.ports.iter_mut().for_each(|port| port.net.width = 1);
                module.kind = "Delay".to_string();
                module.doc.clear();
            }
            Child {
                name,
                module: place(module, all, known),
                parameters,
                connections,
            }
        })
        .collect();
    let shared = Shared {
        name: String::new(),
        kind: module.kind,
        doc: module.doc,
        docs: module.docs,
        stages: module.stages,
        parts: module.parts,
        ports: module.ports,
        constants: module.constants,
        nets: module.nets,
        registers: module.registers,
        memories: module.memories,
        children,
        assigned: module.assigned,
        clocked: module.clocked,
        clock: module.clock,
        library: module.library.map(|_| Kind::Delay),
    };
    if let Some(&place) = known.get(&shared) {
        return place;
    }
    all.push(shared.clone());
    known.insert(shared, all.len() - 1);
    all.len() - 1
}

/// A module, then its children with all that is below them, each once.
fn list(module: usize, all: &[Shared], order: &mut Vec<usize>) {
    if !order.contains(&module) {
        order.push(module);
        for child in &all[module].children {
            list(child.module, all, order);
        }
    }
}

/// A type's name in words.
fn words(kind: &str) -> String {
    let mut words = String::new();
    for letter in kind.chars() {
        if letter.is_ascii_uppercase() && !words.is_empty() {
            words.push('_');
        }
        words.push(letter.to_ascii_lowercase());
    }
    words
}
