//! Finds the signature (RFC 3629 section 6): BF after BB after EF after nothing.
//!
//! A side branch of [`super::sequence`], in step with its stages 4 to 6. EF BB BF anywhere but first in a packet is a
//! U+FEFF like any other scalar value.

use crate::primitives::DFF;
use crate::primitives::delay::PlaneLag;
use hdl_macros::{Blank, Block, logic};
use rust_hdl::prelude::*;

/// Finds a signature, EF BB BF at the beginning of a packet. `found` holds in the lane of a signature's last byte, 3 clocks after its inputs.
#[derive(Block, Blank)]
pub struct Signature<const N: usize> {
    pub clock: Signal<In, Clock>,
    /// A beat is at stage 3, 4, 5.
    pub advance_3: Signal<In, Bit>,
    pub advance_4: Signal<In, Bit>,
    pub advance_5: Signal<In, Bit>,
    /// A new packet begins after the beat at stage 3. Later stages need not know it: they look at bytes further back only
    /// together with those between.
    pub clear: Signal<In, Bit>,
    pub present: Signal<In, Bits<N>>,
    pub is_ef: Signal<In, Bits<N>>,
    pub is_bb: Signal<In, Bits<N>>,
    pub is_bf: Signal<In, Bits<N>>,
    pub found: Signal<Out, Bits<N>>,

    /// Of the bytes before, which are BB and EF, and whether they are there.
    lag_bb: PlaneLag<N>,
    lag_ef: PlaneLag<N>,
    lag_ef_2: PlaneLag<N>,
    lag_present: PlaneLag<N>,
    lag_present_2: PlaneLag<N>,
    lag_present_3: PlaneLag<N>,
    /// Stage 4: a byte BF after a byte BB. EF two before; none three before.
    s4_bb_bf: DFF<Bits<N>>,
    s4_after_ef: DFF<Bits<N>>,
    s4_after_1: DFF<Bits<N>>,
    /// Stage 5: EF, BB, BF. Nothing before them.
    s5_ef_bb_bf: DFF<Bits<N>>,
    s5_after_2: DFF<Bits<N>>,
    /// Stage 6: the signature. It is the packet's first three bytes.
    s6_found: DFF<Bits<N>>,
}

impl<const N: usize> Logic for Signature<N> {
    #[logic]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            s4_bb_bf,
            s4_after_ef,
            s4_after_1,
            s5_ef_bb_bf,
            s5_after_2,
            s6_found
        );

        self.lag_bb.clock.next = self.clock.val();
        self.lag_bb.advance.next = self.advance_3.val();
        self.lag_bb.clear.next = self.clear.val();
        self.lag_bb.x.next = self.is_bb.val();
        self.lag_ef.clock.next = self.clock.val();
        self.lag_ef.advance.next = self.advance_3.val();
        self.lag_ef.clear.next = self.clear.val();
        self.lag_ef.x.next = self.is_ef.val();
        self.lag_present.clock.next = self.clock.val();
        self.lag_present.advance.next = self.advance_3.val();
        self.lag_present.clear.next = self.clear.val();
        self.lag_present.x.next = self.present.val();
        self.s4_bb_bf.d.next = self.is_bf.val() & self.lag_bb.y.val();
        self.s4_after_ef.d.next = self.lag_ef.y.val();
        self.s4_after_1.d.next = self.lag_present.y.val();

        self.lag_ef_2.clock.next = self.clock.val();
        self.lag_ef_2.advance.next = self.advance_4.val();
        self.lag_ef_2.clear.next = false;
        self.lag_ef_2.x.next = self.s4_after_ef.q.val();
        self.lag_present_2.clock.next = self.clock.val();
        self.lag_present_2.advance.next = self.advance_4.val();
        self.lag_present_2.clear.next = false;
        self.lag_present_2.x.next = self.s4_after_1.q.val();
        self.s5_ef_bb_bf.d.next = self.s4_bb_bf.q.val() & self.lag_ef_2.y.val();
        self.s5_after_2.d.next = self.lag_present_2.y.val();

        self.lag_present_3.clock.next = self.clock.val();
        self.lag_present_3.advance.next = self.advance_5.val();
        self.lag_present_3.clear.next = false;
        self.lag_present_3.x.next = self.s5_after_2.q.val();
        self.s6_found.d.next = self.s5_ef_bb_bf.q.val() & !self.lag_present_3.y.val();
        self.found.next = self.s6_found.q.val();
    }
}
