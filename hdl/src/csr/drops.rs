//! The registers of a core that drops packets: how many are dropped, how many are too long for it, and how full its memory has been.

use super::counter::{Counter, SEGMENTS, Token};
use super::kinds::NUMBER;
use super::reasons::OF_REASONS;
use super::register::{Access, Content, Field, Register, counter, field};
use crate::layout::{FILL_BITS, REASONS};
use crate::primitives::Cuts;
use crate::primitives::delay::DelayLine;
use hdl_macros::stages;
use rust_hdl::prelude::*;

/// Bits of a segment of a counter.
const SEGMENT: usize = 64 / SEGMENTS;
/// Counters.
pub const COUNT: usize = 3;

/// In the order of their addresses.
pub const OF_DROPS: [Register; COUNT + 2] = [
    counter("dropped_packets", 0x108, "packets that were dropped"),
    counter(
        "dropped_bytes",
        0x110,
        "bytes of the dropped packets; of frames those of their text",
    ),
    counter(
        "long_packets",
        0x118,
        "packets that were too long to be dropped, good or bad",
    ),
    Register {
        name: "most_words",
        offset: 0x120,
        access: Access::Read,
        content: Content::Fields(&[field(
            "words",
            0,
            32,
            |_| 0,
            "the most words, since the last command.clear",
        )]),
        description: "how full the memory of the waiting packets has been, with the words for beats that were accepted and not written yet; part of a snapshot",
    },
    Register {
        name: "drop_beats",
        offset: 0x124,
        access: Access::Read,
        content: Content::Fields(&[field(
            "beats",
            0,
            32,
            |config| {
                let memory = config.core.packet_memory(config.lanes);
                memory.map_or(0, |(_, longest)| longest as u32)
            },
            "beats of the longest packet that can be dropped",
        )]),
        description: "the longest packet that can be dropped",
    },
];

/// Of a core that also judges only a part of each packet.
pub const OF_UNJUDGED: [Register; 1] = [Register {
    name: "drop_unjudged",
    offset: 0x128,
    access: Access::ReadWrite,
    content: Content::Fields(&[
        closed(1),
        closed(2),
        closed(3),
        closed(4),
        closed(5),
        closed(6),
        closed(7),
        closed(8),
    ]),
    description: "1: drop the packets that are not judged for this reason; 0: let them pass; sampled at a packet's first beat, null beats included",
}];

/// The bit about a reason, by its code.
const fn closed(code: usize) -> Field {
    let description = OF_REASONS[code].description;
    field(REASONS[code], code - 1, 1, |_| 0, description)
}

/// Clocks from when the packet FIFO knows that a packet is dropped until its end comes to the counters. A smaller depth takes as much off both:
/// with registers only the stages before the pieces are merged.
const TO_END: usize = 3;

stages! {
    /// The counters, and the most words of the memory that were in use.
    pub block Drops {
        /// Bytes are counted of the packets that are judged only.
        given has_frames: bool;

        in reset: Bit;
        /// The core drops what is in it.
        in drops_core: Bit;
        /// A packet is dropped, or is too long for that, [`TO_END`] clocks before it ends here.
        in dropped, long: Bit;
        /// As [`super::Csr`] has them.
        in restarts, ends, judged: Bit;
        in bytes: Bits<NUMBER>;
        /// Words in use.
        in fill: Bits<FILL_BITS>;
        in snapshot, clear: Bit;

        always "the packets that end" {
            part late_dropped: DelayLine<Bit>(TO_END) = { x: dropped };
            part late_long: DelayLine<Bit>(TO_END) = { x: long };
            let with_bytes: Bit = if has_frames { judged } else { ends };
            part restart: Token(Cuts::ALL) = { reset, x: restarts };
            part end: Token(Cuts::ALL) = { reset, x: ends & !drops_core };
            part dropped_end: Token(Cuts::ALL) = {
                reset, x: with_bytes & late_dropped & !drops_core,
            };
            part snapshot_token: Token(Cuts::ALL) = { reset, x: snapshot };
            part clear_token: Token(Cuts::ALL) = { reset, x: clear };
        }

        always "the counters" {
            part packets: Counter<NUMBER, SEGMENT, 64>(Cuts::ALL) = {
                reset,
                number: 0,
                one: late_dropped,
                restarts: restart,
                ends: end,
                snapshot: snapshot_token,
                clear: clear_token,
            };
            part dropped_bytes: Counter<NUMBER, SEGMENT, 64>(Cuts::ALL) = {
                reset,
                number: bytes,
                one: false,
                restarts: restart,
                ends: dropped_end,
                snapshot: snapshot_token,
                clear: clear_token,
            };
            part too_long: Counter<NUMBER, SEGMENT, 64>(Cuts::ALL) = {
                reset,
                number: 0,
                one: late_long,
                restarts: restart,
                ends: end,
                snapshot: snapshot_token,
                clear: clear_token,
            };
        }

        always "how full the memory is" {
            /// The most words in use, and that at the last snapshot. In the clock after a reset `fill` is of before it.
            state most: Bits<FILL_BITS> = if reset {
                0
            } else if clear | ((fill > most) & !drops_core) {
                fill
            };
            state copy: Bits<FILL_BITS> = if reset { 0 } else if snapshot { most };
        }

        out dropped_packets: Bits<64> = packets.shown;
        out bytes_dropped: Bits<64> = dropped_bytes.shown;
        out long_packets: Bits<64> = too_long.shown;
        out most_words: Bits<FILL_BITS> = copy;
    }
}
