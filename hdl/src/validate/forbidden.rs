//! Which forbidden classes a beat has, and where its first forbidden scalar value ends.
//!
//! A well-formed sequence ends at its last byte, whatever the next byte is. So the trees over the lanes need not wait for that byte: they work
//! on beats as they come. What they find, a few bits, waits in a slot of its own. It is filled later than the slot of [`crate::pieces`], by the
//! clocks that the trees take.
//!
//! # Latency
//! In step with [`super::verdict`], stage 19, a beat in every clock.
//!
//! # Reset
//! None. What was found in a beat is looked at only when its pieces leave.

use super::any::{DOC, any_lane};
use super::classes::Classes;
use super::first::FirstLane;
use crate::config::Classes as Mask;
use crate::layout::CLASSES;
use crate::primitives::count::Steps;
use crate::primitives::wires::Broadcast;
use crate::primitives::{Cuts, blank};
use crate::verilog::{Body, Run, concat, name, zero};
use hdl_macros::{Blank, Block, Described, stages};
use rust_hdl::prelude::*;
use std::mem::take;

/// The stages that have registers. A tree has no more stages, from 13 on, than levels. Stage 20 is the slot, which always has one. Stages 10 and
/// 11 are those of the pieces' slot and of what leaves it: here their places are stages 20 and 21.
pub(super) fn stages_of(cuts: Cuts, lanes: usize) -> Cuts {
    let after = if cuts.has(11) { 20..22 } else { 20..21 };
    let trees = cuts.without(13 + lanes.ilog2() as i32..20);
    trees.without([10, 11, 20, 21]).with(after)
}

/// Of each class whether any lane is set where a scalar value ends.
#[derive(Block, Blank, Described)]
pub struct Met<const N: usize> {
    pub clock: Signal<In, Clock>,
    /// Lanes in which a scalar value ends.
    pub ends: Signal<In, Bits<N>>,
    pub nul: Signal<In, Bits<N>>,
    pub control: Signal<In, Bits<N>>,
    pub c1: Signal<In, Bits<N>>,
    pub noncharacter: Signal<In, Bits<N>>,
    pub bidi: Signal<In, Bits<N>>,
    pub private: Signal<In, Bits<N>>,
    pub supplementary: Signal<In, Bits<N>>,
    pub from_0300: Signal<In, Bits<N>>,
    /// A bit for each class.
    pub y: Signal<Out, Bits<8>>,
    _steps: Steps,
    _mask: Mask,
    _run: Run,
}

impl<const N: usize> Met<N> {
    /// Of these classes.
    pub fn new(steps: Steps, mask: Mask) -> Self {
        Self {
            _steps: steps,
            _mask: mask,
            ..blank()
        }
    }

    fn body(&self, mut body: Body) -> Body {
        let mut doc = DOC;
        let mut met = Vec::new();
        for (class, (plane, _)) in CLASSES.into_iter().enumerate() {
            if !self._mask.has(class) {
                met.push(zero(1));
                continue;
            }
            let (plane, suffix) = (plane.replace('-', "_"), format!("_{class}"));
            let any;
            (body, any) = any_lane::<N>(
                body,
                &self._steps,
                [&plane, "ends"],
                &suffix,
                take(&mut doc),
            );
            met.push(name(any));
        }
        body.assign("y", concat(met))
    }
}

stages! {
    /// What is forbidden in the beat that leaves. `DATA` is `8 * N`.
    pub block Forbidden<const N: usize, const DATA: usize> {
        given mask: Mask;
        /// A register says which of them are looked for.
        given has_register: bool;
        /// The stages of the trees' levels.
        given steps: Steps = Steps::of(cuts, 13..13 + N.ilog2() as i32);
        given cuts: Cuts = stages_of(cuts, N);

        /// The planes of the bytes.
        in bytes: Bits<DATA> @ 0;
        /// A beat, or a reset in its place.
        in valid: Bit @ 1;
        /// The byte is the third or fourth of a sequence; the fourth.
        in third_up, fourth @ 8;
        /// A beat comes; its lanes with a byte; those that end a well-formed sequence.
        in arrival: Bit @ 9;
        in present, scalar @ 9;
        /// The classes that are looked for.
        in watched: Bits<8> @ 9;

        always {
            part classes: Classes<N, DATA>(cuts, mask) = {
                bytes: bytes.at(0), valid: valid.at(1),
                third_up: third_up.at(8), fourth: fourth.at(8),
            };
        }

        stage 12 "the lanes of each class, and of any" {
            ends = scalar & present;
            nul = classes.nul;
            control = classes.control;
            c1 = classes.c1;
            noncharacter = classes.noncharacter;
            bidi = classes.bidi;
            private = classes.private;
            supplementary = classes.supplementary;
            from_0300 = classes.from_0300;
            wires watch_nul: Broadcast<N> = { x: watched.get_bit(0) };
            wires watch_control: Broadcast<N> = { x: watched.get_bit(1) };
            wires watch_c1: Broadcast<N> = { x: watched.get_bit(2) };
            wires watch_noncharacter: Broadcast<N> = { x: watched.get_bit(3) };
            wires watch_bidi: Broadcast<N> = { x: watched.get_bit(4) };
            wires watch_private: Broadcast<N> = { x: watched.get_bit(5) };
            wires watch_supplementary: Broadcast<N> = { x: watched.get_bit(6) };
            wires watch_from_0300: Broadcast<N> = { x: watched.get_bit(7) };
            any = if has_register {
                (classes.nul & watch_nul) | (classes.control & watch_control)
                    | (classes.c1 & watch_c1) | (classes.noncharacter & watch_noncharacter)
                    | (classes.bidi & watch_bidi) | (classes.private & watch_private)
                    | (classes.supplementary & watch_supplementary)
                    | (classes.from_0300 & watch_from_0300)
            } else {
                classes.nul | classes.control | classes.c1 | classes.noncharacter
                    | classes.bidi | classes.private | classes.supplementary | classes.from_0300
            };
        }

        stage 19 "the ends of the trees" {
            part met: Met<N>(steps.clone(), mask) = {
                ends: ends.at(12),
                nul: nul.at(12), control: control.at(12), c1: c1.at(12),
                noncharacter: noncharacter.at(12), bidi: bidi.at(12), private: private.at(12),
                supplementary: supplementary.at(12), from_0300: from_0300.at(12),
            } -> Bits<8>;
            part first: FirstLane<N>(steps) = { x: any.at(12) & ends.at(12) };
        }

        stage 20 "the slot: what was found in the newest beat" {
            let seen: Bits<8> = if has_register { met & watched } else { met };
            state met: Bits<8> = if arrival { seen };
            state is_met: Bit = if arrival { first.any };
            state lane: Bits<8> = if arrival { first.lane };
        }

        /// The classes of the beat that leaves, if one does; whether there is any; the lane where the first such scalar value ends.
        out met: Bits<8> @ 21;
        out is_met: Bit @ 21;
        out lane: Bits<8> @ 21;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::{clock, plane, random, random_plane};
    use crate::embedded::settle;

    /// A beat in every clock: of each class that is asked for, whether a lane has it.
    fn met<const N: usize>(mask: &str) {
        let mask: Mask = mask.parse().expect("classes");
        let mut block = Met::<N>::new(Steps::default(), mask);
        block.connect_all();
        let (mut random, mut expected) = (random(), Vec::new());
        for at in 0..60_usize {
            let planes = CLASSES.map(|_| {
                let lane = random_plane(&mut random, N);
                lane & random_plane(&mut random, N)
            });
            let ends = random_plane(&mut random, N);
            let any = (0..CLASSES.len()).map(|class| u64::from(planes[class] & ends != 0) << class);
            expected.push(any.sum::<u64>() & u64::from(mask.bits()));
            block.ends.next = plane(ends);
            block.nul.next = plane(planes[0]);
            block.control.next = plane(planes[1]);
            block.c1.next = plane(planes[2]);
            block.noncharacter.next = plane(planes[3]);
            block.bidi.next = plane(planes[4]);
            block.private.next = plane(planes[5]);
            block.supplementary.next = plane(planes[6]);
            block.from_0300.next = plane(planes[7]);
            settle(&mut block).expect("it settles");
            if let Some(beat) = at.checked_sub(N.ilog2() as usize) {
                assert_eq!(block.y.val().to_u64(), expected[beat], "{N}");
            }
            clock(&mut block, |block, clock| block.clock.next = clock);
        }
    }

    #[test]
    fn a_class_is_met_if_a_lane_has_it() {
        let all = Mask::from(u8::MAX).to_string();
        met::<1>(&all);
        met::<2>("nul,bidi");
        met::<8>(&all);
        met::<64>("noncharacter,from-0300");
    }
}
