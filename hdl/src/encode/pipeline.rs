//! The pipeline of `encode`: words in, bytes into the ring, verdicts out; no `ready`. It packs the bytes of `sanitise`, too.

use super::places::{self, BEGINS_LATENCY, Begins, Places, Sums, sums_latency};
use super::ring::{self, Ring};
use super::slots::{ByteSlots, SLOTS, SlotLanes, Slots};
use super::units::{self, Units};
use super::verdict::{self, Verdict};
use super::words::{self, LowPlanes, WordRule, Words};
use crate::backpressure::FIFO_LATENCY;
use crate::config::Policy;
use crate::decode::dense::network::{self, Network};
use crate::layout::VERDICT_BITS;
use crate::primitives::delay::{DelayLine, ValidDelayLine};
use crate::primitives::memory::DelayRam;
use crate::primitives::wires::{Lane, Low, Stack, Unstack, Widen};
use crate::sanitise::{Sanitise, repair};
use crate::verilog::Sideband;
use hdl_macros::stages;
use rust_hdl::prelude::*;

/// Whether a core of which a beat's words have this number of bits takes UTF-16 units.
const fn is_utf16<const N: usize>(words: usize) -> bool {
    words == 16 * N
}

/// And whether it takes bytes.
pub const fn is_bytes<const N: usize>(words: usize) -> bool {
    words == 8 * N
}

/// Clocks from a beat's acceptance until it is known whether it is one.
pub const fn known<const N: usize>(words: usize) -> usize {
    if is_utf16::<N>(words) {
        units::KNOWN
    } else {
        0
    }
}

/// Clocks from a beat's acceptance to what its words become.
const fn to_words(is_utf16: bool) -> usize {
    if is_utf16 {
        units::LATENCY
    } else {
        words::LATENCY
    }
}

/// To how many bytes it has.
const fn to_total(lanes: usize, is_utf16: bool) -> usize {
    to_words(is_utf16) + sums_latency(lanes)
}

/// To its bytes, on the way into the ring. A word has `slots` slots.
const fn to_bytes(lanes: usize, is_utf16: bool, slots: usize) -> usize {
    to_total(lanes, is_utf16) + places::LATENCY + network::latency(slots * lanes)
}

/// Clocks from a beat's acceptance to the first beat of its bytes on the pins, if it does not wait for the next one.
pub const fn latency(lanes: usize, is_utf16: bool, slots: usize) -> usize {
    to_bytes(lanes, is_utf16, slots) + ring::LATENCY + FIFO_LATENCY
}

/// Clocks that packing adds to bytes that are there.
pub const fn packing_latency(lanes: usize) -> usize {
    latency(lanes, false, SLOTS) - words::LATENCY
}

/// The same of bytes that are repaired.
pub const fn repaired_latency(lanes: usize) -> usize {
    packing_latency(lanes) + repair::LATENCY
}

/// Clocks from the acceptance of a packet's last beat to its verdict.
pub const fn verdict_latency(lanes: usize, is_utf16: bool) -> usize {
    to_words(is_utf16) + verdict::latency(lanes)
}

stages! {
    /// What becomes of words, or of bytes. `WORDS` is `32 * N`, or `16 * N` of UTF-16 units, or `8 * N` of bytes, `KEEP` an eighth of
    /// that, `UPPER` is `11 * N`, `SCALARS` is `21 * N`, `SUMS` is [`places::sum_bits`] for each word, `MARKS` is `9 * N`, `LATER` is
    /// `5 * N`, `M` is `4 * N`, `T` is `8 * M`, `DATA` is `8 * N`, `BEAT` is [`crate::validate::pass::bytes::beat_bits`].
    // Of RFC 2279 `SCALARS` is `31 * N`, `MARKS` and `LATER` are `11 * N`, `M` is `8 * N`. `TURN` is the logarithm of `M / N`.
    pub block Pipeline<
        const N: usize,
        const WORDS: usize,
        const KEEP: usize,
        const UPPER: usize,
        const SCALARS: usize,
        const SUMS: usize,
        const MARKS: usize,
        const LATER: usize,
        const M: usize,
        const T: usize,
        const DATA: usize,
        const BEAT: usize,
        const TURN: usize,
    > {
        given rule: WordRule;
        /// Configuration, of bytes: signatures are left out.
        given strip: bool;
        given policy: Policy;
        given counter_width: usize;
        given takes_bytes: bool = is_bytes::<N>(WORDS);
        given is_2279: bool = M / N > SLOTS;
        given takes_utf32: bool = WORDS == 32 * N;
        /// Clocks from what a beat's words become to how many bytes it has, and to the places of these.
        given to_total: usize = sums_latency(N);
        given to_places: usize = sums_latency(N) + places::LATENCY;
        /// Clocks to the first quarter that a beat completes, and from there to its bytes.
        given to_first: usize = sums_latency(N) + BEGINS_LATENCY - 1;
        given to_ring: usize = places::LATENCY + network::latency(M) - BEGINS_LATENCY + 1;
        /// Of UTF-32 the words' scalar values and what is beside them come from the pins.
        given from_pins: usize = if takes_utf32 { words::LATENCY } else { 0 };

        in reset: Bit;
        in accept: Bit;
        in data: Bits<WORDS>;
        in keep: Bits<KEEP>;
        in last: Bit;
        in side: Sideband;
        /// A beat of bytes may leave.
        in may_leave: Bit;

        always "the words, and how many bytes they have" {
            for i in 0..usize::from(WORDS == 32 * N) {
                part words: Words<N, WORDS, KEEP, MARKS>(cuts, rule.omits, is_2279) = {
                    valid: accept, data, keep,
                };
            }
            for i in 0..usize::from(is_utf16::<N>(WORDS)) {
                part units: Units<N, WORDS, KEEP, SCALARS, UPPER, MARKS>(
                    cuts, rule.omits, rule.swaps,
                ) = {
                    reset, valid: accept, last, data, keep, side,
                };
            }
            wires octets: Low<WORDS, DATA> = { x: data };
            wires octet_lanes: Low<KEEP, N> = { x: keep };
            wires first_lane: Lane<N>(0) = { x: octet_lanes };
            for i in 0..usize::from(is_bytes::<N>(WORDS)) {
                part bytes: Sanitise<N, DATA>(
                    cuts, strip, counter_width, policy,
                ) = {
                    reset, valid: accept, data: octets, keep: octet_lanes, last, side, window: 0,
                };
            }
            let one = bytes[i].one.or(0);
            let three = bytes[i].three.or(0);
            wires of_bytes: Stack<N, 11, MARKS> = {
                x[0]: three,
                x[1]: one,
                x[2]: three,
                x[3]: three,
                x[4]: 0,
                x[5]: 0,
                x[6]: 0,
                x[7]: 0,
                x[8]: 0,
                x[9]: 0,
                x[10]: 0,
            };
            /// A beat of words, in step with what they become; of UTF-32 at the pins.
            let valid_word: Bit = units[i].out_valid.or(accept);
            let last_word: Bit = units[i].out_last.or(last);
            let of_word: Sideband = units[i].out_side.or(side);
            let valid: Bit = bytes[i].out_valid.or(valid_word);
            let ends: Bit = bytes[i].out_last.or(last_word);
            let of_beat: Sideband = bytes[i].out_side.or(of_word);
            wires at_pins: LowPlanes<N, WORDS, SCALARS> = { data };
            let of_words: Bits<SCALARS> = units[i].scalars.or(at_pins);
            let of_utf32: Bits<MARKS> = words[i].marks.or(0);
            let of_utf: Bits<MARKS> = units[i].marks.or(of_utf32);
            let marks: Bits<MARKS> = if takes_bytes { of_bytes } else { of_utf };
            wires mark: Unstack<N, 11, MARKS> = { x: marks };
            part sums: Sums<N, SUMS>(is_2279) = {
                has_1: mark[1], has_2: mark[2], has_3: mark[3], has_4: mark[4],
                has_5: mark[9], has_6: mark[10],
            };
        }

        always "where the bytes go" {
            part valid_at_total: ValidDelayLine(from_pins + to_total) = { reset, x: valid };
            part last_at_total: DelayLine<Bit>(from_pins + to_total) = { x: ends };
            part begins: Begins<N>(cuts, TURN) = {
                reset, valid: valid_at_total, last: last_at_total, ..sums(total),
            };
            part sums_wait: DelayRam<Bits<SUMS>, 4>(BEGINS_LATENCY) = { reset, x: sums };
            part places: Places<N, M, SUMS> = {
                sums: sums_wait, ..begins(less_1, less_2, less_3, less_4, less_5, less_6),
            };
        }

        always "the bytes" {
            part scalars: DelayRam<Bits<SCALARS>, 4>(from_pins + to_places) = {
                reset, x: of_words,
            };
            part late_marks: DelayRam<Bits<LATER>, 4>(to_places) = {
                reset, x: marks.get_bits::<LATER>(0),
            };
            wires late: Unstack<N, 11, LATER> = { x: late_marks };
            part slots: Slots<N, SCALARS, T>(cuts) = {
                scalars, ill: late[0], has_2: late[2], has_3: late[3], has_4: late[4],
                has_5: late[9], has_6: late[10],
            };
            for i in 0..usize::from(is_bytes::<N>(WORDS)) {
                part repaired: DelayRam<Bits<DATA>, 4>(to_places) = { reset, x: bytes[i].bytes };
                part byte_slots: ByteSlots<N, DATA, T>(cuts) = {
                    bytes: repaired[i], replaced: late[0],
                };
            }
            wires present: SlotLanes<N, M> = {
                x[0]: late[1], x[1]: late[2], x[2]: late[3], x[3]: late[4],
                x[4]: late[9], x[5]: late[10],
            };
            part network: Network<M, T> = {
                reset,
                arrival: begins.arrival,
                present,
                rank[i in 0..7]: places.rank[i],
                planes: byte_slots[i].planes.or(slots.planes),
            };
            part side_at_first: DelayRam<Sideband, 4>(from_pins + to_first) = {
                reset, x: of_beat,
            };
            part ring: Ring<N, M, T, DATA, BEAT, TURN>(cuts, to_ring, to_ring + 2) = {
                reset,
                ..begins(first, completes, ends, kept, count),
                side: side_at_first,
                now: network.out_this,
                then: network.out_next,
                planes: network.out_planes,
                may_leave,
            };
        }

        always "the verdict" {
            part valid_at_words: ValidDelayLine(from_pins) = { reset, x: valid };
            part last_at_words: DelayLine<Bit>(from_pins) = { x: ends };
            wires wide_total: Widen<7, 8> = { x: sums.total };
            part verdict: Verdict<N>(cuts, counter_width) = {
                reset,
                valid: valid_at_words,
                last: last_at_words,
                present: mark[5],
                ill: mark[0],
                kind_0: mark[6],
                kind_1: mark[7],
                kind_2: mark[8],
                total: wide_total,
            };
            part side_at_verdict: DelayRam<Sideband, 5>(from_pins + verdict::latency(N)) = {
                reset, x: of_beat,
            };
            let enters: Bit = if takes_bytes { accept & (last | first_lane) } else { accept };
        }

        /// A beat of bytes.
        out out_valid: Bit = ring.out_valid;
        out beat: Bits<BEAT> = ring.beat;
        out out_side: Sideband = ring.out_side;
        /// An accepted beat is one, as early as that is known.
        out is_beat: Bit = units[i].counted.or(enters);
        /// The bytes of a beat are counted, and how many quarters it completes; a quarter has become free.
        out counted: Bit = begins.counted;
        out count: Bits<3> = begins.count;
        out freed: Bit = ring.freed;
        /// A packet has ended, and its verdict.
        out verdict_valid: Bit = bytes[i].verdict_valid.or(verdict.out_valid);
        out out_verdict: Bits<VERDICT_BITS> = bytes[i].verdict.or(verdict.fields);
        out verdict_side: Sideband = bytes[i].verdict_side.or(side_at_verdict);
    }
}
