//! First part of [`super::Pieces`]: what each byte is by itself.
//!
//! Every signal is a plane (one bit per lane), and nothing here looks at a neighbour: RFC 3629's ranges are products of a
//! high and a low nibble, so functions of each nibble (stage 1), their products (stage 2) and the sums of those (stage 3) name
//! every class, and none has more than four inputs.
//!
//! # Latency
//! 3 clocks, a beat in every clock.
//!
//! # Reset
//! None: a lane that is not `present` is of no class that a neighbour looks at.

use crate::primitives::DFF;
use hdl_macros::{Blank, Block, logic};
use rust_hdl::prelude::*;

/// The class of each byte, of those that Table 3-7 of the Unicode Standard tells apart; all outputs are those of 3 clocks before.
#[derive(Block, Blank)]
pub struct Classify<const N: usize> {
    pub clock: Signal<In, Clock>,
    /// Lanes that hold a byte.
    pub present: Signal<In, Bits<N>>,
    /// The bits of each byte.
    pub b0: Signal<In, Bits<N>>,
    pub b1: Signal<In, Bits<N>>,
    pub b2: Signal<In, Bits<N>>,
    pub b3: Signal<In, Bits<N>>,
    pub b4: Signal<In, Bits<N>>,
    pub b5: Signal<In, Bits<N>>,
    pub b6: Signal<In, Bits<N>>,
    pub b7: Signal<In, Bits<N>>,
    /// 80..FF; of no meaning without a byte.
    pub high: Signal<Out, Bits<N>>,
    /// 80..BF, and its three ranges that Table 3-7 tells apart: 80..8F, 90..9F, A0..BF.
    pub cont: Signal<Out, Bits<N>>,
    pub cont_8x: Signal<Out, Bits<N>>,
    pub cont_9x: Signal<Out, Bits<N>>,
    pub cont_ab: Signal<Out, Bits<N>>,
    /// Leading bytes C2..DF, E0..EF, F0..F4, by the ranges of second bytes that they accept.
    pub takes_8x: Signal<Out, Bits<N>>,
    pub takes_9x: Signal<Out, Bits<N>>,
    pub takes_ab: Signal<Out, Bits<N>>,
    /// Any leading byte; one of three bytes or more.
    pub lead: Signal<Out, Bits<N>>,
    pub lead_3up: Signal<Out, Bits<N>>,
    /// Bit 4 of the byte: a leading byte of three bytes or more has it if its sequence has four.
    pub upper_half: Signal<Out, Bits<N>>,
    /// C0, C1, F5..FF: ill-formed wherever they stand; of no meaning without a byte.
    pub never: Signal<Out, Bits<N>>,
    /// The kind that the byte causes: by itself if `never` or a continuation byte that continues nothing; if a leading byte, by
    /// a continuation byte it does not take. Any, if it can cause none.
    pub own_0: Signal<Out, Bits<N>>,
    pub own_1: Signal<Out, Bits<N>>,
    pub own_2: Signal<Out, Bits<N>>,
    /// The three bytes of the signature (RFC 3629 section 6).
    pub is_ef: Signal<Out, Bits<N>>,
    pub is_bb: Signal<Out, Bits<N>>,
    pub is_bf: Signal<Out, Bits<N>>,

    /// Stage 1: functions of each nibble. Leading bytes and what is like them by halves, C0..DF and E0..FF; low nibbles by range.
    /// Of the kind that a byte of E0..FF can cause, `even` says that bit 0 is clear, `four` that bit 2 is set.
    s1_high: DFF<Bits<N>>,
    s1_cont: DFF<Bits<N>>,
    s1_lead_cd: DFF<Bits<N>>,
    s1_lead_ef: DFF<Bits<N>>,
    s1_b5: DFF<Bits<N>>,
    s1_b4: DFF<Bits<N>>,
    s1_lo_0: DFF<Bits<N>>,
    s1_lo_0_1: DFF<Bits<N>>,
    s1_lo_0_3: DFF<Bits<N>>,
    s1_lo_0_4: DFF<Bits<N>>,
    s1_lo_1_4: DFF<Bits<N>>,
    s1_lo_b: DFF<Bits<N>>,
    s1_lo_d: DFF<Bits<N>>,
    s1_lo_f: DFF<Bits<N>>,
    s1_even: DFF<Bits<N>>,
    s1_four: DFF<Bits<N>>,

    /// Stage 2: products of those.
    s2_high: DFF<Bits<N>>,
    s2_cont: DFF<Bits<N>>,
    s2_cont_8x: DFF<Bits<N>>,
    s2_cont_9x: DFF<Bits<N>>,
    s2_cont_ab: DFF<Bits<N>>,
    s2_lead_2: DFF<Bits<N>>,
    s2_lead_3up: DFF<Bits<N>>,
    s2_long_8x: DFF<Bits<N>>,
    s2_long_9x: DFF<Bits<N>>,
    s2_long_ab: DFF<Bits<N>>,
    s2_b4: DFF<Bits<N>>,
    s2_own_0: DFF<Bits<N>>,
    s2_own_1: DFF<Bits<N>>,
    s2_own_2: DFF<Bits<N>>,
    s2_is_ef: DFF<Bits<N>>,
    s2_is_bb: DFF<Bits<N>>,
    s2_is_bf: DFF<Bits<N>>,

    /// Stage 3: sums of the products, which are the classes.
    s3_high: DFF<Bits<N>>,
    s3_cont: DFF<Bits<N>>,
    s3_cont_8x: DFF<Bits<N>>,
    s3_cont_9x: DFF<Bits<N>>,
    s3_cont_ab: DFF<Bits<N>>,
    s3_takes_8x: DFF<Bits<N>>,
    s3_takes_9x: DFF<Bits<N>>,
    s3_takes_ab: DFF<Bits<N>>,
    s3_lead: DFF<Bits<N>>,
    s3_lead_3up: DFF<Bits<N>>,
    s3_upper_half: DFF<Bits<N>>,
    s3_never: DFF<Bits<N>>,
    s3_own_0: DFF<Bits<N>>,
    s3_own_1: DFF<Bits<N>>,
    s3_own_2: DFF<Bits<N>>,
    s3_is_ef: DFF<Bits<N>>,
    s3_is_bb: DFF<Bits<N>>,
    s3_is_bf: DFF<Bits<N>>,
}

impl<const N: usize> Logic for Classify<N> {
    #[logic]
    fn update(&mut self) {
        dff_setup!(
            self, clock, s1_high, s1_cont, s1_lead_cd, s1_lead_ef, s1_b5, s1_b4, s1_lo_0,
            s1_lo_0_1, s1_lo_0_3, s1_lo_0_4, s1_lo_1_4, s1_lo_b, s1_lo_d, s1_lo_f, s1_even,
            s1_four
        );
        dff_setup!(
            self,
            clock,
            s2_high,
            s2_cont,
            s2_cont_8x,
            s2_cont_9x,
            s2_cont_ab,
            s2_lead_2,
            s2_lead_3up,
            s2_long_8x,
            s2_long_9x,
            s2_long_ab,
            s2_b4,
            s2_own_0,
            s2_own_1,
            s2_own_2,
            s2_is_ef,
            s2_is_bb,
            s2_is_bf
        );
        dff_setup!(
            self,
            clock,
            s3_high,
            s3_cont,
            s3_cont_8x,
            s3_cont_9x,
            s3_cont_ab,
            s3_takes_8x,
            s3_takes_9x,
            s3_takes_ab,
            s3_lead,
            s3_lead_3up,
            s3_upper_half,
            s3_never,
            s3_own_0,
            s3_own_1,
            s3_own_2,
            s3_is_ef,
            s3_is_bb,
            s3_is_bf
        );

        self.s1_high.d.next = self.b7.val();
        self.s1_cont.d.next = self.b7.val() & !self.b6.val() & self.present.val();
        self.s1_lead_cd.d.next =
            self.b7.val() & self.b6.val() & !self.b5.val() & self.present.val();
        self.s1_lead_ef.d.next = self.b7.val() & self.b6.val() & self.b5.val() & self.present.val();
        self.s1_b5.d.next = self.b5.val();
        self.s1_b4.d.next = self.b4.val();
        self.s1_lo_0.d.next = !(self.b3.val() | self.b2.val() | self.b1.val() | self.b0.val());
        self.s1_lo_0_1.d.next = !(self.b3.val() | self.b2.val() | self.b1.val());
        self.s1_lo_0_3.d.next = !(self.b3.val() | self.b2.val());
        self.s1_lo_0_4.d.next =
            !(self.b3.val() | (self.b2.val() & (self.b1.val() | self.b0.val())));
        self.s1_lo_1_4.d.next = !self.b3.val() & (self.b2.val() ^ (self.b1.val() | self.b0.val()));
        self.s1_lo_b.d.next = self.b3.val() & !self.b2.val() & self.b1.val() & self.b0.val();
        self.s1_lo_d.d.next = self.b3.val() & self.b2.val() & !self.b1.val() & self.b0.val();
        self.s1_lo_f.d.next = self.b3.val() & self.b2.val() & self.b1.val() & self.b0.val();
        self.s1_even.d.next = (self.b4.val() & self.b3.val()) | (!self.b4.val() & self.b0.val());
        self.s1_four.d.next =
            (self.b4.val() & !self.b3.val() & self.b2.val()) | (!self.b4.val() & self.b0.val());

        self.s2_high.d.next = self.s1_high.q.val();
        self.s2_cont.d.next = self.s1_cont.q.val();
        self.s2_cont_8x.d.next = self.s1_cont.q.val() & !self.s1_b5.q.val() & !self.s1_b4.q.val();
        self.s2_cont_9x.d.next = self.s1_cont.q.val() & !self.s1_b5.q.val() & self.s1_b4.q.val();
        self.s2_cont_ab.d.next = self.s1_cont.q.val() & self.s1_b5.q.val();
        self.s2_lead_2.d.next =
            self.s1_lead_cd.q.val() & (self.s1_b4.q.val() | !self.s1_lo_0_1.q.val());
        self.s2_lead_3up.d.next =
            self.s1_lead_ef.q.val() & (!self.s1_b4.q.val() | self.s1_lo_0_4.q.val());
        self.s2_long_8x.d.next = self.s1_lead_ef.q.val()
            & ((self.s1_b4.q.val() & self.s1_lo_1_4.q.val())
                | (!self.s1_b4.q.val() & !self.s1_lo_0.q.val()));
        self.s2_long_9x.d.next = self.s1_lead_ef.q.val()
            & ((self.s1_b4.q.val() & self.s1_lo_0_3.q.val())
                | (!self.s1_b4.q.val() & !self.s1_lo_0.q.val()));
        self.s2_long_ab.d.next = self.s1_lead_ef.q.val()
            & ((self.s1_b4.q.val() & self.s1_lo_0_3.q.val())
                | (!self.s1_b4.q.val() & !self.s1_lo_d.q.val()));
        self.s2_b4.d.next = self.s1_b4.q.val();
        // overlong 3, surrogate 4, too_large 5, invalid_byte 2, stray_continuation 1. A leading byte that is not E0, ED, F0 or F4 takes
        // every continuation byte, so that of E0..EF only E0 and ED need be told apart, and of F0..FF only F0..F3, F4..F7, F8..FF.
        self.s2_own_0.d.next = !(self.s1_lead_ef.q.val() & self.s1_even.q.val());
        self.s2_own_1.d.next =
            self.s1_lead_cd.q.val() | (self.s1_lead_ef.q.val() & !self.s1_four.q.val());
        self.s2_own_2.d.next = self.s1_lead_ef.q.val() & self.s1_four.q.val();
        self.s2_is_ef.d.next = self.s1_lead_ef.q.val() & !self.s1_b4.q.val() & self.s1_lo_f.q.val();
        self.s2_is_bb.d.next =
            self.s1_cont.q.val() & self.s1_b5.q.val() & self.s1_b4.q.val() & self.s1_lo_b.q.val();
        self.s2_is_bf.d.next =
            self.s1_cont.q.val() & self.s1_b5.q.val() & self.s1_b4.q.val() & self.s1_lo_f.q.val();

        self.s3_high.d.next = self.s2_high.q.val();
        self.s3_cont.d.next = self.s2_cont.q.val();
        self.s3_cont_8x.d.next = self.s2_cont_8x.q.val();
        self.s3_cont_9x.d.next = self.s2_cont_9x.q.val();
        self.s3_cont_ab.d.next = self.s2_cont_ab.q.val();
        self.s3_takes_8x.d.next = self.s2_lead_2.q.val() | self.s2_long_8x.q.val();
        self.s3_takes_9x.d.next = self.s2_lead_2.q.val() | self.s2_long_9x.q.val();
        self.s3_takes_ab.d.next = self.s2_lead_2.q.val() | self.s2_long_ab.q.val();
        self.s3_lead.d.next = self.s2_lead_2.q.val() | self.s2_lead_3up.q.val();
        self.s3_lead_3up.d.next = self.s2_lead_3up.q.val();
        self.s3_upper_half.d.next = self.s2_b4.q.val();
        self.s3_never.d.next = self.s2_high.q.val()
            & !self.s2_cont.q.val()
            & !self.s2_lead_2.q.val()
            & !self.s2_lead_3up.q.val();
        self.s3_own_0.d.next = self.s2_own_0.q.val();
        self.s3_own_1.d.next = self.s2_own_1.q.val();
        self.s3_own_2.d.next = self.s2_own_2.q.val();
        self.s3_is_ef.d.next = self.s2_is_ef.q.val();
        self.s3_is_bb.d.next = self.s2_is_bb.q.val();
        self.s3_is_bf.d.next = self.s2_is_bf.q.val();

        self.high.next = self.s3_high.q.val();
        self.cont.next = self.s3_cont.q.val();
        self.cont_8x.next = self.s3_cont_8x.q.val();
        self.cont_9x.next = self.s3_cont_9x.q.val();
        self.cont_ab.next = self.s3_cont_ab.q.val();
        self.takes_8x.next = self.s3_takes_8x.q.val();
        self.takes_9x.next = self.s3_takes_9x.q.val();
        self.takes_ab.next = self.s3_takes_ab.q.val();
        self.lead.next = self.s3_lead.q.val();
        self.lead_3up.next = self.s3_lead_3up.q.val();
        self.upper_half.next = self.s3_upper_half.q.val();
        self.never.next = self.s3_never.q.val();
        self.own_0.next = self.s3_own_0.q.val();
        self.own_1.next = self.s3_own_1.q.val();
        self.own_2.next = self.s3_own_2.q.val();
        self.is_ef.next = self.s3_is_ef.q.val();
        self.is_bb.next = self.s3_is_bb.q.val();
        self.is_bf.next = self.s3_is_bf.q.val();
    }
}
