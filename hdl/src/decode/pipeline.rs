//! The `decode` pipeline: bytes in, events out, fourteen stages, no `ready`.
//!
//! Guarantee: in every clock a beat may enter, whatever its bytes are and whatever entered before; each piece of a packet
//! (a well-formed sequence, or a maximal subpart of an ill-formed one) leaves as exactly one event, in the lane of the
//! byte that ends it, in order.

use super::beat::PackBeat;
use super::events::{Events, SignatureRule};
use super::lookahead::Lookahead;
use super::scalar::Scalar;
use super::sequence::Sequence;
use crate::primitives::BytePlanes;
use rust_hdl::prelude::*;

/// Clocks from a beat's acceptance to its events on the output registers, if nothing of it waits for the next byte.
pub const PIPELINE_LATENCY: usize = 14;

/// Stage 0 (the input register) and the parts in order: [`Sequence`], [`Scalar`], [`Lookahead`], [`Events`].
#[derive(LogicBlock)]
pub struct Pipeline<const N: usize, const DATA: usize, const SCALARS: usize, const BEAT: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    /// A beat enters in this clock.
    pub valid: Signal<In, Bit>,
    pub data: Signal<In, Bits<DATA>>,
    pub keep: Signal<In, Bits<N>>,
    pub last: Signal<In, Bit>,
    /// A beat leaves; `beat` is zero otherwise, but for the clock after a reset.
    pub out_valid: Signal<Out, Bit>,
    pub beat: Signal<Out, Bits<BEAT>>,
    /// A beat has left without anything to send.
    pub retired: Signal<Out, Bit>,

    s0_valid: DFF<Bit>,
    s0_last: DFF<Bit>,
    s0_present: DFF<Bits<N>>,
    s0_data: DFF<Bits<DATA>>,
    planes: BytePlanes<N, DATA>,
    sequences: Sequence<N>,
    scalar: Scalar<N, DATA, SCALARS>,
    lookahead: Lookahead<N, SCALARS>,
    events: Events<N, SCALARS>,
    pack: PackBeat<N, SCALARS, BEAT>,
}

impl<const N: usize, const DATA: usize, const SCALARS: usize, const BEAT: usize>
    Pipeline<N, DATA, SCALARS, BEAT>
{
    pub fn new(rule: SignatureRule) -> Self {
        Self {
            clock: Default::default(),
            reset: Default::default(),
            valid: Default::default(),
            data: Default::default(),
            keep: Default::default(),
            last: Default::default(),
            out_valid: Default::default(),
            beat: Default::default(),
            retired: Default::default(),
            s0_valid: Default::default(),
            s0_last: Default::default(),
            s0_present: Default::default(),
            s0_data: Default::default(),
            planes: Default::default(),
            sequences: Default::default(),
            scalar: Default::default(),
            lookahead: Lookahead::new(rule.strip),
            events: Events::new(rule),
            pack: Default::default(),
        }
    }
}

impl<const N: usize, const DATA: usize, const SCALARS: usize, const BEAT: usize> Logic
    for Pipeline<N, DATA, SCALARS, BEAT>
{
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, s0_valid, s0_last, s0_present, s0_data);

        // A beat that has no byte and ends no packet is no beat.
        self.s0_valid.d.next =
            self.valid.val() & (self.last.val() | self.keep.val().any()) & !self.reset.val();
        self.s0_last.d.next = self.last.val();
        self.s0_present.d.next = self.keep.val();
        self.s0_data.d.next = self.data.val();
        self.planes.data.next = self.s0_data.q.val();

        self.sequences.clock.next = self.clock.val();
        self.sequences.reset.next = self.reset.val();
        self.sequences.valid.next = self.s0_valid.q.val();
        self.sequences.last.next = self.s0_last.q.val();
        self.sequences.present.next = self.s0_present.q.val();
        self.sequences.b0.next = self.planes.b0.val();
        self.sequences.b1.next = self.planes.b1.val();
        self.sequences.b2.next = self.planes.b2.val();
        self.sequences.b3.next = self.planes.b3.val();
        self.sequences.b4.next = self.planes.b4.val();
        self.sequences.b5.next = self.planes.b5.val();
        self.sequences.b6.next = self.planes.b6.val();
        self.sequences.b7.next = self.planes.b7.val();

        self.scalar.clock.next = self.clock.val();
        self.scalar.data.next = self.s0_data.q.val();
        self.scalar.valid.next = self.sequences.out_valid.val();
        self.scalar.third_up.next = self.sequences.third_up.val();
        self.scalar.fourth.next = self.sequences.fourth.val();

        self.lookahead.clock.next = self.clock.val();
        self.lookahead.reset.next = self.reset.val();
        self.lookahead.valid.next = self.sequences.out_valid.val();
        self.lookahead.last.next = self.sequences.out_last.val();
        self.lookahead.present.next = self.sequences.out_present.val();
        self.lookahead.cont.next = self.sequences.cont.val();
        self.lookahead.consumed.next = self.sequences.consumed.val();
        self.lookahead.complete.next = self.sequences.complete.val();
        self.lookahead.open.next = self.sequences.open.val();
        self.lookahead.second.next = self.sequences.second.val();
        self.lookahead.third_up.next = self.sequences.third_up.val();
        self.lookahead.never.next = self.sequences.never.val();
        self.lookahead.own_0.next = self.sequences.own_0.val();
        self.lookahead.own_1.next = self.sequences.own_1.val();
        self.lookahead.own_2.next = self.sequences.own_2.val();
        self.lookahead.signature.next = self.sequences.signature.val();
        self.lookahead.scalars.next = self.scalar.scalars.val();

        self.events.clock.next = self.clock.val();
        self.events.reset.next = self.reset.val();
        self.events.valid.next = self.lookahead.out_valid.val();
        self.events.last.next = self.lookahead.out_last.val();
        self.events.scalar.next = self.lookahead.scalar.val();
        self.events.ill.next = self.lookahead.ill.val();
        self.events.by_own.next = self.lookahead.by_own.val();
        self.events.at_end.next = self.lookahead.at_end.val();
        self.events.own_0.next = self.lookahead.out_own_0.val();
        self.events.own_1.next = self.lookahead.out_own_1.val();
        self.events.own_2.next = self.lookahead.out_own_2.val();
        self.events.length_0.next = self.lookahead.length_0.val();
        self.events.length_1.next = self.lookahead.length_1.val();
        self.events.signature.next = self.lookahead.out_signature.val();
        self.events.scalars.next = self.lookahead.out_scalars.val();

        self.pack.scalars.next = self.events.out_scalars.val();
        self.pack.sent.next = self.events.sent.val();
        self.pack.kind_0.next = self.events.kind_0.val();
        self.pack.kind_1.next = self.events.kind_1.val();
        self.pack.kind_2.next = self.events.kind_2.val();
        self.pack.length_0.next = self.events.out_length_0.val();
        self.pack.length_1.next = self.events.out_length_1.val();
        self.pack.last.next = self.events.out_last.val();
        self.pack.signature.next = self.events.out_signature.val();

        self.out_valid.next = self.events.out_valid.val();
        self.beat.next = self.pack.beat.val();
        self.retired.next = self.events.retired.val();
    }
}
