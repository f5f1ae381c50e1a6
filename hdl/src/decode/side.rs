//! `tid`, `tdest` and `tuser` of each beat, in step with its events.

use crate::primitives::DFF;
use crate::primitives::delay::Delay;
use crate::side::Sideband;
use hdl_macros::{Blank, Block, logic};
use rust_hdl::prelude::*;

/// Carries `tid`, `tdest` and `tuser` beside the pieces. Goes where [`crate::pieces`] goes: ten stages, the slot, and stages 11 and 12.
#[derive(Block, Blank)]
pub struct Side {
    pub clock: Signal<In, Clock>,
    pub x: Signal<In, Sideband>,
    /// A beat is at stage 9.
    pub arrival: Signal<In, Bit>,
    pub y: Signal<Out, Sideband>,
    delay_9: Delay<Sideband, 10>,
    /// Beside the slot, and in stages 11 and 12.
    slot: DFF<Sideband>,
    s11: DFF<Sideband>,
    /// In stage 12.
    s12: DFF<Sideband>,
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
