//! The `validate` core: UTF-8 bytes in, one verdict per packet out.
//!
//! Read [`crate::pieces`] first, then [`verdict`] with [`crate::primitives::count`], [`first`] and [`counter`]. [`snoop`] only watches a stream;
//! in [`pass`] the packets pass through, and a bad one is marked.
//!
//! # Ports
//! Those of [`crate::config::ports::ports`]; the fields of a verdict are [`crate::layout::VERDICT`]. Packets of one beat may follow each
//! other in every clock, and each gets its verdict. A beat whose `tkeep` is zero and which is not the packet's last has no
//! part in a verdict, but passes.
//!
//! # Parameters
//! `N` lanes, 1 to 128 by powers of two (64 with registers); `DATA` is `8 * N`. `CSR` is 1
//! if the core has registers ([`crate::csr`]), else 0.
//!
//! # Latency
//! [`latency`] clocks from a packet's last beat to its verdict, or fewer as [`crate::schedule`] says; a beat passes one clock after
//! [`crate::schedule::to_judged`]. A stream that can be stalled takes [`crate::backpressure::FIFO_LATENCY`] clocks more, or
//! [`crate::backpressure::shallow::LATENCY`]. No combinational path leads from an input to an output.
//!
//! # Reset
//! `rst` is synchronous and active high. It clears what marks beats and packets, and deliberately no payload: for two clocks
//! after it the payload pins of a stream that cannot be stalled may show what was dropped.
//!
//! # Ill-formed input
//! Is what this core is for; nothing stalls.
//!
//! # Verified by
//! `tests/lockstep.rs` (every output at every clock against the cycle model), `tests/verdicts.rs` (against Rust's own decoder),
//! `tests/vectors.rs`, `tests/alignment.rs`; `tests/mutants.rs` shows that these can fail.

mod any;
mod beginning;
mod classes;
mod closed;
pub mod counter;
mod cut;
mod early;
mod ended;
pub mod fields;
pub mod first;
mod forbidden;
mod full;
pub mod pass;
pub mod snoop;
mod timing;
pub mod verdict;
mod widths;

use self::beginning::Beginning;
use self::closed::IsAmong;
use self::early::Early;
use self::forbidden::Forbidden;
use self::verdict::Verdict;
use self::widths::Widths;
use crate::config::{Grammar, Policy};
use crate::csr::map::COUNTERS;
use crate::csr::reasons::COUNT as REASONS;
use crate::csr::tally::{NUMBERS, Tally};
use crate::frames::Frames;
use crate::layout::{FURTHER_BITS, PORTS_BITS, REASON_BITS, VERDICT_BITS, WINDOW_BITS};
use crate::pieces::{self, Pieces, Rules};
use crate::primitives::Cuts;
use crate::primitives::delay::DelayLine;
use crate::primitives::fanout::{Clearing, is_far};
use crate::primitives::memory::{BankedDelayRam, DelayRam};
use crate::verilog::Sideband;
use crate::window::Window;
use hdl_macros::stages;
use rust_hdl::prelude::*;

/// The most clocks that a memory of 32 words delays by. With 128 lanes a verdict takes one more, for which registers are less than
/// twice as many words.
const IN_RAM: usize = 33;

/// Clocks from a beat's counts to what it brings to the counters.
const TO_END: usize = 6;

/// Clocks from a packet's last beat to its verdict on the output registers.
pub const fn latency(lanes: usize, grammar: Grammar) -> usize {
    pieces::LATENCY + verdict::latency(lanes, grammar)
}

stages! {
    /// Bytes in, verdicts out, no `ready`.
    pub block Validate<const N: usize, const DATA: usize, const CSR: usize> {
        /// Bits of each counter.
        given counter_width: usize;
        given grammar: Grammar;
        given policy: Policy;
        /// Clocks to a verdict but for the output registers.
        given to_pieces: usize = policy.clocks_to_pieces();
        given to_verdict: usize = to_pieces + verdict::stages(cuts, N, grammar).between(-1, 33);
        given has_window, has_frames: bool = policy;
        given is_far: bool = is_far(N);
        /// Whether there is a part that reads headers.
        given framed_parts: usize = usize::from(policy.has_frames);

        in reset: Bit;
        /// A beat enters in this clock.
        in valid: Bit;
        in data: Bits<DATA>;
        in keep;
        in last: Bit;
        in side: Sideband;
        // Where the packet's text is: see [`Window`].
        in window: Bits<WINDOW_BITS>;
        /// With registers only: the beat is looked at.
        in looks: Bit;
        /// The forbidden classes that it is looked at for.
        in watched: Bits<8>;
        /// The reasons for which the packet is dropped if it is not judged.
        in closes: Bits<8>;
        /// With frames: the table of ports.
        in ports: Bits<PORTS_BITS>;

        always {
            part windowed: Window<N, DATA>(Cuts::ALL) = {
                reset, valid: valid & looks, data, keep, last, window,
            };
            for i in 0..framed_parts {
                part framed: Frames<N, DATA>(Cuts::ALL, policy, CSR > 0) = {
                    reset, valid: valid & looks, data, keep, last, written: ports,
                };
            }
            let text_valid: Bit = framed[i].out_valid.or(windowed.out_valid);
            let text_data: Bits<DATA> = framed[i].out_data.or(windowed.out_data);
            let text_keep = framed[i].out_keep.or(windowed.out_keep);
            let text_all = framed[i].all.or(windowed.all);
            let text_last: Bit = framed[i].out_last.or(windowed.out_last);
            let text_first: Bits<8> = framed[i].first.or(windowed.first);
            let why: Bits<REASON_BITS> = framed[i].reason.or(windowed.reason);
            part pieces: Pieces<N, DATA>(
                cuts,
                Rules {
                    is_2279: grammar.is_2279(),
                    opens: policy.has_open_edges,
                    has_window,
                    ..Rules::plain(Clearing::Never)
                },
            ) = {
                reset,
                valid: if has_window { text_valid } else { valid & looks },
                data: if has_window { text_data } else { data },
                keep: if has_window { text_keep } else { keep },
                last: if has_window { text_last } else { last },
            };
            part beginning: Beginning<N>(cuts) = {
                first: text_first,
                ..pieces(signature, head_1, head_2, head_3, arrival),
                present: pieces.present_9,
            };
            part late_watched: DelayLine<Bits<8>>(to_pieces + cuts.between(-1, 9)) = { x: watched };
            part forbidden: Forbidden<N, DATA>(cuts, policy.forbid, CSR > 0) = {
                watched: late_watched,
                bytes: pieces.bytes,
                valid: pieces.valid_1,
                third_up: pieces.third_up,
                fourth: pieces.fourth,
                arrival: pieces.arrival,
                present: pieces.present_9,
                scalar: pieces.scalar_9,
            };
            part widths: Widths<N, DATA>(cuts) = {
                valid: pieces.valid_1,
                present: pieces.present_9,
                scalar: pieces.scalar_9,
                ..pieces(bytes, consumed, third_up, fourth, arrival),
            };
            part so_far: Early<N>(cuts, policy.has_open_edges) = {
                present: pieces.present_9,
                alone: pieces.alone_9,
                open: pieces.open_9,
                consumed: pieces.consumed_9,
                arrival: pieces.arrival,
                last: pieces.last_9,
            };
            part verdict: Verdict<N>(cuts, counter_width, grammar, policy) = {
                reset,
                valid: pieces.out_valid,
                last: pieces.out_last,
                signature: pieces.out_signature,
                rejected: pieces.out_signature,
                ..pieces(present, scalar, ill, kind_0, kind_1),
                ..pieces(kind_2, second, length_1, length_2),
                ends_cut: pieces.cut,
                ..pieces(tail_0, tail_1, tail_2, heads, apart),
                widths: widths.found,
                met: forbidden.met,
                is_met: forbidden.is_met,
                met_lane: forbidden.lane,
                first: beginning.out_first,
                lanes_to_end: beginning.out_count,
                bytes_in_window: beginning.out_bytes,
                found_signature: beginning.out_signature,
                found_heads: beginning.heads,
                reason: reason_due,
                unjudged: unjudged_due,
            };
            for i in 0..CSR {
                part tally: Tally<N>(Cuts::ALL, has_frames) = {
                    reset,
                    ..pieces(ill, kind_0, kind_1, kind_2),
                    starts: verdict.sum_starts,
                    last: verdict.sum_last,
                    wrong: verdict.sum_wrong,
                    bytes: verdict.sum_bytes,
                    scalars: verdict.sum_scalars,
                    scalars_one: verdict.sum_scalars_one,
                    met: verdict.sum_met,
                    reason: counted_reason,
                };
            }
            /// With 128 lanes: the side signals wait for a clock that the memory does not delay them by.
            part side_waits: DelayLine<Sideband>(to_verdict - to_verdict.min(IN_RAM)) = { x: side };
            /// A packet's last beat never waits, so that its side signals only have to be delayed.
            part side_due: DelayRam<Sideband, 5>(to_verdict.min(IN_RAM)) = { reset, x: side_waits };
            /// A clock late: a verdict's fields may show for some clocks after a reset, and its reason with them.
            was_reset: Bit = reset;
            // Where lanes are near to each other fields show for less than the ring takes to jump.
            /// Why the packet is not judged, in step with its verdict.
            part reason_due: BankedDelayRam<REASON_BITS, 6>(to_verdict - to_pieces) = {
                reset: if is_far { was_reset } else { reset }, x: why,
            };
            /// The same in step with what it brings to the counters.
            part counted_reason: BankedDelayRam<REASON_BITS, 6>(
                verdict::stages(cuts, N, grammar).between(-1, 19) + TO_END,
            ) = {
                reset, x: why,
            };
            /// Whether the packet is unjudged. A frame can turn out to be so after some of its bytes were judged.
            part unjudged_due: DelayLine<Bit>(
                verdict::stages(cuts, N, grammar).between(-1, 19),
            ) = {
                x: if has_frames { why.any() } else { false },
            };
            /// The packet is dropped though it is not judged.
            part late_closes: BankedDelayRam<8, 6>(to_pieces.max(3)) = { reset, x: closes };
            wires closes_it: IsAmong = { reason: why, of: late_closes };
            part closed_due: DelayLine<Bit>(
                verdict::stages(cuts, N, grammar).between(-1, 20),
            ) = {
                x: closes_it & text_valid & text_last,
            };
            state shown_side: Sideband = if verdict.due { side_due } else { 0 };
        }

        /// A packet has ended, and its verdict; whether it is bad, as early as that is known.
        out out_valid: Bit = verdict.out_valid;
        out out_verdict: Bits<VERDICT_BITS> = verdict.fields;
        out bad: Bit = verdict.bad;
        /// At the same time: it is not judged, and dropped.
        out closed: Bit = closed_due;
        /// At the same time, of any beat: an ill-formed piece has ended in it, or before it in its packet.
        out early: Bit = so_far.bad;
        /// The verdict's further words.
        out further: Bits<FURTHER_BITS> = verdict.further;
        /// The side signals of the packet's last beat; zero without a verdict.
        out out_side: Sideband = shown_side;
        /// For `sanitise`, the bytes and the parts that they play: see [`Pieces`].
        out bytes: Bits<DATA> = pieces.bytes;
        out kept = text_all;
        // With frames: those bytes, and whether the beat is its packet's last.
        out whole_data: Bits<DATA> = text_data;
        out whole_last: Bit = text_last;
        out consumed = pieces.consumed;
        out third_up = pieces.third_up;
        out fourth = pieces.fourth;
        out open = pieces.open;
        out arrival: Bit = pieces.arrival;
        out enters: Bit = pieces.enters;
        out last_9: Bit = pieces.last_9;
        out fill = pieces.fill;
        out present = pieces.present_9;
        out scalar = pieces.scalar_9;
        out signature = pieces.signature;
        out left: Bit = pieces.out_valid;
        out left_last: Bit = pieces.out_last;
        out left_present = pieces.present;
        /// Never set: it keeps the copies of a register apart.
        out apart: Bit = pieces.apart;
        /// What the beat adds to each counter; nothing without registers.
        out restarts: Bit = tally[i].restarts.or(false);
        out ends: Bit = tally[i].ends.or(false);
        out numbers: Bits<NUMBERS> = tally[i].numbers.or(0);
        out ones: Bits<COUNTERS> = tally[i].ones.or(0);
        out classes: Bits<8> = tally[i].classes.or(0);
        out reasons: Bits<REASONS> = tally[i].reasons.or(0);
    }
}

#[cfg(test)]
mod tests;
