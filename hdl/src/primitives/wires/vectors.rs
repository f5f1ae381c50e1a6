//! Wires and sums of plain vectors.

use super::{concat, from_bits};
use rust_hdl::prelude::*;

/// The sum of two numbers of `W` bits and a carry, and its carry.
#[derive(LogicBlock, Default)]
pub struct Add<const W: usize> {
    pub a: Signal<In, Bits<W>>,
    pub b: Signal<In, Bits<W>>,
    pub carry_in: Signal<In, Bit>,
    pub sum: Signal<Out, Bits<W>>,
    pub carry: Signal<Out, Bit>,
}

impl<const W: usize> Logic for Add<W> {
    fn update(&mut self) {
        let sum = self.a.val().to_u64() + self.b.val().to_u64() + u64::from(self.carry_in.val());
        self.sum.next = (sum & ((1 << W) - 1)).into();
        self.carry.next = sum >> W != 0;
    }

    fn connect(&mut self) {
        self.sum.connect();
        self.carry.connect();
    }

    fn hdl(&self) -> Verilog {
        Verilog::Custom(format!(
            "assign {{carry, sum}} = a + b + {{{W}'h0, carry_in}};\n"
        ))
    }
}

/// A vector from its bits.
#[derive(LogicBlock)]
pub struct Join<const W: usize> {
    pub x: [Signal<In, Bit>; W],
    pub y: Signal<Out, Bits<W>>,
}

impl<const W: usize> Default for Join<W> {
    fn default() -> Self {
        Self {
            x: std::array::from_fn(|_| Default::default()),
            y: Default::default(),
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
#[derive(LogicBlock, Default)]
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
