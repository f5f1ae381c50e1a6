//! Wires of plain vectors.

use super::from_bits;
use crate::primitives::{blank, blanks};
use crate::verilog::{Body, concat, name, zero};
use hdl_macros::{Blank, Block};
use rust_hdl::prelude::*;

/// A vector from its bits.
#[derive(Block)]
pub struct Join<const W: usize> {
    pub x: Vec<Signal<In, Bit>>,
    pub y: Signal<Out, Bits<W>>,
}

impl<const W: usize> Default for Join<W> {
    fn default() -> Self {
        Self {
            x: blanks(W),
            y: blank(),
        }
    }
}

impl<const W: usize> Logic for Join<W> {
    fn update(&mut self) {
        self.y.next = from_bits(|bit| self.x[bit].val());
    }

    fn connect(&mut self) {
        self.y.connect();
    }

    fn hdl(&self) -> Verilog {
        let bits = (0..W).map(|bit| name(format!("x${bit}")));
        Body::new(Self::ABOUT).assign("y", concat(bits)).done()
    }
}

/// A number of `A` bits as one of `W`, which are no fewer.
#[derive(Block, Blank)]
pub struct Widen<const A: usize, const W: usize> {
    pub x: Signal<In, Bits<A>>,
    pub y: Signal<Out, Bits<W>>,
}

impl<const A: usize, const W: usize> Logic for Widen<A, W> {
    fn update(&mut self) {
        const { assert!(A <= W) }
        let x = self.x.val();
        self.y.next = from_bits(|bit| bit < A && x.get_bit(bit));
    }

    fn connect(&mut self) {
        self.y.connect();
    }

    fn hdl(&self) -> Verilog {
        let wide = concat([name("x"), zero(W - A)]);
        Body::new(Self::ABOUT).assign("y", wide).done()
    }
}
