//! Registers: an AXI4-Lite slave beside a validator (`--csr`), with its configuration, control, and counters of 64 bits.
//!
//! Read [`map`] first: all registers as data. [`bus`] is the slave, [`decode`] what its addresses are, and [`words`] what is there; [`tally`] is what each beat of packets
//! brings to the counters ([`crate::flows::tally`] that of flows), with [`kinds`] of it; [`counter`] is one of these; [`gate`] says what is looked at,
//! and [`stage`] gives the core its stream a clock later.
//!
//! # Accesses
//! Each is answered. A write to a register that is only read, and any access to an address at which no register is, or within one, is
//! refused: SLVERR, nothing changes, and what is read is zero. Of a write only the bytes that are strobed are meant; without any it
//! does nothing.
//!
//! # Counters
//! A packet is in all counters or in none, from [`latency`] clocks after its last beat on, or fewer as [`crate::schedule`] says. What is read is what was copied last by
//! `command.snapshot`: all counters as they were in one and the same clock. They begin again at zero after 2^64 - 1.
//!
//! Of flows each beat is in all of them or in none, from [`crate::flows::to_counters`] clocks after it on; a message is a packet, counted with its last beat.
//!
//! # Status
//! A beat that breaks the contract ([`crate::contract`]; of flows one that is refused) sets `status.beat_error`, whether it is looked at or not.
//! A clear in the same clock goes before it.
//!
//! # Enable
//! A packet that begins (with its first beat that is taken) while `control.enable` is clear is not looked at: it has no verdict, is
//! not marked and not counted, and passes as it is. A packet under way stays what it was when it began. Of flows, the core is in reset while
//! it is clear. In the same way `forbid` says which forbidden classes a packet is looked at for ([`classes`]).
//!
//! # Packets that are not judged
//! With windows or frames there is a counter for each reason, and one of the packets that are judged ([`reasons`]).
//!
//! # Packets that are dropped
//! These are counted with all others, and how full the memory has been is kept ([`drops`]). `drop_unjudged` says which of those that are not judged
//! are dropped, too: as of `forbid`, what it is when the packet begins counts.
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
pub mod classes;
pub mod counter;
pub mod decode;
pub mod drops;
pub mod gate;
pub mod kinds;
pub mod map;
pub mod port_table;
pub mod reasons;
pub mod register;
pub mod stage;
pub mod tally;
pub mod words;

use self::bus::Bus;
use self::classes::COUNT as CLASSES;
use self::counter::{Counter, SEGMENTS, Token};
use self::decode::Decode;
use self::drops::Drops;
use self::gate::{Gate, Watch};
use self::kinds::NUMBER;
use self::map::{COUNTERS, find};
use self::port_table::WrittenPorts;
use self::reasons::COUNT as REASONS;
use self::tally::NUMBERS;
use self::words::Words;
use crate::config::Config;
use crate::config::bus::{IN_BITS, OUT_BITS};
use crate::layout::{FILL_BITS, PORTS_BITS};
use crate::pieces;
use crate::primitives::Cuts;
use crate::primitives::delay::DelayLine;
use crate::primitives::wires::{Lane, Low, Unstack};
use hdl_macros::stages;
use rust_hdl::prelude::*;

/// Bits of a segment of a counter.
const SEGMENT: usize = 64 / SEGMENTS;

/// Clocks from what a beat brings until all counters have it.
pub const TO_COUNTERS: usize = counter::LATENCY + COUNTERS - 1;

/// Clocks from a packet's last beat, as it comes to the core, until it is in all counters.
pub const fn latency(lanes: usize) -> usize {
    pieces::LATENCY + tally::latency(lanes) + TO_COUNTERS
}

/// The lowest bit of a field of a register.
fn low(register: &str, field: &str) -> usize {
    find(register, field).low
}

stages! {
    /// The registers: the bus, what a write does, and the counters. `PACKETS` is 1 if the stream is of whole packets, and 0 if it is of
    /// flows: then the core is in reset while `control.enable` is clear.
    pub block Csr<const PACKETS: usize> {
        given config: &Config;
        given of_packets: bool = PACKETS > 0;
        /// The classes that the core finds; a register has those that it looks for.
        given forbid: Bits<8> = u64::from(config.core.policy().forbid.bits()).into();
        given has_frames: bool = config.core.policy().has_frames;
        given ports: Option<PortTable> = config.core.policy().ports;
        /// Whether there is a table of ports.
        given tables: usize = usize::from(config.core.policy().ports.is_some());
        /// Whether packets are dropped.
        given dropping: usize = usize::from(config.core.packet_memory(config.lanes).is_some());

        in reset: Bit;
        /// The pins of the bus, each direction as one vector.
        in pins_in: Bits<IN_BITS>;
        /// A beat of a stream of packets comes to the core, and is its packet's last.
        in taken, last: Bit;
        /// As [`tally::Tally`] has them.
        in restarts, ends: Bit;
        in numbers: Bits<NUMBERS>;
        in ones: Bits<COUNTERS>;
        /// The forbidden classes of the packet that ends.
        in classes: Bits<8>;
        /// Of that packet: it is judged, or it is not for the reason of this code.
        in reasons: Bits<REASONS>;
        /// Of a core that drops packets, as [`drops::Drops`] has it.
        in dropped, long: Bit;
        in fill: Bits<FILL_BITS>;
        /// A beat broke the contract.
        in beat_error: Bit;

        always "the bus, and what a write does" {
            part bus: Bus(Cuts::ALL) = { reset, pins_in, refused, word: words };
            wires decode: Decode(config) = { address: bus.address };
            /// The transaction is refused; it is at `control`, or at `command`.
            refused: Bit = if bus.writes { !decode.writable } else { !decode.readable };
            at_control: Bit = decode.control;
            at_command: Bit = decode.command;
            /// For each bit that is written, what is written and whether it is meant.
            wires enable_bit: Lane<32>(low("control", "enable")) = { x: bus.data };
            wires enable_strobe: Lane<4>(low("control", "enable") / 8) = { x: bus.strobes };
            wires snapshot_bit: Lane<32>(low("command", "snapshot")) = { x: bus.data };
            wires snapshot_strobe: Lane<4>(low("command", "snapshot") / 8) = { x: bus.strobes };
            wires clear_bit: Lane<32>(low("command", "clear")) = { x: bus.data };
            wires clear_strobe: Lane<4>(low("command", "clear") / 8) = { x: bus.strobes };
            wires soft_reset_bit: Lane<32>(low("command", "soft_reset")) = { x: bus.data };
            wires soft_reset_strobe: Lane<4>(low("command", "soft_reset") / 8) = { x: bus.strobes };
            /// `control.enable`: beats are looked at.
            state enable: Bit = if reset {
                true
            } else if bus.acts & at_control & enable_strobe {
                enable_bit
            };
            wires forbid_bits: Low<32, 8> = { x: bus.data };
            wires forbid_strobe: Lane<4>(low("forbid", "nul") / 8) = { x: bus.strobes };
            /// `forbid`: the classes that are looked for.
            state forbidden: Bits<8> = if reset {
                forbid
            } else if bus.acts & decode.forbid & forbid_strobe {
                forbid_bits & forbid
            };
            wires closed_bits: Low<32, 8> = { x: bus.data };
            wires closed_strobe: Lane<4>(low("drop_unjudged", "no_window") / 8) = {
                x: bus.strobes,
            };
            /// `drop_unjudged`: the reasons for which packets that are not judged are dropped.
            state closed: Bits<8> = if reset {
                0
            } else if bus.acts & decode.closed & closed_strobe {
                closed_bits
            };
            for i in 0..tables {
                part written_ports: WrittenPorts(ports) = {
                    reset,
                    writes_entry: bus.acts & decode.port_entry,
                    writes_all: bus.acts & decode.ports,
                    ..bus(address, data, strobes),
                };
            }
            /// What a write of `command` does, for one clock.
            mark snapshot: Bit = bus.acts & at_command & snapshot_strobe & snapshot_bit;
            mark clear: Bit = bus.acts & at_command & clear_strobe & clear_bit;
            mark soft_reset: Bit = bus.acts & at_command & soft_reset_strobe & soft_reset_bit;
            /// `status.beat_error`.
            mark beat_error_seen: Bit =
                if clear { beat_error } else { beat_error_seen | beat_error };
        }

        always "the core's reset, and whether it looks at beats" {
            let drops: Bit = reset | soft_reset;
            /// The core is reset. Of flows there is no packet's end to wait for.
            dropping: Bit = if of_packets { drops } else { drops | !enable };
            /// Of flows: it has far to go, and lies where the core does.
            dropping_far: Bit = dropping | reset;
            let drops_core: Bit = if of_packets { dropping } else { dropping_far };
            for i in 0..PACKETS {
                /// The stream is within a packet; the core looks at that.
                part gate: Gate(Cuts::ALL) = { reset, drops: drops_core, taken, last, enable };
                /// The classes that it looks for in that.
                part watch: Watch(Cuts::ALL, forbid) = {
                    reset, stays: gate[i].stays, forbidden,
                };
                /// The reasons for which that is dropped.
                part watch_closed: Watch(Cuts::ALL, 0_u64.into()) = {
                    reset, stays: gate[i].stays, forbidden: closed,
                };
            }
        }

        always "each counter, a clock later than the one before it, and what it counts" {
            wires is_judged: Lane<REASONS>(0) = { x: reasons };
            wires unstack: Unstack<NUMBER, COUNTERS, NUMBERS> = { x: numbers };
            for i in 0..COUNTERS {
                part restart_token: Token(Cuts::ALL) = {
                    reset,
                    x: if i == 0 { restarts } else { restart_token[i - 1].later },
                };
                part ends_token: Token(Cuts::ALL) = {
                    reset,
                    x: if i == 0 { ends & !drops_core } else { ends_token[i - 1].later },
                };
                // What a packet that is not judged has had until that was known is not counted.
                part judged_token: Token(Cuts::ALL) = {
                    reset,
                    x: if i == 0 { is_judged & !drops_core } else { judged_token[i - 1].later },
                };
                part snapshot_token: Token(Cuts::ALL) = {
                    reset,
                    x: if i == 0 { snapshot } else { snapshot_token[i - 1].later },
                };
                part clear_token: Token(Cuts::ALL) = {
                    reset,
                    x: if i == 0 { clear } else { clear_token[i - 1].later },
                };
                wires one: Lane<COUNTERS>(i) = { x: ones };
                part late_number: DelayLine<Bits<NUMBER>>(i) = { x: unstack[i] };
                part late_one: DelayLine<Bit>(i) = { x: one[i] };
                part counter: Counter<NUMBER, SEGMENT, 64>(Cuts::ALL) = {
                    reset,
                    number: late_number[i],
                    one: late_one[i],
                    restarts: restart_token[i],
                    ends: if i == 0 {
                        ends_token[i]
                    } else if has_frames {
                        judged_token[i]
                    } else {
                        ends_token[i]
                    },
                    snapshot: snapshot_token[i],
                    clear: clear_token[i],
                };
            }
            // Each beside the counter of this number, whose tokens it has, too.
            for i in 0..CLASSES {
                wires class_one: Lane<CLASSES>(i) = { x: classes };
                part late_class: DelayLine<Bit>(i) = { x: class_one[i] };
                part class_counter: Counter<NUMBER, SEGMENT, 64>(Cuts::ALL) = {
                    reset,
                    number: 0,
                    one: late_class[i],
                    restarts: restart_token[i],
                    ends: ends_token[i],
                    snapshot: snapshot_token[i],
                    clear: clear_token[i],
                };
            }
            for i in 0..REASONS {
                wires reason_one: Lane<REASONS>(i) = { x: reasons };
                part late_reason: DelayLine<Bit>(i) = { x: reason_one[i] };
                part reason_counter: Counter<NUMBER, SEGMENT, 64>(Cuts::ALL) = {
                    reset,
                    number: 0,
                    one: late_reason[i],
                    restarts: restart_token[i],
                    ends: ends_token[i],
                    snapshot: snapshot_token[i],
                    clear: clear_token[i],
                };
            }
            for i in 0..dropping {
                // The third counter is that of bytes.
                part counted_drops: Drops(Cuts::ALL, has_frames) = {
                    reset,
                    drops_core,
                    judged: is_judged,
                    bytes: unstack[2],
                    dropped,
                    long,
                    restarts,
                    ends,
                    fill,
                    snapshot,
                    clear,
                };
            }
            part words: Words(config) = {
                address: bus.address,
                counter[i in 0..COUNTERS]: counter[i].shown,
                class[i in 0..CLASSES]: class_counter[i].shown,
                reason[i in 0..REASONS]: reason_counter[i].shown,
                dropped_packets: counted_drops[i].dropped_packets.or(0),
                dropped_bytes: counted_drops[i].bytes_dropped.or(0),
                long_packets: counted_drops[i].long_packets.or(0),
                most_words: counted_drops[i].most_words.or(0),
                forbid: forbidden,
                closed,
                all_ports: written_ports[i].all.or(false),
                port_word: written_ports[i].word.or(0),
                enable,
                beat_error: beat_error_seen,
            };
        }

        out pins_out: Bits<OUT_BITS> = bus.pins_out;
        /// The core's reset, from a register; and of packets, that it will be so in the next clock.
        out core_reset: Bit = drops_core;
        out will_reset: Bit = drops;
        /// The core looks at a beat that is taken in this clock.
        out looks: Bit = gate[i].looks.or(true);
        /// The classes that it looks for in that.
        out watched: Bits<8> = watch[i].watched.or(0);
        /// If it is not judged, it is dropped for the reasons of these codes, from 1 on.
        out closes: Bits<8> = watch_closed[i].watched.or(0);
        /// The table of ports.
        out ports: Bits<PORTS_BITS> = written_ports[i].y.or(0);
    }
}
