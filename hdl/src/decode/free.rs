//! The free-running form of `decode`: the pipeline between pins, a beat in every clock, no backpressure.

use super::beat::UnpackBeat;
use super::events::EventRule;
use super::pipeline::Pipeline;
use crate::contract::Contract;
use crate::primitives::Cuts;
use crate::verilog::Sideband;
use hdl_macros::stages;
use rust_hdl::prelude::*;

stages! {
    /// Bytes in, events out, without `tready`: for a sink that never stalls.
    pub block DecodeFree<
        const N: usize,
        const DATA: usize,
        const SCALARS: usize,
        const STACK: usize,
        const BEAT: usize,
        const WORDS: usize,
        const KEEP: usize,
        const USER: usize,
        const DENSE: usize,
    > {
        given rule: EventRule;
        clock clk;

        in rst: Bit;
        in s_axis_tvalid: Bit;
        in s_axis_tdata: Bits<DATA>;
        in s_axis_tkeep;
        in s_axis_tlast: Bit;
        in s_axis_side: Sideband;

        always {
            part contract: Contract<N>(Cuts::ALL) = {
                reset: rst,
                taken: s_axis_tvalid,
                keep: s_axis_tkeep,
                last: s_axis_tlast,
            };
            part pipeline: Pipeline<N, DATA, SCALARS, STACK, BEAT, DENSE>(cuts, rule) = {
                reset: rst,
                valid: s_axis_tvalid,
                data: s_axis_tdata,
                keep: s_axis_tkeep,
                last: s_axis_tlast,
                side: s_axis_side,
            };
            wires unpack: UnpackBeat<N, BEAT, WORDS, KEEP, USER>(rule.swaps) = { ..pipeline(beat) };
        }

        out m_axis_tvalid: Bit = pipeline.out_valid;
        out m_axis_tdata: Bits<WORDS> = unpack.data;
        out m_axis_tkeep: Bits<KEEP> = unpack.keep;
        out m_axis_tlast: Bit = unpack.last;
        out m_axis_kinds: Bits<USER> = unpack.user;
        out m_axis_side: Sideband = pipeline.out_side;
        /// A beat broke the stream's contract; no pin if it is not asked for.
        out beat_error: Bit = contract.beat_error;
    }
}
