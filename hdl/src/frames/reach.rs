//! Whether a frame has all bytes that its IP header says.
//!
//! # Latency
//! [`LATENCY`] clocks, a beat in every clock.
//!
//! # Reset
//! What marks beats.

use super::network::POSITION_BITS;
use crate::verilog::{Body, Expression, Operator, Run, bit, bits, concat, is_number, repeat, zero};
use crate::window::countdown::Countdown;
use hdl_macros::{Blank, Block, Described, once, stages};
use rust_hdl::prelude::*;

/// Clocks from a beat to whether its frame has ended too early.
pub const LATENCY: usize = 5;

/// The lane of a position, one-hot in two parts: its group of eight lanes, and the lane within the group.
#[derive(Block, Blank, Described)]
pub struct HotLane<const N: usize> {
    pub position: Signal<In, Bits<POSITION_BITS>>,
    pub eight: Signal<Out, Bits<8>>,
    pub one: Signal<Out, Bits<8>>,
    _run: Run,
}

impl<const N: usize> HotLane<N> {
    fn body(&self, body: Body) -> Body {
        let width = N.ilog2() as usize - 3;
        let hot = |low: usize, width: usize| {
            concat((0..8).map(|number| is_number("position", low, width, number)))
        };
        body.assign("eight", hot(3, width)).assign("one", hot(0, 3))
    }
}

/// The first step of choosing a group of eight lanes of `keep`: of each two groups the chosen one, or zero.
#[derive(Block, Blank, Described)]
pub struct ColumnOfTwo<const N: usize> {
    pub keep: Signal<In, Bits<N>>,
    pub eight: Signal<In, Bits<8>>,
    pub y: Signal<Out, Bits<32>>,
    _run: Run,
}

impl<const N: usize> ColumnOfTwo<N> {
    #[once(N)]
    fn body(&self, body: Body) -> Body {
        let of_two = |two: usize| {
            let groups = (2 * two..2 * two + 2).filter(|group| *group < N / 8);
            let eight = |of| bits("keep", 8 * of, 8) & repeat(8, bit("eight", of));
            Expression::join(Operator::Or, groups.map(eight)).unwrap_or(zero(8))
        };
        body.assign("y", concat((0..4).map(of_two)))
    }
}

/// The second step: the chosen group.
#[derive(Block, Blank, Described)]
pub struct JoinColumns {
    pub x: Signal<In, Bits<32>>,
    pub y: Signal<Out, Bits<8>>,
    _run: Run,
}

impl JoinColumns {
    fn body(&self, body: Body) -> Body {
        let columns = (0..4).map(|two| bits("x", 8 * two, 8));
        let column = Expression::join(Operator::Or, columns).expect("there are four");
        body.assign("y", column)
    }
}

stages! {
    /// Whether a frame ends before its last byte by IP's header.
    pub block Reach<const N: usize> {
        in reset: Bit;
        /// A beat, which is its frame's first or last, and its bytes.
        in valid, starts, last: Bit @ 0;
        in keep @ 0;
        /// Once in each frame: whether there is a header of IP, and where its last byte is, from the beat on.
        in found, ip: Bit @ 0;
        in position: Bits<POSITION_BITS> @ 0;

        stage 1 "the beats up to the last byte that IP's header says" {
            mark valid: Bit = valid;
            part left: Countdown<POSITION_BITS>(N.ilog2() as usize) = {
                beat: valid, loads: found, position,
            } -> Bits<POSITION_BITS>;
            state is_ip: Bit = if found { ip } else if valid & starts { false };
            wires lane: HotLane<N> = { position };
            state eight: Bits<8> = if found { lane.eight };
            state one: Bits<8> = if found { lane.one };
        }

        stage 2 "the lanes of its group, of each two groups" {
            wires of_two: ColumnOfTwo<N> = { keep, eight } -> Bits<32>;
            columns: Bits<32> = of_two;
            here: Bit = left.is_here;
            passed: Bit = left.has_passed;
        }

        stage 3 "the lanes of its group, and whether the byte is still to come" {
            wires joined: JoinColumns = { x: columns } -> Bits<8>;
            column: Bits<8> = joined;
            ahead: Bit = !passed & !here;
        }

        stage 4 "whether the beat has the byte" {
            let hit: Bits<8> = column & one;
            has: Bit = hit.any();
        }

        stage 5 "with the frame's last beat: the byte is not there" {
            short: Bit = is_ip & last & (ahead | (here & !has));
        }

        out is_short: Bit = short @ 5;
    }
}
