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
//! Which quarters are there, and which is the next; no byte.

use super::bank::Bank;
use super::banks::Banks;
use super::leaving::{Leaving, Turns};
use super::places::LAP_BITS;
use crate::primitives::delay::{DelayLine, ValidDelayLine};
use crate::primitives::wires::Widen;
use crate::verilog::Sideband;
use hdl_macros::stages;
use rust_hdl::prelude::*;

/// Clocks from the bytes, out of the network, until they have left.
pub const LATENCY: usize = 6;

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
        /// Clocks from where a beat begins to its bytes.
        given to_bytes: usize;

        in reset: Bit;
        /// The first of the quarters that a beat completes, and how many; if its packet ends, the last of them has `kept` bytes.
        in first: Bits<7>;
        in completes: Bits<3>;
        in ends: Bit;
        in kept: Bits<7>;
        in side: Sideband;
        /// The first quarter after these, which is not complete.
        in open: Bits<8>;
        /// The bytes, and the places of those of the round in which the beat begins, and of the next.
        in now: Bits<M>;
        in then: Bits<M>;
        in planes: Bits<T>;
        /// A quarter may leave.
        in may_leave: Bit;

        always "what a beat brings" {
            part late_open: DelayLine<Bits<LAP_BITS>>(to_bytes - 2) = { x: open };
            wires of_eight: Widen<5, 6> = { x: late_open.get_bits::<5>(3) } -> Bits<6>;
            /// The round of the first quarter that is not complete, with a bit more, and the next one; the quarter's bank.
            open_round: Bits<6> = if is_wide { of_eight } else { late_open.get_bits::<6>(2) };
            round_after_open: Bits<6> = if is_wide { of_eight + 1 } else {
                late_open.get_bits::<6>(2) + 1
            };
            open_bank: Bits<TURN> = late_open.get_bits::<TURN>(0);
            /// The rounds of the bytes that come, which begin in that quarter.
            round: Bits<5> = open_round.get_bits::<5>(0);
            round_after: Bits<5> = round_after_open.get_bits::<5>(0);
            /// Never set, for a byte goes to one round.
            apart: Bit = now.get_bit(0) & then.get_bit(0);
            /// No reset has come since what is known of the open quarter was on its way.
            part settled: ValidDelayLine(to_bytes + 1) = { reset, x: true };
        }

        always "the quarters that wait" {
            part turns: Turns<TURN> = { reset, has[i in 0..M / N]: bank[i].has, may_leave };
            wires of_bank: Banks<N, M, T, DATA, TURN> = {
                now, then, planes, first, open_bank,
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
                    open_round,
                    round_after_open,
                    is_past: of_bank.is_past_of[i],
                    settled,
                    loads: turns.loads_of[i],
                    leaves: turns.leaves_of[i],
                };
            }
        }

        always "the quarter that has left" {
            /// There is one, of each two banks.
            mark pair_left: Bit = turns.leaves;
            mark left: Bit = pair_left;
            part leaving: Leaving<N, DATA, BEAT, TURN> = {
                reset,
                leaves: turns.leaves,
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
        out freed: Bit = turns.loads;
    }
}
