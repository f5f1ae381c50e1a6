//! Whether a packet is dropped though it is not judged: a register says for which reasons.

use crate::layout::{REASON_BITS, REASONS};
use crate::verilog::{Body, Expression, Operator, Run, bit, literal, name};
use hdl_macros::{Blank, Block, Described};
use rust_hdl::prelude::*;

/// Whether a reason is among some: bit `c - 1` of `of` is that of the code `c`.
#[derive(Block, Blank, Described)]
pub struct IsAmong {
    pub reason: Signal<In, Bits<REASON_BITS>>,
    pub of: Signal<In, Bits<8>>,
    pub y: Signal<Out, Bit>,
    _run: Run,
}

impl IsAmong {
    fn body(&self, body: Body) -> Body {
        let is = |code: usize| name("reason").equals(literal(REASON_BITS, code as u64));
        let each = (1..REASONS.len()).map(|code| is(code) & bit("of", code - 1));
        let any = Expression::join(Operator::Or, each).expect("there are reasons");
        body.assign("y", any)
    }
}
