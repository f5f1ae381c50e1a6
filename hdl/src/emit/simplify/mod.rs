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

use super::error::EmitError;
use super::module::{Assign, Instance, Module};
use super::normal::Widths;
use crate::verilog::Expression;
use outputs::{drop_output, name_outputs};
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
mod tests;
