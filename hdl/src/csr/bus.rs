//! The AXI4-Lite slave: one transaction after the other.
//!
//! A write's address and data, and a read's address, are taken as they come, in any order. Then the write is carried out if both of its
//! parts are here, else the read; and it is answered when whatever it does is done ([`CLOCKS`] clocks later). So no read falls into
//! the clocks in which a snapshot is copied. An answer waits for its `ready` as long as it takes, and holds up nothing but the next
//! transaction of its own channel. Every output is a register; `awprot` and `arprot` are not looked at.
//!
//! # Reset
//! Everything: a transaction that is under way then is dropped, and is never answered.

use super::counter::SEGMENTS;
use super::map::COUNTERS;
use super::words;
use crate::config::bus::{IN_BITS, OUT_BITS, places};
use crate::config::ports::Direction;
use crate::layout::ADDRESS_BITS;
use crate::primitives::delay::ValidDelayLine;
use crate::verilog::{self, Body, Run, concat, name, zero};
use hdl_macros::{Blank, Block, Described, stages};
use rust_hdl::prelude::*;

/// Clocks from the one in which a transaction begins to that in which it is answered: until a snapshot is whole.
const CLOCKS: usize = BEGIN + REST;
/// To that in which its address has been looked at; and on.
const BEGIN: usize = 2;
const REST: usize = 16;

/// The inputs, one by one.
#[derive(Block, Blank, Described)]
pub struct Unpack {
    pub x: Signal<In, Bits<IN_BITS>>,
    pub awaddr: Signal<Out, Bits<ADDRESS_BITS>>,
    pub awvalid: Signal<Out, Bit>,
    pub wdata: Signal<Out, Bits<32>>,
    pub wstrb: Signal<Out, Bits<4>>,
    pub wvalid: Signal<Out, Bit>,
    pub bready: Signal<Out, Bit>,
    pub araddr: Signal<Out, Bits<ADDRESS_BITS>>,
    pub arvalid: Signal<Out, Bit>,
    pub rready: Signal<Out, Bit>,
    _run: Run,
}

impl Unpack {
    fn body(&self, mut body: Body) -> Body {
        for (pin, low, width) in places(Direction::Input) {
            let name = pin.trim_start_matches("s_axil_");
            if !name.ends_with("prot") {
                body = body.assign(name, verilog::bits("x", low, width));
            }
        }
        body
    }
}

/// The outputs as one.
#[derive(Block, Blank, Described)]
pub struct Pack {
    pub awready: Signal<In, Bit>,
    pub wready: Signal<In, Bit>,
    pub bvalid: Signal<In, Bit>,
    /// The write, or the read, is refused.
    pub bresp: Signal<In, Bit>,
    pub arready: Signal<In, Bit>,
    pub rdata: Signal<In, Bits<32>>,
    pub rresp: Signal<In, Bit>,
    pub rvalid: Signal<In, Bit>,
    pub y: Signal<Out, Bits<OUT_BITS>>,
    _run: Run,
}

impl Pack {
    fn body(&self, body: Body) -> Body {
        // Of a response only the upper bit can be set.
        let parts = places(Direction::Output).flat_map(|(pin, ..)| {
            let pin = pin.trim_start_matches("s_axil_");
            let below = if pin.ends_with("resp") { 1 } else { 0 };
            [zero(below), name(pin)]
        });
        body.assign("y", concat(parts))
    }
}

stages! {
    /// The handshakes of the AXI4-Lite slave, one transaction at a time.
    pub block Bus {
        in reset: Bit;
        in pins_in: Bits<IN_BITS>;
        /// The transaction is refused; what is read, zero if it is. They are there at the latest [`REST`] clocks after `acts`.
        in refused: Bit;
        in word: Bits<32>;

        always "what has been taken, each with a register that says that it can be" {
            wires from_pins: Unpack = { x: pins_in };
            let takes_aw: Bit = from_pins.awvalid & aw_ready;
            let takes_w: Bit = from_pins.wvalid & w_ready;
            let takes_ar: Bit = from_pins.arvalid & ar_ready;
            let written: Bit = b_valid & from_pins.bready;
            let is_read: Bit = r_valid & from_pins.rready;
            /// A write's address.
            mark aw_full: Bit = (aw_full | takes_aw) & !written;
            mark aw_ready: Bit = written | !(aw_full | takes_aw);
            state aw_address: Bits<ADDRESS_BITS> = if takes_aw { from_pins.awaddr };
            /// A write's data.
            mark w_full: Bit = (w_full | takes_w) & !written;
            mark w_ready: Bit = written | !(w_full | takes_w);
            state w_data: Bits<32> = if takes_w { from_pins.wdata };
            state w_strobes: Bits<4> = if takes_w { from_pins.wstrb };
            /// A read's address.
            mark ar_full: Bit = (ar_full | takes_ar) & !is_read;
            mark ar_ready: Bit = is_read | !(ar_full | takes_ar);
            state ar_address: Bits<ADDRESS_BITS> = if takes_ar { from_pins.araddr };
        }

        always "the transaction under way" {
            let starts_write: Bit = aw_full & w_full & !b_valid & !busy;
            let starts_read: Bit = ar_full & !r_valid & !busy & !starts_write;
            part opening: ValidDelayLine(BEGIN) = { reset, x: starts_write | starts_read };
            part rest: ValidDelayLine(REST) = { reset, x: opening };
            let ends: Bit = rest;
            /// There is one; it is a write; its address.
            mark busy: Bit = (busy | starts_write | starts_read) & !ends;
            state is_write: Bit = if !busy { starts_write };
            state at: Bits<ADDRESS_BITS> = if !busy {
                if starts_write { aw_address } else { ar_address }
            };
        }

        always "the answers" {
            /// Of a write, and of a read: there is one, and it is a refusal.
            mark b_valid: Bit = (b_valid & !from_pins.bready) | (ends & is_write);
            state b_refused: Bit = if reset { false } else if ends & is_write { refused };
            mark r_valid: Bit = (r_valid & !from_pins.rready) | (ends & !is_write);
            state r_refused: Bit = if reset { false } else if ends & !is_write { refused };
            state r_data: Bits<32> = if reset { 0 } else if ends & !is_write { word };
            wires to_pins: Pack = {
                awready: aw_ready,
                wready: w_ready,
                bvalid: b_valid,
                bresp: b_refused,
                arready: ar_ready,
                rdata: r_data,
                rresp: r_refused,
                rvalid: r_valid,
            };
        }

        out pins_out: Bits<OUT_BITS> = to_pins;
        /// From the clock after the transaction has begun until it is answered: its address, and whether it is a write.
        out address: Bits<ADDRESS_BITS> = at;
        out writes: Bit = is_write;
        /// The clock in which a write is carried out, one after its address is there.
        out acts: Bit = opening & is_write;
        out data: Bits<32> = w_data;
        out strobes: Bits<4> = w_strobes;
    }
}

const _: () = assert!(CLOCKS > BEGIN + SEGMENTS + COUNTERS && CLOCKS > words::LATENCY);
