//! Nets that only pass something on, and registers that are always zero.

use crate::emit::module::{Assign, Module, keep};
use crate::emit::normal::Widths;
use crate::verilog::{Expression, Statement};
use std::collections::{HashMap, HashSet};

/// Puts the values of nets that only pass something on where they are read.
pub fn pass_on(module: &mut Module) {
    let widths = Widths::of(module);
    for assign in &mut module.assigned {
        let value = std::mem::replace(&mut assign.value, Expression::Undefined(0));
        assign.value = widths.plain(value, widths.name(&assign.target));
    }
    module.clocked = widths.plain_statements(std::mem::take(&mut module.clocked));
    let mut uses: HashMap<String, Uses> = HashMap::new();
    module.reads(&mut |value| count(value, &mut uses));
    let mut values: HashMap<String, Expression> = (module.constants.iter())
        .filter(|(net, value)| net.width == 1 || value.is_zero())
        .map(|(net, value)| (net.name.clone(), Expression::Literal(value.clone())))
        .collect();
    for Assign { target, value } in &module.assigned {
        if module.is_output(target) {
            continue;
        }
        let uses = uses.get(target).copied().unwrap_or_default();
        if passes_on(value, uses) {
            values.insert(target.clone(), value.clone());
        }
    }
    let registers = registers_of_nothing(module);
    values.extend(registers);
    if values.is_empty() {
        return;
    }
    let mut resolved: HashMap<String, Expression> = HashMap::new();
    for name in values.keys() {
        resolve(name, &values, &widths, &mut resolved);
    }
    module.change_reads(&mut |value| put(value, &resolved, &widths));
    let widths = Widths::of(module);
    module.change_reads(&mut |value| widths.plain(value, None));
    module
        .assigned
        .retain(|assign| !resolved.contains_key(&assign.target));
    module.nets.retain(|net| !resolved.contains_key(&net.name));
    module
        .registers
        .retain(|register| !resolved.contains_key(&register.net.name));
    module
        .constants
        .retain(|(net, _)| !resolved.contains_key(&net.name));
    module.clocked = keep(std::mem::take(&mut module.clocked), &|target| {
        !resolved.contains_key(Statement::base(target))
    });
    module.clocked = widths.plain_statements(std::mem::take(&mut module.clocked));
}

/// Registers that are zero at power-up and are never written but with zero.
fn registers_of_nothing(module: &Module) -> HashMap<String, Expression> {
    fn written<'a>(statement: &'a Statement, live: &mut HashSet<&'a str>) {
        match statement {
            Statement::Assign { target, value } => {
                if !matches!(value, Expression::Literal(literal) if literal.is_zero()) {
                    live.insert(Statement::base(target));
                }
            }
            Statement::If {
                then, otherwise, ..
            } => (then.iter().chain(otherwise)).for_each(|it| written(it, live)),
        }
    }
    let mut live = HashSet::new();
    module
        .clocked
        .iter()
        .for_each(|statement| written(statement, &mut live));
    let registers = module.registers.iter();
    let dead = registers.filter(|it| it.starts && !live.contains(it.net.name.as_str()));
    let dead = dead.filter(|_| module.library.is_none());
    dead.map(|it| (it.net.name.clone(), crate::verilog::zero(it.net.width)))
        .collect()
}

/// How a name is read: as a whole, in part, and as what is indexed by an expression.
#[derive(Clone, Copy, Default)]
struct Uses {
    whole: usize,
    parts: usize,
    indexed: usize,
}

fn count(value: &Expression, uses: &mut HashMap<String, Uses>) {
    match value {
        Expression::Name(name) => uses.entry(name.clone()).or_default().whole += 1,
        Expression::Bits { of, .. } => uses.entry(of.clone()).or_default().parts += 1,
        Expression::At(of, index) => {
            uses.entry(of.clone()).or_default().indexed += 1;
            count(index, uses);
        }
        _ => value.parts().into_iter().for_each(|part| count(part, uses)),
    }
}

/// Whether an expression only passes on what other nets have, so that a name of its own says nothing more.
pub fn is_wire(value: &Expression) -> bool {
    match value {
        Expression::Name(_) | Expression::Bits { .. } | Expression::Literal(_) => true,
        Expression::Repeat(_, of) => is_wire(of),
        Expression::Concat(parts) => parts.iter().all(is_wire),
        _ => false,
    }
}

fn passes_on(value: &Expression, uses: Uses) -> bool {
    match value {
        Expression::Name(_) => true,
        _ if uses.indexed > 0 => false,
        Expression::Bits { .. } | Expression::Literal(_) => true,
        Expression::Repeat(_, of) => is_wire(of) && !matches!(**of, Expression::Concat(_)),
        // What puts single bits in another order keeps its name, if parts of it are read.
        Expression::Concat(parts) => {
            let is_order = parts.len() > 2
                && (parts.iter()).all(|part| matches!(part, Expression::Bits { width: 1, .. }));
            is_wire(value) && uses.whole <= 1 && (uses.parts == 0 || !is_order)
        }
        _ => false,
    }
}

/// What a name stands for, with all that this stands for in turn.
fn resolve(
    name: &str,
    values: &HashMap<String, Expression>,
    widths: &Widths,
    resolved: &mut HashMap<String, Expression>,
) {
    if resolved.contains_key(name) {
        return;
    }
    let value = values[name].clone();
    value.names(&mut |inner| {
        if values.contains_key(inner) {
            resolve(inner, values, widths, resolved);
        }
    });
    let value = widths.plain(put(value, resolved, widths), widths.name(name));
    resolved.insert(name.to_string(), value);
}

/// An expression with values in the place of names.
fn put(value: Expression, values: &HashMap<String, Expression>, widths: &Widths) -> Expression {
    value.map(&mut |value| match value {
        Expression::Name(ref name) => values.get(name).cloned().unwrap_or(value),
        Expression::Bits {
            ref of, low, width, ..
        } => (values.get(of))
            .and_then(|all| widths.slice(all, low, width))
            .unwrap_or(value),
        Expression::At(of, index) => match values.get(&of) {
            Some(Expression::Name(name)) => Expression::At(name.clone(), index),
            _ => Expression::At(of, index),
        },
        other => other,
    })
}
