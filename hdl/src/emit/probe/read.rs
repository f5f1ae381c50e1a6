//! Rust-HDL's tree of statements and expressions, as ours.

use crate::emit::error::EmitError;
use crate::verilog::{self, Expression, Literal, Operator, Reduction, Statement, bits};
use rust_hdl::ast::{
    VerilogBlockOrConditional, VerilogConditional, VerilogExpression, VerilogOp, VerilogOpUnary,
    VerilogStatement,
};

/// A literal as Rust-HDL shows it. It has a width of 32 if nobody stated one.
pub fn literal(text: &str) -> Option<Literal> {
    let (width, digits) = text.split_once("'h")?;
    Some(Literal {
        width: Some(width.parse().ok()?),
        digits: digits.to_string(),
    })
}

/// The values of the indices of the loops around a statement.
#[derive(Clone, Default)]
pub struct Loops(Vec<(String, usize)>);

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

pub fn statements(
    block: &[VerilogStatement],
    loops: &mut Loops,
) -> Result<Vec<Statement>, EmitError> {
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
}
