//! The modules of a core, taken from Rust-HDL's description of it.
//!
//! Rust-HDL shows its blocks to a probe; its own probe prints Verilog. This one makes a tree of modules. A block's logic is Rust-HDL's
//! tree, or a [`Body`] that the block has left. What the description does not use (links, enumerations, `match`, text, black boxes)
//! is an error.

use super::EmitError;
use super::module::{Assign, Instance, Module, Port, keep};
use super::text::{plain_words, stage};
use crate::verilog::{
    self, Body, Expression, Library, Literal, Net, Operator, Reduction, Register, Statement, bits,
    choose, name,
};
use rust_hdl::core::ast::{
    VerilogBlockOrConditional, VerilogConditional, VerilogExpression, VerilogOp, VerilogOpUnary,
    VerilogStatement,
};
use rust_hdl::core::prelude::*;
use std::collections::HashSet;

/// The top of a core, with its children in it, of which sideband signals have `sideband` bits.
pub fn modules(core: &dyn Block, sideband: usize) -> Result<Module, EmitError> {
    let mut probe = Modules::default();
    verilog::with_sideband(sideband, || core.accept("top", &mut probe));
    match (probe.error, probe.top) {
        (None, Some(top)) => Ok(top),
        (error, _) => Err(error.unwrap_or(EmitError::unknown("a core without a top"))),
    }
}

/// The blocks from the top to the one that is visited.
#[derive(Default)]
struct Modules {
    open: Vec<Open>,
    top: Option<Module>,
    error: Option<EmitError>,
}

/// A block of which not all parts have been visited.
struct Open {
    name: String,
    module: Module,
    statements: Vec<Statement>,
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
        }) = self.open.pop()
        else {
            return Ok(());
        };
        split(&mut module, statements)?;
        let Some(parent) = self.open.last_mut() else {
            self.top = Some(module);
            return Ok(());
        };
        let net_of = |port: &Port| format!("{own_name}${}", port.net.name);
        if module.library == Some(Library::FlipFlop) {
            let output = module.ports.iter().find(|port| port.output);
            let width = output.map_or(1, |port| port.net.width);
            parent.module.registers.push(Register {
                net: Net {
                    name: own_name,
                    width,
                },
                starts: true,
            });
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
            let plain = |doc: &str| plain_words(doc, about.parameters);
            module.doc = plain(about.doc);
            let parts = about.parts.iter();
            module.parts = parts.map(|(name, _)| name.to_string()).collect();
            let docs = about.parts.iter().filter(|(_, doc)| !doc.is_empty());
            module.docs = docs
                .map(|(name, doc)| (name.to_string(), plain(doc)))
                .collect();
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

/// Parts a block's statements, which hold in their order, in what happens at the clock and in one value for every net.
fn split(module: &mut Module, statements: Vec<Statement>) -> Result<(), EmitError> {
    if statements.is_empty() {
        return Ok(());
    }
    let registers: Vec<String> = (module.registers.iter())
        .map(|register| register.net.name.clone())
        .collect();
    let inputs: HashSet<String> = registers.iter().map(|it| format!("{it}$d")).collect();
    let clocks: HashSet<String> = registers.iter().map(|it| format!("{it}$clock")).collect();
    let outputs: HashSet<String> = registers.iter().map(|it| format!("{it}$q")).collect();
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
    let value_of_register = |value: Expression| {
        value.map(&mut |value| match value {
            Expression::Name(name) if outputs.contains(&name) => {
                Expression::Name(name.trim_end_matches("$q").to_string())
            }
            Expression::Bits { of, low, width } if outputs.contains(&of) => {
                bits(of.trim_end_matches("$q"), low, width)
            }
            Expression::At(of, index) if outputs.contains(&of) => {
                Expression::At(of.trim_end_matches("$q").to_string(), index)
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
        module.assigned.push(Assign {
            target: net.to_string(),
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

/// A literal as Rust-HDL shows it. It has a width of 32 if nobody stated one.
fn literal(text: &str) -> Option<Literal> {
    let (width, digits) = text.split_once("'h")?;
    Some(Literal {
        width: Some(width.parse().ok()?),
        digits: digits.to_string(),
    })
}

/// The values of the indices of the loops around a statement.
#[derive(Clone, Default)]
struct Loops(Vec<(String, usize)>);

impl Loops {
    fn value(&self, index: &str) -> Option<usize> {
        let (_, value) = self.0.iter().rev().find(|(name, _)| name == index)?;
        Some(*value)
    }

    /// The value of a number, an index, or one of them and a number more or less.
    fn evaluate(&self, text: &str) -> Option<usize> {
        let operand = |text: &str| text.parse().ok().or_else(|| self.value(text));
        if let Some((left, right)) = text.split_once('+') {
            operand(left)?.checked_add(operand(right)?)
        } else if let Some((left, right)) = text.split_once('-') {
            operand(left)?.checked_sub(operand(right)?)
        } else {
            operand(text)
        }
    }

    /// A signal's name: one of a list has its number in it.
    fn name(&self, text: &str) -> Result<String, EmitError> {
        let text = text.trim_end_matches("$next");
        let Some((list, rest)) = text.split_once('[') else {
            return Ok(text.to_string());
        };
        let number = (rest.split_once(']'))
            .filter(|(_, member)| !member.contains('['))
            .and_then(|(index, member)| Some((self.evaluate(index)?, member)));
        match number {
            Some((number, member)) => Ok(format!("{list}${number}{member}")),
            None => Err(EmitError::unknown(text)),
        }
    }
}

fn statements(block: &[VerilogStatement], loops: &mut Loops) -> Result<Vec<Statement>, EmitError> {
    let mut all = Vec::new();
    for statement in block {
        match statement {
            VerilogStatement::Assignment(target, value) => all.push(Statement::Assign {
                target: expression(target, loops)?,
                value: expression(value, loops)?,
            }),
            VerilogStatement::If(either) => all.push(choice(either, loops)?),
            VerilogStatement::Loop(each) => {
                for value in each.from.as_usize()..each.to.as_usize() {
                    loops.0.push((each.index.clone(), value));
                    all.extend(statements(&each.block, loops)?);
                    loops.0.pop();
                }
            }
            VerilogStatement::Macro(block) => all.extend(statements(block, loops)?),
            other => return Err(EmitError::unknown(&format!("{other:?}"))),
        }
    }
    Ok(all)
}

fn choice(either: &VerilogConditional, loops: &mut Loops) -> Result<Statement, EmitError> {
    let otherwise = match &either.otherwise {
        VerilogBlockOrConditional::None => Vec::new(),
        VerilogBlockOrConditional::Block(block) => statements(block, loops)?,
        VerilogBlockOrConditional::Conditional(either) => {
            statements(std::slice::from_ref(either), loops)?
        }
    };
    Ok(Statement::If {
        test: expression(&either.test, loops)?,
        then: statements(&either.then, loops)?,
        otherwise,
    })
}

fn expression(value: &VerilogExpression, loops: &Loops) -> Result<Expression, EmitError> {
    let of = |value: &VerilogExpression| expression(value, loops);
    let unknown = || EmitError::unknown(&format!("{value:?}"));
    Ok(match value {
        VerilogExpression::Signal(name) => match loops.value(name) {
            Some(number) => verilog::literal(32, number as u64),
            None => Expression::Name(loops.name(name)?),
        },
        VerilogExpression::Literal(value) => {
            let mut literal = literal(&format!("{value:x}")).ok_or_else(unknown)?;
            // What has no width of its own gets it from what it stands beside.
            if literal.width == Some(32) {
                literal.width = None;
            }
            Expression::Literal(literal)
        }
        VerilogExpression::Paren(inner) => of(inner)?,
        VerilogExpression::Binary(left, operator, right) => {
            of(left)?.binary(binary(operator).ok_or_else(unknown)?, of(right)?)
        }
        VerilogExpression::Unary(operator, value) => {
            let value = of(value)?;
            match operator {
                VerilogOpUnary::Not => !value,
                VerilogOpUnary::All => value.all(),
                VerilogOpUnary::Any => value.any(),
                VerilogOpUnary::Xor => Expression::Reduce(Reduction::Odd, Box::new(value)),
                VerilogOpUnary::Neg => return Err(unknown()),
            }
        }
        VerilogExpression::Index(vector, index) => {
            let (vector, index) = (of(vector)?, of(index)?);
            match (vector, number(&index)) {
                (Expression::Name(name), Some(index)) => bits(name, index, 1),
                (Expression::Name(name), None) => Expression::At(name, Box::new(index)),
                _ => return Err(unknown()),
            }
        }
        VerilogExpression::Slice(vector, width, low) => match (of(vector)?, number(&of(low)?)) {
            (Expression::Name(name), Some(low)) => bits(name, low, *width),
            _ => return Err(unknown()),
        },
        _ => return Err(unknown()),
    })
}

/// The value of a literal.
fn number(value: &Expression) -> Option<usize> {
    match value {
        Expression::Literal(literal) => literal.value().map(|value| value as usize),
        _ => None,
    }
}

fn binary(operator: &VerilogOp) -> Option<Operator> {
    Some(match operator {
        VerilogOp::Add => Operator::Add,
        VerilogOp::Sub => Operator::Sub,
        VerilogOp::BitXor => Operator::Xor,
        VerilogOp::BitAnd => Operator::And,
        VerilogOp::BitOr => Operator::Or,
        VerilogOp::Shl => Operator::ShiftLeft,
        VerilogOp::Shr => Operator::ShiftRight,
        VerilogOp::Eq => Operator::Equal,
        VerilogOp::Lt => Operator::Less,
        VerilogOp::Le => Operator::LessOrEqual,
        VerilogOp::Ne => Operator::Differ,
        VerilogOp::Ge => Operator::GreaterOrEqual,
        VerilogOp::Gt => Operator::Greater,
        VerilogOp::Mul | VerilogOp::LogicalAnd | VerilogOp::LogicalOr => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verilog::{set, when, zero};

    #[test]
    fn a_name_in_a_loop_has_its_number() {
        let loops = Loops(vec![("i".to_string(), 3)]);
        let name = |text| loops.name(text).ok();
        assert_eq!(name("x$d$next"), Some("x$d".to_string()));
        assert_eq!(name("x[i]$d$next"), Some("x$3$d".to_string()));
        assert_eq!(name("x[i-1]$q"), Some("x$2$q".to_string()));
        assert_eq!(name("x[i+2]"), Some("x$5".to_string()));
        for unknown in ["x[j]", "x[i-4]", "x[i]$y[i]", "x[2*i]"] {
            assert_eq!(name(unknown), None, "{unknown}");
        }
    }

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
        split(&mut module, all.collect())?;
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
