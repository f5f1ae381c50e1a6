//! Wires between the lanes of a plane, or of each plane of a stack.

use crate::verilog::{Body, Operator, Run, bit, bits, concat, name, one, repeat, zero};
use hdl_macros::{Blank, Block, Described, once};
use rust_hdl::prelude::*;

/// Shifts a plane one lane down: lane `i` of `y` is lane `i + 1` of `x`; the top lane is lane 0 of `upper` while
/// `same_packet` holds, and clear otherwise.
#[derive(Block, Blank, Described)]
pub struct LaneAhead<const N: usize> {
    pub x: Signal<In, Bits<N>>,
    pub upper: Signal<In, Bits<N>>,
    pub same_packet: Signal<In, Bit>,
    pub y: Signal<Out, Bits<N>>,
    _run: Run,
}

impl<const N: usize> LaneAhead<N> {
    fn body(&self, body: Body) -> Body {
        let ahead = bit("upper", 0) & name("same_packet");
        body.assign("y", concat([bits("x", 1, N - 1), ahead]))
    }
}

/// A plane some lanes down, if `x` is that of a later beat: lane `i` of `y` is the lane that is `by` lanes above lane `i` of the beat
/// that came `beats` before, and clear if that one is in another beat than `x`.
#[derive(Block, Blank, Described)]
pub struct Ahead<const N: usize> {
    pub x: Signal<In, Bits<N>>,
    pub y: Signal<Out, Bits<N>>,
    _by: usize,
    _beats: usize,
    _run: Run,
}

impl<const N: usize> Ahead<N> {
    pub fn new(by: usize, beats: usize) -> Self {
        Self {
            _by: by,
            _beats: beats,
            ..Default::default()
        }
    }

    #[once(N, beats = self._beats, by = self._by)]
    fn body(&self, body: Body) -> Body {
        let lanes = (0..N).map(|lane| match (lane + by).checked_sub(beats * N) {
            Some(there) if there < N => bit("x", there),
            _ => zero(1),
        });
        body.assign("y", concat(lanes))
    }
}

/// Shifts a plane one lane up: lane `i` of `y` is lane `i - 1` of `x`, and lane 0 is `lower`.
#[derive(Block, Blank, Described)]
pub struct LaneBehind<const N: usize> {
    pub x: Signal<In, Bits<N>>,
    pub lower: Signal<In, Bit>,
    pub y: Signal<Out, Bits<N>>,
    _run: Run,
}

impl<const N: usize> LaneBehind<N> {
    fn body(&self, body: Body) -> Body {
        body.assign("y", concat([name("lower"), bits("x", 0, N - 1)]))
    }
}

/// One lane of a plane.
#[derive(Block, Blank, Described)]
pub struct Lane<const N: usize> {
    pub x: Signal<In, Bits<N>>,
    pub y: Signal<Out, Bit>,
    _lane: usize,
    _run: Run,
}

impl<const N: usize> Lane<N> {
    /// Picks `lane`, which is below `N`.
    pub fn new(lane: usize) -> Self {
        assert!(lane < N);
        Self {
            _lane: lane,
            ..Default::default()
        }
    }

    fn body(&self, body: Body) -> Body {
        body.assign("y", bit("x", self._lane))
    }
}

/// A bit that passes from step to step, a clock each: bit `s` of `y` is what comes to step `s`, and bit `s` of `x` is
/// what step `s` gave in the clock before.
#[derive(Block, Blank, Described)]
pub struct Passed<const W: usize> {
    pub into: Signal<In, Bit>,
    pub x: Signal<In, Bits<W>>,
    pub y: Signal<Out, Bits<W>>,
    _run: Run,
}

impl<const W: usize> Passed<W> {
    fn body(&self, body: Body) -> Body {
        let passed = concat([name("into"), bits("x", 0, W - 1)]);
        body.assign("y", passed)
    }
}

/// A bit in every lane.
#[derive(Block, Blank, Described)]
pub struct Broadcast<const N: usize> {
    pub x: Signal<In, Bit>,
    pub y: Signal<Out, Bits<N>>,
    _run: Run,
}

impl<const N: usize> Broadcast<N> {
    fn body(&self, body: Body) -> Body {
        let every = repeat(N, name("x"));
        body.assign("y", every)
    }
}

/// The lanes below a lane.
#[derive(Block, Blank, Described)]
pub struct LanesBelow<const N: usize> {
    pub lane: Signal<In, Bits<8>>,
    pub y: Signal<Out, Bits<N>>,
    _run: Run,
}

impl<const N: usize> LanesBelow<N> {
    fn body(&self, body: Body) -> Body {
        let below = match N.ilog2() as usize {
            0 => zero(N),
            bits_of_lane => {
                let lane = bits("lane", 0, bits_of_lane);
                !repeat(N, one()).binary(Operator::ShiftLeft, lane)
            }
        };
        body.assign("y", below)
    }
}
