//! The `sanitise` core: bytes in, well-formed bytes out, and a verdict per packet.
//!
//! Each byte of a well-formed sequence stays. Of an ill-formed piece either each byte becomes a question mark, so that nothing moves and
//! a beat in every clock is never held up; or all of it becomes U+FFFD, EF BF BD, where its last byte is, and what is left is packed as the
//! bytes of `encode` are. Read [`crate::pieces`] first, then [`repair`]; [`free`] and [`axis`] have the pins if nothing moves, and
//! [`crate::encode::axis`] if bytes are packed. The verdict is that of [`crate::validate`].
//!
//! # Ports
//! Those of [`crate::config::ports::ports`]. A beat without a byte that ends no packet is dropped.
//!
//! # Parameters
//! `N` lanes, 1 to 128 by powers of two, or 16 if bytes are packed; `DATA` is `8 * N`.
//!
//! # Latency
//! [`repair::LATENCY`] clocks to the bytes, as many as [`crate::window`] has more with one, and [`crate::encode::pipeline::packing_latency`] more if they are packed; those of
//! [`crate::validate`] to the verdict. A stream that can be stalled takes [`crate::backpressure::FIFO_LATENCY`] clocks more.
//!
//! # Reset
//! `rst` is synchronous and active high. It clears what marks beats and packets, and deliberately no payload.
//!
//! # Ill-formed input
//! Is what this core is for; nothing stalls.
//!
//! # Verified by
//! `tests/sanitise.rs` (every output at every clock against the cycle model, and the bytes against Rust's own decoder), and `runegate prove
//! sanitise` (what each byte becomes, before bytes are packed).

pub mod axis;
pub mod free;
pub mod repair;
#[cfg(test)]
mod tests;

use self::repair::Repair;
use crate::config::{Grammar, Policy};
use crate::layout::{VERDICT_BITS, WINDOW_BITS};
use crate::primitives::delay::DelayLine;
use crate::primitives::memory::DelayRam;
use crate::primitives::wires::KeptBytes;
use crate::validate::Validate;
use crate::verilog::Sideband;
use crate::window::LATENCY;
use hdl_macros::stages;
use rust_hdl::prelude::*;

stages! {
    /// Bytes in, what they become and verdicts out, no `ready`.
    pub block Sanitise<const N: usize, const DATA: usize> {
        /// Configuration: signatures are left out.
        given strip: bool;
        /// Bits of each counter.
        given counter_width: usize;
        given policy: Policy;
        given has_window, has_frames: bool = policy;
        /// With frames, the clocks that their headers take.
        given of_headers: usize = if policy.has_frames { policy.clocks_to_pieces() } else { 0 };

        in reset: Bit;
        /// A beat enters in this clock.
        in valid: Bit;
        in data: Bits<DATA>;
        in keep;
        in last: Bit;
        in side: Sideband;
        // Where the packet's text is.
        in window: Bits<WINDOW_BITS>;

        always {
            /// Lanes without a byte are zero: where a frame ends within a header, they would be read as a part of it, and X in them would
            /// reach the frame's bytes.
            wires kept: KeptBytes<N, DATA> = { data, keep };
            part core: Validate<N, DATA, 0>(
                cuts, counter_width, Grammar::Rfc3629, policy,
            ) = {
                reset,
                valid,
                data: if has_frames { kept } else { data },
                keep,
                last,
                side,
                window,
                looks: true,
                watched: 0,
                closes: 0,
                ports: 0,
            };
            part late_side: DelayRam<Sideband, 3>(LATENCY) = { reset, x: side };
            part side_waits: DelayLine<Sideband>(of_headers) = { x: side };
            part repair: Repair<N, DATA>(cuts, strip, has_window) = {
                reset,
                x: if has_frames { side_waits } else if has_window { late_side } else { side },
                lanes: core.kept,
                ..core(bytes, consumed, third_up, fourth, open, arrival, enters, fill),
                last: core.last_9,
                ..core(present, scalar, signature, left, left_last, left_present),
            };
        }

        /// A beat leaves, and what its bytes have become: see [`Repair`].
        out out_valid: Bit = repair.out_valid;
        out out_last: Bit = repair.out_last;
        out out_side: Sideband = repair.out_side;
        out out_keep = repair.keep;
        out repaired: Bits<DATA> = repair.repaired;
        out bytes: Bits<DATA> = repair.out_bytes;
        out one = repair.one;
        out three = repair.three;
        /// A packet has ended, and its verdict.
        out verdict_valid: Bit = core.out_valid;
        out verdict: Bits<VERDICT_BITS> = core.out_verdict;
        out verdict_side: Sideband = core.out_side;
    }
}
