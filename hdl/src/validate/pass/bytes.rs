//! A beat of bytes as one vector.

use crate::primitives::fanout::copies;
use crate::verilog::{Body, Run, Statement, bit, bits, concat, name, repeat, set_bits, zero};
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

/// Bits of a beat that one register brings to leave: of eight lanes.
const REGION: usize = 72;

/// A beat, if it is due, two clocks after `soon`, and zero otherwise.
///
/// # Reset
/// None, for the way to all bits would be long: what is on its way shows for two clocks after it.
#[derive(Block, Blank, Described)]
pub struct LeavingBytes<const BEAT: usize> {
    pub clock: Signal<In, Clock>,
    pub soon: Signal<In, Bit>,
    /// Never set: it keeps the copies of a register apart.
    pub apart: Signal<In, Bit>,
    /// The beat, a clock after `soon`.
    pub x: Signal<In, Bits<BEAT>>,
    pub beat: Signal<Out, Bits<BEAT>>,
    _run: Run,
}

impl<const BEAT: usize> LeavingBytes<BEAT> {
    fn body(&self, body: Body) -> Body {
        let regions = BEAT.div_ceil(REGION);
        let doc =
            "A beat is due, for each 72 of its bits; the copies stay apart by what is never set.";
        let mut body = copies(body, "due", regions, doc, repeat(regions, name("soon"))).register(
            "shown",
            BEAT,
            "The beat that leaves.",
        );
        for region in 0..regions {
            let low = REGION * region;
            let count = REGION.min(BEAT - low);
            body = body.at_clock(Statement::If {
                test: bit("due", region),
                then: vec![set_bits("shown", low, count, bits("x", low, count))],
                otherwise: vec![set_bits("shown", low, count, zero(count))],
            });
        }
        body.assign("beat", name("shown"))
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
