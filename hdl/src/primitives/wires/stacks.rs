//! Planes one above the other in a vector: plane `b` of a stack is its bits `N * b + N - 1 .. N * b`.

use super::from_bits;
use crate::primitives::{blank, blanks};
use crate::verilog::{Body, bit, bits, concat, name, repeat};
use hdl_macros::{Blank, Block};
use rust_hdl::prelude::*;

/// The bits of a beat's bytes as planes: lane `i` of plane 3 is bit 3 of byte `i` of `data`. `DATA` is `8 * N`.
#[derive(Block, Blank)]
pub struct BytePlanes<const N: usize, const DATA: usize> {
    pub data: Signal<In, Bits<DATA>>,
    pub y: Signal<Out, Bits<DATA>>,
}

impl<const N: usize, const DATA: usize> Logic for BytePlanes<N, DATA> {
    fn update(&mut self) {
        const { assert!(DATA == 8 * N) }
        let data = self.data.val();
        self.y.next = from_bits(|bit| data.get_bit(8 * (bit % N) + bit / N));
    }

    fn connect(&mut self) {
        self.y.connect();
    }

    fn hdl(&self) -> Verilog {
        let bits = (0..DATA).map(|index| bit("data", 8 * (index % N) + index / N));
        Body::new(Self::ABOUT).assign("y", concat(bits)).done()
    }
}

/// The planes of a stack. `T` is `P * N`.
#[derive(Block)]
pub struct Unstack<const N: usize, const P: usize, const T: usize> {
    pub x: Signal<In, Bits<T>>,
    pub y: Vec<Signal<Out, Bits<N>>>,
}

impl<const N: usize, const P: usize, const T: usize> Default for Unstack<N, P, T> {
    fn default() -> Self {
        Self {
            x: blank(),
            y: blanks(P),
        }
    }
}

impl<const N: usize, const P: usize, const T: usize> Logic for Unstack<N, P, T> {
    fn update(&mut self) {
        const { assert!(T == P * N) }
        let x = self.x.val();
        for (index, plane) in self.y.iter_mut().enumerate() {
            plane.next = x.get_bits::<N>(N * index);
        }
    }

    fn connect(&mut self) {
        self.y.iter_mut().for_each(|plane| plane.connect());
    }

    fn hdl(&self) -> Verilog {
        let body = Body::new(Self::ABOUT);
        let planes = 0..P;
        planes
            .fold(body, |body, plane| {
                body.assign(format!("y${plane}"), bits("x", N * plane, N))
            })
            .done()
    }
}

/// Planes as one vector: plane `b` is bits `N * b + N - 1 .. N * b` of `y`. `T` is `P * N`.
#[derive(Block)]
pub struct Stack<const N: usize, const P: usize, const T: usize> {
    pub x: Vec<Signal<In, Bits<N>>>,
    pub y: Signal<Out, Bits<T>>,
}

impl<const N: usize, const P: usize, const T: usize> Default for Stack<N, P, T> {
    fn default() -> Self {
        Self {
            x: blanks(P),
            y: blank(),
        }
    }
}

impl<const N: usize, const P: usize, const T: usize> Logic for Stack<N, P, T> {
    fn update(&mut self) {
        const { assert!(T == P * N) }
        let planes: [Bits<N>; P] = std::array::from_fn(|plane| self.x[plane].val());
        self.y.next = from_bits(|bit| planes[bit / N].get_bit(bit % N));
    }

    fn connect(&mut self) {
        self.y.connect();
    }

    fn hdl(&self) -> Verilog {
        let planes = (0..P).map(|plane| name(format!("x${plane}")));
        Body::new(Self::ABOUT).assign("y", concat(planes)).done()
    }
}

/// A plane for each of `T / N` bits: plane `b` is bits `N * b + N - 1 .. N * b` of `y`, and all are equal to `x`.
#[derive(Block, Blank)]
pub struct Repeat<const N: usize, const T: usize> {
    pub x: Signal<In, Bits<N>>,
    pub y: Signal<Out, Bits<T>>,
}

impl<const N: usize, const T: usize> Logic for Repeat<N, T> {
    fn update(&mut self) {
        const { assert!(T.is_multiple_of(N)) }
        let x = self.x.val();
        self.y.next = from_bits(|bit| x.get_bit(bit % N));
    }

    fn connect(&mut self) {
        self.y.connect();
    }

    fn hdl(&self) -> Verilog {
        let every = repeat(T / N, name("x"));
        Body::new(Self::ABOUT).assign("y", every).done()
    }
}
