//! The end of a beat: the last three bytes of it, which the flow's next beat has to know.
//!
//! # Latency
//! [`LATENCY`] clocks, a beat in every clock, for any number of lanes.
//!
//! # Reset
//! None.

use crate::primitives::wires::{from_bits, lane_of};
use hdl_macros::{Blank, Block};
use rust_hdl::prelude::*;

/// Clocks from a beat to its last bytes: those of 64 lanes.
pub const LATENCY: usize = 6;
/// Bytes of a sequence that can be unfinished.
pub const TAIL: usize = 3;
/// Their bits.
pub const TAIL_BITS: usize = 8 * TAIL;

/// The last three bytes of a beat, the last one uppermost; what is below a beat of fewer bytes means nothing. It halves the lanes
/// in each clock: the bytes end in the upper half if that has any.
#[derive(Block, Blank)]
pub struct TailBytes<const N: usize, const DATA: usize> {
    pub clock: Signal<In, Clock>,
    pub data: Signal<In, Bits<DATA>>,
    /// Low-aligned.
    pub keep: Signal<In, Bits<N>>,
    pub y: Signal<Out, Bits<TAIL_BITS>>,
    /// What came in the clocks before, the newest first.
    _past: [Bits<TAIL_BITS>; LATENCY],
}

impl<const N: usize, const DATA: usize> Logic for TailBytes<N, DATA> {
    fn update(&mut self) {
        const { assert!(DATA == 8 * N) }
        if self.clock.pos_edge() {
            let (data, keep) = (self.data.val(), self.keep.val());
            let end = (0..N).rev().find(|&lane| keep.get_bit(lane)).unwrap_or(0) + 1;
            let newest = from_bits(|bit| {
                let above = 8 * end + bit;
                above >= TAIL_BITS && data.get_bit(above - TAIL_BITS)
            });
            self._past.rotate_right(1);
            self._past[0] = newest;
        }
        self.y.next = self._past[LATENCY - 1];
    }

    fn connect(&mut self) {
        self.y.connect();
    }

    fn hdl(&self) -> Verilog {
        // A window has two bytes below its lanes.
        let mut text = format!("wire [{}:0] window_0 = {{data, 16'h0}};\n", DATA + 15);
        // Lane 0 of a level decides nothing.
        text += &format!("wire unused_keep = {};\n", lane_of::<N>("keep", 0));
        if N > 1 {
            text += &format!("wire [{top}:1] keep_0 = keep[{top}:1];\n", top = N - 1);
        }
        let mut lanes = N;
        for level in 0..LATENCY {
            let next = level + 1;
            let half = (lanes / 2).max(1);
            let bits = 8 * half + 16;
            text += &format!(
                "reg [{}:0] window_{next};\ninitial window_{next} = {bits}'h0;\n",
                bits - 1
            );
            let window = if lanes == 1 {
                format!("window_{level}")
            } else {
                let upper = format!("keep_{level}[{half}]");
                let (low, top) = (8 * half, 8 * lanes + 15);
                format!(
                    "{upper} ? window_{level}[{top}:{low}] : window_{level}[{}:0]",
                    bits - 1
                )
            };
            text += &format!("always @(posedge clock) window_{next} <= {window};\n");
            if lanes > 2 {
                let (lower, upper) = (
                    format!("[{}:1]", half - 1),
                    format!("[{}:{}]", lanes - 1, half + 1),
                );
                text += &format!(
                    "reg {lower} keep_{next};\ninitial keep_{next} = {bits}'h0;\n\
                     always @(posedge clock) keep_{next} <= keep_{level}[{half}] ? keep_{level}{upper} : keep_{level}{lower};\n",
                    bits = half - 1
                );
            }
            lanes = half;
        }
        text += &format!("assign y = window_{LATENCY};\n");
        Verilog::Custom(text)
    }
}
