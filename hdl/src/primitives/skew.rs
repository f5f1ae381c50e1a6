//! A vector whose bits are later by a number of clocks each.

use crate::primitives::blank;
use crate::verilog::{Body, Run, bit, bits, concat};
use hdl_macros::{Blank, Block, Described};
use rust_hdl::prelude::*;

/// Delays each bit of a number by a number of clocks of its own. It lies between a number whose
/// bits are there at once, and the bits as an adder takes them that carries no further than a bit a clock.
#[derive(Blank, Block, Described)]
pub struct Skew<const W: usize> {
    pub clock: Signal<In, Clock>,
    pub x: Signal<In, Bits<W>>,
    pub y: Signal<Out, Bits<W>>,
    _clocks: Vec<usize>,
    _run: Run,
}

/// Clocks of a number's lowest bits; those from `width` on are never set, and so need no delay.
pub fn lowest(width: usize, clocks: impl Fn(usize) -> usize) -> impl Fn(usize) -> usize {
    move |bit| if bit < width { clocks(bit) } else { 0 }
}

impl<const W: usize> Skew<W> {
    pub fn new(clocks: impl Fn(usize) -> usize) -> Self {
        let clocks = (0..W).map(clocks).collect();
        Self {
            _clocks: clocks,
            ..blank()
        }
    }

    fn body(&self, mut body: Body) -> Body {
        let mut all = Vec::new();
        let mut doc = "What came in the clocks before, the newest lowest.";
        for (index, &clocks) in self._clocks.iter().enumerate() {
            let x = bit("x", index);
            if clocks == 0 {
                all.push(x);
                continue;
            }
            let register = format!("bit_{index}");
            let next = concat([x, bits(&register, 0, clocks - 1)]);
            all.push(bit(&register, clocks - 1));
            body = body.later(register, clocks, std::mem::take(&mut doc), next);
        }
        body.assign("y", concat(all))
    }
}
