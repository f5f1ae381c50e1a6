//! A vector whose bits are later by a number of clocks each.

use crate::primitives::blank;
use crate::primitives::wires::from_bits;
use crate::verilog::{Body, bit, bits, concat, set};
use hdl_macros::Block;
use rust_hdl::prelude::*;

/// Delays each bit of a number by a number of clocks of its own. It lies between a number whose
/// bits are there at once, and the bits as an adder takes them that carries no further than a bit a clock.
#[derive(Block)]
pub struct Skew<const W: usize> {
    pub clock: Signal<In, Clock>,
    pub x: Signal<In, Bits<W>>,
    pub y: Signal<Out, Bits<W>>,
    _clocks: [usize; W],
    /// What came in the clocks before, the newest first.
    _past: Vec<Bits<W>>,
}

/// Clocks of a number's lowest bits; those from `width` on are never set, and so need no delay.
pub fn lowest(width: usize, clocks: impl Fn(usize) -> usize) -> impl Fn(usize) -> usize {
    move |bit| if bit < width { clocks(bit) } else { 0 }
}

impl<const W: usize> Skew<W> {
    pub fn new(clocks: impl Fn(usize) -> usize) -> Self {
        let clocks = std::array::from_fn(clocks);
        let longest = clocks.iter().max().copied().unwrap_or_default();
        Self {
            clock: blank(),
            x: blank(),
            y: blank(),
            _clocks: clocks,
            _past: vec![Default::default(); longest],
        }
    }
}

impl<const W: usize> Logic for Skew<W> {
    fn update(&mut self) {
        let x = self.x.val();
        if self.clock.pos_edge() {
            self._past.insert(0, x);
            self._past.pop();
        }
        self.y.next = from_bits(|bit| match self._clocks[bit] {
            0 => x.get_bit(bit),
            clocks => self._past[clocks - 1].get_bit(bit),
        });
    }

    fn connect(&mut self) {
        self.y.connect();
    }

    fn hdl(&self) -> Verilog {
        let mut body = Body::new(Self::ABOUT);
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
            body = body
                .register(&register, clocks, std::mem::take(&mut doc))
                .at_clock(set(&register, next));
        }
        body.assign("y", concat(all)).done()
    }
}
