//! A vector whose bits are later by a number of clocks each.

use crate::primitives::blank;
use crate::primitives::wires::{concat, from_bits};
use hdl_macros::Block;
use rust_hdl::prelude::*;

/// Bit `b` of `y` is bit `b` of `x` a number of clocks before that is chosen for each bit when it is built: between a number whose
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
        let mut text = String::new();
        for (bit, &clocks) in self._clocks.iter().enumerate() {
            if clocks == 0 {
                continue;
            }
            let (range, value) = match clocks {
                1 => (String::new(), format!("x[{bit}]")),
                _ => (
                    format!("[{}:0] ", clocks - 1),
                    match clocks {
                        2 => format!("{{bit_{bit}[0], x[{bit}]}}"),
                        _ => format!("{{bit_{bit}[{}:0], x[{bit}]}}", clocks - 2),
                    },
                ),
            };
            text += &format!(
                "reg {range}bit_{bit};\n\
                 initial bit_{bit} = {clocks}'h0;\n\
                 always @(posedge clock) bit_{bit} <= {value};\n"
            );
        }
        let bits = self._clocks.iter().enumerate();
        let bits = bits.map(|(bit, &clocks)| match clocks {
            0 => format!("x[{bit}]"),
            1 => format!("bit_{bit}"),
            _ => format!("bit_{bit}[{}]", clocks - 1),
        });
        text += &format!("assign y = {};\n", concat(bits));
        Verilog::Custom(text)
    }
}
