//! One of IPv6's extension headers.
//!
//! A row of these follows the chain: each reads one header if there is one, and passes on what follows it; else it passes on what came.
//!
//! # Latency
//! [`LATENCY`] clocks, a beat in every clock.
//!
//! # Reset
//! What marks beats.

use super::words::{Further, NEXT_BITS, Pick, WORDS_BITS, WordOf, expand, is_extension, word_bits};
use crate::layout::reason;
use crate::verilog::{Body, Run, bits, choose, concat, literal, name};
use crate::window::countdown::Countdown;
use hdl_macros::{Blank, Block, Described, stages};
use rust_hdl::prelude::*;

/// Clocks from what follows a header to what follows the next.
pub const LATENCY: usize = 3;

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
    /// Three bits of what it says that follows, and whether it is of a part of a datagram.
    pub kind: Signal<In, Bits<4>>,
    pub is_fragment: Signal<In, Bit>,
    pub too_long: Signal<In, Bit>,
    pub y: Signal<Out, Bits<NEXT_BITS>>,
    _run: Run,
}

impl AfterExtension {
    fn body(&self, body: Body) -> Body {
        let reason = |code| literal(NEXT_BITS, code);
        let is_part = name("is_fragment") & bits("kind", 3, 1);
        let next = choose(is_part, reason(reason::IP_FRAGMENT), expand("kind"));
        let next = choose(name("too_long"), reason(reason::MALFORMED), next);
        body.assign("y", next)
    }
}

stages! {
    /// Reads a header, if it is an extension header: what follows it.
    pub block Extension<const N: usize> {
        in reset: Bit;
        /// A beat comes, which is its frame's first.
        in valid, starts: Bit @ 0;
        /// With it, once in each frame: what follows, how many words from its first one on, and the bytes of IP's payload from there.
        in found: Bit @ 0;
        in kind: Bits<NEXT_BITS> @ 0;
        in distance: Bits<WORDS_BITS> @ 0;
        in rest: Bits<16> @ 0;
        /// The beat's words: see [`super::words::Words`].
        in nibble_0, nibble_1, nibble_2, nibble_3, kinds @ 0;

        stage 1 "the beats up to the header" {
            mark valid: Bit = valid;
            wires extends: IsExtension = { x: kind } -> Bit;
            part left: Countdown<WORDS_BITS>(word_bits(N)) = {
                beat: valid, loads: found, position: distance,
            } -> Bits<WORDS_BITS>;
            /// A header is looked for.
            state waits: Bit = if found { extends } else if valid & starts { false };
            state kind: Bits<NEXT_BITS> = if found { kind };
            state distance: Bits<WORDS_BITS> = if found { distance };
            state rest: Bits<16> = if found { rest };
            /// It is none, and what came passes on.
            mark passes: Bit = found & !extends;
        }

        stage 2 "the header's first word" {
            wires word_of: WordOf<N> = { words: distance } -> Bits<4>;
            wires kind_of: Pick<N> = { x: kinds, word: word_of } -> Bits<4>;
            wires low_of: Pick<N> = { x: nibble_2, word: word_of } -> Bits<4>;
            wires high_of: Pick<N> = { x: nibble_3, word: word_of } -> Bits<4>;
            mark here: Bit = valid & waits & left.is_here;
            mark passes: Bit = passes;
            word: Bits<4> = word_of;
            header: Bits<4> = kind_of;
            low: Bits<4> = low_of;
            high: Bits<4> = high_of;
        }

        stage 3 "what follows it" {
            wires length: Bytes = { low, high } -> Bits<8>;
            let is_fragment: Bit = kind.get_bit(0);
            wires further: Further = { word, is_fragment, length, rest };
            wires after: AfterExtension = {
                kind: header, is_fragment, too_long: further.too_long,
            } -> Bits<NEXT_BITS>;
            mark found: Bit = here | passes;
            kind: Bits<NEXT_BITS> = if here { after } else { kind };
            distance: Bits<WORDS_BITS> = if here { further.words } else { distance };
            rest: Bits<16> = if here { further.left } else { rest };
        }

        /// The beat, and the same of what follows.
        out next_valid: Bit = valid @ 3;
        out next_starts: Bit = starts @ 3;
        out next_found: Bit = found @ 3;
        out next_kind: Bits<NEXT_BITS> = kind @ 3;
        out next_distance: Bits<WORDS_BITS> = distance @ 3;
        out next_rest: Bits<16> = rest @ 3;
        out next_nibble_0 = nibble_0 @ 3;
        out next_nibble_1 = nibble_1 @ 3;
        out next_nibble_2 = nibble_2 @ 3;
        out next_nibble_3 = nibble_3 @ 3;
        out next_kinds = kinds @ 3;
    }
}

/// A byte from its nibbles.
#[derive(Block, Blank, Described)]
pub struct Bytes {
    pub low: Signal<In, Bits<4>>,
    pub high: Signal<In, Bits<4>>,
    pub y: Signal<Out, Bits<8>>,
    _run: Run,
}

impl Bytes {
    fn body(&self, body: Body) -> Body {
        body.assign("y", concat([name("low"), name("high")]))
    }
}
