//! What a block's statements come to: what happens at the clock, and one value for every net.

use crate::emit::error::EmitError;
use crate::emit::module::{Assign, Module, keep};
use crate::verilog::{self, Expression, Statement, bits, choose};
use std::collections::{HashMap, HashSet};

/// Parts a block's statements, which hold in their order, in what happens at the clock and in one value for every net.
pub fn split(
    module: &mut Module,
    statements: Vec<Statement>,
    wires: &[String],
) -> Result<(), EmitError> {
    if statements.is_empty() {
        return Ok(());
    }
    let registers: Vec<String> = (module.registers.iter())
        .map(|register| register.net.name.clone())
        .collect();
    let inputs: HashSet<String> = registers.iter().map(|it| format!("{it}$d")).collect();
    let staged = || registers.iter().chain(wires);
    // A state's value of the clock before, where the state is a register: it is that.
    let held: HashMap<String, String> = (wires.iter())
        .filter_map(|wire| Some((wire, wire.strip_prefix("was_")?)))
        .filter(|(_, state)| registers.iter().any(|register| register == state))
        .map(|(wire, state)| (format!("{wire}$q"), state.to_string()))
        .collect();
    let clocks: HashSet<String> = staged().map(|it| format!("{it}$clock")).collect();
    let outputs: HashSet<String> = staged().map(|it| format!("{it}$q")).collect();
    for statement in &statements {
        let mut wrong = None;
        statement.reads(&mut |value| {
            value.names(&mut |name| {
                if inputs.contains(name) {
                    wrong = Some(name.to_string());
                }
            });
        });
        if let Some(name) = wrong {
            return Err(EmitError::unknown(&format!("{name}, which is read")));
        }
        if let Statement::Assign {
            target: Expression::Name(target),
            value: Expression::Name(clock),
        } = statement
            && clocks.contains(target)
        {
            module.clock = clock.clone();
        }
    }
    let register_of = |output: &str| match held.get(output) {
        Some(state) => state.clone(),
        None => output.trim_end_matches("$q").to_string(),
    };
    let value_of_register = |value: Expression| {
        value.map(&mut |value| match value {
            Expression::Name(name) if outputs.contains(&name) => {
                Expression::Name(register_of(&name))
            }
            Expression::Bits { of, low, width } if outputs.contains(&of) => {
                bits(register_of(&of), low, width)
            }
            Expression::At(of, index) if outputs.contains(&of) => {
                Expression::At(register_of(&of), index)
            }
            other => other,
        })
    };
    let mut statements = statements;
    for statement in &mut statements {
        statement.change_reads(&mut |value| value_of_register(value));
    }
    let clocked = keep(statements.clone(), &|target| {
        inputs.contains(Statement::base(target))
    });
    module.clocked = clocked;
    for statement in &mut module.clocked {
        statement.rename_targets(&|name| name.trim_end_matches("$d").to_string());
    }
    // What keeps its value needs no statement.
    module.clocked = without_keeping(std::mem::take(&mut module.clocked));
    drop_dead(&mut module.clocked);
    let mut nets: Vec<&str> = Vec::new();
    let mut seen: HashSet<&str> = HashSet::new();
    for statement in &statements {
        statement.targets(&mut |name| {
            if !inputs.contains(name) && !clocks.contains(name) && seen.insert(name) {
                nets.push(name);
            }
        });
    }
    for net in nets {
        refuse_early_reads(&statements, net)?;
        let value = value(&statements, net, None)?
            .ok_or_else(|| EmitError::unknown(&format!("{net}, which is not always driven")))?;
        let wire = net.strip_suffix("$d");
        let wire = wire.filter(|wire| wires.iter().any(|it| it == wire));
        module.assigned.push(Assign {
            target: wire.unwrap_or(net).to_string(),
            value,
        });
    }
    Ok(())
}

/// A net has one value, so whoever reads it comes after its last assignment.
fn refuse_early_reads(statements: &[Statement], net: &str) -> Result<(), EmitError> {
    let mut was_read = false;
    for statement in statements {
        let mut writes = false;
        statement.targets(&mut |name| writes |= name == net);
        if was_read && writes {
            return Err(EmitError::unknown(&format!("{net}, read before it is set")));
        }
        statement.reads(&mut |value| value.names(&mut |name| was_read |= name == net));
    }
    Ok(())
}

fn without_keeping(statements: Vec<Statement>) -> Vec<Statement> {
    // Only the first assignment of a register can be what it would do without.
    let mut written: HashSet<String> = HashSet::new();
    let mut kept = Vec::new();
    for statement in statements {
        let keeps = matches!(&statement, Statement::Assign { target, value }
            if target == value && !written.contains(Statement::base(target)));
        statement.targets(&mut |name| {
            written.insert(name.to_string());
        });
        if !keeps {
            kept.push(statement);
        }
    }
    kept
}

/// Drops assignments at the clock that a later one always overwrites.
fn drop_dead(statements: &mut Vec<Statement>) {
    fn writes(statement: &Statement, name: &str) -> bool {
        let block = |block: &[Statement]| block.iter().any(|it| writes(it, name));
        match statement {
            Statement::Assign { target, .. } => *target == verilog::name(name),
            Statement::If {
                then, otherwise, ..
            } => block(then) && block(otherwise),
        }
    }
    let is_live = |index: usize| match &statements[index] {
        Statement::Assign { target, .. } => {
            let name = Statement::base(target);
            !statements[index + 1..].iter().any(|it| writes(it, name))
        }
        Statement::If { .. } => true,
    };
    let live: Vec<bool> = (0..statements.len()).map(is_live).collect();
    let mut live = live.into_iter();
    statements.retain(|_| live.next().unwrap_or(true));
}

/// The value of a net after the statements, if it had one before them.
fn value(
    statements: &[Statement],
    net: &str,
    before: Option<Expression>,
) -> Result<Option<Expression>, EmitError> {
    let mut now = before;
    for statement in statements {
        match statement {
            Statement::Assign { target, value } if Statement::base(target) == net => {
                let Expression::Name(_) = target else {
                    return Err(EmitError::unknown(&format!("a part of {net} as a target")));
                };
                let mut reads_itself = false;
                value.names(&mut |name| reads_itself |= name == net);
                if reads_itself {
                    return Err(EmitError::unknown(&format!("{net} made of itself")));
                }
                now = Some(value.clone());
            }
            Statement::Assign { .. } => {}
            Statement::If {
                test,
                then,
                otherwise,
            } => {
                let mut is_written = false;
                statement.targets(&mut |name| is_written |= name == net);
                if !is_written {
                    continue;
                }
                let then = value(then, net, now.clone())?;
                let otherwise = value(otherwise, net, now.clone())?;
                now = match (then, otherwise) {
                    (Some(then), Some(otherwise)) => Some(choose(test.clone(), then, otherwise)),
                    _ => return Err(EmitError::unknown(&format!("{net}, a latch"))),
                };
            }
        }
    }
    Ok(now)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verilog::{Net, Register, name, set, when, zero};

    /// A module with a register `r`, after these statements.
    fn split_up(statements: Vec<Statement>) -> Result<Module, EmitError> {
        let net = Net {
            name: "r".to_string(),
            width: 1,
        };
        let mut module = Module {
            registers: vec![Register { net, starts: true }],
            ..Module::default()
        };
        let clock = set("r$clock", name("clk"));
        let keeps = set("r$d", name("r$q"));
        let all = [clock, keeps].into_iter().chain(statements);
        split(&mut module, all.collect(), &[])?;
        Ok(module)
    }

    #[test]
    fn statements_become_what_happens_at_the_clock_and_values() {
        let module = split_up(vec![
            set("y", name("a")),
            when(
                name("b"),
                vec![set("y", name("r$q")), set("r$d", name("a"))],
            ),
        ]);
        let module = module.unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(module.clock, "clk");
        assert_eq!(module.clocked, [when(name("b"), vec![set("r", name("a"))])]);
        let [y] = module.assigned.as_slice() else {
            panic!("{:?}", module.assigned);
        };
        assert_eq!(y.value, choose(name("b"), name("r"), name("a")));
    }

    #[test]
    fn what_is_no_such_hardware_is_refused() {
        for bad in [
            // A latch.
            vec![when(name("b"), vec![set("y", name("a"))])],
            // A register's next value has no reader.
            vec![set("y", name("r$d"))],
            // A net has one value in a clock.
            vec![set("y", name("a")), set("z", name("y")), set("y", zero(1))],
            vec![set("y", !name("y"))],
        ] {
            assert!(split_up(bad.clone()).is_err(), "{bad:?}");
        }
    }
}
