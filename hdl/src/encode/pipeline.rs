//! The `encode` pipeline: words in, bytes into the ring, verdicts out; no `ready`.

use super::places::{self, BEGINS_LATENCY, Begins, Places, Sums, sums_latency};
use super::ring::{self, Ring};
use super::slots::{SlotLanes, Slots};
use super::verdict::{self, Verdict};
use super::words::{self, Words};
use crate::decode::dense::network::{self, Network};
use crate::layout::VERDICT_BITS;
use crate::primitives::delay::{DelayLine, ValidDelayLine};
use crate::primitives::memory::DelayRam;
use crate::primitives::wires::{BytePlanes, Stack, Unstack, Widen};
use crate::verilog::Sideband;
use hdl_macros::stages;
use rust_hdl::prelude::*;

/// Clocks from a beat's acceptance to how many bytes it has.
const fn to_total(lanes: usize) -> usize {
    words::LATENCY + sums_latency(lanes)
}

/// To its bytes, on the way into the ring.
const fn to_bytes(lanes: usize) -> usize {
    to_total(lanes) + places::LATENCY + network::latency(4 * lanes)
}

/// Clocks from a beat's acceptance to the first beat of its bytes on the pins.
pub const fn latency(lanes: usize) -> usize {
    to_bytes(lanes) + ring::LATENCY
}

/// Clocks from the acceptance of a packet's last beat to its verdict.
pub const fn verdict_latency(lanes: usize) -> usize {
    words::LATENCY + verdict::latency(lanes)
}

stages! {
    /// What becomes of words. `WORDS` is `32 * N`, `KEEP` is `4 * N`, `SCALARS` is `21 * N`, `SUMS` is [`places::sum_bits`] for each word,
    /// `MARKS` is `5 * N`, `M` is `4 * N`, `T` is `8 * M`, `DATA` is `8 * N`.
    pub block Pipeline<
        const N: usize,
        const WORDS: usize,
        const KEEP: usize,
        const SCALARS: usize,
        const SUMS: usize,
        const MARKS: usize,
        const M: usize,
        const T: usize,
        const DATA: usize,
    > {
        given omits: bool;
        given counter_width: usize;
        given total_at: usize = to_total(N);
        given words_wait: usize = sums_latency(N) + places::LATENCY;
        /// Clocks from acceptance to the first quarter that a beat completes, and from there to its bytes.
        given first_at: usize = to_total(N) + 4;
        given to_ring: usize = to_bytes(N) - first_at;

        in reset: Bit;
        in accept: Bit;
        in data: Bits<WORDS>;
        in keep: Bits<KEEP>;
        in last: Bit;
        in side: Sideband;
        /// The sink takes the beat on the outputs.
        in ready: Bit;

        always "the words, and how many bytes they have" {
            part words: Words<N, WORDS, KEEP>(cuts, omits) = { valid: accept, data, keep };
            part sums: Sums<N, SUMS> = { ..words(has_1, has_2, has_3, has_4) };
        }

        always "where the bytes go" {
            part valid_at_total: ValidDelayLine(total_at) = { reset, x: accept };
            part last_at_total: DelayLine<Bit>(total_at) = { x: last };
            part begins: Begins<N>(cuts) = {
                reset, valid: valid_at_total, last: last_at_total, ..sums(total),
            };
            part sums_wait: DelayRam<Bits<SUMS>, 4>(BEGINS_LATENCY) = { reset, x: sums };
            part places: Places<N, M, SUMS> = {
                sums: sums_wait, ..begins(less_1, less_2, less_3, less_4),
            };
        }

        always "the bytes" {
            wires planes: BytePlanes<N, WORDS> = { data };
            part scalars: DelayRam<Bits<SCALARS>, 4>(words::LATENCY + words_wait) = {
                reset, x: planes.get_bits::<SCALARS>(0),
            };
            wires marks: Stack<N, 5, MARKS> = {
                x[0]: words.ill, x[1]: words.has_1, x[2]: words.has_2, x[3]: words.has_3, x[4]: words.has_4,
            };
            part marks_wait: DelayRam<Bits<MARKS>, 4>(words_wait) = { reset, x: marks };
            wires mark: Unstack<N, 5, MARKS> = { x: marks_wait };
            part slots: Slots<N, SCALARS, T>(cuts) = {
                scalars, ill: mark[0], has_2: mark[2], has_3: mark[3], has_4: mark[4],
            };
            wires present: SlotLanes<N, M> = {
                x[0]: mark[4], x[1]: mark[3], x[2]: mark[2], x[3]: mark[1],
            };
            part network: Network<M, T> = {
                reset,
                arrival: begins.arrival,
                present,
                rank[i in 0..7]: places.rank[i],
                ..slots(planes),
            };
            part side_at_first: DelayRam<Sideband, 4>(first_at) = { reset, x: side };
            part ring: Ring<N, M, T, DATA>(cuts, to_ring, to_ring + 2) = {
                reset,
                ..begins(first, completes, ends, kept, count),
                side: side_at_first,
                now: network.out_this,
                then: network.out_next,
                planes: network.out_planes,
                ready,
            };
        }

        always "the verdict" {
            part valid_at_words: ValidDelayLine(words::LATENCY) = { reset, x: accept };
            part last_at_words: DelayLine<Bit>(words::LATENCY) = { x: last };
            wires wide_total: Widen<7, 8> = { x: sums.total };
            part verdict: Verdict<N>(cuts, counter_width) = {
                reset,
                valid: valid_at_words,
                last: last_at_words,
                ..words(present, ill, kind_0),
                kind_1: 0,
                kind_2: words.ill,
                total: wide_total,
            };
            part side_at_verdict: DelayRam<Sideband, 5>(verdict_latency(N)) = { reset, x: side };
        }

        /// A beat of bytes.
        out out_valid: Bit = ring.valid;
        out out_data: Bits<DATA> = ring.data;
        out out_keep = ring.keep;
        out out_last: Bit = ring.last;
        out out_side: Sideband = ring.out_side;
        /// The bytes of a beat are counted, and how many quarters it completes; a quarter has left.
        out counted: Bit = begins.counted;
        out count: Bits<3> = begins.count;
        out freed: Bit = ring.freed;
        /// A packet has ended, and its verdict.
        out verdict_valid: Bit = verdict.out_valid;
        out out_verdict: Bits<VERDICT_BITS> = verdict.fields;
        out verdict_side: Sideband = side_at_verdict;
    }
}
