//! Registers that keep a beat until the next one fills them, and the fan-out of a signal to all lanes of a wide beat.
//!
//! One signal that fills all lanes would drive thousands of registers all over the device, and be the slowest of all. So it spreads in
//! two clocks ([`Spread`]): to one register, and to every four lanes, each with a register of its own beside them. More than sixteen
//! lanes are so far from each other that the way takes two clocks more: there it spreads at once, and what follows is distance only
//! ([`Far`]).

use crate::primitives::blank;
use crate::primitives::wires::Broadcast;
use crate::verilog::{Body, Run, bit, bits, concat, name, repeat, set, set_bits, when};
use hdl_macros::{Blank, Block, Described, logic};
use rust_hdl::prelude::*;

/// Lanes that one of the last registers is for.
const GROUP: usize = 4;
/// And of those before.
pub const REGION: usize = 16;

/// Whether a number of lanes is so large that not all are near to each other.
pub const fn is_far(lanes: usize) -> bool {
    lanes > REGION
}

/// `x` a clock later, from a register for each `G` lanes: all of these are as the first of them.
///
/// A tool would see that they are alike and merge them. So each has a term with itself: it stays clear once `never` was set. That is
/// so in no clock, but only who looks at all that was before can know. `never` is a register of an earlier stage, so that in the first
/// reset it is defined before `x` is.
#[derive(Block, Blank, Described)]
pub struct Groups<const N: usize, const G: usize> {
    pub clock: Signal<In, Clock>,
    pub x: Signal<In, Bits<N>>,
    pub never: Signal<In, Bit>,
    pub y: Signal<Out, Bits<N>>,
    _run: Run,
}

impl<const N: usize, const G: usize> Groups<N, G> {
    fn body(&self, body: Body) -> Body {
        let group = G.min(N);
        let groups = N.div_ceil(group);
        let firsts = (0..groups).map(|index| bit("x", group * index));
        let lanes = (0..N).map(|lane| bit("of_group", lane / group));
        let kept = name("of_group") | repeat(groups, !name("never"));
        body.register(
            "of_group",
            groups,
            "For each group of lanes; they stay apart for `never`.",
        )
        .at_clock(set("of_group", concat(firsts) & kept))
        .assign("y", concat(lanes))
    }
}

/// Brings `x` to every lane in some clocks (`CLOCKS`), through registers for each group of lanes: first where `x` is, and the last ones beside their lanes.
///
/// Registers that are alike would be merged: each has a term with itself, and stays clear once `never` was set, which it never is.
#[derive(Block, Blank, Described)]
pub struct Far<const N: usize, const CLOCKS: usize> {
    pub clock: Signal<In, Clock>,
    pub x: Signal<In, Bit>,
    pub never: Signal<In, Bit>,
    pub y: Signal<Out, Bits<N>>,
    _run: Run,
}

impl<const N: usize, const CLOCKS: usize> Far<N, CLOCKS> {
    fn body(&self, mut body: Body) -> Body {
        let groups = N.div_ceil(GROUP);
        let after = |clocks: usize| format!("after_{clocks}");
        for clocks in 1..=CLOCKS {
            let next = match clocks {
                1 => repeat(groups, name("x")) & (name(after(1)) | repeat(groups, !name("never"))),
                _ => name(after(clocks - 1)),
            };
            body = body
                .register(
                    after(clocks),
                    groups,
                    "For each four lanes, a clock nearer to them each.",
                )
                .at_clock(set(after(clocks), next));
        }
        let lanes = (0..N).map(|lane| bit(after(CLOCKS), lane / GROUP));
        body.assign("y", concat(lanes))
    }
}

/// Brings `x` to every lane in two clocks.
#[derive(Block)]
pub struct Spread<const N: usize> {
    pub clock: Signal<In, Clock>,
    pub x: Signal<In, Bit>,
    /// What `x` is two clocks later. Far lanes need it, near ones do not look at it.
    pub early: Signal<In, Bit>,
    /// Never set: it keeps registers that are alike from being merged ([`Groups`]).
    pub never: Signal<In, Bit>,
    pub y: Signal<Out, Bits<N>>,
    is_far: Constant<Bit>,
    every: Broadcast<N>,
    regions: Groups<N, REGION>,
    groups: Groups<N, GROUP>,
    far: Far<N, 4>,
}

impl<const N: usize> Default for Spread<N> {
    fn default() -> Self {
        Self {
            is_far: Constant::new(is_far(N)),
            far: blank(),
            clock: blank(),
            x: blank(),
            early: blank(),
            never: blank(),
            y: blank(),
            every: blank(),
            regions: blank(),
            groups: blank(),
        }
    }
}

impl<const N: usize> Logic for Spread<N> {
    #[logic]
    fn update(&mut self) {
        self.every.x.next = self.x.val();
        self.regions.clock.next = self.clock.val();
        self.regions.x.next = self.every.y.val();
        self.groups.clock.next = self.clock.val();
        self.groups.x.next = self.regions.y.val();
        self.far.clock.next = self.clock.val();
        self.far.x.next = self.early.val();
        self.regions.never.next = self.never.val();
        self.groups.never.next = self.never.val();
        self.far.never.next = self.never.val();
        if self.is_far.val() {
            self.y.next = self.far.y.val();
        } else {
            self.y.next = self.groups.y.val();
        }
    }
}

/// Planes that are those of `x` from the clock after their lanes are set in `fill`. There are `T / N`.
#[derive(Block, Blank, Described)]
pub struct Held<const N: usize, const T: usize> {
    pub clock: Signal<In, Clock>,
    /// Every four lanes are alike.
    pub fill: Signal<In, Bits<N>>,
    pub x: Signal<In, Bits<T>>,
    pub y: Signal<Out, Bits<T>>,
    _run: Run,
}

impl<const N: usize, const T: usize> Held<N, T> {
    fn body(&self, mut body: Body) -> Body {
        const { assert!(T.is_multiple_of(N)) }
        body = body.register(
            "held",
            T,
            "The planes, from the clock on in which their lanes were filled.",
        );
        for lane in (0..N).step_by(GROUP) {
            let lanes = GROUP.min(N - lane);
            let filled = if N <= GROUP {
                vec![set("held", name("x"))]
            } else {
                let planes = (lane..T).step_by(N);
                planes
                    .map(|low| set_bits("held", low, lanes, bits("x", low, lanes)))
                    .collect()
            };
            body = body.at_clock(when(bit("fill", lane), filled));
        }
        body.assign("y", name("held"))
    }
}
