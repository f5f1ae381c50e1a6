//! Registers that keep a beat until the next one fills them, and what tells all lanes of a wide beat to do something.
//!
//! One signal that fills all lanes would drive thousands of registers all over the device, and be the slowest of all. So it spreads in
//! two clocks ([`Spread`]): to every sixteen lanes, and to every four of these, each with a register of its own beside them.

use crate::primitives::wires::{Broadcast, concat, from_bits, lane_of, range};
use rust_hdl::prelude::*;

/// Lanes that one register of the last [`Groups`] is for.
const GROUP: usize = 4;
/// And of those before.
pub const REGION: usize = 16;

/// `x` a clock later, from a register for each `G` lanes: all of these are as the first of them.
///
/// `never_1` and `never_2` are planes that are set together in no lane. No tool can know that, so none takes the registers for one and
/// the same and merges them.
#[derive(LogicBlock, Default)]
pub struct Groups<const N: usize, const G: usize> {
    pub clock: Signal<In, Clock>,
    pub x: Signal<In, Bits<N>>,
    pub never_1: Signal<In, Bits<N>>,
    pub never_2: Signal<In, Bits<N>>,
    pub y: Signal<Out, Bits<N>>,
    _groups: Bits<N>,
}

impl<const N: usize, const G: usize> Logic for Groups<N, G> {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            let set = self.x.val() & !(self.never_1.val() & self.never_2.val());
            self._groups = from_bits(|lane| set.get_bit(lane / G * G));
        }
        self.y.next = self._groups;
    }

    fn connect(&mut self) {
        self.y.connect();
    }

    fn hdl(&self) -> Verilog {
        let group = G.min(N);
        let groups = N.div_ceil(group);
        let firsts = |plane: &str| {
            let first = |index: usize| lane_of::<N>(plane, group * index);
            concat((0..groups).map(first))
        };
        let lanes = (0..N).map(|lane| match groups {
            1 => "of_group".to_string(),
            _ => format!("of_group[{}]", lane / group),
        });
        Verilog::Custom(format!(
            "reg {range}of_group;\n\
             initial of_group = {groups}'h0;\n\
             wire [{top}:0] unused = {{x, never_1, never_2}};\n\
             always @(posedge clock) of_group <= {} & ~({} & {});\n\
             assign y = {};\n",
            firsts("x"),
            firsts("never_1"),
            firsts("never_2"),
            concat(lanes),
            range = range(groups),
            top = 3 * N - 1,
        ))
    }
}

/// `x` in every lane, two clocks later.
#[derive(LogicBlock, Default)]
pub struct Spread<const N: usize> {
    pub clock: Signal<In, Clock>,
    pub x: Signal<In, Bit>,
    /// As [`Groups`] has them; in the first clock and in the second.
    pub never_1: [Signal<In, Bits<N>>; 2],
    pub never_2: [Signal<In, Bits<N>>; 2],
    pub y: Signal<Out, Bits<N>>,
    every: Broadcast<N>,
    regions: Groups<N, REGION>,
    groups: Groups<N, GROUP>,
}

impl<const N: usize> Logic for Spread<N> {
    #[hdl_gen]
    fn update(&mut self) {
        self.every.x.next = self.x.val();
        self.regions.clock.next = self.clock.val();
        self.regions.x.next = self.every.y.val();
        self.groups.clock.next = self.clock.val();
        self.groups.x.next = self.regions.y.val();
        for i in 0..1 {
            self.regions.never_1.next = self.never_1[i].val();
            self.regions.never_2.next = self.never_2[i].val();
        }
        for i in 1..2 {
            self.groups.never_1.next = self.never_1[i].val();
            self.groups.never_2.next = self.never_2[i].val();
        }
        self.y.next = self.groups.y.val();
    }
}

/// `T / N` planes that are those of `x` from the clock after their lanes are set in `fill`.
#[derive(LogicBlock, Default)]
pub struct Held<const N: usize, const T: usize> {
    pub clock: Signal<In, Clock>,
    /// Every four lanes are alike.
    pub fill: Signal<In, Bits<N>>,
    pub x: Signal<In, Bits<T>>,
    pub y: Signal<Out, Bits<T>>,
    _held: Bits<T>,
}

impl<const N: usize, const T: usize> Logic for Held<N, T> {
    fn update(&mut self) {
        const { assert!(T.is_multiple_of(N)) }
        if self.clock.pos_edge() {
            let (fill, x, held) = (self.fill.val(), self.x.val(), self._held);
            self._held = from_bits(|bit| {
                let from = if fill.get_bit(bit % N) { x } else { held };
                from.get_bit(bit)
            });
        }
        self.y.next = self._held;
    }

    fn connect(&mut self) {
        self.y.connect();
    }

    fn hdl(&self) -> Verilog {
        let mut text = format!("reg {}held;\ninitial held = {T}'h0;\n", range(T));
        if N > 1 {
            text += &format!("wire {}unused_fill = fill;\n", range(N));
        }
        text += "always @(posedge clock) begin\n";
        for lane in (0..N).step_by(GROUP) {
            text += &format!("if ({}) begin\n", lane_of::<N>("fill", lane));
            if N <= GROUP {
                text += "held <= x;\n";
            } else {
                let lanes = GROUP.min(N - lane);
                for low in (lane..T).step_by(N) {
                    let bits = match lanes {
                        1 => format!("[{low}]"),
                        _ => format!("[{}:{low}]", low + lanes - 1),
                    };
                    text += &format!("held{bits} <= x{bits};\n");
                }
            }
            text += "end\n";
        }
        text += "end\nassign y = held;\n";
        Verilog::Custom(text)
    }
}
