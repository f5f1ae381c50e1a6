//! The bytes that wait to leave: a ring of 32 rounds, each of four quarters of `N` bytes; of RFC 2279 of 16 rounds of eight, which keep their
//! name.
//!
//! Each place of a round has a memory of its own, so the bytes of a beat, at most a round, are written at once wherever they begin. What
//! has to be joined lies side by side in the ring, and nothing is moved again. A quarter leaves as one beat when it is full, or its packet
//! has ended. Up to five are completed at once, or seven, and one leaves in a clock.
//!
//! # Latency
//! [`LATENCY`] clocks from the bytes until they have left; a quarter in every clock.
//!
//! # Reset
//! How many quarters are there, and which is the next; no byte.

use super::bank::{Bank, Banks};
use super::leaving::Leaving;
use super::places::QUARTER_BITS;
use crate::primitives::delay::{DelayLine, ValidDelayLine};
use crate::primitives::wires::{Join, Widen};
use crate::verilog::Sideband;
use hdl_macros::stages;
use rust_hdl::prelude::*;

/// Clocks from the bytes, out of the network, until they have left.
pub const LATENCY: usize = 4;

stages! {
    /// Takes a beat's bytes, and puts out quarters. `M` is `4 * N`, `T` is `8 * M`, `DATA` is `8 * N`, `BEAT` is
    /// [`crate::validate::pass::bytes::beat_bits`].
    // `M` is `8 * N` of RFC 2279; `TURN` is the number of bits of a bank's number, 2 or 3.
    pub block Ring<
        const N: usize,
        const M: usize,
        const T: usize,
        const DATA: usize,
        const BEAT: usize,
        const TURN: usize,
    > {
        given is_wide: bool = TURN == 3;
        /// Clocks from where a beat begins to its bytes, and until how many quarters it completes is to be counted.
        given to_bytes: usize;
        given to_count: usize;

        in reset: Bit;
        /// The first of the quarters that a beat completes, and how many; if its packet ends, the last of them has `kept` bytes.
        in first: Bits<7>;
        in completes: Bits<3>;
        in ends: Bit;
        in kept: Bits<7>;
        in side: Sideband;
        /// The number again, as early as it is known.
        in count: Bits<3>;
        /// The bytes, and the places of those of the round in which the beat begins, and of the next.
        in now: Bits<M>;
        in then: Bits<M>;
        in planes: Bits<T>;
        /// A quarter may leave.
        in may_leave: Bit;

        always "what a beat brings" {
            part late_first: DelayLine<Bits<QUARTER_BITS>>(to_bytes - 2) = { x: first };
            wires of_eight: Widen<4, 5> = { x: late_first.get_bits::<4>(3) } -> Bits<5>;
            round: Bits<5> = if is_wide { of_eight } else { late_first.get_bits::<5>(2) };
            round_after: Bits<5> = if is_wide { of_eight + 1 } else {
                late_first.get_bits::<5>(2) + 1
            };
            /// Never set, for a byte goes to one round.
            apart: Bit = now.get_bit(0) & then.get_bit(0);
            part count_0: ValidDelayLine(to_count - 1) = { reset, x: count.get_bit(0) };
            part count_1: ValidDelayLine(to_count - 1) = { reset, x: count.get_bit(1) };
            part count_2: ValidDelayLine(to_count - 1) = { reset, x: count.get_bit(2) };
            wires comes: Join<3> = { x[0]: count_0, x[1]: count_1, x[2]: count_2 };
            wires comes_less: Widen<3, 8> = { x: comes + 7 };
            /// How many quarters are complete now, less one; and whether any is.
            less: Bits<8> = if reset { 255 } else if comes.any() { comes_less } else { 255 };
            came: Bit = if reset { false } else { comes.any() };
        }

        always "the quarters that wait" {
            let loads: Bit = any & may_leave;
            /// One leaves, since a clock ago.
            mark leaves: Bit = loads;
            wires none_leaves: Join<1> = { x[0]: !leaves };
            wires stays: Widen<1, 8> = { x: none_leaves };
            /// How many there are, and one more if one leaves. `less` takes one away; if none has left, it comes
            /// back as the adder's carry.
            state waiting: Bits<8> = if reset { 0 } else { waiting + less + stays };
            /// More than three waited, so more than two do, the one that leaves among them. If not, four bits
            /// are enough for their number.
            mark plenty: Bit = waiting.get_bits::<6>(2).any();
            let second: Bit = waiting.get_bit(1) & (waiting.get_bit(0) | !leaves);
            /// More than the one that is to leave.
            let many: Bit = plenty | waiting.get_bits::<2>(2).any() | second;
            /// There are any.
            state any: Bit = if reset { false } else { came | (any & (!may_leave | many)) };
            wires of_bank: Banks<N, M, T, DATA, TURN> = {
                now, then, planes, first, leaves, turn: leaving.turn,
            };
            for i in 0..M / N {
                part bank: Bank<N, DATA>(M / N) = {
                    reset,
                    first,
                    completes,
                    ends,
                    kept,
                    side,
                    now: of_bank.now_of[i],
                    then: of_bank.then_of[i],
                    planes: of_bank.planes_of[i],
                    round_in: round,
                    round_after,
                    apart,
                    ahead: of_bank.ahead_of[i],
                    leaves: of_bank.leaves_of[i],
                };
            }
        }

        always "the quarter that has left" {
            /// There is one.
            mark left: Bit = leaves;
            part leaving: Leaving<N, DATA, BEAT, TURN> = {
                reset,
                leaves,
                data[i in 0..M / N]: bank[i].data,
                keep[i in 0..M / N]: bank[i].keep,
                last[i in 0..M / N]: bank[i].last,
                side[i in 0..M / N]: bank[i].out_side,
            };
        }

        /// A quarter as a beat.
        out out_valid: Bit = left;
        out beat: Bits<BEAT> = leaving.beat;
        out out_side: Sideband = leaving.out_side;
        /// One is going to leave, and so becomes free.
        out freed: Bit = loads;
    }
}
