//! A beat of bytes as one vector.

use crate::primitives::wires::from_bits;
use crate::verilog::{Body, bit, bits, concat, name};
use hdl_macros::{Blank, Block};
use rust_hdl::prelude::*;

/// Width of a beat of bytes as one vector: the bytes, `tkeep` and `tlast`.
pub const fn beat_bits(lanes: usize) -> usize {
    9 * lanes + 1
}

/// A beat of bytes as one vector. `BEAT` is [`beat_bits`].
#[derive(Block, Blank)]
pub struct PackBytes<const N: usize, const DATA: usize, const BEAT: usize> {
    pub data: Signal<In, Bits<DATA>>,
    pub keep: Signal<In, Bits<N>>,
    pub last: Signal<In, Bit>,
    pub beat: Signal<Out, Bits<BEAT>>,
}

impl<const N: usize, const DATA: usize, const BEAT: usize> Logic for PackBytes<N, DATA, BEAT> {
    fn update(&mut self) {
        const { assert!(DATA == 8 * N && BEAT == beat_bits(N)) }
        let (data, keep, last) = (self.data.val(), self.keep.val(), self.last.val());
        self.beat.next = from_bits(|bit| match bit {
            _ if bit < DATA => data.get_bit(bit),
            _ if bit < DATA + N => keep.get_bit(bit - DATA),
            _ => last,
        });
    }

    fn connect(&mut self) {
        self.beat.connect();
    }

    fn hdl(&self) -> Verilog {
        let parts = ["data", "keep", "last"].map(name);
        Body::new(Self::ABOUT).assign("beat", concat(parts)).done()
    }
}

/// The parts of such a vector.
#[derive(Block, Blank)]
pub struct UnpackBytes<const N: usize, const DATA: usize, const BEAT: usize> {
    pub beat: Signal<In, Bits<BEAT>>,
    pub data: Signal<Out, Bits<DATA>>,
    pub keep: Signal<Out, Bits<N>>,
    pub last: Signal<Out, Bit>,
}

impl<const N: usize, const DATA: usize, const BEAT: usize> Logic for UnpackBytes<N, DATA, BEAT> {
    fn update(&mut self) {
        const { assert!(DATA == 8 * N && BEAT == beat_bits(N)) }
        let beat = self.beat.val();
        self.data.next = beat.get_bits::<DATA>(0);
        self.keep.next = beat.get_bits::<N>(DATA);
        self.last.next = beat.get_bit(BEAT - 1);
    }

    fn connect(&mut self) {
        self.data.connect();
        self.keep.connect();
        self.last.connect();
    }

    fn hdl(&self) -> Verilog {
        Body::new(Self::ABOUT)
            .assign("data", bits("beat", 0, DATA))
            .assign("keep", bits("beat", DATA, N))
            .assign("last", bit("beat", BEAT - 1))
            .done()
    }
}
