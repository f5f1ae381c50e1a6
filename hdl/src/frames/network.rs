//! Ethernet's type, and the header of IP.

use super::head::{FROM, HEAD_BITS, Head, beat_of_head};
use super::words::{NEXT_BITS, Protocol, WORDS_BITS, Words, below_five};
use crate::layout::{REASON_BITS, reason};
use crate::primitives::wires::Lane;
use crate::verilog::{
    Body, Expression, Operator, Run, bit, bits, choose, concat, literal, name, zero,
};
use hdl_macros::{Blank, Block, Described, stages};
use rust_hdl::prelude::*;

/// Clocks from a beat to what follows the header of IP.
pub const LATENCY: usize = 7;
/// Bits of a position in a frame, from a beat on: what IPv4 or IPv6 can have, and the headers before it.
pub const POSITION_BITS: usize = 17;
/// Bits of a tag in bytes, and where IP's header begins without one.
const TAG: usize = 4;
const IP: usize = 14;

/// Big-endian, from a byte of the head.
fn word(at: usize) -> Expression {
    concat([
        bits("bytes", 8 * (at + 1 - FROM), 8),
        bits("bytes", 8 * (at - FROM), 8),
    ])
}

/// What Ethernet's types may be: in each place whether it is a tag, IPv4 or IPv6.
#[derive(Block, Blank, Described)]
pub struct Types {
    pub bytes: Signal<In, Bits<HEAD_BITS>>,
    /// Which of them have come.
    pub has: Signal<In, Bits<4>>,
    pub tag: Signal<Out, Bits<3>>,
    pub ipv4: Signal<Out, Bits<3>>,
    pub ipv6: Signal<Out, Bits<3>>,
    _run: Run,
}

impl Types {
    fn body(&self, body: Body) -> Body {
        let each = |values: &[u64]| {
            concat((0..3).map(|place| {
                let is = |value: &u64| word(12 + TAG * place).equals(literal(16, *value));
                let any = values.iter().map(is).reduce(|any, one| any | one);
                bit("has", place) & any.expect("there is one")
            }))
        };
        body.assign("tag", each(&[0x8100, 0x88A8, 0x9100]))
            .assign("ipv4", each(&[0x0800]))
            .assign("ipv6", each(&[0x86DD]))
    }
}

/// The parts of IP's header that are looked at, after as many tags as there are.
#[derive(Block, Blank, Described)]
pub struct Fields {
    pub bytes: Signal<In, Bits<HEAD_BITS>>,
    /// There are one or more tags, and two.
    pub has_tag: Signal<In, Bit>,
    pub has_two: Signal<In, Bit>,
    pub is_6: Signal<In, Bit>,
    /// IPv4's flag of more fragments and its offset, any of them, after no tag, one and two.
    pub parts: Signal<In, Bits<3>>,
    /// The first byte; IPv4's total length, or IPv6's of the payload; the protocol.
    pub first: Signal<Out, Bits<8>>,
    pub length: Signal<Out, Bits<16>>,
    pub protocol: Signal<Out, Bits<8>>,
    pub is_part: Signal<Out, Bit>,
    _run: Run,
}

impl Fields {
    fn body(&self, body: Body) -> Body {
        let after = |of: &dyn Fn(usize) -> Expression| {
            let [none, one, two] = [0, 1, 2].map(|tags| of(IP + TAG * tags));
            choose(name("has_two"), two, choose(name("has_tag"), one, none))
        };
        let byte = |at: usize| bits("bytes", 8 * (at - FROM), 8);
        let lengths = after(&|at| choose(name("is_6"), word(at + 4), word(at + 2)));
        let protocols = after(&|at| choose(name("is_6"), byte(at + 6), byte(at + 9)));
        let part = |at: usize| bit("parts", (at - IP) / TAG);
        body.assign("first", after(&byte))
            .assign("length", lengths)
            .assign("protocol", protocols)
            .assign("is_part", after(&part))
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
pub struct Internet<const N: usize> {
    pub has_tag: Signal<In, Bit>,
    pub has_two: Signal<In, Bit>,
    pub is_6: Signal<In, Bit>,
    pub first: Signal<In, Bits<8>>,
    pub length: Signal<In, Bits<16>>,
    /// Something in it cannot be.
    pub is_wrong: Signal<Out, Bit>,
    /// The bytes of its payload; the header does not fit into the whole.
    pub rest: Signal<Out, Bits<16>>,
    pub too_long: Signal<Out, Bit>,
    /// From the first lane of the beat with the end of the head: the last byte of the whole, and the word after the header.
    pub last_byte: Signal<Out, Bits<POSITION_BITS>>,
    pub next_word: Signal<Out, Bits<WORDS_BITS>>,
    _run: Run,
}

impl<const N: usize> Internet<N> {
    fn body(&self, body: Body) -> Body {
        let before = beat_of_head(N) * N;
        let tags = |of: &dyn Fn(usize) -> Expression| {
            let [none, one, two] = [0, 1, 2].map(|tags| of(TAG * tags));
            choose(name("has_two"), two, choose(name("has_tag"), one, none))
        };
        // Where the whole ends without its length, and where the words of the next header begin without IPv4's. They may be below zero, the
        // sums are not.
        let position = |bytes: usize| {
            let bytes = (bytes + (1 << POSITION_BITS) - before - 1) % (1 << POSITION_BITS);
            literal(POSITION_BITS, bytes as u64)
        };
        let words = |bytes: usize| {
            let words = ((bytes + 2) / 4 + (1 << WORDS_BITS) - before / 4) % (1 << WORDS_BITS);
            literal(WORDS_BITS, words as u64)
        };
        let of = |ipv4: Expression, ipv6: Expression| choose(name("is_6"), ipv6, ipv4);
        let end = tags(&|more| of(position(IP + more), position(IP + more + 40)));
        let next = tags(&|more| of(words(IP + more), words(IP + more + 40)));
        // IPv4's header length in words, in the low nibble of the first byte.
        let ihl = || bits("first", 0, 4);
        let long = concat([ihl(), zero(WORDS_BITS - 4)]);
        let long = choose(name("is_6"), zero(WORDS_BITS), long);
        let bytes = concat([zero(2), ihl(), zero(11)]);
        let bytes = choose(name("is_6"), zero(17), bytes);
        let left = concat([name("length"), zero(1)]).binary(Operator::Sub, bytes);
        let version = bits("first", 4, 4);
        let is_short = below_five("first", 0);
        let wrong_4 = !version.clone().equals(literal(4, 4)) | is_short;
        let wrong_6 = !version.equals(literal(4, 6)) | !name("length").any();
        body.assign("is_wrong", of(wrong_4, wrong_6))
            .wire("left", 17, left)
            .assign("rest", bits("left", 0, 16))
            .assign("too_long", bit("left", 16))
            .assign("last_byte", concat([name("length"), zero(1)]) + end)
            .assign("next_word", long + next)
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
            /// A beat that has no byte and ends no packet is no beat; what has one has one in lane 0.
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

        stage 2 "types of Ethernet" {
            let bytes: Bits<HEAD_BITS> = head.bytes;
            let has: Bits<4> = head.has;
            mark decides: Bit = head.decides;
            wires types: Types = { bytes, has };
            tag: Bits<3> = types.tag;
            ipv4: Bits<3> = types.ipv4;
            ipv6: Bits<3> = types.ipv6;
            wires part_of: Parts = { bytes } -> Bits<3>;
            parts: Bits<3> = part_of;
            part words: Words<N, DATA>(takes_segments) = {
                beat: valid.at(0), data: data.at(0),
            };
        }

        stage 3 "how many tags, and what is after them" {
            let nibble_0 = words.nibble_0;
            let nibble_1 = words.nibble_1;
            let nibble_2 = words.nibble_2;
            let nibble_3 = words.nibble_3;
            let kinds = words.kind;
            mark decides: Bit = decides;
            has_tag: Bit = tag.get_bit(0);
            has_two: Bit = tag.get_bit(0) & tag.get_bit(1);
            too_deep: Bit = tag.all();
            is_4: Bit = if !tag.get_bit(0) { ipv4.get_bit(0) }
                else if !tag.get_bit(1) { ipv4.get_bit(1) } else { ipv4.get_bit(2) };
            is_6: Bit = if !tag.get_bit(0) { ipv6.get_bit(0) }
                else if !tag.get_bit(1) { ipv6.get_bit(1) } else { ipv6.get_bit(2) };
        }

        stage 4 "the fields of the header of IP" {
            mark decides: Bit = decides;
            wires fields: Fields = { bytes, has_tag, has_two, is_6, parts };
            first: Bits<8> = fields.first;
            length: Bits<16> = fields.length;
            protocol: Bits<8> = fields.protocol;
            is_part: Bit = fields.is_part & !is_6;
        }

        stage 5 "what they come to" {
            mark decides: Bit = decides;
            wires internet: Internet<N> = { has_tag, has_two, is_6, first, length };
            wires protocols: Protocol(takes_segments) = { number: protocol, is_6 };
            next_is: Bits<NEXT_BITS> = protocols.kind;
            wrong: Bit = internet.is_wrong | internet.too_long | !has.get_bit(3);
            rest: Bits<16> = internet.rest;
            last_byte: Bits<POSITION_BITS> = internet.last_byte;
            words_to: Bits<WORDS_BITS> = internet.next_word;
        }

        stage 6 "what follows the header" {
            mark found: Bit = decides;
            /// The length of the whole can be looked at.
            is_ip: Bit = (is_4 | is_6) & !wrong;
            kind: Bits<NEXT_BITS> = if too_deep { of_many_tags }
                else if !(is_4 | is_6) { of_no_ip }
                else if wrong { of_no_sense }
                else if is_part { of_a_part } else { next_is };
        }

        /// The beat, which is its frame's first or last.
        out next_valid: Bit = valid @ 6;
        out next_starts: Bit = starts @ 6;
        out next_last: Bit = last @ 6;
        out next_keep = keep @ 6;
        /// As of [`super::extension::Extension`].
        out next_found: Bit = found @ 6;
        out next_kind: Bits<NEXT_BITS> = kind @ 6;
        out next_distance: Bits<WORDS_BITS> = words_to @ 6;
        out next_rest: Bits<16> = rest @ 6;
        out next_nibble_0 = nibble_0 @ 6;
        out next_nibble_1 = nibble_1 @ 6;
        out next_nibble_2 = nibble_2 @ 6;
        out next_nibble_3 = nibble_3 @ 6;
        out next_kinds = kinds @ 6;
        /// The header of IP is whole, and the last byte that it says there is, from the beat on.
        out ip: Bit = is_ip @ 6;
        out ip_last: Bits<POSITION_BITS> = last_byte @ 6;
    }
}

const _: () = assert!(NEXT_BITS == REASON_BITS);
