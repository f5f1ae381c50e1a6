//! The AXI4-Stream form of `sanitise` with question marks: both streams have their FIFO, and a beat is accepted if both have room.

use super::{Sanitise, repair};
use crate::backpressure::credits::Credits;
use crate::backpressure::fifo::{Fifo, capacity};
use crate::backpressure::shallow::{self, Shallow};
use crate::config::{Config, Grammar};
use crate::contract::Contract;
use crate::decode::axis::bank_address_bits;
use crate::layout::{VERDICT_BITS, WINDOW_BITS};
use crate::primitives::Cuts;
use crate::primitives::wires::{Lane, LaneBytes};
use crate::validate::pass::axis::{VERDICT_ADDRESS_BITS, VERDICT_BEATS, VERDICT_PART};
use crate::validate::pass::bytes::{PackBytes, UnpackBytes};
use crate::validate::verdict;
use crate::verilog::Sideband;
use hdl_macros::stages;
use rust_hdl::prelude::*;

/// Address bits of a bank of the FIFO of bytes: they are as late as the events of `decode`.
const ADDRESS_BITS: usize = bank_address_bits(false);
const BEATS: usize = capacity(ADDRESS_BITS);

stages! {
    /// Puts question marks in the place of what is ill-formed, and gives verdicts. (`sanitise --replace ascii --form axis`.)
    /// `PART` is the bits of a part of a beat.
    pub block SanitiseAxis<
        const N: usize, const DATA: usize, const BEAT: usize, const PART: usize,
    > {
        given counter_width: usize;
        given config: &Config;
        /// Clocks to the first stage that judges.
        given ahead: usize = config.core.policy().clocks_to_pieces();
        /// Configuration: the FIFOs are as long as the clocks before them ask for.
        given is_shallow: bool = config.has_shallow_fifo();
        clock clk;

        in rst: Bit;
        in s_axis_tvalid: Bit;
        out s_axis_tready: Bit = ready;
        in s_axis_tdata: Bits<DATA>;
        in s_axis_tkeep;
        in s_axis_tlast: Bit;
        in s_axis_side: Sideband;
        // Where the packet's text is; the low bits of `s_axis_tuser`.
        in s_axis_window: Bits<WINDOW_BITS>;
        out m_axis_tvalid: Bit = bytes_valid;
        in m_axis_tready: Bit;
        out m_axis_tdata: Bits<DATA> = unpack.data;
        out m_axis_tkeep = unpack.keep;
        out m_axis_tlast: Bit = unpack.last;
        out m_axis_side: Sideband = bytes_side;
        out m_axis_verdict_tvalid: Bit = verdict_valid;
        in m_axis_verdict_tready: Bit;
        out m_axis_verdict: Bits<VERDICT_BITS> = verdict;
        out m_axis_verdict_side: Sideband = verdict_side;
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
            part core: Sanitise<N, DATA>(cuts, false, counter_width, config.core.policy()) = {
                reset: rst,
                valid: accept,
                data: s_axis_tdata,
                keep: s_axis_tkeep,
                last: s_axis_tlast,
                side: s_axis_side,
                window: s_axis_window,
            };
            wires bytes: LaneBytes<N, DATA> = { planes: core.repaired };
            wires pack: PackBytes<N, DATA, BEAT> = {
                data: bytes, keep: core.out_keep, last: core.out_last,
            };
            part fifo: Fifo<BEAT, ADDRESS_BITS, BEATS, PART>(cuts) = {
                reset: rst,
                push: core.out_valid,
                beat: pack.beat,
                side: core.out_side,
                ready: m_axis_tready,
            };
            part shallow_bytes: Shallow<BEAT>(shallow::words(ahead + repair::LATENCY)) = {
                reset: rst,
                spent: accept & (s_axis_tlast | first_lane),
                retired: false,
                push: core.out_valid,
                beat: pack.beat,
                side: core.out_side,
                ready: m_axis_tready,
            };
            let bytes_valid: Bit = if is_shallow { shallow_bytes.valid } else { fifo.valid };
            let bytes_beat: Bits<BEAT> = if is_shallow {
                shallow_bytes.out_beat
            } else {
                fifo.out_beat
            };
            let bytes_side: Sideband = if is_shallow {
                shallow_bytes.out_side
            } else {
                fifo.out_side
            };
            wires unpack: UnpackBytes<N, DATA, BEAT> = { beat: bytes_beat };
            wires first_lane: Lane<N>(0) = { x: s_axis_tkeep };
            part credits: Credits<BEATS> = {
                reset: rst,
                spent: accept & (s_axis_tlast | first_lane),
                retired: false,
                returned: fifo.read,
            };
            part verdict_fifo: Fifo<
                VERDICT_BITS,
                VERDICT_ADDRESS_BITS,
                VERDICT_BEATS,
                VERDICT_PART,
            >(cuts) = {
                reset: rst,
                push: core.verdict_valid,
                beat: core.verdict,
                side: core.verdict_side,
                ready: m_axis_verdict_tready,
            };
            part verdict_credits: Credits<VERDICT_BEATS> = {
                reset: rst,
                spent: accept & s_axis_tlast,
                retired: false,
                returned: verdict_fifo.read,
            };
            part shallow_verdict: Shallow<VERDICT_BITS>(shallow::words(
                ahead + verdict::stages(cuts, N, Grammar::Rfc3629).between(-1, 34),
            )) = {
                reset: rst,
                spent: accept & s_axis_tlast,
                retired: false,
                push: core.verdict_valid,
                beat: core.verdict,
                side: core.verdict_side,
                ready: m_axis_verdict_tready,
            };
            let verdict_valid: Bit = if is_shallow {
                shallow_verdict.valid
            } else {
                verdict_fifo.valid
            };
            let verdict: Bits<VERDICT_BITS> = if is_shallow {
                shallow_verdict.out_beat
            } else {
                verdict_fifo.out_beat
            };
            let verdict_side: Sideband = if is_shallow {
                shallow_verdict.out_side
            } else {
                verdict_fifo.out_side
            };
            /// `s_axis_tready`: there are credits enough.
            state ready: Bit = if rst {
                false
            } else if is_shallow {
                shallow_bytes.enough & shallow_verdict.enough
            } else {
                credits.enough & verdict_credits.enough
            };
        }
    }
}
