//! The AXI4-Stream form of `decode`: the same pipeline, with backpressure by credits.
//!
//! # Latency
//! [`super::pipeline::latency`] and [`crate::backpressure::FIFO_LATENCY`] clocks, fewer at a smaller depth; a beat in every clock while the sink
//! takes one.

use super::beat::UnpackBeat;
use super::dense;
use super::events::EventRule;
use super::pipeline::Pipeline;
use crate::backpressure::credits::Credits;
use crate::backpressure::fifo::Fifo;
use crate::backpressure::shallow::{self, Shallow};
use crate::contract::Contract;
use crate::primitives::Cuts;
use crate::primitives::wires::Lane;
use crate::verilog::Sideband;
use hdl_macros::stages;
use rust_hdl::prelude::*;

/// Address bits of a bank of the output FIFO: its words are more than the clocks from acceptance to a credit's return, so credits
/// never hold back a stream that the sink takes. At most 23 clocks if sparse, 45 if dense, and [`crate::backpressure::credits::MARGIN`].
pub const fn bank_address_bits(dense: bool) -> usize {
    if dense { 5 } else { 4 }
}

stages! {
    /// Bytes in, events out, as an AXI4-Stream block: the stages of decoding never stall, for credits keep room in the FIFO at their end.
    /// `A` is [`bank_address_bits`], `T` the FIFO's beats and `PART` the bits of a part of them, at the greatest depth.
    pub block DecodeAxis<
        const N: usize,
        const DATA: usize,
        const SCALARS: usize,
        const STACK: usize,
        const BEAT: usize,
        const WORDS: usize,
        const KEEP: usize,
        const USER: usize,
        const DENSE: usize,
        const A: usize,
        const T: usize,
        const PART: usize,
    > {
        given rule: EventRule;
        /// Configuration: the depth is not the greatest.
        given is_shallow: bool = cuts != Cuts::ALL;
        clock clk;

        in rst: Bit;
        in s_axis_tvalid: Bit;
        out s_axis_tready: Bit = ready;
        in s_axis_tdata: Bits<DATA>;
        in s_axis_tkeep;
        in s_axis_tlast: Bit;
        in s_axis_side: Sideband;
        out m_axis_tvalid: Bit = out_valid;
        in m_axis_tready: Bit;
        out m_axis_tdata: Bits<WORDS> = unpack.data;
        out m_axis_tkeep: Bits<KEEP> = unpack.keep;
        out m_axis_tlast: Bit = unpack.last;
        out m_axis_kinds: Bits<USER> = unpack.user;
        out m_axis_side: Sideband = out_side;
        /// A beat broke the stream's contract; no pin if it is not asked for.
        out beat_error: Bit = contract.beat_error;

        always {
            let accept: Bit = s_axis_tvalid & ready;
            part contract: Contract<N>(Cuts::ALL) = {
                reset: rst,
                taken: accept,
                keep: s_axis_tkeep,
                last: s_axis_tlast,
            };
            part pipeline: Pipeline<N, DATA, SCALARS, STACK, BEAT, DENSE>(cuts, rule) = {
                reset: rst,
                valid: accept,
                data: s_axis_tdata,
                keep: s_axis_tkeep,
                last: s_axis_tlast,
                side: s_axis_side,
            };
            part fifo: Fifo<BEAT, A, T, PART>(cuts) = {
                reset: rst,
                push: pipeline.out_valid,
                beat: pipeline.beat,
                side: pipeline.out_side,
                ready: m_axis_tready,
            };
            part shallow: Shallow<BEAT>(shallow::words(
                cuts.between(-1, 13) + DENSE * (dense::latency(N) + dense::KEPT_CREDITS),
            )) = {
                reset: rst,
                spent: accept & (s_axis_tlast | first_lane),
                retired: pipeline.retired,
                push: pipeline.out_valid,
                beat: pipeline.beat,
                side: pipeline.out_side,
                ready: m_axis_tready,
            };
            let out_valid: Bit = if is_shallow { shallow.valid } else { fifo.valid };
            let out_beat: Bits<BEAT> = if is_shallow { shallow.out_beat } else { fifo.out_beat };
            let out_side: Sideband = if is_shallow { shallow.out_side } else { fifo.out_side };
            wires unpack: UnpackBeat<N, BEAT, WORDS, KEEP, USER>(rule.swaps) = { beat: out_beat };
            wires first_lane: Lane<N>(0) = { x: s_axis_tkeep };
            part credits: Credits<T> = {
                reset: rst,
                spent: accept & (s_axis_tlast | first_lane),
                retired: pipeline.retired,
                returned: fifo.read,
            };
            /// `s_axis_tready`: there are credits enough.
            state ready: Bit = if rst {
                false
            } else if is_shallow {
                shallow.enough
            } else {
                credits.enough
            };
        }
    }
}
