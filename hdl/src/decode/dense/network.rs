//! Takes every event to the lane that its rank names: a butterfly, a bit of the rank a level. Of `encode` an event is a byte.
//!
//! After level `k` an event is in the lane that agrees with its rank in the lowest `k` bits, and with where it came from in
//! the others. Two events cannot meet: those of a group of `2^k` lanes are neighbours in the packet, so their ranks are
//! consecutive and differ modulo `2^k`.
//!
//! # Latency
//! [`latency`] clocks, a beat in every clock.
//!
//! # Reset
//! What says that there is an event; what is not of an `arrival` does not enter.

use super::ranks::RANK;
use crate::verilog::{
    Body, Expression, Operator, Run, Statement, literal, name, repeat, set, zero,
};
use hdl_macros::{Blank, Block, Described, once};
use rust_hdl::prelude::*;

/// Clocks through the network, of the ranks; the planes enter a clock later.
pub const fn latency(lanes: usize) -> usize {
    1 + lanes.ilog2() as usize
}

/// Moves events, or bytes, to their lanes. Which of them move in a level and which stay was decided a clock before, so that each plane is a
/// sum of two products; with the planes goes what the next levels will need.
#[derive(Blank, Block, Described)]
pub struct Network<const N: usize, const STACK: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    /// A clock before the planes: a sparse beat enters, its lanes with an event, and these events' ranks.
    pub arrival: Signal<In, Bit>,
    pub present: Signal<In, Bits<N>>,
    #[many(RANK)]
    pub rank: Vec<Signal<In, Bits<N>>>,
    pub planes: Signal<In, Bits<STACK>>,
    pub out_planes: Signal<Out, Bits<STACK>>,
    /// Lanes of events for this dense beat, and for the next one.
    pub out_this: Signal<Out, Bits<N>>,
    pub out_next: Signal<Out, Bits<N>>,
    _run: Run,
}

impl<const N: usize, const STACK: usize> Network<N, STACK> {
    #[once(N, STACK)]
    fn body(&self, mut body: Body) -> Body {
        let levels = N.ilog2() as usize;
        let of = |level: usize, what: &str| format!("{what}_{level}");
        let rank = |level: usize, bit: usize| format!("ranks_{level}_{bit}");
        // An event moves if the bit of its rank differs from that of its lane's number.
        let differs = |rank: Expression, bit: usize| match bit < levels {
            true => rank ^ literal(N, lanes_with(N, bit)),
            false => rank,
        };
        let sent = name("present") & repeat(N, name("arrival"));
        let goes = differs(name("rank$0"), 0);
        let moves = [sent.clone() & goes.clone(), sent & !goes];
        body = decided(
            N,
            body,
            [of(0, "moves"), of(0, "stays")],
            moves,
            "Lanes of events that move in a level, and of those that stay.",
        );
        for bit in 1..=levels {
            body = body.later(
                rank(0, bit),
                N,
                "Bits of the events' ranks, for the levels to come.",
                name(format!("rank${bit}")),
            );
        }
        let mut planes = "planes".to_string();
        for level in 0..levels {
            let (moves, stays) = (name(of(level, "moves")), name(of(level, "stays")));
            let next = level + 1;
            let came = |body: Body, what: &str, planes: usize, of_lanes: Expression| {
                let [from, to] = ["from", "came"].map(|it| format!("{it}_{what}"));
                let body = body.wire(&from, planes * N, of_lanes);
                let there = exchange(N, name(from), planes, 1 << level);
                (body.wire(&to, planes * N, there), name(to))
            };
            let goes = differs(name(rank(level, next)), next);
            let (came_moves, came_rank, moved);
            (body, came_moves) = came(body, &of(level, "moves"), 1, moves.clone());
            (body, came_rank) = came(body, &rank(level, next), 1, name(rank(level, next)));
            let came_goes = differs(came_rank, next);
            let decisions = [
                (stays.clone() & goes.clone()) | (came_moves.clone() & came_goes.clone()),
                (stays.clone() & !goes) | (came_moves & !came_goes),
            ];
            body = decided(
                N,
                body,
                [of(next, "moves"), of(next, "stays")],
                decisions,
                "",
            );
            for bit in next + 1..=levels {
                let from = name(rank(level, bit));
                let of_rank;
                (body, of_rank) = came(body, &rank(level, bit), 1, from.clone() & moves.clone());
                body = body.later(rank(next, bit), N, "", (from & stays.clone()) | of_rank);
            }
            let every = |lanes: Expression| repeat(STACK / N, lanes);
            let stay = name(&planes) & every(stays);
            (body, moved) = came(
                body,
                &of(level, "planes"),
                STACK / N,
                name(&planes) & every(moves),
            );
            planes = of(next, "planes");
            body = body.later(
                &planes,
                STACK,
                "The events' planes after a level.",
                stay | moved,
            );
        }
        // After the last level no lane's number has the bit that is left of a rank.
        body.assign("out_next", name(of(levels, "moves")))
            .assign("out_this", name(of(levels, "stays")))
            .assign("out_planes", name(planes))
    }
}

/// Registers of the events that move and of those that stay; a reset clears them.
fn decided(
    lanes: usize,
    body: Body,
    [moves, stays]: [String; 2],
    [next_moves, next_stays]: [Expression; 2],
    doc: &'static str,
) -> Body {
    body.register(&moves, lanes, doc)
        .register(&stays, lanes, "")
        .at_clock(Statement::If {
            test: name("reset"),
            then: [&moves, &stays].map(|of| set(of, zero(lanes))).into(),
            otherwise: vec![set(moves, next_moves), set(stays, next_stays)],
        })
}

/// Lanes whose number has a bit.
fn lanes_with(lanes: usize, bit: usize) -> u64 {
    let lanes = (0..lanes).filter(|lane| lane >> bit & 1 == 1);
    lanes.fold(0, |word, lane| word | 1 << lane)
}

/// Exchanges the lanes whose numbers differ by `distance`, a power of two, in each of some planes: lane `i` has what lane
/// `i ^ distance` of them has.
fn exchange(lanes: usize, of: Expression, planes: usize, distance: usize) -> Expression {
    let upper = lanes_with(lanes, distance.ilog2() as usize);
    let lower = || repeat(planes, literal(lanes, upper >> distance));
    let shifted = |of: Expression, operator| of.binary(operator, literal(32, distance as u64));
    shifted(of.clone() & lower(), Operator::ShiftLeft)
        | (shifted(of, Operator::ShiftRight) & lower())
}
