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

/// Whether any lane is set.
#[derive(Block, Blank, Described)]
pub struct Any<const N: usize> {
    pub clock: Signal<In, Clock>,
    pub x: Signal<In, Bits<N>>,
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
        let (body, any) = any_lane::<N>(body, &self._steps, "x", "", DOC);
        body.assign("y", name(any))
    }
}

pub(super) const DOC: &str = "Level by level, of each two lanes: whether one of them is set.";

/// Builds the tree over `plane`, and gives the name of the net that it ends in. Each level's name ends in `suffix`; the first has a doc.
pub(super) fn any_lane<const N: usize>(
    mut body: Body,
    steps: &Steps,
    plane: &str,
    suffix: &str,
    mut doc: &'static str,
) -> (Body, String) {
    const { assert!(N.is_power_of_two()) }
    let mut plane = plane.to_string();
    for level in 1..=N.ilog2() as usize {
        let (lanes, next) = (N >> level, format!("level_{level}{suffix}"));
        let any = bits(&plane, 0, lanes) | bits(&plane, lanes, lanes);
        body = body.staged(
            steps.has(level),
            &next,
            lanes,
            std::mem::take(&mut doc),
            any,
        );
        plane = next;
    }
    (body, plane)
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
            let few = (0..8).fold(u128::MAX, |all, _| all & random_plane(&mut random, N));
            expected.push(few != 0);
            block.x.next = plane(few);
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
        for check in [any::<1>, any::<2>, any::<16>, any::<128>] {
            check();
        }
    }
}
