//! Last part of [`super::Pieces`]: what the pieces are that end in a beat.
//!
//! # Latency
//! 1 clock (stage 12), a beat in every clock.
//!
//! # Reset
//! `out_valid`, which gates every other output but the kinds and the lengths.

use crate::primitives::wires::Lane;
use rust_hdl::prelude::*;

/// Ends of pieces. The inputs are the outputs of [`super::lookahead::Lookahead`].
#[derive(LogicBlock)]
pub struct Ends<const N: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub valid: Signal<In, Bit>,
    pub last: Signal<In, Bit>,
    /// Clear if not `valid`.
    pub present: Signal<In, Bits<N>>,
    pub waited: Signal<In, Bit>,
    pub scalar: Signal<In, Bits<N>>,
    pub ill: Signal<In, Bits<N>>,
    pub by_own: Signal<In, Bits<N>>,
    pub at_end: Signal<In, Bits<N>>,
    pub own_0: Signal<In, Bits<N>>,
    pub own_1: Signal<In, Bits<N>>,
    pub own_2: Signal<In, Bits<N>>,
    pub length_0: Signal<In, Bits<N>>,
    pub length_1: Signal<In, Bits<N>>,
    pub signature: Signal<In, Bit>,

    /// A beat leaves.
    pub out_valid: Signal<Out, Bit>,
    pub out_last: Signal<Out, Bit>,
    pub out_signature: Signal<Out, Bit>,
    pub out_present: Signal<Out, Bits<N>>,
    /// A scalar value to send ends here; an ill-formed piece ends here, of this kind and length.
    pub out_scalar: Signal<Out, Bits<N>>,
    pub out_ill: Signal<Out, Bits<N>>,
    pub kind_0: Signal<Out, Bits<N>>,
    pub kind_1: Signal<Out, Bits<N>>,
    pub kind_2: Signal<Out, Bits<N>>,
    pub out_length_0: Signal<Out, Bits<N>>,
    pub out_length_1: Signal<Out, Bits<N>>,
    /// How many bytes at the beat's end belong to a piece that has not ended.
    pub tail_0: Signal<Out, Bit>,
    pub tail_1: Signal<Out, Bit>,

    top_ill: Lane<N>,
    top_length_0: Lane<N>,
    top_length_1: Lane<N>,
    s12_valid: DFF<Bit>,
    s12_last: DFF<Bit>,
    s12_signature: DFF<Bit>,
    s12_present: DFF<Bits<N>>,
    s12_scalar: DFF<Bits<N>>,
    s12_ill: DFF<Bits<N>>,
    s12_kind_0: DFF<Bits<N>>,
    s12_kind_1: DFF<Bits<N>>,
    s12_kind_2: DFF<Bits<N>>,
    s12_length_0: DFF<Bits<N>>,
    s12_length_1: DFF<Bits<N>>,
    s12_tail_0: DFF<Bit>,
    s12_tail_1: DFF<Bit>,
}

impl<const N: usize> Default for Ends<N> {
    fn default() -> Self {
        Self {
            top_ill: Lane::new(N - 1),
            top_length_0: Lane::new(N - 1),
            top_length_1: Lane::new(N - 1),
            clock: Default::default(),
            reset: Default::default(),
            valid: Default::default(),
            last: Default::default(),
            present: Default::default(),
            waited: Default::default(),
            scalar: Default::default(),
            ill: Default::default(),
            by_own: Default::default(),
            at_end: Default::default(),
            own_0: Default::default(),
            own_1: Default::default(),
            own_2: Default::default(),
            length_0: Default::default(),
            length_1: Default::default(),
            signature: Default::default(),
            out_valid: Default::default(),
            out_last: Default::default(),
            out_signature: Default::default(),
            out_present: Default::default(),
            out_scalar: Default::default(),
            out_ill: Default::default(),
            kind_0: Default::default(),
            kind_1: Default::default(),
            kind_2: Default::default(),
            out_length_0: Default::default(),
            out_length_1: Default::default(),
            tail_0: Default::default(),
            tail_1: Default::default(),
            s12_valid: Default::default(),
            s12_last: Default::default(),
            s12_signature: Default::default(),
            s12_present: Default::default(),
            s12_scalar: Default::default(),
            s12_ill: Default::default(),
            s12_kind_0: Default::default(),
            s12_kind_1: Default::default(),
            s12_kind_2: Default::default(),
            s12_length_0: Default::default(),
            s12_length_1: Default::default(),
            s12_tail_0: Default::default(),
            s12_tail_1: Default::default(),
        }
    }
}

impl<const N: usize> Logic for Ends<N> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            s12_valid,
            s12_last,
            s12_signature,
            s12_present,
            s12_scalar,
            s12_ill,
            s12_kind_0,
            s12_kind_1,
            s12_kind_2,
            s12_length_0,
            s12_length_1,
            s12_tail_0,
            s12_tail_1
        );

        // Only the reset is in the form of a clear, so that no LUT is on its way to the registers.
        if self.reset.val() {
            self.s12_valid.d.next = false;
            self.s12_last.d.next = false;
            self.s12_signature.d.next = false;
            self.s12_present.d.next = 0.into();
            self.s12_scalar.d.next = 0.into();
            self.s12_ill.d.next = 0.into();
        } else {
            self.s12_valid.d.next = self.valid.val();
            self.s12_last.d.next = self.last.val() & self.valid.val();
            self.s12_signature.d.next = self.signature.val() & self.valid.val();
            self.s12_present.d.next = self.present.val();
            self.s12_scalar.d.next = self.scalar.val() & self.present.val();
            self.s12_ill.d.next = self.ill.val() & self.present.val();
        }
        // Truncated is 6, truncated_at_end 7.
        self.s12_kind_0.d.next =
            (self.by_own.val() & self.own_0.val()) | (!self.by_own.val() & self.at_end.val());
        self.s12_kind_1.d.next = !self.by_own.val() | self.own_1.val();
        self.s12_kind_2.d.next = !self.by_own.val() | self.own_2.val();
        self.s12_length_0.d.next = self.length_0.val();
        self.s12_length_1.d.next = self.length_1.val();

        // A piece goes on beyond the beat if its sequence was unfinished and the next byte did not end it.
        self.top_ill.x.next = self.ill.val();
        self.top_length_0.x.next = self.length_0.val();
        self.top_length_1.x.next = self.length_1.val();
        self.s12_tail_0.d.next =
            self.waited.val() & !self.top_ill.y.val() & self.top_length_0.y.val();
        self.s12_tail_1.d.next =
            self.waited.val() & !self.top_ill.y.val() & self.top_length_1.y.val();

        self.out_valid.next = self.s12_valid.q.val();
        self.out_last.next = self.s12_last.q.val();
        self.out_signature.next = self.s12_signature.q.val();
        self.out_present.next = self.s12_present.q.val();
        self.out_scalar.next = self.s12_scalar.q.val();
        self.out_ill.next = self.s12_ill.q.val();
        self.kind_0.next = self.s12_kind_0.q.val();
        self.kind_1.next = self.s12_kind_1.q.val();
        self.kind_2.next = self.s12_kind_2.q.val();
        self.out_length_0.next = self.s12_length_0.q.val();
        self.out_length_1.next = self.s12_length_1.q.val();
        self.tail_0.next = self.s12_tail_0.q.val();
        self.tail_1.next = self.s12_tail_1.q.val();
    }
}
