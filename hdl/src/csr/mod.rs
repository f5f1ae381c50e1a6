//! Registers: an AXI4-Lite slave beside a validator (`--csr`), with its configuration, control, and counters of 64 bits.
//!
//! Read [`map`] first: all registers as data. [`bus`] is the slave, [`words`] what is at its addresses; [`tally`] is what each beat of packets
//! brings to the counters ([`crate::flows::tally`] that of flows), with [`kinds`] of it; [`counter`] is one of these; [`gate`] says what is looked at,
//! and [`stage`] gives the core its stream a clock later.
//!
//! # Accesses
//! Each is answered. A write to a register that is only read, and any access to an address at which no register is, or within one, is
//! refused: SLVERR, nothing changes, and what is read is zero. Of a write only the bytes that are strobed are meant; without any it
//! does nothing.
//!
//! # Counters
//! A packet is in all counters or in none, from [`latency`] clocks after its last beat on. What is read is what was copied last by
//! `command.snapshot`: all counters as they were in one and the same clock. They begin again at zero after 2^64 - 1.
//!
//! Of flows each beat is in all of them or in none, from [`of_flows`] clocks after it on; a message is a packet, counted with its last beat.
//!
//! # Status
//! A beat that breaks the contract ([`crate::contract`]; of flows one that is refused) sets `status.beat_error`, whether it is looked at or not.
//! A clear in the same clock goes before it.
//!
//! # Enable
//! A packet that begins (with its first beat that is taken) while `control.enable` is clear is not looked at: it has no verdict, is
//! not marked and not counted, and passes as it is. A packet under way stays what it was when it began. Of flows, the core is in reset while
//! it is clear.
//!
//! # Reset
//! `rst` clears all registers to the map's values, and drops the bus's transactions. `command.soft_reset` does with the core, for one clock, what `rst`
//! does: it drops the packets in it that are not counted yet, and the next beat begins a packet. Either reaches the core a clock later, but
//! a soft reset reaches a core with flows two clocks later.
//!
//! # Verified by
//! `tests/cocotb.rs` (cocotbext-axi's master, against CPython's decoder), `tests/lockstep.rs` (random accesses, against the model), `tests/registers.rs`
//! (what is emitted from the map), `tests/contract.rs` (the status), `tests/prove.rs` (the bus's rules), and the tests of these modules.

pub mod bus;
pub mod counter;
pub mod gate;
pub mod kinds;
pub mod map;
pub mod stage;
pub mod tally;
pub mod words;

use self::bus::Bus;
use self::counter::{Counter, SEGMENTS, Token};
use self::gate::Gate;
use self::kinds::NUMBER;
use self::map::{COUNTERS, find};
use self::tally::NUMBERS;
use self::words::{Decode, Words};
use crate::config::Config;
use crate::primitives::delay::Late;
use crate::primitives::wires::{Lane, Unstack};
use crate::primitives::{DFF, blank, blanks, several};
use crate::{flows, pieces};
use hdl_macros::{Block, logic};
use rust_hdl::prelude::*;

/// Bits of a segment of a counter.
const SEGMENT: usize = 64 / SEGMENTS;

/// Clocks from what a beat brings until all counters have it.
const TO_COUNTERS: usize = counter::LATENCY + COUNTERS - 1;

/// Clocks from a packet's last beat, as it comes to the core, until it is in all counters.
pub const fn latency(lanes: usize) -> usize {
    pieces::LATENCY + tally::latency(lanes) + TO_COUNTERS
}

/// Clocks from a beat of a flow until it is in all counters.
pub const fn of_flows(lanes: usize) -> usize {
    flows::latency(lanes) + TO_COUNTERS
}

/// A bit of a register that is written, and that it is meant.
#[derive(Block)]
pub struct Written {
    pub data: Signal<In, Bits<32>>,
    pub strobes: Signal<In, Bits<4>>,
    pub value: Signal<Out, Bit>,
    pub meant: Signal<Out, Bit>,
    pick: Lane<32>,
    strobe: Lane<4>,
}

impl Written {
    fn new(register: &str, field: &str) -> Self {
        let low = find(register, field).low;
        Self {
            pick: Lane::new(low),
            strobe: Lane::new(low / 8),
            data: blank(),
            strobes: blank(),
            value: blank(),
            meant: blank(),
        }
    }
}

impl Logic for Written {
    #[logic]
    fn update(&mut self) {
        self.pick.x.next = self.data.val();
        self.strobe.x.next = self.strobes.val();
        self.value.next = self.pick.y.val();
        self.meant.next = self.strobe.y.val();
    }
}

/// The registers: the bus, what a write does, and the counters. `PACKETS` is 1 if the stream is of whole packets, and 0 if it is of flows: then the core is in reset while
/// `control.enable` is clear.
#[derive(Block)]
pub struct Csr<const PACKETS: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    /// The pins of the bus, each direction as one vector.
    pub pins_in: Signal<In, Bits<{ bus::IN_BITS }>>,
    pub pins_out: Signal<Out, Bits<{ bus::OUT_BITS }>>,
    /// A beat of a stream of packets comes to the core, and is its packet's last.
    pub taken: Signal<In, Bit>,
    pub last: Signal<In, Bit>,
    /// As [`tally::Tally`] has them.
    pub restarts: Signal<In, Bit>,
    pub ends: Signal<In, Bit>,
    pub numbers: Signal<In, Bits<NUMBERS>>,
    pub ones: Signal<In, Bits<COUNTERS>>,
    /// A beat broke the contract.
    pub beat_error: Signal<In, Bit>,
    /// The core's reset, from a register; and of packets, that it will be so in the next clock.
    pub core_reset: Signal<Out, Bit>,
    pub will_reset: Signal<Out, Bit>,
    /// The core looks at a beat that is taken in this clock.
    pub looks: Signal<Out, Bit>,

    bus: Bus,
    decode: Decode,
    words: Words,
    /// The transaction is refused; it is at `control`, or at `command`.
    refused: DFF<Bit>,
    at_control: DFF<Bit>,
    at_command: DFF<Bit>,
    enable_written: Written,
    snapshot_written: Written,
    clear_written: Written,
    soft_reset_written: Written,
    /// `control.enable`: beats are looked at.
    enable: DFF<Bit>,
    /// What a write of `command` does, for one clock.
    snapshot: DFF<Bit>,
    clear: DFF<Bit>,
    soft_reset: DFF<Bit>,
    /// `status.beat_error`.
    beat_error_seen: DFF<Bit>,
    drops: Signal<Local, Bit>,
    /// The core is reset.
    dropping: DFF<Bit>,
    /// Of flows: it has far to go, and lies where the core does.
    dropping_far: DFF<Bit>,
    drops_core: Signal<Local, Bit>,
    of_packets: Constant<Bit>,

    gate: Vec<Gate>,

    /// Of each counter, a clock later than of the one before it; and what it counts.
    restart_token: Vec<Token>,
    ends_token: Vec<Token>,
    snapshot_token: Vec<Token>,
    clear_token: Vec<Token>,
    late_number: Vec<Late<Bits<NUMBER>, COUNTERS>>,
    late_one: Vec<Late<Bit, COUNTERS>>,
    unstack: Unstack<NUMBER, COUNTERS, NUMBERS>,
    one: Vec<Lane<COUNTERS>>,
    counter: Vec<Counter<NUMBER, SEGMENT, 64>>,
}

impl<const PACKETS: usize> Csr<PACKETS> {
    pub fn new(config: &Config) -> Self {
        Self {
            words: Words::new(config),
            enable_written: Written::new("control", "enable"),
            snapshot_written: Written::new("command", "snapshot"),
            clear_written: Written::new("command", "clear"),
            soft_reset_written: Written::new("command", "soft_reset"),
            one: several(COUNTERS, Lane::new),
            late_number: several(COUNTERS, Late::new),
            late_one: several(COUNTERS, Late::new),
            counter: several(COUNTERS, |_| Counter::default()),
            clock: blank(),
            reset: blank(),
            pins_in: blank(),
            pins_out: blank(),
            taken: blank(),
            last: blank(),
            restarts: blank(),
            ends: blank(),
            numbers: blank(),
            ones: blank(),
            core_reset: blank(),
            looks: blank(),
            bus: blank(),
            decode: blank(),
            refused: blank(),
            at_control: blank(),
            at_command: blank(),
            enable: blank(),
            snapshot: blank(),
            clear: blank(),
            soft_reset: blank(),
            beat_error: blank(),
            beat_error_seen: blank(),
            will_reset: blank(),
            drops: blank(),
            dropping: blank(),
            dropping_far: blank(),
            drops_core: blank(),
            of_packets: Constant::new(PACKETS > 0),
            gate: several(PACKETS, |_| Gate::default()),
            restart_token: blanks(COUNTERS),
            ends_token: blanks(COUNTERS),
            snapshot_token: blanks(COUNTERS),
            clear_token: blanks(COUNTERS),
            unstack: blank(),
        }
    }
}

impl<const PACKETS: usize> Logic for Csr<PACKETS> {
    #[logic]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            refused,
            at_control,
            at_command,
            enable,
            snapshot,
            clear,
            soft_reset,
            beat_error_seen,
            dropping,
            dropping_far
        );
        self.bus.clock.next = self.clock.val();
        self.bus.reset.next = self.reset.val();
        self.bus.pins_in.next = self.pins_in.val();
        self.bus.refused.next = self.refused.q.val();
        self.bus.word.next = self.words.y.val();
        self.pins_out.next = self.bus.pins_out.val();

        self.decode.address.next = self.bus.address.val();
        if self.bus.writes.val() {
            self.refused.d.next = !self.decode.writable.val();
        } else {
            self.refused.d.next = !self.decode.readable.val();
        }
        self.at_control.d.next = self.decode.control.val();
        self.at_command.d.next = self.decode.command.val();
        self.enable_written.data.next = self.bus.data.val();
        self.enable_written.strobes.next = self.bus.strobes.val();
        self.snapshot_written.data.next = self.bus.data.val();
        self.snapshot_written.strobes.next = self.bus.strobes.val();
        self.clear_written.data.next = self.bus.data.val();
        self.clear_written.strobes.next = self.bus.strobes.val();
        self.soft_reset_written.data.next = self.bus.data.val();
        self.soft_reset_written.strobes.next = self.bus.strobes.val();
        if self.bus.acts.val() & self.at_control.q.val() & self.enable_written.meant.val() {
            self.enable.d.next = self.enable_written.value.val();
        }
        self.snapshot.d.next = self.bus.acts.val()
            & self.at_command.q.val()
            & self.snapshot_written.meant.val()
            & self.snapshot_written.value.val();
        self.clear.d.next = self.bus.acts.val()
            & self.at_command.q.val()
            & self.clear_written.meant.val()
            & self.clear_written.value.val();
        self.soft_reset.d.next = self.bus.acts.val()
            & self.at_command.q.val()
            & self.soft_reset_written.meant.val()
            & self.soft_reset_written.value.val();
        if self.clear.q.val() {
            self.beat_error_seen.d.next = self.beat_error.val();
        } else {
            self.beat_error_seen.d.next = self.beat_error_seen.q.val() | self.beat_error.val();
        }
        if self.reset.val() {
            self.beat_error_seen.d.next = false;
            self.enable.d.next = true;
            self.snapshot.d.next = false;
            self.clear.d.next = false;
            self.soft_reset.d.next = false;
        }

        self.drops.next = self.reset.val() | self.soft_reset.q.val();
        self.dropping_far.d.next = self.dropping.q.val() | self.reset.val();
        if self.of_packets.val() {
            self.dropping.d.next = self.drops.val();
            self.drops_core.next = self.dropping.q.val();
        } else {
            // Of flows there is no packet's end to wait for.
            self.dropping.d.next = self.drops.val() | !self.enable.q.val();
            self.drops_core.next = self.dropping_far.q.val();
        }
        self.core_reset.next = self.drops_core.val();
        self.will_reset.next = self.drops.val();
        self.looks.next = true;
        for i in 0..PACKETS {
            self.gate[i].clock.next = self.clock.val();
            self.gate[i].reset.next = self.reset.val();
            self.gate[i].drops.next = self.drops_core.val();
            self.gate[i].taken.next = self.taken.val();
            self.gate[i].last.next = self.last.val();
            self.gate[i].enable.next = self.enable.q.val();
            self.looks.next = self.gate[i].looks.val();
        }

        self.unstack.x.next = self.numbers.val();
        self.words.clock.next = self.clock.val();
        self.words.address.next = self.bus.address.val();
        self.words.enable.next = self.enable.q.val();
        self.words.beat_error.next = self.beat_error_seen.q.val();
        for i in 0..1 {
            self.restart_token[i].x.next = self.restarts.val();
            self.ends_token[i].x.next = self.ends.val() & !self.drops_core.val();
            self.snapshot_token[i].x.next = self.snapshot.q.val();
            self.clear_token[i].x.next = self.clear.q.val();
        }
        for i in 1..11 {
            self.restart_token[i].x.next = self.restart_token[i - 1].later.val();
            self.ends_token[i].x.next = self.ends_token[i - 1].later.val();
            self.snapshot_token[i].x.next = self.snapshot_token[i - 1].later.val();
            self.clear_token[i].x.next = self.clear_token[i - 1].later.val();
        }
        for i in 0..11 {
            self.restart_token[i].clock.next = self.clock.val();
            self.restart_token[i].reset.next = self.reset.val();
            self.ends_token[i].clock.next = self.clock.val();
            self.ends_token[i].reset.next = self.reset.val();
            self.snapshot_token[i].clock.next = self.clock.val();
            self.snapshot_token[i].reset.next = self.reset.val();
            self.clear_token[i].clock.next = self.clock.val();
            self.clear_token[i].reset.next = self.reset.val();
            self.one[i].x.next = self.ones.val();
            self.late_number[i].clock.next = self.clock.val();
            self.late_number[i].x.next = self.unstack.y[i].val();
            self.late_one[i].clock.next = self.clock.val();
            self.late_one[i].x.next = self.one[i].y.val();
            self.counter[i].clock.next = self.clock.val();
            self.counter[i].reset.next = self.reset.val();
            self.counter[i].number.next = self.late_number[i].y.val();
            self.counter[i].one.next = self.late_one[i].y.val();
            self.counter[i].restarts.next = self.restart_token[i].y.val();
            self.counter[i].ends.next = self.ends_token[i].y.val();
            self.counter[i].snapshot.next = self.snapshot_token[i].y.val();
            self.counter[i].clear.next = self.clear_token[i].y.val();
            self.words.counter[i].next = self.counter[i].shown.val();
        }
    }
}
