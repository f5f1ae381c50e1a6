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
use super::map::{ADDRESS_BITS, COUNTERS};
use super::words;
use crate::ports::{Direction, Port, input, output};
use crate::primitives::delay::LateValid;
use crate::primitives::wires::from_bits;
use crate::primitives::{DFF, blank};
use crate::verilog::{self, Body, concat, name, zero};
use hdl_macros::{Blank, Block, logic};
use rust_hdl::prelude::*;

/// The pins.
pub const PORTS: [Port; 19] = [
    input(
        "s_axil_awaddr",
        ADDRESS_BITS,
        "address of a write, in bytes",
    ),
    input("s_axil_awprot", 3, "ignored"),
    input("s_axil_awvalid", 1, "awaddr is valid"),
    output(
        "s_axil_awready",
        1,
        "awaddr is accepted; driven by a register",
    ),
    input("s_axil_wdata", 32, "write data"),
    input("s_axil_wstrb", 4, "byte strobes of wdata"),
    input("s_axil_wvalid", 1, "wdata and wstrb are valid"),
    output(
        "s_axil_wready",
        1,
        "wdata is accepted; driven by a register",
    ),
    output("s_axil_bresp", 2, "0: OKAY; 2: SLVERR, write ignored"),
    output("s_axil_bvalid", 1, "bresp is valid"),
    input("s_axil_bready", 1, "bresp is accepted"),
    input("s_axil_araddr", ADDRESS_BITS, "address of a read, in bytes"),
    input("s_axil_arprot", 3, "ignored"),
    input("s_axil_arvalid", 1, "araddr is valid"),
    output(
        "s_axil_arready",
        1,
        "araddr is accepted; driven by a register",
    ),
    output("s_axil_rdata", 32, "read data"),
    output("s_axil_rresp", 2, "0: OKAY; 2: SLVERR, rdata is 0"),
    output("s_axil_rvalid", 1, "rdata and rresp are valid"),
    input("s_axil_rready", 1, "rdata is accepted"),
];

/// Pins of one direction, each with its lowest bit in the vector that the description has of them.
pub fn places(direction: Direction) -> impl Iterator<Item = (&'static str, usize, usize)> {
    let mut next = 0;
    let pins = PORTS.iter().filter(move |port| port.direction == direction);
    pins.map(move |port| {
        let low = next;
        next += port.width;
        (port.name, low, port.width)
    })
}

/// Bits of all pins of a direction.
const fn bits(output: bool) -> usize {
    let (mut bits, mut index) = (0, 0);
    while index < PORTS.len() {
        if matches!(PORTS[index].direction, Direction::Output) == output {
            bits += PORTS[index].width;
        }
        index += 1;
    }
    bits
}
pub const IN_BITS: usize = bits(false);
pub const OUT_BITS: usize = bits(true);

/// Clocks from the one in which a transaction begins to that in which it is answered: until a snapshot is whole.
const CLOCKS: usize = BEGIN + REST;
/// To that in which its address has been looked at; and on.
const BEGIN: usize = 2;
const REST: usize = 16;

/// The inputs, one by one.
#[derive(Block, Blank)]
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
}

impl Logic for Unpack {
    fn update(&mut self) {
        let x = self.x.val();
        let low = |name: &str| {
            let mut all = places(Direction::Input);
            let place = all.find(|(pin, ..)| pin.strip_prefix("s_axil_") == Some(name));
            place.expect("a pin").1
        };
        self.awaddr.next = x.get_bits(low("awaddr"));
        self.awvalid.next = x.get_bit(low("awvalid"));
        self.wdata.next = x.get_bits(low("wdata"));
        self.wstrb.next = x.get_bits(low("wstrb"));
        self.wvalid.next = x.get_bit(low("wvalid"));
        self.bready.next = x.get_bit(low("bready"));
        self.araddr.next = x.get_bits(low("araddr"));
        self.arvalid.next = x.get_bit(low("arvalid"));
        self.rready.next = x.get_bit(low("rready"));
    }

    fn connect(&mut self) {
        self.awaddr.connect();
        self.awvalid.connect();
        self.wdata.connect();
        self.wstrb.connect();
        self.wvalid.connect();
        self.bready.connect();
        self.araddr.connect();
        self.arvalid.connect();
        self.rready.connect();
    }

    fn hdl(&self) -> Verilog {
        let mut body = Body::new(Self::ABOUT);
        for (pin, low, width) in places(Direction::Input) {
            let name = pin.trim_start_matches("s_axil_");
            if !name.ends_with("prot") {
                body = body.assign(name, verilog::bits("x", low, width));
            }
        }
        body.done()
    }
}

/// The outputs as one.
#[derive(Block, Blank)]
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
}

impl Logic for Pack {
    fn update(&mut self) {
        let values = [
            ("awready", u32::from(self.awready.val())),
            ("wready", u32::from(self.wready.val())),
            ("bvalid", u32::from(self.bvalid.val())),
            ("bresp", u32::from(self.bresp.val()) << 1),
            ("arready", u32::from(self.arready.val())),
            ("rdata", self.rdata.val().to_u64() as u32),
            ("rresp", u32::from(self.rresp.val()) << 1),
            ("rvalid", u32::from(self.rvalid.val())),
        ];
        let mut y = [false; OUT_BITS];
        for (pin, low, width) in places(Direction::Output) {
            let mut all = values.iter();
            let value = all.find(|(name, _)| pin.ends_with(name)).expect("a pin").1;
            for bit in 0..width {
                y[low + bit] = value >> bit & 1 == 1;
            }
        }
        self.y.next = from_bits(|bit| y[bit]);
    }

    fn connect(&mut self) {
        self.y.connect();
    }

    fn hdl(&self) -> Verilog {
        // Of a response only the upper bit can be set.
        let parts = places(Direction::Output).flat_map(|(pin, ..)| {
            let pin = pin.trim_start_matches("s_axil_");
            let below = if pin.ends_with("resp") { 1 } else { 0 };
            [zero(below), name(pin)]
        });
        Body::new(Self::ABOUT).assign("y", concat(parts)).done()
    }
}

/// The handshakes of the AXI4-Lite slave, one transaction at a time.
#[derive(Block)]
pub struct Bus {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub pins_in: Signal<In, Bits<IN_BITS>>,
    pub pins_out: Signal<Out, Bits<OUT_BITS>>,
    /// From the clock after the transaction has begun until it is answered: its address, and whether it is a write.
    pub address: Signal<Out, Bits<ADDRESS_BITS>>,
    pub writes: Signal<Out, Bit>,
    /// The clock in which a write is carried out, one after its address is there.
    pub acts: Signal<Out, Bit>,
    pub data: Signal<Out, Bits<32>>,
    pub strobes: Signal<Out, Bits<4>>,
    /// At the latest [`REST`] clocks after `acts`: it is refused; what is read, zero if that is.
    pub refused: Signal<In, Bit>,
    pub word: Signal<In, Bits<32>>,

    from_pins: Unpack,
    to_pins: Pack,
    /// What has been taken, each with a register that says that it can be.
    aw_full: DFF<Bit>,
    aw_ready: DFF<Bit>,
    aw_address: DFF<Bits<ADDRESS_BITS>>,
    w_full: DFF<Bit>,
    w_ready: DFF<Bit>,
    /// What is written.
    w_data: DFF<Bits<32>>,
    w_strobes: DFF<Bits<4>>,
    ar_full: DFF<Bit>,
    ar_ready: DFF<Bit>,
    ar_address: DFF<Bits<ADDRESS_BITS>>,
    takes_aw: Signal<Local, Bit>,
    takes_w: Signal<Local, Bit>,
    takes_ar: Signal<Local, Bit>,
    written: Signal<Local, Bit>,
    is_read: Signal<Local, Bit>,

    /// The transaction under way.
    busy: DFF<Bit>,
    is_write: DFF<Bit>,
    at: DFF<Bits<ADDRESS_BITS>>,
    starts_write: Signal<Local, Bit>,
    starts_read: Signal<Local, Bit>,
    opening: LateValid<BEGIN>,
    rest: LateValid<REST>,
    ends: Signal<Local, Bit>,

    /// The answers.
    b_valid: DFF<Bit>,
    b_refused: DFF<Bit>,
    r_valid: DFF<Bit>,
    r_refused: DFF<Bit>,
    r_data: DFF<Bits<32>>,
}

impl Default for Bus {
    fn default() -> Self {
        const { assert!(CLOCKS > BEGIN + SEGMENTS + COUNTERS && CLOCKS > words::LATENCY) }
        Self {
            opening: LateValid::new(BEGIN),
            rest: LateValid::new(REST),
            clock: blank(),
            reset: blank(),
            pins_in: blank(),
            pins_out: blank(),
            address: blank(),
            writes: blank(),
            acts: blank(),
            data: blank(),
            strobes: blank(),
            refused: blank(),
            word: blank(),
            from_pins: blank(),
            to_pins: blank(),
            aw_full: blank(),
            aw_ready: blank(),
            aw_address: blank(),
            w_full: blank(),
            w_ready: blank(),
            w_data: blank(),
            w_strobes: blank(),
            ar_full: blank(),
            ar_ready: blank(),
            ar_address: blank(),
            takes_aw: blank(),
            takes_w: blank(),
            takes_ar: blank(),
            written: blank(),
            is_read: blank(),
            busy: blank(),
            is_write: blank(),
            at: blank(),
            starts_write: blank(),
            starts_read: blank(),
            ends: blank(),
            b_valid: blank(),
            b_refused: blank(),
            r_valid: blank(),
            r_refused: blank(),
            r_data: blank(),
        }
    }
}

impl Logic for Bus {
    #[logic]
    fn update(&mut self) {
        dff_setup!(
            self, clock, aw_full, aw_ready, aw_address, w_full, w_ready, w_data, w_strobes,
            ar_full, ar_ready, ar_address, busy, is_write, at, b_valid, b_refused, r_valid,
            r_refused, r_data
        );
        self.from_pins.x.next = self.pins_in.val();
        self.takes_aw.next = self.from_pins.awvalid.val() & self.aw_ready.q.val();
        self.takes_w.next = self.from_pins.wvalid.val() & self.w_ready.q.val();
        self.takes_ar.next = self.from_pins.arvalid.val() & self.ar_ready.q.val();
        self.written.next = self.b_valid.q.val() & self.from_pins.bready.val();
        self.is_read.next = self.r_valid.q.val() & self.from_pins.rready.val();

        self.aw_full.d.next = (self.aw_full.q.val() | self.takes_aw.val()) & !self.written.val();
        self.aw_ready.d.next = self.written.val() | !(self.aw_full.q.val() | self.takes_aw.val());
        if self.takes_aw.val() {
            self.aw_address.d.next = self.from_pins.awaddr.val();
        }
        self.w_full.d.next = (self.w_full.q.val() | self.takes_w.val()) & !self.written.val();
        self.w_ready.d.next = self.written.val() | !(self.w_full.q.val() | self.takes_w.val());
        if self.takes_w.val() {
            self.w_data.d.next = self.from_pins.wdata.val();
            self.w_strobes.d.next = self.from_pins.wstrb.val();
        }
        self.ar_full.d.next = (self.ar_full.q.val() | self.takes_ar.val()) & !self.is_read.val();
        self.ar_ready.d.next = self.is_read.val() | !(self.ar_full.q.val() | self.takes_ar.val());
        if self.takes_ar.val() {
            self.ar_address.d.next = self.from_pins.araddr.val();
        }

        self.starts_write.next =
            self.aw_full.q.val() & self.w_full.q.val() & !self.b_valid.q.val() & !self.busy.q.val();
        self.starts_read.next = self.ar_full.q.val()
            & !self.r_valid.q.val()
            & !self.busy.q.val()
            & !self.starts_write.val();
        self.opening.clock.next = self.clock.val();
        self.opening.reset.next = self.reset.val();
        self.opening.x.next = self.starts_write.val() | self.starts_read.val();
        self.rest.clock.next = self.clock.val();
        self.rest.reset.next = self.reset.val();
        self.rest.x.next = self.opening.y.val();
        self.ends.next = self.rest.y.val();
        self.busy.d.next = (self.busy.q.val() | self.starts_write.val() | self.starts_read.val())
            & !self.ends.val();
        if !self.busy.q.val() {
            self.is_write.d.next = self.starts_write.val();
            if self.starts_write.val() {
                self.at.d.next = self.aw_address.q.val();
            } else {
                self.at.d.next = self.ar_address.q.val();
            }
        }

        self.b_valid.d.next = (self.b_valid.q.val() & !self.from_pins.bready.val())
            | (self.ends.val() & self.is_write.q.val());
        self.r_valid.d.next = (self.r_valid.q.val() & !self.from_pins.rready.val())
            | (self.ends.val() & !self.is_write.q.val());
        if self.ends.val() & self.is_write.q.val() {
            self.b_refused.d.next = self.refused.val();
        }
        if self.ends.val() & !self.is_write.q.val() {
            self.r_refused.d.next = self.refused.val();
            self.r_data.d.next = self.word.val();
        }
        if self.reset.val() {
            self.aw_full.d.next = false;
            self.aw_ready.d.next = false;
            self.w_full.d.next = false;
            self.w_ready.d.next = false;
            self.ar_full.d.next = false;
            self.ar_ready.d.next = false;
            self.busy.d.next = false;
            self.b_valid.d.next = false;
            self.b_refused.d.next = false;
            self.r_valid.d.next = false;
            self.r_refused.d.next = false;
            self.r_data.d.next = 0.into();
        }

        self.address.next = self.at.q.val();
        self.writes.next = self.is_write.q.val();
        self.acts.next = self.opening.y.val() & self.is_write.q.val();
        self.data.next = self.w_data.q.val();
        self.strobes.next = self.w_strobes.q.val();
        self.to_pins.awready.next = self.aw_ready.q.val();
        self.to_pins.wready.next = self.w_ready.q.val();
        self.to_pins.bvalid.next = self.b_valid.q.val();
        self.to_pins.bresp.next = self.b_refused.q.val();
        self.to_pins.arready.next = self.ar_ready.q.val();
        self.to_pins.rdata.next = self.r_data.q.val();
        self.to_pins.rresp.next = self.r_refused.q.val();
        self.to_pins.rvalid.next = self.r_valid.q.val();
        self.pins_out.next = self.to_pins.y.val();
    }
}
