//! A beat of bytes as one vector.

use crate::verilog::{Body, Run, bit, bits, concat, name};
use hdl_macros::{Blank, Block, Described};
use rust_hdl::prelude::*;

/// Width of a beat of bytes as one vector: the bytes, `tkeep` and `tlast`.
pub const fn beat_bits(lanes: usize) -> usize {
    9 * lanes + 1
}

/// A beat of bytes as one vector. `BEAT` is [`beat_bits`].
#[derive(Block, Blank, Described)]
pub struct PackBytes<const N: usize, const DATA: usize, const BEAT: usize> {
    pub data: Signal<In, Bits<DATA>>,
    pub keep: Signal<In, Bits<N>>,
    pub last: Signal<In, Bit>,
    pub beat: Signal<Out, Bits<BEAT>>,
    _run: Run,
}

impl<const N: usize, const DATA: usize, const BEAT: usize> PackBytes<N, DATA, BEAT> {
    fn body(&self, body: Body) -> Body {
        const { assert!(DATA == 8 * N && BEAT == beat_bits(N)) }
        let parts = ["data", "keep", "last"].map(name);
        body.assign("beat", concat(parts))
    }
}

/// The parts of such a vector.
#[derive(Block, Blank, Described)]
pub struct UnpackBytes<const N: usize, const DATA: usize, const BEAT: usize> {
    pub beat: Signal<In, Bits<BEAT>>,
    pub data: Signal<Out, Bits<DATA>>,
    pub keep: Signal<Out, Bits<N>>,
    pub last: Signal<Out, Bit>,
    _run: Run,
}

impl<const N: usize, const DATA: usize, const BEAT: usize> UnpackBytes<N, DATA, BEAT> {
    fn body(&self, body: Body) -> Body {
        const { assert!(DATA == 8 * N && BEAT == beat_bits(N)) }
        body.assign("data", bits("beat", 0, DATA))
            .assign("keep", bits("beat", DATA, N))
            .assign("last", bit("beat", BEAT - 1))
    }
}
