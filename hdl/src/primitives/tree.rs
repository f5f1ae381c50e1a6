//! Rust-HDL's tree of a block's Verilog, from what [`hdl_macros::stages`] writes: data, of which nothing is to be compiled.

use rust_hdl::ast::{
    VerilogBlock, VerilogBlockOrConditional, VerilogConditional, VerilogExpression, VerilogLoop,
    VerilogStatement,
};
pub use rust_hdl::ast::{VerilogOp as Operator, VerilogOpUnary as Unary};
use std::iter;

/// What depends on the block's type or on how it was made, by its place among the numbers that go with the tree.
pub type Number = usize;

pub enum Statement {
    /// A target, and what it is assigned.
    Set(&'static str, Value),
    Choose(Value, &'static [Statement], Otherwise),
    /// For each value of an index, from a number to before another.
    Each(&'static str, [Number; 2], &'static [Statement]),
    /// What a clock drives.
    Clocks(&'static str, &'static [&'static str]),
    /// Flip-flops on a clock, which keep what they have unless something else is assigned to them.
    Flops(&'static str, &'static [&'static str]),
}

pub enum Otherwise {
    Nothing,
    Choose(&'static Statement),
    Block(&'static [Statement]),
}

pub enum Value {
    Signal(&'static str),
    Int(i32),
    Bool(bool),
    Number(Number),
    Paren(&'static Value),
    Unary(Unary, &'static Value),
    Binary(&'static Value, Operator, &'static Value),
    /// One bit of a vector.
    Bit(&'static Value, &'static Value),
    /// A number of bits of a vector, and the lowest of them.
    Slice(&'static Value, Number, &'static Value),
}

/// Rust-HDL's tree.
pub fn block(statements: &[Statement], numbers: &[usize]) -> VerilogBlock {
    let made = statements.iter().map(|statement| made(statement, numbers));
    made.collect()
}

fn made(statement: &Statement, numbers: &[usize]) -> VerilogStatement {
    match statement {
        Statement::Set(target, value) => set(target, value_of(value, numbers)),
        Statement::Choose(test, then, otherwise) => VerilogStatement::If(VerilogConditional {
            test: value_of(test, numbers),
            then: block(then, numbers),
            otherwise: match otherwise {
                Otherwise::Nothing => VerilogBlockOrConditional::None,
                Otherwise::Choose(choice) => {
                    VerilogBlockOrConditional::Conditional(Box::new(made(choice, numbers)))
                }
                Otherwise::Block(statements) => {
                    VerilogBlockOrConditional::Block(block(statements, numbers))
                }
            },
        }),
        Statement::Each(index, [from, to], statements) => VerilogStatement::Loop(VerilogLoop {
            index: index.to_string(),
            from: numbers[*from].into(),
            to: numbers[*to].into(),
            block: block(statements, numbers),
        }),
        Statement::Clocks(clock, parts) => clocks(clock, parts),
        Statement::Flops(clock, flops) => {
            let kept = flops
                .iter()
                .map(|flop| set(&format!("{flop}$d$next"), signal(&format!("{flop}$q"))));
            VerilogStatement::Macro(iter::once(clocks(clock, flops)).chain(kept).collect())
        }
    }
}

fn value_of(value: &Value, numbers: &[usize]) -> VerilogExpression {
    let boxed = |value: &Value| Box::new(value_of(value, numbers));
    match value {
        Value::Signal(name) => signal(name),
        Value::Int(value) => VerilogExpression::Literal((*value).into()),
        Value::Bool(value) => VerilogExpression::Literal((*value).into()),
        Value::Number(number) => VerilogExpression::Literal(numbers[*number].into()),
        Value::Paren(of) => VerilogExpression::Paren(boxed(of)),
        Value::Unary(operator, of) => VerilogExpression::Unary(operator.clone(), boxed(of)),
        Value::Binary(left, operator, right) => {
            VerilogExpression::Binary(boxed(left), operator.clone(), boxed(right))
        }
        Value::Bit(of, index) => VerilogExpression::Index(boxed(of), boxed(index)),
        Value::Slice(of, width, low) => {
            VerilogExpression::Slice(boxed(of), numbers[*width], boxed(low))
        }
    }
}

fn signal(name: &str) -> VerilogExpression {
    VerilogExpression::Signal(name.to_string())
}

fn set(target: &str, value: VerilogExpression) -> VerilogStatement {
    VerilogStatement::Assignment(signal(target), value)
}

fn clocks(clock: &str, parts: &[&str]) -> VerilogStatement {
    let clocks = parts
        .iter()
        .map(|part| set(&format!("{part}$clock$next"), signal(clock)));
    VerilogStatement::Macro(clocks.collect())
}
