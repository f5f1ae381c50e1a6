//! What passes from beat to beat, and what is later by some clocks.

use crate::primitives::blank;
use crate::verilog::{
    Body, Run, Statement, answer, bit, bits, concat, name, set, when, width, zero,
};
use hdl_macros::{Blank, Block, Described, once};
use rust_hdl::prelude::*;

/// Planes one *byte* later in the stream: lane `i` of `y` is lane `i - 1` of `x`, and lane 0 is the top lane of the beat before,
/// be that of the same packet or not. `T` is the width of all `P` planes. `advance` marks a clock in which `x` belongs to a beat.
///
/// This register and that of [`PlaneLag`] are all that passes from beat to beat.
#[derive(Blank, Block, Described)]
pub struct Lag<const T: usize, const P: usize> {
    pub clock: Signal<In, Clock>,
    pub advance: Signal<In, Bit>,
    pub x: Signal<In, Bits<T>>,
    pub y: Signal<Out, Bits<T>>,
    _run: Run,
}

/// What a register of [`Lag`] and [`PlaneLag`] holds.
const CARRIED: &str = "The top lane of the beat before, which is before lane 0.";

impl<const T: usize, const P: usize> Lag<T, P> {
    #[once(T, P)]
    fn body(&self, body: Body) -> Body {
        const { assert!(T.is_multiple_of(P)) }
        let lanes = T / P;
        let top = (0..P).map(|plane| bit("x", lanes * (plane + 1) - 1));
        let shifted = (0..P).flat_map(|plane| {
            let rest = bits("x", lanes * plane, lanes - 1);
            [bit("carried", plane), rest]
        });
        body.register("carried", P, CARRIED)
            .at_clock(when(name("advance"), vec![set("carried", concat(top))]))
            .assign("y", concat(shifted))
    }
}

/// A [`Lag`] of one plane, whose lane 0 is clear in a packet's first beat if `clear` marks the beat before.
///
/// Written as a sum of products, for the way to a register's own enable or clear is longer than through a LUT on iCE40.
#[derive(Blank, Block, Described)]
pub struct PlaneLag<const N: usize> {
    pub clock: Signal<In, Clock>,
    pub advance: Signal<In, Bit>,
    pub clear: Signal<In, Bit>,
    pub x: Signal<In, Bits<N>>,
    pub y: Signal<Out, Bits<N>>,
    _run: Run,
}

impl<const N: usize> PlaneLag<N> {
    fn body(&self, body: Body) -> Body {
        let [advance, clear, carried] = ["advance", "clear", "carried"].map(name);
        let top = advance.clone() & !clear & bit("x", N - 1);
        body.later("carried", 1, CARRIED, top | (!advance & carried.clone()))
            .assign("y", concat([carried, bits("x", 0, N - 1)]))
    }
}

/// `x`, a number of clocks later that is chosen when it is built.
#[derive(Block)]
pub struct DelayLine<T: Synth> {
    pub clock: Signal<In, Clock>,
    pub x: Signal<In, T>,
    pub y: Signal<Out, T>,
    /// What came in the clocks before, the newest first.
    _past: Vec<T>,
}

impl<T: Synth> DelayLine<T> {
    pub fn new(clocks: usize) -> Self {
        Self {
            clock: blank(),
            x: blank(),
            y: blank(),
            _past: vec![T::default(); clocks],
        }
    }
}

impl<T: Synth> Logic for DelayLine<T> {
    fn update(&mut self) {
        let x = self.x.val();
        if self.clock.pos_edge() {
            self._past.insert(0, x);
            self._past.pop();
        }
        self.y.next = self._past.last().copied().unwrap_or(x);
    }

    fn connect(&mut self) {
        self.y.connect();
    }

    fn hdl(&self) -> Verilog {
        let clocks = self._past.len();
        answer(Body::new(Self::ABOUT).delay(width::<T>(), clocks))
    }
}

/// A [`DelayLine`] that marks beats: a reset clears what is on the way.
#[derive(Blank, Block, Described)]
pub struct ValidDelayLine {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub x: Signal<In, Bit>,
    pub y: Signal<Out, Bit>,
    _clocks: usize,
    _run: Run,
}

impl ValidDelayLine {
    pub fn new(clocks: usize) -> Self {
        Self {
            _clocks: clocks,
            ..blank()
        }
    }

    fn body(&self, body: Body) -> Body {
        let clocks = self._clocks;
        if clocks == 0 {
            return body.assign("y", name("x"));
        }
        let later = concat([name("x"), bits("clocks", 0, clocks - 1)]);
        let doc = "What came in the clocks before, the newest lowest.";
        body.register("clocks", clocks, doc)
            .at_clock(Statement::If {
                test: name("reset"),
                then: vec![set("clocks", zero(clocks))],
                otherwise: vec![set("clocks", later)],
            })
            .assign("y", bit("clocks", clocks - 1))
    }
}
