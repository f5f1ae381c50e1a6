//! Makes a core's modules what a person would write, without a change of what they do.
//!
//! Rust-HDL gives every block a module and every port a net, and a configuration leaves much of it without effect: a branch on a constant, a
//! level of a tree without lanes, a delay of no clocks. Here nets that only pass something on go, and so do branches that are never
//! taken, what nothing reads, outputs that are wires of inputs, and modules of a single register, which their parents take over. The
//! lockstep of the text against the cycle model, and of Rust-HDL's own simulator against both, is the check that nothing else changed.

mod outputs;
mod pass_on;
mod prune;
mod take_over;

use super::EmitError;
use super::module::{Assign, Instance, Module};
use super::normal::Widths;
use crate::verilog::Expression;
use outputs::name_outputs;
use pass_on::{is_wire, pass_on};
use prune::prune;
use std::collections::HashMap;
use take_over::take_over;

/// The top with all that is below it.
pub fn simplify(top: &mut Module) -> Result<(), EmitError> {
    loop {
        let before = size(top);
        settle(top)?;
        if size(top) == before {
            break;
        }
    }
    name_outputs(top);
    Ok(())
}

/// Everything that a round can make smaller.
fn size(module: &Module) -> usize {
    let mut reads = 0;
    module.reads(&mut |value| value.names(&mut |_| reads += 1));
    let own = module.ports.len()
        + module.nets.len()
        + module.registers.len()
        + module.constants.len()
        + module.assigned.len();
    let below: usize = (module.instances.iter())
        .map(|instance| 1 + size(&instance.module))
        .sum();
    reads + own + below
}

/// One round, from the top down and up again.
fn settle(module: &mut Module) -> Result<(), EmitError> {
    pass_on(module);
    for instance in &mut module.instances {
        sink_constants(instance);
        settle(&mut instance.module)?;
    }
    raise_wires(module);
    prune(module);
    take_over(module)?;
    pass_on(module);
    prune(module);
    Ok(())
}

/// Puts constants at a child's inputs into the child.
fn sink_constants(instance: &mut Instance) {
    let module = &mut instance.module;
    if module.library.is_some() {
        return;
    }
    let mut constants = Vec::new();
    instance.connections.retain(|(port, value)| {
        let is_constant = matches!(value, Expression::Literal(_)) && !module.is_output(port);
        if is_constant {
            constants.push((port.clone(), value.clone()));
        }
        !is_constant
    });
    for (port, value) in constants {
        let Some(index) = (module.ports.iter()).position(|it| it.net.name == port) else {
            continue;
        };
        let widths = Widths::of(module);
        let net = module.ports.remove(index).net;
        let value = widths.plain(value, Some(net.width));
        module.nets.push(net);
        module.assigned.push(Assign {
            target: port,
            value,
        });
    }
}

/// Takes from children the outputs that are wires of their inputs, or what a delay makes of zero.
fn raise_wires(module: &mut Module) {
    let mut raised = Vec::new();
    for instance in &mut module.instances {
        let is_of_zero = instance.module.library.is_some()
            && (instance.connections.iter()).any(|(port, value)| {
                port == "x" && matches!(value, Expression::Literal(literal) if literal.is_zero())
            });
        let output = (instance.connections.iter()).position(|(port, _)| port == "y");
        if let (true, Some(output)) = (is_of_zero, output) {
            let (_, net) = instance.connections.remove(output);
            let place = (instance.module.ports.iter()).position(|port| port.output);
            let width = place.map(|place| instance.module.ports.remove(place).net.width);
            if let (Expression::Name(target), Some(width)) = (net, width) {
                let value = crate::verilog::zero(width);
                raised.push(Assign { target, value });
            }
            continue;
        }
        let child = &mut instance.module;
        let inputs: HashMap<String, Expression> = (instance.connections.iter())
            .filter(|(port, _)| !child.is_output(port))
            .cloned()
            .collect();
        let outputs: Vec<String> = (child.assigned.iter())
            .filter(|assign| child.is_output(&assign.target) && is_wire(&assign.value))
            .filter(|assign| {
                let mut of_inputs = true;
                (assign.value).names(&mut |name| of_inputs &= inputs.contains_key(name));
                of_inputs
            })
            .map(|assign| assign.target.clone())
            .collect();
        for output in outputs {
            let Some(at) = (child.assigned.iter()).position(|assign| assign.target == output)
            else {
                continue;
            };
            let Some(connected) = (instance.connections.iter()).position(|it| it.0 == output)
            else {
                continue;
            };
            // Of bits of an input the parent needs a name to take them from.
            let value = child.assigned[at].value.clone();
            let Some(value) = moved(&value, &inputs) else {
                continue;
            };
            let (_, net) = instance.connections.remove(connected);
            drop_output(child, &output);
            if let Expression::Name(target) = net {
                raised.push(Assign { target, value });
            }
        }
    }
    module.assigned.extend(raised);
}

/// Takes an output from a module. If the module reads it, it is a net of its own from then on.
fn drop_output(module: &mut Module, output: &str) {
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

/// An expression of a child's inputs in its parent's terms.
fn moved(value: &Expression, inputs: &HashMap<String, Expression>) -> Option<Expression> {
    let mut fails = false;
    let moved = value.clone().map(&mut |value| match value {
        Expression::Name(ref name) => inputs.get(name).cloned().unwrap_or(value),
        Expression::Bits { ref of, low, width } => match inputs.get(of) {
            Some(Expression::Name(name)) => crate::verilog::bits(name.clone(), low, width),
            Some(Expression::Bits {
                of: net,
                low: below,
                ..
            }) => crate::verilog::bits(net.clone(), below + low, width),
            Some(_) => {
                fails = true;
                value
            }
            None => value,
        },
        other => other,
    });
    (!fails).then_some(moved)
}

#[cfg(test)]
mod tests {
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

    /// A module of so many registers in a row, from `x` to `y`.
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
}
