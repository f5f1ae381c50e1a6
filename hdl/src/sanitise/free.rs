//! The free-running form of `sanitise`: question marks only, a beat in every clock, no backpressure.

use super::Sanitise;
use crate::config::Policy;
use crate::contract::Contract;
use crate::layout::{VERDICT_BITS, WINDOW_BITS};
use crate::primitives::Cuts;
use crate::primitives::wires::LaneBytes;
use crate::verilog::Sideband;
use hdl_macros::stages;
use rust_hdl::prelude::*;

stages! {
    /// Puts question marks in the place of what is ill-formed, and gives verdicts. (`sanitise --replace ascii --form free`.)
    pub block SanitiseFree<const N: usize, const DATA: usize> {
        given counter_width: usize;
        given policy: Policy;
        clock clk;

        in rst: Bit;
        in s_axis_tvalid: Bit;
        in s_axis_tdata: Bits<DATA>;
        in s_axis_tkeep;
        in s_axis_tlast: Bit;
        in s_axis_side: Sideband;
        // Where the packet's text is; the low bits of `s_axis_tuser`.
        in s_axis_window: Bits<WINDOW_BITS>;

        always {
            part contract: Contract<N>(Cuts::ALL) = {
                reset: rst,
                taken: s_axis_tvalid,
                keep: s_axis_tkeep,
                last: s_axis_tlast,
            };
            part core: Sanitise<N, DATA>(cuts, false, counter_width, policy) = {
                reset: rst,
                valid: s_axis_tvalid,
                data: s_axis_tdata,
                keep: s_axis_tkeep,
                last: s_axis_tlast,
                side: s_axis_side,
                window: s_axis_window,
            };
            wires bytes: LaneBytes<N, DATA> = { planes: core.repaired };
        }

        out m_axis_tvalid: Bit = core.out_valid;
        out m_axis_tdata: Bits<DATA> = bytes;
        out m_axis_tkeep = core.out_keep;
        out m_axis_tlast: Bit = core.out_last;
        out m_axis_side: Sideband = core.out_side;
        out m_axis_verdict_tvalid: Bit = core.verdict_valid;
        out m_axis_verdict: Bits<VERDICT_BITS> = core.verdict;
        out m_axis_verdict_side: Sideband = core.verdict_side;
        /// A beat broke the stream's contract; no pin if it is not asked for.
        out beat_error: Bit = contract.beat_error;
    }
}
