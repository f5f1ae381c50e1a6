//! The header of UDP or TCP: where the text begins and ends.
//!
//! # Latency
//! [`LATENCY`] clocks, a beat in every clock.
//!
//! # Reset
//! What marks beats.

use super::extension::IsExtension;
use super::network::POSITION_BITS;
use super::pick::{HotWord, JoinFours, PickOfFour, big_endian};
use super::words::{NEXT_BITS, WORDS_BITS, below_five, is_transport, word_bits};
use crate::layout::reason;
use crate::verilog::{Body, Operator, Run, bit, bits, choose, concat, literal, name, repeat, zero};
use crate::window::countdown::Countdown;
use hdl_macros::{Blank, Block, Described, stages};
use rust_hdl::prelude::*;

/// Clocks from what follows IP's headers to the text.
pub const LATENCY: usize = 8;

/// Whether a header of a transport protocol follows, of TCP, and how far the word is that has its length: in UDP the second, in TCP the
/// fourth.
#[derive(Block, Blank, Described)]
pub struct Kind {
    pub kind: Signal<In, Bits<NEXT_BITS>>,
    pub distance: Signal<In, Bits<WORDS_BITS>>,
    pub is_transport: Signal<Out, Bit>,
    pub is_tcp: Signal<Out, Bit>,
    pub y: Signal<Out, Bits<WORDS_BITS>>,
    _run: Run,
}

impl Kind {
    fn body(&self, body: Body) -> Body {
        let more = concat([literal(1, 1), bit("kind", 0), zero(WORDS_BITS - 2)]);
        body.assign("is_transport", is_transport("kind"))
            .assign("is_tcp", bit("kind", 0))
            .assign("y", name("distance") + more)
    }
}

/// The lengths in a transport header.
#[derive(Block, Blank, Described)]
pub struct Lengths {
    pub is_tcp: Signal<In, Bit>,
    /// The first half of the word with its length, first byte low.
    pub half: Signal<In, Bits<16>>,
    /// The bytes of IP's payload.
    pub rest: Signal<In, Bits<16>>,
    /// The bytes of the header and of what is after it; the words of the header; the words from this one to the text.
    pub whole: Signal<Out, Bits<16>>,
    pub header: Signal<Out, Bits<4>>,
    pub to_text: Signal<Out, Bits<4>>,
    /// For UDP: its length is more than there is. For TCP: its header is too short.
    pub is_over: Signal<Out, Bit>,
    pub is_short: Signal<Out, Bit>,
    _run: Run,
}

impl Lengths {
    fn body(&self, body: Body) -> Body {
        let tcp = |tcp, udp| choose(name("is_tcp"), tcp, udp);
        let udp_length = || big_endian("half");
        let spare =
            concat([name("rest"), zero(1)]).binary(Operator::Sub, concat([udp_length(), zero(1)]));
        // UDP's text begins with the next word, TCP's where its header ends, whose fourth word this is; each at its third byte's lane. Of TCP's
        // offset 4 comes off: it is at least 5.
        let [low_bits, two, three] = [bits("half", 4, 2), bit("half", 6), bit("half", 7)];
        let less_four = concat([low_bits, !two.clone(), three & two]);
        body.assign("whole", tcp(name("rest"), udp_length()))
            .assign("header", tcp(bits("half", 4, 4), literal(4, 2)))
            .assign("to_text", less_four & repeat(4, name("is_tcp")))
            .wire("spare", 17, spare)
            .assign("is_over", bit("spare", 16))
            .assign("is_short", below_five("half", 4) & name("is_tcp"))
    }
}

/// Where a text begins, and its bytes.
#[derive(Block, Blank, Described)]
pub struct After {
    pub whole: Signal<In, Bits<16>>,
    pub header: Signal<In, Bits<4>>,
    /// Which word of the beat has the length, and the words from there to the text.
    pub word: Signal<In, Bits<4>>,
    pub to_text: Signal<In, Bits<4>>,
    /// The first lane of the text, from that of the beat on.
    pub first: Signal<Out, Bits<8>>,
    pub bytes: Signal<Out, Bits<16>>,
    /// The whole is less than the header.
    pub is_negative: Signal<Out, Bit>,
    _run: Run,
}

impl After {
    fn body(&self, body: Body) -> Body {
        let header = concat([zero(2), name("header"), zero(11)]);
        let text = concat([name("whole"), zero(1)]).binary(Operator::Sub, header);
        let words = concat([name("word"), zero(2)]) + concat([name("to_text"), zero(2)]);
        body.wire("text", 17, text)
            .wire("words", 6, words)
            .assign("first", concat([literal(2, 2), name("words")]))
            .assign("bytes", bits("text", 0, 16))
            .assign("is_negative", bit("text", 16))
    }
}

/// Where the text ends, and why there is none.
#[derive(Block, Blank, Described)]
pub struct Text {
    pub first: Signal<In, Bits<8>>,
    pub bytes: Signal<In, Bits<16>>,
    pub from: Signal<Out, Bits<POSITION_BITS>>,
    pub past: Signal<Out, Bits<POSITION_BITS>>,
    _run: Run,
}

impl Text {
    fn body(&self, body: Body) -> Body {
        let first = || concat([name("first"), zero(POSITION_BITS - 8)]);
        let bytes = concat([name("bytes"), zero(POSITION_BITS - 16)]);
        body.assign("from", first()).assign("past", first() + bytes)
    }
}

stages! {
    /// Reads a transport header: the text's place, from the beat on in which it is known; or why there is none.
    pub block Transport<const N: usize> {
        /// Why a packet is not judged.
        given of_many_headers: Bits<NEXT_BITS> = reason::TOO_DEEP.into();
        given of_no_sense: Bits<NEXT_BITS> = reason::MALFORMED.into();
        given of_no_text: Bits<NEXT_BITS> = reason::NO_PAYLOAD.into();
        given of_ports: Bits<NEXT_BITS> = reason::PORT.into();
        in reset: Bit;
        /// As of [`super::extension::Extension`].
        in valid, starts: Bit @ 0;
        in found: Bit @ 0;
        in kind: Bits<NEXT_BITS> @ 0;
        in distance: Bits<WORDS_BITS> @ 0;
        in rest: Bits<16> @ 0;
        in too_long: Bit @ 0;
        /// The beat's words: the nibbles of their first halves.
        in nibble_0, nibble_1, nibble_2, nibble_3 @ 0;
        /// The packet's ports are judged.
        in of_judged_ports: Bit @ 7;

        stage 1 "which word has a length" {
            mark valid: Bit = valid;
            starts: Bit = starts;
            mark found: Bit = found;
            wires which: Kind = { kind, distance };
            distance: Bits<WORDS_BITS> = which.y;
            is_tcp: Bit = which.is_tcp;
            is_read: Bit = which.is_transport & !too_long;
            wires is_one: IsExtension = { x: kind } -> Bit;
            /// More extension headers than are read.
            why: Bits<NEXT_BITS> = if too_long { of_no_sense } else if is_one { of_many_headers }
                else { kind };
        }

        stage 2 "the beats up to it" {
            mark valid: Bit = valid;
            part left: Countdown<WORDS_BITS>(word_bits(N)) = {
                beat: valid, loads: found, position: distance,
            } -> Bits<WORDS_BITS>;
            state waits: Bit = if found { is_read } else if valid & starts { false };
            state is_tcp: Bit = if found { is_tcp };
            state rest: Bits<16> = if found { rest };
            wires words: HotWord<N> = { words: distance };
            state hot: Bits<16> = if found { words.hot };
            state word: Bits<4> = if found { words.word };
            /// The packet is not judged.
            mark stops: Bit = found & !is_read;
        }

        stage 3 "the word of each four" {
            wires of_four: PickOfFour<N> = {
                nibble_0, nibble_1, nibble_2, nibble_3, hot,
            } -> Bits<64>;
            chosen: Bits<64> = of_four;
            mark here: Bit = valid & waits & left.is_here;
            mark stops: Bit = stops;
        }

        stage 4 "the word" {
            wires joined: JoinFours = { x: chosen } -> Bits<16>;
            half: Bits<16> = joined;
            mark here: Bit = here;
            mark stops: Bit = stops;
        }

        stage 5 "the lengths" {
            mark here: Bit = here;
            mark stops: Bit = stops;
            wires lengths: Lengths = { is_tcp, half, rest };
            whole: Bits<16> = lengths.whole;
            header: Bits<4> = lengths.header;
            to_text: Bits<4> = lengths.to_text;
            over: Bit = lengths.is_over;
            short: Bit = lengths.is_short;
        }

        stage 6 "the bytes of the text" {
            mark here: Bit = here;
            mark stops: Bit = stops;
            wires after: After = { whole, header, word, to_text };
            first: Bits<8> = after.first;
            bytes: Bits<16> = after.bytes;
            negative: Bit = after.is_negative;
        }

        stage 7 "where it begins and ends" {
            mark here: Bit = here;
            mark stops: Bit = stops;
            wires text: Text = { first, bytes };
            begin_at: Bits<POSITION_BITS> = text.from;
            end_at: Bits<POSITION_BITS> = text.past;
            empty: Bit = !bytes.any();
            wrong: Bit = (over & !is_tcp) | short | negative;
        }

        stage 8 "the text, or why there is none" {
            mark knows: Bit = here | stops;
            /// The beat is its frame's first, or with it the text is known.
            loads: Bit = here | stops | starts;
            has: Bit = here & !wrong & !empty & of_judged_ports;
            why: Bits<NEXT_BITS> = if stops { why } else if wrong { of_no_sense }
                else if !of_judged_ports { of_ports }
                else if empty { of_no_text } else { 0 };
        }

        /// A beat, a clock before what is known of it; and in step with that.
        out soon_valid: Bit = valid @ 7;
        /// A beat is there; it is its frame's first.
        out out_valid: Bit = valid @ 8;
        out out_starts: Bit = starts @ 8;
        out loads: Bit = loads @ 8;
        /// Once in each frame: whether it has a text, from which position of the beat up to which; or why it has none.
        out known: Bit = knows @ 8;
        out has_text: Bit = has @ 8;
        out text_first: Bits<POSITION_BITS> = begin_at @ 8;
        out text_end: Bits<POSITION_BITS> = end_at @ 8;
        out reason: Bits<NEXT_BITS> = why @ 8;
    }
}
