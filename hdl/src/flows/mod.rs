//! `validate --flows`: messages of many flows whose beats interleave, one verdict per message.
//!
//! A message is the packets of a flow up to and including one whose last beat does not say `more`; it is judged as one packet
//! would be, and a sequence may straddle them. Read the parts in stream order: [`entry`] puts the last three bytes of the flow
//! before each beat, so that [`crate::pieces`] can take every beat as a packet by itself; [`sums`] adds up what is in it;
//! [`running`] has whether the flow's message is bad so far, and [`totals`] adds the sums to what the message has had. Each of them keeps
//! what it has in a [`table`], from which a flow is read and to which one is written back in every clock. [`tally`] brings what is in a beat to the counters, if there are registers.
//!
//! # Ports
//! Those of [`crate::config::ports::ports`]. The stream is only watched. `s_axis_tid` is the flow; of `s_axis_tuser`, bit 0 is `more`, bit 1
//! `open` (the flow's message begins anew with this beat: what it had is dropped), bit 2 `forget` (nothing of the flow is kept
//! after this beat, and no verdict is given). Each beat gives one on `m_axis_flow`, in order: whether it was `refused`,
//! and whether its flow's message is `bad` so far.
//!
//! # Ill-formed beats
//! A beat whose `tkeep` has a hole, or is partial without `tlast`, or whose `tid` is no flow, is refused: it is as if it had not
//! been there, but for its `m_axis_flow`.
//!
//! # Latency
//! [`latency`] clocks from a beat to what is known with it, or fewer as [`crate::schedule`] says: only stages of the pieces are merged. What is unfinished at its end is judged with the flow's next beat.
//!
//! # Reset
//! `rst` is synchronous and active high, and drops everything. The flows are forgotten in as many clocks after it; until then `flows_ready`
//! is low, and no beat is taken. So it is while `control.enable` of the registers is clear.
//!
//! # Verified by
//! `tests/flows.rs`: all interleavings of short messages of two flows, and lockstep of up to 1,024 flows.

pub mod entry;
pub mod kept;
pub mod running;
pub mod sums;
pub mod table;
pub mod tail;
pub mod tally;
pub mod totals;

use self::entry::Entry;
use self::running::Running;
use self::sums::{BAD_AHEAD, Sums};
use self::table::READ_LATENCY;
use self::tally::Tally;
use crate::config::Config;
use crate::config::bus::{IN_BITS, OUT_BITS};
use crate::csr::{self, Csr};
use crate::layout::VERDICT_BITS;
use crate::layout::{COMMAND_BITS, FLOW_BITS};
use crate::pieces::{self, Pieces, Rules};
use crate::primitives::Cuts;
use crate::primitives::delay::ValidDelayLine;
use crate::primitives::fanout::Clearing;
use crate::primitives::memory::DelayRam;
use crate::primitives::wires::Join;
use crate::verilog::Sideband;
use hdl_macros::stages;
use rust_hdl::prelude::*;

/// Clocks from a beat to what is known with it.
pub const fn latency(lanes: usize) -> usize {
    entry::LATENCY + pieces::LATENCY + sums::latency(lanes) + running::LATENCY
}

/// Clocks from a beat until it is in all counters.
pub const fn to_counters(lanes: usize) -> usize {
    latency(lanes) + csr::TO_COUNTERS
}

/// Clocks from a beat's pieces to whether it makes its message bad.
const fn pieces_to_bad(lanes: usize) -> usize {
    sums::latency(lanes) - BAD_AHEAD
}

/// Clocks that are left from there to the output registers, for what comes from the pins: it is not in the entry.
const BAD_TO_KNOWN: usize = entry::LATENCY + BAD_AHEAD + running::LATENCY - 1;

/// Both are asked for by the time that a message is known to be bad, whatever stages of the pieces are merged.
const _: () =
    assert!(pieces_to_bad(1) >= READ_LATENCY && pieces_to_bad(1) >= entry::SIGNATURE_LATE);

stages! {
    /// Validates the messages of flows whose beats come in any order. (`validate --flows`.) `M` is three more than `N`, and `WIDE` is
    /// `8 * M`.
    pub block Flows<
        const N: usize,
        const DATA: usize,
        const M: usize,
        const WIDE: usize,
        const CSR: usize,
    > {
        clock clk;
        given flows: usize;
        given counter_width: usize;
        /// Configuration: the stream has a `tready`; the pin means nothing otherwise.
        given stallable: bool;
        given config: &Config;
        /// Configuration: there are registers.
        given has_csr: bool = CSR > 0;
        /// Clocks from a beat's entry to its pieces, and to whether it makes its message bad.
        given to_pieces: usize = cuts.between(-1, 12);
        given to_bad: usize = to_pieces + pieces_to_bad(N);

        in rst: Bit;
        in s_axis_tvalid, s_axis_tready: Bit;
        in s_axis_tdata: Bits<DATA>;
        in s_axis_tkeep;
        in s_axis_tlast: Bit;
        in s_axis_flow: Bits<FLOW_BITS>;
        in s_axis_command: Bits<COMMAND_BITS>;
        in s_axis_side: Sideband;
        in s_axil_in: Bits<IN_BITS>;

        always "the beats, each with the bytes before it, and each a packet by itself" {
            /// Of all but the registers.
            let reset: Bit = csr[i].core_reset.or(rst);
            let taken: Bit = if stallable { s_axis_tvalid & s_axis_tready } else { s_axis_tvalid };
            part entry: Entry<N, DATA, M, WIDE>(Cuts::ALL, flows) = {
                reset,
                valid: taken,
                data: s_axis_tdata,
                keep: s_axis_tkeep,
                last: s_axis_tlast,
                flow: s_axis_flow,
                more: s_axis_command.get_bit(0),
                open: s_axis_command.get_bit(1),
                forget: s_axis_command.get_bit(2),
            };
            part pieces: Pieces<M, WIDE>(cuts, Rules::plain(Clearing::Never)) = {
                reset,
                valid: entry.out_valid,
                data: entry.out_data,
                keep: entry.out_keep,
                last: true,
            };
        }

        always "in step with the pieces, the flow's word and what makes a message bad" {
            wires ends: Join<1> = { x[0]: entry.ends };
            part ends_at_pieces: DelayRam<Bits<1>, 4>(to_pieces) = { reset, x: ends };
            /// A beat or a command comes to a flow, for what knows it when the beat makes its message bad.
            part touches: ValidDelayLine(to_bad - READ_LATENCY) = {
                reset,
                x: entry.touches,
            };
            part flow: DelayRam<Bits<FLOW_BITS>, 5>(to_bad - READ_LATENCY) = {
                reset,
                x: entry.out_flow,
            };
            /// It is a beat.
            part is_beat: ValidDelayLine(to_bad) = { reset, x: entry.is_beat };
            wires marks: Join<4> = {
                x[0]: entry.ends,
                x[1]: entry.opens,
                x[2]: entry.clears,
                x[3]: entry.refused,
            };
            part marks_with_bad: DelayRam<Bits<4>, 5>(to_bad) = { reset, x: marks };
            wires found: Join<1> = { x[0]: entry.signature };
            part signature: DelayRam<Bits<1>, 5>(to_bad - entry::SIGNATURE_LATE) = {
                reset,
                x: found,
            };
            /// From the pins, as long as the others are from the entry; and the rest, for one ring of it all would be twice as deep.
            part side_with_bad: DelayRam<Sideband, 5>(to_bad) = { reset, x: s_axis_side };
            part side_due: DelayRam<Sideband, 4>(BAD_TO_KNOWN) = {
                reset,
                x: side_with_bad,
            };
        }

        always "what a beat adds to its message" {
            part sums: Sums<N, M>(cuts) = {
                valid: pieces.out_valid,
                ends: ends_at_pieces.y.any(),
                was_bad: running.was_bad,
                open_8: pieces.open,
                present: pieces.present,
                scalar: pieces.scalar,
                ill: pieces.ill,
                kind_0: pieces.kind_0,
                kind_1: pieces.kind_1,
                kind_2: pieces.kind_2,
                second: pieces.second,
                length_1: pieces.length_1,
            };
            part running: Running(Cuts::ALL, flows, counter_width) = {
                reset,
                touch: touches,
                flow,
                is_beat,
                ends: marks_with_bad.y.get_bit(0),
                opens: marks_with_bad.y.get_bit(1),
                clears: marks_with_bad.y.get_bit(2),
                refused: marks_with_bad.y.get_bit(3),
                signature: signature.y.any(),
                bytes: sums.bytes,
                scalars: sums.scalars,
                ill_formed: sums.ill_formed,
                valid_up_to: sums.valid_up_to,
                bad: sums.bad,
                kind: sums.kind,
                error_len: sums.error_len,
            };
            /// What came with the beat, beside what is known of its flow, and beside its verdict.
            flow_side: Sideband = if running.due_beat { side_due } else { 0 };
            verdict_side: Sideband = if running.due { side_due } else { 0 };
            wires known: Join<8> = {
                x[0]: running.out_bad,
                x[1]: running.out_refused,
                x[2]: false,
                x[3]: false,
                x[4]: false,
                x[5]: false,
                x[6]: false,
                x[7]: false,
            };
        }

        always "the registers, and what they count" {
            for i in 0..CSR {
                part tally: Tally<N>(Cuts::ALL) = {
                    ill: sums.own_ills,
                    kind_0: sums.own_kinds_0,
                    kind_1: sums.own_kinds_1,
                    kind_2: sums.own_kinds_2,
                    ill_before: sums.before_ill,
                    kind_before: sums.before_kind,
                    bytes: sums.bytes,
                    scalars: sums.scalars,
                    is_beat: running.out_is_beat,
                    refused: running.out_refused,
                    message_ends: running.out_valid,
                    bad: running.out_bad,
                };
                // To a counter each beat is a packet. What comes out with a reset came in before it.
                part csr: Csr<0>(Cuts::ALL, config) = {
                    reset: rst,
                    pins_in: s_axil_in,
                    taken: false,
                    last: false,
                    restarts: true,
                    ends: tally[i].ends,
                    numbers: tally[i].numbers,
                    ones: tally[i].ones,
                    classes: 0,
                    reasons: 0,
                    dropped: false,
                    long: false,
                    fill: 0,
                    beat_error: running.out_is_beat & running.out_refused & !reset,
                };
            }
        }

        out flows_ready: Bit = if has_csr { entry.ready & !reset } else { entry.ready };
        // A reset by the registers comes to the core a clock late; meanwhile nothing that it shows is valid, or even defined.
        out m_axis_flow_tvalid: Bit =
            if has_csr { running.out_is_beat & !reset } else { running.out_is_beat };
        /// {refused, bad}
        out m_axis_flow_tdata: Bits<8> = known;
        out m_axis_flow_side: Sideband = flow_side;
        out m_axis_verdict_tvalid: Bit =
            if has_csr { running.out_valid & !reset } else { running.out_valid };
        out m_axis_verdict: Bits<VERDICT_BITS> = running.fields;
        out m_axis_verdict_side: Sideband = verdict_side;
        out s_axil_out: Bits<OUT_BITS> = csr[i].pins_out.or(0);
    }
}
