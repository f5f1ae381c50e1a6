//! Ethernet's type, and the header of IP.

use super::head::{FROM, HEAD_BITS, Head, beat_of_head};
use super::types::{AfterTags, Halves, TAG, Types};
use super::words::{Kinds, NEXT_BITS, Numbers, Pairs, Protocol, WORDS_BITS, Words, below_five};
use crate::layout::{REASON_BITS, reason};
use crate::primitives::wires::Lane;
use crate::verilog::{
    Body, Expression, Operator, Run, bit, bits, concat, literal, name, repeat, zero,
};
use hdl_macros::{Blank, Block, Described, once, stages};
use rust_hdl::prelude::*;

/// Clocks from a beat to what follows the header of IP.
pub const LATENCY: usize = 9;
/// Bits of a position in a frame, from a beat on: what IPv4 or IPv6 can have, and the headers before it.
pub const POSITION_BITS: usize = 17;
/// Where IP's header begins without a tag, and the bytes of IPv6's.
const IP: usize = 14;
const IPV6: usize = 40;

/// Big-endian, from a byte of the head.
fn word(at: usize) -> Expression {
    concat([
        bits("bytes", 8 * (at + 1 - FROM), 8),
        bits("bytes", 8 * (at - FROM), 8),
    ])
}

/// The parts of IP's header that are looked at, after as many tags as there are, and what follows from these and the version.
#[derive(Block, Blank, Described)]
pub struct Fields<const N: usize> {
    pub bytes: Signal<In, Bits<HEAD_BITS>>,
    /// There is a header of IPv4, or of IPv6, after no tag, one and two.
    pub ipv4: Signal<In, Bits<3>>,
    pub ipv6: Signal<In, Bits<3>>,
    /// IPv4's flag of more fragments and its offset, any of them, after no tag, one and two.
    pub parts: Signal<In, Bits<3>>,
    /// The version; IPv4's header length in words.
    pub version: Signal<Out, Bits<4>>,
    pub words: Signal<Out, Bits<4>>,
    /// IPv4's total length, or IPv6's of the payload; the protocol; IPv4's header is of a fragment.
    pub length: Signal<Out, Bits<16>>,
    pub protocol: Signal<Out, Bits<8>>,
    pub is_part: Signal<Out, Bit>,
    /// From the first lane of the beat with the end of the head, without these lengths: the last byte of the whole, and the word after the
    /// header. They may be below zero; with the lengths they are not.
    pub last_byte: Signal<Out, Bits<POSITION_BITS>>,
    pub next_word: Signal<Out, Bits<WORDS_BITS>>,
    _run: Run,
}

impl<const N: usize> Fields<N> {
    #[once(N)]
    fn body(&self, body: Body) -> Body {
        // What each header has, of those that there may be.
        let of = |width: usize, version: &str, value: &dyn Fn(usize) -> Expression| {
            let one = |tags: usize| value(IP + TAG * tags) & repeat(width, bit(version, tags));
            Expression::join(Operator::Or, (0..3).map(one)).expect("there are three")
        };
        let either =
            |width, ipv4: &dyn Fn(usize) -> Expression, ipv6: &dyn Fn(usize) -> Expression| {
                of(width, "ipv4", ipv4) | of(width, "ipv6", ipv6)
            };
        let byte = |at: usize| bits("bytes", 8 * (at - FROM), 8);
        let version = |at: usize| bits("bytes", 8 * (at - FROM) + 4, 4);
        let before = beat_of_head(N) * N;
        let position = |bytes: usize| {
            let bytes = (bytes + (1 << POSITION_BITS) - before - 1) % (1 << POSITION_BITS);
            literal(POSITION_BITS, bytes as u64)
        };
        let words = |bytes: usize| {
            let words = ((bytes + 2) / 4 + (1 << WORDS_BITS) - before / 4) % (1 << WORDS_BITS);
            literal(WORDS_BITS, words as u64)
        };
        body.assign("version", either(4, &version, &version))
            .assign(
                "words",
                of(4, "ipv4", &|at| bits("bytes", 8 * (at - FROM), 4)),
            )
            .assign("length", either(16, &|at| word(at + 2), &|at| word(at + 4)))
            .assign(
                "protocol",
                either(8, &|at| byte(at + 9), &|at| byte(at + 6)),
            )
            .assign(
                "is_part",
                of(1, "ipv4", &|at| bit("parts", (at - IP) / TAG)),
            )
            .assign(
                "last_byte",
                either(POSITION_BITS, &position, &|at| position(at + IPV6)),
            )
            .assign(
                "next_word",
                either(WORDS_BITS, &words, &|at| words(at + IPV6)),
            )
    }
}

/// Whether IPv4's header is of a fragment, after no tag, one and two.
#[derive(Block, Blank, Described)]
pub struct Parts {
    pub bytes: Signal<In, Bits<HEAD_BITS>>,
    pub y: Signal<Out, Bits<3>>,
    _run: Run,
}

impl Parts {
    fn body(&self, body: Body) -> Body {
        let parts = (0..3).map(|tags| {
            let at = 8 * (IP + TAG * tags + 6 - FROM);
            bits("bytes", at, 6).any() | bits("bytes", at + 8, 8).any()
        });
        body.assign("y", concat(parts))
    }
}

/// What IP's header comes to.
#[derive(Block, Blank, Described)]
pub struct Internet {
    pub version: Signal<In, Bits<4>>,
    pub words: Signal<In, Bits<4>>,
    pub length: Signal<In, Bits<16>>,
    pub ends_at: Signal<In, Bits<POSITION_BITS>>,
    pub begins_at: Signal<In, Bits<WORDS_BITS>>,
    /// The version is that of IPv4; of IPv6. IPv4's header is too short; it is longer than the whole. The length is 0.
    pub is_4: Signal<Out, Bit>,
    pub is_6: Signal<Out, Bit>,
    pub is_short: Signal<Out, Bit>,
    pub too_long: Signal<Out, Bit>,
    pub is_empty: Signal<Out, Bit>,
    /// The bytes of its payload; the last byte of the whole, and the word after the header.
    pub rest: Signal<Out, Bits<16>>,
    pub last_byte: Signal<Out, Bits<POSITION_BITS>>,
    pub next_word: Signal<Out, Bits<WORDS_BITS>>,
    _run: Run,
}

impl Internet {
    fn body(&self, body: Body) -> Body {
        let header = concat([zero(2), name("words"), zero(11)]);
        let left = concat([name("length"), zero(1)]).binary(Operator::Sub, header);
        let further = concat([name("words"), zero(WORDS_BITS - 4)]);
        body.assign("is_4", name("version").equals(literal(4, 4)))
            .assign("is_6", name("version").equals(literal(4, 6)))
            .assign("is_short", below_five("words", 0))
            .wire("left", 17, left)
            .assign("too_long", bit("left", 16))
            .assign("is_empty", !name("length").any())
            .assign("rest", bits("left", 0, 16))
            .assign(
                "last_byte",
                concat([name("length"), zero(1)]) + name("ends_at"),
            )
            .assign("next_word", further + name("begins_at"))
    }
}

stages! {
    /// The headers of Ethernet and of IP: what follows them, and where the whole ends. A beat in every clock.
    pub block Network<const N: usize, const DATA: usize> {
        given takes_segments: bool;
        /// Why a packet is not judged.
        given of_many_tags: Bits<NEXT_BITS> = reason::TOO_DEEP.into();
        given of_no_ip: Bits<NEXT_BITS> = reason::NOT_IP.into();
        given of_no_sense: Bits<NEXT_BITS> = reason::MALFORMED.into();
        given of_a_part: Bits<NEXT_BITS> = reason::IP_FRAGMENT.into();
        in reset: Bit;
        /// A beat enters in this clock.
        in valid: Bit;
        in data: Bits<DATA>;
        in keep;
        in last: Bit;

        always {
            wires lowest: Lane<N>(0) = { x: keep };
            /// A null beat is dropped. `tkeep` is contiguous, so lane 0 alone says whether the beat has a byte.
            let comes: Bit = valid & (last | lowest);
        }

        stage 0 "the input register" {
            mark valid: Bit = comes;
            last: Bit = last;
            data: Bits<DATA> = data;
            keep = keep;
            /// No beat of the packet has come yet.
            state begins: Bit = if reset { true } else if comes { last };
            starts: Bit = was(begins);
        }

        stage 1 "the first bytes of the frame" {
            part head: Head<N, DATA> = { beat: valid, starts, last, data, keep };
        }

        stage 2 "the halves of Ethernet's types" {
            let bytes: Bits<HEAD_BITS> = head.bytes;
            let has: Bits<4> = head.has;
            mark decides: Bit = head.decides;
            wires halves: Halves = { bytes };
            high: Bits<15> = halves.high;
            low: Bits<9> = halves.low;
            wires part_of: Parts = { bytes } -> Bits<3>;
            parts: Bits<3> = part_of;
            part words: Words<N, DATA>(takes_segments) = {
                beat: valid.at(0), data: data.at(0), keep: keep.at(0),
            };
        }

        stage 3 "the types" {
            let nibble_0 = words.nibble_0;
            let nibble_1 = words.nibble_1;
            let nibble_2 = words.nibble_2;
            let nibble_3 = words.nibble_3;
            part kinds: Kinds<N> = { numbers: words.numbers, parts: words.parts };
            mark decides: Bit = decides;
            wires types: Types = { high, low, has };
            tag: Bits<3> = types.tag;
            ipv4: Bits<3> = types.ipv4;
            ipv6: Bits<3> = types.ipv6;
        }

        stage 4 "what is after the tags" {
            mark decides: Bit = decides;
            too_deep: Bit = tag.all();
            wires after_4: AfterTags = { tag, x: ipv4 } -> Bits<3>;
            wires after_6: AfterTags = { tag, x: ipv6 } -> Bits<3>;
            ipv4: Bits<3> = after_4;
            ipv6: Bits<3> = after_6;
        }

        stage 5 "the fields of the header of IP" {
            mark decides: Bit = decides;
            wires fields: Fields<N> = { bytes, ipv4, ipv6, parts };
            version: Bits<4> = fields.version;
            header: Bits<4> = fields.words;
            length: Bits<16> = fields.length;
            protocol: Bits<8> = fields.protocol;
            is_part: Bit = fields.is_part;
            last_byte: Bits<POSITION_BITS> = fields.last_byte;
            words_to: Bits<WORDS_BITS> = fields.next_word;
            is_4: Bit = ipv4.any();
            is_6: Bit = ipv6.any();
            /// IPv6's extension headers begin in the second word of each pair.
            state odd: Bit = if decides { ipv6.get_bit(1) };
        }

        stage 6 "what they come to" {
            mark decides: Bit = decides;
            wires internet: Internet = {
                version, words: header, length, ends_at: last_byte, begins_at: words_to,
            };
            wires number: Numbers(takes_segments) = { number: protocol } -> Bits<5>;
            numbers: Bits<5> = number;
            wrong_4: Bit = is_4 & (!internet.is_4 | internet.is_short);
            wrong_6: Bit = is_6 & (!internet.is_6 | internet.is_empty);
            too_long: Bit = internet.too_long;
            rest: Bits<16> = internet.rest;
            last_byte: Bits<POSITION_BITS> = internet.last_byte;
            words_to: Bits<WORDS_BITS> = internet.next_word;
            wires pairs: Pairs<N> = { kind: kinds, low: nibble_2, high: nibble_3, odd };
            pairs_0 = pairs.kind_and_low;
            pairs_1 = pairs.high_only;
        }

        stage 7 "whether that makes sense" {
            mark decides: Bit = decides;
            is_ip: Bit = is_4 | is_6;
            wires protocol_is: Protocol = { numbers, is_6 };
            next_is: Bits<NEXT_BITS> = protocol_is.kind;
            wrong: Bit = wrong_4 | wrong_6 | too_long | !has.get_bit(3);
        }

        stage 8 "what follows the header" {
            mark found: Bit = decides;
            /// The length of the whole can be looked at.
            is_whole: Bit = is_ip & !wrong;
            kind: Bits<NEXT_BITS> = if too_deep { of_many_tags } else if !is_ip { of_no_ip }
                else if wrong { of_no_sense } else if is_part { of_a_part } else { next_is };
        }

        /// The beat, which is its frame's first or last.
        out next_valid: Bit = valid @ 8;
        out next_starts: Bit = starts @ 8;
        out next_last: Bit = last @ 8;
        out next_keep = keep @ 8;
        /// The beat's bytes in the input register.
        out whole_data: Bits<DATA> = data @ 0;
        out whole_keep = keep @ 0;
        /// As of [`super::extension::Extension`].
        out next_found: Bit = found @ 8;
        out next_kind: Bits<NEXT_BITS> = kind @ 8;
        out next_distance: Bits<WORDS_BITS> = words_to @ 8;
        out next_rest: Bits<16> = rest @ 8;
        out next_nibble_0 = nibble_0 @ 8;
        out next_nibble_1 = nibble_1 @ 8;
        out next_nibble_2 = nibble_2 @ 8;
        out next_nibble_3 = nibble_3 @ 8;
        out next_pairs_0 = pairs_0 @ 8;
        out next_pairs_1 = pairs_1 @ 8;
        /// The header of IP is whole, and the last byte that it says there is, from the beat on.
        out ip: Bit = is_whole @ 8;
        out ip_last: Bits<POSITION_BITS> = last_byte @ 8;
    }
}

const _: () = assert!(NEXT_BITS == REASON_BITS);
