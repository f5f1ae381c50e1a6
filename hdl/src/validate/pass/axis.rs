//! The AXI4-Stream form of `pass`: both streams have their FIFO, and a beat is accepted if both have room.

use super::Passing;
use super::bytes::UnpackBytes;
use crate::backpressure::block_fifo::BlockFifo;
use crate::backpressure::credits::Credits;
use crate::backpressure::fifo::{Fifo, capacity};
use crate::backpressure::packet_fifo::PacketFifo;
use crate::backpressure::shallow::{self, Shallow};
use crate::config::Config;
use crate::config::bus::{IN_BITS, OUT_BITS};
use crate::contract::Contract;
use crate::csr::Csr;
use crate::layout::{FURTHER_BITS, PORTS_BITS, VERDICT_BITS, WINDOW_BITS};
use crate::primitives::Cuts;
use crate::sideband::early_bit;
use crate::validate::fields::{Lengthen, Shorten};
use crate::validate::verdict;
use crate::verilog::Sideband;
use hdl_macros::stages;
use rust_hdl::prelude::*;

/// Address bits of a bank of the FIFO of what passes, and of that of the verdicts: their words are more than the clocks from
/// acceptance to a credit's return (29 and 52 at most) and the margin, so credits never hold back streams that their sinks take.
pub const PASS_ADDRESS_BITS: usize = 5;
pub const VERDICT_ADDRESS_BITS: usize = 5;
const PASS_BEATS: usize = capacity(PASS_ADDRESS_BITS);
pub const VERDICT_BEATS: usize = capacity(VERDICT_ADDRESS_BITS);
/// Bits of a part of a verdict: one of its words, with 16 memories for an address.
pub const VERDICT_PART: usize = 32;

stages! {
    /// Passes packets on as an AXI4-Stream block, a bad one with a mark or not at all, and gives verdicts. (`validate --mode pass` and
    /// `--mode drop`, `--form axis`.) `PART` is the bits of a part of a beat.
    pub block PassAxis<
        const N: usize, const DATA: usize, const BEAT: usize, const CSR: usize, const LONG: usize,
        const PART: usize,
    > {
        given counter_width: usize;
        given config: &Config;
        /// Clocks that a window takes.
        given ahead: usize = config.core.policy().clocks_to_pieces();
        /// Configuration: the FIFO is as long as the clocks before it ask for.
        given is_shallow: bool = config.has_shallow_fifo();
        /// Configuration: bad packets are dropped; the words of the memory, and the beats of the longest one.
        given drops: bool = config.core.packet_memory(N).is_some();
        given dropping: usize = usize::from(drops);
        given memory: (usize, usize) = config.core.packet_memory(N).unwrap_or((16, 1));
        /// Configuration: a verdict has further words, of `LONG` bits in all.
        given is_long: bool = config.core.verdict_bits() > VERDICT_BITS;
        /// The verdicts' side signals have no `tuser`, but those of what passes have the mark in it.
        given marks_only: bool = config.side.user == 0;
        given keeping_long: usize = usize::from(drops && is_long);
        given keeping_short: usize = usize::from(drops && !is_long);
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
        /// The reset comes to the core a clock late, with registers; meanwhile nothing that it shows is valid, or even defined.
        out m_axis_tvalid: Bit = pass_valid & !core_reset;
        in m_axis_tready: Bit;
        out m_axis_tdata: Bits<DATA> = unpack.data;
        out m_axis_tkeep = unpack.keep;
        out m_axis_tlast: Bit = unpack.last;
        out m_axis_side: Sideband = pass_side;
        out m_axis_verdict_tvalid: Bit = verdict_valid & !core_reset;
        in m_axis_verdict_tready: Bit;
        out m_axis_verdict: Bits<VERDICT_BITS> = verdict;
        /// The verdict's further words; no pins of their own.
        out m_axis_further: Bits<FURTHER_BITS> = if is_long { shorten.further } else { 0 };
        out m_axis_verdict_side: Sideband = verdict_side;
        in s_axil_in: Bits<IN_BITS>;
        out s_axil_out: Bits<OUT_BITS> = csr[i].pins_out.or(0);
        /// A beat broke the stream's contract; no pin if it is not asked for.
        out beat_error: Bit = contract.beat_error;

        always {
            let core_reset: Bit = csr[i].core_reset.or(false);
            let reset: Bit = csr[i].core_reset.or(rst);
            let looks: Bit = csr[i].looks.or(true);
            let watched: Bits<8> = csr[i].watched.or(0);
            let closes: Bits<8> = csr[i].closes.or(0);
            let ports: Bits<PORTS_BITS> = csr[i].ports.or(0);
            let accept: Bit = s_axis_tvalid & ready;
            part contract: Contract<N>(Cuts::ALL) = {
                reset: rst,
                taken: accept,
                keep: s_axis_tkeep,
                last: s_axis_tlast,
            };
            for i in 0..CSR {
                part csr: Csr<1>(cuts, config) = {
                    reset: rst,
                    pins_in: s_axil_in,
                    taken: accept,
                    last: s_axis_tlast,
                    ..passing(restarts, ends, numbers, ones, classes, reasons),
                    ..contract(beat_error),
                    dropped: packets[i].dropped.or(false),
                    long: packets[i].long.or(false),
                    fill: packets[i].fill.or(0),
                };
            }
            part passing: Passing<N, DATA, BEAT, CSR>(
                cuts, counter_width, config.core.grammar(), config.core.policy(), early_bit(config),
                config.closes(),
            ) = {
                reset,
                valid: accept,
                data: s_axis_tdata,
                keep: s_axis_tkeep,
                last: s_axis_tlast,
                side: s_axis_side,
                window: s_axis_window,
                looks,
                watched,
                closes,
                ports,
            };
            part pass_fifo: Fifo<BEAT, PASS_ADDRESS_BITS, PASS_BEATS, PART>(cuts) = {
                reset,
                push: passing.out_valid,
                beat: passing.beat,
                side: passing.out_side,
                ready: m_axis_tready,
            };
            part shallow_pass: Shallow<BEAT>(shallow::words(
                ahead + verdict::stages(cuts, N, config.core.grammar()).between(-1, 20) + 1,
            )) = {
                reset,
                spent: accept,
                retired: false,
                push: passing.out_valid,
                beat: passing.beat,
                side: passing.out_side,
                ready: m_axis_tready,
            };
            // Parts only of a core that drops: nothing takes out two that nobody but each other reads.
            for i in 0..dropping {
                part packets: PacketFifo<BEAT>(memory.0, memory.1) = {
                    reset,
                    spent: accept,
                    push: passing.out_valid,
                    beat: passing.beat,
                    side: passing.out_side,
                    ready: m_axis_tready,
                };
            }
            let kept_valid: Bit = packets[i].valid.or(false);
            let kept_beat: Bits<BEAT> = packets[i].out_beat.or(0);
            let kept_side: Sideband = packets[i].out_side.or(0);
            let packets_room: Bit = packets[i].room.or(false);
            let pass_valid: Bit = if drops {
                kept_valid
            } else if is_shallow {
                shallow_pass.valid
            } else {
                pass_fifo.valid
            };
            let pass_side: Sideband = if drops {
                kept_side
            } else if is_shallow {
                shallow_pass.out_side
            } else {
                pass_fifo.out_side
            };
            let pass_beat: Bits<BEAT> = if drops {
                kept_beat
            } else if is_shallow {
                shallow_pass.out_beat
            } else {
                pass_fifo.out_beat
            };
            wires unpack: UnpackBytes<N, DATA, BEAT> = { beat: pass_beat };
            part pass_credits: Credits<PASS_BEATS> = {
                reset,
                spent: accept,
                retired: false,
                returned: pass_fifo.read,
            };
            part verdict_fifo: Fifo<
                VERDICT_BITS,
                VERDICT_ADDRESS_BITS,
                VERDICT_BEATS,
                VERDICT_PART,
            >(cuts) = {
                reset,
                push: passing.verdict_valid,
                beat: passing.verdict,
                side: passing.verdict_side,
                ready: m_axis_verdict_tready,
            };
            /// What is not looked at gives no verdict.
            part verdict_credits: Credits<VERDICT_BEATS> = {
                reset,
                spent: accept & s_axis_tlast & looks,
                retired: false,
                returned: if is_long { long_fifo.read } else { verdict_fifo.read },
            };
            part shallow_verdict: Shallow<VERDICT_BITS>(shallow::words(
                ahead + verdict::stages(cuts, N, config.core.grammar()).between(-1, 34),
            )) = {
                reset,
                spent: accept & s_axis_tlast & looks,
                retired: false,
                push: passing.verdict_valid,
                beat: passing.verdict,
                side: passing.verdict_side,
                ready: m_axis_verdict_tready,
            };
            /// The same with further words.
            wires lengthen: Lengthen<LONG> = {
                verdict: passing.verdict, further: passing.further,
            };
            part long_fifo: Fifo<LONG, VERDICT_ADDRESS_BITS, VERDICT_BEATS, VERDICT_PART>(cuts) = {
                reset,
                push: passing.verdict_valid,
                beat: lengthen.fields,
                side: passing.verdict_side,
                ready: m_axis_verdict_tready,
            };
            part shallow_long: Shallow<LONG>(shallow::words(
                ahead + verdict::stages(cuts, N, config.core.grammar()).between(-1, 34),
            )) = {
                reset,
                spent: accept & s_axis_tlast & looks,
                retired: false,
                push: passing.verdict_valid,
                beat: lengthen.fields,
                side: passing.verdict_side,
                ready: m_axis_verdict_tready,
            };
            for i in 0..keeping_short {
                part kept_verdict: BlockFifo<VERDICT_BITS>(marks_only) = {
                    reset,
                    spent: accept & s_axis_tlast & looks,
                    push: passing.verdict_valid,
                    beat: passing.verdict,
                    side: passing.verdict_side,
                    ready: m_axis_verdict_tready,
                };
            }
            for i in 0..keeping_long {
                part kept_long: BlockFifo<LONG>(marks_only) = {
                    reset,
                    spent: accept & s_axis_tlast & looks,
                    push: passing.verdict_valid,
                    beat: lengthen.fields,
                    side: passing.verdict_side,
                    ready: m_axis_verdict_tready,
                };
            }
            let kept_long_valid: Bit = kept_long[i].valid.or(false);
            let kept_long_beat: Bits<LONG> = kept_long[i].out_beat.or(0);
            let kept_long_side: Sideband = kept_long[i].out_side.or(0);
            let kept_long_room: Bit = kept_long[i].room.or(false);
            let kept_verdict_valid: Bit = kept_verdict[i].valid.or(false);
            let kept_verdict_beat: Bits<VERDICT_BITS> = kept_verdict[i].out_beat.or(0);
            let kept_verdict_side: Sideband = kept_verdict[i].out_side.or(0);
            let kept_verdict_room: Bit = kept_verdict[i].room.or(false);
            let long: Bits<LONG> = if drops {
                kept_long_beat
            } else if is_shallow {
                shallow_long.out_beat
            } else {
                long_fifo.out_beat
            };
            wires shorten: Shorten<LONG> = { fields: long };
            let verdict_valid: Bit = if drops {
                kept_long_valid | kept_verdict_valid
            } else if is_shallow & is_long {
                shallow_long.valid
            } else if is_shallow {
                shallow_verdict.valid
            } else if is_long {
                long_fifo.valid
            } else {
                verdict_fifo.valid
            };
            let verdict: Bits<VERDICT_BITS> = if is_long {
                shorten.verdict
            } else if drops {
                kept_verdict_beat
            } else if is_shallow {
                shallow_verdict.out_beat
            } else {
                verdict_fifo.out_beat
            };
            let verdict_side: Sideband = if drops & is_long {
                kept_long_side
            } else if drops {
                kept_verdict_side
            } else if is_shallow & is_long {
                shallow_long.out_side
            } else if is_shallow {
                shallow_verdict.out_side
            } else if is_long {
                long_fifo.out_side
            } else {
                verdict_fifo.out_side
            };
            let verdict_enough: Bit = if drops {
                kept_long_room | kept_verdict_room
            } else if is_long {
                shallow_long.enough
            } else {
                shallow_verdict.enough
            };
            let pass_enough: Bit = if drops {
                packets_room
            } else if is_shallow {
                shallow_pass.enough
            } else {
                pass_credits.enough
            };
            /// What comes with a late reset would be lost.
            let will_reset: Bit = csr[i].will_reset.or(false);
            /// `s_axis_tready`: there is room for what enters.
            state ready: Bit = if reset | will_reset {
                false
            } else if drops | is_shallow {
                pass_enough & verdict_enough
            } else {
                pass_enough & verdict_credits.enough
            };
        }
    }
}
