//! What a beat adds to its message: the sums over its pieces, of which one may have begun in the three lanes below its own.
//!
//! # Latency
//! [`latency`] clocks from the pieces, a beat in every clock.
//!
//! # Reset
//! None: without a beat all sums are zero.

use super::tail::TAIL;
use crate::primitives::count::{self, Count, CountLow, Steps};
use crate::primitives::skew::Skew;
use crate::primitives::wires::{Join, Widen};
use crate::validate::first::First;
use hdl_macros::stages;
use rust_hdl::prelude::*;

/// Clocks by which the highest bit of a count is later than the lowest.
const SKEW: usize = 5;

/// Steps of addition after all bits of the counts are there.
const LEVEL: usize = 3;

/// Clocks by which it is known before the sums whether the beat makes its message bad.
pub const BAD_AHEAD: usize = 2;

/// The lane of the byte before the beat.
const BEFORE: usize = TAIL - 1;

/// Clocks from a bit of a count until all of them are there.
const fn to_level(bit: usize) -> usize {
    SKEW.saturating_sub(bit)
}

/// Clocks from the pieces to the sums.
pub const fn latency(lanes: usize) -> usize {
    1 + count::latency(lanes) + SKEW + LEVEL
}

stages! {
    /// What a beat adds to its flow's message, and whether it makes the message bad. The inputs are those of [`crate::pieces::Pieces`],
    /// stage 12, of a beat with the three bytes before it.
    pub block Sums<
        const N: usize,
        const M: usize,
    > {
        in valid: Bit @ 12;
        /// The message ends with the beat; else a sequence that is unfinished there goes on in the flow's next beat.
        in ends: Bit @ 12;
        /// The message was bad before the beat.
        in was_bad: Bit @ 21;
        /// A sequence is unfinished.
        in open_8: Bits<M> @ 8;
        /// The lanes with a byte; those in which a scalar value ends, or an ill-formed piece; its kind and its length.
        in present, scalar, ill, kind_0, kind_1, kind_2, second, length_1: Bits<M> @ 12;

        stage 9 "what the beat before left" {
            /// A sequence is unfinished before the beat.
            let open_before: Bit = open_8.get_bit(BEFORE);
        }

        stage 13 "what was unfinished before the beat, and the beat's own lanes" {
            /// The sequence before the beat is cut by it; all else of that is as in the lanes.
            let cut_there: Bit = ill.get_bit(BEFORE) & open_before;
            let at_end_there: Bit =
                kind_0.get_bit(BEFORE) & kind_1.get_bit(BEFORE) & kind_2.get_bit(BEFORE);
            wires kind_there: Join<3> = {
                x[0]: kind_0.get_bit(BEFORE),
                x[1]: kind_1.get_bit(BEFORE),
                x[2]: kind_2.get_bit(BEFORE),
            };
            wires bytes_there: Join<2> = {
                x[0]: open_before & valid & !second.get_bit(BEFORE),
                x[1]: open_before & valid & length_1.get_bit(BEFORE),
            };
            /// The sequence before the beat is cut by it, and is ill-formed; its kind and its bytes.
            cut_before: Bit = cut_there;
            ill_before: Bit = cut_there & (ends | !at_end_there);
            kind_before: Bits<3> = kind_there;
            before: Bits<2> = bytes_there;
            let own_ill = ill.get_bits::<N>(TAIL);
            let own_kind_0 = kind_0.get_bits::<N>(TAIL);
            let own_kind_1 = kind_1.get_bits::<N>(TAIL);
            let own_kind_2 = kind_2.get_bits::<N>(TAIL);
            /// Lanes with a byte; with the end of a scalar value.
            present = present.get_bits::<N>(TAIL);
            scalar = scalar.get_bits::<N>(TAIL);
            /// Cut by the beat's end or ill-formed; the latter.
            cut = own_ill;
            ill = if ends { own_ill } else { own_ill & !(own_kind_0 & own_kind_1 & own_kind_2) };
            kind_0 = own_kind_0;
            kind_1 = own_kind_1;
            kind_2 = own_kind_2;
            second = second.get_bits::<N>(TAIL);
            length_1 = length_1.get_bits::<N>(TAIL);
        }

        stage 14 "the counts, and the first cut or ill-formed piece" takes count::latency(N) {
            part bytes: CountLow<N> = { x: present } -> Bits<8>;
            part scalars: Count<N> = { x: scalar } -> Bits<8>;
            part ill_formed: Count<N> = { x: ill } -> Bits<8>;
            part first: First<N>(Steps::default(), false) = {
                ill: cut, kind_0, kind_1, kind_2, second, length_1, length_2: 0,
            };
        }

        stage 15 "what was found, with the counts' lowest bits" {
            let scalars_one: Bit = scalars.one;
            let ill_one: Bit = ill_formed.one;
            /// There is such a piece; its kind, its length and the lane that it ends in.
            let any: Bit = first.any;
            let first_kind: Bits<3> = first.kind;
            let length: Bits<2> = first.length;
            let lane: Bits<8> = first.lane;
        }

        stage 19 "all bits of the counts" {
            part scalars: Skew<8>(to_level) = { x: scalars.at(14) } -> Bits<8>;
            part ill_formed: Skew<8>(to_level) = { x: ill_formed.at(14) } -> Bits<8>;
        }

        stage 20 "first step of addition: what is added, and the first ill-formed piece" {
            /// What was unfinished before the beat comes first; cut by the end of a beat without a byte, it is alone.
            let chosen_kind: Bits<3> = if cut_before { kind_before } else { first_kind };
            let chosen_length: Bits<2> = if cut_before { before } else { length };
            scalars: Bits<8> = if scalars_one { scalars + 1 } else { scalars };
            ill_formed: Bits<8> = if ill_one { ill_formed + 1 } else { ill_formed };
            lane: Bits<8> = lane + 1;
            bad: Bit = ill_before | (any & (ends | !(first_kind == 7)));
            kind: Bits<3> = chosen_kind;
            error_len: Bits<2> = if chosen_kind == 7 { 0 } else { chosen_length };
        }

        stage 21 "second step: where that piece ends" {
            ill_formed: Bits<8> = if ill_before { ill_formed + 1 } else { ill_formed };
            wires less: Widen<2, 8> = { x: length };
            end: Bits<8> = if any { lane - less } else { bytes };
        }

        stage 22 "third step: the sums" {
            wires more: Widen<2, 8> = { x: before };
            valid_up_to: Bits<8> = if cut_before | was_bad { 0 } else { end + more };
        }

        out bytes, scalars, ill_formed: Bits<8> @ 22;
        /// Bytes of the pieces that end in the beat, up to the message's first ill-formed one.
        out valid_up_to: Bits<8> @ 22;
        /// Before the others: an ill-formed piece ends in the beat; the kind of the first, and its length as a verdict has it.
        out bad: Bit @ 20;
        out kind: Bits<3> @ 20;
        out error_len: Bits<2> @ 20;
        /// For the counters: the ill-formed pieces that end in the beat's own lanes and their kinds; and the one that may have ended
        /// before.
        out own_ills = ill @ 13;
        out own_kinds_0 = kind_0 @ 13;
        out own_kinds_1 = kind_1 @ 13;
        out own_kinds_2 = kind_2 @ 13;
        out before_ill: Bit = ill_before @ 19;
        out before_kind: Bits<3> = kind_before @ 19;
    }
}

const _: () = assert!(19 - 14 == SKEW && 22 - 19 == LEVEL && 22 - 20 == BAD_AHEAD);
