//! The lanes of each beat from a first position up to an end.
//!
//! The beats up to both are counted down: a beat is before one of these, or is it, and then the low bits of the position say in which
//! lane, or is after it.
//!
//! # Latency
//! [`LATENCY`] clocks, a beat in every clock.
//!
//! # Reset
//! What keeps the copies of a register apart.

use super::countdown::Countdown;
use crate::primitives::fanout::{REGION, Replicas};
use crate::primitives::wires::Broadcast;
use crate::verilog::{Body, Expression, Operator, Run, bit, bits, concat, is_number, zero};
use hdl_macros::{Blank, Block, Described, once, stages};
use rust_hdl::prelude::*;
use std::ops::Range;

/// Clocks from a beat to its lanes.
pub const LATENCY: usize = 4;

/// Bits of a position that are a lane's number.
const fn lane_bits(lanes: usize) -> usize {
    lanes.ilog2() as usize
}

/// The lane of a position.
#[derive(Block, Blank, Described)]
pub struct LaneOf<const N: usize, const P: usize> {
    pub position: Signal<In, Bits<P>>,
    pub y: Signal<Out, Bits<8>>,
    _run: Run,
}

impl<const N: usize, const P: usize> LaneOf<N, P> {
    fn body(&self, body: Body) -> Body {
        let lane = match lane_bits(N) {
            0 => zero(8),
            of_lane => concat([bits("position", 0, of_lane), zero(8 - of_lane)]),
        };
        body.assign("y", lane)
    }
}

/// Which lanes are below that of a position, in three parts. A lane follows from one bit of each.
#[derive(Block, Blank, Described)]
pub struct Edge<const N: usize, const P: usize> {
    pub position: Signal<In, Bits<P>>,
    /// Groups of eight lanes that are below it, and the group that it is in.
    pub groups: Signal<Out, Bits<16>>,
    pub group: Signal<Out, Bits<16>>,
    /// The lanes of a group that are below it.
    pub lanes: Signal<Out, Bits<8>>,
    _run: Run,
}

impl<const N: usize, const P: usize> Edge<N, P> {
    #[once(N)]
    fn body(&self, body: Body) -> Body {
        let low = lane_bits(N).min(3);
        // Compared, and not shifted: of a shift a tool makes a synchronous reset, which is slow.
        let is_group = |group: usize| is_number("position", low, lane_bits(N) - low, group);
        let is_lane = |lane: usize| is_number("position", 0, low, lane);
        let any = |hot: &dyn Fn(usize) -> Expression, numbers: Range<usize>| {
            Expression::join(Operator::Or, numbers.map(hot)).unwrap_or(zero(1))
        };
        body.assign(
            "groups",
            concat((0..16).map(|group| any(&is_group, group + 1..16))),
        )
        .assign("group", concat((0..16).map(is_group)))
        .assign(
            "lanes",
            concat((0..8).map(|lane| any(&is_lane, lane + 1..8))),
        )
    }
}

/// The lanes that are below it, from these parts.
#[derive(Block, Blank, Described)]
pub struct Below<const N: usize> {
    pub groups: Signal<In, Bits<16>>,
    pub group: Signal<In, Bits<16>>,
    pub lanes: Signal<In, Bits<8>>,
    pub y: Signal<Out, Bits<N>>,
    _run: Run,
}

impl<const N: usize> Below<N> {
    fn body(&self, body: Body) -> Body {
        let is_below = |lane: usize| {
            let of = |net| bit(net, lane / 8);
            of("groups") | (of("group") & bit("lanes", lane % 8))
        };
        body.assign("y", concat((0..N).map(is_below)))
    }
}

/// Whether any of four bits is set, for each four: a level of whether any is.
#[derive(Block, Blank, Described)]
pub struct Fours<const P: usize> {
    pub x: Signal<In, Bits<P>>,
    pub y: Signal<Out, Bits<5>>,
    _run: Run,
}

impl<const P: usize> Fours<P> {
    fn body(&self, body: Body) -> Body {
        const { assert!(16 <= P && P <= 20) }
        let fours = (0..P).step_by(4);
        let mut fours: Vec<_> = fours
            .map(|low| bits("x", low, 4.min(P - low)).any())
            .collect();
        fours.resize(5, zero(1));
        body.assign("y", concat(fours))
    }
}

stages! {
    /// The lanes of each beat that are within its packet's text, if it has one.
    pub block Cut<const N: usize, const P: usize> {
        in reset: Bit;
        /// A beat comes.
        in valid: Bit @ 0;
        /// It brings where its packet's text is, from the beat's first lane on: whether there is one, its first byte, and what is after it.
        in loads, has: Bit @ 0;
        in from, to: Bits<P> @ 0;
        /// The beat's bytes.
        in keep @ 3;

        stage 1 "the beats up to the text, and up to its end" {
            mark valid: Bit = valid;
            mark loaded: Bit = valid & loads;
            part to_first: Countdown<P>(lane_bits(N)) = {
                beat: valid, loads, position: from,
            } -> Bits<P>;
            part to_end: Countdown<P>(lane_bits(N)) = {
                beat: valid, loads, position: to,
            } -> Bits<P>;
            state has: Bit = if valid & loads { has };
            state from: Bits<P> = if valid & loads { from };
            wires from_edge: Edge<N, P> = { position: from };
            wires to_edge: Edge<N, P> = { position: to };
            state from_groups: Bits<16> = if valid & loads { from_edge.groups };
            state from_group: Bits<16> = if valid & loads { from_edge.group };
            state from_lanes: Bits<8> = if valid & loads { from_edge.lanes };
            state to_groups: Bits<16> = if valid & loads { to_edge.groups };
            state to_group: Bits<16> = if valid & loads { to_edge.group };
            state to_lanes: Bits<8> = if valid & loads { to_edge.lanes };
        }

        stage 2 "whether any beats are left, and the lanes below the first byte and below the end" {
            wires first_fours: Fours<P> = { x: to_first.left } -> Bits<5>;
            wires end_fours: Fours<P> = { x: to_end.left } -> Bits<5>;
            first_left: Bits<5> = first_fours;
            end_left: Bits<5> = end_fours;
            /// It has passed, or is not looked for.
            first_gone: Bit = to_first.has_passed | !has;
            end_gone: Bit = to_end.has_passed | !has;
            wires from_lane: LaneOf<N, P> = { position: from } -> Bits<8>;
            wires below_from: Below<N> = {
                groups: from_groups, group: from_group, lanes: from_lanes,
            };
            wires below_to: Below<N> = { groups: to_groups, group: to_group, lanes: to_lanes };
            below_first = below_from;
            below_end = below_to;
            lane: Bits<8> = from_lane;
            /// Never set: it keeps the copies of a register apart.
            apart: Bit = loaded & !valid;
        }

        stage 3 "whether the beat is before them, or is theirs, near to each lane" {
            wires before_first: Broadcast<N> = { x: !first_gone & first_left.any() };
            wires at_first: Broadcast<N> = { x: !first_gone & !first_left.any() };
            wires before_end: Broadcast<N> = { x: !end_gone & end_left.any() };
            wires at_end: Broadcast<N> = { x: !end_gone & !end_left.any() };
            part first_is_ahead: Replicas<N, REGION>(1) = { x: before_first, apart };
            part first_is_here: Replicas<N, REGION>(1) = { x: at_first, apart };
            part end_is_ahead: Replicas<N, REGION>(1) = { x: before_end, apart };
            part end_is_here: Replicas<N, REGION>(1) = { x: at_end, apart };
            begins: Bit = !first_gone & !first_left.any();
        }

        stage 4 "the lanes before the text, and those with a byte before its end" {
            early = first_is_ahead | (first_is_here & below_first);
            kept = keep & (end_is_ahead | (end_is_here & below_end));
            wires all_begin: Broadcast<8> = { x: begins };
            first_lane: Bits<8> = lane & all_begin;
        }

        stage 5 "the lanes; their register is what takes the beat" {
            let judged = kept & !early;
        }

        /// The beat, and its lanes with a byte of the text.
        out out_valid: Bit = valid @ 4;
        out out_judged = judged @ 4;
        /// The lane of the text's first byte, if that may be in the beat; else zero.
        out out_first: Bits<8> = first_lane @ 4;
        /// The packet has a text.
        out out_has: Bit = has @ 4;
    }
}
