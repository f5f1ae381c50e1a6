//! Rust-HDL's tree of a block's Verilog, built by the code that [`hdl_macros::stages`] writes.

pub use rust_hdl::ast;
pub use rust_hdl::ast::VerilogOp::*;
pub use rust_hdl::ast::VerilogOpUnary::*;
use rust_hdl::ast::{
    VerilogBlock, VerilogBlockOrConditional, VerilogConditional, VerilogExpression, VerilogLiteral,
    VerilogLoop, VerilogOp, VerilogOpUnary, VerilogStatement,
};
use std::iter;

pub fn signal(name: &str) -> VerilogExpression {
    VerilogExpression::Signal(name.to_string())
}

pub fn literal(value: impl Into<VerilogLiteral>) -> VerilogExpression {
    VerilogExpression::Literal(value.into())
}

pub fn unary(operator: VerilogOpUnary, of: VerilogExpression) -> VerilogExpression {
    VerilogExpression::Unary(operator, Box::new(of))
}

pub fn binary(
    left: VerilogExpression,
    operator: VerilogOp,
    right: VerilogExpression,
) -> VerilogExpression {
    VerilogExpression::Binary(Box::new(left), operator, Box::new(right))
}

/// One bit of a vector.
pub fn bit(of: VerilogExpression, index: VerilogExpression) -> VerilogExpression {
    VerilogExpression::Index(Box::new(of), Box::new(index))
}

/// `width` bits of a vector, from the bit `low`.
pub fn slice(of: VerilogExpression, width: usize, low: VerilogExpression) -> VerilogExpression {
    VerilogExpression::Slice(Box::new(of), width, Box::new(low))
}

pub fn set(target: &str, value: VerilogExpression) -> VerilogStatement {
    VerilogStatement::Assignment(signal(target), value)
}

pub fn choose(
    test: VerilogExpression,
    then: VerilogBlock,
    otherwise: VerilogBlockOrConditional,
) -> VerilogStatement {
    VerilogStatement::If(VerilogConditional {
        test,
        then,
        otherwise,
    })
}

/// The statements for each value of `index` from `from` to before `to`.
pub fn each(index: &str, from: usize, to: usize, block: VerilogBlock) -> VerilogStatement {
    VerilogStatement::Loop(VerilogLoop {
        index: index.to_string(),
        from: from.into(),
        to: to.into(),
        block,
    })
}

/// Flip-flops on a clock, which keep what they have unless something else is assigned to them.
pub fn flops(clock: &str, flops: &[&str]) -> VerilogStatement {
    let kept = flops
        .iter()
        .map(|flop| set(&format!("{flop}$d$next"), signal(&format!("{flop}$q"))));
    VerilogStatement::Macro(iter::once(clocks(clock, flops)).chain(kept).collect())
}

/// What a clock drives.
pub fn clocks(clock: &str, parts: &[&str]) -> VerilogStatement {
    let clocks = parts
        .iter()
        .map(|part| set(&format!("{part}$clock$next"), signal(clock)));
    VerilogStatement::Macro(clocks.collect())
}
