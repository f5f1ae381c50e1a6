//! The modules of a core, taken from Rust-HDL's description of it.
//!
//! Rust-HDL shows its blocks to a probe; its own probe prints Verilog. This one makes a tree of modules. A block's logic is Rust-HDL's
//! tree, or a [`Body`] that the block has left. What the description does not use (links, enumerations, `match`, text, black boxes)
//! is an error.

mod read;
mod split;

use super::error::EmitError;
use super::module::{Assign, Instance, Module, Port};
use super::text::{plain_words, stage};
use crate::config::Grammar;
use crate::verilog::{self, Body, Expression, Library, Net, Register, Statement, name};
use read::{Loops, literal, statements};
use rust_hdl::prelude::*;
use split::split;

/// The top of a core of this grammar, with its children in it, of which sideband signals have `sideband` bits.
pub fn modules(core: &dyn Block, sideband: usize, grammar: Grammar) -> Result<Module, EmitError> {
    let mut probe = Modules {
        grammar,
        ..Modules::default()
    };
    verilog::with_sideband(sideband, || core.accept("top", &mut probe));
    match (probe.error, probe.top) {
        (None, Some(top)) => Ok(top),
        (error, _) => Err(error.unwrap_or(EmitError::unknown("a core without a top"))),
    }
}

/// The blocks from the top to the one that is visited.
#[derive(Default)]
struct Modules {
    grammar: Grammar,
    open: Vec<Open>,
    top: Option<Module>,
    error: Option<EmitError>,
}

/// A block of which not all parts have been visited.
struct Open {
    name: String,
    module: Module,
    statements: Vec<Statement>,
    /// What would be registers if their stage had any.
    wires: Vec<String>,
}

impl Modules {
    fn refuse(&mut self, what: &str) {
        self.error.get_or_insert(EmitError::unknown(what));
    }

    fn close(&mut self) -> Result<(), EmitError> {
        let Some(Open {
            name: own_name,
            mut module,
            statements,
            wires,
        }) = self.open.pop()
        else {
            return Ok(());
        };
        split(&mut module, statements, &wires)?;
        let Some(parent) = self.open.last_mut() else {
            self.top = Some(module);
            return Ok(());
        };
        let net_of = |port: &Port| format!("{own_name}${}", port.net.name);
        let is_register = module.library == Some(Library::FlipFlop);
        if is_register || module.library == Some(Library::Wire) {
            let output = module.ports.iter().find(|port| port.output);
            let net = Net {
                name: own_name,
                width: output.map_or(1, |port| port.net.width),
            };
            match is_register {
                true => parent.module.registers.push(Register { net, starts: true }),
                false => {
                    parent.wires.push(net.name.clone());
                    parent.module.nets.push(net);
                }
            }
            return Ok(());
        }
        let connections = (module.ports.iter())
            .map(|port| (port.net.name.clone(), name(net_of(port))))
            .collect();
        let nets = module.ports.iter().map(|port| Net {
            name: net_of(port),
            width: port.net.width,
        });
        parent.module.nets.extend(nets);
        parent.module.instances.push(Instance {
            name: own_name,
            module,
            connections,
        });
        Ok(())
    }
}

impl Probe for Modules {
    fn visit_start_scope(&mut self, name: &str, block: &dyn Block) {
        let mut module = Module {
            clock: "clock".to_string(),
            ..Module::default()
        };
        let description = block.hdl();
        let (about, body) = verilog::take();
        if let Some(about) = about {
            module.kind = about.name.to_string();
            let plain = |doc: &str| plain_words(doc, about.parameters, self.grammar);
            module.doc = plain(about.doc);
            let parts = about.parts.iter();
            module.parts = parts.map(|(name, _)| name.to_string()).collect();
            let docs = about.parts.iter();
            let docs = docs.map(|(name, doc)| (name.to_string(), plain(doc)));
            module.docs = docs.filter(|(_, doc)| !doc.is_empty()).collect();
            module.stages = module.docs.values().filter_map(|doc| stage(doc)).collect();
        }
        let mut all = Vec::new();
        match (description, body) {
            (Verilog::Empty, Some(body)) => fill(&mut module, body),
            (Verilog::Combinatorial(block), None) => {
                match statements(&block, &mut Loops::default()) {
                    Ok(statements) => all = statements,
                    Err(error) => {
                        self.error.get_or_insert(error);
                    }
                }
            }
            _ => self.refuse(name),
        }
        self.open.push(Open {
            name: name.to_string(),
            module,
            statements: all,
            wires: Vec::new(),
        });
    }

    fn visit_atom(&mut self, name: &str, signal: &dyn Atom) {
        let net = Net {
            name: name.to_string(),
            width: verilog::width_of(&signal.descriptor(), signal.bits()),
        };
        let Some(Open { module, .. }) = self.open.last_mut() else {
            return self.refuse(name);
        };
        match signal.kind() {
            AtomKind::InputParameter => module.ports.push(Port { output: false, net }),
            AtomKind::OutputParameter => module.ports.push(Port { output: true, net }),
            AtomKind::LocalSignal => module.nets.push(net),
            AtomKind::Constant => match literal(&format!("{:x}", signal.verilog())) {
                Some(value) => module.constants.push((net, value)),
                None => self.refuse(name),
            },
            _ => self.refuse(name),
        }
    }

    fn visit_start_namespace(&mut self, name: &str, _: &dyn Block) {
        self.refuse(name);
    }

    fn visit_end_scope(&mut self, _: &str, _: &dyn Block) {
        if let Err(error) = self.close() {
            self.error.get_or_insert(error);
        }
    }
}

/// What a block says of itself.
fn fill(module: &mut Module, body: Body) {
    module.nets.extend(body.wires);
    module.registers = body.registers;
    let docs = body.docs.into_iter().filter(|(_, doc)| !doc.is_empty());
    (module.docs).extend(docs.map(|(name, doc)| (name, doc.to_string())));
    module.memories = body.memories;
    module.clocked = body.clocked;
    module.library = body.library;
    module.assigned = (body.assigned.into_iter())
        .filter_map(|statement| match statement {
            Statement::Assign {
                target: Expression::Name(target),
                value,
            } => Some(Assign { target, value }),
            _ => None,
        })
        .collect();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::Contract;
    use crate::primitives::Cuts;

    /// The names of a block's registers, and of what has a value at all times.
    fn registers_and_nets(cuts: Cuts) -> (Vec<String>, Vec<String>) {
        let mut block = Contract::<2>::new(cuts);
        block.connect_all();
        let module = modules(&block, 0, Grammar::Rfc3629).unwrap_or_else(|error| panic!("{error}"));
        let registers = module.registers.iter().map(|it| it.net.name.clone());
        let nets = module.assigned.iter().map(|it| it.target.clone());
        (registers.collect(), nets.collect())
    }

    #[test]
    fn a_stage_without_registers_has_wires_of_their_names() {
        let (registers, nets) = registers_and_nets(Cuts::ALL);
        let is_of_2 = |name: &&String| name.starts_with("s2_") && !name.contains('$');
        assert_eq!(nets.iter().filter(is_of_2).count(), 0);
        let stage: Vec<&String> = registers.iter().filter(is_of_2).collect();
        assert!(stage.len() > 1, "{registers:?}");
        let (fewer, nets) = registers_and_nets(Cuts::ALL.without([2]));
        assert_eq!(nets.iter().filter(is_of_2).collect::<Vec<_>>(), stage);
        assert_eq!(fewer.len() + stage.len(), registers.len());
    }
}
