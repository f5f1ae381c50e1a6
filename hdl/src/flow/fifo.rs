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

use crate::primitives::DFF;
use crate::primitives::memory::Memory;
use crate::primitives::wires::Lane;
use crate::side::Sideband;
use hdl_macros::{Blank, Block, logic};
use rust_hdl::prelude::*;

/// The number of beats that a FIFO holds, from the address bits of its banks: one word is always empty.
pub const fn capacity(bank_address_bits: usize) -> usize {
    (2 << bank_address_bits) - 1
}

/// The output FIFO: beats and their side signals, after the one that is shown. It does not refuse a beat: credits
/// keep it from overflowing. `A` is the address bits of a bank, `T` is [`capacity`].
#[derive(Block, Blank)]
pub struct Fifo<const W: usize, const A: usize, const T: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    /// A beat enters.
    pub push: Signal<In, Bit>,
    pub beat: Signal<In, Bits<W>>,
    pub side: Signal<In, Sideband>,
    /// The sink takes the beat on the outputs.
    pub ready: Signal<In, Bit>,
    pub valid: Signal<Out, Bit>,
    pub out_beat: Signal<Out, Bits<W>>,
    pub out_side: Signal<Out, Sideband>,
    /// A word has become free: it is in the output register from the next clock on.
    pub read: Signal<Out, Bit>,

    even: Bank<W, A>,
    odd: Bank<W, A>,
    /// The next beat that enters, and the next one that is read, are in the odd bank.
    writes_odd: DFF<Bit>,
    reads_odd: DFF<Bit>,
    /// A beat entered a clock ago, and is in its bank's memory.
    entered: DFF<Bit>,
    /// Bit `i` says that more than `i` beats are in the banks.
    filled: DFF<Bits<T>>,
    lowest: Lane<T>,
    any: Signal<Local, Bit>,
    reads: Signal<Local, Bit>,
    /// A beat is on the outputs.
    shown: DFF<Bit>,
    /// Copies of `shown`, one for each of what it enables and near to that; each feeds itself, so that no tool merges them.
    shown_to_load: DFF<Bit>,
    shown_to_count: DFF<Bit>,
    shown_to_even: DFF<Bit>,
    shown_to_odd: DFF<Bit>,
    loads: Signal<Local, Bit>,
    counts: Signal<Local, Bit>,
    /// That beat, and its side signals.
    shown_beat: DFF<Bits<W>>,
    shown_side: DFF<Sideband>,
}

impl<const W: usize, const A: usize, const T: usize> Logic for Fifo<W, A, T> {
    #[logic]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            writes_odd,
            reads_odd,
            entered,
            filled,
            shown,
            shown_to_load,
            shown_to_count,
            shown_to_even,
            shown_to_odd,
            shown_beat,
            shown_side
        );
        self.lowest.x.next = self.filled.q.val();
        self.any.next = self.lowest.y.val();
        self.reads.next = self.any.val() & (!self.shown.q.val() | self.ready.val());
        self.loads.next = self.any.val() & (!self.shown_to_load.q.val() | self.ready.val());
        self.counts.next = self.any.val() & (!self.shown_to_count.q.val() | self.ready.val());

        self.even.clock.next = self.clock.val();
        self.even.reset.next = self.reset.val();
        self.even.write.next = !self.writes_odd.q.val();
        self.even.push.next = self.push.val() & !self.writes_odd.q.val();
        self.even.beat.next = self.beat.val();
        self.even.side.next = self.side.val();
        self.even.read.next = self.any.val()
            & (!self.shown_to_even.q.val() | self.ready.val())
            & !self.reads_odd.q.val();
        self.odd.clock.next = self.clock.val();
        self.odd.reset.next = self.reset.val();
        self.odd.write.next = self.writes_odd.q.val();
        self.odd.push.next = self.push.val() & self.writes_odd.q.val();
        self.odd.beat.next = self.beat.val();
        self.odd.side.next = self.side.val();
        self.odd.read.next = self.any.val()
            & (!self.shown_to_odd.q.val() | self.ready.val())
            & self.reads_odd.q.val();
        if self.push.val() {
            self.writes_odd.d.next = !self.writes_odd.q.val();
        }
        self.entered.d.next = self.push.val();

        if self.entered.q.val() ^ self.counts.val() {
            if self.entered.q.val() {
                self.filled.d.next = (self.filled.q.val() << 1) | 1;
            } else {
                self.filled.d.next = self.filled.q.val() >> 1;
            }
        }
        if self.loads.val() {
            self.reads_odd.d.next = !self.reads_odd.q.val();
            if self.reads_odd.q.val() {
                self.shown_beat.d.next = self.odd.out_beat.val();
                self.shown_side.d.next = self.odd.out_side.val();
            } else {
                self.shown_beat.d.next = self.even.out_beat.val();
                self.shown_side.d.next = self.even.out_side.val();
            }
        }
        self.shown.d.next = self.any.val() | (self.shown.q.val() & !self.ready.val());
        self.shown_to_load.d.next =
            self.any.val() | (self.shown_to_load.q.val() & !self.ready.val());
        self.shown_to_count.d.next =
            self.any.val() | (self.shown_to_count.q.val() & !self.ready.val());
        self.shown_to_even.d.next =
            self.any.val() | (self.shown_to_even.q.val() & !self.ready.val());
        self.shown_to_odd.d.next = self.any.val() | (self.shown_to_odd.q.val() & !self.ready.val());
        if self.reset.val() {
            self.writes_odd.d.next = false;
            self.reads_odd.d.next = false;
            self.entered.d.next = false;
            self.filled.d.next = 0.into();
            self.shown.d.next = false;
            self.shown_to_load.d.next = false;
            self.shown_to_count.d.next = false;
            self.shown_to_even.d.next = false;
            self.shown_to_odd.d.next = false;
        }
        self.valid.next = self.shown.q.val();
        self.out_beat.next = self.shown_beat.q.val();
        self.out_side.next = self.shown_side.q.val();
        self.read.next = self.reads.val();
    }
}

/// Half of the FIFO: every second beat. `out_beat` is the oldest one, if it has been here for two clocks and the one before it was
/// read two clocks ago or earlier.
#[derive(Block, Blank)]
pub struct Bank<const W: usize, const A: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    /// The beat belongs here, if there is one. What is no beat may be written, too: into the word that the next one gets.
    pub write: Signal<In, Bit>,
    /// A beat enters.
    pub push: Signal<In, Bit>,
    pub beat: Signal<In, Bits<W>>,
    pub side: Signal<In, Sideband>,
    /// The oldest beat leaves.
    pub read: Signal<In, Bit>,
    pub out_beat: Signal<Out, Bits<W>>,
    pub out_side: Signal<Out, Sideband>,

    /// The words of this bank.
    beats: Memory<Bits<W>, A>,
    sides: Memory<Sideband, A>,
    /// Where the next beat is written, and where the oldest one is.
    write_address: DFF<Bits<A>>,
    read_address: DFF<Bits<A>>,
    /// The oldest beat, from a register, and its side signals.
    oldest_beat: DFF<Bits<W>>,
    oldest_side: DFF<Sideband>,
}

impl<const W: usize, const A: usize> Logic for Bank<W, A> {
    #[logic]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            write_address,
            read_address,
            oldest_beat,
            oldest_side
        );
        self.beats.clock.next = self.clock.val();
        self.beats.write.next = self.write.val();
        self.beats.write_address.next = self.write_address.q.val();
        self.beats.write_data.next = self.beat.val();
        self.beats.read_address.next = self.read_address.q.val();
        self.oldest_beat.d.next = self.beats.read_data.val();
        self.sides.clock.next = self.clock.val();
        self.sides.write.next = self.write.val();
        self.sides.write_address.next = self.write_address.q.val();
        self.sides.write_data.next = self.side.val();
        self.sides.read_address.next = self.read_address.q.val();
        self.oldest_side.d.next = self.sides.read_data.val();
        if self.push.val() {
            self.write_address.d.next = self.write_address.q.val() + 1;
        }
        if self.read.val() {
            self.read_address.d.next = self.read_address.q.val() + 1;
        }
        if self.reset.val() {
            self.write_address.d.next = 0.into();
            self.read_address.d.next = 0.into();
        }
        self.out_beat.next = self.oldest_beat.q.val();
        self.out_side.next = self.oldest_side.q.val();
    }
}
