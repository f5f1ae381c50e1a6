//! The AXI4-Stream form of `encode`, its only one; and of `sanitise` if it packs its bytes.

use super::contract::WordContract;
use super::pipeline::{Pipeline, is_bytes, known};
use super::room::{OF_BYTES, OF_LONG_WORDS, OF_WORDS, Room};
use super::slots::SLOTS;
use super::words::WordRule;
use crate::backpressure::credits::Credits;
use crate::backpressure::fifo::{Fifo, capacity};
use crate::config::Policy;
use crate::contract::Contract;
use crate::layout::VERDICT_BITS;
use crate::primitives::wires::Low;
use crate::validate::pass::axis::{VERDICT_ADDRESS_BITS, VERDICT_BEATS, VERDICT_PART};
use crate::validate::pass::bytes::UnpackBytes;
use crate::verilog::Sideband;
use hdl_macros::stages;
use rust_hdl::prelude::*;

/// Address bits of a bank of the FIFO of the bytes: its words are more than the clocks from a credit's spending to its return.
pub const ADDRESS_BITS: usize = 4;
const BEATS: usize = capacity(ADDRESS_BITS);

/// How many quarters of the ring a beat may need.
const fn of_beat<const N: usize>(words: usize, slots: usize) -> u64 {
    if is_bytes::<N>(words) {
        OF_BYTES
    } else if slots > SLOTS {
        OF_LONG_WORDS
    } else {
        OF_WORDS
    }
}

stages! {
    /// Encodes words, or repairs bytes, and gives verdicts. (`encode --form axis`, `sanitise --replace fffd --form axis`.) The parameters
    /// are those of [`Pipeline`], and `PART` is the bits of a part of a beat of bytes.
    pub block EncodeAxis<
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
        const PART: usize,
    > {
        given rule: WordRule;
        given strip: bool;
        given policy: Policy;
        given counter_width: usize;
        clock clk;

        in rst: Bit;
        in s_axis_tvalid: Bit;
        out s_axis_tready: Bit = ready;
        in s_axis_tdata: Bits<WORDS>;
        in s_axis_tkeep: Bits<KEEP>;
        in s_axis_tlast: Bit;
        in s_axis_side: Sideband;
        out m_axis_tvalid: Bit = fifo.valid;
        in m_axis_tready: Bit;
        out m_axis_tdata: Bits<DATA> = unpack.data;
        out m_axis_tkeep = unpack.keep;
        out m_axis_tlast: Bit = unpack.last;
        out m_axis_side: Sideband = fifo.out_side;
        out m_axis_verdict_tvalid: Bit = verdict_fifo.valid;
        in m_axis_verdict_tready: Bit;
        out m_axis_verdict: Bits<VERDICT_BITS> = verdict_fifo.out_beat;
        out m_axis_verdict_side: Sideband = verdict_fifo.out_side;
        /// A beat broke the stream's contract; no pin if it is not asked for.
        out beat_error: Bit = of_bytes[i].beat_error.or(contract.beat_error);

        always {
            let accept: Bit = s_axis_tvalid & ready;
            part contract: WordContract<N, KEEP>(cuts) = {
                reset: rst, taken: accept, keep: s_axis_tkeep,
            };
            wires octet_lanes: Low<KEEP, N> = { x: s_axis_tkeep };
            for i in 0..usize::from(is_bytes::<N>(WORDS)) {
                part of_bytes: Contract<N>(cuts) = {
                    reset: rst, taken: accept, keep: octet_lanes, last: s_axis_tlast,
                };
            }
            part pipeline: Pipeline<
                N,
                WORDS,
                KEEP,
                UPPER,
                SCALARS,
                SUMS,
                MARKS,
                LATER,
                M,
                T,
                DATA,
                BEAT,
                TURN,
            >(cuts, rule, strip, policy, counter_width) = {
                reset: rst,
                accept,
                data: s_axis_tdata,
                keep: s_axis_tkeep,
                last: s_axis_tlast,
                side: s_axis_side,
                may_leave,
            };
            part fifo: Fifo<BEAT, ADDRESS_BITS, BEATS, PART>(cuts) = {
                reset: rst,
                push: pipeline.out_valid,
                beat: pipeline.beat,
                side: pipeline.out_side,
                ready: m_axis_tready,
            };
            part credits: Credits<BEATS> = {
                reset: rst,
                spent: pipeline.freed,
                retired: false,
                returned: fifo.read,
            };
            /// The FIFO has room for a beat of bytes.
            state may_leave: Bit = if rst { false } else { credits.enough };
            wires unpack: UnpackBytes<N, DATA, BEAT> = { beat: fifo.out_beat };
            part room: Room(cuts, known::<N>(WORDS), of_beat::<N>(WORDS, M / N)) = {
                reset: rst, taken: pipeline.is_beat, ..pipeline(counted, count, freed),
            };
            part verdict_fifo: Fifo<
                VERDICT_BITS,
                VERDICT_ADDRESS_BITS,
                VERDICT_BEATS,
                VERDICT_PART,
            >(cuts) = {
                reset: rst,
                push: pipeline.verdict_valid,
                beat: pipeline.out_verdict,
                side: pipeline.verdict_side,
                ready: m_axis_verdict_tready,
            };
            part verdict_credits: Credits<VERDICT_BEATS> = {
                reset: rst,
                spent: accept & s_axis_tlast,
                retired: false,
                returned: verdict_fifo.read,
            };
            /// `s_axis_tready`: there is room for the bytes, and for a verdict.
            state ready: Bit = if rst { false } else { room.enough & verdict_credits.enough };
        }
    }
}
