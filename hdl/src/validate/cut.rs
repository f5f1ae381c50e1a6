//! How many bytes the edges of a packet have cut: those before its first boundary, and those of the sequence that its end cuts.
//!
//! # Latency
//! In step with [`super::verdict`], a beat in every clock.
//!
//! # Reset
//! None. A packet's first beat clears what was before.

use super::any::Any;
use crate::primitives::count::Steps;
use crate::primitives::wires::{Broadcast, Join};
use hdl_macros::stages;
use rust_hdl::prelude::*;

stages! {
    /// The bytes that the edges of a packet have cut.
    pub block Cut<const N: usize> {
        /// The stages of the trees' levels.
        given steps: Steps;
        /// The packet's beginning is that of a window, in any lane.
        given has_window: bool;

        /// A beat, which of its packet's first three bytes the beginning has cut, and its lanes with a byte.
        in valid: Bit @ 12;
        in heads: Bits<3> @ 12;
        in present @ 12;
        /// Where the packet's end cuts a sequence; how many bytes of it there are: bit 0 inverted, and bit 1.
        in cut, second, length_1 @ 12;
        /// The beat is its packet's first.
        in starts: Bit @ 20;
        // With a window: which of its first three bytes its beginning has cut, if it is in this beat.
        in found: Bits<3> @ 20;

        stage 13 "if it is a beat" {
            wires all_valid: Broadcast<3> = { x: valid };
            heads: Bits<3> = heads & all_valid;
        }

        stage 19 "the ends of the trees: the number of bytes at the end" {
            part tail_0: Any<N>(steps.clone()) = {
                x: cut.at(12) & !second.at(12), of: present.at(12),
            } -> Bit;
            part tail_1: Any<N>(steps) = {
                x: cut.at(12) & length_1.at(12), of: present.at(12),
            } -> Bit;
        }

        stage 21 "the packet's so far" {
            wires keeps_heads: Broadcast<3> = { x: !starts };
            state heads: Bits<3> = if has_window { found | (was(heads) & keeps_heads) }
                else { heads | (was(heads) & keeps_heads) };
            state tail_0: Bit = tail_0 | (was(tail_0) & !starts);
            state tail_1: Bit = tail_1 | (was(tail_1) & !starts);
        }

        stage 22 "as numbers" {
            wires numbers: Join<4> = {
                x[0]: (heads.get_bit(0) & !heads.get_bit(1)) | heads.get_bit(2),
                x[1]: heads.get_bit(1),
                x[2]: tail_0,
                x[3]: tail_1,
            };
            bytes: Bits<4> = numbers;
            any: Bit = heads.any() | tail_0 | tail_1;
        }

        /// The edges have cut any byte.
        out is_any: Bit = any @ 33;
        /// Bytes before the first boundary in bits 0 and 1, of the sequence that the end cuts in bits 2 and 3.
        out number: Bits<4> = bytes @ 33;
    }
}
