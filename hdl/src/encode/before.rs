//! The lanes before the first of some.
//!
//! # Latency
//! [`LATENCY`] clocks, a plane in every clock.
//!
//! # Reset
//! None.

use crate::verilog::{Body, Expression, Operator, Run, bit, bits, concat, name, zero};
use hdl_macros::{Blank, Block, Described, once};
use rust_hdl::prelude::*;

/// Clocks from a plane to the lanes before its first.
pub const LATENCY: usize = 2;
/// Lanes that are looked at together. There are at most as many groups.
const GROUP: usize = 4;

/// The lanes below the first that is set, and whether there is one; of up to 16 lanes.
#[derive(Blank, Block, Described)]
pub struct BeforeFirst<const N: usize> {
    pub clock: Signal<In, Clock>,
    pub x: Signal<In, Bits<N>>,
    /// All lanes, if none is set.
    pub y: Signal<Out, Bits<N>>,
    pub any: Signal<Out, Bit>,
    _run: Run,
}

impl<const N: usize> BeforeFirst<N> {
    #[once(N)]
    fn body(&self, body: Body) -> Body {
        const { assert!(N.is_power_of_two() && N <= GROUP * GROUP) }
        let groups = N.div_ceil(GROUP);
        let up_to = |lane: usize| {
            let low = lane / GROUP * GROUP;
            bits("x", low, lane + 1 - low).any()
        };
        let any_of = |groups: usize| {
            let all = (0..groups).map(|group| bit("any_of_group", group));
            Expression::join(Operator::Or, all).unwrap_or(zero(1))
        };
        let before = (0..N).map(|lane| !bit("reached", lane) & !any_of(lane / GROUP));
        body.later(
            "reached",
            N,
            "In the lane or one below it in its group of four there is one; in the group.",
            concat((0..N).map(up_to)),
        )
        .later(
            "any_of_group",
            groups,
            "",
            concat((0..groups).map(|group| up_to((GROUP * (group + 1)).min(N) - 1))),
        )
        .later(
            "below",
            N,
            "There is none in the lane or below; in all.",
            concat(before),
        )
        .later("any_of_all", 1, "", any_of(groups))
        .assign("y", name("below"))
        .assign("any", name("any_of_all"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::{clock, plane, random, random_plane};
    use crate::embedded::settle;

    fn before<const N: usize>() {
        let mut block = BeforeFirst::<N>::default();
        block.connect_all();
        let (mut random, mut planes) = (random(), Vec::new());
        for at in 0..200_usize {
            let x = random_plane(&mut random, N) & random_plane(&mut random, N);
            planes.push(x);
            block.x.next = plane(x);
            settle(&mut block).expect("it settles");
            if let Some(&x) = at.checked_sub(LATENCY).and_then(|at| planes.get(at)) {
                let below = (1_u64 << x.trailing_zeros().min(N as u32)) - 1;
                assert_eq!(block.y.val().to_u64(), below, "{N}: {x:b}");
                assert_eq!(block.any.val(), x != 0, "{N}: {x:b}");
            }
            clock(&mut block, |block, clock| block.clock.next = clock);
        }
    }

    #[test]
    fn the_lanes_before_the_first_are_found() {
        for check in [
            before::<1>,
            before::<2>,
            before::<4>,
            before::<8>,
            before::<16>,
        ] {
            check();
        }
    }
}
