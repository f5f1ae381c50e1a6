//! A frame as words of four bytes: all headers after the addresses of Ethernet begin two bytes after a multiple of four.
//!
//! Word `w` of a beat is its bytes `4 * w - 2` to `4 * w + 1`; the first half of word 0 is of the beat before. A plane of words has four
//! bits for each, so that it is as wide as a plane of lanes.

use crate::primitives::blank;
use crate::verilog::{
    Body, Expression, Operator, Run, bit, bits, choose, concat, literal, name, repeat, set, when,
    zero,
};
use hdl_macros::{Blank, Block, Described, once};
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

/// The words of each beat, two clocks later: the nibbles of their first halves, the low one first. And what each word says if an extension
/// header begins with it: `numbers` is its next header, four bits for each word as [`numbers`] has them; `parts` is whether a fragment
/// header there is of a part of a datagram, one bit for each word.
#[derive(Block, Blank, Described)]
pub struct Words<const N: usize, const DATA: usize> {
    pub clock: Signal<In, Clock>,
    pub beat: Signal<In, Bit>,
    pub data: Signal<In, Bits<DATA>>,
    /// The lanes with a byte. The others may be undefined; they are read as a length of zero. A frame that ends there is malformed by
    /// IP's own length, whatever else is read.
    pub keep: Signal<In, Bits<N>>,
    pub nibble_0: Signal<Out, Bits<N>>,
    pub nibble_1: Signal<Out, Bits<N>>,
    pub nibble_2: Signal<Out, Bits<N>>,
    pub nibble_3: Signal<Out, Bits<N>>,
    pub numbers: Signal<Out, Bits<N>>,
    pub parts: Signal<Out, Bits<N>>,
    /// TCP is read, too.
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

    #[once(N, DATA, takes_segments: bool = self._takes_segments)]
    fn body(&self, mut body: Body) -> Body {
        let top = bits("data", DATA - 16, 16);
        body = body
            .register("carried", 16, "The last two bytes of the beat before.")
            .at_clock(when(name("beat"), vec![set("carried", top)]));
        let doc = "The beat's words, the first halves in bits 15 to 0.";
        let words = concat([name("carried"), bits("data", 0, DATA - 16)]);
        body = body.later("words", DATA, doc, words);
        let of_words = |part: &dyn Fn(usize) -> Expression| concat((0..N / 4).map(part));
        // The first half of word 0 came with the beat before, which was full.
        let is_there = (1..N / 4).map(|word| bit("keep", 4 * word - 1));
        let doc = "The first halves that are there, from that of the second word on.";
        body = body.later("is_there", N / 4 - 1, doc, concat(is_there));
        for nibble in 0..4 {
            let doc = "The nibbles of the first halves, from the lowest on.";
            let value = of_words(&|word| {
                let value = bits("words", 32 * word + 4 * nibble, 4);
                match word {
                    0 => value,
                    _ => value & repeat(4, bit("is_there", word - 1)),
                }
            });
            body = body
                .later(format!("half_{nibble}"), N, doc, value)
                .assign(format!("nibble_{nibble}"), name(format!("half_{nibble}")));
        }
        let numbers =
            of_words(&|word| concat(numbers(bits("words", 32 * word, 8), takes_segments)));
        let parts = of_words(&|word| {
            // The offset and the flag of more fragments; the bits between are reserved.
            let offset = bits("words", 32 * word + 16, 8);
            let flags = bits("words", 32 * word + 27, 5);
            offset.any() | flags.any() | bit("words", 32 * word + 24)
        });
        let doc =
            "The next header of an extension header there; whether it is of a part of a datagram.";
        body.later("protocols", N, doc, numbers)
            .later("of_parts", N / 4, "", parts)
            .assign("numbers", name("protocols"))
            .assign("parts", concat([name("of_parts"), zero(N - N / 4)]))
    }
}

/// The same in four bits for each word, a clock later: the next header in three bits (see [`expand`]), and the bit of `parts`.
#[derive(Block, Blank, Described)]
pub struct Kinds<const N: usize> {
    pub clock: Signal<In, Clock>,
    pub numbers: Signal<In, Bits<N>>,
    pub parts: Signal<In, Bits<N>>,
    pub y: Signal<Out, Bits<N>>,
    _run: Run,
}

impl<const N: usize> Kinds<N> {
    #[once(N)]
    fn body(&self, body: Body) -> Body {
        let kinds = (0..N / 4).map(|word| {
            let number = [0, 1, 2, 3].map(|of| bit("numbers", 4 * word + of));
            concat([narrow(number), bit("parts", word)])
        });
        let doc = "Both in four bits for each word.";
        (body.later("kinds", N, doc, concat(kinds))).assign("y", name("kinds"))
    }
}

/// Whether an IPv6 next-header number is that of UDP, TCP, a fragment header, or another extension header but hop-by-hop.
fn numbers(number: Expression, takes_segments: bool) -> [Expression; 4] {
    let is = |value| number.clone().equals(literal(8, value));
    let tcp = if takes_segments { is(6) } else { zero(1) };
    [is(17), tcp, is(44), is(43) | is(60)]
}

/// The number in three bits: the lowest two of [`NEXT_BITS`], and whether it is one of these.
fn narrow([udp, tcp, fragment, extension]: [Expression; 4]) -> Expression {
    let known = udp.clone() | tcp | fragment.clone() | extension.clone();
    // Of other numbers the two bits are set.
    let low = !(extension.clone() | udp);
    let high = !(extension | fragment);
    concat([low, high, known])
}

/// Which number IPv4's protocol is, or the next header of IPv6's fixed header: UDP, TCP, a fragment header, another extension header, or
/// hop-by-hop.
#[derive(Block, Blank, Described)]
pub struct Numbers {
    pub number: Signal<In, Bits<8>>,
    pub y: Signal<Out, Bits<5>>,
    _takes_segments: bool,
    _run: Run,
}

impl Numbers {
    pub fn new(takes_segments: bool) -> Self {
        Self {
            _takes_segments: takes_segments,
            ..Default::default()
        }
    }

    fn body(&self, body: Body) -> Body {
        let numbers = numbers(name("number"), self._takes_segments);
        let hop_by_hop = name("number").equals(zero(8));
        body.assign("y", concat(numbers.into_iter().chain([hop_by_hop])))
    }
}

/// [`NEXT_BITS`] from these three bits. Other numbers become the reason `other_protocol`.
pub fn expand(kind: &str) -> Expression {
    let known = bit(kind, 2);
    concat([bits(kind, 0, 2), known.clone(), known])
}

/// What follows IP's header by these bits, in [`NEXT_BITS`].
#[derive(Block, Blank, Described)]
pub struct Protocol {
    pub numbers: Signal<In, Bits<5>>,
    /// The header is IPv6's.
    pub is_6: Signal<In, Bit>,
    pub kind: Signal<Out, Bits<NEXT_BITS>>,
    _run: Run,
}

impl Protocol {
    fn body(&self, body: Body) -> Body {
        let three = narrow([0, 1, 2, 3].map(|of| bit("numbers", of)));
        let hop_by_hop = bit("numbers", 4) & name("is_6");
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

/// Every other word of three planes, the words in which IPv6's extension headers can begin: one plane with `kind` in its lower half and
/// `low` in its upper half, and one with `high` in its lower half.
#[derive(Block, Blank, Described)]
pub struct Pairs<const N: usize> {
    pub kind: Signal<In, Bits<N>>,
    pub low: Signal<In, Bits<N>>,
    pub high: Signal<In, Bits<N>>,
    /// The headers begin in the second word of each pair.
    pub odd: Signal<In, Bit>,
    pub kind_and_low: Signal<Out, Bits<N>>,
    pub high_only: Signal<Out, Bits<N>>,
    _run: Run,
}

impl<const N: usize> Pairs<N> {
    #[once(N)]
    fn body(&self, body: Body) -> Body {
        let half = |plane: &str| {
            let pair = |pair: usize| {
                let [first, second] = [0, 4].map(|low| bits(plane, 8 * pair + low, 4));
                choose(name("odd"), second, first)
            };
            concat((0..N / 8).map(pair).collect::<Vec<_>>())
        };
        body.assign("kind_and_low", concat([half("kind"), half("low")]))
            .assign("high_only", concat([half("high"), zero(N / 2)]))
    }
}

/// Where an extension header ends.
#[derive(Block, Blank, Described)]
pub struct Further {
    /// The word of the beat that is two after the header's first one.
    pub word: Signal<In, Bits<5>>,
    /// The header's length in units of eight bytes, without the first eight.
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
        let least = concat([name("word"), zero(5)]);
        let words = least + concat([zero(1), name("length"), zero(1)]);
        // The difference in units of eight, less one: the bit below borrows it. A sum with the complement would cost a LUT before each carry.
        let rest = concat([zero(1), bits("rest", 3, 13), zero(1)]);
        let left = rest.binary(
            Operator::Sub,
            concat([literal(1, 1), name("length"), zero(6)]),
        );
        body.assign("words", words)
            .wire("eights", 15, left)
            .assign("left", concat([bits("rest", 0, 3), bits("eights", 1, 13)]))
            .assign("too_long", bit("eights", 14))
    }
}

/// Whether a transport header follows.
pub fn is_transport(next: &str) -> Expression {
    bit(next, 3) & bit(next, 2) & bit(next, 1)
}

/// Whether an extension header follows.
pub fn is_extension(next: &str) -> Expression {
    bit(next, 3) & bit(next, 2) & !bit(next, 1)
}

/// Whether four bits of a net are a number below five, which is less than any header of IPv4 and TCP has in words.
pub fn below_five(net: &str, low: usize) -> Expression {
    let [one, two, four, eight] = [0, 1, 2, 3].map(|place| bit(net, low + place));
    !eight & !(four & (one | two))
}
