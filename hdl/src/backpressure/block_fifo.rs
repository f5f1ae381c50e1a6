//! A FIFO in block memory, for a stream whose beats are wide.
//!
//! # Latency
//! [`LATENCY`] clocks, a beat in every clock.
//!
//! # Reset
//! All but the words, and what is read of them.

use super::store::{READ_LATENCY, Store};
use crate::primitives::blank;
use crate::primitives::digits::Digits;
use crate::verilog::{Body, Run, Sideband, bit, bits, concat, name, one, repeat, width, zero};
use hdl_macros::{Blank, Block, Described};
use rust_hdl::prelude::*;

/// Clocks that the FIFO adds.
pub const LATENCY: usize = 2 + READ_LATENCY;

/// Words of a block memory whose words have 36 bits.
const WORDS: usize = 512;

/// A FIFO in block memory, of the verdicts, and the count of its free words. It does not refuse a beat. What enters the core and will be a
/// beat here spends a word; it comes back when the beat is read.
#[derive(Blank, Block, Described)]
pub struct BlockFifo<const W: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    /// What enters the core will be a beat here.
    pub spent: Signal<In, Bit>,
    /// A beat enters the FIFO.
    pub push: Signal<In, Bit>,
    pub beat: Signal<In, Bits<W>>,
    pub side: Signal<In, Sideband>,
    /// The sink takes the beat on the outputs.
    pub ready: Signal<In, Bit>,
    pub valid: Signal<Out, Bit>,
    pub out_beat: Signal<Out, Bits<W>>,
    pub out_side: Signal<Out, Sideband>,
    /// There are enough free words for what enters before `tready` can fall.
    pub room: Signal<Out, Bit>,
    _unread: usize,
    _run: Run,
}

impl<const W: usize> BlockFifo<W> {
    /// Nobody reads the lowest side signal if it `is_mark`. Then it is not kept: of a register after a memory of which only some bits are
    /// read, Yosys 0.70 does not see that it may hold anything if its word was written in the same clock (`memory_dff`).
    pub fn new(is_mark: bool) -> Self {
        Self {
            _unread: usize::from(is_mark),
            ..blank()
        }
    }

    fn body(&self, body: Body) -> Body {
        let side_bits = width::<Sideband>() - self._unread;
        let store = Store {
            words: WORDS,
            bits: W + side_bits,
        };
        let side = match side_bits {
            0 => Vec::new(),
            _ => vec![bits("side", self._unread, side_bits)],
        };
        let beat = concat([vec![name("beat")], side].concat());
        let mut out_side = vec![zero(1); self._unread];
        if side_bits > 0 {
            out_side.push(bits("shown", W, side_bits));
        }
        let doc = "A beat is written.";
        let body = body.with_reset("writes", 1, doc, name("push"), zero(1));
        let doc = "None is: what the reader gets, less one.";
        let body = body.settled("none", 1, doc, !name("push"), one());
        let address = Digits {
            name: "write_address",
            bits: store.address_bits(),
            first: 0,
            fills: false,
            reset: "reset",
        };
        let body = address
            .count(body, "Where it is written.", name("writes"), None)
            .later("write_beat", store.bits, "What is written.", beat);
        let regions = match store.regions() {
            1 => 0,
            regions => regions,
        };
        let body = (0..regions).fold(body, |body, region| {
            let [writes, address] = ["writes", "write_address"].map(|it| store.of(it, region));
            body.wire(writes, 1, name("writes")).wire(
                address,
                store.address_bits(),
                name("write_address"),
            )
        });
        let body = store.reads(body, repeat(store.count_bits(), name("none")));
        let body = store.room(body, None);
        body.assign("valid", name("shows"))
            .assign("out_beat", bits("shown", 0, W))
            .assign("out_side", concat(out_side))
            .assign("room", bit("free", store.count_bits() - 1))
    }
}
