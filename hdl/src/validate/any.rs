//! Whether any lane of a plane is set: a tree over the lanes.
//!
//! # Latency
//! As many clocks as there are levels, a beat in every clock.
//!
//! # Reset
//! None.

use crate::primitives::blank;
use crate::primitives::count::Steps;
use crate::verilog::{Body, Run, bits, name};
use hdl_macros::{Blank, Block, Described};
use rust_hdl::prelude::*;
use std::mem::take;

/// Whether any lane is set, of those that are asked.
#[derive(Block, Blank, Described)]
pub struct Any<const N: usize> {
    pub clock: Signal<In, Clock>,
    pub x: Signal<In, Bits<N>>,
    /// The lanes that are asked.
    pub of: Signal<In, Bits<N>>,
    pub y: Signal<Out, Bit>,
    _steps: Steps,
    _run: Run,
}

impl<const N: usize> Any<N> {
    pub fn new(steps: Steps) -> Self {
        Self {
            _steps: steps,
            ..blank()
        }
    }

    fn body(&self, body: Body) -> Body {
        let (mut body, any) = any_lane::<N>(body, &self._steps, ["x", "of"], "", DOC);
        // The last level is an output, far from the comment that it would share.
        let of_last = (body.docs.iter_mut()).filter(|(net, doc)| *net == any && doc.is_empty());
        of_last.for_each(|(_, doc)| *doc = "Whether any lane is set.");
        body.assign("y", name(any))
    }
}

pub(super) const DOC: &str = "Level by level: whether one of two lanes is set, then of four.";

/// Builds the tree over the lanes of `plane` that `of` has, too, and gives the name of the net that it ends in. Each level's name ends in
/// `suffix`; the first has a doc. Two lanes of both planes fit into a LUT, and above them four lanes.
pub(super) fn any_lane<const N: usize>(
    mut body: Body,
    steps: &Steps,
    [plane, of]: [&str; 2],
    suffix: &str,
    mut doc: &'static str,
) -> (Body, String) {
    const { assert!(N.is_power_of_two()) }
    let mut lanes = N;
    let mut last = String::new();
    for level in 1..=N.ilog2().max(1) as usize {
        let inputs = if level == 1 { 2 } else { 4 }.min(lanes);
        lanes /= inputs;
        let net = format!("level_{level}{suffix}");
        let input = |input| match level {
            1 => bits(plane, input * lanes, lanes) & bits(of, input * lanes, lanes),
            _ => bits(&last, input * lanes, lanes),
        };
        let any = (1..inputs).fold(input(0), |any, next| any | input(next));
        let has = N > 1 && steps.has(level);
        body = body.staged(has, &net, lanes, take(&mut doc), any);
        last = net;
    }
    (body, last)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::{clock, plane, random, random_plane};
    use crate::embedded::settle;

    /// A beat in every clock, with no lane set in many of them.
    fn any<const N: usize>() {
        let mut block = Any::<N>::new(Steps::default());
        block.connect_all();
        let (mut random, mut expected) = (random(), Vec::new());
        for at in 0..200_usize {
            let few = (0..N.ilog2()).fold(u128::MAX, |all, _| all & random_plane(&mut random, N));
            let of = random_plane(&mut random, N);
            expected.push(few & of != 0);
            block.x.next = plane(few);
            block.of.next = plane(of);
            settle(&mut block).expect("it settles");
            if let Some(beat) = at.checked_sub(N.ilog2() as usize) {
                assert_eq!(block.y.val(), expected[beat], "{N}");
            }
            clock(&mut block, |block, clock| block.clock.next = clock);
        }
        assert!(expected.contains(&true) && expected.contains(&false));
    }

    #[test]
    fn a_lane_is_found() {
        for check in [
            any::<1>, any::<2>, any::<4>, any::<8>, any::<64>, any::<128>,
        ] {
            check();
        }
    }
}
