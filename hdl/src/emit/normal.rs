//! Expressions in their plainest form: constants folded, wires of wires taken apart, literals with a width.

use super::module::Module;
use crate::verilog::{Expression, Literal, Operator, Statement, bits, literal, repeat, zero};
use std::collections::HashMap;

/// The widths of a module's names.
pub struct Widths(HashMap<String, usize>);

impl Widths {
    pub fn of(module: &Module) -> Self {
        let mut widths = module.widths();
        let memories = module.memories.iter();
        widths.extend(memories.map(|memory| (format!("{}[]", memory.net.name), memory.net.width)));
        Self(widths)
    }

    pub fn name(&self, name: &str) -> Option<usize> {
        self.0.get(name).copied()
    }

    /// The width of an expression, if nothing in it leaves it open.
    pub fn width(&self, value: &Expression) -> Option<usize> {
        match value {
            Expression::Name(name) => self.name(name),
            Expression::Literal(literal) => literal.width,
            Expression::Undefined(width) | Expression::Bits { width, .. } => Some(*width),
            // A bit of a net, or a word of a memory.
            Expression::At(name, _) => Some(self.name(&format!("{name}[]")).unwrap_or(1)),
            Expression::Not(of) => self.width(of),
            Expression::Reduce(..) => Some(1),
            Expression::Binary(left, operator, right) => match operator {
                Operator::Equal
                | Operator::Differ
                | Operator::Less
                | Operator::LessOrEqual
                | Operator::Greater
                | Operator::GreaterOrEqual => Some(1),
                Operator::ShiftLeft | Operator::ShiftRight => self.width(left),
                _ => self.width(left).or(self.width(right)),
            },
            Expression::Concat(parts) => parts.iter().map(|part| self.width(part)).sum(),
            Expression::Repeat(times, of) => Some(times * self.width(of)?),
            Expression::Choose(_, then, otherwise) => self.width(then).or(self.width(otherwise)),
        }
    }

    /// The plainest form of an expression that goes to `width` bits.
    pub fn plain(&self, value: Expression, width: Option<usize>) -> Expression {
        let plain = value.map(&mut |value| self.plain_one(value));
        match (plain, width) {
            (Expression::Literal(literal), Some(width)) => {
                Expression::Literal(with_width(literal, width))
            }
            (Expression::Choose(test, then, otherwise), Some(_)) => {
                let then = self.plain(*then, width);
                let otherwise = self.plain(*otherwise, width);
                Expression::Choose(test, Box::new(then), Box::new(otherwise))
            }
            (plain, _) => plain,
        }
    }

    /// The plainest form of a statement.
    pub fn plain_statements(&self, statements: Vec<Statement>) -> Vec<Statement> {
        let mut all: Vec<Statement> = Vec::new();
        for statement in statements {
            match statement {
                Statement::Assign { target, value } => {
                    let target = self.plain(target, None);
                    let value = self.plain(value, self.width(&target));
                    all.push(Statement::Assign { target, value });
                }
                Statement::If {
                    test,
                    then,
                    otherwise,
                } => {
                    let test = self.plain(test, Some(1));
                    let then = self.plain_statements(then);
                    let otherwise = self.plain_statements(otherwise);
                    match constant(&test) {
                        Some(true) => all.extend(then),
                        Some(false) => all.extend(otherwise),
                        None => add(&mut all, test, then, otherwise),
                    }
                }
            }
        }
        all
    }

    /// The plainest form of one whose parts are plain.
    fn plain_one(&self, value: Expression) -> Expression {
        match value {
            Expression::Bits { of, low, width } => match self.name(&of) {
                Some(whole) if whole == width && low == 0 => Expression::Name(of),
                _ => bits(of, low, width),
            },
            Expression::Not(of) => match *of {
                Expression::Not(inner) => *inner,
                Expression::Literal(ref literal) => match (literal.width, literal.is_zero()) {
                    (Some(width), true) => ones(width),
                    (Some(1), false) => zero(1),
                    _ => Expression::Not(of),
                },
                _ => Expression::Not(of),
            },
            Expression::Reduce(reduction, of) => match (&*of, self.width(&of)) {
                (Expression::Literal(literal), _) if literal.is_zero() => zero(1),
                (_, Some(1)) => *of,
                _ => Expression::Reduce(reduction, of),
            },
            Expression::Binary(left, operator, right) => self.plain_binary(*left, operator, *right),
            Expression::Repeat(times, of) => match (*of, times) {
                (of, 1) => of,
                (Expression::Literal(literal), _) if literal.is_zero() => {
                    zero(times * literal.width.unwrap_or(1))
                }
                (of, _) => repeat(times, of),
            },
            Expression::Concat(parts) => self.plain_concat(parts),
            Expression::Choose(test, then, otherwise) => match constant(&test) {
                Some(true) => *then,
                Some(false) => *otherwise,
                None if then == otherwise => *then,
                None => Expression::Choose(test, then, otherwise),
            },
            other => other,
        }
    }

    fn plain_binary(&self, left: Expression, operator: Operator, right: Expression) -> Expression {
        let (mut left, mut right) = (left, right);
        let shifts = matches!(operator, Operator::ShiftLeft | Operator::ShiftRight);
        if !shifts {
            let (left_width, right_width) = (self.width(&left), self.width(&right));
            if let (Expression::Literal(literal), Some(width)) = (&left, right_width) {
                left = Expression::Literal(with_width(literal.clone(), width));
            }
            if let (Expression::Literal(literal), Some(width)) = (&right, left_width) {
                right = Expression::Literal(with_width(literal.clone(), width));
            }
        }
        let is = |value: &Expression, all: bool| match value {
            Expression::Literal(literal) if !all => literal.is_zero(),
            Expression::Literal(literal) => literal.width == Some(1) && !literal.is_zero(),
            Expression::Repeat(_, of) if all => {
                matches!(&**of, Expression::Literal(one) if one.width == Some(1) && !one.is_zero())
            }
            _ => false,
        };
        match operator {
            Operator::And if is(&left, false) || is(&right, true) => left,
            Operator::And if is(&right, false) || is(&left, true) => right,
            Operator::Or if is(&left, true) || is(&right, false) => left,
            Operator::Or if is(&right, true) || is(&left, false) => right,
            Operator::Xor if is(&right, false) => left,
            Operator::Xor if is(&left, false) => right,
            Operator::ShiftLeft | Operator::ShiftRight if is(&left, false) => left,
            _ => left.binary(operator, right),
        }
    }

    fn plain_concat(&self, parts: Vec<Expression>) -> Expression {
        let mut all: Vec<Expression> = Vec::new();
        let flat = parts.into_iter().flat_map(|part| match part {
            Expression::Concat(parts) => parts,
            part => vec![part],
        });
        for part in flat.filter(|part| self.width(part) != Some(0)) {
            let joined = match (all.last(), &part) {
                (Some(above), part) => self.adjoin(above, part),
                _ => None,
            };
            match joined {
                Some(joined) => {
                    all.pop();
                    all.push(self.plain_one(joined));
                }
                None => all.push(part),
            }
        }
        match all.len() {
            1 => all.remove(0),
            _ => Expression::Concat(all),
        }
    }

    /// Two parts of a concatenation as one.
    fn adjoin(&self, above: &Expression, below: &Expression) -> Option<Expression> {
        let part = |value: &Expression| match value {
            Expression::Bits { of, low, width } => Some((of.clone(), *low, *width)),
            _ => None,
        };
        match (above, below) {
            (Expression::Literal(above), Expression::Literal(below))
                if above.is_zero() && below.is_zero() =>
            {
                Some(zero(above.width? + below.width?))
            }
            (above, below) if above == below => Some(repeat(2, above.clone())),
            (Expression::Repeat(times, of), below) if **of == *below => {
                Some(repeat(times + 1, below.clone()))
            }
            (above, below) => {
                let ((above, high, more), (below, low, width)) = (part(above)?, part(below)?);
                (above == below && high == low + width).then(|| bits(below, low, width + more))
            }
        }
    }

    /// `width` bits of an expression from its bit `low`; none if Verilog has no such form.
    pub fn slice(&self, value: &Expression, low: usize, width: usize) -> Option<Expression> {
        let of = |value: &Expression| Some(Box::new(self.slice(value, low, width)?));
        Some(match value {
            Expression::Name(name) => bits(name.clone(), low, width),
            Expression::Bits { of, low: below, .. } => bits(of.clone(), below + low, width),
            Expression::Undefined(_) => Expression::Undefined(width),
            Expression::Literal(all) if all.is_zero() => zero(width),
            Expression::Literal(all) if width <= 64 => {
                let value = shifted(&all.digits, low)?;
                let mask = u64::MAX >> (64 - width);
                literal(width, value & mask)
            }
            Expression::Not(inner) => Expression::Not(of(inner)?),
            Expression::Binary(left, operator, right)
                if matches!(operator, Operator::And | Operator::Or | Operator::Xor) =>
            {
                Expression::Binary(of(left)?, *operator, of(right)?)
            }
            Expression::Choose(test, then, otherwise) => {
                Expression::Choose(test.clone(), of(then)?, of(otherwise)?)
            }
            Expression::Repeat(times, inner) => {
                let each = self.width(inner)?;
                let parts = vec![(**inner).clone(); *times];
                if each == 1 {
                    repeat(width, (**inner).clone())
                } else {
                    self.slice(&Expression::Concat(parts), low, width)?
                }
            }
            Expression::Concat(parts) => {
                let mut taken = Vec::new();
                let mut at = 0;
                for part in parts.iter().rev() {
                    let all = self.width(part)?;
                    let (from, to) = (low.max(at), (low + width).min(at + all));
                    if from < to {
                        taken.push(match to - from {
                            some if some == all => part.clone(),
                            some => self.slice(part, from - at, some)?,
                        });
                    }
                    at += all;
                }
                taken.reverse();
                self.plain_concat(taken)
            }
            _ => return None,
        })
    }
}

/// What an expression of one bit is in every clock.
fn constant(value: &Expression) -> Option<bool> {
    match value {
        Expression::Literal(literal) => Some(!literal.is_zero()),
        _ => None,
    }
}

/// Adds an `if`, to the statement before it if that has the same test.
fn add(
    all: &mut Vec<Statement>,
    test: Expression,
    then: Vec<Statement>,
    otherwise: Vec<Statement>,
) {
    let before = match all.last_mut() {
        Some(Statement::If {
            test: tested,
            then,
            otherwise,
        }) if *tested == test => Some((then, otherwise)),
        _ => None,
    };
    match (before, then.is_empty(), otherwise.is_empty()) {
        (_, true, true) => {}
        (Some(before), ..) => {
            before.0.extend(then);
            before.1.extend(otherwise);
        }
        (None, true, false) => all.push(Statement::If {
            test: !test,
            then: otherwise,
            otherwise: Vec::new(),
        }),
        (None, ..) => all.push(Statement::If {
            test,
            then,
            otherwise,
        }),
    }
}

fn with_width(value: Literal, width: usize) -> Literal {
    match value.width {
        None => Literal {
            width: Some(width),
            digits: value.digits,
        },
        Some(_) => value,
    }
}

fn ones(width: usize) -> Expression {
    match width {
        1 => literal(1, 1),
        _ => repeat(width, literal(1, 1)),
    }
}

/// A number shifted right by `by` bits: the lowest 64 bits of it.
fn shifted(digits: &str, by: usize) -> Option<u64> {
    let (dropped, rest) = (by / 4, by % 4);
    let kept = digits.len().saturating_sub(dropped);
    let from = kept.saturating_sub(17);
    match &digits[from..kept] {
        "" => Some(0),
        digits => Some((u128::from_str_radix(digits, 16).ok()? >> rest) as u64),
    }
}

#[cfg(test)]
mod tests;
