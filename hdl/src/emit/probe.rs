//! The modules of a core, taken from Rust-HDL's description of it.
//!
//! Rust-HDL shows its blocks to a probe; its own probe prints Verilog. This one makes modules with the same names, in the same
//! order. A test compares them with what Rust-HDL prints. What the description does not use (links, enumerations,
//! `match`, black boxes) is an error.

use super::EmitError;
use super::module::{Instance, Module, Net, Port, Statement};
use rust_hdl::core::ast::{
    VerilogBlockOrConditional, VerilogConditional, VerilogExpression, VerilogOp, VerilogOpUnary,
    VerilogStatement,
};
use rust_hdl::core::prelude::*;
use std::collections::BTreeMap;

/// The modules of a core whose top is called `name`.
pub fn modules(core: &dyn Block, name: &str) -> Result<Vec<Module>, EmitError> {
    let mut probe = Modules::default();
    core.accept(name, &mut probe);
    if let Some(error) = probe.error {
        return Err(error);
    }
    for (name, locals) in probe.locals {
        probe.modules.entry(name).or_default().nets.extend(locals);
    }
    Ok(probe.modules.into_values().collect())
}

/// Modules by name. A name is the path from the top, joined by `$`.
#[derive(Default)]
struct Modules {
    path: Vec<String>,
    modules: BTreeMap<String, Module>,
    /// Nets that are not connected to a part: they come last.
    locals: BTreeMap<String, Vec<Net>>,
    error: Option<EmitError>,
}

impl Modules {
    fn module(&mut self, depth: usize) -> &mut Module {
        let name = self.path[..depth].join("$");
        self.modules.entry(name).or_default()
    }

    /// Connects a child's port to a net of its parent, which is named `child$port`.
    fn connect(&mut self, port: &Port) {
        let depth = self.path.len() - 1;
        if depth == 0 {
            return;
        }
        let net = format!("{}${}", self.path[depth], port.net.name);
        let parent = self.module(depth);
        let width = port.net.width;
        let name = net.clone();
        parent.nets.push(Net { name, width });
        if let Some(child) = parent.instances.last_mut() {
            child.connections.push((port.net.name.clone(), net));
        }
    }
}

impl Probe for Modules {
    fn visit_start_scope(&mut self, name: &str, block: &dyn Block) {
        let depth = self.path.len();
        self.path.push(name.to_string());
        let module = self.path.join("$");
        if depth > 0 {
            self.module(depth).instances.push(Instance {
                module: module.clone(),
                name: name.to_string(),
                connections: Vec::new(),
            });
        }
        let body = match block.hdl() {
            Verilog::Empty => Ok((Vec::new(), None)),
            Verilog::Combinatorial(block) => {
                statements(&block, &Loops::default()).map(|statements| (statements, None))
            }
            Verilog::Custom(text) => Ok((Vec::new(), Some(tidy(&text)))),
            Verilog::Blackbox(_) | Verilog::Wrapper(_) => Err(EmitError::unknown(name)),
        };
        match body {
            Ok((statements, custom)) => {
                let of_it = self.module(depth + 1);
                of_it.name = module;
                of_it.statements = statements;
                of_it.custom = custom;
            }
            Err(error) => self.error = Some(error),
        }
    }

    fn visit_atom(&mut self, name: &str, signal: &dyn Atom) {
        let net = Net {
            name: name.to_string(),
            width: signal.bits(),
        };
        let depth = self.path.len();
        let output = match signal.kind() {
            AtomKind::InputParameter => false,
            AtomKind::OutputParameter => true,
            AtomKind::LocalSignal => {
                let module = self.path.join("$");
                return self.locals.entry(module).or_default().push(net);
            }
            AtomKind::Constant => {
                let value = signal.verilog().to_string();
                return self.module(depth).constants.push((net.name, value));
            }
            _ => {
                self.error = Some(EmitError::unknown(name));
                return;
            }
        };
        let port = Port { output, net };
        self.connect(&port);
        self.module(depth).ports.push(port);
    }

    fn visit_start_namespace(&mut self, name: &str, _: &dyn Block) {
        self.error = Some(EmitError::unknown(name));
    }

    fn visit_end_scope(&mut self, _: &str, _: &dyn Block) {
        self.path.pop();
    }
}

/// Removes the spaces at both ends of each line, and empty lines.
fn tidy(text: &str) -> String {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.flat_map(|line| [line, "\n"]).collect()
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
        if let Some(value) = self.value(text) {
            return Ok(value.to_string());
        }
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

fn statements(block: &[VerilogStatement], loops: &Loops) -> Result<Vec<Statement>, EmitError> {
    let mut all = Vec::new();
    for statement in block {
        match statement {
            VerilogStatement::Assignment(target, value) => all.push(Statement::Assign {
                target: expression(target, loops)?,
                value: expression(value, loops)?,
            }),
            VerilogStatement::If(either) => all.push(choice(either, loops)?),
            VerilogStatement::Loop(each) => {
                let mut loops = loops.clone();
                for value in each.from.as_usize()..each.to.as_usize() {
                    loops.0.push((each.index.clone(), value));
                    all.extend(statements(&each.block, &loops)?);
                    loops.0.pop();
                }
            }
            VerilogStatement::Macro(block) => all.extend(statements(block, loops)?),
            other => return Err(EmitError::unknown(&format!("{other:?}"))),
        }
    }
    Ok(all)
}

fn choice(either: &VerilogConditional, loops: &Loops) -> Result<Statement, EmitError> {
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

fn expression(value: &VerilogExpression, loops: &Loops) -> Result<String, EmitError> {
    let of = |value: &VerilogExpression| expression(value, loops);
    Ok(match value {
        VerilogExpression::Signal(name) => loops.name(name)?,
        VerilogExpression::Literal(literal) => literal.to_string(),
        VerilogExpression::Paren(inner) => format!("({})", of(inner)?),
        VerilogExpression::Binary(left, operator, right) => {
            format!("{} {} {}", of(left)?, binary(operator), of(right)?)
        }
        VerilogExpression::Unary(operator, value) => format!("{}{}", unary(operator), of(value)?),
        VerilogExpression::Index(vector, index) => format!("{}[{}]", of(vector)?, of(index)?),
        VerilogExpression::Slice(vector, width, low) => {
            format!("{}[({})+:({width})]", of(vector)?, of(low)?)
        }
        VerilogExpression::IndexReplace(vector, index, bit) => {
            let (vector, index, bit) = (of(vector)?, of(index)?, of(bit)?);
            format!("({vector} & ~(1 << ({index})) | (({bit}) << ({index})))")
        }
        other => return Err(EmitError::unknown(&format!("{other:?}"))),
    })
}

fn binary(operator: &VerilogOp) -> &'static str {
    match operator {
        VerilogOp::Add => "+",
        VerilogOp::Sub => "-",
        VerilogOp::Mul => "*",
        VerilogOp::LogicalAnd => "&&",
        VerilogOp::LogicalOr => "||",
        VerilogOp::BitXor => "^",
        VerilogOp::BitAnd => "&",
        VerilogOp::BitOr => "|",
        VerilogOp::Shl => "<<",
        VerilogOp::Shr => ">>",
        VerilogOp::Eq => "==",
        VerilogOp::Lt => "<",
        VerilogOp::Le => "<=",
        VerilogOp::Ne => "!=",
        VerilogOp::Ge => ">=",
        VerilogOp::Gt => ">",
    }
}

fn unary(operator: &VerilogOpUnary) -> &'static str {
    match operator {
        VerilogOpUnary::Not => "~",
        VerilogOpUnary::Neg => "-",
        VerilogOpUnary::All => "&",
        VerilogOpUnary::Any => "|",
        VerilogOpUnary::Xor => "^",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{CoreName, Mode, Request};
    use crate::embedded;
    use crate::emit::parse::parse;

    /// Rust-HDL's own printing is the judge.
    #[test]
    fn the_modules_are_those_that_rust_hdl_prints() {
        let requests = [
            Request::default(),
            Request {
                dense: Some(true),
                lanes: Some(2),
                ..Default::default()
            },
            Request {
                core: Some(CoreName::Validate),
                mode: Some(Mode::Pass),
                csr: Some(true),
                lanes: Some(2),
                ..Default::default()
            },
            Request {
                core: Some(CoreName::Validate),
                flows: Some(4),
                lanes: Some(1),
                ..Default::default()
            },
        ];
        for request in requests {
            let config = request.resolve().unwrap_or_else(|error| panic!("{error}"));
            let core = embedded::build(&config);
            let (printed, probed) = embedded::with_stack(move || {
                let mut defines = ModuleDefines::default();
                core.block().accept(&config.module, &mut defines);
                (defines.defines(), modules(core.block(), &config.module))
            });
            let [printed, probed] =
                [parse(&printed), probed].map(|all| all.unwrap_or_else(|error| panic!("{error}")));
            assert_eq!(printed.len(), probed.len());
            for (printed, probed) in printed.into_iter().zip(probed) {
                assert_eq!(printed, probed);
            }
        }
    }

    #[test]
    fn a_name_in_a_loop_has_its_number() {
        let loops = Loops(vec![("i".to_string(), 3)]);
        let name = |text| loops.name(text).ok();
        assert_eq!(name("x$d$next"), Some("x$d".to_string()));
        assert_eq!(name("x[i]$d$next"), Some("x$3$d".to_string()));
        assert_eq!(name("x[i-1]$q"), Some("x$2$q".to_string()));
        assert_eq!(name("x[i+2]"), Some("x$5".to_string()));
        assert_eq!(name("i"), Some("3".to_string()));
        for unknown in ["x[j]", "x[i-4]", "x[i]$y[i]", "x[2*i]"] {
            assert_eq!(name(unknown), None, "{unknown}");
        }
    }
}
