//! Wires between the lanes of a plane, or of each plane of a stack.

use crate::verilog::{
    Body, Expression, Operator, Run, bit, bits, concat, literal, name, repeat, zero,
};
use hdl_macros::{Blank, Block, Described};
use rust_hdl::prelude::*;

/// Shifts each of `P` planes one lane up: lane `i` of `y` is lane `i - 1` of `x`; lane 0 is `lower`; `top` is the lane
/// shifted out. `T` is the width of all planes.
#[derive(Block, Blank, Described)]
pub struct LaneShift<const T: usize, const P: usize> {
    pub x: Signal<In, Bits<T>>,
    pub lower: Signal<In, Bits<P>>,
    pub y: Signal<Out, Bits<T>>,
    pub top: Signal<Out, Bits<P>>,
    _run: Run,
}

impl<const T: usize, const P: usize> LaneShift<T, P> {
    /// Lanes of a plane.
    const N: usize = T / P;

    fn body(&self, body: Body) -> Body {
        const { assert!(T.is_multiple_of(P)) }
        let shifted = |plane: usize| {
            let rest = bits("x", Self::N * plane, Self::N - 1);
            [bit("lower", plane), rest]
        };
        let top = (0..P).map(|plane| bit("x", Self::N * (plane + 1) - 1));
        body.assign("y", concat((0..P).flat_map(shifted)))
            .assign("top", concat(top))
    }
}

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

/// Shifts a plane up by so many lanes, over the end: lane `i` of `y` is lane `i - by` of `x`, and clear below.
#[derive(Block, Blank, Described)]
pub struct ShiftUp<const N: usize> {
    pub x: Signal<In, Bits<N>>,
    pub y: Signal<Out, Bits<N>>,
    _by: usize,
    _run: Run,
}

impl<const N: usize> ShiftUp<N> {
    pub fn new(by: usize) -> Self {
        Self {
            _by: by,
            ..Default::default()
        }
    }

    fn body(&self, body: Body) -> Body {
        let by = self._by.min(N);
        let shifted = concat([zero(by), bits("x", 0, N - by)]);
        body.assign("y", shifted)
    }
}

/// Exchanges the lanes whose numbers differ by `distance`, in each of `T / N` planes: lane `i` of `y` is lane `i ^ distance`
/// of `x`. With a distance of `N` or more it exchanges nothing.
#[derive(Block, Blank, Described)]
pub struct Exchange<const N: usize, const T: usize> {
    pub x: Signal<In, Bits<T>>,
    pub y: Signal<Out, Bits<T>>,
    _distance: usize,
    _run: Run,
}

impl<const N: usize, const T: usize> Exchange<N, T> {
    /// `distance` is a power of two.
    pub fn new(distance: usize) -> Self {
        Self {
            _distance: distance,
            ..Default::default()
        }
    }

    fn body(&self, body: Body) -> Body {
        let distance = self._distance;
        let exchanged = if distance < N {
            let lower = || repeat(T / N, lanes_without::<N>(distance));
            let shifted =
                |of: Expression, operator| of.binary(operator, literal(32, distance as u64));
            shifted(name("x") & lower(), Operator::ShiftLeft)
                | (shifted(name("x"), Operator::ShiftRight) & lower())
        } else {
            name("x")
        };
        body.assign("y", exchanged)
    }
}

/// The lanes of a plane whose number has this bit clear, as a constant. `bit` is a power of two below `N`.
fn lanes_without<const N: usize>(bit: usize) -> Expression {
    let word = (0..N)
        .filter(|lane| lane & bit == 0)
        .fold(0u64, |word, lane| word | 1 << lane);
    literal(N, word)
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
