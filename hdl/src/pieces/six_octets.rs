//! What RFC 2279 has more: sequences of up to six bytes, in the place of what [`super::sequence`] finds of up to four.
//!
//! Its leading bytes go on to FD, and what does not take all second bytes are E0, ED, F0, F8 and FC, so 80 to 8F come apart in three. Third
//! to sixth bytes need no stages of their own: a continuation byte is a fifth one if the two before it are and the one before these is a
//! second byte of six.
//!
//! # Latency
//! In step with [`super::sequence`]: each output is of the stage that reads it.
//!
//! # Reset
//! As the end of a packet.

use crate::primitives::wires::Unstack;
use hdl_macros::stages;
use rust_hdl::prelude::*;

stages! {
    /// The position of each byte in a sequence of up to six. `DATA` is `8 * N`.
    pub block SixOctets<const N: usize, const DATA: usize> {
        in bytes: Bits<DATA> @ 0;
        /// A beat, or a reset in its place.
        in valid, last: Bit @ 1;
        /// Of [`super::sequence`]: continuation bytes, E0 to FF, bits 5 and 4, and the low nibble where that is 0, 0 to 3, D.
        in cont, lead_ef, b5, b4, lo_0, lo_0_3, lo_d @ 1;
        /// C2 to DF; 90 to 9F and A0 to BF.
        in lead_2, cont_9x, cont_ab @ 2;

        beat valid, last;

        stage 1 "further functions of the low nibble" {
            wires b: Unstack<N, 8, DATA> = { x: bytes };
            /// 4 to 7, 8 to F; 8 to D, C and D, E and F.
            lo_4_7 = !b[3] & b[2];
            lo_8_f = b[3];
            lo_8_d = b[3] & !(b[2] & b[1]);
            lo_c_d = b[3] & b[2] & !b[1];
            lo_e_f = b[3] & b[2] & b[1];
            /// F0, F8, FC, FE and FF do not take 80 to 83; F0, F8, FE and FF not 84 to 87; F0, FE and FF not 88 to 8F.
            not_80 = (!b[1] & !b[0] & (b[3] | !b[2])) | (b[3] & b[2] & b[1]);
            not_84 = (!b[2] & !b[1] & !b[0]) | (b[3] & b[2] & b[1]);
            not_88 = (!b[3] & !b[2] & !b[1] & !b[0]) | (b[3] & b[2] & b[1]);
        }

        stage 2 "products of those" {
            cont_80 = cont & !b5 & !b4 & lo_0_3;
            cont_84 = cont & !b5 & !b4 & lo_4_7;
            cont_88 = cont & !b5 & !b4 & lo_8_f;
            /// Leading bytes of three and more, of four and more, of five and six, of six.
            lead_3up = lead_ef & !(b4 & lo_e_f);
            lead_4up = lead_ef & b4 & !lo_e_f;
            lead_5up = lead_ef & b4 & lo_8_d;
            lead_6 = lead_ef & b4 & lo_c_d;
            /// Of three bytes and more, those that accept second bytes of 80..83, 84..87, 88..8F, 90..9F, A0..BF.
            long_80 = lead_ef & ((b4 & !not_80) | (!b4 & !lo_0));
            long_84 = lead_ef & ((b4 & !not_84) | (!b4 & !lo_0));
            long_88 = lead_ef & ((b4 & !not_88) | (!b4 & !lo_0));
            long_9x = lead_ef & ((b4 & !lo_e_f) | (!b4 & !lo_0));
            long_ab = lead_ef & ((b4 & !lo_e_f) | (!b4 & !lo_d));
        }

        stage 3 "sums of the products" {
            takes_80 = lead_2 | long_80;
            takes_84 = lead_2 | long_84;
            takes_88 = lead_2 | long_88;
            takes_9x = lead_2 | long_9x;
            takes_ab = lead_2 | long_ab;
            lead = lead_2 | lead_3up;
        }

        stage 4 "whether the byte before takes this one as its second" {
            taken_80 = (cont_80 & before(takes_80)) | (cont_84 & before(takes_84));
            taken_89 = (cont_88 & before(takes_88)) | (cont_9x & before(takes_9x));
            taken_ab = cont_ab & before(takes_ab);
        }

        stage 5 "second bytes: of any sequence, and of those of three bytes and more, of four, of five, of six" {
            second = taken_80 | taken_89 | taken_ab;
            second_of_3 = (taken_80 | taken_89 | taken_ab) & before_any(lead_3up);
            second_of_4 = (taken_80 | taken_89 | taken_ab) & before_any(lead_4up);
            second_of_5 = (taken_80 | taken_89 | taken_ab) & before_any(lead_5up);
            second_of_6 = (taken_80 | taken_89 | taken_ab) & before_any(lead_6);
        }

        stage 6 "the bytes after these that others must follow" {
            let third_of_5 = cont & before(second_of_5);
            let third_of_6 = cont & before(second_of_6);
            let fourth_of_6 = cont & before(third_of_6);
            third = cont & before(second_of_3);
            third_of_4 = cont & before(second_of_4);
            fourth_of_5 = cont & before(third_of_5);
            fifth_of_6 = cont & before(fourth_of_6);
            /// A sequence is unfinished at one of its first three bytes.
            open_early = lead | second_of_3 | (cont & before(second_of_4));
        }

        stage 7 "fourth, fifth and sixth bytes, and any of them" {
            fourth = cont & before(third_of_4);
            fifth = cont & before(fourth_of_5);
            sixth = cont & before(fifth_of_6);
            fourth_up = cont & (before(third_of_4) | before(fourth_of_5) | before(fifth_of_6));
        }

        stage 8 "the part that every byte plays in its sequence" {
            third_up = third | fourth_up;
            fifth_up = fifth | sixth;
            /// Its number is even, so far as an unfinished sequence has it: second, fourth. It is two or three.
            even = second | fourth;
            low = second | third;
        }

        out lead_3up @ 2;
        /// A sequence is unfinished at this byte.
        out open = open_early | fourth_of_5 | fifth_of_6 @ 6;
        /// It continues the byte before it.
        out consumed = second | third | fourth_up @ 7;
        out third_up, fourth_up, fifth_up, sixth @ 8;
        out even, low @ 9;
    }
}
