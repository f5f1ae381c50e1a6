//! A stream a clock later, for a core whose stream nothing holds up.
//!
//! With registers a core's reset comes from a register of its own ([`super::Csr::core_reset`]), for it has far to go and more than
//! one reason. So it is a clock late, and so is what it resets.
//!
//! # Reset
//! None: what comes with a reset meets it in the core.

use crate::layout::WINDOW_BITS;
use crate::verilog::Sideband;
use hdl_macros::stages;
use rust_hdl::prelude::*;

stages! {
    /// Beats as they are taken, and a clock later.
    pub block Stage<const N: usize, const DATA: usize> {
        in taken: Bit;
        in data: Bits<DATA>;
        in keep;
        in last: Bit;
        in side: Sideband;
        in window: Bits<WINDOW_BITS>;

        always {
            /// The beat of the clock before.
            has: Bit = taken;
            bytes: Bits<DATA> = data;
            lanes = keep;
            ends: Bit = last;
            beside: Sideband = side;
            place: Bits<WINDOW_BITS> = window;
        }

        /// The beat of the clock before.
        out late_taken: Bit = has;
        out late_data: Bits<DATA> = bytes;
        out late_keep = lanes;
        out late_last: Bit = ends;
        out late_side: Sideband = beside;
        out late_window: Bits<WINDOW_BITS> = place;
    }
}
