//! Where the text of an Ethernet frame is: the payload of UDP, or of TCP's segments, in IPv4 and IPv6.
//!
//! A row of blocks, one for each header, takes a beat in every clock: each waits for its header's beat, which may be the same as that of
//! the header before, reads what follows it and how far that is, and tells the next one. No header is read twice and nothing goes back,
//! so the row never stalls. What it finds is a window: see [`crate::window`].
//!
//! # Ports
//! Beats of whole frames; the same beats later, with the lanes that are judged.
//!
//! # Parameters
//! `N` lanes, 8 to 64 by powers of two; `DATA` is `8 * N`.
//!
//! # Latency
//! [`LATENCY`] clocks, a beat in every clock.
//!
//! # Reset
//! No beat that came before it leaves; the next one is a packet's first.

mod extension;
mod head;
mod network;
mod pick;
mod ports;
mod reach;
mod transport;
mod types;
mod words;

use self::extension::Extension;
use self::network::{Network, POSITION_BITS};
use self::ports::{Ports, SecondHalves};
use self::reach::Reach;
use self::transport::Transport;
use crate::config::{FRAME_CLOCKS, Policy};
use crate::layout::{PORTS_BITS, REASON_BITS, reason};
use crate::primitives::Cuts;
use crate::primitives::delay::DelayLine;
use crate::primitives::memory::BankedDelayRam;
use crate::window::cut::{self, Cut};
use hdl_macros::stages;
use rust_hdl::prelude::*;

/// Extension headers that are read.
const EXTENSIONS: usize = 4;
// The row below names its last one.
const _: () = assert!(EXTENSIONS == 4);
/// Clocks from a beat to its text, if its headers are in it.
const HEADERS: usize = network::LATENCY + EXTENSIONS * extension::LATENCY + transport::LATENCY;
/// Clocks from a beat to the same with the lanes that are judged.
pub const LATENCY: usize = HEADERS + cut::LATENCY;
const _: () = assert!(LATENCY == FRAME_CLOCKS);
/// Clocks from the input register to the same.
const WAITS: usize = LATENCY - 1;
/// The most clocks that a memory of 16 words delays by.
const IN_RAM: usize = 17;
/// Clocks before the first memory, for the reset comes late to its last bank.
const BEFORE_RAM: usize = 4;
/// Clocks in registers, from there to the second memory.
const IN_REGISTERS: usize = WAITS - BEFORE_RAM - 2 * IN_RAM;
/// Clocks from what IP says of a frame's end to the beat that leaves.
const SHORT: usize = LATENCY - network::LATENCY - reach::LATENCY;
/// Clocks from a beat to what follows IP's headers; and from the first memory of its bytes to the stage that picks its ports.
const TO_TRANSPORT: usize = HEADERS - transport::LATENCY;
const TO_PORTS: usize = TO_TRANSPORT + ports::TO_WORD - 1 - BEFORE_RAM - IN_RAM;

stages! {
    /// Beats with the lanes that are judged.
    pub block Frames<const N: usize, const DATA: usize> {
        given policy: Policy;
        /// The table of ports can be written.
        given is_written: bool;
        /// The segments of TCP are judged, too.
        given takes_segments: bool = policy.has_open_edges;
        /// Whether there is a part that reads ports.
        given port_parts: usize = usize::from(policy.ports.is_some());
        /// Why a frame is not judged that ends too early.
        given of_no_sense: Bits<REASON_BITS> = reason::MALFORMED.into();

        in reset: Bit;
        /// A beat enters in this clock.
        in valid: Bit;
        in data: Bits<DATA>;
        in keep;
        in last: Bit;
        /// The table of ports, as the registers keep it.
        in written: Bits<PORTS_BITS>;

        always {
            part network: Network<N, DATA>(Cuts::ALL, takes_segments) = {
                reset, valid, data, keep, last,
            };
            part reach: Reach<N>(Cuts::ALL) = {
                reset: late_reset,
                valid: network.next_valid,
                starts: network.next_starts,
                last: network.next_last,
                keep: network.next_keep,
                found: network.next_found,
                ip: network.ip,
                position: network.ip_last,
            };
            for i in 0..EXTENSIONS {
                part extension: Extension<N>(Cuts::ALL) = {
                    reset: late_reset,
                    valid: if i == 0 { network.next_valid } else { extension[i - 1].next_valid },
                    starts: if i == 0 { network.next_starts } else { extension[i - 1].next_starts },
                    found: if i == 0 { network.next_found } else { extension[i - 1].next_found },
                    kind: if i == 0 { network.next_kind } else { extension[i - 1].next_kind },
                    distance: if i == 0 { network.next_distance }
                        else { extension[i - 1].next_distance },
                    rest: if i == 0 { network.next_rest } else { extension[i - 1].next_rest },
                    nibble_0: if i == 0 { network.next_nibble_0 }
                        else { extension[i - 1].next_nibble_0 },
                    nibble_1: if i == 0 { network.next_nibble_1 }
                        else { extension[i - 1].next_nibble_1 },
                    nibble_2: if i == 0 { network.next_nibble_2 }
                        else { extension[i - 1].next_nibble_2 },
                    nibble_3: if i == 0 { network.next_nibble_3 }
                        else { extension[i - 1].next_nibble_3 },
                    too_long: if i == 0 { false } else { extension[i - 1].next_too_long },
                    pairs_0: if i == 0 { network.next_pairs_0 }
                        else { extension[i - 1].next_pairs_0 },
                    pairs_1: if i == 0 { network.next_pairs_1 }
                        else { extension[i - 1].next_pairs_1 },
                };
            }
            for i in 0..port_parts {
                // The words' second halves, which no other header needs.
                wires seconds: SecondHalves<N, DATA> = { data: data_waits.y };
                part second_0: BankedDelayRam<N, 4>(TO_PORTS) = {
                    reset: later_reset, x: seconds[i].nibble_0,
                };
                part second_1: BankedDelayRam<N, 4>(TO_PORTS) = {
                    reset: later_reset, x: seconds[i].nibble_1,
                };
                part second_2: BankedDelayRam<N, 4>(TO_PORTS) = {
                    reset: later_reset, x: seconds[i].nibble_2,
                };
                part second_3: BankedDelayRam<N, 4>(TO_PORTS) = {
                    reset: later_reset, x: seconds[i].nibble_3,
                };
                part ports: Ports<N>(Cuts::ALL, policy.ports, is_written) = {
                    reset: late_reset,
                    valid: extension[3].next_valid,
                    starts: extension[3].next_starts,
                    found: extension[3].next_found,
                    kind: extension[3].next_kind,
                    distance: extension[3].next_distance,
                    nibble_0: extension[3].next_nibble_0,
                    nibble_1: extension[3].next_nibble_1,
                    nibble_2: extension[3].next_nibble_2,
                    nibble_3: extension[3].next_nibble_3,
                    second_0: second_0[i],
                    second_1: second_1[i],
                    second_2: second_2[i],
                    second_3: second_3[i],
                    written,
                };
            }
            part transport: Transport<N>(Cuts::ALL) = {
                reset: late_reset,
                valid: extension[3].next_valid,
                starts: extension[3].next_starts,
                found: extension[3].next_found,
                kind: extension[3].next_kind,
                distance: extension[3].next_distance,
                rest: extension[3].next_rest,
                too_long: extension[3].next_too_long,
                nibble_0: extension[3].next_nibble_0,
                nibble_1: extension[3].next_nibble_1,
                nibble_2: extension[3].next_nibble_2,
                nibble_3: extension[3].next_nibble_3,
                of_judged_ports: ports[i].are_judged.or(true),
            };
            /// The beat's bytes while the headers are read. Two memories of 16 words follow each other: one of 32 would cost a LUT more for
            /// each bit, to choose between its halves.
            part data_comes: DelayLine<Bits<DATA>>(BEFORE_RAM) = { x: network.whole_data };
            part data_waits: BankedDelayRam<DATA, 4>(IN_RAM) = {
                reset: late_reset, x: data_comes.y,
            };
            part data_goes: DelayLine<Bits<DATA>>(IN_REGISTERS) = { x: data_waits.y };
            part data_due: BankedDelayRam<DATA, 4>(IN_RAM) = {
                reset: later_reset, x: data_goes.y,
            };
            part keep_comes: DelayLine<Bits<N>>(BEFORE_RAM) = { x: network.whole_keep };
            part keep_waits: BankedDelayRam<N, 4>(IN_RAM) = {
                reset: late_reset, x: keep_comes.y,
            };
            part keep_goes: DelayLine<Bits<N>>(IN_REGISTERS) = { x: keep_waits.y };
            part keep_due: BankedDelayRam<N, 4>(IN_RAM - 1) = {
                reset: later_reset, x: keep_goes.y,
            };
            /// For all whose beats come a clock late, too: the way from the pin is long.
            state late_reset: Bit = reset;
            /// For those in the middle of the way, whose beats come later still. A reset that goes everywhere at once is slow.
            state later_reset: Bit = late_reset;
            /// The lanes with a byte, in step with those that are judged.
            with_byte = keep_due.y;
            part last_due: DelayLine<Bit>(LATENCY) = { x: last };
            part cut: Cut<N, POSITION_BITS>(Cuts::ALL) = {
                reset,
                valid: arrives,
                ..transport(loads),
                has: transport.has_text,
                from: transport.text_first,
                to: transport.text_end,
                keep: keep_due.y,
            };
            /// A beat arrives. The headers are reset a clock later than what is after them: what they send until then is dropped.
            state arrives: Bit = if reset | late_reset { false } else { transport.soon_valid };
            /// Why the frame has no text. It is malformed until its headers have been read, for it may end before them.
            state why: Bits<REASON_BITS> = if transport.known { transport.reason }
                else if transport.out_valid & transport.out_starts { of_no_sense };
            part why_due: DelayLine<Bits<REASON_BITS>>(cut::LATENCY - 1) = { x: why };
            part short_due: DelayLine<Bit>(SHORT) = { x: reach.is_short };
        }

        /// A beat leaves; its bytes, and the lanes of those that are judged.
        out out_valid: Bit = cut.out_valid;
        out out_data: Bits<DATA> = data_due.y;
        out out_keep = cut.out_judged;
        out out_last: Bit = last_due.y;
        /// Its lanes with a byte, judged or not.
        out all = with_byte;
        /// The lane of the text's first byte, if that may be in the beat; else zero.
        out first: Bits<8> = cut.out_first;
        /// With a frame's last beat why it is not judged, by its code; zero if it is.
        out reason: Bits<REASON_BITS> = if short_due.y { of_no_sense } else { why_due.y };
    }
}
