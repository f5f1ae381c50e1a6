//! `tid`, `tdest` and `tuser` of each beat, in step with its events.

use crate::primitives::delay::Delay;
use crate::side::SIDE;
use hdl_macros::{Blank, Block, logic};
use rust_hdl::prelude::*;

/// Goes where [`crate::pieces`] goes: ten stages, the slot, and stages 11 and 12.
#[derive(Block, Blank)]
pub struct Side {
    pub clock: Signal<In, Clock>,
    pub x: Signal<In, Bits<SIDE>>,
    /// A beat is at stage 9.
    pub arrival: Signal<In, Bit>,
    pub y: Signal<Out, Bits<SIDE>>,
    delay_9: Delay<Bits<SIDE>, 10>,
    slot: DFF<Bits<SIDE>>,
    s11: DFF<Bits<SIDE>>,
    s12: DFF<Bits<SIDE>>,
}

impl Logic for Side {
    #[logic]
    fn update(&mut self) {
        dff_setup!(self, clock, slot, s11, s12);
        self.delay_9.clock.next = self.clock.val();
        self.delay_9.x.next = self.x.val();
        if self.arrival.val() {
            self.slot.d.next = self.delay_9.y.val();
        }
        self.s11.d.next = self.slot.q.val();
        self.s12.d.next = self.s11.q.val();
        self.y.next = self.s12.q.val();
    }
}
