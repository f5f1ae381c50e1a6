//! Wires of plain vectors.

use crate::verilog::{Body, Operator, Run, bits, concat, name, zero};
use hdl_macros::{Blank, Block, Described};
use rust_hdl::prelude::*;

/// A vector from its bits.
#[derive(Blank, Block, Described)]
pub struct Join<const W: usize> {
    #[many(W)]
    pub x: Vec<Signal<In, Bit>>,
    pub y: Signal<Out, Bits<W>>,
    _run: Run,
}

impl<const W: usize> Join<W> {
    fn body(&self, body: Body) -> Body {
        let bits = (0..W).map(|bit| name(format!("x${bit}")));
        body.assign("y", concat(bits))
    }
}

/// The lowest `W` bits of `A`.
#[derive(Block, Blank, Described)]
pub struct Low<const A: usize, const W: usize> {
    pub x: Signal<In, Bits<A>>,
    pub y: Signal<Out, Bits<W>>,
    _run: Run,
}

impl<const A: usize, const W: usize> Low<A, W> {
    fn body(&self, body: Body) -> Body {
        const { assert!(W <= A) }
        body.assign("y", bits("x", 0, W))
    }
}

/// A number of `A` bits as one of `W`, which are no fewer.
#[derive(Block, Blank, Described)]
pub struct Widen<const A: usize, const W: usize> {
    pub x: Signal<In, Bits<A>>,
    pub y: Signal<Out, Bits<W>>,
    _run: Run,
}

impl<const A: usize, const W: usize> Widen<A, W> {
    fn body(&self, body: Body) -> Body {
        const { assert!(A <= W) }
        let wide = concat([name("x"), zero(W - A)]);
        body.assign("y", wide)
    }
}

/// A number less another one.
#[derive(Block, Blank, Described)]
pub struct Subtract<const W: usize> {
    pub x: Signal<In, Bits<W>>,
    pub by: Signal<In, Bits<W>>,
    pub y: Signal<Out, Bits<W>>,
    _run: Run,
}

impl<const W: usize> Subtract<W> {
    fn body(&self, body: Body) -> Body {
        body.assign("y", name("x").binary(Operator::Sub, name("by")))
    }
}
