//! Chooses one of a beat's words.

use super::words::{WORDS_BITS, word_bits};
use crate::verilog::{
    Body, Expression, Operator, Run, bit, bits, concat, is_number, literal, repeat, zero,
};
use hdl_macros::{Blank, Block, Described, once};
use rust_hdl::prelude::*;

/// The first step of choosing an extension header's first word: of each two words the chosen one's next header, and the low and the high
/// nibble of its length, or zero. One vector chooses the word of the next header, another that of the length.
#[derive(Block, Blank, Described)]
pub struct PickOfTwo<const N: usize> {
    /// Planes as of [`super::words::Pairs`].
    pub kind_and_low: Signal<In, Bits<N>>,
    pub high: Signal<In, Bits<N>>,
    pub hot: Signal<In, Bits<16>>,
    pub hot_length: Signal<In, Bits<16>>,
    pub y: Signal<Out, Bits<64>>,
    _run: Run,
}

impl<const N: usize> PickOfTwo<N> {
    #[once(N)]
    fn body(&self, body: Body) -> Body {
        let planes = [
            ("kind_and_low", 0, "hot"),
            ("kind_and_low", N / 2, "hot_length"),
            ("high", 0, "hot_length"),
        ];
        let of_two = planes.into_iter().flat_map(|(plane, from, hot)| {
            (0..4).map(move |two| {
                let words = (2 * two..2 * two + 2).filter(|word| *word < N / 8);
                let one = |word| bits(plane, from + 4 * word, 4) & repeat(4, bit(hot, word));
                Expression::join(Operator::Or, words.map(one)).unwrap_or(zero(4))
            })
        });
        body.assign("y", concat(of_two.chain([zero(16)])))
    }
}

/// The first step of choosing half a word by a one-hot vector: of each four words the chosen one's nibbles, or zero.
#[derive(Block, Blank, Described)]
pub struct PickOfFour<const N: usize> {
    pub nibble_0: Signal<In, Bits<N>>,
    pub nibble_1: Signal<In, Bits<N>>,
    pub nibble_2: Signal<In, Bits<N>>,
    pub nibble_3: Signal<In, Bits<N>>,
    pub hot: Signal<In, Bits<16>>,
    pub y: Signal<Out, Bits<64>>,
    _run: Run,
}

impl<const N: usize> PickOfFour<N> {
    #[once(N)]
    fn body(&self, body: Body) -> Body {
        let nibble_of_four = |at: usize| {
            let (nibble, four) = (at / 4, at % 4);
            let plane = format!("nibble_{nibble}");
            let words = (4 * four..4 * four + 4).filter(|word| *word < N / 4);
            let one = |word| bits(&plane, 4 * word, 4) & repeat(4, bit("hot", word));
            Expression::join(Operator::Or, words.map(one)).unwrap_or(zero(4))
        };
        body.assign("y", concat((0..16).map(nibble_of_four)))
    }
}

/// The second step of both: joins the four parts of each nibble.
#[derive(Block, Blank, Described)]
pub struct JoinFours {
    pub x: Signal<In, Bits<64>>,
    pub y: Signal<Out, Bits<16>>,
    _run: Run,
}

impl JoinFours {
    fn body(&self, body: Body) -> Body {
        let nibble = |nibble: usize| {
            let fours = (0..4).map(|four| bits("x", 16 * nibble + 4 * four, 4));
            Expression::join(Operator::Or, fours).expect("there are four")
        };
        body.assign("y", concat((0..4).map(nibble)))
    }
}

/// The number that half a word is: its first byte is the high one.
pub fn big_endian(half: &str) -> Expression {
    concat([bits(half, 8, 8), bits(half, 0, 8)])
}

/// The word of a beat that a distance in words ends in: its number, one-hot, and its pair of words one-hot.
#[derive(Block, Blank, Described)]
pub struct HotWord<const N: usize> {
    pub words: Signal<In, Bits<WORDS_BITS>>,
    pub word: Signal<Out, Bits<4>>,
    /// The number of the word two further on.
    pub second: Signal<Out, Bits<5>>,
    pub hot: Signal<Out, Bits<16>>,
    pub hot_pair: Signal<Out, Bits<16>>,
    _run: Run,
}

impl<const N: usize> HotWord<N> {
    #[once(N)]
    fn body(&self, body: Body) -> Body {
        let width = word_bits(N);
        let hot = |low: usize| {
            let one = |of: usize| is_number("words", low, width - low, of);
            let words = 1 << (width - low);
            let hot = (0..words).map(one).collect::<Vec<_>>();
            widened(concat(hot), words, 16)
        };
        let word = bits("words", 0, width);
        let second = widened(bits("words", 0, width), width, 5) + literal(5, 2);
        body.assign("word", widened(word, width, 4))
            .assign("second", second)
            .assign("hot", hot(0))
            .assign("hot_pair", hot(1))
    }
}

/// A vector with zeros above it.
fn widened(value: Expression, from: usize, to: usize) -> Expression {
    match to - from {
        0 => value,
        more => concat([value, zero(more)]),
    }
}
