//! Expressions, and how to build them.

use std::ops::{Add, BitAnd, BitOr, BitXor, Not};

/// A constant: its width, if it is stated, and its hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Literal {
    pub width: Option<usize>,
    pub digits: String,
}

impl Literal {
    pub fn is_zero(&self) -> bool {
        self.digits.bytes().all(|digit| digit == b'0')
    }

    /// The value, if it has at most 64 bits.
    pub fn value(&self) -> Option<u64> {
        u64::from_str_radix(&self.digits, 16).ok()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operator {
    And,
    Or,
    Xor,
    Add,
    Sub,
    Equal,
    Differ,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    ShiftLeft,
    ShiftRight,
}

/// What is made of all bits of a vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reduction {
    Any,
    All,
    Odd,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Expression {
    /// A net, a port, a register or a constant.
    Name(String),
    Literal(Literal),
    /// All bits are X.
    Undefined(usize),
    /// Bits of a net. Of a net of as many bits it is the net.
    Bits {
        of: String,
        low: usize,
        width: usize,
    },
    /// A word of a memory; in Rust-HDL's tree also a bit of a net.
    At(String, Box<Expression>),
    Not(Box<Expression>),
    Reduce(Reduction, Box<Expression>),
    Binary(Box<Expression>, Operator, Box<Expression>),
    /// The uppermost first.
    Concat(Vec<Expression>),
    Repeat(usize, Box<Expression>),
    /// The second if the first holds, else the third.
    Choose(Box<Expression>, Box<Expression>, Box<Expression>),
}

pub fn name(name: impl Into<String>) -> Expression {
    Expression::Name(name.into())
}

/// One bit of a net.
pub fn bit(of: impl Into<String>, index: usize) -> Expression {
    bits(of, index, 1)
}

/// Whether some bits of a net are a number. No bits are always zero.
pub fn is_number(net: &str, low: usize, width: usize, number: usize) -> Expression {
    match (number >> width, width) {
        (0, 0) => one(),
        (0, _) => bits(net, low, width).equals(literal(width, number as u64)),
        _ => zero(1),
    }
}

/// Bits of a net, from the bit `low`.
pub fn bits(of: impl Into<String>, low: usize, width: usize) -> Expression {
    let of = of.into();
    Expression::Bits { of, low, width }
}

pub fn literal(width: usize, value: u64) -> Expression {
    Expression::Literal(Literal {
        width: Some(width),
        digits: format!("{value:x}"),
    })
}

pub fn zero(width: usize) -> Expression {
    literal(width, 0)
}

/// A one of one bit.
pub fn one() -> Expression {
    literal(1, 1)
}

pub fn undefined(width: usize) -> Expression {
    Expression::Undefined(width)
}

/// A vector of parts, the lowest first.
pub fn concat(parts: impl IntoIterator<Item = Expression>) -> Expression {
    let mut parts: Vec<Expression> = parts.into_iter().collect();
    parts.reverse();
    match parts.len() {
        1 => parts.remove(0),
        _ => Expression::Concat(parts),
    }
}

pub fn repeat(times: usize, of: Expression) -> Expression {
    Expression::Repeat(times, Box::new(of))
}

pub fn choose(test: Expression, then: Expression, otherwise: Expression) -> Expression {
    Expression::Choose(Box::new(test), Box::new(then), Box::new(otherwise))
}

impl Expression {
    pub fn binary(self, operator: Operator, other: Expression) -> Expression {
        Expression::Binary(Box::new(self), operator, Box::new(other))
    }

    pub fn equals(self, other: Expression) -> Expression {
        self.binary(Operator::Equal, other)
    }

    /// Whether a bit is set.
    pub fn any(self) -> Expression {
        Expression::Reduce(Reduction::Any, Box::new(self))
    }

    /// Whether all bits are set.
    pub fn all(self) -> Expression {
        Expression::Reduce(Reduction::All, Box::new(self))
    }

    /// All joined by an operator.
    pub fn join(
        operator: Operator,
        parts: impl IntoIterator<Item = Expression>,
    ) -> Option<Expression> {
        (parts.into_iter()).reduce(|left, right| left.binary(operator, right))
    }

    /// Calls `visit` with every name in it.
    pub fn names<'a>(&'a self, visit: &mut dyn FnMut(&'a str)) {
        match self {
            Expression::Name(name) => visit(name),
            Expression::Bits { of, .. } => visit(of),
            Expression::At(of, index) => {
                visit(of);
                index.names(visit);
            }
            _ => self.parts().into_iter().for_each(|part| part.names(visit)),
        }
    }

    /// The expressions that it is made of.
    pub fn parts(&self) -> Vec<&Expression> {
        match self {
            Expression::Name(_)
            | Expression::Literal(_)
            | Expression::Undefined(_)
            | Expression::Bits { .. } => Vec::new(),
            Expression::At(_, part)
            | Expression::Not(part)
            | Expression::Reduce(_, part)
            | Expression::Repeat(_, part) => vec![part],
            Expression::Binary(left, _, right) => vec![left, right],
            Expression::Concat(parts) => parts.iter().collect(),
            Expression::Choose(test, then, otherwise) => vec![test, then, otherwise],
        }
    }

    /// The same, with each expression that it is made of changed first.
    pub fn map(self, change: &mut dyn FnMut(Expression) -> Expression) -> Expression {
        let mut of = |part: Box<Expression>| Box::new(part.map(change));
        let changed = match self {
            Expression::At(name, index) => Expression::At(name, of(index)),
            Expression::Not(part) => Expression::Not(of(part)),
            Expression::Reduce(reduction, part) => Expression::Reduce(reduction, of(part)),
            Expression::Repeat(times, part) => Expression::Repeat(times, of(part)),
            Expression::Binary(left, operator, right) => {
                let left = of(left);
                Expression::Binary(left, operator, of(right))
            }
            Expression::Choose(test, then, otherwise) => {
                let test = of(test);
                let then = of(then);
                Expression::Choose(test, then, of(otherwise))
            }
            Expression::Concat(parts) => {
                let parts = parts.into_iter().map(|part| part.map(change));
                Expression::Concat(parts.collect())
            }
            leaf => leaf,
        };
        change(changed)
    }
}

impl BitAnd for Expression {
    type Output = Expression;
    fn bitand(self, other: Expression) -> Expression {
        self.binary(Operator::And, other)
    }
}

impl BitOr for Expression {
    type Output = Expression;
    fn bitor(self, other: Expression) -> Expression {
        self.binary(Operator::Or, other)
    }
}

impl BitXor for Expression {
    type Output = Expression;
    fn bitxor(self, other: Expression) -> Expression {
        self.binary(Operator::Xor, other)
    }
}

impl Add for Expression {
    type Output = Expression;
    fn add(self, other: Expression) -> Expression {
        self.binary(Operator::Add, other)
    }
}

impl Not for Expression {
    type Output = Expression;
    fn not(self) -> Expression {
        Expression::Not(Box::new(self))
    }
}
