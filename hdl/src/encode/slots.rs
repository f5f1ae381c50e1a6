//! The bytes of each word: four slots a lane, of which the last one, two, three or four are its bytes.
//!
//! This is the table of RFC 3629 section 3. The last byte of a word is in its last slot, however many it has, so a byte's bits are those of
//! the value in the same places for all lengths, but for the few that say what the byte is.
//!
//! # Latency
//! One clock, a beat in every clock.
//!
//! # Reset
//! None: what is in a slot that is no byte has no meaning.

use crate::layout::REPLACEMENT;
use crate::primitives::wires::{Repeat, Unstack};
use crate::vector::from_bits;
use crate::verilog::{Body, Run, bit, concat};
use hdl_macros::{Blank, Block, Described, stages};
use rust_hdl::prelude::*;

/// Slots of a word.
pub const SLOTS: usize = 4;

/// U+FFFD in every lane.
fn replacements<const N: usize, const SCALARS: usize>() -> Bits<SCALARS> {
    from_bits(|bit| REPLACEMENT >> (bit / N) & 1 == 1)
}

stages! {
    /// The bytes of each word. `SCALARS` is `21 * N`, `T` is `8 * 4 * N`.
    pub block Slots<const N: usize, const SCALARS: usize, const T: usize> {
        given replacement: Bits<SCALARS> = replacements::<N, SCALARS>();

        /// The words' lowest 21 bits, as planes.
        in scalars: Bits<SCALARS> @ 0;
        /// The word is ill-formed; it becomes two bytes, three, four.
        in ill, has_2, has_3, has_4 @ 0;

        stage 1 "the scalar values" {
            wires every_ill: Repeat<N, SCALARS> = { x: ill };
            wires s: Unstack<N, 21, SCALARS> = { x: scalars };
            value: Bits<SCALARS> = (scalars & !every_ill) | (replacement & every_ill);
            /// The bits of a byte that tell its place: 6 of 0xxxxxxx; 6 of 110xxxxx, 1110xxxx; 5 of the latter.
            one_6 = s[6] & !has_2;
            is_2 = !has_3;
            is_3 = !has_4;
            three_5 = s[17] | !has_4;
        }

        stage 2 "the slots" {
            wires v: Unstack<N, 21, SCALARS> = { x: value };
            wires slots: Interleave<N, T> = {
                // Of four bytes the first, 11110xxx.
                x[0]: v[18],
                x[1]: v[19],
                x[2]: v[20],
                x[3]: 0,
                x[4]: ones,
                x[5]: ones,
                x[6]: ones,
                x[7]: ones,
                // Of three the first, 1110xxxx, or of four the second, 10xxxxxx.
                x[8]: v[12],
                x[9]: v[13],
                x[10]: v[14],
                x[11]: v[15],
                x[12]: v[16],
                x[13]: three_5,
                x[14]: is_3,
                x[15]: ones,
                // Of two the first, 110xxxxx, or a later one.
                x[16]: v[6],
                x[17]: v[7],
                x[18]: v[8],
                x[19]: v[9],
                x[20]: v[10],
                x[21]: v[11],
                x[22]: is_2,
                x[23]: ones,
                // The only one, 0xxxxxxx, or the last.
                x[24]: v[0],
                x[25]: v[1],
                x[26]: v[2],
                x[27]: v[3],
                x[28]: v[4],
                x[29]: v[5],
                x[30]: one_6,
                x[31]: has_2,
            };
        }

        given ones: Bits<N> = from_bits(|_| true);
        /// The slots' planes, the lowest bits' first: slot `j` of word `i` is lane `4 * i + j`.
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
                x[0]: 0,
                x[1]: 0,
                x[2]: 0,
                x[3]: 0,
                x[4]: 0,
                x[5]: 0,
                x[6]: 0,
                x[7]: 0,
                // EF.
                x[8]: ones,
                x[9]: ones,
                x[10]: ones,
                x[11]: ones,
                x[12]: 0,
                x[13]: ones,
                x[14]: ones,
                x[15]: ones,
                // BF.
                x[16]: ones,
                x[17]: ones,
                x[18]: ones,
                x[19]: ones,
                x[20]: ones,
                x[21]: ones,
                x[22]: 0,
                x[23]: ones,
                // The byte, or BD.
                x[24]: b[0],
                x[25]: b[1],
                x[26]: b[2],
                x[27]: b[3],
                x[28]: b[4],
                x[29]: b[5],
                x[30]: b[6],
                x[31]: b[7],
            };
        }

        /// The slots' planes, as those of [`Slots`].
        out planes: Bits<T> = slots @ 1;
    }
}

/// Planes of the slots of words, one slot's after the other's, as planes of all slots. `T` is `8 * 4 * N`.
#[derive(Block, Blank, Described)]
pub struct Interleave<const N: usize, const T: usize> {
    #[many(32)]
    pub x: Vec<Signal<In, Bits<N>>>,
    pub y: Signal<Out, Bits<T>>,
    _run: Run,
}

impl<const N: usize, const T: usize> Interleave<N, T> {
    fn body(&self, body: Body) -> Body {
        const { assert!(T == 8 * SLOTS * N) }
        let lanes = SLOTS * N;
        let bits = (0..T).map(|index| {
            let (plane, slot, word) = (index / lanes, index % SLOTS, index % lanes / SLOTS);
            bit(format!("x${}", 8 * slot + plane), word)
        });
        body.assign("y", concat(bits))
    }
}

/// The lanes of all slots, from those of the words that have each slot. `M` is `4 * N`.
#[derive(Block, Blank, Described)]
pub struct SlotLanes<const N: usize, const M: usize> {
    #[many(4)]
    pub x: Vec<Signal<In, Bits<N>>>,
    pub y: Signal<Out, Bits<M>>,
    _run: Run,
}

impl<const N: usize, const M: usize> SlotLanes<N, M> {
    fn body(&self, body: Body) -> Body {
        const { assert!(M == SLOTS * N) }
        let lanes = (0..M).map(|lane| bit(format!("x${}", lane % SLOTS), lane / SLOTS));
        body.assign("y", concat(lanes))
    }
}
