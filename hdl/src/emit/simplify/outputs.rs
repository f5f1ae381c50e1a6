//! Second names of what leaves modules.

use crate::emit::module::{Assign, Module};
use crate::verilog::{Expression, name};
use std::collections::{HashMap, HashSet};

/// Takes away the second names of what leaves modules: an output that is a child's output has a net for both, and one that is a register
/// has the register's name. The top's pins keep theirs.
pub fn name_outputs(module: &mut Module) {
    for instance in &mut module.instances {
        if instance.module.library.is_some() {
            continue;
        }
        name_outputs(&mut instance.module);
        for (output, register) in registers_shown(&instance.module) {
            let child = &mut instance.module;
            child.assigned.retain(|assign| assign.target != output);
            for port in &mut child.ports {
                if port.net.name == output {
                    port.net.name.clone_from(&register);
                }
            }
            for (port, _) in &mut instance.connections {
                if *port == output {
                    port.clone_from(&register);
                }
            }
            if let Some(doc) = child.docs.remove(&output) {
                child.docs.insert(register.clone(), doc);
            }
            for part in child.parts.iter_mut().filter(|part| **part == output) {
                part.clone_from(&register);
            }
        }
    }
    let nets: HashSet<String> = module.nets.iter().map(|net| net.name.clone()).collect();
    let mut names: HashMap<String, String> = HashMap::new();
    for Assign { target, value } in &module.assigned {
        if let Expression::Name(net) = value
            && module.is_output(target)
            && nets.contains(net)
            && !names.contains_key(net)
        {
            names.insert(net.clone(), target.clone());
        }
    }
    let new_name = |word: &str| names.get(word).cloned().unwrap_or(word.to_string());
    module.assigned.retain(
        |assign| !matches!(&assign.value, Expression::Name(net) if names.get(net) == Some(&assign.target)),
    );
    module.nets.retain(|net| !names.contains_key(&net.name));
    for assign in &mut module.assigned {
        assign.target = new_name(&assign.target);
    }
    module.change_reads(&mut |value| renamed(value, &new_name));
    for (_, value) in module
        .instances
        .iter_mut()
        .flat_map(|it| &mut it.connections)
    {
        let taken = std::mem::replace(value, Expression::Undefined(0));
        *value = renamed(taken, &new_name);
    }
}

/// Outputs that are nothing but a register, each register once.
fn registers_shown(module: &Module) -> Vec<(String, String)> {
    let mut seen = HashSet::new();
    let registers: HashSet<&str> = (module.registers.iter())
        .map(|register| register.net.name.as_str())
        .collect();
    let outputs = module.assigned.iter().filter_map(|assign| {
        let Expression::Name(register) = &assign.value else {
            return None;
        };
        let is_shown = module.is_output(&assign.target) && registers.contains(register.as_str());
        is_shown.then(|| (assign.target.clone(), register.clone()))
    });
    let outputs = outputs.filter(|(_, register)| seen.insert(register.clone()));
    outputs.collect()
}

pub fn renamed(value: Expression, new_name: &dyn Fn(&str) -> String) -> Expression {
    value.map(&mut |value| match value {
        Expression::Name(word) => name(new_name(&word)),
        Expression::Bits { of, low, width } => crate::verilog::bits(new_name(&of), low, width),
        Expression::At(of, index) => Expression::At(new_name(&of), index),
        other => other,
    })
}

/// Takes an output from a module. If the module reads it, it is a net of its own from then on.
pub fn drop_output(module: &mut Module, output: &str) {
    let place = module.ports.iter().position(|it| it.net.name == output);
    let Some(net) = place.map(|place| module.ports.remove(place).net) else {
        return;
    };
    let mut is_read = false;
    module.reads(&mut |value| value.names(&mut |name| is_read |= name == output));
    if is_read {
        module.nets.push(net);
    } else {
        module.assigned.retain(|assign| assign.target != output);
    }
}
