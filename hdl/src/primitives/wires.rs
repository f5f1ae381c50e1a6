//! Wires that Rust-HDL cannot express: between lanes, and between vectors and their parts.
//!
//! Everything here is `Verilog::Custom`, so each block states its wires twice, once for the embedded simulator and once as
//! Verilog. The lockstep of all engines against the cycle model keeps the two equal.
//!
//! A *plane* is a `Bits<N>` vector in which bit `i` belongs to lane `i`, that is, to byte `i` of the beat.

use rust_hdl::core::bitvec::BitVec;
use rust_hdl::prelude::*;

/// Shifts each of `P` planes one lane up: lane `i` of `y` is lane `i - 1` of `x`; lane 0 is `lower`; `top` is the lane
/// shifted out. `T` is the width of all planes.
#[derive(LogicBlock, Default)]
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
        if Self::N == 1 {
            return Verilog::Custom("assign y = lower;\nassign top = x;\n".to_string());
        }
        let shifted = |plane: usize| {
            let (low, high) = (Self::N * plane, Self::N * (plane + 1) - 2);
            let rest = if low == high {
                format!("x[{low}]")
            } else {
                format!("x[{high}:{low}]")
            };
            format!("{rest}, {}", lane_of::<P>("lower", plane))
        };
        let top = (0..P).map(|plane| format!("x[{}]", Self::N * (plane + 1) - 1));
        Verilog::Custom(format!(
            "assign y = {};\nassign top = {};\n",
            concat((0..P).map(shifted)),
            concat(top)
        ))
    }
}

/// Shifts a plane one lane down: lane `i` of `y` is lane `i + 1` of `x`; the top lane is lane 0 of `upper` while
/// `same_packet` holds, and clear otherwise.
#[derive(LogicBlock, Default)]
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
        Verilog::Custom(if N == 1 {
            // One lane has no neighbour in its own beat: `x` is only listed so that every port is read.
            "wire unused_x = x;\nassign y = upper & same_packet;\n".to_string()
        } else {
            format!(
                "wire [{top}:0] unused_upper = upper;\nwire unused_x = x[0];\n\
                 assign y = {{upper[0] & same_packet, x[{top}:1]}};\n",
                top = N - 1
            )
        })
    }
}

/// The bits of a beat's bytes as planes: lane `i` of plane 3 is bit 3 of byte `i` of `data`. `DATA` is `8 * N`.
#[derive(LogicBlock, Default)]
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
        Verilog::Custom(if N == 1 {
            "assign y = data;\n".to_string()
        } else {
            let bits = (0..DATA).map(|bit| format!("data[{}]", 8 * (bit % N) + bit / N));
            format!("assign y = {};\n", concat(bits))
        })
    }
}

/// The planes of a stack. `T` is `P * N`.
#[derive(LogicBlock)]
pub struct Unstack<const N: usize, const P: usize, const T: usize> {
    pub x: Signal<In, Bits<T>>,
    pub y: [Signal<Out, Bits<N>>; P],
}

impl<const N: usize, const P: usize, const T: usize> Default for Unstack<N, P, T> {
    fn default() -> Self {
        Self {
            x: Default::default(),
            y: std::array::from_fn(|_| Default::default()),
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
        let planes = (0..P).map(|index| format!("y${index}"));
        Verilog::Custom(format!("assign {} = x;\n", concat(planes)))
    }
}

/// One lane of a plane.
#[derive(LogicBlock, Default)]
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
        let others = (0..N)
            .filter(|&lane| lane != self._lane)
            .map(|lane| lane_of::<N>("x", lane));
        let unused = if N > 1 {
            format!(
                "wire [{}:0] unused_x = {};\n",
                N - 2,
                concat(others.collect::<Vec<_>>().into_iter())
            )
        } else {
            String::new()
        };
        Verilog::Custom(format!(
            "{unused}assign y = {};\n",
            lane_of::<N>("x", self._lane)
        ))
    }
}

/// A plane for each of `T / N` bits: plane `b` is bits `N * b + N - 1 .. N * b` of `y`, and all are equal to `x`.
#[derive(LogicBlock, Default)]
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
        Verilog::Custom(format!("assign y = {{{}{{x}}}};\n", T / N))
    }
}

/// Planes as one vector: plane `b` is bits `N * b + N - 1 .. N * b` of `y`. `T` is `P * N`.
#[derive(LogicBlock)]
pub struct Stack<const N: usize, const P: usize, const T: usize> {
    pub x: [Signal<In, Bits<N>>; P],
    pub y: Signal<Out, Bits<T>>,
}

impl<const N: usize, const P: usize, const T: usize> Default for Stack<N, P, T> {
    fn default() -> Self {
        Self {
            x: std::array::from_fn(|_| Default::default()),
            y: Default::default(),
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
        let planes = (0..P).map(|index| format!("x${index}"));
        Verilog::Custom(format!("assign y = {};\n", concat(planes)))
    }
}

/// One plane of a stack: bits `N * plane + N - 1 .. N * plane` of `x`.
#[derive(LogicBlock, Default)]
pub struct Plane<const N: usize, const T: usize> {
    pub x: Signal<In, Bits<T>>,
    pub y: Signal<Out, Bits<N>>,
    _plane: usize,
}

impl<const N: usize, const T: usize> Plane<N, T> {
    pub fn new(plane: usize) -> Self {
        assert!((plane + 1) * N <= T);
        Self {
            _plane: plane,
            ..Default::default()
        }
    }
}

impl<const N: usize, const T: usize> Logic for Plane<N, T> {
    fn update(&mut self) {
        self.y.next = self.x.val().get_bits::<N>(N * self._plane);
    }

    fn connect(&mut self) {
        self.y.connect();
    }

    fn hdl(&self) -> Verilog {
        let low = N * self._plane;
        let bits = if N == 1 {
            format!("x[{low}]")
        } else {
            format!("x[{}:{low}]", low + N - 1)
        };
        // The other planes are of use elsewhere.
        Verilog::Custom(format!(
            "wire [{}:0] unused_x = x;\nassign y = {bits};\n",
            T - 1
        ))
    }
}

/// A bit in every lane.
#[derive(LogicBlock, Default)]
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
        Verilog::Custom(format!("assign y = {{{N}{{x}}}};\n"))
    }
}

/// The lower and the upper half of the lanes. `N` is `2 * H`; or `N` is `H`, and then all lanes are in the lower half.
#[derive(LogicBlock, Default)]
pub struct Halves<const N: usize, const H: usize> {
    pub x: Signal<In, Bits<N>>,
    pub lower: Signal<Out, Bits<H>>,
    pub upper: Signal<Out, Bits<H>>,
}

impl<const N: usize, const H: usize> Logic for Halves<N, H> {
    fn update(&mut self) {
        const { assert!(N == H || N == 2 * H) }
        let x = self.x.val();
        self.lower.next = x.get_bits::<H>(0);
        self.upper.next = if N == H {
            Default::default()
        } else {
            x.get_bits::<H>(N - H)
        };
    }

    fn connect(&mut self) {
        self.lower.connect();
        self.upper.connect();
    }

    fn hdl(&self) -> Verilog {
        Verilog::Custom(if N == H {
            format!("assign lower = x;\nassign upper = {H}'h0;\n")
        } else if H == 1 {
            "assign lower = x[0];\nassign upper = x[1];\n".to_string()
        } else {
            format!(
                "assign lower = x[{}:0];\nassign upper = x[{}:{H}];\n",
                H - 1,
                N - 1
            )
        })
    }
}

/// The lanes in the order of their numbers' bits reversed, so that halves of the vector are the even and the odd lanes, and
/// so on. `N` is a power of two.
#[derive(LogicBlock, Default)]
pub struct BitReverse<const N: usize> {
    pub x: Signal<In, Bits<N>>,
    pub y: Signal<Out, Bits<N>>,
}

impl<const N: usize> BitReverse<N> {
    fn source(lane: usize) -> usize {
        let bits = N.ilog2();
        (0..bits).fold(0, |reversed, bit| {
            reversed | (lane >> bit & 1) << (bits - 1 - bit)
        })
    }
}

impl<const N: usize> Logic for BitReverse<N> {
    fn update(&mut self) {
        let x = self.x.val();
        self.y.next = from_bits(|lane| x.get_bit(Self::source(lane)));
    }

    fn connect(&mut self) {
        self.y.connect();
    }

    fn hdl(&self) -> Verilog {
        let lanes = (0..N).map(|lane| lane_of::<N>("x", Self::source(lane)));
        Verilog::Custom(format!("assign y = {};\n", concat(lanes)))
    }
}

/// Shifts a plane up by so many lanes, over the end: lane `i` of `y` is lane `i - by` of `x`, and clear below.
#[derive(LogicBlock, Default)]
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
        let by = self._by;
        Verilog::Custom(if by >= N {
            format!("wire {}unused_x = x;\nassign y = {N}'h0;\n", range(N))
        } else {
            let top = range(by);
            let rest = if N - by == 1 {
                "x[0]".to_string()
            } else {
                format!("x[{}:0]", N - by - 1)
            };
            let lost = if by == 1 {
                format!("x[{}]", N - 1)
            } else {
                format!("x[{}:{}]", N - 1, N - by)
            };
            format!("wire {top}unused_x = {lost};\nassign y = {{{rest}, {by}'h0}};\n")
        })
    }
}

/// Exchanges the lanes whose numbers differ by `distance`, in each of `T / N` planes: lane `i` of `y` is lane `i ^ distance`
/// of `x`. With a distance of `N` or more it exchanges nothing.
#[derive(LogicBlock, Default)]
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
        Verilog::Custom(if distance < N {
            let lower = lanes_without::<N>(distance);
            format!(
                "assign y = ((x & {{{planes}{{{lower}}}}}) << {distance}) | ((x >> {distance}) & {{{planes}{{{lower}}}}});\n",
                planes = T / N,
            )
        } else {
            "assign y = x;\n".to_string()
        })
    }
}

/// The lanes of a plane whose number has this bit clear, as a Verilog literal. `bit` is a power of two below `N`.
fn lanes_without<const N: usize>(bit: usize) -> String {
    let word = (0..N)
        .filter(|lane| lane & bit == 0)
        .fold(0u64, |word, lane| word | 1 << lane);
    format!("{N}'h{word:x}")
}

/// The sum of two numbers of `W` bits, and its carry.
#[derive(LogicBlock, Default)]
pub struct Add<const W: usize> {
    pub a: Signal<In, Bits<W>>,
    pub b: Signal<In, Bits<W>>,
    pub sum: Signal<Out, Bits<W>>,
    pub carry: Signal<Out, Bit>,
}

impl<const W: usize> Logic for Add<W> {
    fn update(&mut self) {
        let sum = self.a.val().to_u64() + self.b.val().to_u64();
        self.sum.next = (sum & ((1 << W) - 1)).into();
        self.carry.next = sum >> W != 0;
    }

    fn connect(&mut self) {
        self.sum.connect();
        self.carry.connect();
    }

    fn hdl(&self) -> Verilog {
        Verilog::Custom("assign {carry, sum} = a + b;\n".to_string())
    }
}

/// A vector from its bits.
#[derive(LogicBlock)]
pub struct Join<const W: usize> {
    pub x: [Signal<In, Bit>; W],
    pub y: Signal<Out, Bits<W>>,
}

impl<const W: usize> Default for Join<W> {
    fn default() -> Self {
        Self {
            x: std::array::from_fn(|_| Default::default()),
            y: Default::default(),
        }
    }
}

impl<const W: usize> Logic for Join<W> {
    fn update(&mut self) {
        self.y.next = from_bits(|bit| self.x[bit].val());
    }

    fn connect(&mut self) {
        self.y.connect();
    }

    fn hdl(&self) -> Verilog {
        Verilog::Custom(format!(
            "assign y = {};\n",
            concat((0..W).map(|bit| format!("x${bit}")))
        ))
    }
}

/// A vector and its lowest bit or'ed with another bit.
#[derive(LogicBlock, Default)]
pub struct OrLowest<const W: usize> {
    pub x: Signal<In, Bits<W>>,
    pub mark: Signal<In, Bit>,
    pub y: Signal<Out, Bits<W>>,
}

impl<const W: usize> Logic for OrLowest<W> {
    fn update(&mut self) {
        let x = self.x.val();
        self.y.next = x.replace_bit(0, x.get_bit(0) | self.mark.val());
    }

    fn connect(&mut self) {
        self.y.connect();
    }

    fn hdl(&self) -> Verilog {
        Verilog::Custom(format!("assign y = mark ? (x | {W}'h1) : x;\n"))
    }
}

/// A range in a declaration of so many bits, with a space behind it; nothing for one bit.
fn range(width: usize) -> String {
    if width == 1 {
        String::new()
    } else {
        format!("[{}:0] ", width - 1)
    }
}

/// A vector from a function of the bit. To set the bits of a wide vector one by one would copy it each time.
pub fn from_bits<const W: usize>(bit: impl Fn(usize) -> bool) -> Bits<W> {
    match Bits::<W>::default() {
        Bits::Long(_) => Bits::Long(BitVec::from(std::array::from_fn(bit))),
        Bits::Short(_) => (0..W)
            .fold(0, |word, index| word | u64::from(bit(index)) << index)
            .into(),
    }
}

/// A Verilog concatenation whose least significant part comes first in `parts`.
pub fn concat(parts: impl DoubleEndedIterator<Item = String>) -> String {
    let parts: Vec<String> = parts.rev().collect();
    format!("{{{}}}", parts.join(", "))
}

/// Lane `lane` of the plane `name`: a plane of one lane is a scalar in Verilog and has no index.
pub fn lane_of<const N: usize>(name: &str, lane: usize) -> String {
    if N == 1 {
        name.to_string()
    } else {
        format!("{name}[{lane}]")
    }
}
