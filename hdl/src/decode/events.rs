//! One event per piece, in the lane of the byte that ends it.
//!
//! Beats that have neither an event nor the packet's end are not sent.
//!
//! # Latency
//! 1 clock (stage 13), a beat in every clock.
//!
//! # Reset
//! `out_valid`, `retired` and the pending signature flag; the payload is not, and may show what was dropped without `out_valid`.

use super::scalar::ByLength;
use super::units;
use crate::config::Grammar;
use crate::layout::REPLACEMENT;
use crate::primitives::wires::Repeat;
use crate::vector::from_bits;
use crate::verilog::Sideband;
use hdl_macros::stages;
use rust_hdl::prelude::*;

/// A full beat of this many lanes always has an event, even if a signature is stripped from it and what waits follows; of fewer lanes
/// that depends on the bytes.
pub const fn always_sends(lanes: usize, rule: EventRule) -> bool {
    match rule.grammar {
        Grammar::Rfc3629 => lanes >= 8,
        // Three bytes of a signature and five that wait are eight.
        Grammar::Rfc2279 => lanes >= if rule.strip { 16 } else { 8 },
    }
}

/// What becomes of a signature, EF BB BF at the beginning of a packet, and of the octets of a UTF-16 unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EventRule {
    /// A signature is not sent.
    pub strip: bool,
    /// Its packet is flagged.
    pub flag: bool,
    /// Its packet is flagged at its end.
    pub reject: bool,
    /// A unit's high octet comes first.
    pub swaps: bool,
    pub grammar: Grammar,
}

/// U+FFFD in every lane.
fn replacements<const N: usize, const SCALARS: usize>() -> Bits<SCALARS> {
    from_bits(|bit| REPLACEMENT >> (bit / N) & 1 == 1)
}

/// Bits of ASCII.
const ASCII_BITS: usize = 7;

/// All lanes of one plane.
fn plane<const N: usize, const SCALARS: usize>(plane: usize) -> Bits<SCALARS> {
    from_bits(|bit| bit / N == plane)
}

stages! {
    /// The events of a beat: a scalar value, or U+FFFD with the kind and the length of an ill-formed piece. The inputs are
    /// what is known of the pieces, their scalar values, and what came beside the bytes.
    pub block Events<const N: usize, const SCALARS: usize> {
        given rule: EventRule;
        /// Configuration.
        given strip: bool = rule.strip;
        given flag: bool = rule.flag;
        given reject: bool = rule.reject;
        given always: bool = always_sends(N, rule);
        given is_2279: bool = rule.grammar.is_2279();
        /// With units for values, `scalar` has those with the first of two units, too, which is sent unless its byte ends an ill-formed piece.
        given is_utf16: bool = units::is_utf16::<N>(SCALARS);
        given replacement: Bits<SCALARS> = replacements::<N, SCALARS>();
        given not_ascii: Bits<SCALARS> = plane::<N, SCALARS>(ASCII_BITS);

        in reset: Bit;
        in valid, last, signature: Bit @ 12;
        in scalar, ill, kind_0, kind_1, kind_2, second, length_1, length_2 @ 12;
        in scalars: Bits<SCALARS> @ 12;
        // The number of the byte in its sequence, for values that are not cleared yet.
        in third_up, fourth_up, fifth_up, sixth @ 12;
        in side: Sideband @ 12;

        stage 13 "the events" {
            wires every_scalar: Repeat<N, SCALARS> = {
                x: if is_utf16 { scalar & !ill } else { scalar },
            };
            wires every_ill: Repeat<N, SCALARS> = { x: ill };
            /// The byte continues a sequence. ASCII does not, and its unit has no bit 7, which has room here for one more term.
            wires every_continued: Repeat<N, SCALARS> = { x: length_1 };
            wires by_length: ByLength<N, SCALARS> = {
                x[0]: third_up, x[1]: fourth_up, x[2]: fifth_up, x[3]: sixth,
            };
            let values: Bits<SCALARS> = if is_utf16 {
                scalars & (every_continued | !not_ascii)
            } else if is_2279 {
                scalars & by_length
            } else {
                scalars
            };
            let sends: Bit = if always { valid } else { last | scalar.any() | ill.any() };
            let flagged: Bit = if strip | reject {
                signature | was(pending)
            } else if flag {
                signature
            } else {
                false
            };
            // Or it is rejected, and its packet has not ended.
            /// A signature was stripped and no beat has carried its flag yet.
            state pending: Bit = if reset {
                false
            } else if reject {
                flagged & !(valid & last)
            } else {
                flagged & !sends
            };
            /// A beat leaves: it has an event, or ends its packet. Or it leaves without anything to send.
            valid: Bit = if reset { false } else { sends };
            retired: Bit = if reset { false } else { valid & !sends };
            last: Bit = last;
            /// Lanes with an event, and what it is.
            sent = scalar | ill;
            scalars: Bits<SCALARS> = (values & every_scalar) | (replacement & every_ill);
            kind_0 = kind_0 & ill;
            kind_1 = kind_1 & ill;
            kind_2 = kind_2 & ill;
            length_0 = !second & ill;
            length_1 = length_1 & ill;
            length_2 = length_2 & ill;
            signature: Bit = if reject { flagged & sends & last } else { flagged & sends };
            side: Sideband = if sends { side } else { 0 };
        }

        /// A beat leaves: it has an event, or ends its packet. Otherwise the others are zero, but for the clock after a reset.
        out out_valid: Bit = valid @ 13;
        out out_last: Bit = last @ 13;
        /// A beat has left without anything to send.
        out retired: Bit @ 13;
        /// Lanes with an event.
        out sent @ 13;
        out out_scalars: Bits<SCALARS> = scalars @ 13;
        out out_kind_0 = kind_0 @ 13;
        out out_kind_1 = kind_1 @ 13;
        out out_kind_2 = kind_2 @ 13;
        out out_length_0 = length_0 @ 13;
        out out_length_1 = length_1 @ 13;
        out out_length_2 = length_2 @ 13;
        out out_signature: Bit = signature @ 13;
        out out_side: Sideband = side @ 13;
    }
}
