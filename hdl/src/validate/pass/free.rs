//! The free-running form of `pass`: a beat in every clock, no backpressure.

use super::Passing;
use super::bytes::UnpackBytes;
use crate::config::Config;
use crate::config::bus::{IN_BITS, OUT_BITS};
use crate::contract::Contract;
use crate::csr::Csr;
use crate::csr::stage::Stage;
use crate::layout::{FURTHER_BITS, VERDICT_BITS, WINDOW_BITS};
use crate::primitives::Cuts;
use crate::sideband::early_bit;
use crate::verilog::Sideband;
use hdl_macros::stages;
use rust_hdl::prelude::*;

stages! {
    /// Passes packets on, each with a mark if it is bad, and gives verdicts. (`validate --mode pass --form free`.)
    pub block PassFree<const N: usize, const DATA: usize, const BEAT: usize, const CSR: usize> {
        given counter_width: usize;
        given config: &Config;
        clock clk;

        in rst: Bit;
        in s_axis_tvalid: Bit;
        in s_axis_tdata: Bits<DATA>;
        in s_axis_tkeep;
        in s_axis_tlast: Bit;
        in s_axis_side: Sideband;
        // Where the packet's text is; the low bits of `s_axis_tuser`.
        in s_axis_window: Bits<WINDOW_BITS>;
        /// The reset comes to the core a clock late, with registers; meanwhile nothing that it shows is valid, or even defined.
        out m_axis_tvalid: Bit = passing.out_valid & !core_reset;
        out m_axis_tdata: Bits<DATA> = unpack.data;
        out m_axis_tkeep = unpack.keep;
        out m_axis_tlast: Bit = unpack.last;
        out m_axis_side: Sideband = passing.out_side;
        out m_axis_verdict_tvalid: Bit = passing.verdict_valid & !core_reset;
        out m_axis_verdict: Bits<VERDICT_BITS> = passing.verdict;
        /// The verdict's further words; no pins of their own.
        out m_axis_further: Bits<FURTHER_BITS> = passing.further;
        out m_axis_verdict_side: Sideband = passing.verdict_side;
        in s_axil_in: Bits<IN_BITS>;
        out s_axil_out: Bits<OUT_BITS> = csr[i].pins_out.or(0);
        /// A beat broke the stream's contract; no pin if it is not asked for.
        out beat_error: Bit = contract.beat_error;

        always {
            let core_reset: Bit = csr[i].core_reset.or(false);
            part contract: Contract<N>(Cuts::ALL) = {
                reset: rst,
                taken: s_axis_tvalid,
                keep: s_axis_tkeep,
                last: s_axis_tlast,
            };
            for i in 0..CSR {
                part csr: Csr<1>(cuts, config) = {
                    reset: rst,
                    pins_in: s_axil_in,
                    taken: stage[i].late_taken,
                    last: stage[i].late_last,
                    ..passing(restarts, ends, numbers, ones, classes, reasons),
                    dropped: false,
                    long: false,
                    fill: 0,
                    ..contract(beat_error),
                };
            }
            for i in 0..CSR {
                part stage: Stage<N, DATA>(cuts) = {
                    taken: s_axis_tvalid,
                    data: s_axis_tdata,
                    keep: s_axis_tkeep,
                    last: s_axis_tlast,
                    side: s_axis_side,
                    window: s_axis_window,
                };
            }
            part passing: Passing<N, DATA, BEAT, CSR>(
                cuts, counter_width, config.core.grammar(), config.core.policy(), early_bit(config),
                config.closes(),
            ) = {
                reset: csr[i].core_reset.or(rst),
                valid: stage[i].late_taken.or(s_axis_tvalid),
                data: stage[i].late_data.or(s_axis_tdata),
                keep: stage[i].late_keep.or(s_axis_tkeep),
                last: stage[i].late_last.or(s_axis_tlast),
                side: stage[i].late_side.or(s_axis_side),
                window: stage[i].late_window.or(s_axis_window),
                looks: csr[i].looks.or(true),
                watched: csr[i].watched.or(0),
                closes: 0,
                ports: csr[i].ports.or(0),
            };
            wires unpack: UnpackBytes<N, DATA, BEAT> = { ..passing(beat) };
        }
    }
}
