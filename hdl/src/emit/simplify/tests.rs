use super::*;
use crate::emit::module::Port;
use crate::verilog::{Net, Register, bits, name, one, set, when, zero};

fn net(name: &str, width: usize) -> Net {
    Net {
        name: name.to_string(),
        width,
    }
}

fn module(inputs: &[&str], outputs: &[(&str, Expression)]) -> Module {
    let inputs = inputs.iter().map(|name| (false, *name));
    let ports = inputs.chain(outputs.iter().map(|(name, _)| (true, *name)));
    Module {
        kind: "Some".to_string(),
        clock: "clock".to_string(),
        ports: ports
            .map(|(output, name)| Port {
                output,
                net: net(name, 1),
            })
            .collect(),
        assigned: (outputs.iter())
            .map(|(target, value)| Assign {
                target: target.to_string(),
                value: value.clone(),
            })
            .collect(),
        ..Module::default()
    }
}

/// Puts a child in a module; its ports are connected to nets of their own, and its inputs to these values.
fn with(parent: &mut Module, own: &str, child: Module, inputs: &[(&str, Expression)]) {
    let mut connections = Vec::new();
    for port in &child.ports {
        let net_name = format!("{own}${}", port.net.name);
        parent.nets.push(net(&net_name, port.net.width));
        connections.push((port.net.name.clone(), name(net_name)));
    }
    for (port, value) in inputs {
        parent.assigned.push(Assign {
            target: format!("{own}${port}"),
            value: value.clone(),
        });
    }
    parent.instances.push(Instance {
        name: own.to_string(),
        module: child,
        connections,
    });
}

/// A module with `count` registers in a row, from `x` to `y`.
fn registers(count: usize) -> Module {
    let last = format!("r{}", count - 1);
    let mut module = module(&["clock", "x"], &[("y", name(last))]);
    for index in 0..count {
        module.registers.push(Register {
            net: net(&format!("r{index}"), 1),
            starts: true,
        });
        let before = match index {
            0 => "x".to_string(),
            _ => format!("r{}", index - 1),
        };
        (module.clocked).push(set(format!("r{index}"), name(before)));
    }
    module
}

fn simplified(mut top: Module) -> Module {
    simplify(&mut top).unwrap_or_else(|error| panic!("{error}"));
    top
}

fn value(module: &Module, output: &str) -> Expression {
    let mut all = module.assigned.iter();
    let assign = all.find(|assign| assign.target == output);
    assign
        .unwrap_or_else(|| panic!("no {output}"))
        .value
        .clone()
}

#[test]
fn what_only_passes_on_goes() {
    let mut top = module(&["a"], &[("b", name("wires$y") & name("wires$one"))]);
    let wires = module(
        &["x"],
        &[("y", name("x")), ("one", one()), ("unread", !name("x"))],
    );
    with(&mut top, "wires", wires, &[("x", name("a"))]);
    let top = simplified(top);
    assert_eq!(value(&top, "b"), name("a"));
    assert!(top.instances.is_empty() && top.nets.is_empty());
}

#[test]
fn a_module_of_one_register_is_taken_over_and_one_of_three_is_not() {
    let clock = ("clock", name("clock"));
    let mut top = module(
        &["clock", "a"],
        &[("b", name("few$y")), ("c", name("many$y"))],
    );
    with(
        &mut top,
        "few",
        registers(1),
        &[clock.clone(), ("x", name("a"))],
    );
    with(&mut top, "many", registers(3), &[clock, ("x", name("a"))]);
    let top = simplified(top);
    assert_eq!(value(&top, "b"), name("few$r0"));
    assert_eq!(top.clocked, [set("few$r0", name("a"))]);
    let [many] = top.instances.as_slice() else {
        panic!("{} children", top.instances.len());
    };
    // The register that leaves the child is its port, and the net is the parent's.
    let outputs = many.module.ports.iter().filter(|port| port.output);
    let outputs: Vec<&str> = outputs.map(|port| port.net.name.as_str()).collect();
    assert_eq!(outputs, ["r2"]);
    assert!(many.connections.contains(&("r2".to_string(), name("c"))));
}

#[test]
fn a_second_clock_is_refused() {
    let mut top = module(
        &["clock", "other", "a"],
        &[("b", name("one$y")), ("c", name("r0"))],
    );
    top.registers.push(Register {
        net: net("r0", 1),
        starts: true,
    });
    top.clocked.push(set("r0", name("a")));
    with(
        &mut top,
        "one",
        registers(1),
        &[("clock", name("other")), ("x", name("a"))],
    );
    assert!(simplify(&mut top).is_err());
}

#[test]
fn a_constant_goes_into_the_child_and_decides_there() {
    let mut child = registers(3);
    child.ports.push(Port {
        output: false,
        net: net("clears", 1),
    });
    child
        .clocked
        .push(when(name("clears"), vec![set("r1", zero(1))]));
    let mut top = module(&["clock", "a"], &[("b", name("child$y"))]);
    let inputs = [
        ("clock", name("clock")),
        ("x", name("a")),
        ("clears", zero(1)),
    ];
    with(&mut top, "child", child, &inputs);
    let top = simplified(top);
    let child = &top.instances[0].module;
    assert!(child.ports.iter().all(|port| port.net.name != "clears"));
    assert_eq!(child.clocked.len(), 3);
}

#[test]
fn a_register_that_is_always_zero_is_zero() {
    let mut top = module(&["clock", "a"], &[("b", name("r0") | name("a"))]);
    top.registers.push(Register {
        net: net("r0", 1),
        starts: true,
    });
    top.clocked
        .push(when(name("a"), vec![set("r0", name("a") & zero(1))]));
    let top = simplified(top);
    assert_eq!(value(&top, "b"), name("a"));
    assert!(top.registers.is_empty() && top.clocked.is_empty());
}

#[test]
fn a_register_that_only_it_itself_reads_goes_and_a_pair_that_is_read_stays() {
    let mut top = registers(2);
    top.registers.push(Register {
        net: net("lonely", 1),
        starts: true,
    });
    top.clocked.push(set("lonely", !name("lonely")));
    let top = simplified(top);
    assert_eq!(top.registers.len(), 2);
}

#[test]
fn bits_of_a_childs_input_are_bits_in_the_parent() {
    let mut top = module(&[], &[("b", name("wires$y"))]);
    top.ports.push(Port {
        output: false,
        net: net("a", 4),
    });
    let mut wires = module(&[], &[("y", bits("x", 2, 1))]);
    wires.ports.push(Port {
        output: false,
        net: net("x", 4),
    });
    with(&mut top, "wires", wires, &[("x", name("a"))]);
    assert_eq!(value(&simplified(top), "b"), bits("a", 2, 1));
}
