//! Whether the core looks at a packet: settled before its first beat, and so to its last.
//!
//! # Reset
//! Packets are looked at, and the next beat begins one.

use crate::primitives::DFF;
use hdl_macros::{Blank, Block, logic};
use rust_hdl::prelude::*;

/// Lets the core see whole packets only, while `control.enable` is set.
#[derive(Block, Blank)]
pub struct Gate {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    /// The packet under way is dropped.
    pub drops: Signal<In, Bit>,
    pub taken: Signal<In, Bit>,
    pub last: Signal<In, Bit>,
    pub enable: Signal<In, Bit>,
    pub looks: Signal<Out, Bit>,
    /// The stream is within a packet.
    in_packet: DFF<Bit>,
    stays_in: Signal<Local, Bit>,
    /// The core looks at the packet under way.
    looking: DFF<Bit>,
}

impl Logic for Gate {
    #[logic]
    fn update(&mut self) {
        dff_setup!(self, clock, in_packet, looking);
        if self.taken.val() {
            self.stays_in.next = !self.last.val() & !self.drops.val();
        } else {
            self.stays_in.next = self.in_packet.q.val() & !self.drops.val();
        }
        self.in_packet.d.next = self.stays_in.val();
        if !self.stays_in.val() {
            self.looking.d.next = self.enable.val();
        }
        if self.reset.val() {
            self.looking.d.next = true;
        }
        self.looks.next = self.looking.q.val();
    }
}
