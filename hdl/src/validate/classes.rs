//! Of which class of [`crate::layout::CLASSES`] the scalar value is that ends in a lane.
//!
//! A class shows in the last four bytes of a scalar value: in functions of each nibble (stage 1), in products of these (stage 2), and in what
//! the bytes before are (stages 4 to 6). It has to be right only where a well-formed sequence ends, for [`super::forbidden`] looks nowhere
//! else. So nothing here asks whether a byte is the second or the third one of a sequence.
//!
//! # Latency
//! In step with [`crate::pieces`].
//!
//! # Reset
//! None. What the beat before a packet's first one had is only seen with continuation bytes, and there no sequence ends that began before.

use crate::config::Classes as Mask;
use crate::primitives::wires::Unstack;
use hdl_macros::stages;
use rust_hdl::prelude::*;

stages! {
    /// Lanes in which a scalar value of each class ends, if one ends there. `DATA` is `8 * N`.
    pub block Classes<const N: usize, const DATA: usize> {
        given mask: Mask;
        given has_nul: bool = mask.has(0);
        given has_control: bool = mask.has(1);
        given has_c1: bool = mask.has(2);
        given has_noncharacter: bool = mask.has(3);
        given has_bidi: bool = mask.has(4);
        given has_private: bool = mask.has(5);
        given has_supplementary: bool = mask.has(6);
        given has_from_0300: bool = mask.has(7);

        /// The planes of the bytes.
        in bytes: Bits<DATA> @ 0;
        /// A beat, or a reset in its place. Nothing asks which beat ends a packet.
        in valid: Bit @ 1;
        /// The byte is the third or fourth of a sequence; the fourth.
        in third_up, fourth @ 8;

        beat valid, valid;

        stage 1 "functions of each nibble" {
            wires b: Unstack<N, 8, DATA> = { x: bytes };
            hi_0_1 = !(b[7] | b[6] | b[5]);
            b4 = b[4];
            hi_7 = !b[7] & b[6] & b[5] & b[4];
            hi_8 = b[7] & !(b[6] | b[5] | b[4]);
            hi_9 = b[7] & !(b[6] | b[5]) & b[4];
            hi_a = b[7] & !b[6] & b[5] & !b[4];
            hi_b = b[7] & !b[6] & b[5] & b[4];
            hi_c = b[7] & b[6] & !b[5] & !b[4];
            hi_d = b[7] & b[6] & !b[5] & b[4];
            hi_e = b[7] & b[6] & b[5] & !b[4];
            hi_f = b[7] & b[6] & b[5] & b[4];
            /// 80 to BF.
            cont = b[7] & !b[6];
            lo_0 = !(b[3] | b[2] | b[1] | b[0]);
            lo_1 = !(b[3] | b[2] | b[1]) & b[0];
            lo_2 = !(b[3] | b[2] | b[0]) & b[1];
            lo_3 = !(b[3] | b[2]) & b[1] & b[0];
            lo_4 = !(b[3] | b[1] | b[0]) & b[2];
            lo_7 = !b[3] & b[2] & b[1] & b[0];
            lo_8 = b[3] & !(b[2] | b[1] | b[0]);
            lo_c = b[3] & b[2] & !(b[1] | b[0]);
            lo_e = b[3] & b[2] & b[1] & !b[0];
            lo_f = b[3] & b[2] & b[1] & b[0];
            lo_e_f = b[3] & b[2] & b[1];
            lo_c_f = b[3] & b[2];
            lo_0_3 = !(b[3] | b[2]);
            lo_6_9 = (!b[3] & b[2] & b[1]) | (b[3] & !b[2] & !b[1]);
            lo_a_e = b[3] & (b[2] | b[1]) & !(b[2] & b[1] & b[0]);
            /// NUL, HT, LF and CR in the control characters.
            lo_kept = (!b[3] & !b[2] & !b[1] & !b[0]) | (b[3] & !b[2] & (b[1] ^ b[0]))
                | (b[3] & b[2] & !b[1] & b[0]);
        }

        stage 2 "products of those" {
            is_nul = hi_0_1 & !b4 & lo_0;
            /// Control characters but DEL.
            up_to_1f = hi_0_1 & (b4 | !lo_kept);
            /// Second bytes up to 9F and up to A3, and bytes from 90 to AF: of C1 controls, of private use, of noncharacters.
            to_9f = hi_8 | hi_9;
            to_a3 = hi_8 | hi_9 | (hi_a & lo_0_3);
            from_90_to_af = hi_9 | hi_a;
            is_80 = hi_8 & lo_0;
            is_81 = hi_8 & lo_1;
            is_9c = hi_9 & lo_c;
            is_b7 = hi_b & lo_7;
            is_bf = hi_b & lo_f;
            be_bf = hi_b & lo_e_f;
            /// 8E, 8F and AA to AE; A6 to A9.
            mark_after_80 = (hi_8 & lo_e_f) | (hi_a & lo_a_e);
            mark_after_81 = hi_a & lo_6_9;
            /// Continuation bytes that end in F.
            cont_f = cont & lo_f;
            is_c2 = hi_c & lo_2;
            is_d8 = hi_d & lo_8;
            is_e2 = hi_e & lo_2;
            is_ee = hi_e & lo_e;
            is_ef = hi_e & lo_f;
            is_f3 = hi_f & lo_3;
            is_f4 = hi_f & lo_4;
            /// CC to DF.
            lead_cc_df = (hi_c & lo_c_f) | hi_d;
        }

        stage 3 "control characters" {
            control = up_to_1f | (hi_7 & lo_f);
        }

        stage 4 "what a byte is after the one before it" {
            c1 = if has_c1 { to_9f & before_any(is_c2) } else { 0 };
            second_up = if has_from_0300 { cont & before_any(lead_cc_df) } else { 0 };
            /// U+061C.
            arabic = is_9c & before_any(is_d8);
            e2_80 = is_80 & before_any(is_e2);
            e2_81 = is_81 & before_any(is_e2);
            ef_b7 = is_b7 & before_any(is_ef);
            ef_bf = is_bf & before_any(is_ef);
            /// Second of four bytes: the scalar value is nFxxx.
            f_xf = cont_f & before_any(hi_f);
            /// Second bytes of what is for private use: after EE, after EF to A3; of four bytes.
            private_of_3 = cont & (before_any(is_ee) | (to_a3 & before_any(is_ef)));
            private_f3 = hi_b & before_any(is_f3);
            private_f4 = hi_8 & before_any(is_f4);
        }

        stage 5 "after the two before it" {
            bidi = if has_bidi {
                arabic | (mark_after_80 & before_any(e2_80)) | (mark_after_81 & before_any(e2_81))
            } else {
                0
            };
            /// U+FDD0 to U+FDEF; U+FFFE, U+FFFF.
            of_3 = (from_90_to_af & before_any(ef_b7)) | (be_bf & before_any(ef_bf));
            f_xf_bf = is_bf & before_any(f_xf);
            private_third = cont & before_any(private_of_3);
            private_third_of_4 = cont & (before_any(private_f3) | before_any(private_f4));
        }

        stage 6 "after the three before it" {
            /// The last two of a plane.
            ends_plane = be_bf & before_any(f_xf_bf);
            private_fourth = cont & before_any(private_third_of_4);
        }

        stage 7 "the classes" {
            noncharacter = if has_noncharacter { of_3 | ends_plane } else { 0 };
            private = if has_private { private_third | (private_fourth & !ends_plane) } else { 0 };
        }

        stage 9 "the classes, in one clock" {
            nul = if has_nul { is_nul } else { 0 };
            control = if has_control { control } else { 0 };
            supplementary = if has_supplementary { fourth } else { 0 };
            from_0300 = if has_from_0300 { third_up | second_up } else { 0 };
        }

        out nul, control, c1, noncharacter, bidi, private, supplementary, from_0300 @ 9;
    }
}
