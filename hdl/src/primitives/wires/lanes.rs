//! Wires between the lanes of a plane, or of each plane of a stack.

use super::from_bits;
use crate::verilog::{Body, Expression, Operator, bit, bits, concat, literal, name, repeat, zero};
use hdl_macros::{Blank, Block};
use rust_hdl::prelude::*;

/// Shifts each of `P` planes one lane up: lane `i` of `y` is lane `i - 1` of `x`; lane 0 is `lower`; `top` is the lane
/// shifted out. `T` is the width of all planes.
#[derive(Block, Blank)]
pub struct LaneShift<const T: usize, const P: usize> {
    pub x: Signal<In, Bits<T>>,
    pub lower: Signal<In, Bits<P>>,
    pub y: Signal<Out, Bits<T>>,
    pub top: Signal<Out, Bits<P>>,
}

impl<const T: usize, const P: usize> LaneShift<T, P> {
    /// Lanes of a plane.
    const N: usize = T / P;
}

impl<const T: usize, const P: usize> Logic for LaneShift<T, P> {
    fn update(&mut self) {
        const { assert!(T.is_multiple_of(P)) }
        let (x, lower) = (self.x.val(), self.lower.val());
        self.y.next = from_bits(|bit| {
            if bit.is_multiple_of(Self::N) {
                lower.get_bit(bit / Self::N)
            } else {
                x.get_bit(bit - 1)
            }
        });
        self.top.next = from_bits(|plane| x.get_bit(Self::N * (plane + 1) - 1));
    }

    fn connect(&mut self) {
        self.y.connect();
        self.top.connect();
    }

    fn hdl(&self) -> Verilog {
        let shifted = |plane: usize| {
            let rest = bits("x", Self::N * plane, Self::N - 1);
            [bit("lower", plane), rest]
        };
        let top = (0..P).map(|plane| bit("x", Self::N * (plane + 1) - 1));
        Body::new(Self::ABOUT)
            .assign("y", concat((0..P).flat_map(shifted)))
            .assign("top", concat(top))
            .done()
    }
}

/// Shifts a plane one lane down: lane `i` of `y` is lane `i + 1` of `x`; the top lane is lane 0 of `upper` while
/// `same_packet` holds, and clear otherwise.
#[derive(Block, Blank)]
pub struct LaneAhead<const N: usize> {
    pub x: Signal<In, Bits<N>>,
    pub upper: Signal<In, Bits<N>>,
    pub same_packet: Signal<In, Bit>,
    pub y: Signal<Out, Bits<N>>,
}

impl<const N: usize> Logic for LaneAhead<N> {
    fn update(&mut self) {
        let top = self.upper.val().get_bit(0) & self.same_packet.val();
        self.y.next = (self.x.val() >> 1).replace_bit(N - 1, top);
    }

    fn connect(&mut self) {
        self.y.connect();
    }

    fn hdl(&self) -> Verilog {
        let ahead = bit("upper", 0) & name("same_packet");
        Body::new(Self::ABOUT)
            .assign("y", concat([bits("x", 1, N - 1), ahead]))
            .done()
    }
}

/// One lane of a plane.
#[derive(Block, Blank)]
pub struct Lane<const N: usize> {
    pub x: Signal<In, Bits<N>>,
    pub y: Signal<Out, Bit>,
    _lane: usize,
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
}

impl<const N: usize> Logic for Lane<N> {
    fn update(&mut self) {
        self.y.next = self.x.val().get_bit(self._lane);
    }

    fn connect(&mut self) {
        self.y.connect();
    }

    fn hdl(&self) -> Verilog {
        Body::new(Self::ABOUT)
            .assign("y", bit("x", self._lane))
            .done()
    }
}

/// Shifts a plane up by so many lanes, over the end: lane `i` of `y` is lane `i - by` of `x`, and clear below.
#[derive(Block, Blank)]
pub struct ShiftUp<const N: usize> {
    pub x: Signal<In, Bits<N>>,
    pub y: Signal<Out, Bits<N>>,
    _by: usize,
}

impl<const N: usize> ShiftUp<N> {
    pub fn new(by: usize) -> Self {
        Self {
            _by: by,
            ..Default::default()
        }
    }
}

impl<const N: usize> Logic for ShiftUp<N> {
    fn update(&mut self) {
        self.y.next = if self._by < N {
            self.x.val() << self._by as u64
        } else {
            Default::default()
        };
    }

    fn connect(&mut self) {
        self.y.connect();
    }

    fn hdl(&self) -> Verilog {
        let by = self._by.min(N);
        let shifted = concat([zero(by), bits("x", 0, N - by)]);
        Body::new(Self::ABOUT).assign("y", shifted).done()
    }
}

/// Exchanges the lanes whose numbers differ by `distance`, in each of `T / N` planes: lane `i` of `y` is lane `i ^ distance`
/// of `x`. With a distance of `N` or more it exchanges nothing.
#[derive(Block, Blank)]
pub struct Exchange<const N: usize, const T: usize> {
    pub x: Signal<In, Bits<T>>,
    pub y: Signal<Out, Bits<T>>,
    _distance: usize,
}

impl<const N: usize, const T: usize> Exchange<N, T> {
    /// `distance` is a power of two.
    pub fn new(distance: usize) -> Self {
        Self {
            _distance: distance,
            ..Default::default()
        }
    }
}

impl<const N: usize, const T: usize> Logic for Exchange<N, T> {
    fn update(&mut self) {
        let x = self.x.val();
        self.y.next = if self._distance < N {
            from_bits(|bit| x.get_bit(bit ^ self._distance))
        } else {
            x
        };
    }

    fn connect(&mut self) {
        self.y.connect();
    }

    fn hdl(&self) -> Verilog {
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
        Body::new(Self::ABOUT).assign("y", exchanged).done()
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
#[derive(Block, Blank)]
pub struct Broadcast<const N: usize> {
    pub x: Signal<In, Bit>,
    pub y: Signal<Out, Bits<N>>,
}

impl<const N: usize> Logic for Broadcast<N> {
    fn update(&mut self) {
        let none = Bits::<N>::default();
        self.y.next = if self.x.val() { !none } else { none };
    }

    fn connect(&mut self) {
        self.y.connect();
    }

    fn hdl(&self) -> Verilog {
        let every = repeat(N, name("x"));
        Body::new(Self::ABOUT).assign("y", every).done()
    }
}
