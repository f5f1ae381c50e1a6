//! Whether the core looks at a packet: settled before its first beat, and so to its last.
//!
//! # Reset
//! Packets are looked at, and the next beat begins one.

use hdl_macros::stages;
use rust_hdl::prelude::*;

stages! {
    /// Lets the core see whole packets only, while `control.enable` is set.
    pub block Gate {
        in reset: Bit;
        /// The packet under way is dropped.
        in drops: Bit;
        in taken, last, enable: Bit;

        always {
            let stays_in: Bit = if taken { !last & !drops } else { in_packet & !drops };
            /// The stream is within a packet.
            in_packet: Bit = stays_in;
            /// The core looks at the packet under way.
            state looking: Bit = if reset {
                true
            } else if !stays_in {
                enable
            };
        }

        out looks: Bit = looking;
        // A packet is under way, and has not ended with this beat.
        out stays: Bit = stays_in;
    }
}

stages! {
    /// Keeps what a packet is looked at for, its forbidden classes or others: what the register has when it begins.
    pub block Watch {
        /// Those after a reset.
        given forbid: Bits<8>;

        in reset: Bit;
        /// A packet is under way, and has not ended with this beat.
        in stays: Bit;
        in forbidden: Bits<8>;

        always {
            state watching: Bits<8> = if reset {
                forbid
            } else if !stays {
                forbidden
            };
        }

        out watched: Bits<8> = watching;
    }
}
