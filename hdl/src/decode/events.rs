//! Last part of the pipeline: one event per piece, in the lane of the byte that ends it.
//!
//! Beats that have neither an event nor the packet's end are not sent.
//!
//! # Latency
//! 2 clocks from [`super::lookahead`], a beat in every clock.
//!
//! # Reset
//! The beats' `valid` bits and the pending signature flag; the payload registers are not reset.

use crate::layout::REPLACEMENT;
use crate::primitives::Widen;
use rust_hdl::prelude::*;

/// Events of a beat. The inputs are the outputs of [`super::lookahead::Lookahead`].
#[derive(LogicBlock)]
pub struct Events<const N: usize, const SCALARS: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub valid: Signal<In, Bit>,
    pub last: Signal<In, Bit>,
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
    pub scalars: Signal<In, Bits<SCALARS>>,

    /// A beat leaves: it has an event, or ends its packet. Every other output is zero otherwise.
    pub out_valid: Signal<Out, Bit>,
    pub out_last: Signal<Out, Bit>,
    /// A beat has left the pipeline without anything to send.
    pub retired: Signal<Out, Bit>,
    /// Lanes with an event.
    pub sent: Signal<Out, Bits<N>>,
    pub out_scalars: Signal<Out, Bits<SCALARS>>,
    pub kind_0: Signal<Out, Bits<N>>,
    pub kind_1: Signal<Out, Bits<N>>,
    pub kind_2: Signal<Out, Bits<N>>,
    pub out_length_0: Signal<Out, Bits<N>>,
    pub out_length_1: Signal<Out, Bits<N>>,
    pub out_signature: Signal<Out, Bit>,

    // Configuration.
    strip: Constant<Bit>,
    flag: Constant<Bit>,
    /// A full beat of so many lanes always has an event, even if a signature is stripped from it.
    always_sends: Constant<Bit>,
    replacement: Constant<Bits<SCALARS>>,

    // Stage 12: only what leaves.
    leaving: Signal<Local, Bit>,
    s12_valid: DFF<Bit>,
    s12_last: DFF<Bit>,
    s12_scalar: DFF<Bits<N>>,
    s12_ill: DFF<Bits<N>>,
    s12_kind_0: DFF<Bits<N>>,
    s12_kind_1: DFF<Bits<N>>,
    s12_kind_2: DFF<Bits<N>>,
    s12_length_0: DFF<Bits<N>>,
    s12_length_1: DFF<Bits<N>>,
    s12_signature: DFF<Bit>,
    s12_scalars: DFF<Bits<SCALARS>>,
    widen_scalar: Widen<N, SCALARS>,
    widen_ill: Widen<N, SCALARS>,
    sends: Signal<Local, Bit>,
    flagged: Signal<Local, Bit>,
    /// A signature was stripped and no beat has carried its flag yet.
    pending: DFF<Bit>,

    // Stage 13: the outputs.
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
        let mut replacement = Bits::<SCALARS>::default();
        for bit in 0..SCALARS {
            replacement =
                replacement.replace_bit(bit, REPLACEMENT >> (bit % (SCALARS / N)) & 1 == 1);
        }
        Self {
            strip: Constant::new(rule.strip),
            flag: Constant::new(rule.flag),
            always_sends: Constant::new(N >= 8),
            replacement: Constant::new(replacement),
            clock: Default::default(),
            reset: Default::default(),
            valid: Default::default(),
            last: Default::default(),
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
            scalars: Default::default(),
            out_valid: Default::default(),
            out_last: Default::default(),
            retired: Default::default(),
            sent: Default::default(),
            out_scalars: Default::default(),
            kind_0: Default::default(),
            kind_1: Default::default(),
            kind_2: Default::default(),
            out_length_0: Default::default(),
            out_length_1: Default::default(),
            out_signature: Default::default(),
            leaving: Default::default(),
            s12_valid: Default::default(),
            s12_last: Default::default(),
            s12_scalar: Default::default(),
            s12_ill: Default::default(),
            s12_kind_0: Default::default(),
            s12_kind_1: Default::default(),
            s12_kind_2: Default::default(),
            s12_length_0: Default::default(),
            s12_length_1: Default::default(),
            s12_signature: Default::default(),
            s12_scalars: Default::default(),
            widen_scalar: Default::default(),
            widen_ill: Default::default(),
            sends: Default::default(),
            flagged: Default::default(),
            pending: Default::default(),
            s13_valid: Default::default(),
            s13_retired: Default::default(),
            s13_last: Default::default(),
            s13_sent: Default::default(),
            s13_scalars: Default::default(),
            s13_kind_0: Default::default(),
            s13_kind_1: Default::default(),
            s13_kind_2: Default::default(),
            s13_length_0: Default::default(),
            s13_length_1: Default::default(),
            s13_signature: Default::default(),
        }
    }
}

impl<const N: usize, const SCALARS: usize> Logic for Events<N, SCALARS> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            s12_valid,
            s12_last,
            s12_scalar,
            s12_ill,
            s12_kind_0,
            s12_kind_1,
            s12_kind_2,
            s12_length_0,
            s12_length_1,
            s12_signature,
            s12_scalars,
            pending
        );
        dff_setup!(
            self,
            clock,
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
            s13_signature
        );

        // Stage 12: truncated is 6, truncated_at_end 7.
        self.leaving.next = self.valid.val() & !self.reset.val();
        self.s12_valid.d.next = self.leaving.val();
        self.s12_last.d.next = self.last.val() & self.leaving.val();
        self.s12_signature.d.next = self.signature.val() & self.leaving.val();
        if self.leaving.val() {
            self.s12_scalar.d.next = self.scalar.val();
            self.s12_ill.d.next = self.ill.val();
        } else {
            self.s12_scalar.d.next = 0.into();
            self.s12_ill.d.next = 0.into();
        }
        self.s12_kind_0.d.next =
            (self.by_own.val() & self.own_0.val()) | (!self.by_own.val() & self.at_end.val());
        self.s12_kind_1.d.next = !self.by_own.val() | self.own_1.val();
        self.s12_kind_2.d.next = !self.by_own.val() | self.own_2.val();
        self.s12_length_0.d.next = self.length_0.val();
        self.s12_length_1.d.next = self.length_1.val();
        self.s12_scalars.d.next = self.scalars.val();

        // Stage 13
        if self.always_sends.val() {
            self.sends.next = self.s12_valid.q.val();
        } else {
            self.sends.next =
                self.s12_last.q.val() | self.s12_scalar.q.val().any() | self.s12_ill.q.val().any();
        }
        if self.strip.val() {
            self.flagged.next = self.s12_signature.q.val() | self.pending.q.val();
        } else if self.flag.val() {
            self.flagged.next = self.s12_signature.q.val();
        } else {
            self.flagged.next = false;
        }
        self.pending.d.next = self.flagged.val() & !self.sends.val() & !self.reset.val();
        self.widen_scalar.x.next = self.s12_scalar.q.val();
        self.widen_ill.x.next = self.s12_ill.q.val();
        self.s13_valid.d.next = self.sends.val() & !self.reset.val();
        self.s13_retired.d.next = self.s12_valid.q.val() & !self.sends.val() & !self.reset.val();
        self.s13_last.d.next = self.s12_last.q.val();
        self.s13_sent.d.next = self.s12_scalar.q.val() | self.s12_ill.q.val();
        self.s13_scalars.d.next = (self.s12_scalars.q.val() & self.widen_scalar.y.val())
            | (self.replacement.val() & self.widen_ill.y.val());
        self.s13_kind_0.d.next = self.s12_kind_0.q.val() & self.s12_ill.q.val();
        self.s13_kind_1.d.next = self.s12_kind_1.q.val() & self.s12_ill.q.val();
        self.s13_kind_2.d.next = self.s12_kind_2.q.val() & self.s12_ill.q.val();
        self.s13_length_0.d.next = self.s12_length_0.q.val() & self.s12_ill.q.val();
        self.s13_length_1.d.next = self.s12_length_1.q.val() & self.s12_ill.q.val();
        self.s13_signature.d.next = self.flagged.val() & self.sends.val();

        self.out_valid.next = self.s13_valid.q.val();
        self.retired.next = self.s13_retired.q.val();
        self.out_last.next = self.s13_last.q.val();
        self.sent.next = self.s13_sent.q.val();
        self.out_scalars.next = self.s13_scalars.q.val();
        self.kind_0.next = self.s13_kind_0.q.val();
        self.kind_1.next = self.s13_kind_1.q.val();
        self.kind_2.next = self.s13_kind_2.q.val();
        self.out_length_0.next = self.s13_length_0.q.val();
        self.out_length_1.next = self.s13_length_1.q.val();
        self.out_signature.next = self.s13_signature.q.val();
    }
}
