//! The few blocks that Rust-HDL cannot express or does not have: wiring between lanes, and a memory.
//!
//! Everything here but [`Lag`] and [`Delay`] is `Verilog::Custom`, so each states its wires twice, once for the
//! embedded simulator and once as Verilog. The lockstep of all engines against the cycle model keeps the two equal.
//!
//! A *plane* is a `Bits<N>` vector in which bit `i` belongs to lane `i`, that is, to byte `i` of the beat.

use crate::layout::SCALAR_BITS;
use rust_hdl::prelude::*;

/// Shifts lanes of `W` bits one lane up: lane `i` of `y` is lane `i - 1` of `x`; lane 0 is `lower`; `top` is the lane
/// shifted out. `T` is the width of all lanes.
#[derive(LogicBlock, Default)]
pub struct LaneShift<const T: usize, const W: usize> {
    pub x: Signal<In, Bits<T>>,
    pub lower: Signal<In, Bits<W>>,
    pub y: Signal<Out, Bits<T>>,
    pub top: Signal<Out, Bits<W>>,
}

impl<const T: usize, const W: usize> Logic for LaneShift<T, W> {
    fn update(&mut self) {
        let x = self.x.val();
        let mut y = x << W as u64;
        for bit in 0..W {
            y = y.replace_bit(bit, self.lower.val().get_bit(bit));
        }
        self.y.next = y;
        self.top.next = x.get_bits::<W>(T - W);
    }

    fn connect(&mut self) {
        self.y.connect();
        self.top.connect();
    }

    fn hdl(&self) -> Verilog {
        Verilog::Custom(if T == W {
            "assign y = lower;\nassign top = x;\n".to_string()
        } else {
            format!(
                "assign y = {{x[{}:0], lower}};\nassign top = x[{}:{}];\n",
                T - W - 1,
                T - 1,
                T - W
            )
        })
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

/// Lanes of `W` bits one *byte* later in the stream: lane `i` of `y` is lane `i - 1` of `x`, lane 0 is the top lane of the
/// beat before in the same packet, and clear in a packet's first beat.
///
/// This register is all that passes from beat to beat. `advance` marks a clock in which `x` belongs to a beat, `clear`
/// one after which a new packet begins.
#[derive(LogicBlock, Default)]
pub struct Lag<const T: usize, const W: usize> {
    pub clock: Signal<In, Clock>,
    pub advance: Signal<In, Bit>,
    pub clear: Signal<In, Bit>,
    pub x: Signal<In, Bits<T>>,
    pub y: Signal<Out, Bits<T>>,
    carried: DFF<Bits<W>>,
    shift: LaneShift<T, W>,
}

impl<const T: usize, const W: usize> Logic for Lag<T, W> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, carried);
        self.shift.x.next = self.x.val();
        self.shift.lower.next = self.carried.q.val();
        self.y.next = self.shift.y.val();
        if self.clear.val() {
            self.carried.d.next = 0.into();
        } else if self.advance.val() {
            self.carried.d.next = self.shift.top.val();
        }
    }
}

/// A [`Lag`] of a plane: the neighbour below in the stream.
pub type PlaneLag<const N: usize> = Lag<N, 1>;

/// `x`, `D` clocks later.
#[derive(LogicBlock)]
pub struct Delay<T: Synth, const D: usize> {
    pub clock: Signal<In, Clock>,
    pub x: Signal<In, T>,
    pub y: Signal<Out, T>,
    stage: [DFF<T>; D],
}

impl<T: Synth, const D: usize> Default for Delay<T, D> {
    fn default() -> Self {
        Self {
            clock: Default::default(),
            x: Default::default(),
            y: Default::default(),
            stage: std::array::from_fn(|_| Default::default()),
        }
    }
}

impl<T: Synth, const D: usize> Logic for Delay<T, D> {
    #[hdl_gen]
    fn update(&mut self) {
        for i in 0..D {
            self.stage[i].clock.next = self.clock.val();
        }
        for i in 0..1 {
            self.stage[i].d.next = self.x.val();
        }
        for i in 1..D {
            self.stage[i].d.next = self.stage[i - 1].q.val();
        }
        // The last turn is the one that counts: the subset has no index but a loop's.
        for i in 0..D {
            self.y.next = self.stage[i].q.val();
        }
    }
}

/// The bit planes of a beat: lane `i` of `b3` is bit 3 of byte `i` of `data`. `DATA` is `8 * N`.
#[derive(LogicBlock, Default)]
pub struct BytePlanes<const N: usize, const DATA: usize> {
    pub data: Signal<In, Bits<DATA>>,
    pub b0: Signal<Out, Bits<N>>,
    pub b1: Signal<Out, Bits<N>>,
    pub b2: Signal<Out, Bits<N>>,
    pub b3: Signal<Out, Bits<N>>,
    pub b4: Signal<Out, Bits<N>>,
    pub b5: Signal<Out, Bits<N>>,
    pub b6: Signal<Out, Bits<N>>,
    pub b7: Signal<Out, Bits<N>>,
}

impl<const N: usize, const DATA: usize> BytePlanes<N, DATA> {
    fn outputs(&mut self) -> [&mut Signal<Out, Bits<N>>; 8] {
        [
            &mut self.b0,
            &mut self.b1,
            &mut self.b2,
            &mut self.b3,
            &mut self.b4,
            &mut self.b5,
            &mut self.b6,
            &mut self.b7,
        ]
    }
}

impl<const N: usize, const DATA: usize> Logic for BytePlanes<N, DATA> {
    fn update(&mut self) {
        const { assert!(DATA == 8 * N) }
        let data = self.data.val();
        for (bit, plane) in self.outputs().into_iter().enumerate() {
            let mut lanes = Bits::<N>::default();
            for lane in 0..N {
                lanes = lanes.replace_bit(lane, data.get_bit(8 * lane + bit));
            }
            plane.next = lanes;
        }
    }

    fn connect(&mut self) {
        self.outputs().into_iter().for_each(|plane| plane.connect());
    }

    fn hdl(&self) -> Verilog {
        let plane = |bit| concat((0..N).map(|lane| format!("data[{}]", 8 * lane + bit)));
        Verilog::Custom(
            (0..8)
                .map(|bit| format!("assign b{bit} = {};\n", plane(bit)))
                .collect(),
        )
    }
}

/// The scalar words of a beat from their bit planes: bits `21 * i + 20 .. 21 * i` of `y` belong to lane `i`.
/// `SCALARS` is `21 * N`.
#[derive(LogicBlock)]
pub struct ScalarWords<const N: usize, const SCALARS: usize> {
    pub v: [Signal<In, Bits<N>>; SCALAR_BITS],
    pub y: Signal<Out, Bits<SCALARS>>,
}

impl<const N: usize, const SCALARS: usize> Default for ScalarWords<N, SCALARS> {
    fn default() -> Self {
        Self {
            v: std::array::from_fn(|_| Default::default()),
            y: Default::default(),
        }
    }
}

impl<const N: usize, const SCALARS: usize> Logic for ScalarWords<N, SCALARS> {
    fn update(&mut self) {
        const { assert!(SCALARS == SCALAR_BITS * N) }
        let mut words = Bits::<SCALARS>::default();
        for (bit, plane) in self.v.iter().enumerate() {
            for lane in 0..N {
                words = words.replace_bit(SCALAR_BITS * lane + bit, plane.val().get_bit(lane));
            }
        }
        self.y.next = words;
    }

    fn connect(&mut self) {
        self.y.connect();
    }

    fn hdl(&self) -> Verilog {
        let bits = (0..N).flat_map(|lane| {
            (0..SCALAR_BITS).map(move |bit| lane_of::<N>(&format!("v${bit}"), lane))
        });
        Verilog::Custom(format!(
            "assign y = {};\n",
            concat(bits.collect::<Vec<_>>().into_iter())
        ))
    }
}

/// Each lane's bit of a plane, repeated over the lane's `T / N` bits.
#[derive(LogicBlock, Default)]
pub struct Widen<const N: usize, const T: usize> {
    pub x: Signal<In, Bits<N>>,
    pub y: Signal<Out, Bits<T>>,
}

impl<const N: usize, const T: usize> Logic for Widen<N, T> {
    fn update(&mut self) {
        let mut y = Bits::<T>::default();
        for bit in 0..T {
            y = y.replace_bit(bit, self.x.val().get_bit(bit / (T / N)));
        }
        self.y.next = y;
    }

    fn connect(&mut self) {
        self.y.connect();
    }

    fn hdl(&self) -> Verilog {
        let lanes = (0..N).map(|lane| format!("{{{}{{{}}}}}", T / N, lane_of::<N>("x", lane)));
        Verilog::Custom(format!("assign y = {};\n", concat(lanes)))
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

/// A memory of `2^A` words with one write port and one combinational read port; not reset.
#[derive(LogicBlock, Default)]
pub struct Memory<const W: usize, const A: usize> {
    pub clock: Signal<In, Clock>,
    pub write: Signal<In, Bit>,
    pub write_address: Signal<In, Bits<A>>,
    pub write_data: Signal<In, Bits<W>>,
    pub read_address: Signal<In, Bits<A>>,
    pub read_data: Signal<Out, Bits<W>>,
    _words: Vec<Bits<W>>,
}

impl<const W: usize, const A: usize> Logic for Memory<W, A> {
    fn update(&mut self) {
        self._words.resize(1 << A, Default::default());
        if self.clock.pos_edge() && self.write.val() {
            let address = self.write_address.val().to_u64() as usize;
            self._words[address] = self.write_data.val();
        }
        self.read_data.next = self._words[self.read_address.val().to_u64() as usize];
    }

    fn connect(&mut self) {
        self.read_data.connect();
    }

    fn hdl(&self) -> Verilog {
        Verilog::Custom(format!(
            "reg [{}:0] words [0:{}];\n\
             always @(posedge clock) if (write) words[write_address] <= write_data;\n\
             assign read_data = words[read_address];\n",
            W - 1,
            (1 << A) - 1
        ))
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
