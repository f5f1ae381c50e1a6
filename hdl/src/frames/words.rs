//! A frame as words of four bytes: all headers after the addresses of Ethernet begin two bytes after a multiple of four.
//!
//! Word `w` of a beat is its bytes `4 * w - 2` to `4 * w + 1`; the first half of word 0 is of the beat before. A plane of words has four
//! bits for each, so that it is as wide as a plane of lanes.

use crate::primitives::blank;
use crate::verilog::{
    Body, Expression, Operator, Run, bit, bits, concat, literal, name, repeat, set, when, zero,
};
use hdl_macros::{Blank, Block, Described};
use rust_hdl::prelude::*;

/// Bits of a number of words: the longest header that is read has 514.
pub const WORDS_BITS: usize = 10;
/// Bits of what follows a header: 12 a hop-by-hop, routing or destination header, 13 a fragment header, 14 UDP, 15 TCP; else the code
/// of the reason why the packet is not judged.
pub const NEXT_BITS: usize = 4;

/// Bits of a word's number.
pub const fn word_bits(lanes: usize) -> usize {
    (lanes.ilog2() as usize).saturating_sub(2)
}

/// The words of each beat: the nibbles of their first halves, low one first, and what an extension header there has as its next header
/// (three bits, see [`expand`]) and whether it is a fragment's (the fourth bit). Two clocks later than the beat.
#[derive(Block, Blank, Described)]
pub struct Words<const N: usize, const DATA: usize> {
    pub clock: Signal<In, Clock>,
    pub beat: Signal<In, Bit>,
    pub data: Signal<In, Bits<DATA>>,
    pub nibble_0: Signal<Out, Bits<N>>,
    pub nibble_1: Signal<Out, Bits<N>>,
    pub nibble_2: Signal<Out, Bits<N>>,
    pub nibble_3: Signal<Out, Bits<N>>,
    pub kind: Signal<Out, Bits<N>>,
    /// Another protocol than those of UDP is read, too.
    _takes_segments: bool,
    _run: Run,
}

impl<const N: usize, const DATA: usize> Words<N, DATA> {
    pub fn new(takes_segments: bool) -> Self {
        Self {
            _takes_segments: takes_segments,
            ..blank()
        }
    }

    fn body(&self, mut body: Body) -> Body {
        let top = bits("data", DATA - 16, 16);
        body = body
            .register("carried", 16, "The last two bytes of the beat before.")
            .at_clock(when(name("beat"), vec![set("carried", top)]));
        let doc = "The beat's words, the first halves in bits 15 to 0.";
        let words = concat([name("carried"), bits("data", 0, DATA - 16)]);
        body = body.later("words", DATA, doc, words);
        let of_words = |part: &dyn Fn(usize) -> Expression| concat((0..N / 4).map(part));
        for nibble in 0..4 {
            let doc = "The nibbles of the first halves, from the lowest on.";
            let value = of_words(&|word| bits("words", 32 * word + 4 * nibble, 4));
            body = body
                .later(format!("half_{nibble}"), N, doc, value)
                .assign(format!("nibble_{nibble}"), name(format!("half_{nibble}")));
        }
        let kinds = of_words(&|word| {
            let byte = bits("words", 32 * word, 8);
            let next = narrow(byte, self._takes_segments);
            // The offset and the flag of more fragments; the bits between are reserved.
            let offset = bits("words", 32 * word + 16, 8);
            let flags = bits("words", 32 * word + 27, 5);
            let is_part = offset.any() | flags.any() | bit("words", 32 * word + 24);
            concat([next, is_part])
        });
        let doc = "What comes after an extension header; it is of a fragment.";
        body.later("kinds", N, doc, kinds)
            .assign("kind", name("kinds"))
    }
}

/// The three bits of what an IPv6 next-header number says, but hop-by-hop: the lowest two of [`NEXT_BITS`], and whether it is known.
fn narrow(number: Expression, takes_segments: bool) -> Expression {
    let is = |value| number.clone().equals(literal(8, value));
    let (udp, fragment) = (is(17), is(44));
    let tcp = if takes_segments { is(6) } else { zero(1) };
    let extension = is(43) | is(60);
    let known = udp.clone() | fragment.clone() | tcp.clone() | extension.clone();
    // Of what is not known the two bits are set.
    let low = !(extension.clone() | udp.clone());
    let high = !(extension | fragment);
    concat([low, high, known])
}

/// [`NEXT_BITS`] of the three: what is not known is the reason `other_protocol`.
pub fn expand(kind: &str) -> Expression {
    let known = bit(kind, 2);
    concat([bits(kind, 0, 2), known.clone(), known])
}

/// What a number of IPv4's protocol, or of the next header of IPv6's fixed header, says, in [`NEXT_BITS`].
#[derive(Block, Blank, Described)]
pub struct Protocol {
    pub number: Signal<In, Bits<8>>,
    /// The header is IPv6's.
    pub is_6: Signal<In, Bit>,
    pub kind: Signal<Out, Bits<NEXT_BITS>>,
    _takes_segments: bool,
    _run: Run,
}

impl Protocol {
    pub fn new(takes_segments: bool) -> Self {
        Self {
            _takes_segments: takes_segments,
            ..Default::default()
        }
    }

    fn body(&self, body: Body) -> Body {
        let three = narrow(name("number"), self._takes_segments);
        let hop_by_hop = name("number").equals(zero(8)) & name("is_6");
        // IPv4 knows no extension headers.
        let is_read = bit("three", 2) & (name("is_6") | bit("three", 1));
        let known = is_read | hop_by_hop.clone();
        let next = [
            (bit("three", 0) | !known.clone()) & !hop_by_hop.clone(),
            (bit("three", 1) | !known.clone()) & !hop_by_hop,
            known.clone(),
            known,
        ];
        body.wire("three", 3, three).assign("kind", concat(next))
    }
}

/// Four bits of a plane of words: those of one word.
#[derive(Block, Blank, Described)]
pub struct Pick<const N: usize> {
    pub x: Signal<In, Bits<N>>,
    pub word: Signal<In, Bits<4>>,
    pub y: Signal<Out, Bits<4>>,
    _run: Run,
}

impl<const N: usize> Pick<N> {
    fn body(&self, body: Body) -> Body {
        let by = concat([zero(2), bits("word", 0, word_bits(N))]);
        let shifted = name("x").binary(Operator::ShiftRight, by);
        (body.wire("lowered", N, shifted)).assign("y", bits("lowered", 0, 4))
    }
}

/// The word of a beat that a number of words ends in: its lowest bits.
#[derive(Block, Blank, Described)]
pub struct WordOf<const N: usize> {
    pub words: Signal<In, Bits<WORDS_BITS>>,
    pub y: Signal<Out, Bits<4>>,
    _run: Run,
}

impl<const N: usize> WordOf<N> {
    fn body(&self, body: Body) -> Body {
        let word = [bits("words", 0, word_bits(N)), zero(4 - word_bits(N))];
        let parts = word.into_iter().take(if word_bits(N) == 4 { 1 } else { 2 });
        body.assign("y", concat(parts))
    }
}

/// A number of words more.
#[derive(Block, Blank, Described)]
pub struct Further {
    pub word: Signal<In, Bits<4>>,
    /// The header has no length: it is of a fragment.
    pub is_fragment: Signal<In, Bit>,
    /// The header's length in units of eight bytes, the first left out.
    pub length: Signal<In, Bits<8>>,
    /// Bytes of IP's payload from the header on.
    pub rest: Signal<In, Bits<16>>,
    /// Words from the beat's first to what follows the header; the bytes from there on; the header does not fit into these.
    pub words: Signal<Out, Bits<WORDS_BITS>>,
    pub left: Signal<Out, Bits<16>>,
    pub too_long: Signal<Out, Bit>,
    _run: Run,
}

impl Further {
    fn body(&self, body: Body) -> Body {
        let length = name("length") & repeat(8, !name("is_fragment"));
        let begin = concat([name("word"), zero(6)]);
        let words = begin + concat([zero(1), name("units"), zero(1)]) + literal(WORDS_BITS, 2);
        let rest = concat([bits("rest", 3, 13), zero(1)]);
        let left = rest
            .binary(Operator::Sub, concat([name("units"), zero(6)]))
            .binary(Operator::Sub, literal(14, 1));
        body.wire("units", 8, length)
            .assign("words", words)
            .wire("eights", 14, left)
            .assign("left", concat([bits("rest", 0, 3), bits("eights", 0, 13)]))
            .assign("too_long", bit("eights", 13))
    }
}

/// A one-bit net that is set if a number is one of the transport protocols.
pub fn is_transport(next: &str) -> Expression {
    bit(next, 3) & bit(next, 2) & bit(next, 1)
}

/// The same of an extension header.
pub fn is_extension(next: &str) -> Expression {
    bit(next, 3) & bit(next, 2) & !bit(next, 1)
}

/// Whether four bits of a net are a number below five: a header's length in words that cannot be.
pub fn below_five(net: &str, low: usize) -> Expression {
    let [one, two, four, eight] = [0, 1, 2, 3].map(|place| bit(net, low + place));
    !eight & !(four & (one | two))
}
