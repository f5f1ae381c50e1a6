//! One of IPv6's extension headers.
//!
//! A row of these follows the chain: each reads one header if there is one, and passes on what follows it; else it passes on what came.
//!
//! # Latency
//! [`LATENCY`] clocks, a beat in every clock.
//!
//! # Reset
//! What marks beats.

use super::pick::{HotWord, JoinFours, PickOfTwo};
use super::words::{Further, NEXT_BITS, WORDS_BITS, expand, is_extension, word_bits};
use crate::layout::reason;
use crate::primitives::wires::Broadcast;
use crate::verilog::{Body, Run, bits, choose, literal, name};
use crate::window::countdown::Countdown;
use hdl_macros::{Blank, Block, Described, stages};
use rust_hdl::prelude::*;

/// Clocks from what follows a header to what follows the next.
pub const LATENCY: usize = 5;

/// Whether an extension header follows.
#[derive(Block, Blank, Described)]
pub struct IsExtension {
    pub x: Signal<In, Bits<NEXT_BITS>>,
    pub y: Signal<Out, Bit>,
    _run: Run,
}

impl IsExtension {
    fn body(&self, body: Body) -> Body {
        body.assign("y", is_extension("x"))
    }
}

/// What follows an extension header, or why its packet is not judged.
#[derive(Block, Blank, Described)]
pub struct AfterExtension {
    /// The next header in three bits, and whether a fragment header there is of a part of a datagram.
    pub kind: Signal<In, Bits<4>>,
    pub is_fragment: Signal<In, Bit>,
    pub y: Signal<Out, Bits<NEXT_BITS>>,
    _run: Run,
}

impl AfterExtension {
    fn body(&self, body: Body) -> Body {
        let reason = |code| literal(NEXT_BITS, code);
        let is_part = name("is_fragment") & bits("kind", 3, 1);
        let next = choose(is_part, reason(reason::IP_FRAGMENT), expand("kind"));
        body.assign("y", next)
    }
}

stages! {
    /// Reads a header, if it is an extension header: what follows it.
    pub block Extension<const N: usize> {
        /// Why a packet is not judged.
        given of_no_sense: Bits<NEXT_BITS> = reason::MALFORMED.into();
        in reset: Bit;
        /// A beat comes, which is its frame's first.
        in valid, starts: Bit @ 0;
        /// With it, once in each frame: what follows, how many words from its first one on, and the bytes of IP's payload from there; the
        /// header before does not fit into the payload.
        in found: Bit @ 0;
        in kind: Bits<NEXT_BITS> @ 0;
        in distance: Bits<WORDS_BITS> @ 0;
        in rest: Bits<16> @ 0;
        in too_long: Bit @ 0;
        /// The beat's words: see [`super::words::Words`] and [`super::words::Pairs`].
        in nibble_0, nibble_1, nibble_2, nibble_3, pairs_0, pairs_1 @ 0;

        stage 1 "the beats up to the header" {
            mark valid: Bit = valid;
            wires is_header: IsExtension = { x: kind } -> Bit;
            let is_one: Bit = is_header & !too_long;
            part left: Countdown<WORDS_BITS>(word_bits(N)) = {
                beat: valid, loads: found, position: distance,
            } -> Bits<WORDS_BITS>;
            /// A header is looked for.
            state waits: Bit = if found { is_one } else if valid & starts { false };
            wires sense: Sense = { kind, too_long, of_no_sense } -> Bits<NEXT_BITS>;
            state kind: Bits<NEXT_BITS> = if found { sense };
            state distance: Bits<WORDS_BITS> = if found { distance };
            state rest: Bits<16> = if found { rest };
            /// The pair of words with the header's first word. For the length of a fragment header, which has none, no pair.
            wires hot_word: HotWord<N> = { words: distance };
            state hot: Bits<16> = if found { hot_word.hot_pair };
            wires has_length: Broadcast<16> = { x: !kind.get_bit(0) };
            state hot_length: Bits<16> = if found { hot_word.hot_pair & has_length };
            state second: Bits<5> = if found { hot_word.second };
            /// It is none, and what came passes on.
            mark passes: Bit = found & !is_one;
        }

        stage 2 "the header's first word, of each two words" {
            wires of_two: PickOfTwo<N> = {
                kind_and_low: pairs_0, high: pairs_1, hot, hot_length,
            } -> Bits<64>;
            chosen: Bits<64> = of_two;
            mark here: Bit = valid & waits & left.is_here;
            mark passes: Bit = passes;
        }

        stage 3 "the header's first word" {
            wires joined: JoinFours = { x: chosen } -> Bits<16>;
            header: Bits<16> = joined;
            mark here: Bit = here;
            mark passes: Bit = passes;
        }

        stage 4 "where it ends" {
            let length: Bits<8> = header.get_bits::<8>(4);
            wires further: Further = { word: second, length, rest };
            wires after: AfterExtension = {
                kind: header.get_bits::<4>(0), is_fragment: kind.get_bit(0),
            } -> Bits<NEXT_BITS>;
            mark here: Bit = here;
            mark passes: Bit = passes;
            next_is: Bits<NEXT_BITS> = after;
            words: Bits<WORDS_BITS> = further.words;
            left_over: Bits<16> = further.left;
            beyond: Bit = further.too_long;
        }

        stage 5 "what follows it" {
            mark found: Bit = here | passes;
            kind: Bits<NEXT_BITS> = if here { next_is } else { kind };
            distance: Bits<WORDS_BITS> = if here { words } else { distance };
            rest: Bits<16> = if here { left_over } else { rest };
            too_long: Bit = here & beyond;
        }

        /// The beat, and the same of what follows.
        out next_valid: Bit = valid @ 5;
        out next_starts: Bit = starts @ 5;
        out next_found: Bit = found @ 5;
        out next_kind: Bits<NEXT_BITS> = kind @ 5;
        out next_distance: Bits<WORDS_BITS> = distance @ 5;
        out next_rest: Bits<16> = rest @ 5;
        out next_too_long: Bit = too_long @ 5;
        out next_nibble_0 = nibble_0 @ 5;
        out next_nibble_1 = nibble_1 @ 5;
        out next_nibble_2 = nibble_2 @ 5;
        out next_nibble_3 = nibble_3 @ 5;
        out next_pairs_0 = pairs_0 @ 5;
        out next_pairs_1 = pairs_1 @ 5;
    }
}

/// What follows a header, if that fits into the payload.
#[derive(Block, Blank, Described)]
pub struct Sense {
    pub kind: Signal<In, Bits<NEXT_BITS>>,
    pub too_long: Signal<In, Bit>,
    pub of_no_sense: Signal<In, Bits<NEXT_BITS>>,
    pub y: Signal<Out, Bits<NEXT_BITS>>,
    _run: Run,
}

impl Sense {
    fn body(&self, body: Body) -> Body {
        let sense = choose(name("too_long"), name("of_no_sense"), name("kind"));
        body.assign("y", sense)
    }
}
