//! UTF-32 words in, what each of them becomes: a scalar value, and how many bytes it has (the table of RFC 3629 section 3).
//!
//! A word above 10FFFF or a surrogate is ill-formed. It becomes U+FFFD, or nothing.
//!
//! # Latency
//! [`LATENCY`] clocks, a beat in every clock; no path has more than one LUT.
//!
//! # Reset
//! None: what is of no beat has no bytes.

use crate::primitives::wires::{Broadcast, BytePlanes, Unstack};
use crate::verilog::{Body, Run, bits, concat};
use hdl_macros::{Blank, Block, Described, stages};
use rust_hdl::prelude::*;

/// Clocks from a beat's acceptance to what its words become.
pub const LATENCY: usize = 5;

stages! {
    /// What each word becomes. `DATA` is `32 * N`, `KEEP` is `4 * N`.
    pub block Words<const N: usize, const DATA: usize, const KEEP: usize> {
        /// Configuration: an ill-formed word becomes nothing.
        given omits: bool;

        in valid: Bit;
        in data: Bits<DATA>;
        in keep: Bits<KEEP>;

        stage 0 "the input register" {
            wires whole: WholeWords<N, KEEP> = { keep };
            data: Bits<DATA> = data;
            present = whole;
            valid: Bit = valid;
        }

        stage 1 "functions of up to four bits of each word" {
            wires planes: BytePlanes<N, DATA> = { data };
            wires b: Unstack<N, 32, DATA> = { x: planes };
            wires all_valid: Broadcast<N> = { x: valid };
            /// The lane has a word. Without a beat, AXI leaves that undefined.
            present = present & all_valid;
            /// Bits 31 to 21, which no scalar value has.
            above_a = b[31] | b[30] | b[29] | b[28];
            above_b = b[27] | b[26] | b[25] | b[24];
            above_c = b[23] | b[22] | b[21];
            b20 = b[20];
            planes_1_to_f = b[19] | b[18] | b[17] | b[16];
            /// Bits 15 to 7.
            any_15_12 = b[15] | b[14] | b[13] | b[12];
            any_11_8 = b[11] | b[10] | b[9] | b[8];
            b11 = b[11];
            b7 = b[7];
            /// Bits 15 to 12 are D.
            is_dxxx = b[15] & b[14] & !b[13] & b[12];
        }

        stage 2 "products of those" {
            above = above_a | above_b | above_c;
            /// 100000 and above, but for bits 31 to 21; of these 10FFFF is the greatest.
            over = b20 & planes_1_to_f;
            /// D800 to DFFF, but for bits 31 to 21.
            surrogate = is_dxxx & b11 & !planes_1_to_f & !b20;
            /// What needs two bytes, three, and four: but for what is above.
            from_80 = any_15_12 | any_11_8 | b7;
            from_800 = any_15_12 | b11 | planes_1_to_f | b20;
            from_10000 = planes_1_to_f | b20;
        }

        stage 3 "the ill-formed words" {
            ill = present & (above | over | surrogate);
            too_large = above | over;
            from_80 = from_80 | from_10000;
        }

        stage 4 "how many bytes each becomes" {
            /// One, two, three and four or more.
            has_1 = if omits { present & !ill } else { present };
            has_2 = if omits { present & !ill & from_80 } else { present & (ill | from_80) };
            has_3 = if omits { present & !ill & from_800 } else { present & (ill | from_800) };
            has_4 = present & !ill & from_10000;
            kind_0 = ill & too_large;
        }

        out present @ 4;
        /// It has one byte, two, three and four or more.
        out has_1, has_2, has_3, has_4 @ 4;
        /// It is ill-formed: a surrogate, kind 4, or with bit 0 too large, kind 5.
        out ill, kind_0 @ 4;
    }
}

/// Lanes with a whole word: all bits of `tkeep` that a lane has. `KEEP` is a multiple of `N`.
#[derive(Block, Blank, Described)]
pub struct WholeWords<const N: usize, const KEEP: usize> {
    pub keep: Signal<In, Bits<KEEP>>,
    pub y: Signal<Out, Bits<N>>,
    _run: Run,
}

impl<const N: usize, const KEEP: usize> WholeWords<N, KEEP> {
    fn body(&self, body: Body) -> Body {
        let octets = KEEP / N;
        let whole = (0..N).map(|lane| bits("keep", octets * lane, octets).all());
        body.assign("y", concat(whole))
    }
}
