//! Puts before each beat what its flow has left: the last three bytes that came of it, in a table.
//!
//! Three bytes are all that a byte can depend on, so after this block no beat depends on another, whatever flow it is of and whatever came
//! before it. The bytes are kept as they came and not as what they mean, for that could not be known within the clock in which the
//! next beat may want it.
//!
//! # Latency
//! [`LATENCY`] clocks, a beat in every clock.
//!
//! # Reset
//! It drops what is on the way; then the flows are forgotten one by one, a clock each, and until then no beat is taken.

use super::kept::{Append, KEPT, Opening, Prepend};
use super::table::{READ_LATENCY, Table};
use super::tail::{self, TAIL, TailBytes};
use crate::contract::Holes;
use crate::layout::FLOW_BITS;
use crate::primitives::Cuts;
use crate::primitives::memory::{BankedDelayRam, DelayRam};
use crate::primitives::wires::{Join, Lane};
use hdl_macros::stages;
use rust_hdl::prelude::*;

/// Clocks from a beat to what follows from it.
pub const LATENCY: usize = 8;
/// Clocks from the other outputs to the signature.
pub const SIGNATURE_LATE: usize = 2;

const _: () = assert!(6 - 2 == READ_LATENCY && 6 == tail::LATENCY && 7 + 1 == LATENCY);

stages! {
    /// Takes beats in, and puts before each the last three bytes of its flow.
    pub block Entry<const N: usize, const DATA: usize, const M: usize, const WIDE: usize> {
        given flows: usize;
        /// Configuration: the number of the last flow.
        given last_flow: Bits<FLOW_BITS> = ((flows - 1) as u64).into();
        /// Configuration: a beat can have two bytes, three.
        given can_2: bool = N > 1;
        given can_3: bool = N > 2;

        in reset: Bit;
        in valid: Bit;
        in data: Bits<DATA>;
        in keep;
        in last: Bit;
        in flow: Bits<FLOW_BITS>;
        in more, open, forget: Bit;

        always "after a reset all flows are forgotten, one in every clock, as if beats said so" {
            /// A flow is forgotten; which.
            state sweeping: Bit = if reset {
                true
            } else if was(sweeping) & (was(swept) == last_flow) {
                false
            };
            state swept: Bits<FLOW_BITS> = if reset {
                0
            } else if was(sweeping) {
                was(swept) + 1
            };
        }

        stage 0 "the input register" {
            mark valid: Bit = valid & !sweeping;
            mark sweep: Bit = sweeping;
            flow: Bits<FLOW_BITS> = if sweeping { swept } else { flow };
            data: Bits<DATA> = data;
            keep = keep;
            last: Bit = last;
            more: Bit = more;
            open: Bit = open;
            forget: Bit = forget;
        }

        stage 1 "which lanes there are, and whether there is such a flow" {
            wires lane_1: Lane<N>(0) = { x: keep };
            wires lane_2: Lane<N>(1.min(N - 1)) = { x: keep };
            wires lane_3: Lane<N>(2.min(N - 1)) = { x: keep };
            wires top_lane: Lane<N>(N - 1) = { x: keep };
            /// There is such a flow.
            known: Bit = flow <= last_flow;
            /// The beat has one byte, two, three; it has all.
            has_1: Bit = lane_1;
            has_2: Bit = if can_2 { lane_2 } else { false };
            has_3: Bit = if can_3 { lane_3 } else { false };
            full: Bit = top_lane;
        }

        stage 2 "the table is touched" {
            /// A flow comes to the table of last bytes.
            mark touch: Bit = sweep | (valid & known);
            part holes: Holes<N> = { keep: keep.at(0) };
        }

        stage 3 "what the beat is" {
            /// It has no byte and ends no packet: it is no beat.
            void: Bit = !last & !has_1 & !holes;
            /// Its lanes cannot be, or it is of no flow: it is refused.
            unfit: Bit = holes | (!last & !full) | !known;
        }

        stage 4 "what becomes of it" {
            let takes: Bit = valid & !void & !unfit;
            mark taken: Bit = takes;
            mark is_beat: Bit = valid & !void;
            refused: Bit = unfit;
            /// Its message begins anew; ends with it; nothing is kept of the flow from it on.
            opens: Bit = takes & open;
            ends: Bit = takes & last & !more & !forget;
            clears: Bit = sweep | (takes & (forget | (last & !more)));
            has_1: Bit = takes & has_1;
            has_2: Bit = takes & has_2;
            has_3: Bit = takes & has_3;
        }

        stage 5 "how the bytes that are kept move" {
            wires adds: Join<TAIL> = {
                x[0]: has_1 & !clears,
                x[1]: has_2 & !clears,
                x[2]: has_3 & !clears,
            } -> Bits<TAIL>;
            wires keeps: Join<TAIL> = {
                x[0]: !has_1 & !opens & !clears,
                x[1]: has_1 & !has_2 & !opens & !clears,
                x[2]: has_2 & !has_3 & !opens & !clears,
            } -> Bits<TAIL>;
        }

        stage 6 "the flow's last bytes, and the beat's" {
            part memory: Table<KEPT>(Cuts::ALL, flows) = {
                reset,
                touch: touch.at(2),
                flow: flow.at(2),
                result: append.at(6),
            };
            part tail: TailBytes<N, DATA> = { data: data.at(0), keep: keep.at(0) };
        }

        stage 7 "the beat, and what is kept of its flow" {
            wires append: Append = { kept: memory.state, tail, adds, keeps };
            /// What was read for no beat may be anything.
            before: Bits<KEPT> = if taken & !opens { memory.state } else { 0 };
            part late_flow: DelayRam<Bits<FLOW_BITS>, 3>(LATENCY - 1) = { reset, x: flow.at(0) };
            part late_data: BankedDelayRam<DATA, 3>(LATENCY - 1) = { reset, x: data.at(0) };
            part late_keep: DelayRam<Bits<N>, 3>(LATENCY - 1) = { reset, x: keep.at(0) };
        }

        stage 8 "whether a signature ends in the beat" takes SIGNATURE_LATE {
            wires prepend: Prepend<N, DATA, M, WIDE> = {
                kept: before,
                data: late_data,
                keep: late_keep,
            };
            part opening: Opening<M, WIDE> = { data: prepend.out_data, keep: prepend.out_keep };
            /// The beat goes on.
            let goes: Bit = taken;
        }

        /// Every flow has been forgotten since the last reset: beats are taken.
        out ready: Bit = !sweeping;
        /// The beat goes on; its bytes, with those before.
        out out_valid: Bit = taken @ 7;
        out out_data: Bits<WIDE> = prepend.out_data @ 7;
        out out_keep: Bits<M> = prepend.out_keep @ 7;
        /// There is a beat, or a flow to be forgotten; the former is refused.
        out touches: Bit = touch @ 7;
        out out_flow: Bits<FLOW_BITS> = late_flow @ 7;
        out is_beat, refused: Bit @ 7;
        /// The flow's message begins anew before the beat; it ends with the beat; nothing is kept of the flow after it.
        out opens, ends, clears: Bit @ 7;
        /// The message's first three bytes, which end in the beat, are a signature: later than the other outputs.
        out signature: Bit = opening & goes @ 8;
    }
}
