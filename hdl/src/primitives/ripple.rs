//! Sums of numbers of which each bit is a clock later than the one below it.

use crate::primitives::blank;
use crate::primitives::count::add;
use crate::verilog::{Body, Expression, Run, bit, bits, concat, name, zero};
use hdl_macros::{Blank, Block, Described};
use rust_hdl::prelude::*;

/// Bits of a number.
pub const NUMBER: usize = 8;

/// What passes from bit to bit: in a register where there is one between two bits, else at once.
pub struct Passing {
    /// What comes into each bit.
    pub into: Expression,
    /// What comes out of the top bit.
    pub out: Expression,
}

/// From what comes into the lowest bit; `next` is what a bit makes of what comes into it. `registers[b]` says that there is a register
/// after bit `b`: bit `b` of `register`.
pub fn passing(
    mut body: Body,
    registers: &[bool],
    register: &str,
    into: Expression,
    next: impl Fn(usize, Expression) -> Expression,
) -> (Body, Passing) {
    let mut all = vec![into.clone()];
    for (index, &is_register) in registers.iter().enumerate() {
        let wire = format!("{register}_{index}");
        let out = match is_register {
            true => bit(register, index),
            false => {
                body = body.wire(&wire, 1, next(index, all[index].clone()));
                name(wire)
            }
        };
        all.push(out);
    }
    let out = all.pop().unwrap_or(into.clone());
    let into = match registers.iter().all(|&is_register| is_register) {
        true => concat([into, bits(register, 0, registers.len() - 1)]),
        false => concat(all),
    };
    (body, Passing { into, out })
}

/// What each bit is after its stage: a bit of a register, or of what the register will be.
pub fn stage_of(registers: &[bool], register: &str, next: &str) -> Vec<Expression> {
    let of = |(index, &is_register): (usize, &bool)| match is_register {
        true => bit(register, index),
        false => bit(next, index),
    };
    registers.iter().enumerate().map(of).collect()
}

/// Adds two numbers; each bit of the sum is a stage later than those it is made of.
#[derive(Blank, Block, Described)]
pub struct SkewAdd {
    pub clock: Signal<In, Clock>,
    pub x: Signal<In, Bits<NUMBER>>,
    pub addend: Signal<In, Bits<NUMBER>>,
    pub y: Signal<Out, Bits<NUMBER>>,
    _registers: Vec<bool>,
    _run: Run,
}

impl SkewAdd {
    /// Of as many bits as there are, each with a register or not.
    pub fn new(registers: Vec<bool>) -> Self {
        Self {
            _registers: registers,
            ..blank()
        }
    }

    fn body(&self, body: Body) -> Body {
        let registers = &self._registers;
        let width = registers.len();
        let over = |index, into| add(bit("x", index), bit("addend", index), Some(into)).1;
        let (body, carries) = passing(body, registers, "carried", zero(1), over);
        let [x, addend] = ["x", "addend"].map(|it| bits(it, 0, width));
        let (sum, carried) = add(x, addend, Some(name("carries")));
        let all = stage_of(registers, "total", "next");
        body.wire("carries", width, carries.into)
            .wire("next", width, sum)
            .later(
                "total",
                width,
                "The sum, and the carries to the bits above.",
                name("next"),
            )
            .later("carried", width, "", carried)
            .assign("y", concat(all.into_iter().chain([zero(NUMBER - width)])))
    }
}
