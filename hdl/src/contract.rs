//! What a source has to keep to, and whether it did: of the lanes those with a byte are the lowest, and all unless the packet ends.
//!
//! Its stages are not those of the pieces: at every depth of the core all of them have registers.
//!
//! # Reset
//! No beat that came before it is reported.

use crate::primitives::wires::Lane;
use crate::verilog::{Body, Run, bits, concat, name, set, zero};
use hdl_macros::{Blank, Block, Described, once, stages};
use rust_hdl::prelude::*;

stages! {
    /// Whether a beat breaks the stream's contract: lanes with a byte that are not the lowest, or lanes without one though its packet
    /// goes on.
    /// (One without any byte is none.) Three clocks later, in that clock only.
    pub block Contract<const N: usize> {
        in reset: Bit;
        in taken: Bit;
        in keep;
        in last: Bit;

        stage 1 "the beat is taken, and its lanes" {
            wires lowest: Lane<N>(0) = { x: keep };
            wires topmost: Lane<N>(N - 1) = { x: keep };
            taken: Bit = taken & !reset;
            /// The beat has some lanes without a byte though its packet goes on. Of a beat with a hole this does not matter.
            partial: Bit = lowest & !topmost & !last;
        }

        stage 2 "the holes between its lanes" {
            part holes: Holes<N> = { keep };
            taken: Bit = taken & !reset;
        }

        stage 3 "whether it breaks the contract" {
            error: Bit = taken & !reset & (holes | partial);
        }

        out beat_error: Bit = error @ 3;
    }
}

/// Whether the lanes with a byte are not the lowest without a hole, two clocks later.
#[derive(Block, Blank, Described)]
pub struct Holes<const N: usize> {
    pub clock: Signal<In, Clock>,
    pub keep: Signal<In, Bits<N>>,
    pub y: Signal<Out, Bit>,
    _run: Run,
}

impl<const N: usize> Holes<N> {
    #[once(N)]
    fn body(&self, body: Body) -> Body {
        if N == 1 {
            return body.assign("y", zero(1));
        }
        // Lanes that are looked at together.
        const GROUP: usize = 8;
        let groups = (0..N - 1).step_by(GROUP);
        let count = groups.len();
        let holes = groups.map(|low| {
            let lanes = GROUP.min(N - 1 - low);
            (bits("keep", low + 1, lanes) & !bits("keep", low, lanes)).any()
        });
        body.register(
            "group",
            count,
            "In each group of lanes, whether one without a byte is below one with a byte; in any.",
        )
        .register("any", 1, "")
        .at_clock(set("group", concat(holes)))
        .at_clock(set("any", name("group").any()))
        .assign("y", name("any"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::{clock, plane, random};
    use crate::embedded::settle;
    use crate::primitives::Cuts;
    use rand::Rng;

    /// A beat in every clock, with a hole at each place in turn, cut anywhere, or any lanes.
    #[test]
    fn a_beat_of_the_most_lanes_is_reported_if_it_breaks_the_contract() {
        const N: usize = 128;
        let mut block = Contract::<N>::new(Cuts::ALL);
        block.connect_all();
        let (mut random, mut breaks) = (random(), Vec::new());
        for at in 0..4 * N {
            let full = u128::MAX;
            let keep = match at / N {
                0 => full & !(1 << (at % N)),
                1 => full >> (at % N),
                2 => (full >> (at % N)) & !(1 << random.random_range(0..N)),
                _ => random.random(),
            };
            let last: bool = random.random();
            let count = keep.trailing_ones();
            let is_partial = (1..N as u32).contains(&count) && !last;
            breaks.push(keep.count_ones() != count || is_partial);
            block.taken.next = true;
            block.last.next = last;
            block.keep.next = plane(keep);
            settle(&mut block).expect("it settles");
            if let Some(beat) = at.checked_sub(3) {
                assert_eq!(block.beat_error.val(), breaks[beat], "beat {beat}");
            }
            clock(&mut block, |block, clock| block.clock.next = clock);
        }
    }
}
