//! Modules that their parents take over.

use super::outputs::renamed;
use super::pass_on::is_wire;
use crate::emit::error::EmitError;
use crate::emit::module::{Assign, Instance, Module, documented};
use crate::verilog::Expression;
use std::collections::{HashMap, HashSet};

/// Whether a parent takes a module over: it has no more than two registers or memories and nothing below it, or nothing but what is
/// below it and wires.
fn is_small(module: &Module) -> bool {
    let state = module.registers.len() + module.memories.len();
    let is_leaf = module.instances.is_empty()
        && state <= 2
        && module.assigned.len() <= 3
        && module.clocked.len() <= 2;
    let is_frame = state == 0
        && module.clocked.is_empty()
        && module.assigned.iter().all(|assign| is_wire(&assign.value));
    module.library.is_none() && (is_leaf || is_frame)
}

/// Takes over the children that are small.
pub fn take_over(module: &mut Module) -> Result<(), EmitError> {
    let (small, kept): (Vec<_>, Vec<_>) = std::mem::take(&mut module.instances)
        .into_iter()
        .partition(|instance| is_small(&instance.module));
    module.instances = kept;
    for Instance {
        name: own_name,
        module: mut child,
        connections,
    } in small
    {
        let clocked = child.is_clocked();
        // An input is another name of what is connected, an output one of the net that it is connected to.
        let mut names: HashMap<String, String> = HashMap::new();
        for (port, value) in &connections {
            match value {
                Expression::Name(net) => {
                    names.insert(port.clone(), net.clone());
                }
                _ => {
                    let net = format!("{own_name}${port}");
                    let width = (child.ports.iter()).find(|it| it.net.name == *port);
                    let width = width.map_or(1, |port| port.net.width);
                    module.nets.push(crate::verilog::Net {
                        name: net.clone(),
                        width,
                    });
                    module.assigned.push(Assign {
                        target: net.clone(),
                        value: value.clone(),
                    });
                    names.insert(port.clone(), net);
                }
            }
        }
        let new_name = |word: &str| match names.get(word) {
            Some(net) => net.clone(),
            None => format!("{own_name}${word}"),
        };
        for assign in &mut child.assigned {
            let taken = std::mem::replace(&mut assign.value, Expression::Undefined(0));
            assign.value = renamed(taken, &new_name);
        }
        for statement in &mut child.clocked {
            statement.change_reads(&mut |value| renamed(value, &new_name));
            statement.rename_targets(&new_name);
        }
        if clocked {
            let clock = new_name(&child.clock);
            if !module.is_clocked() {
                module.clock = clock.clone();
            }
            if clock != module.clock {
                return Err(EmitError::unknown(&format!(
                    "{clock}, a second clock in {}",
                    module.kind
                )));
            }
        }
        // What the parent says of the child is said of its register.
        let first = (child.registers.iter().map(|it| &it.net))
            .chain(child.memories.iter().map(|it| &it.net))
            .next();
        if let (Some(first), Some(_)) = (first, documented(&own_name, &module.docs, &module.parts))
        {
            child.docs.remove(&first.name);
        }
        for mut net in child.nets {
            net.name = new_name(&net.name);
            module.nets.push(net);
        }
        for mut grandchild in child.instances {
            grandchild.name = new_name(&grandchild.name);
            for (_, value) in &mut grandchild.connections {
                let taken = std::mem::replace(value, Expression::Undefined(0));
                *value = renamed(taken, &new_name);
            }
            module.instances.push(grandchild);
        }
        for (mut net, value) in child.constants {
            net.name = new_name(&net.name);
            module.constants.push((net, value));
        }
        for mut register in child.registers {
            register.net.name = new_name(&register.net.name);
            module.registers.push(register);
        }
        for mut memory in child.memories {
            memory.net.name = new_name(&memory.net.name);
            module.memories.push(memory);
        }
        for assign in child.assigned {
            module.assigned.push(Assign {
                target: new_name(&assign.target),
                value: assign.value,
            });
        }
        module.clocked.extend(child.clocked);
        for (stage, title) in child.stages {
            module.stages.entry(stage).or_insert(title);
        }
        let ports: HashSet<&String> = child.ports.iter().map(|port| &port.net.name).collect();
        for (word, doc) in child.docs.iter().filter(|(word, _)| !ports.contains(word)) {
            let doc = doc.clone();
            module.docs.entry(new_name(word)).or_insert(doc);
        }
    }
    module.sort_registers();
    Ok(())
}
