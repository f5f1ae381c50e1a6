//! The end of a beat: the last three bytes of it, which the flow's next beat has to know.
//!
//! # Latency
//! [`LATENCY`] clocks, a beat in every clock, for any number of lanes.
//!
//! # Reset
//! None.

use crate::verilog::{Body, Run, bit, bits, choose, concat, name, zero};
use hdl_macros::{Blank, Block, Described, once};
use rust_hdl::prelude::*;

/// Clocks from a beat to its last bytes: those of 64 lanes.
pub const LATENCY: usize = 6;
/// Bytes of a sequence that can be unfinished.
pub const TAIL: usize = 3;
/// Their bits.
pub const TAIL_BITS: usize = 8 * TAIL;

/// The last three bytes of a beat, the last one uppermost; what is below a beat of fewer bytes means nothing. It halves the lanes
/// in each clock: the bytes end in the upper half if that has any.
#[derive(Block, Blank, Described)]
pub struct TailBytes<const N: usize, const DATA: usize> {
    pub clock: Signal<In, Clock>,
    pub data: Signal<In, Bits<DATA>>,
    /// Low-aligned.
    pub keep: Signal<In, Bits<N>>,
    pub y: Signal<Out, Bits<TAIL_BITS>>,
    _run: Run,
}

impl<const N: usize, const DATA: usize> TailBytes<N, DATA> {
    #[once(N, DATA)]
    fn body(&self, mut body: Body) -> Body {
        const { assert!(DATA == 8 * N) }
        // A window has two bytes below its lanes. Lane 0 of a level decides nothing, so `keep` is without it.
        let window = |level: usize| format!("window_{level}");
        let keep = |level: usize| format!("keep_{level}");
        let bottom = concat([zero(16), name("data")]);
        body = body.wire(window(0), DATA + 16, bottom);
        if N > 1 {
            body = body.wire(keep(0), N - 1, bits("keep", 1, N - 1));
        }
        let mut lanes = N;
        for level in 0..LATENCY {
            let next = level + 1;
            let half = (lanes / 2).max(1);
            let in_upper = || bit(keep(level), half - 1);
            let width = 8 * half + 16;
            let value = if lanes == 1 {
                name(window(level))
            } else {
                let [lower, upper] = [0, 8 * half].map(|low| bits(window(level), low, width));
                choose(in_upper(), upper, lower)
            };
            let doc = "The lanes that are left, and the two bytes below them.";
            body = body.later(window(next), width, doc, value);
            if lanes > 2 {
                let [lower, upper] = [0, half].map(|low| bits(keep(level), low, half - 1));
                let doc = "Which of these lanes have a byte, but for the lowest.";
                let value = choose(in_upper(), upper, lower);
                body = body.later(keep(next), half - 1, doc, value);
            }
            lanes = half;
        }
        body.assign("y", name(window(LATENCY)))
    }
}
