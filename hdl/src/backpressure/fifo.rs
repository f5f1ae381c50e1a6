//! The FIFO at the end of a stream.
//!
//! No path in it has more than one LUT4, but those of the memory: the words are in two banks that take turns, and after each
//! bank's memory is a register that shows its next word, so that a word has two clocks to get there while the other bank's
//! is taken. The outputs are the register of the bank whose turn it is. (A register behind both would be enabled by the sink, and
//! this enable would have to reach all bits of a beat in the same clock.) How many words can be taken is a thermometer, whose
//! lowest bit says whether there is one. Each part of a wide beat has all that it takes to know when it moves, near to it.
//!
//! # Latency
//! 3 clocks, a beat in every clock.
//!
//! # Reset
//! All but the words and what shows them.

use super::split::{Joined, Split};
use crate::primitives::memory::Memory;
use crate::primitives::wires::Lane;
use crate::verilog::Sideband;
use hdl_macros::stages;
use rust_hdl::prelude::*;

/// The number of beats that a FIFO holds, from the address bits of its banks.
pub const fn capacity(bank_address_bits: usize) -> usize {
    2 << bank_address_bits
}

/// How many parts a beat has: few enough bits that an address reaches all of its part in a clock, which is 20 memories of 16 words of
/// four bits.
pub const fn parts(beat_bits: usize, bank_address_bits: usize) -> usize {
    beat_bits.div_ceil((20 * 16 * 4) >> bank_address_bits)
}

/// Bits of such a part: all are alike.
pub const fn part_bits(beat_bits: usize, bank_address_bits: usize) -> usize {
    beat_bits.div_ceil(parts(beat_bits, bank_address_bits))
}

stages! {
    /// The output FIFO: beats and their side signals. It does not refuse a beat: credits keep it from overflowing. `A` is the
    /// address bits of a bank, `T` is [`capacity`], `PART` the bits of a part.
    pub block Fifo<const W: usize, const A: usize, const T: usize, const PART: usize> {
        in reset: Bit;
        /// A beat enters.
        in push: Bit;
        in beat: Bits<W>;
        in side: Sideband;
        /// The sink takes the beat on the outputs.
        in ready: Bit;

        always "how many beats there are" {
            wires first: Lane<T>(0) = { x: filled };
            wires second: Lane<T>(1) = { x: filled };
            let leaves: Bit = first & ready;
            /// A beat entered a clock ago, and is on its way to the memory.
            mark entering: Bit = push;
            /// A beat has come to the memory, and can be shown from the next clock on.
            mark entered: Bit = entering;
            /// Bit `i` says that more than `i` beats can leave.
            state filled: Bits<T> = if reset {
                0
            } else if entered ^ leaves {
                if entered { (filled << 1) | 1 } else { filled >> 1 }
            };
        }

        always "the beats" {
            wires split: Split<W, PART> = { x: beat };
            for i in 0..W.div_ceil(PART) {
                part slice: Slice<PART, A>(cuts) = { reset, push, beat: split[i], side, leaves };
            }
            wires joined: Joined<W, PART> = { x[i in 0..W.div_ceil(PART)]: slice[i].out_beat };
        }

        out valid: Bit = first;
        /// Of no meaning if there is none.
        out out_beat: Bits<W> = joined;
        out out_side: Sideband = slice[0].out_side;
        /// Another beat is on the outputs from the next clock on: its credit comes back. Its word is free when it has left.
        out read: Bit = (second | entered) & (!first | ready);
    }
}

stages! {
    /// A part of each beat, in two banks.
    pub block Slice<const W: usize, const A: usize> {
        in reset: Bit;
        in push: Bit;
        in beat: Bits<W>;
        in side: Sideband;
        /// The oldest beat leaves.
        in leaves: Bit;

        always {
            /// The next beat that enters, and the next one that leaves, are in the odd bank.
            state writes_odd: Bit = if reset { false } else if push { !writes_odd };
            state reads_odd: Bit = if reset { false } else { reads_odd ^ leaves };
            /// What entered a clock ago.
            entering_beat: Bits<W> = beat;
            entering_side: Sideband = side;
            /// The bank where it belongs.
            mark to_even: Bit = push & !writes_odd;
            mark to_odd: Bit = push & writes_odd;
            part even: Bank<W, A>(cuts) = {
                reset,
                push: to_even,
                beat: entering_beat,
                side: entering_side,
                read: leaves & !reads_odd,
            };
            part odd: Bank<W, A>(cuts) = {
                reset,
                push: to_odd,
                beat: entering_beat,
                side: entering_side,
                read: leaves & reads_odd,
            };
        }

        out out_beat: Bits<W> = if reads_odd { odd.out_beat } else { even.out_beat };
        out out_side: Sideband = if reads_odd { odd.out_side } else { even.out_side };
    }
}

stages! {
    /// Half of the beats: every second one. `out_beat` is the oldest one, if it has been here for two clocks and the one before it was
    /// read two clocks ago or earlier.
    pub block Bank<const W: usize, const A: usize> {
        in reset: Bit;
        /// A beat enters.
        in push: Bit;
        in beat: Bits<W>;
        in side: Sideband;
        /// The oldest beat leaves.
        in read: Bit;

        always {
            /// Where the next beat is written, and where the oldest one is.
            state write_address: Bits<A> = if reset { 0 } else if push { write_address + 1 };
            state read_address: Bits<A> = if reset { 0 } else if read { read_address + 1 };
            part beats: Memory<Bits<W>, A> = {
                write: push,
                write_address,
                write_data: beat,
                read_address,
            };
            part sides: Memory<Sideband, A> = {
                write: push,
                write_address,
                write_data: side,
                read_address,
            };
            /// The oldest beat, from a register, and its side signals.
            oldest_beat: Bits<W> = beats.read_data;
            oldest_side: Sideband = sides.read_data;
        }

        out out_beat: Bits<W> = oldest_beat;
        out out_side: Sideband = oldest_side;
    }
}
