//! Second part of [`super::Pieces`]: which bytes belong to one sequence.
//!
//! UTF-8 needs no state machine. A byte continues a sequence if the byte before it expects a continuation, and what a byte
//! expects follows from at most the three before it; so each lane is a function of its neighbours below, and the stages can
//! be cut anywhere. At most one of `second`, `third` and `fourth` holds for a byte.
//!
//! # Latency
//! 8 clocks (3 of them [`Classify`]'s), a beat in every clock.
//!
//! # Reset
//! None: it comes as a packet's last beat, behind which what is carried is cleared.

use super::classify::Classify;
use super::signature::Signature;
use crate::primitives::DFF;
use crate::primitives::delay::{Delay, PlaneLag};
use hdl_macros::{Blank, Block, logic};
use rust_hdl::prelude::*;

/// The part that every byte plays in its sequence: leading, second, third, fourth; all outputs are those of 8 clocks before.
#[derive(Block, Blank)]
pub struct Sequence<const N: usize> {
    pub clock: Signal<In, Clock>,
    /// A beat, and one that is its packet's last.
    pub valid: Signal<In, Bit>,
    pub last: Signal<In, Bit>,
    /// Lanes that hold a byte, if `valid`.
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

    /// The end of a packet without a beat: never set. Five clocks before the others.
    pub last_only: Signal<Out, Bit>,
    /// The same as `out_valid`, three clocks earlier, and one.
    pub valid_5: Signal<Out, Bit>,
    pub valid_7: Signal<Out, Bit>,
    pub last_7: Signal<Out, Bit>,
    pub open_7: Signal<Out, Bits<N>>,
    pub out_valid: Signal<Out, Bit>,
    pub out_last: Signal<Out, Bit>,
    pub out_present: Signal<Out, Bits<N>>,
    /// A continuation byte; one that continues the byte before it.
    pub cont: Signal<Out, Bits<N>>,
    pub consumed: Signal<Out, Bits<N>>,
    /// A sequence that is unfinished at this byte.
    pub open: Signal<Out, Bits<N>>,
    /// The position in the sequence, as far as the scalar's bits or the subpart's length need it.
    pub second: Signal<Out, Bits<N>>,
    pub third_up: Signal<Out, Bits<N>>,
    pub fourth: Signal<Out, Bits<N>>,
    /// The byte is 80..FF, or none; it is ill-formed wherever it stands; the kind that it causes.
    pub high: Signal<Out, Bits<N>>,
    pub never: Signal<Out, Bits<N>>,
    pub own_0: Signal<Out, Bits<N>>,
    pub own_1: Signal<Out, Bits<N>>,
    pub own_2: Signal<Out, Bits<N>>,
    /// The last byte of a signature: EF BB BF at the beginning of a packet.
    pub signature: Signal<Out, Bits<N>>,

    classify: Classify<N>,

    /// The beat's own signals beside the stages.
    s1_valid: DFF<Bit>,
    s2_valid: DFF<Bit>,
    s3_valid: DFF<Bit>,
    s4_valid: DFF<Bit>,
    s5_valid: DFF<Bit>,
    s6_valid: DFF<Bit>,
    s7_valid: DFF<Bit>,
    s8_valid: DFF<Bit>,
    s1_last: DFF<Bit>,
    s2_last: DFF<Bit>,
    s3_last: DFF<Bit>,
    s4_last: DFF<Bit>,
    s5_last: DFF<Bit>,
    s6_last: DFF<Bit>,
    s7_last: DFF<Bit>,
    s8_last: DFF<Bit>,
    s3_last_only: DFF<Bit>,
    delay_present_3: Delay<Bits<N>, 3>,
    delay_present_8: Delay<Bits<N>, 5>,

    /// What the byte before is or expects, at the stage where it is known.
    lag_takes_8x: PlaneLag<N>,
    lag_takes_9x: PlaneLag<N>,
    lag_takes_ab: PlaneLag<N>,
    lag_lead_3up: PlaneLag<N>,
    lag_upper_half: PlaneLag<N>,
    lag_expects_third: PlaneLag<N>,
    lag_third_of_4: PlaneLag<N>,
    lag_expects_fourth: PlaneLag<N>,

    /// Stage 4: the byte before takes this one as its second.
    s4_taken_89: DFF<Bits<N>>,
    s4_taken_ab: DFF<Bits<N>>,
    s4_cont: DFF<Bits<N>>,
    s4_lead: DFF<Bits<N>>,
    s4_lead_3up: DFF<Bits<N>>,
    s4_upper_half: DFF<Bits<N>>,

    /// Stage 5: second bytes, and which of them expect a third.
    s5_second: DFF<Bits<N>>,
    s5_expects_third: DFF<Bits<N>>,
    s5_of_4: DFF<Bits<N>>,
    s5_cont: DFF<Bits<N>>,
    s5_lead: DFF<Bits<N>>,

    /// Stage 6: third bytes, and which of them expect a fourth.
    s6_second: DFF<Bits<N>>,
    s6_third: DFF<Bits<N>>,
    s6_expects_third: DFF<Bits<N>>,
    s6_expects_fourth: DFF<Bits<N>>,
    s6_lead: DFF<Bits<N>>,
    s6_cont: DFF<Bits<N>>,

    /// Stage 7: fourth bytes, and whatever expects one more.
    s7_second: DFF<Bits<N>>,
    s7_third: DFF<Bits<N>>,
    s7_fourth: DFF<Bits<N>>,
    s7_open: DFF<Bits<N>>,
    s7_cont: DFF<Bits<N>>,

    /// Stage 8: the part of each byte, from these.
    s8_cont: DFF<Bits<N>>,
    s8_consumed: DFF<Bits<N>>,
    s8_open: DFF<Bits<N>>,
    s8_second: DFF<Bits<N>>,
    s8_third_up: DFF<Bits<N>>,
    s8_fourth: DFF<Bits<N>>,
    delay_high_8: Delay<Bits<N>, 5>,
    delay_never_8: Delay<Bits<N>, 5>,
    delay_own_0_8: Delay<Bits<N>, 5>,
    delay_own_1_8: Delay<Bits<N>, 5>,
    delay_own_2_8: Delay<Bits<N>, 5>,

    find_signature: Signature<N>,
    delay_signature_8: Delay<Bits<N>, 2>,
}

impl<const N: usize> Logic for Sequence<N> {
    #[logic]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            s1_valid,
            s2_valid,
            s3_valid,
            s4_valid,
            s5_valid,
            s6_valid,
            s7_valid,
            s8_valid,
            s1_last,
            s2_last,
            s3_last,
            s4_last,
            s5_last,
            s6_last,
            s7_last,
            s8_last,
            s3_last_only
        );
        dff_setup!(
            self,
            clock,
            s4_taken_89,
            s4_taken_ab,
            s4_cont,
            s4_lead,
            s4_lead_3up,
            s4_upper_half,
            s5_second,
            s5_expects_third,
            s5_of_4,
            s5_cont,
            s5_lead
        );
        dff_setup!(
            self,
            clock,
            s6_second,
            s6_third,
            s6_expects_fourth,
            s6_expects_third,
            s6_lead,
            s6_cont,
            s7_second,
            s7_third,
            s7_fourth,
            s7_open,
            s7_cont
        );
        dff_setup!(
            self,
            clock,
            s8_cont,
            s8_consumed,
            s8_open,
            s8_second,
            s8_third_up,
            s8_fourth
        );

        self.classify.clock.next = self.clock.val();
        self.classify.present.next = self.present.val();
        self.classify.b0.next = self.b0.val();
        self.classify.b1.next = self.b1.val();
        self.classify.b2.next = self.b2.val();
        self.classify.b3.next = self.b3.val();
        self.classify.b4.next = self.b4.val();
        self.classify.b5.next = self.b5.val();
        self.classify.b6.next = self.b6.val();
        self.classify.b7.next = self.b7.val();

        self.s1_valid.d.next = self.valid.val();
        self.s2_valid.d.next = self.s1_valid.q.val();
        self.s3_valid.d.next = self.s2_valid.q.val();
        self.s4_valid.d.next = self.s3_valid.q.val();
        self.s5_valid.d.next = self.s4_valid.q.val();
        self.s6_valid.d.next = self.s5_valid.q.val();
        self.s7_valid.d.next = self.s6_valid.q.val();
        self.s8_valid.d.next = self.s7_valid.q.val();
        self.s1_last.d.next = self.last.val();
        self.s2_last.d.next = self.s1_last.q.val();
        self.s3_last.d.next = self.s2_last.q.val();
        self.s3_last_only.d.next = self.s2_last.q.val() & !self.s2_valid.q.val();
        self.s4_last.d.next = self.s3_last.q.val();
        self.s5_last.d.next = self.s4_last.q.val();
        self.s6_last.d.next = self.s5_last.q.val();
        self.s7_last.d.next = self.s6_last.q.val();
        self.s8_last.d.next = self.s7_last.q.val();

        // Stage 4
        self.lag_takes_8x.clock.next = self.clock.val();
        self.lag_takes_8x.advance.next = self.s3_valid.q.val();
        self.lag_takes_8x.clear.next = self.s3_last.q.val();
        self.lag_takes_8x.x.next = self.classify.takes_8x.val();
        self.lag_takes_9x.clock.next = self.clock.val();
        self.lag_takes_9x.advance.next = self.s3_valid.q.val();
        self.lag_takes_9x.clear.next = self.s3_last.q.val();
        self.lag_takes_9x.x.next = self.classify.takes_9x.val();
        self.lag_takes_ab.clock.next = self.clock.val();
        self.lag_takes_ab.advance.next = self.s3_valid.q.val();
        self.lag_takes_ab.clear.next = self.s3_last.q.val();
        self.lag_takes_ab.x.next = self.classify.takes_ab.val();
        self.s4_taken_89.d.next = (self.classify.cont_8x.val() & self.lag_takes_8x.y.val())
            | (self.classify.cont_9x.val() & self.lag_takes_9x.y.val());
        self.s4_taken_ab.d.next = self.classify.cont_ab.val() & self.lag_takes_ab.y.val();
        self.s4_cont.d.next = self.classify.cont.val();
        self.s4_lead.d.next = self.classify.lead.val();
        self.s4_lead_3up.d.next = self.classify.lead_3up.val();
        self.s4_upper_half.d.next = self.classify.upper_half.val();

        // Stage 5
        self.lag_lead_3up.clock.next = self.clock.val();
        self.lag_lead_3up.advance.next = self.s4_valid.q.val();
        // What these carry counts only for a second byte, and a packet's first byte is none: nothing need be cleared.
        self.lag_lead_3up.clear.next = false;
        self.lag_lead_3up.x.next = self.s4_lead_3up.q.val();
        self.lag_upper_half.clock.next = self.clock.val();
        self.lag_upper_half.advance.next = self.s4_valid.q.val();
        self.lag_upper_half.clear.next = false;
        self.lag_upper_half.x.next = self.s4_upper_half.q.val();
        self.s5_second.d.next = self.s4_taken_89.q.val() | self.s4_taken_ab.q.val();
        self.s5_expects_third.d.next =
            (self.s4_taken_89.q.val() | self.s4_taken_ab.q.val()) & self.lag_lead_3up.y.val();
        self.s5_of_4.d.next = (self.s4_taken_89.q.val() | self.s4_taken_ab.q.val())
            & self.lag_lead_3up.y.val()
            & self.lag_upper_half.y.val();
        self.s5_cont.d.next = self.s4_cont.q.val();
        self.s5_lead.d.next = self.s4_lead.q.val();

        // Stage 6
        self.lag_expects_third.clock.next = self.clock.val();
        self.lag_expects_third.advance.next = self.s5_valid.q.val();
        self.lag_expects_third.clear.next = self.s5_last.q.val();
        self.lag_expects_third.x.next = self.s5_expects_third.q.val();
        self.lag_third_of_4.clock.next = self.clock.val();
        self.lag_third_of_4.advance.next = self.s5_valid.q.val();
        self.lag_third_of_4.clear.next = self.s5_last.q.val();
        self.lag_third_of_4.x.next = self.s5_of_4.q.val();
        self.s6_second.d.next = self.s5_second.q.val();
        self.s6_third.d.next = self.s5_cont.q.val() & self.lag_expects_third.y.val();
        self.s6_expects_fourth.d.next = self.s5_cont.q.val() & self.lag_third_of_4.y.val();
        self.s6_expects_third.d.next = self.s5_expects_third.q.val();
        self.s6_lead.d.next = self.s5_lead.q.val();
        self.s6_cont.d.next = self.s5_cont.q.val();

        // Stage 7
        self.lag_expects_fourth.clock.next = self.clock.val();
        self.lag_expects_fourth.advance.next = self.s6_valid.q.val();
        self.lag_expects_fourth.clear.next = self.s6_last.q.val();
        self.lag_expects_fourth.x.next = self.s6_expects_fourth.q.val();
        self.s7_second.d.next = self.s6_second.q.val();
        self.s7_third.d.next = self.s6_third.q.val();
        self.s7_fourth.d.next = self.s6_cont.q.val() & self.lag_expects_fourth.y.val();
        self.s7_open.d.next =
            self.s6_lead.q.val() | self.s6_expects_third.q.val() | self.s6_expects_fourth.q.val();
        self.s7_cont.d.next = self.s6_cont.q.val();

        // Stage 8
        self.s8_cont.d.next = self.s7_cont.q.val();
        self.s8_consumed.d.next =
            self.s7_second.q.val() | self.s7_third.q.val() | self.s7_fourth.q.val();
        self.s8_open.d.next = self.s7_open.q.val();
        self.s8_second.d.next = self.s7_second.q.val();
        self.s8_third_up.d.next = self.s7_third.q.val() | self.s7_fourth.q.val();
        self.s8_fourth.d.next = self.s7_fourth.q.val();
        self.delay_high_8.clock.next = self.clock.val();
        self.delay_high_8.x.next = self.classify.high.val();
        self.delay_never_8.clock.next = self.clock.val();
        self.delay_never_8.x.next = self.classify.never.val();
        self.delay_own_0_8.clock.next = self.clock.val();
        self.delay_own_0_8.x.next = self.classify.own_0.val();
        self.delay_own_1_8.clock.next = self.clock.val();
        self.delay_own_1_8.x.next = self.classify.own_1.val();
        self.delay_own_2_8.clock.next = self.clock.val();
        self.delay_own_2_8.x.next = self.classify.own_2.val();
        self.delay_present_3.clock.next = self.clock.val();
        self.delay_present_3.x.next = self.present.val();
        self.delay_present_8.clock.next = self.clock.val();
        self.delay_present_8.x.next = self.delay_present_3.y.val();

        // The signature, stages 4 to 8
        self.find_signature.clock.next = self.clock.val();
        self.find_signature.advance_3.next = self.s3_valid.q.val();
        self.find_signature.clear.next = self.s3_last.q.val();
        self.find_signature.advance_4.next = self.s4_valid.q.val();
        self.find_signature.advance_5.next = self.s5_valid.q.val();
        self.find_signature.present.next = self.delay_present_3.y.val();
        self.find_signature.is_ef.next = self.classify.is_ef.val();
        self.find_signature.is_bb.next = self.classify.is_bb.val();
        self.find_signature.is_bf.next = self.classify.is_bf.val();
        self.delay_signature_8.clock.next = self.clock.val();
        self.delay_signature_8.x.next = self.find_signature.found.val();

        self.out_valid.next = self.s8_valid.q.val();
        self.out_last.next = self.s8_last.q.val();
        self.out_present.next = self.delay_present_8.y.val();
        self.cont.next = self.s8_cont.q.val();
        self.consumed.next = self.s8_consumed.q.val();
        self.open.next = self.s8_open.q.val();
        self.second.next = self.s8_second.q.val();
        self.third_up.next = self.s8_third_up.q.val();
        self.fourth.next = self.s8_fourth.q.val();
        self.high.next = self.delay_high_8.y.val();
        self.never.next = self.delay_never_8.y.val();
        self.last_only.next = self.s3_last_only.q.val();
        self.valid_5.next = self.s5_valid.q.val();
        self.valid_7.next = self.s7_valid.q.val();
        self.last_7.next = self.s7_last.q.val();
        self.open_7.next = self.s7_open.q.val();
        self.own_0.next = self.delay_own_0_8.y.val();
        self.own_1.next = self.delay_own_1_8.y.val();
        self.own_2.next = self.delay_own_2_8.y.val();
        self.signature.next = self.delay_signature_8.y.val();
    }
}
