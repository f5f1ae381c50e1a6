//! What passes from beat to beat, and what is later by some clocks.

use super::wires::{Join, LaneShift};
use crate::primitives::{blank, blanks, several};
use hdl_macros::{Blank, Block, logic};
use rust_hdl::prelude::*;

/// Planes one *byte* later in the stream: lane `i` of `y` is lane `i - 1` of `x`, and lane 0 is the top lane of the beat before,
/// be that of the same packet or not. `T` is the width of all `P` planes. `advance` marks a clock in which `x` belongs to a beat.
///
/// This register and that of [`PlaneLag`] are all that passes from beat to beat.
#[derive(Block, Blank)]
pub struct Lag<const T: usize, const P: usize> {
    pub clock: Signal<In, Clock>,
    pub advance: Signal<In, Bit>,
    pub x: Signal<In, Bits<T>>,
    pub y: Signal<Out, Bits<T>>,
    carried: DFF<Bits<P>>,
    shift: LaneShift<T, P>,
}

impl<const T: usize, const P: usize> Logic for Lag<T, P> {
    #[logic]
    fn update(&mut self) {
        dff_setup!(self, clock, carried);
        self.shift.x.next = self.x.val();
        self.shift.lower.next = self.carried.q.val();
        self.y.next = self.shift.y.val();
        if self.advance.val() {
            self.carried.d.next = self.shift.top.val();
        }
    }
}

/// A [`Lag`] of one plane, whose lane 0 is clear in a packet's first beat if `clear` marks the beat before.
///
/// Written as a sum of products, for the way to a register's own enable or clear is longer than through a LUT on iCE40.
#[derive(Block, Blank)]
pub struct PlaneLag<const N: usize> {
    pub clock: Signal<In, Clock>,
    pub advance: Signal<In, Bit>,
    pub clear: Signal<In, Bit>,
    pub x: Signal<In, Bits<N>>,
    pub y: Signal<Out, Bits<N>>,
    carried: DFF<Bit>,
    shift: LaneShift<N, 1>,
    lower: Join<1>,
}

impl<const N: usize> Logic for PlaneLag<N> {
    #[logic]
    fn update(&mut self) {
        dff_setup!(self, clock, carried);
        self.shift.x.next = self.x.val();
        for i in 0..1 {
            self.lower.x[i].next = self.carried.q.val();
        }
        self.shift.lower.next = self.lower.y.val();
        self.y.next = self.shift.y.val();
        self.carried.d.next = (self.advance.val() & !self.clear.val() & self.shift.top.val().any())
            | (!self.advance.val() & self.carried.q.val());
    }
}

/// `x`, `D` clocks later.
#[derive(Block)]
pub struct Delay<T: Synth, const D: usize> {
    pub clock: Signal<In, Clock>,
    pub x: Signal<In, T>,
    pub y: Signal<Out, T>,
    stage: Vec<DFF<T>>,
}

impl<T: Synth, const D: usize> Default for Delay<T, D> {
    fn default() -> Self {
        Self {
            clock: blank(),
            x: blank(),
            y: blank(),
            stage: blanks(D),
        }
    }
}

impl<T: Synth, const D: usize> Logic for Delay<T, D> {
    #[logic]
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

/// Whether `D` clocks have passed since the last reset.
#[derive(Block)]
pub struct Rested<const D: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub y: Signal<Out, Bit>,
    stage: Vec<DFF<Bit>>,
}

impl<const D: usize> Default for Rested<D> {
    fn default() -> Self {
        Self {
            clock: blank(),
            reset: blank(),
            y: blank(),
            stage: blanks(D),
        }
    }
}

impl<const D: usize> Logic for Rested<D> {
    // A register with a clear input, which synthesis sees in this form only.
    #[expect(clippy::needless_bool_assign)]
    #[logic]
    fn update(&mut self) {
        for i in 0..D {
            self.stage[i].clock.next = self.clock.val();
        }
        for i in 0..1 {
            if self.reset.val() {
                self.stage[i].d.next = false;
            } else {
                self.stage[i].d.next = true;
            }
        }
        for i in 1..D {
            if self.reset.val() {
                self.stage[i].d.next = false;
            } else {
                self.stage[i].d.next = self.stage[i - 1].q.val();
            }
        }
        for i in 0..D {
            self.y.next = self.stage[i].q.val();
        }
    }
}

/// `x`, a number of clocks from 0 to `D` later that is chosen when it is built.
#[derive(Block)]
pub struct Late<T: Synth, const D: usize> {
    pub clock: Signal<In, Clock>,
    pub x: Signal<In, T>,
    pub y: Signal<Out, T>,
    stage: Vec<DFF<T>>,
    tap: Vec<Signal<Local, T>>,
    there: Vec<Constant<Bit>>,
}

impl<T: Synth, const D: usize> Late<T, D> {
    pub fn new(clocks: usize) -> Self {
        assert!(clocks <= D);
        Self {
            clock: blank(),
            x: blank(),
            y: blank(),
            stage: blanks(D),
            tap: blanks(D),
            there: several(D, |stage| Constant::new(stage < clocks)),
        }
    }
}

impl<T: Synth, const D: usize> Logic for Late<T, D> {
    #[logic]
    fn update(&mut self) {
        for i in 0..D {
            self.stage[i].clock.next = self.clock.val();
        }
        for i in 0..1 {
            self.stage[i].d.next = self.x.val();
            if self.there[i].val() {
                self.tap[i].next = self.stage[i].q.val();
            } else {
                self.tap[i].next = self.x.val();
            }
        }
        for i in 1..D {
            self.stage[i].d.next = self.tap[i - 1].val();
            if self.there[i].val() {
                self.tap[i].next = self.stage[i].q.val();
            } else {
                self.tap[i].next = self.tap[i - 1].val();
            }
        }
        for i in 0..D {
            self.y.next = self.tap[i].val();
        }
    }
}

/// A [`Late`] that marks beats: a reset clears what is on the way.
#[derive(Block)]
pub struct LateValid<const D: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub x: Signal<In, Bit>,
    pub y: Signal<Out, Bit>,
    stage: Vec<DFF<Bit>>,
    tap: Vec<Signal<Local, Bit>>,
    there: Vec<Constant<Bit>>,
}

impl<const D: usize> LateValid<D> {
    pub fn new(clocks: usize) -> Self {
        assert!(clocks <= D);
        Self {
            clock: blank(),
            reset: blank(),
            x: blank(),
            y: blank(),
            stage: blanks(D),
            tap: blanks(D),
            there: several(D, |stage| Constant::new(stage < clocks)),
        }
    }
}

impl<const D: usize> Logic for LateValid<D> {
    #[logic]
    fn update(&mut self) {
        for i in 0..D {
            self.stage[i].clock.next = self.clock.val();
        }
        for i in 0..1 {
            self.stage[i].d.next = self.x.val();
            if self.there[i].val() {
                self.tap[i].next = self.stage[i].q.val();
            } else {
                self.tap[i].next = self.x.val();
            }
        }
        for i in 1..D {
            self.stage[i].d.next = self.tap[i - 1].val();
            if self.there[i].val() {
                self.tap[i].next = self.stage[i].q.val();
            } else {
                self.tap[i].next = self.tap[i - 1].val();
            }
        }
        if self.reset.val() {
            for i in 0..D {
                self.stage[i].d.next = false;
            }
        }
        for i in 0..D {
            self.y.next = self.tap[i].val();
        }
    }
}
