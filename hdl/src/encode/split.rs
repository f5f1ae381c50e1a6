//! Wide beats in parts, each of which has a FIFO of its own.
//!
//! What enables a wide output register is a long way from most of its bits. So each part has all that it takes to know when it moves, near
//! to it; all parts move in step.

use crate::verilog::{Body, Run, bits, concat, zero};
use hdl_macros::{Blank, Block, Described};
use rust_hdl::prelude::*;

/// A vector in parts, the lowest bits first. `WHOLE` is at most `COUNT * PART`.
#[derive(Block, Blank, Described)]
pub struct Split<const WHOLE: usize, const PART: usize, const COUNT: usize> {
    pub x: Signal<In, Bits<WHOLE>>,
    #[many(COUNT)]
    pub y: Vec<Signal<Out, Bits<PART>>>,
    _run: Run,
}

impl<const WHOLE: usize, const PART: usize, const COUNT: usize> Split<WHOLE, PART, COUNT> {
    fn body(&self, body: Body) -> Body {
        const { assert!(WHOLE <= COUNT * PART) }
        (0..COUNT).fold(body, |body, part| {
            let low = PART * part;
            let there = PART.min(WHOLE.saturating_sub(low));
            let value = match PART - there {
                0 => bits("x", low, PART),
                missing => concat([bits("x", low, there), zero(missing)]),
            };
            body.assign(format!("y${part}"), value)
        })
    }
}

/// The same back.
#[derive(Block, Blank, Described)]
pub struct Joined<const WHOLE: usize, const PART: usize, const COUNT: usize> {
    #[many(COUNT)]
    pub x: Vec<Signal<In, Bits<PART>>>,
    pub y: Signal<Out, Bits<WHOLE>>,
    _run: Run,
}

impl<const WHOLE: usize, const PART: usize, const COUNT: usize> Joined<WHOLE, PART, COUNT> {
    fn body(&self, body: Body) -> Body {
        let parts = (0..COUNT).map(|part| {
            let there = PART.min(WHOLE.saturating_sub(PART * part));
            bits(format!("x${part}"), 0, there)
        });
        body.assign("y", concat(parts))
    }
}
