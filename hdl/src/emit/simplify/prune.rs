//! What nothing reads.

use super::outputs::drop_output;
use crate::emit::module::{Instance, Module, keep};
use crate::verilog::{Expression, Statement};
use std::collections::HashSet;

/// Removes what nothing reads.
pub fn prune(module: &mut Module) {
    loop {
        let mut read: HashSet<&str> = HashSet::new();
        for assign in &module.assigned {
            assign.value.names(&mut |name| _ = read.insert(name));
        }
        for statement in &module.clocked {
            // A register or a memory that only it itself reads has no reader.
            let mut targets = HashSet::new();
            statement.targets(&mut |name| _ = targets.insert(name));
            let is_own = |name: &str| targets.len() == 1 && targets.contains(name);
            statement.reads(&mut |value| {
                value.names(&mut |name| {
                    if !is_own(name) {
                        read.insert(name);
                    }
                });
            });
        }
        for instance in &module.instances {
            for (port, value) in &instance.connections {
                let used = &instance.module;
                if !used.is_output(port) {
                    value.names(&mut |name| _ = read.insert(name));
                }
            }
        }
        let outputs = module.ports.iter().filter(|port| port.output);
        read.extend(outputs.map(|port| port.net.name.as_str()));
        let read: HashSet<String> = read.into_iter().map(str::to_string).collect();
        let before = module.assigned.len()
            + module.registers.len()
            + module.memories.len()
            + module.instances.len()
            + (module.instances.iter())
                .map(|instance| instance.connections.len())
                .sum::<usize>();
        module
            .assigned
            .retain(|assign| read.contains(&assign.target));
        module
            .registers
            .retain(|register| read.contains(&register.net.name));
        module
            .memories
            .retain(|memory| read.contains(&memory.net.name));
        module.clocked = keep(std::mem::take(&mut module.clocked), &|target| {
            read.contains(Statement::base(target))
        });
        module.instances.retain_mut(|instance| {
            prune_ports(instance, &read);
            instance.module.ports.iter().any(|port| port.output)
        });
        let after = module.assigned.len()
            + module.registers.len()
            + module.memories.len()
            + module.instances.len()
            + (module.instances.iter())
                .map(|instance| instance.connections.len())
                .sum::<usize>();
        if before == after {
            break;
        }
    }
    let mut used: HashSet<String> = HashSet::new();
    module.reads(&mut |value| value.names(&mut |name| _ = used.insert(name.to_string())));
    used.extend(module.assigned.iter().map(|assign| assign.target.clone()));
    for (_, net) in module.instances.iter().flat_map(|it| &it.connections) {
        net.names(&mut |name| _ = used.insert(name.to_string()));
    }
    module.nets.retain(|net| used.contains(&net.name));
    module.constants.retain(|(net, _)| used.contains(&net.name));
}

/// Takes from a child the outputs that its parent does not read, and the inputs that it does not read itself.
fn prune_ports(instance: &mut Instance, read: &HashSet<String>) {
    let child = &mut instance.module;
    let mut inputs: HashSet<String> = HashSet::new();
    child.reads(&mut |value| value.names(&mut |name| _ = inputs.insert(name.to_string())));
    if child.is_clocked() {
        inputs.insert(child.clock.clone());
    }
    let is_library = child.library.is_some();
    let gone: Vec<(bool, String)> = (child.ports.iter())
        .filter(|port| {
            let own = &port.net.name;
            let connected = (instance.connections.iter()).find(|(name, _)| name == own);
            !match (port.output, connected) {
                (true, Some((_, Expression::Name(net)))) => read.contains(net),
                (false, _) => is_library || inputs.contains(own),
                _ => false,
            }
        })
        .map(|port| (port.output, port.net.name.clone()))
        .collect();
    for (output, port) in gone {
        instance.connections.retain(|(name, _)| *name != port);
        if output {
            drop_output(child, &port);
        } else {
            child.ports.retain(|it| it.net.name != port);
        }
    }
}
