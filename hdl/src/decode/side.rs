//! `tid`, `tdest` and `tuser` of each beat, in step with its events.

use crate::verilog::Sideband;
use hdl_macros::stages;
use rust_hdl::prelude::*;

stages! {
    /// Carries `tid`, `tdest` and `tuser` beside the pieces. Goes where [`crate::pieces`] goes: ten stages, the slot, and stages 11 and 12.
    pub block Side {
        in x: Sideband;
        /// A beat is at stage 9.
        in arrival: Bit @ 9;

        stage 0 "the input register" {
            side: Sideband = x;
        }

        stage 10 "the slot" {
            state slot: Sideband = if arrival { side };
        }

        out y: Sideband = slot @ 12;
    }
}
