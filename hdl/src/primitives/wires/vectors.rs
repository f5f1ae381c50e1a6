//! Wires of plain vectors.

use super::{concat, from_bits};
use crate::primitives::{blank, blanks};
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
        Verilog::Custom(format!(
            "assign y = {};\n",
            concat((0..W).map(|bit| format!("x${bit}")))
        ))
    }
}

/// A vector and its lowest bit or'ed with another bit.
#[derive(Block, Blank)]
pub struct OrLowest<const W: usize> {
    pub x: Signal<In, Bits<W>>,
    pub mark: Signal<In, Bit>,
    pub y: Signal<Out, Bits<W>>,
}

impl<const W: usize> Logic for OrLowest<W> {
    fn update(&mut self) {
        let x = self.x.val();
        self.y.next = x.replace_bit(0, x.get_bit(0) | self.mark.val());
    }

    fn connect(&mut self) {
        self.y.connect();
    }

    fn hdl(&self) -> Verilog {
        Verilog::Custom(format!("assign y = mark ? (x | {W}'h1) : x;\n"))
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
        Verilog::Custom(if A == W {
            "assign y = x;\n".to_string()
        } else {
            format!("assign y = {{{}'h0, x}};\n", W - A)
        })
    }
}
