//! Bits that nothing reads.

use crate::emit::share::Shared;
use crate::verilog::Expression;
use std::collections::{BTreeSet, HashMap, HashSet};

/// Bits that nothing reads of what something else of is read, or must be there: linters are content with a name that says so.
pub fn unread(module: &Shared) -> Vec<Expression> {
    let mut read: HashMap<&str, BTreeSet<usize>> = HashMap::new();
    let mut whole: HashSet<&str> = HashSet::new();
    fn visit<'a>(
        value: &'a Expression,
        read: &mut HashMap<&'a str, BTreeSet<usize>>,
        whole: &mut HashSet<&'a str>,
    ) {
        match value {
            Expression::Name(name) => _ = whole.insert(name),
            Expression::Bits { of, low, width } => {
                read.entry(of).or_default().extend(*low..low + width);
            }
            Expression::At(of, index) => {
                whole.insert(of);
                visit(index, read, whole);
            }
            _ => {
                for part in value.parts() {
                    visit(part, read, whole);
                }
            }
        }
    }
    let outputs = module.ports.iter().filter(|port| port.output);
    whole.extend(outputs.map(|port| port.net.name.as_str()));
    let mut look = |value| visit(value, &mut read, &mut whole);
    module.assigned.iter().for_each(|it| look(&it.value));
    module.clocked.iter().for_each(|it| it.reads(&mut look));
    for (_, value) in module.children.iter().flat_map(|it| &it.connections) {
        match value {
            // `is_read_by_children` looks at these.
            Expression::Name(_) => {}
            value => visit(value, &mut read, &mut whole),
        }
    }
    let mut unread = Vec::new();
    let inputs = (module.ports.iter()).filter(|port| !port.output);
    let nets = inputs.map(|port| &port.net).chain(&module.nets);
    let registers = module.registers.iter().map(|register| &register.net);
    for net in nets.chain(registers) {
        let name = net.name.as_str();
        if whole.contains(name) || is_read_by_children(module, name) {
            continue;
        }
        if name == module.clock && !(module.registers.is_empty() && module.memories.is_empty()) {
            continue;
        }
        let bits = read.get(name);
        let is_read = |bit: usize| bits.is_some_and(|bits| bits.contains(&bit));
        let mut low = 0;
        while low < net.width {
            let high = (low..net.width)
                .find(|&bit| is_read(bit) != is_read(low))
                .unwrap_or(net.width);
            if !is_read(low) {
                unread.push(if high - low == net.width {
                    Expression::Name(net.name.clone())
                } else {
                    crate::verilog::bits(net.name.clone(), low, high - low)
                });
            }
            low = high;
        }
    }
    unread
}

/// Whether a child's input is connected to it.
fn is_read_by_children(module: &Shared, name: &str) -> bool {
    let mut connections = 0;
    for (_, value) in module.children.iter().flat_map(|it| &it.connections) {
        connections += usize::from(*value == Expression::Name(name.to_string()));
    }
    let is_driven_by_a_child = module.nets.iter().any(|net| net.name == name)
        && !module.assigned.iter().any(|it| it.target == name);
    connections > usize::from(is_driven_by_a_child)
}
