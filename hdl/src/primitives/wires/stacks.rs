//! Planes one above the other in a vector: plane `b` of a stack is its bits `N * b + N - 1 .. N * b`.

use crate::verilog::{Body, Run, bit, bits, concat, name, repeat, zero};
use hdl_macros::{Blank, Block, Described, once};
use rust_hdl::prelude::*;

/// The bits of a beat's bytes as planes: lane `i` of plane 3 is bit 3 of byte `i` of `data`. `DATA` is `8 * N`.
#[derive(Block, Blank, Described)]
pub struct BytePlanes<const N: usize, const DATA: usize> {
    pub data: Signal<In, Bits<DATA>>,
    pub y: Signal<Out, Bits<DATA>>,
    _run: Run,
}

impl<const N: usize, const DATA: usize> BytePlanes<N, DATA> {
    #[once(N, DATA)]
    fn body(&self, body: Body) -> Body {
        const { assert!(DATA == 8 * N) }
        let bits = (0..DATA).map(|index| bit("data", 8 * (index % N) + index / N));
        body.assign("y", concat(bits))
    }
}

/// The same back: the bytes that planes are of.
#[derive(Block, Blank, Described)]
pub struct LaneBytes<const N: usize, const DATA: usize> {
    pub planes: Signal<In, Bits<DATA>>,
    pub y: Signal<Out, Bits<DATA>>,
    _run: Run,
}

impl<const N: usize, const DATA: usize> LaneBytes<N, DATA> {
    #[once(N, DATA)]
    fn body(&self, body: Body) -> Body {
        const { assert!(DATA == 8 * N) }
        let bits = (0..DATA).map(|index| bit("planes", N * (index % 8) + index / 8));
        body.assign("y", concat(bits))
    }
}

/// The planes of a stack. `T` is `P * N`, or less: then the last planes are clear.
#[derive(Blank, Block, Described)]
pub struct Unstack<const N: usize, const P: usize, const T: usize> {
    pub x: Signal<In, Bits<T>>,
    #[many(P)]
    pub y: Vec<Signal<Out, Bits<N>>>,
    _run: Run,
}

impl<const N: usize, const P: usize, const T: usize> Unstack<N, P, T> {
    #[once(N, P, T)]
    fn body(&self, body: Body) -> Body {
        const { assert!(T <= P * N && T.is_multiple_of(N)) }
        let planes = 0..P;
        planes.fold(body, |body, plane| {
            let value = match plane < T / N {
                true => bits("x", N * plane, N),
                false => zero(N),
            };
            body.assign(format!("y${plane}"), value)
        })
    }
}

/// Planes as one vector: plane `b` is bits `N * b + N - 1 .. N * b` of `y`. `T` is `P * N`, or less: then the last planes are left out.
#[derive(Blank, Block, Described)]
pub struct Stack<const N: usize, const P: usize, const T: usize> {
    #[many(P)]
    pub x: Vec<Signal<In, Bits<N>>>,
    pub y: Signal<Out, Bits<T>>,
    _run: Run,
}

impl<const N: usize, const P: usize, const T: usize> Stack<N, P, T> {
    #[once(N, P, T)]
    fn body(&self, body: Body) -> Body {
        assert!(T <= P * N && T.is_multiple_of(N));
        let planes = (0..T / N).map(|plane| name(format!("x${plane}")));
        body.assign("y", concat(planes))
    }
}

/// A plane for each of `T / N` bits: plane `b` is bits `N * b + N - 1 .. N * b` of `y`, and all are equal to `x`.
#[derive(Block, Blank, Described)]
pub struct Repeat<const N: usize, const T: usize> {
    pub x: Signal<In, Bits<N>>,
    pub y: Signal<Out, Bits<T>>,
    _run: Run,
}

impl<const N: usize, const T: usize> Repeat<N, T> {
    fn body(&self, body: Body) -> Body {
        const { assert!(T.is_multiple_of(N)) }
        let every = repeat(T / N, name("x"));
        body.assign("y", every)
    }
}

/// A beat's bytes, and zero in the lanes without one.
#[derive(Block, Blank, Described)]
pub struct KeptBytes<const N: usize, const DATA: usize> {
    pub data: Signal<In, Bits<DATA>>,
    pub keep: Signal<In, Bits<N>>,
    pub y: Signal<Out, Bits<DATA>>,
    _run: Run,
}

impl<const N: usize, const DATA: usize> KeptBytes<N, DATA> {
    #[once(N)]
    fn body(&self, body: Body) -> Body {
        const { assert!(DATA == 8 * N) }
        let byte = |lane: usize| bits("data", 8 * lane, 8) & repeat(8, bit("keep", lane));
        body.assign("y", concat((0..N).map(byte)))
    }
}
