//! What each byte becomes: itself, or what takes the place of the ill-formed piece that it is of.
//!
//! A byte is of a well-formed sequence if it ends one, or if one of the next three bytes ends the sequence that it is in. The third
//! of these can only do that as the fourth byte of four, the second as a third or fourth, and the first as any but a first: so the
//! part that a byte plays says whether it settles those before it, and nobody needs to know where a sequence began.
//!
//! The next three bytes may be in later beats. So a beat goes through slots, and waits in each while the sequence at its end is
//! unfinished and nothing comes: through one slot, two if a beat has two bytes, three if it has one. A new beat pushes all of them on,
//! and settles what it can of them: the last of them is settled by then, for no sequence is longer. The stages are those of
//! [`crate::pieces`], and so is the first slot.
//!
//! # Latency
//! [`LATENCY`] clocks, a beat in every clock. A beat whose top lane is in an unfinished sequence waits for the next one.
//!
//! # Reset
//! What marks a beat. With four lanes or more, the lanes of what leaves are cleared as those of the pieces are.

use crate::primitives::fanout::HoldRegister;
use crate::primitives::wires::{Ahead, Broadcast, Lane, Stack, Unstack};
use crate::verilog::Sideband;
use hdl_macros::stages;
use rust_hdl::prelude::*;

/// Clocks from a beat's acceptance to what its bytes become.
pub const LATENCY: usize = 14;

stages! {
    /// What each byte becomes, from the parts that the bytes play. `DATA` is `8 * N`.
    pub block Repair<const N: usize, const DATA: usize> {
        /// Configuration: signatures are left out.
        given strip: bool;
        /// Configuration: bytes that are not judged stay as they are.
        given has_window: bool;
        /// Configuration: a sequence may reach over three beats; over four.
        given has_second: bool = N <= 2;
        given has_third: bool = N == 1;

        in reset: Bit;
        in x: Sideband;
        // With a window: lanes with a byte, judged or not.
        in lanes;
        /// The planes of the bytes.
        in bytes: Bits<DATA> @ 0;
        /// The position of the bytes in their sequences; whether a sequence is unfinished at them.
        in consumed, third_up, fourth, open @ 8;
        /// The last byte of a signature.
        in signature @ 8;
        /// A beat comes to the first slot, or a reset in its place; in every lane.
        in arrival: Bit @ 9;
        in fill @ 9;
        /// A beat comes that no reset has dropped.
        in enters: Bit @ 9;
        /// It is its packet's last.
        in last: Bit @ 9;
        /// Lanes with a byte.
        in present @ 9;
        /// Lanes with a byte that ends a well-formed sequence.
        in scalar @ 9;
        /// A beat has left the first slot, its packet's last, and its lanes with a byte.
        in left, left_last: Bit @ 12;
        in left_present @ 12;

        stage 0 "the input register" {
            side: Sideband = x;
            all = lanes;
        }

        stage 9 "what a byte settles of those below it" {
            /// It ends a sequence of two bytes or more; of three or more.
            closes = consumed & !open;
            closes_up = third_up & !open;
            wires top_open: Lane<N>(N - 1) = { x: open };
            /// The beat's end is in an unfinished sequence, and so was the beat before's, in the same one.
            ends_open: Bit = top_open;
            within: Bit = top_open & consumed.all();
        }

        stage 10 "the first slot, with what the beat itself settles" {
            wires by_1: Ahead<N>(1, 0) = { x: closes };
            wires by_2: Ahead<N>(2, 0) = { x: closes_up };
            wires by_3: Ahead<N>(3, 0) = { x: fourth };
            wires continued: Ahead<N>(1, 0) = { x: consumed };
            wires signs_1: Ahead<N>(1, 0) = { x: signature };
            wires signs_2: Ahead<N>(2, 0) = { x: signature };
            let kept = if has_window { all }
                else if strip { present & !(signature | signs_1 | signs_2) } else { present };
            /// The bytes; those that stay, are of a well-formed sequence, or end a piece if they are not.
            part slot_bytes: HoldRegister<N, DATA> = { fill, x: bytes };
            part slot_stays: HoldRegister<N, N> = { fill, x: kept };
            part slot_good: HoldRegister<N, N> = {
                fill,
                x: if has_window { scalar | by_1 | by_2 | by_3 | !present }
                    else { scalar | by_1 | by_2 | by_3 },
            };
            part slot_ends: HoldRegister<N, N> = { fill, x: !continued };
            /// There is a beat in the slot; it waits.
            state live: Bit = if reset { false } else {
                enters | (was(live) & was(slot_waits) & !arrival)
            };
            state slot_waits: Bit = if arrival { ends_open & !last };
            state slot_last: Bit = if arrival { last };
            state slot_side: Sideband = if arrival { side };
        }

        stage 11 "the second slot, with what the next beat settles; a register if there is none" {
            wires next_arrives: Broadcast<N> = { x: arrival.at(9) };
            wires next_by_1: Ahead<N>(1, 1) = { x: closes.at(9) };
            wires next_by_2: Ahead<N>(2, 1) = { x: closes_up.at(9) };
            wires next_by_3: Ahead<N>(3, 1) = { x: fourth.at(9) };
            wires next_continued: Ahead<N>(1, 1) = { x: consumed.at(9) };
            wires next_signs_1: Ahead<N>(1, 1) = { x: signature.at(9) };
            wires next_signs_2: Ahead<N>(2, 1) = { x: signature.at(9) };
            let first_moves: Bit = live & (arrival.at(9) | !slot_waits);
            let stays_open: Bit = arrival.at(9) & within.at(9) & !last.at(9);
            let loads_second: Bit = if has_second { first_moves } else { true };
            state second_live: Bit = if reset {
                false
            } else {
                first_moves | (was(second_live) & was(second_waits) & !arrival.at(9))
            };
            state second_waits: Bit = if loads_second { slot_waits & stays_open };
            state second_last: Bit = if loads_second { slot_last };
            state second_side: Sideband = if loads_second { slot_side };
            state second_bytes: Bits<DATA> = if loads_second { slot_bytes };
            let next_drops = if strip { (next_signs_1 | next_signs_2) & next_arrives } else { 0 };
            state second_stays = if loads_second { slot_stays & !next_drops };
            let next_settles = (next_by_1 | next_by_2 | next_by_3) & next_arrives;
            state second_good = if loads_second { slot_good | next_settles };
            state second_ends = if loads_second { slot_ends & !(next_continued & next_arrives) };
        }

        stage 12 "the third slot, with what the beat after settles; a register if there is none" {
            wires after_arrives: Broadcast<N> = { x: arrival.at(9) };
            wires after_by_2: Ahead<N>(2, 2) = { x: closes_up.at(9) };
            wires after_by_3: Ahead<N>(3, 2) = { x: fourth.at(9) };
            wires after_signs_2: Ahead<N>(2, 2) = { x: signature.at(9) };
            let second_moves: Bit = second_live & (arrival.at(9) | !second_waits);
            let still_open: Bit = arrival.at(9) & within.at(9) & !last.at(9);
            let loads_third: Bit = if has_third { second_moves } else { true };
            state third_live: Bit = if reset {
                false
            } else if has_third {
                second_moves | (was(third_live) & was(third_waits) & !arrival.at(9))
            } else {
                second_moves
            };
            state third_waits: Bit = if loads_third { second_waits & still_open };
            state third_last: Bit = if loads_third { second_last };
            state third_side: Sideband = if loads_third { second_side };
            state third_bytes: Bits<DATA> = if loads_third { second_bytes };
            let after_drops = if strip { after_signs_2 & after_arrives } else { 0 };
            state third_stays = if loads_third { second_stays & !after_drops };
            let after_settles = (after_by_2 | after_by_3) & after_arrives;
            state third_good = if loads_third { second_good | after_settles };
            state third_ends = if loads_third { second_ends };
        }

        stage 13 "what each byte becomes" {
            wires end_arrives: Broadcast<N> = { x: arrival.at(9) };
            wires end_by_3: Ahead<N>(3, 3) = { x: fourth.at(9) };
            let leaves: Bit = if has_third {
                third_live & (arrival.at(9) | !third_waits)
            } else if has_second {
                third_live
            } else {
                left
            };
            let ends: Bit = if has_second { third_last } else { left_last };
            wires every_leaves: Broadcast<N> = { x: leaves };
            let there = if has_second | has_window { every_leaves } else { left_present };
            let stays = if has_second | strip | has_window { third_stays & there } else { there };
            let good = third_good | (end_by_3 & end_arrives);
            wires b: Unstack<N, 8, DATA> = { x: third_bytes };
            wires planes: Stack<N, 8, DATA> = {
                x[0]: stays & (b[0] | !good),
                x[1]: stays & (b[1] | !good),
                x[2]: stays & (b[2] | !good),
                x[3]: stays & (b[3] | !good),
                x[4]: stays & (b[4] | !good),
                x[5]: stays & (b[5] | !good),
                x[6]: stays & b[6] & good,
                x[7]: stays & b[7] & good,
            };
            mark valid: Bit = leaves;
            last: Bit = ends & leaves;
            side: Sideband = if leaves { third_side } else { 0 };
            keep = stays;
            /// With 3F for each byte of an ill-formed piece.
            repaired: Bits<DATA> = planes;
            /// As they came; what has a byte in the lane, and three: EF BF BD, where an ill-formed piece ends.
            bytes: Bits<DATA> = third_bytes;
            one = stays & (good | third_ends);
            three = stays & !good & third_ends;
        }

        /// A beat leaves.
        out out_valid: Bit = valid @ 13;
        out out_last: Bit = last @ 13;
        out out_side: Sideband = side @ 13;
        out keep @ 13;
        /// The bytes with question marks, as planes.
        out repaired: Bits<DATA> @ 13;
        /// The bytes as they came, as planes.
        out out_bytes: Bits<DATA> = bytes @ 13;
        /// Lanes that become a byte or three, and those that become three: U+FFFD.
        out one, three @ 13;
    }
}
