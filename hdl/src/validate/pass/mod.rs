//! `validate` within a stream: packets pass through, and a bad one is marked in its last beat.
//!
//! A packet's bytes, `tid`, `tdest` and `tuser` are unchanged but for bit 0 of `tuser` with `tlast`. They wait in a ring until it
//! is known whether the packet is bad, a constant number of clocks: only unfinished sequences ever wait for a next beat, and a
//! packet's last beat has none.

pub mod axis;
pub mod bytes;
pub mod free;

use self::bytes::{LeavingBytes, PackBytes};
use super::Validate;
use super::verdict;
use crate::config::{Grammar, Policy};
use crate::csr::map::COUNTERS;
use crate::csr::reasons::COUNT as REASONS;
use crate::csr::tally::NUMBERS;
use crate::frames;
use crate::layout::{FURTHER_BITS, PORTS_BITS, VERDICT_BITS, WINDOW_BITS};
use crate::primitives::delay::{DelayLine, ValidDelayLine};
use crate::primitives::fanout::is_far;
use crate::primitives::memory::{BankedDelayRam, DelayRam};
use crate::sideband::MarkBit;
use crate::verilog::Sideband;
use hdl_macros::stages;
use rust_hdl::prelude::*;

stages! {
    /// The packets, as late as their verdicts, and these; no `ready`.
    pub block Passing<const N: usize, const DATA: usize, const BEAT: usize, const CSR: usize> {
        /// Bits of each counter.
        given counter_width: usize;
        given grammar: Grammar;
        given policy: Policy;
        /// The bit of the side signals that tells of each beat whether the packet is ill-formed so far, if there is one.
        given early_bit: Option<usize>;
        /// Packets that are not judged can be dropped.
        given can_close: bool;
        given tells_early: bool = early_bit.is_some();
        given early_bit: usize = early_bit.unwrap_or_default();
        /// Clocks until a beat leaves but for the output registers.
        given clocks: usize = policy.clocks_to_pieces()
            + verdict::stages(cuts, N, grammar).between(-1, 20);
        given is_far: bool = is_far(N);
        given has_frames: bool = policy.has_frames;
        /// Of these clocks, those that the headers of a frame take.
        given of_headers: usize = if policy.has_frames { frames::LATENCY } else { 0 };

        in reset: Bit;
        /// A beat enters in this clock.
        in valid: Bit;
        in data: Bits<DATA>;
        in keep;
        in last: Bit;
        in side: Sideband;
        in window: Bits<WINDOW_BITS>;
        /// With registers only: the beat is looked at.
        in looks: Bit;
        /// The forbidden classes that it is looked at for.
        in watched: Bits<8>;
        /// The reasons for which it is dropped if it is not judged.
        in closes: Bits<8>;
        /// With frames: the table of ports.
        in ports: Bits<PORTS_BITS>;

        always {
            part core: Validate<N, DATA, CSR>(cuts, counter_width, grammar, policy) = {
                reset,
                valid,
                data,
                keep,
                last,
                side,
                window,
                looks,
                watched,
                closes,
                ports,
            };
            wires pack: PackBytes<N, DATA, BEAT> = {
                data: if has_frames { core.whole_data } else { data },
                keep: if has_frames { core.kept } else { keep },
                last: if has_frames { core.whole_last } else { last },
            };
            part bytes: DelayRam<Bits<BEAT>, 5>(clocks - of_headers) = { reset, x: pack.beat };
            part far_bytes: BankedDelayRam<BEAT, 5>((clocks - of_headers).max(3)) = {
                reset, x: pack.beat,
            };
            let passing: Bits<BEAT> = if is_far { far_bytes } else { bytes };
            part side_waits: DelayLine<Sideband>(of_headers) = { x: side };
            part sides: DelayRam<Sideband, 5>(clocks - of_headers) = { reset, x: side_waits };
            wires marked: MarkBit(0) = {
                x: sides, mark: if can_close { core.bad | core.closed } else { core.bad },
            };
            wires with_early: MarkBit(early_bit) = { x: marked, mark: core.early };
            /// A beat leaves when its verdict is there.
            part soon: ValidDelayLine(clocks - 1) = { reset, x: valid };
            state due: Bit = if reset { false } else { soon };
            /// The beat that leaves.
            part leaving: LeavingBytes<BEAT> = { soon, apart: core.apart, x: passing };
            state shown: Bit = if reset { false } else { due };
            state shown_side: Sideband = if due & !reset {
                if tells_early { with_early } else { marked }
            } else { 0 };
        }

        /// A beat leaves; `beat` and `out_side` are zero otherwise, but `beat` shows what was dropped for two clocks after a reset.
        out out_valid: Bit = shown;
        out beat: Bits<BEAT> = leaving.beat;
        out out_side: Sideband = shown_side;
        /// A packet has ended, and its verdict; what the beat adds to each counter.
        out verdict_valid: Bit = core.out_valid;
        out verdict: Bits<VERDICT_BITS> = core.out_verdict;
        out further: Bits<FURTHER_BITS> = core.further;
        out verdict_side: Sideband = core.out_side;
        out restarts: Bit = core.restarts;
        out ends: Bit = core.ends;
        out numbers: Bits<NUMBERS> = core.numbers;
        out ones: Bits<COUNTERS> = core.ones;
        out classes: Bits<8> = core.classes;
        out reasons: Bits<REASONS> = core.reasons;
    }
}
