//! The FIFO at the end of a stream, with an output register.
//!
//! No path in it has more than one LUT4, but those of the memory: the words are in two banks that take turns, and after each
//! bank's memory is a register that shows its next word, so that a word has two clocks to get there while the other bank's
//! is taken. How many words can be taken is a thermometer, whose lowest bit says whether there is one.
//!
//! # Latency
//! 3 clocks, a beat in every clock.
//!
//! # Reset
//! All but the words and what shows them.

use crate::primitives::memory::Memory;
use crate::primitives::wires::Lane;
use crate::verilog::Sideband;
use hdl_macros::stages;
use rust_hdl::prelude::*;

/// The number of beats that a FIFO holds, from the address bits of its banks: one word is always empty.
pub const fn capacity(bank_address_bits: usize) -> usize {
    (2 << bank_address_bits) - 1
}

stages! {
    /// The output FIFO: beats and their side signals, after the one that is shown. It does not refuse a beat: credits
    /// keep it from overflowing. `A` is the address bits of a bank, `T` is [`capacity`].
    pub block Fifo<const W: usize, const A: usize, const T: usize> {
        in reset: Bit;
        /// A beat enters.
        in push: Bit;
        in beat: Bits<W>;
        in side: Sideband;
        /// The sink takes the beat on the outputs.
        in ready: Bit;

        always "the banks, which take turns" {
            wires any: Lane<T>(0) = { x: filled };
            let loads: Bit = any & (!shown_to_load | ready);
            /// The next beat that enters, and the next one that is read, are in the odd bank.
            state writes_odd: Bit = if reset { false } else if push { !writes_odd };
            state reads_odd: Bit = if reset { false } else if loads { !reads_odd };
            part even: Bank<W, A>(cuts) = {
                reset,
                write: !writes_odd,
                push: push & !writes_odd,
                beat,
                side,
                read: any & (!shown_to_even | ready) & !reads_odd,
            };
            part odd: Bank<W, A>(cuts) = {
                reset,
                write: writes_odd,
                push: push & writes_odd,
                beat,
                side,
                read: any & (!shown_to_odd | ready) & reads_odd,
            };
            /// A beat entered a clock ago, and is in its bank's memory.
            mark entered: Bit = push;
            let counts: Bit = any & (!shown_to_count | ready);
            /// Bit `i` says that more than `i` beats are in the banks.
            state filled: Bits<T> = if reset {
                0
            } else if entered ^ counts {
                if entered { (filled << 1) | 1 } else { filled >> 1 }
            };
        }

        always "the beat that is shown" {
            /// There is one.
            mark shown: Bit = any | (shown & !ready);
            /// Copies, one for each of what it enables and near to that; each feeds itself, so that no tool merges them.
            mark shown_to_load: Bit = any | (shown_to_load & !ready);
            mark shown_to_count: Bit = any | (shown_to_count & !ready);
            mark shown_to_even: Bit = any | (shown_to_even & !ready);
            mark shown_to_odd: Bit = any | (shown_to_odd & !ready);
            /// The beat, and its side signals.
            state shown_beat: Bits<W> = if loads {
                if reads_odd { odd.out_beat } else { even.out_beat }
            };
            state shown_side: Sideband = if loads {
                if reads_odd { odd.out_side } else { even.out_side }
            };
        }

        out valid: Bit = shown;
        out out_beat: Bits<W> = shown_beat;
        out out_side: Sideband = shown_side;
        /// A word has become free: it is in the output register from the next clock on.
        out read: Bit = any & (!shown | ready);
    }
}

stages! {
    /// Half of the FIFO: every second beat. `out_beat` is the oldest one, if it has been here for two clocks and the one before it was
    /// read two clocks ago or earlier.
    pub block Bank<const W: usize, const A: usize> {
        in reset: Bit;
        /// The beat belongs here, if there is one. What is no beat may be written, too: into the word that the next one gets.
        in write: Bit;
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
                write,
                write_address,
                write_data: beat,
                read_address,
            };
            part sides: Memory<Sideband, A> = {
                write,
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
