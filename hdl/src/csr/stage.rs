//! A stream a clock later, for a core whose stream nothing holds up.
//!
//! With registers a core's reset comes from a register of its own ([`super::Csr::core_reset`]), for it has far to go and more than
//! one reason. So it is a clock late, and so is what it resets.
//!
//! # Reset
//! None: what comes with a reset meets it in the core.

use crate::primitives::DFF;
use crate::side::Sideband;
use hdl_macros::{Blank, Block, logic};
use rust_hdl::prelude::*;

/// Beats as they are taken, and a clock later.
#[derive(Block, Blank)]
pub struct Stage<const N: usize, const DATA: usize> {
    pub clock: Signal<In, Clock>,
    pub taken: Signal<In, Bit>,
    pub data: Signal<In, Bits<DATA>>,
    pub keep: Signal<In, Bits<N>>,
    pub last: Signal<In, Bit>,
    pub side: Signal<In, Sideband>,
    /// The beat of the clock before.
    pub late_taken: Signal<Out, Bit>,
    pub late_data: Signal<Out, Bits<DATA>>,
    pub late_keep: Signal<Out, Bits<N>>,
    pub late_last: Signal<Out, Bit>,
    pub late_side: Signal<Out, Sideband>,
    /// The beat of the clock before.
    has: DFF<Bit>,
    bytes: DFF<Bits<DATA>>,
    lanes: DFF<Bits<N>>,
    ends: DFF<Bit>,
    beside: DFF<Sideband>,
}

impl<const N: usize, const DATA: usize> Logic for Stage<N, DATA> {
    #[logic]
    fn update(&mut self) {
        dff_setup!(self, clock, has, bytes, lanes, ends, beside);
        self.has.d.next = self.taken.val();
        self.bytes.d.next = self.data.val();
        self.lanes.d.next = self.keep.val();
        self.ends.d.next = self.last.val();
        self.beside.d.next = self.side.val();
        self.late_taken.next = self.has.q.val();
        self.late_data.next = self.bytes.q.val();
        self.late_keep.next = self.lanes.q.val();
        self.late_last.next = self.ends.q.val();
        self.late_side.next = self.beside.q.val();
    }
}
