//! One event per piece, in the lane of the byte that ends it.
//!
//! Beats that have neither an event nor the packet's end are not sent.
//!
//! # Latency
//! 1 clock (stage 13), a beat in every clock.
//!
//! # Reset
//! `out_valid`, `retired` and the pending signature flag; the payload is not, and may show what was dropped without `out_valid`.

use crate::layout::{REPLACEMENT, SCALAR_BITS};
use crate::primitives::wires::Repeat;
use crate::primitives::{DFF, blank};
use crate::side::Sideband;
use hdl_macros::{Block, logic};
use rust_hdl::prelude::*;

/// The events of a beat: a scalar value, or U+FFFD with the kind and the length of an ill-formed piece. The inputs are the outputs of [`crate::pieces::Pieces`], [`super::scalar::Scalar`] and
/// [`super::side::Side`].
#[derive(Block)]
pub struct Events<const N: usize, const SCALARS: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub valid: Signal<In, Bit>,
    pub last: Signal<In, Bit>,
    pub signature: Signal<In, Bit>,
    pub scalar: Signal<In, Bits<N>>,
    pub ill: Signal<In, Bits<N>>,
    pub kind_0: Signal<In, Bits<N>>,
    pub kind_1: Signal<In, Bits<N>>,
    pub kind_2: Signal<In, Bits<N>>,
    pub second: Signal<In, Bits<N>>,
    pub length_1: Signal<In, Bits<N>>,
    pub scalars: Signal<In, Bits<SCALARS>>,
    pub side: Signal<In, Sideband>,

    /// A beat leaves: it has an event, or ends its packet. Otherwise the others are zero, but for the clock after a reset.
    pub out_valid: Signal<Out, Bit>,
    pub out_last: Signal<Out, Bit>,
    /// A beat has left without anything to send.
    pub retired: Signal<Out, Bit>,
    /// Lanes with an event.
    pub sent: Signal<Out, Bits<N>>,
    pub out_scalars: Signal<Out, Bits<SCALARS>>,
    pub out_kind_0: Signal<Out, Bits<N>>,
    pub out_kind_1: Signal<Out, Bits<N>>,
    pub out_kind_2: Signal<Out, Bits<N>>,
    pub out_length_0: Signal<Out, Bits<N>>,
    pub out_length_1: Signal<Out, Bits<N>>,
    pub out_signature: Signal<Out, Bit>,
    pub out_side: Signal<Out, Sideband>,

    /// Configuration.
    strip: Constant<Bit>,
    flag: Constant<Bit>,
    always_sends: Constant<Bit>,
    replacement: Constant<Bits<SCALARS>>,

    every_scalar: Repeat<N, SCALARS>,
    every_ill: Repeat<N, SCALARS>,
    sends: Signal<Local, Bit>,
    flagged: Signal<Local, Bit>,
    /// A signature was stripped and no beat has carried its flag yet.
    pending: DFF<Bit>,
    /// Stage 13: the events.
    s13_valid: DFF<Bit>,
    s13_retired: DFF<Bit>,
    s13_last: DFF<Bit>,
    s13_sent: DFF<Bits<N>>,
    s13_scalars: DFF<Bits<SCALARS>>,
    s13_kind_0: DFF<Bits<N>>,
    s13_kind_1: DFF<Bits<N>>,
    s13_kind_2: DFF<Bits<N>>,
    s13_length_0: DFF<Bits<N>>,
    s13_length_1: DFF<Bits<N>>,
    s13_signature: DFF<Bit>,
    s13_side: DFF<Sideband>,
}

/// A full beat of so many lanes always has an event, even if a signature is stripped from it; of fewer, the lanes must tell.
pub const fn always_sends(lanes: usize) -> bool {
    lanes >= 8
}

/// What the core does with a signature: EF BB BF at the beginning of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SignatureRule {
    /// It is not sent.
    pub strip: bool,
    /// Its packet is flagged.
    pub flag: bool,
}

impl<const N: usize, const SCALARS: usize> Events<N, SCALARS> {
    pub fn new(rule: SignatureRule) -> Self {
        const { assert!(SCALARS == SCALAR_BITS * N) }
        let mut replacement = Bits::<SCALARS>::default();
        for bit in 0..SCALARS {
            replacement = replacement.replace_bit(bit, REPLACEMENT >> (bit / N) & 1 == 1);
        }
        Self {
            strip: Constant::new(rule.strip),
            flag: Constant::new(rule.flag),
            always_sends: Constant::new(always_sends(N)),
            replacement: Constant::new(replacement),
            clock: blank(),
            reset: blank(),
            valid: blank(),
            last: blank(),
            signature: blank(),
            scalar: blank(),
            ill: blank(),
            kind_0: blank(),
            kind_1: blank(),
            kind_2: blank(),
            second: blank(),
            length_1: blank(),
            scalars: blank(),
            side: blank(),
            out_valid: blank(),
            out_last: blank(),
            retired: blank(),
            sent: blank(),
            out_scalars: blank(),
            out_kind_0: blank(),
            out_kind_1: blank(),
            out_kind_2: blank(),
            out_length_0: blank(),
            out_length_1: blank(),
            out_signature: blank(),
            out_side: blank(),
            every_scalar: blank(),
            every_ill: blank(),
            sends: blank(),
            flagged: blank(),
            pending: blank(),
            s13_valid: blank(),
            s13_retired: blank(),
            s13_last: blank(),
            s13_sent: blank(),
            s13_scalars: blank(),
            s13_kind_0: blank(),
            s13_kind_1: blank(),
            s13_kind_2: blank(),
            s13_length_0: blank(),
            s13_length_1: blank(),
            s13_signature: blank(),
            s13_side: blank(),
        }
    }
}

impl<const N: usize, const SCALARS: usize> Logic for Events<N, SCALARS> {
    #[logic]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            pending,
            s13_valid,
            s13_retired,
            s13_last,
            s13_sent,
            s13_scalars,
            s13_kind_0,
            s13_kind_1,
            s13_kind_2,
            s13_length_0,
            s13_length_1,
            s13_signature,
            s13_side
        );

        if self.always_sends.val() {
            self.sends.next = self.valid.val();
        } else {
            self.sends.next = self.last.val() | self.scalar.val().any() | self.ill.val().any();
        }
        if self.strip.val() {
            self.flagged.next = self.signature.val() | self.pending.q.val();
        } else if self.flag.val() {
            self.flagged.next = self.signature.val();
        } else {
            self.flagged.next = false;
        }
        self.every_scalar.x.next = self.scalar.val();
        self.every_ill.x.next = self.ill.val();
        if self.reset.val() {
            self.pending.d.next = false;
            self.s13_valid.d.next = false;
            self.s13_retired.d.next = false;
        } else {
            self.pending.d.next = self.flagged.val() & !self.sends.val();
            self.s13_valid.d.next = self.sends.val();
            self.s13_retired.d.next = self.valid.val() & !self.sends.val();
        }
        self.s13_last.d.next = self.last.val();
        self.s13_sent.d.next = self.scalar.val() | self.ill.val();
        self.s13_scalars.d.next = (self.scalars.val() & self.every_scalar.y.val())
            | (self.replacement.val() & self.every_ill.y.val());
        self.s13_kind_0.d.next = self.kind_0.val() & self.ill.val();
        self.s13_kind_1.d.next = self.kind_1.val() & self.ill.val();
        self.s13_kind_2.d.next = self.kind_2.val() & self.ill.val();
        self.s13_length_0.d.next = !self.second.val() & self.ill.val();
        self.s13_length_1.d.next = self.length_1.val() & self.ill.val();
        self.s13_signature.d.next = self.flagged.val() & self.sends.val();
        if self.sends.val() {
            self.s13_side.d.next = self.side.val();
        } else {
            self.s13_side.d.next = 0.into();
        }

        self.out_valid.next = self.s13_valid.q.val();
        self.retired.next = self.s13_retired.q.val();
        self.out_last.next = self.s13_last.q.val();
        self.sent.next = self.s13_sent.q.val();
        self.out_scalars.next = self.s13_scalars.q.val();
        self.out_kind_0.next = self.s13_kind_0.q.val();
        self.out_kind_1.next = self.s13_kind_1.q.val();
        self.out_kind_2.next = self.s13_kind_2.q.val();
        self.out_length_0.next = self.s13_length_0.q.val();
        self.out_length_1.next = self.s13_length_1.q.val();
        self.out_signature.next = self.s13_signature.q.val();
        self.out_side.next = self.s13_side.q.val();
    }
}
