//! How many events come before each: a prefix sum over the lanes, and what is left of the beats before.
//!
//! Every adder takes a bit a clock, so that no path is longer than one full adder: bit `b` of a sum is a clock later than
//! bit `b - 1`, and the next adder takes it as it comes.
//!
//! # Latency
//! [`latency`] clocks, a beat in every clock.
//!
//! # Reset
//! None: the first beat of a packet counts from zero.

use crate::primitives::count::add;
use crate::verilog::{Body, Expression, Operator, Run, bit, bits, concat, name, repeat, zero};
use hdl_macros::{Blank, Block, Described, once};
use rust_hdl::prelude::*;
use std::mem::take;

/// Bits of a rank of 64 lanes.
pub const RANK: usize = 7;

/// Clocks from the events to their ranks.
pub const fn latency(lanes: usize) -> usize {
    2 * lanes.ilog2() as usize + 1
}

/// How many events come before each one, modulo twice the lanes: where it goes.
#[derive(Blank, Block, Described)]
pub struct Ranks<const N: usize> {
    pub clock: Signal<In, Clock>,
    /// The beat begins a packet.
    pub first: Signal<In, Bit>,
    pub sent: Signal<In, Bits<N>>,
    /// How many events come before each lane in the dense beat that the first of them goes into. With `L` the logarithm of
    /// the lanes, bits `L - 1..0` are the lane, bit `L` says that it is in the next beat, and those above are clear.
    #[many(RANK)]
    pub rank: Vec<Signal<Out, Bits<N>>>,
    /// The dense beat is full; there are events for a further one, or it has begun.
    pub full: Signal<Out, Bit>,
    pub nonzero: Signal<Out, Bit>,
    _run: Run,
}

impl<const N: usize> Ranks<N> {
    #[once(N)]
    fn body(&self, body: Body) -> Body {
        let levels = N.ilog2() as usize;
        let (mut body, counts) = counts(N, body, levels);
        // Bit 0 of a beat's counts is here this number of clocks after its mark, and bit i comes i clocks later.
        if levels > 0 {
            let (clocks, doc) = (
                2 * levels - 1,
                "The beat begins a packet: in the clocks before.",
            );
            let marks = concat([name("first"), bits("begins", 0, clocks - 1)]);
            body = body.later("begins", clocks, doc, marks);
        }
        let [of_left, of_lanes] = [
            "How many events are left of the beats before and this one: bit by bit, with the carries.",
            "How many come before each lane, with the carries.",
        ];
        let [mut carry, mut carries] = [None, None];
        let [mut left, mut ranks] = [Vec::new(), Vec::new()];
        for (index, count) in counts.iter().enumerate() {
            let bit_of = |what: &str| format!("{what}_{index}");
            let [sum, lane] = ["left", "lane"].map(bit_of);
            // What is left of the beats before: less than a dense beat.
            let kept = match index == levels {
                true => zero(1),
                false => name(&sum) & !bit("begins", levels + index - 1),
            };
            let (next, over) = add(kept.clone(), bit(count, N - 1), carry);
            let (next_lanes, overs) = add(repeat(N, kept), up(N, count, 1), carries);
            body = (body.later(&sum, 1, of_left, next)).later(&lane, N, of_lanes, next_lanes);
            if index < levels {
                body = (body.later(bit_of("left_carry"), 1, "", over)).later(
                    bit_of("lane_carry"),
                    N,
                    "",
                    overs,
                );
            }
            [carry, carries] = ["left_carry", "lane_carry"].map(|it| Some(name(bit_of(it))));
            // The last bit is the last to come.
            for (of, width, all) in [(&sum, 1, &mut left), (&lane, N, &mut ranks)] {
                let last;
                (body, last) = late(body, of, width, levels - index);
                all.push(last);
            }
        }
        let full = left.pop().expect("a bit at least");
        let nonzero = Expression::join(Operator::Or, left).unwrap_or(zero(1));
        ranks.resize(RANK, zero(N));
        let ranks = ranks.into_iter().enumerate();
        ranks
            .fold(body, |body, (index, rank)| {
                body.assign(format!("rank${index}"), rank)
            })
            .assign("full", full)
            .assign("nonzero", nonzero)
    }
}

/// The prefix sum: registers of how many events are in each lane and those below, bit by bit.
fn counts(lanes: usize, mut body: Body, levels: usize) -> (Body, Vec<String>) {
    let mut doc = "Level by level, how many events are in a lane and the 1, 3, 7 ones below it: bit by bit, with the carries.";
    let mut counts = vec!["sent".to_string()];
    for level in 0..levels {
        let mut carry = None;
        for (index, count) in counts.iter_mut().enumerate() {
            let [sum, carries] = ["count", "carry"].map(|it| format!("{it}_{level}_{index}"));
            let (next, over) = add(name(&*count), up(lanes, count, 1 << level), carry);
            body = (body.later(&sum, lanes, take(&mut doc), next)).later(&carries, lanes, "", over);
            carry = Some(name(carries));
            *count = sum;
        }
        let top = format!("count_{level}_{}", level + 1);
        body = body.later(&top, lanes, "", carry.expect("a bit at least"));
        counts.push(top);
    }
    (body, counts)
}

/// A plane some lanes up: what is below is clear.
fn up(lanes: usize, plane: &str, by: usize) -> Expression {
    concat([zero(by), bits(plane, 0, lanes - by)])
}

/// A register, some clocks later.
fn late(body: Body, of: &str, width: usize, clocks: usize) -> (Body, Expression) {
    if clocks == 0 {
        return (body, name(of));
    }
    let late = format!("late_{of}");
    let next = concat([name(of), bits(&late, 0, width * (clocks - 1))]);
    let last = bits(&late, width * (clocks - 1), width);
    let doc = "The same, some clocks later.";
    (body.later(late, width * clocks, doc, next), last)
}
