//! The FIFO at the end of a stream, with an output register.

use crate::primitives::memory::Memory;
use crate::side::SIDE;
use rust_hdl::prelude::*;

/// Holds up to `2^A - 1` beats of `W` bits and their side signals. It does not refuse a beat: credits keep it from
/// overflowing.
#[derive(LogicBlock, Default)]
pub struct Fifo<const W: usize, const A: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    /// A beat enters.
    pub push: Signal<In, Bit>,
    pub beat: Signal<In, Bits<W>>,
    pub side: Signal<In, Bits<SIDE>>,
    /// The sink takes the beat on the outputs.
    pub ready: Signal<In, Bit>,
    pub valid: Signal<Out, Bit>,
    pub out_beat: Signal<Out, Bits<W>>,
    pub out_side: Signal<Out, Bits<SIDE>>,
    /// A word has become free: it is in the output register from the next clock on.
    pub read: Signal<Out, Bit>,

    beats: Memory<W, A>,
    sides: Memory<SIDE, A>,
    write_address: DFF<Bits<A>>,
    read_address: DFF<Bits<A>>,
    filled: Signal<Local, Bit>,
    reads: Signal<Local, Bit>,
    shown: DFF<Bit>,
    shown_beat: DFF<Bits<W>>,
    shown_side: DFF<Bits<SIDE>>,
}

impl<const W: usize, const A: usize> Logic for Fifo<W, A> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            write_address,
            read_address,
            shown,
            shown_beat,
            shown_side
        );
        self.beats.clock.next = self.clock.val();
        self.beats.write.next = self.push.val();
        self.beats.write_address.next = self.write_address.q.val();
        self.beats.write_data.next = self.beat.val();
        self.beats.read_address.next = self.read_address.q.val();
        self.sides.clock.next = self.clock.val();
        self.sides.write.next = self.push.val();
        self.sides.write_address.next = self.write_address.q.val();
        self.sides.write_data.next = self.side.val();
        self.sides.read_address.next = self.read_address.q.val();
        if self.push.val() {
            self.write_address.d.next = self.write_address.q.val() + 1;
        }
        self.filled.next = self.write_address.q.val() != self.read_address.q.val();
        self.reads.next = self.filled.val() & (!self.shown.q.val() | self.ready.val());
        if self.reads.val() {
            self.read_address.d.next = self.read_address.q.val() + 1;
            self.shown_beat.d.next = self.beats.read_data.val();
            self.shown_side.d.next = self.sides.read_data.val();
        }
        self.shown.d.next = self.filled.val() | (self.shown.q.val() & !self.ready.val());
        if self.reset.val() {
            self.write_address.d.next = 0.into();
            self.read_address.d.next = 0.into();
            self.shown.d.next = false;
        }
        self.valid.next = self.shown.q.val();
        self.out_beat.next = self.shown_beat.q.val();
        self.out_side.next = self.shown_side.q.val();
        self.read.next = self.reads.val();
    }
}
