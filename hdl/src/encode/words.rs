//! UTF-32 words in, what each of them becomes: a scalar value, and how many bytes it has (the table of RFC 3629 section 3).
//!
//! A word above 10FFFF or a surrogate is ill-formed. It becomes U+FFFD, or nothing. In RFC 2279 that is a word above 7FFFFFFF, and there are
//! words of five and six bytes.
//!
//! # Latency
//! [`LATENCY`] clocks, a beat in every clock; no path has more than one LUT.
//!
//! # Reset
//! None: what is of no beat has no bytes.

use crate::primitives::blank;
use crate::primitives::wires::{Broadcast, Stack};
use crate::verilog::{Body, Run, bit, bits, concat, zero};
use hdl_macros::{Blank, Block, Described, once, stages};
use rust_hdl::prelude::*;

/// Clocks from a beat's acceptance to what its words become.
pub const LATENCY: usize = 5;

/// The planes of what words become, in their order: the word is ill-formed; it has one byte, two, three, four; there is one in the lane;
/// and the kind of an ill-formed one, the lowest bit first. And those of five bytes and six, if there are such.
pub const MARKS: usize = 9;
pub const MOST_MARKS: usize = MARKS + 2;

/// What becomes of an ill-formed word, and of the octets of a UTF-16 unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WordRule {
    /// An ill-formed word becomes nothing.
    pub omits: bool,
    /// A unit's high octet comes first.
    pub swaps: bool,
}

stages! {
    /// What each word becomes. `DATA` is `32 * N`, `KEEP` is `4 * N`, `MARKS` is `9 * N`.
    // `MARKS` is `11 * N` of RFC 2279.
    pub block Words<const N: usize, const DATA: usize, const KEEP: usize, const MARKS: usize> {
        /// Configuration: an ill-formed word becomes nothing.
        given omits: bool;
        /// Configuration: words have up to 31 bits, as in RFC 2279.
        given is_2279: bool;

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
            wires b: WordBits<N, 32, DATA>(false) = { data };
            wires all_valid: Broadcast<N> = { x: valid };
            /// The lane has a word. Without a beat, AXI leaves that undefined.
            present = present & all_valid;
            /// Bits 31 to 21, which no scalar value has. RFC 2279: Bit 31, which no value has; bits 30 to 16, of words of four bytes and more.
            above_a = b[31] | b[30] | b[29] | b[28];
            above_b = b[27] | b[26] | b[25] | b[24];
            above_c = b[23] | b[22] | b[21];
            is_above = b[31];
            any_30_27 = b[30] | b[29] | b[28] | b[27];
            any_26 = b[26];
            any_25_22 = b[25] | b[24] | b[23] | b[22];
            any_21 = b[21];
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
            above = if is_2279 { is_above } else { above_a | above_b | above_c };
            /// 100000 and above, but for bits 31 to 21; of these 10FFFF is the greatest.
            over = if is_2279 { 0 } else { b20 & planes_1_to_f };
            /// D800 to DFFF, but for bits 31 to 21.
            surrogate = is_dxxx & b11 & !planes_1_to_f & !b20;
            /// What needs two bytes, three, and four: but for what is above. RFC 2279: What needs two bytes, three, and four: but for what is
            /// above; and what needs five, and six.
            from_80 = any_15_12 | any_11_8 | b7;
            from_800 = any_15_12 | b11 | planes_1_to_f | b20;
            from_10000 = planes_1_to_f | b20;
            from_200000 = any_30_27 | any_26 | any_25_22 | any_21;
            from_4000000 = any_30_27 | any_26;
        }

        stage 3 "the ill-formed words" {
            ill = if is_2279 { present & (above | (surrogate & !from_200000)) } else {
                present & (above | over | surrogate)
            };
            too_large = above | over;
            from_80 = if is_2279 { from_80 | from_10000 | from_200000 } else {
                from_80 | from_10000
            };
            long_800 = from_800 | from_200000;
            long_10000 = from_10000 | from_200000;
        }

        stage 4 "how many bytes each becomes" {
            /// One, two, three and four or more. RFC 2279: One, two, three, four, five and six or more.
            has_1 = if omits { present & !ill } else { present };
            has_2 = if omits { present & !ill & from_80 } else { present & (ill | from_80) };
            has_3 = if is_2279 & omits { present & !ill & long_800 }
                else if is_2279 { present & (ill | long_800) }
                else if omits { present & !ill & from_800 } else { present & (ill | from_800) };
            has_4 = if is_2279 { present & !ill & long_10000 } else { present & !ill & from_10000 };
            has_5 = present & !ill & from_200000;
            has_6 = present & !ill & from_4000000;
            kind_0 = ill & too_large;
        }

        stage 5 "all of that" {
            wires all: Stack<N, 11, MARKS> = {
                x[0]: ill,
                x[1]: has_1,
                x[2]: has_2,
                x[3]: has_3,
                x[4]: has_4,
                x[5]: present,
                x[6]: kind_0,
                x[7]: 0,
                x[8]: ill,
                x[9]: has_5,
                x[10]: has_6,
            };
        }

        /// What each word becomes: see [`MARKS`]. A surrogate is of kind 4, a word that is too large of kind 5.
        out marks: Bits<MARKS> = all @ 4;
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
    #[once(N, KEEP)]
    fn body(&self, body: Body) -> Body {
        let octets = KEEP / N;
        let whole = (0..N).map(|lane| bits("keep", octets * lane, octets).all());
        body.assign("y", concat(whole))
    }
}

/// The planes of the words' lowest 21 bits; clear above a word's own. `SCALARS` is `21 * N`.
#[derive(Block, Blank, Described)]
pub struct LowPlanes<const N: usize, const DATA: usize, const SCALARS: usize> {
    pub data: Signal<In, Bits<DATA>>,
    pub y: Signal<Out, Bits<SCALARS>>,
    _run: Run,
}

impl<const N: usize, const DATA: usize, const SCALARS: usize> LowPlanes<N, DATA, SCALARS> {
    #[once(N, DATA, SCALARS)]
    fn body(&self, body: Body) -> Body {
        let width = DATA / N;
        let planes = (0..SCALARS).map(|index| match index / N {
            above if above >= width => zero(1),
            plane => bit("data", width * (index % N) + plane),
        });
        body.assign("y", concat(planes))
    }
}

/// The bits of a beat's words, of `P` bits each; with `swaps` a word's high octet is in the low byte of its lane. `DATA` is `P * N`.
#[derive(Block, Blank, Described)]
pub struct WordBits<const N: usize, const P: usize, const DATA: usize> {
    pub data: Signal<In, Bits<DATA>>,
    #[many(P)]
    pub y: Vec<Signal<Out, Bits<N>>>,
    _swaps: bool,
    _run: Run,
}

impl<const N: usize, const P: usize, const DATA: usize> WordBits<N, P, DATA> {
    pub fn new(swaps: bool) -> Self {
        Self {
            _swaps: swaps,
            ..blank()
        }
    }

    #[once(N, P, DATA, swaps: bool = self._swaps)]
    fn body(&self, body: Body) -> Body {
        // Not for all widths that it is compiled for.
        assert!(DATA == P * N);
        let place = |plane: usize| match swaps {
            true => (plane + P / 2) % P,
            false => plane,
        };
        (0..P).fold(body, |body, plane| {
            let bits = (0..N).map(|lane| bit("data", P * lane + place(plane)));
            body.assign(format!("y${plane}"), concat(bits))
        })
    }
}
