//! Wide beats in parts.

use crate::verilog::{Body, Run, bits, concat, zero};
use hdl_macros::{Blank, Block, Described};
use rust_hdl::prelude::*;

/// A vector in as many parts as it takes, the lowest bits first.
#[derive(Block, Blank, Described)]
pub struct Split<const WHOLE: usize, const PART: usize> {
    pub x: Signal<In, Bits<WHOLE>>,
    #[many(WHOLE.div_ceil(PART))]
    pub y: Vec<Signal<Out, Bits<PART>>>,
    _run: Run,
}

impl<const WHOLE: usize, const PART: usize> Split<WHOLE, PART> {
    fn body(&self, body: Body) -> Body {
        (0..WHOLE.div_ceil(PART)).fold(body, |body, part| {
            let low = PART * part;
            let there = PART.min(WHOLE - low);
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
pub struct Joined<const WHOLE: usize, const PART: usize> {
    #[many(WHOLE.div_ceil(PART))]
    pub x: Vec<Signal<In, Bits<PART>>>,
    pub y: Signal<Out, Bits<WHOLE>>,
    _run: Run,
}

impl<const WHOLE: usize, const PART: usize> Joined<WHOLE, PART> {
    fn body(&self, body: Body) -> Body {
        let parts = (0..WHOLE.div_ceil(PART)).map(|part| {
            let there = PART.min(WHOLE - PART * part);
            bits(format!("x${part}"), 0, there)
        });
        body.assign("y", concat(parts))
    }
}
