//! Whether an ill-formed piece has ended in a packet so far, shown with each of its beats.
//!
//! A beat of a stream that passes leaves a constant number of clocks after it came, whatever comes next. So a sequence that is unfinished at
//! its end shows with the next beat: if lane 0 of that beat does not continue it, it was ill-formed.
//!
//! As of [`super::forbidden`], the tree over the lanes works on beats as they come.
//!
//! # Latency
//! In step with [`super::verdict`], stage 20, a beat in every clock.
//!
//! # Reset
//! As the end of a packet.

use super::any::Any;
use super::forbidden::stages_of;
use crate::primitives::Cuts;
use crate::primitives::count::Steps;
use crate::primitives::wires::Lane;
use hdl_macros::stages;
use rust_hdl::prelude::*;

/// As [`stages_of`], where stage 20 is the slot; stage 22 takes its place.
fn stages_with_20(cuts: Cuts, lanes: usize) -> Cuts {
    let stages = stages_of(cuts, lanes).without([22]);
    if cuts.has(20) {
        stages.with([22])
    } else {
        stages
    }
}

stages! {
    /// The ill-formed pieces that have ended, of the beat that leaves and of those before it in the packet.
    pub block Early<const N: usize> {
        /// What the edges of a packet cut is not ill-formed.
        given opens: bool;
        /// The stages of the tree's levels.
        given steps: Steps = Steps::of(cuts, 13..13 + N.ilog2() as i32);
        given cuts: Cuts = stages_with_20(cuts, N);

        /// Of the beat at stage 9: its lanes with a byte; those that are ill-formed wherever they stand; those in an unfinished sequence;
        /// those that continue the byte before.
        in present, alone, open, consumed @ 9;
        /// A beat comes, or a reset in its place; it is its packet's last.
        in arrival, last: Bit @ 9;

        beat arrival, last;

        stage 12 "the lanes where it is known that an ill-formed piece has ended" {
            wires top_open: Lane<N>(N - 1) = { x: open };
            /// The byte before was in an unfinished sequence, which this one does not continue. If nothing follows in the packet, its end
            /// ends the sequence, or cuts it.
            ends = if opens { (alone | (before(open) & !consumed)) & present }
                else { (alone & present) | (before(open) & !consumed) };
            /// The same for an unfinished sequence in the top lane.
            ends_above: Bit = if opens { false } else { top_open & last };
        }

        stage 19 "the end of the tree" {
            part any: Any<N>(steps) = { x: ends.at(12), of: ends.at(12) } -> Bit;
        }

        stage 20 "the packet so far" {
            /// The newest beat was its packet's last.
            state over: Bit = if arrival { last };
            /// Null beats do not enter: they repeat the value of the beat before, or 0 at a packet's start.
            state bad: Bit = (arrival & (any | ends_above)) | (was(bad) & !was(over));
        }

        /// An ill-formed piece has ended in the beat that leaves, or in an earlier one of its packet.
        out bad: Bit @ 22;
    }
}
