//! Where each byte goes: its place in the ring, which is how many bytes come before it.
//!
//! A prefix sum over the lengths of a beat's words ([`Sums`]), added to where the beat begins ([`Begins`]), in carry chains of up to seven
//! bits. The beginning is two numbers, one a stage after the other, so that no register is added to and looked at in more than one chain:
//! how many bytes are in the quarter that is being filled, and which quarter that is. A packet's end closes its quarter.
//!
//! # Latency
//! [`sums_latency`] clocks to the sums, and [`LATENCY`] from there; a beat in every clock.
//!
//! # Reset
//! Where the next beat begins, and what is on its way to be added to that.

use super::slots::{MOST_SLOTS, SLOTS};
use crate::decode::dense::ranks::RANK;
use crate::primitives::blank;
use crate::primitives::wires::{Join, Widen};
use crate::verilog::{Body, Expression, Run, bit, bits, concat, name, zero};
use hdl_macros::{Blank, Block, Described, once, stages};
use rust_hdl::prelude::*;

/// Bits of a quarter's number: there are 128 in the ring.
pub const QUARTER_BITS: usize = 7;

/// Clocks from the lengths of words to their sums.
pub const fn sums_latency(lanes: usize) -> usize {
    1 + lanes.ilog2() as usize
}

/// Clocks from the sums to the places.
pub const LATENCY: usize = 6;
/// And to where the beat begins.
pub const BEGINS_LATENCY: usize = 5;

/// Bits of each sum: of up to six bytes a word.
pub const fn sum_bits(lanes: usize) -> usize {
    3 + lanes.ilog2() as usize
}

/// How many bytes a beat's words become, or its bytes, up to each of them and with it: `SUMS` is [`sum_bits`] for each.
#[derive(Blank, Block, Described)]
pub struct Sums<const N: usize, const SUMS: usize> {
    pub clock: Signal<In, Clock>,
    /// Words of one byte, two, three and four, or more. RFC 2279: Words of one byte, two, three, four, five and six, or more.
    pub has_1: Signal<In, Bits<N>>,
    pub has_2: Signal<In, Bits<N>>,
    pub has_3: Signal<In, Bits<N>>,
    pub has_4: Signal<In, Bits<N>>,
    pub has_5: Signal<In, Bits<N>>,
    pub has_6: Signal<In, Bits<N>>,
    pub y: Signal<Out, Bits<SUMS>>,
    /// Of all words.
    pub total: Signal<Out, Bits<RANK>>,
    _has_six: bool,
    _run: Run,
}

impl<const N: usize, const SUMS: usize> Sums<N, SUMS> {
    pub fn new(has_six: bool) -> Self {
        Self {
            _has_six: has_six,
            ..blank()
        }
    }

    #[once(N, SUMS, has_six: bool = self._has_six)]
    fn body(&self, mut body: Body) -> Body {
        const { assert!(SUMS == sum_bits(N) * N) }
        let lengths = (0..N).flat_map(|lane| {
            let [one, two, three, four] =
                ["has_1", "has_2", "has_3", "has_4"].map(|has| bit(has, lane));
            let odd = (one & !two.clone()) | (three & !four.clone());
            let middle = two & !four.clone();
            if !has_six {
                return [odd, middle, four];
            }
            let [five, six] = ["has_5", "has_6"].map(|has| bit(has, lane));
            [odd | (five & !six.clone()), middle | six, four]
        });
        body = body.later(
            "sums_0",
            3 * N,
            "How many bytes each word has.",
            concat(lengths),
        );
        for level in 1..sum_bits(N) - 2 {
            let (before, width) = (format!("sums_{}", level - 1), level + 2);
            let below = 1 << (level - 1);
            let of = |lane: usize| concat([bits(&before, width * lane, width), zero(1)]);
            let sums = (0..N).map(|lane| match lane.checked_sub(below) {
                None => of(lane),
                Some(lower) => of(lane) + of(lower),
            });
            body = body.later(
                format!("sums_{level}"),
                (width + 1) * N,
                "Those of the word and the 1, 3, 7 ones below it, level by level.",
                concat(sums),
            );
        }
        let (sums, width) = (format!("sums_{}", sum_bits(N) - 3), sum_bits(N));
        let total = bits(&sums, SUMS - width, width);
        body.assign("y", name(sums))
            .assign("total", wide(total, width))
    }
}

/// A number of some bits as one of [`RANK`].
fn wide(number: Expression, width: usize) -> Expression {
    match RANK - width {
        0 => number,
        above => concat([number, zero(above)]),
    }
}

stages! {
    /// Where each beat's bytes begin, and which quarters it completes.
    pub block Begins<const N: usize> {
        /// Configuration: bits of the number of a quarter in its round.
        given turn: usize;
        /// The places of a quarter, and a full one.
        given in_quarter: Bits<7> = (N as u64 - 1).into();
        given full: Bits<7> = (N as u64).into();

        in reset: Bit;
        in valid, last: Bit @ 0;
        /// How many bytes the beat has.
        in total: Bits<7> @ 0;

        stage 1 "how many bytes are in the open quarter" {
            let sum: Bits<7> = was(within) + total;
            state within: Bits<7> = if reset {
                0
            } else if valid {
                if last { 0 } else { sum & in_quarter }
            };
            from: Bits<7> = was(within);
            /// The quarters that are completed, and the bytes in the next one.
            wires filled: Quarters<N> = { x: sum } -> Bits<3>;
            fills: Bits<3> = if reset | !valid { 0 } else { filled };
            rest: Bits<7> = sum & in_quarter;
            mark valid: Bit = valid;
            mark ends: Bit = valid & last;
        }

        stage 2 "whether the packet's end completes one more" {
            let has_part: Bit = rest.any() | !fills.any();
            fills: Bits<3> = if reset { 0 } else { fills };
            closes: Bit = if reset { false } else { ends & has_part };
            /// The bytes in a packet's last quarter.
            kept: Bits<7> = if has_part { rest } else { full };
        }

        stage 3 "how many quarters the beat completes" {
            wires one: Join<3> = { x[0]: closes, x[1]: false, x[2]: false };
            count: Bits<3> = if reset { 0 } else { fills + one };
        }

        stage 4 "which quarter is open" {
            wires more: Widen<3, 7> = { x: count } -> Bits<7>;
            state quarter: Bits<7> = if reset { 0 } else { was(quarter) + more };
            first: Bits<7> = was(quarter);
        }

        stage 5 "the place of the first byte, less one to four. \
                 RFC 2279: Stage 5: the place of the first byte, less one to six" {
            wires place: PlaceOf<N>(turn) = { quarter: first, from } -> Bits<7>;
            less_1: Bits<7> = place + 127;
            less_2: Bits<7> = place + 126;
            less_3: Bits<7> = place + 125;
            less_4: Bits<7> = place + 124;
            less_5: Bits<7> = place + 123;
            less_6: Bits<7> = place + 122;
        }

        /// The place of the beat's first byte in the ring, less the slots of a word up to each.
        out less_1: Bits<7> @ 5;
        out less_2: Bits<7> @ 5;
        out less_3: Bits<7> @ 5;
        out less_4: Bits<7> @ 5;
        out less_5: Bits<7> @ 5;
        out less_6: Bits<7> @ 5;
        /// How many quarters it completes, for the credits.
        out counted: Bit = valid @ 3;
        out count: Bits<3> @ 3;
        /// The same for the ring, with the first of them; the packet ends, with that many bytes in the last.
        out first: Bits<7> @ 4;
        out completes: Bits<3> = count @ 4;
        out ends: Bit @ 4;
        out kept: Bits<7> @ 4;
        /// A beat, in step with the places.
        out arrival: Bit = valid @ 6;
    }
}

/// How many whole quarters a number of bytes is.
#[derive(Block, Blank, Described)]
pub struct Quarters<const N: usize> {
    pub x: Signal<In, Bits<RANK>>,
    pub y: Signal<Out, Bits<3>>,
    _run: Run,
}

impl<const N: usize> Quarters<N> {
    fn body(&self, body: Body) -> Body {
        body.assign("y", bits("x", N.ilog2() as usize, 3))
    }
}

/// A place in a round: that of a quarter and that in it.
#[derive(Block, Blank, Described)]
pub struct PlaceOf<const N: usize> {
    pub quarter: Signal<In, Bits<QUARTER_BITS>>,
    pub from: Signal<In, Bits<RANK>>,
    pub y: Signal<Out, Bits<RANK>>,
    _turn: usize,
    _run: Run,
}

impl<const N: usize> PlaceOf<N> {
    pub fn new(turn: usize) -> Self {
        Self {
            _turn: turn,
            ..blank()
        }
    }

    fn body(&self, body: Body) -> Body {
        let levels = N.ilog2() as usize;
        let place = concat([bits("from", 0, levels), bits("quarter", 0, self._turn)]);
        body.assign("y", wide(place, levels + self._turn))
    }
}

/// The place of each slot's byte: how many bytes the words have up to the slot's, added to where the beat begins less the slots of a word
/// from there on. `M` is `4 * N`, or `8 * N`: then the first two slots of each word are never used.
#[derive(Blank, Block, Described)]
pub struct Places<const N: usize, const M: usize, const SUMS: usize> {
    pub clock: Signal<In, Clock>,
    pub sums: Signal<In, Bits<SUMS>>,
    pub less_1: Signal<In, Bits<RANK>>,
    pub less_2: Signal<In, Bits<RANK>>,
    pub less_3: Signal<In, Bits<RANK>>,
    pub less_4: Signal<In, Bits<RANK>>,
    // Of words of five and six bytes.
    pub less_5: Signal<In, Bits<RANK>>,
    pub less_6: Signal<In, Bits<RANK>>,
    /// Bit by bit; those above twice the places are clear.
    #[many(RANK)]
    pub rank: Vec<Signal<Out, Bits<M>>>,
    _run: Run,
}

impl<const N: usize, const M: usize, const SUMS: usize> Places<N, M, SUMS> {
    #[once(N, M)]
    fn body(&self, mut body: Body) -> Body {
        const { assert!(M.is_multiple_of(SLOTS * N) && SUMS == sum_bits(N) * N) }
        let (slots, of_sum) = (M / N, sum_bits(N));
        let used = slots.min(MOST_SLOTS);
        // One more than a place in the ring's round has.
        let width = M.ilog2() as usize + 1;
        let mut doc = "The places of the words' last bytes, and of the ones before them.";
        for slot in 1..=used {
            let begins = bits(format!("less_{slot}"), 0, width);
            let places = (0..N).map(|lane| {
                let sum = bits("sums", of_sum * lane, of_sum);
                let sum = match width - of_sum {
                    0 => sum,
                    above => concat([sum, zero(above)]),
                };
                sum + begins.clone()
            });
            body = body.later(
                format!("places_{slot}"),
                width * N,
                std::mem::take(&mut doc),
                concat(places),
            );
        }
        for index in 0..RANK {
            let plane = (0..M).map(|lane| {
                let places = format!("places_{}", (slots - lane % slots).min(used));
                bit(places, width * (lane / slots) + index)
            });
            let rank = match index < width {
                true => concat(plane),
                false => zero(M),
            };
            body = body.assign(format!("rank${index}"), rank);
        }
        body
    }
}
