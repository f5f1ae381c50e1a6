//! What RFC 2279 has more: sequences of up to six bytes, in the place of what [`super::sequence`] finds of up to four.
//!
//! Its leading bytes go on to FD. Five of them refuse some second bytes: E0 those below A0, F0 below 90, F8 below 88, FC below 84, ED above
//! 9F. Third to sixth bytes need no stages of their own: a continuation byte is a fifth one if the two before it are continuation bytes,
//! too, and the one before these is a second byte of six.
//!
//! # Latency
//! In step with [`super::sequence`]: each output is of the stage that reads it.
//!
//! # Reset
//! As the end of a packet.

use crate::primitives::fanout::HoldRegister;
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
        /// C2 to DF; 80 to 8F and A0 to BF.
        in lead_2, cont_8x, cont_ab @ 2;
        /// The beat at stage 9 fills the slot.
        in fill @ 9;

        beat valid, last;

        stage 1 "further functions of the low nibble" {
            wires b: Unstack<N, 8, DATA> = { x: bytes };
            b3 = b[3];
            b2 = b[2];
            lo_8 = b[3] & !b[2] & !b[1] & !b[0];
            lo_c = b[3] & b[2] & !b[1] & !b[0];
            lo_e_f = b[3] & b[2] & b[1];
        }

        stage 2 "products of those" {
            /// 80 to 83, to 87, to 9F.
            cont_83 = cont & !b5 & !b4 & lo_0_3;
            cont_87 = cont & !b5 & !b4 & !b3;
            cont_9f = cont & !b5;
            /// The leading bytes that refuse some of these.
            is_e0 = lead_ef & !b4 & lo_0;
            is_ed = lead_ef & !b4 & lo_d;
            is_f0 = lead_ef & b4 & lo_0;
            is_f8 = lead_ef & b4 & lo_8;
            is_fc = lead_ef & b4 & lo_c;
            /// Leading bytes of three and more; and of four, of five, of six, or FE and FF, which have no second byte.
            lead_3up = lead_ef & !(b4 & lo_e_f);
            lead_4up = lead_ef & b4;
            lead_5up = lead_ef & b4 & b3;
            lead_6 = lead_ef & b4 & b3 & b2;
        }

        stage 3 "any leading byte" {
            lead = lead_2 | lead_3up;
        }

        stage 4 "whether the byte before takes this one as its second, and refuses it after all" {
            taken = cont & before(lead) & !(cont_ab & before(is_ed));
            refused = (cont_9f & before(is_e0)) | (cont_8x & before(is_f0));
            refused_low = (cont_87 & before(is_f8)) | (cont_83 & before(is_fc));
        }

        stage 5 "second bytes: of any sequence, of three bytes and more, four, five, six" {
            second = taken & !refused & !refused_low;
            second_of_3 = taken & !refused & !refused_low & before_any(lead_3up);
            second_of_4 = taken & !refused & !refused_low & before_any(lead_4up);
            second_of_5 = taken & !refused & !refused_low & before_any(lead_5up);
            second_of_6 = taken & !refused & !refused_low & before_any(lead_6);
        }

        stage 6 "the bytes after these that others must follow" {
            // Each signal comes to the next beat by itself, so what a lane has of several is one LUT in lane 0, too.
            let cont_1 = before(cont);
            let second_of_5_1 = before(second_of_5);
            let second_of_6_1 = before(second_of_6);
            let second_of_6_2 = before(second_of_6_1);
            third = cont & before(second_of_3);
            third_of_4 = cont & before(second_of_4);
            fourth_of_5 = cont & cont_1 & before(second_of_5_1);
            fifth_of_6 = cont & cont_1 & before(cont_1) & before(second_of_6_2);
            /// A sequence is unfinished at one of its first three bytes.
            open_early = lead | second_of_3 | (cont & before(second_of_4));
        }

        stage 7 "fourth bytes, sixth ones, and fourth and fifth ones with all that follow" {
            fourth = cont & before(third_of_4);
            fourth_up = cont & (before(third_of_4) | before(fourth_of_5) | before(fifth_of_6));
            fifth_up = cont & (before(fourth_of_5) | before(fifth_of_6));
            sixth = cont & before(fifth_of_6);
        }

        stage 8 "the part that every byte plays in its sequence" {
            third_up = third | fourth_up;
            /// Of an unfinished sequence: its number is even; it is two or three.
            even = second | fourth;
            low = second | third;
        }

        stage 10 "the slot" {
            part slot_low: HoldRegister<N, N> = { fill, x: low };
            part slot_third_up: HoldRegister<N, N> = { fill, x: third_up };
            part slot_fourth_up: HoldRegister<N, N> = { fill, x: fourth_up };
            part slot_fifth_up: HoldRegister<N, N> = { fill, x: fifth_up };
            part slot_sixth: HoldRegister<N, N> = { fill, x: sixth };
        }

        stage 11 "what has left the slot" {
            low = slot_low;
            third_up = slot_third_up;
            fourth_up = slot_fourth_up;
            fifth_up = slot_fifth_up;
            sixth = slot_sixth;
        }

        out lead_3up @ 2;
        /// A sequence is unfinished at this byte.
        out open = open_early | fourth_of_5 | fifth_of_6 @ 6;
        /// It continues the byte before it.
        out consumed = second | third | fourth_up @ 7;
        out even @ 9;
        out low @ 11;
        /// The byte's number in its sequence.
        out third_up, fourth_up, fifth_up, sixth @ 12;
    }
}
