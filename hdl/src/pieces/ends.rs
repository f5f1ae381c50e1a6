//! Last part of [`super::Pieces`]: what the pieces are that end in a beat.
//!
//! # Latency
//! 1 clock (stage 12), a beat in every clock.
//!
//! # Reset
//! What is of the beat; and its lanes if they have to be clear without a beat.

use crate::primitives::wires::Lane;
use crate::primitives::{DFF, blank};
use hdl_macros::{Block, logic};
use rust_hdl::prelude::*;

/// Where pieces end, of which kind and length they are. The inputs are the outputs of [`super::lookahead::Lookahead`].
#[derive(Block)]
pub struct Ends<const N: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub valid: Signal<In, Bit>,
    pub last: Signal<In, Bit>,
    /// Lanes with a byte; none without a beat.
    pub present: Signal<In, Bits<N>>,
    pub waited: Signal<In, Bit>,
    pub scalar: Signal<In, Bits<N>>,
    pub ill: Signal<In, Bits<N>>,
    pub own_kind_0: Signal<In, Bits<N>>,
    pub kind_1: Signal<In, Bits<N>>,
    pub kind_2: Signal<In, Bits<N>>,
    pub followed: Signal<In, Bits<N>>,
    pub second: Signal<In, Bits<N>>,
    pub consumed: Signal<In, Bits<N>>,
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
    pub out_kind_1: Signal<Out, Bits<N>>,
    pub out_kind_2: Signal<Out, Bits<N>>,
    /// The length of an ill-formed piece: bit 0 inverted, and bit 1.
    pub out_second: Signal<Out, Bits<N>>,
    pub length_1: Signal<Out, Bits<N>>,
    /// How many bytes at the beat's end belong to a piece that has not ended.
    pub tail_0: Signal<Out, Bit>,
    pub tail_1: Signal<Out, Bit>,

    /// Configuration: a reset clears all lanes.
    clears: Constant<Bit>,
    top_ill: Lane<N>,
    top_second: Lane<N>,
    top_consumed: Lane<N>,
    /// Stage 12: where pieces end, of which kind and length.
    s12_valid: DFF<Bit>,
    s12_last: DFF<Bit>,
    s12_signature: DFF<Bit>,
    s12_present: DFF<Bits<N>>,
    s12_scalar: DFF<Bits<N>>,
    s12_ill: DFF<Bits<N>>,
    s12_kind_0: DFF<Bits<N>>,
    s12_kind_1: DFF<Bits<N>>,
    s12_kind_2: DFF<Bits<N>>,
    s12_second: DFF<Bits<N>>,
    s12_length_1: DFF<Bits<N>>,
    s12_tail_0: DFF<Bit>,
    s12_tail_1: DFF<Bit>,
}

impl<const N: usize> Ends<N> {
    pub fn new(clears: bool) -> Self {
        Self {
            clears: Constant::new(clears),
            top_ill: Lane::new(N - 1),
            top_second: Lane::new(N - 1),
            top_consumed: Lane::new(N - 1),
            clock: blank(),
            reset: blank(),
            valid: blank(),
            last: blank(),
            present: blank(),
            waited: blank(),
            scalar: blank(),
            ill: blank(),
            own_kind_0: blank(),
            kind_1: blank(),
            kind_2: blank(),
            followed: blank(),
            second: blank(),
            consumed: blank(),
            signature: blank(),
            out_valid: blank(),
            out_last: blank(),
            out_signature: blank(),
            out_present: blank(),
            out_scalar: blank(),
            out_ill: blank(),
            kind_0: blank(),
            out_kind_1: blank(),
            out_kind_2: blank(),
            out_second: blank(),
            length_1: blank(),
            tail_0: blank(),
            tail_1: blank(),
            s12_valid: blank(),
            s12_last: blank(),
            s12_signature: blank(),
            s12_present: blank(),
            s12_scalar: blank(),
            s12_ill: blank(),
            s12_kind_0: blank(),
            s12_kind_1: blank(),
            s12_kind_2: blank(),
            s12_second: blank(),
            s12_length_1: blank(),
            s12_tail_0: blank(),
            s12_tail_1: blank(),
        }
    }
}

impl<const N: usize> Logic for Ends<N> {
    // A branch on a constant goes, a condition with one would stay.
    #[expect(clippy::collapsible_if)]
    #[logic]
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
            s12_second,
            s12_length_1,
            s12_tail_0,
            s12_tail_1
        );

        self.s12_valid.d.next = self.valid.val();
        self.s12_last.d.next = self.last.val() & self.valid.val();
        self.s12_signature.d.next = self.signature.val() & self.valid.val();
        self.s12_present.d.next = self.present.val();
        self.s12_scalar.d.next = self.scalar.val() & self.present.val();
        self.s12_ill.d.next = self.ill.val() & self.present.val();
        // Only the reset is in the form of a clear, so that no LUT is on its way to the registers.
        if self.reset.val() {
            self.s12_valid.d.next = false;
            self.s12_last.d.next = false;
            self.s12_signature.d.next = false;
        }
        if self.clears.val() {
            if self.reset.val() {
                self.s12_present.d.next = 0.into();
                self.s12_scalar.d.next = 0.into();
                self.s12_ill.d.next = 0.into();
            }
        }
        // Truncated is 6, truncated_at_end 7.
        self.s12_kind_0.d.next = (self.own_kind_0.val() & !(self.kind_1.val() & self.kind_2.val()))
            | (!self.followed.val() & self.kind_1.val() & self.kind_2.val());
        self.s12_kind_1.d.next = self.kind_1.val();
        self.s12_kind_2.d.next = self.kind_2.val();
        self.s12_second.d.next = self.second.val();
        self.s12_length_1.d.next = self.consumed.val();

        // A piece goes on beyond the beat if its sequence was unfinished and the next byte did not end it.
        self.top_ill.x.next = self.ill.val();
        self.top_second.x.next = self.second.val();
        self.top_consumed.x.next = self.consumed.val();
        self.s12_tail_0.d.next =
            self.waited.val() & !self.top_ill.y.val() & !self.top_second.y.val();
        self.s12_tail_1.d.next =
            self.waited.val() & !self.top_ill.y.val() & self.top_consumed.y.val();

        self.out_valid.next = self.s12_valid.q.val();
        self.out_last.next = self.s12_last.q.val();
        self.out_signature.next = self.s12_signature.q.val();
        self.out_present.next = self.s12_present.q.val();
        self.out_scalar.next = self.s12_scalar.q.val();
        self.out_ill.next = self.s12_ill.q.val();
        self.kind_0.next = self.s12_kind_0.q.val();
        self.out_kind_1.next = self.s12_kind_1.q.val();
        self.out_kind_2.next = self.s12_kind_2.q.val();
        self.out_second.next = self.s12_second.q.val();
        self.length_1.next = self.s12_length_1.q.val();
        self.tail_0.next = self.s12_tail_0.q.val();
        self.tail_1.next = self.s12_tail_1.q.val();
    }
}
