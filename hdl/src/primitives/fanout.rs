//! Registers that keep a beat until the next one fills them, and the fan-out of a signal to all lanes of a wide beat.
//!
//! One register for all lanes would drive thousands of others all over the device, and be the slowest of all. [`Fanout`] takes up to two
//! clocks: one register, then one for each four lanes, beside them. More than 16 lanes are so far from each other that the way takes two
//! clocks more: there each four lanes have a register at once, and what follows only covers the distance ([`Relay`]). Where the stages on
//! the way have no registers it takes fewer clocks.

use crate::primitives::blank;
use crate::verilog::{
    Body, Expression, Run, Statement, bit, bits, concat, name, repeat, set, set_bits, when, zero,
};
use hdl_macros::{Blank, Block, Described, once};
use rust_hdl::prelude::*;

/// Lanes that one of the last registers is for.
const GROUP: usize = 4;
/// And of those before.
pub const REGION: usize = 16;

/// Whether a number of lanes is so large that not all are near to each other.
pub const fn is_far(lanes: usize) -> bool {
    lanes > REGION
}

/// Whether a reset clears the lanes of a beat that leaves, and not only what says that a beat does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clearing {
    /// Nothing looks at them, or they are far from each other, and those of the slot are cleared as a mark comes by.
    Never,
    AtOnce,
    /// From registers for each four lanes: what leaves is clear from the third clock after the reset on.
    Later,
}

/// What keeps copies of a register apart, which a tool would see are alike and merge: each has a term with itself, and stays clear once
/// `apart` was set. It is set in no clock, but only who looks at all that was before can know. It is a register of an earlier stage,
/// so that in the first reset it is defined before `next` is.
pub fn copies(body: Body, copy: &str, count: usize, doc: &'static str, next: Expression) -> Body {
    copies_kept_by("apart", body, copy, count, doc, next)
}

/// The same, kept apart by a register of another name.
pub fn copies_kept_by(
    apart: &str,
    body: Body,
    copy: &str,
    count: usize,
    doc: &'static str,
    next: Expression,
) -> Body {
    let kept = name(copy) | repeat(count, !name(apart));
    body.later(copy, count, doc, next & kept)
}

/// One copy of a register for each `lanes` lanes: what each lane has of it.
fn of_lanes(all: usize, copy: &str, lanes: usize) -> Expression {
    concat((0..all).map(|lane| bit(copy, lane / lanes)))
}

const OF_GROUP: &str = "For each group of lanes; the copies stay apart by what is never set.";

/// Splits `x` into groups of `lanes` bits; the last group may have fewer. Gives the number of groups and the first bit of each.
fn first_of_each(all: usize, lanes: usize) -> (usize, Expression) {
    let groups = all.div_ceil(lanes);
    let firsts = (0..groups).map(|index| bit("x", lanes * index));
    (groups, concat(firsts))
}

/// `x` a clock later, from a register for each `G` lanes: all of these are as the first of them. In a stage without registers it is `x`.
#[derive(Block, Blank, Described)]
pub struct Replicas<const N: usize, const G: usize> {
    pub clock: Signal<In, Clock>,
    pub x: Signal<In, Bits<N>>,
    pub apart: Signal<In, Bit>,
    pub y: Signal<Out, Bits<N>>,
    _clocks: usize,
    _run: Run,
}

impl<const N: usize, const G: usize> Replicas<N, G> {
    /// In a clock or none.
    pub fn new(clocks: usize) -> Self {
        Self {
            _clocks: clocks,
            ..blank()
        }
    }

    fn body(&self, body: Body) -> Body {
        if self._clocks == 0 {
            return body.assign("y", name("x"));
        }
        let (groups, firsts) = first_of_each(N, G);
        copies(body, "of_group", groups, OF_GROUP, firsts).assign("y", of_lanes(N, "of_group", G))
    }
}

/// `x` a clock later, from a register for each `G` lanes, which a reset clears: all of these are as the first of them.
#[derive(Block, Blank, Described)]
pub struct ClearedReplicas<const N: usize, const G: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub x: Signal<In, Bits<N>>,
    pub apart: Signal<In, Bit>,
    pub y: Signal<Out, Bits<N>>,
    _run: Run,
}

impl<const N: usize, const G: usize> ClearedReplicas<N, G> {
    #[once(N, G)]
    fn body(&self, body: Body) -> Body {
        let (groups, firsts) = first_of_each(N, G);
        let kept = name("of_group") | repeat(groups, !name("apart"));
        body.register("of_group", groups, OF_GROUP)
            .at_clock(Statement::If {
                test: name("reset"),
                then: vec![set("of_group", zero(groups))],
                otherwise: vec![set("of_group", firsts & kept)],
            })
            .assign("y", of_lanes(N, "of_group", G))
    }
}

/// Brings `x` to every lane in some clocks, through registers for each four lanes: first where `x` is, and the last ones beside their
/// lanes.
#[derive(Block, Blank, Described)]
pub struct Relay<const N: usize> {
    pub clock: Signal<In, Clock>,
    pub x: Signal<In, Bit>,
    pub apart: Signal<In, Bit>,
    pub y: Signal<Out, Bits<N>>,
    _clocks: usize,
    _run: Run,
}

impl<const N: usize> Relay<N> {
    pub fn new(clocks: usize) -> Self {
        Self {
            _clocks: clocks,
            ..blank()
        }
    }

    fn body(&self, body: Body) -> Body {
        relay(N, body, "x", self._clocks)
    }
}

/// Registers for each four lanes, from where an input is to beside their lanes.
fn relay(lanes: usize, mut body: Body, x: &str, clocks: usize) -> Body {
    if clocks == 0 {
        return body.assign("y", repeat(lanes, name(x)));
    }
    let groups = lanes.div_ceil(GROUP);
    let after = |clocks: usize| format!("after_{clocks}");
    let doc = "For each four lanes, a clock nearer to them each.";
    body = copies(body, &after(1), groups, doc, repeat(groups, name(x)));
    for clock in 2..=clocks {
        body = body.later(after(clock), groups, doc, name(after(clock - 1)));
    }
    body.assign("y", of_lanes(lanes, &after(clocks), GROUP))
}

/// Brings `x` to every lane in up to two clocks, of lanes that are far from each other four.
#[derive(Block, Blank, Described)]
pub struct Fanout<const N: usize> {
    pub clock: Signal<In, Clock>,
    /// What it is two clocks before it is at the lanes, if all stages have registers.
    pub x: Signal<In, Bit>,
    /// And four clocks before: used if the lanes are far from each other.
    pub early: Signal<In, Bit>,
    /// Never set: it keeps the copies of a register apart.
    pub apart: Signal<In, Bit>,
    pub y: Signal<Out, Bits<N>>,
    _clocks: usize,
    _run: Run,
}

impl<const N: usize> Fanout<N> {
    /// In the clocks from `x` to the lanes, or from `early`.
    pub fn new(clocks: usize) -> Self {
        Self {
            _clocks: clocks,
            ..blank()
        }
    }

    fn body(&self, body: Body) -> Body {
        if is_far(N) {
            return relay(N, body, "early", self._clocks);
        }
        let groups = N.div_ceil(GROUP);
        let doc = "A clock ahead, for all lanes; then for each four. Copies stay apart by what is never set.";
        let (body, x) = match self._clocks {
            0 => return body.assign("y", repeat(N, name("x"))),
            1 => (body, name("x")),
            _ => (copies(body, "ahead", 1, doc, name("x")), name("ahead")),
        };
        copies(body, "of_group", groups, "", repeat(groups, x))
            .assign("y", of_lanes(N, "of_group", GROUP))
    }
}

/// Planes that are those of `x` from the clock after their lanes are set in `fill`. There are `T / N`.
#[derive(Block, Blank, Described)]
pub struct HoldRegister<const N: usize, const T: usize> {
    pub clock: Signal<In, Clock>,
    /// Every four lanes are alike.
    pub fill: Signal<In, Bits<N>>,
    pub x: Signal<In, Bits<T>>,
    pub y: Signal<Out, Bits<T>>,
    _run: Run,
}

impl<const N: usize, const T: usize> HoldRegister<N, T> {
    #[once(N, T)]
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
