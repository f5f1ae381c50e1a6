//! A beat of events as one vector, and its way to the pins.
//!
//! Inside the core a beat is a stack of planes: 21 of the scalar value's bits (or 16 of a UTF-16 unit's, or 31), one of the lanes with
//! an event, three of the kind and two of the length (or three); then `tlast` and the signature flag. That order is private to this
//! file; the pins are those of [`crate::layout`].

use super::units::UNIT_BITS;
use crate::primitives::blank;
use crate::verilog::{Body, Run, bit, concat, name, repeat, zero};
use hdl_macros::{Blank, Block, Described, once};
use rust_hdl::prelude::*;

/// Planes of a beat: those of the word, a scalar value or a UTF-16 unit; the lanes with an event; kind and length, `user_bits`.
pub const fn planes(word_bits: usize, user_bits: usize) -> usize {
    word_bits + 1 + user_bits
}

/// Width of a beat of `lanes` lanes: its planes, then `tlast` and the signature flag.
pub const fn beat_bits(planes: usize, lanes: usize) -> usize {
    planes * lanes + 2
}

/// Stacks the planes of a beat. `STACK` is [`planes`] of each lane.
#[derive(Block, Blank, Described)]
pub struct StackBeat<const N: usize, const SCALARS: usize, const STACK: usize> {
    pub scalars: Signal<In, Bits<SCALARS>>,
    pub sent: Signal<In, Bits<N>>,
    pub kind_0: Signal<In, Bits<N>>,
    pub kind_1: Signal<In, Bits<N>>,
    pub kind_2: Signal<In, Bits<N>>,
    pub length_0: Signal<In, Bits<N>>,
    pub length_1: Signal<In, Bits<N>>,
    // Only if there is a plane for it.
    pub length_2: Signal<In, Bits<N>>,
    pub planes: Signal<Out, Bits<STACK>>,
    _run: Run,
}

impl<const N: usize, const SCALARS: usize, const STACK: usize> StackBeat<N, SCALARS, STACK> {
    fn body(&self, body: Body) -> Body {
        const MARKS: [&str; 7] = [
            "sent", "kind_0", "kind_1", "kind_2", "length_0", "length_1", "length_2",
        ];
        let marks = MARKS.into_iter().take((STACK - SCALARS) / N);
        body.assign(
            "planes",
            concat(["scalars"].into_iter().chain(marks).map(name)),
        )
    }
}

/// Puts `tlast` and the signature flag above the planes. `BEAT` is [`beat_bits`] of the lanes.
#[derive(Block, Blank, Described)]
pub struct PackBeat<const STACK: usize, const BEAT: usize> {
    pub planes: Signal<In, Bits<STACK>>,
    pub last: Signal<In, Bit>,
    pub signature: Signal<In, Bit>,
    pub beat: Signal<Out, Bits<BEAT>>,
    _run: Run,
}

impl<const STACK: usize, const BEAT: usize> PackBeat<STACK, BEAT> {
    fn body(&self, body: Body) -> Body {
        const { assert!(BEAT == STACK + 2) }
        let parts = ["planes", "last", "signature"].map(name);
        body.assign("beat", concat(parts))
    }
}

/// Bits of a lane's part of `tuser`, and planes of the word.
const fn lane_bits(lanes: usize, beat: usize, user: usize) -> (usize, usize) {
    let user_bits = (user - 1) / lanes;
    (user_bits, (beat - 2) / lanes - 1 - user_bits)
}

/// Spreads a beat over the pins of the output stream; with `swaps` the upper octet of each unit is in the lower half of its lane.
#[derive(Block, Blank, Described)]
pub struct UnpackBeat<
    const N: usize,
    const BEAT: usize,
    const WORDS: usize,
    const KEEP: usize,
    const USER: usize,
> {
    pub beat: Signal<In, Bits<BEAT>>,
    pub data: Signal<Out, Bits<WORDS>>,
    pub keep: Signal<Out, Bits<KEEP>>,
    pub last: Signal<Out, Bit>,
    pub user: Signal<Out, Bits<USER>>,
    _swaps: bool,
    _run: Run,
}

impl<const N: usize, const BEAT: usize, const WORDS: usize, const KEEP: usize, const USER: usize>
    UnpackBeat<N, BEAT, WORDS, KEEP, USER>
{
    pub fn new(swaps: bool) -> Self {
        Self {
            _swaps: swaps,
            ..blank()
        }
    }

    #[once(N, BEAT, WORDS, USER, swaps: bool = self._swaps)]
    fn body(&self, body: Body) -> Body {
        const {
            let (user_bits, word_bits) = lane_bits(N, BEAT, USER);
            assert!(BEAT == beat_bits(planes(word_bits, user_bits), N));
            assert!(WORDS == 8 * KEEP && USER == user_bits * N + 1);
        }
        let (user_bits, word_bits) = lane_bits(N, BEAT, USER);
        let data_bits = WORDS / N;
        // The bit of the beat that belongs to a lane's part of a plane.
        let place = |plane, lane| bit("beat", N * plane + lane);
        let word = |lane| {
            let plane = move |bit| if swaps { (bit + 8) % UNIT_BITS } else { bit };
            let planes = (0..word_bits).map(move |bit| place(plane(bit), lane));
            planes.chain((word_bits < data_bits).then(|| zero(data_bits - word_bits)))
        };
        let event = |lane| repeat(data_bits / 8, place(word_bits, lane));
        // Per lane kind, then length; the signature flag on top.
        let user = (0..USER - 1).map(|at| place(word_bits + 1 + at % user_bits, at / user_bits));
        let user = user.chain([bit("beat", BEAT - 1)]);
        body.assign("data", concat((0..N).flat_map(word)))
            .assign("keep", concat((0..N).map(event)))
            .assign("user", concat(user))
            .assign("last", bit("beat", BEAT - 2))
    }
}
