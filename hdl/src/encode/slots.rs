//! The bytes of each word: four slots a lane, of which the last one, two, three or four are its bytes; or eight, of which it has up to six.
//!
//! This is the table of RFC 3629 section 3, and of RFC 2279 section 2. The last byte of a word is in its last slot, however many it has, so
//! a byte's bits are those of the value in the same places for all lengths, but for the few that say what the byte is.
//!
//! # Latency
//! One clock, a beat in every clock.
//!
//! # Reset
//! None: what is in a slot that is no byte has no meaning.

use crate::config::Grammar;
use crate::layout::{LONG_SCALAR_BITS, REPLACEMENT};
use crate::primitives::wires::{Repeat, Unstack};
use crate::vector::from_bits;
use crate::verilog::{Body, Run, bit, concat, zero};
use hdl_macros::{Blank, Block, Described, once, stages};
use rust_hdl::prelude::*;

/// Slots of a word.
pub const SLOTS: usize = 4;
/// The most bytes of a word in RFC 2279, for which there are twice as many slots.
pub const MOST_SLOTS: usize = 6;

/// Slots of a word in a grammar.
pub const fn of_word(grammar: Grammar) -> usize {
    match grammar {
        Grammar::Rfc3629 => SLOTS,
        Grammar::Rfc2279 => 2 * SLOTS,
    }
}

/// U+FFFD in every lane.
fn replacements<const N: usize, const SCALARS: usize>() -> Bits<SCALARS> {
    from_bits(|bit| REPLACEMENT >> (bit / N) & 1 == 1)
}

stages! {
    /// The bytes of each word. `SCALARS` is `21 * N`, `T` is `8 * 4 * N`.
    // Of RFC 2279 `SCALARS` is `31 * N`, `T` is `8 * 8 * N`, and the first two slots are never used.
    pub block Slots<const N: usize, const SCALARS: usize, const T: usize> {
        given replacement: Bits<SCALARS> = replacements::<N, SCALARS>();
        given is_2279: bool = SCALARS / N == LONG_SCALAR_BITS;

        /// The words' lowest 21 bits, as planes. RFC 2279: The words' lowest 31 bits, as planes.
        in scalars: Bits<SCALARS> @ 0;
        /// The word is ill-formed; it becomes two bytes, three, four. RFC 2279: The word is ill-formed; it becomes two bytes, three, four,
        /// five, six, or more.
        in ill, has_2, has_3, has_4 @ 0;
        in has_5, has_6 @ 0;

        stage 1 "the scalar values" {
            wires every_ill: Repeat<N, SCALARS> = { x: ill };
            wires s: Unstack<N, 31, SCALARS> = { x: scalars };
            value: Bits<SCALARS> = (scalars & !every_ill) | (replacement & every_ill);
            /// The bits of a byte that tell its place: 6 of 0xxxxxxx; 6 of 110xxxxx, 1110xxxx; 5 of the latter. RFC 2279: The bits of a byte
            /// that tell its place: 6 of 0xxxxxxx; 6 of 110xxxxx, 1110xxxx; 5 of the latter; 6, 4, 5 of 11110xxx; 6, 3, 4, 5 of 111110xx.
            one_6 = s[6] & !has_2;
            is_2 = !has_3;
            is_3 = !has_4;
            three_5 = s[17] | !has_4;
            is_4 = !has_5;
            four_4 = s[22] | !has_5;
            four_5 = s[23] | !has_5;
            is_5 = !has_6;
            five_3 = s[27] | !has_6;
            five_4 = s[28] | !has_6;
            five_5 = s[29] | !has_6;
        }

        stage 2 "the slots" {
            wires v: Unstack<N, 31, SCALARS> = { x: value };
            wires slots: Interleave<N, T> = {
                x[i in 0..16]: 0,
                // Of six bytes the first, 1111110x.
                x[16]: v[30],
                x[17]: 0,
                x[18]: ones,
                x[19]: ones,
                x[20]: ones,
                x[21]: ones,
                x[22]: ones,
                x[23]: ones,
                // Of five the first, 111110xx, or of six the second.
                x[24]: v[24],
                x[25]: v[25],
                x[26]: v[26],
                x[27]: five_3,
                x[28]: five_4,
                x[29]: five_5,
                x[30]: is_5,
                x[31]: ones,
                // Of four the first, 11110xxx, or of more a later one.
                x[32]: v[18],
                x[33]: v[19],
                x[34]: v[20],
                x[35]: if is_2279 { v[21] } else { 0 },
                x[36]: if is_2279 { four_4 } else { ones },
                x[37]: if is_2279 { four_5 } else { ones },
                x[38]: if is_2279 { is_4 } else { ones },
                x[39]: ones,
                // Of three the first, 1110xxxx, or a later one, 10xxxxxx.
                x[40]: v[12],
                x[41]: v[13],
                x[42]: v[14],
                x[43]: v[15],
                x[44]: v[16],
                x[45]: three_5,
                x[46]: is_3,
                x[47]: ones,
                // Of two the first, 110xxxxx, or a later one.
                x[48]: v[6],
                x[49]: v[7],
                x[50]: v[8],
                x[51]: v[9],
                x[52]: v[10],
                x[53]: v[11],
                x[54]: is_2,
                x[55]: ones,
                // The only one, 0xxxxxxx, or the last.
                x[56]: v[0],
                x[57]: v[1],
                x[58]: v[2],
                x[59]: v[3],
                x[60]: v[4],
                x[61]: v[5],
                x[62]: one_6,
                x[63]: has_2,
            };
        }

        given ones: Bits<N> = from_bits(|_| true);
        /// The slots' planes, the lowest bits' first: slot `j` of word `i` is lane `4 * i + j`. RFC 2279: The
        /// slots' planes, the lowest bits' first: slot `j` of word `i` is lane `8 * i + j`.
        out planes: Bits<T> = slots @ 1;
    }
}

stages! {
    /// The bytes of each byte: itself in the last slot, or EF BF BD in the last three. `DATA` is `8 * N`, `T` is `8 * 4 * N`.
    pub block ByteSlots<const N: usize, const DATA: usize, const T: usize> {
        given replacement: Bits<DATA> = from_bits(|bit| 0xBD_u32 >> (bit / N) & 1 == 1);
        given ones: Bits<N> = from_bits(|_| true);

        /// The planes of the bytes, and the lanes in which U+FFFD takes the byte's place.
        in bytes: Bits<DATA> @ 0;
        in replaced @ 0;

        stage 1 "what is in the last slots" {
            wires every_replaced: Repeat<N, DATA> = { x: replaced };
            in_last: Bits<DATA> = (bytes & !every_replaced) | (replacement & every_replaced);
        }

        stage 2 "the slots" {
            wires b: Unstack<N, 8, DATA> = { x: in_last };
            wires slots: Interleave<N, T> = {
                x[i in 0..40]: 0,
                // EF.
                x[40]: ones,
                x[41]: ones,
                x[42]: ones,
                x[43]: ones,
                x[44]: 0,
                x[45]: ones,
                x[46]: ones,
                x[47]: ones,
                // BF.
                x[48]: ones,
                x[49]: ones,
                x[50]: ones,
                x[51]: ones,
                x[52]: ones,
                x[53]: ones,
                x[54]: 0,
                x[55]: ones,
                // The byte, or BD.
                x[56]: b[0],
                x[57]: b[1],
                x[58]: b[2],
                x[59]: b[3],
                x[60]: b[4],
                x[61]: b[5],
                x[62]: b[6],
                x[63]: b[7],
            };
        }

        /// The slots' planes, as those of [`Slots`].
        out planes: Bits<T> = slots @ 1;
    }
}

/// Planes of a word's eight slots, one slot's after the other's, as planes of all slots; `T` is `8 * 8 * N`, or `8 * 4 * N` of the last four.
#[derive(Block, Blank, Described)]
pub struct Interleave<const N: usize, const T: usize> {
    #[many(64)]
    pub x: Vec<Signal<In, Bits<N>>>,
    pub y: Signal<Out, Bits<T>>,
    _run: Run,
}

impl<const N: usize, const T: usize> Interleave<N, T> {
    #[once(N, T)]
    fn body(&self, body: Body) -> Body {
        const { assert!(T.is_multiple_of(8 * SLOTS * N) && T <= 64 * N) }
        let (lanes, slots) = (T / 8, T / 8 / N);
        let bits = (0..T).map(|index| {
            let (plane, word) = (index / lanes, index % lanes / slots);
            let slot = 8 - slots + index % slots;
            bit(format!("x${}", 8 * slot + plane), word)
        });
        body.assign("y", concat(bits))
    }
}

/// The lanes of all slots, from those of the words that have one byte and more, two, and so on. `M` is `4 * N`, or `8 * N`.
#[derive(Block, Blank, Described)]
pub struct SlotLanes<const N: usize, const M: usize> {
    #[many(MOST_SLOTS)]
    pub x: Vec<Signal<In, Bits<N>>>,
    pub y: Signal<Out, Bits<M>>,
    _run: Run,
}

impl<const N: usize, const M: usize> SlotLanes<N, M> {
    #[once(N, M)]
    fn body(&self, body: Body) -> Body {
        const { assert!(M.is_multiple_of(SLOTS * N)) }
        let slots = M / N;
        let lanes = (0..M).map(|lane| match slots - 1 - lane % slots {
            MOST_SLOTS.. => zero(1),
            from_last => bit(format!("x${from_last}"), lane / slots),
        });
        body.assign("y", concat(lanes))
    }
}
