//! The UTF-16 unit at each byte (RFC 3629 section 3; RFC 2781 section 2.1), in the place of [`super::scalar`].
//!
//! A scalar value of one to three bytes is a unit at its last byte. One of four bytes, `ccc bbbbbb aaaaaa dddddd`, is two: the high unit is at
//! the third byte, 110110 `uuuu bbbb aa`, where `uuuu` is `ccc bb` less one; the low unit is at the fourth, 110111 `aaaa dddddd`.
//! The value is right where there is such a unit, but for bit 7 of a byte of ASCII, which [`super::events`] clears; elsewhere it is
//! whatever the bits give, and is not sent.
//!
//! The subtraction is made at the second byte, before the third looks there for its bits: of four bits that it would find as they are, it
//! finds those of `uuuu`, but for the bits of `ccc`, which are two bytes before and in question only if nothing is borrowed.
//!
//! # Latency
//! That of [`crate::pieces`]: stage 12, a beat in every clock.

use crate::primitives::delay::Lag;
use crate::primitives::fanout::HoldRegister;
use crate::primitives::wires::{Stack, Unstack};
use hdl_macros::stages;
use rust_hdl::prelude::*;

/// Bits of a unit.
pub const UNIT_BITS: usize = 16;

/// Whether words with this number of bits, of all lanes, are units.
pub const fn is_utf16<const N: usize>(words: usize) -> bool {
    words == UNIT_BITS * N
}

stages! {
    /// The unit in each lane: 16 planes, the lowest bits' first. `UNITS` is `16 * N`.
    pub block Units<const N: usize, const DATA: usize, const UNITS: usize> {
        /// The planes of the bytes.
        in bytes: Bits<DATA> @ 0;
        /// The byte is the second of four, or the third.
        in second_of_4 @ 5;
        in third_of_4 @ 6;
        /// A beat is at stage 7.
        in valid: Bit @ 7;
        /// The position of the bytes in their sequences.
        in third_up, fourth @ 8;
        /// The beat at stage 9 fills the slot.
        in fill @ 9;

        stage 7 "whether one is borrowed from the bits of the first byte" {
            wires early: Unstack<N, 8, DATA> = { x: bytes };
            borrows = second_of_4 & !early[5] & !early[4];
        }

        stage 8 "what a byte has for the bits 6 to 9 of the next byte's unit" {
            wires x: Unstack<N, 8, DATA> = { x: bytes };
            carry first: Lag<N, 1> = { advance: valid, x: x[0] };
            for_6 = (second_of_4 & !x[4]) | (!second_of_4 & x[0]);
            for_7 = (second_of_4 & !(x[5] ^ x[4])) | (!second_of_4 & x[1]);
            for_8 = borrows | (!second_of_4 & x[2]);
            for_9 = (borrows & !first) | (!second_of_4 & x[3]);
        }

        stage 9 "the unit at each byte" {
            /// The bytes one and two before. A sequence never reaches into another packet.
            carry one_before: Lag<DATA, 8> = { advance: valid, x: bytes };
            carry two_before: Lag<DATA, 8> = { advance: valid, x: one_before };
            wires a: Unstack<N, 8, DATA> = { x: bytes };
            wires b: Unstack<N, 8, DATA> = { x: one_before };
            wires c: Unstack<N, 8, DATA> = { x: two_before };
            carry b_6: Lag<N, 1> = { advance: valid, x: for_6 };
            carry b_7: Lag<N, 1> = { advance: valid, x: for_7 };
            carry b_8: Lag<N, 1> = { advance: valid, x: for_8 };
            carry b_9: Lag<N, 1> = { advance: valid, x: for_9 };
            wires planes: Stack<N, UNIT_BITS, UNITS> = {
                x[0]: (third_of_4 & a[4]) | (!third_of_4 & a[0]),
                x[1]: (third_of_4 & a[5]) | (!third_of_4 & a[1]),
                x[2]: (third_of_4 & b[0]) | (!third_of_4 & a[2]),
                x[3]: (third_of_4 & b[1]) | (!third_of_4 & a[3]),
                x[4]: (third_of_4 & b[2]) | (!third_of_4 & a[4]),
                x[5]: (third_of_4 & b[3]) | (!third_of_4 & a[5]),
                x[6]: (!a[7] & a[6]) | (a[7] & b_6),
                x[7]: b_7,
                x[8]: a[7] & (b_8 ^ (third_of_4 & c[0])),
                x[9]: a[7] & (b_9 ^ (third_of_4 & c[1])),
                x[10]: fourth | (a[7] & b[4] & !third_of_4),
                x[11]: fourth | third_of_4 | (a[7] & b[5]),
                x[12]: third_up & (fourth | third_of_4 | c[0]),
                x[13]: third_up & !fourth & !third_of_4 & c[1],
                x[14]: third_up & (fourth | third_of_4 | c[2]),
                x[15]: third_up & (fourth | third_of_4 | c[3]),
            };
            units: Bits<UNITS> = planes;
        }

        stage 10 "the slot" {
            /// The slot's units; the rest of the slot is with the pieces.
            part slot_units: HoldRegister<N, UNITS> = { fill, x: units };
        }

        stage 11 "what has left the slot" {
            units: Bits<UNITS> = slot_units;
        }

        out units: Bits<UNITS> @ 12;
    }
}
