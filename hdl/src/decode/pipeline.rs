//! The `decode` pipeline: bytes in, events out, no `ready`.
//!
//! Guarantee: in every clock a beat may enter, whatever its bytes are and whatever entered before; each piece of a packet
//! leaves as exactly one event, in order: in the lane of the byte that ends it, or packed into the low lanes.

use super::beat::{PackBeat, StackBeat};
use super::dense::{self, Dense};
use super::events::{self, Events, SignatureRule};
use super::scalar::Scalar;
use super::side::Side;
use crate::pieces::{self, Pieces};
use crate::primitives::{blank, several};
use crate::side::Sideband;
use hdl_macros::{Block, logic};
use rust_hdl::prelude::*;

/// Clocks from a beat's acceptance to its events on the output registers, if nothing of it waits for the next byte.
pub const fn latency(lanes: usize, dense: bool) -> usize {
    let sparse = pieces::LATENCY + 1;
    if dense {
        sparse + dense::latency(lanes)
    } else {
        sparse
    }
}

/// [`Pieces`], [`Scalar`] and [`Side`] side by side, then [`Events`], and [`Dense`] if `DENSE` is 1. `DATA` is `8 * N`, `SCALARS`
/// is `21 * N`, `STACK` is `27 * N`, `BEAT` is [`super::beat::beat_bits`].
#[derive(Block)]
pub struct Pipeline<
    const N: usize,
    const DATA: usize,
    const SCALARS: usize,
    const STACK: usize,
    const BEAT: usize,
    const DENSE: usize,
> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    /// A beat enters in this clock.
    pub valid: Signal<In, Bit>,
    pub data: Signal<In, Bits<DATA>>,
    pub keep: Signal<In, Bits<N>>,
    pub last: Signal<In, Bit>,
    pub side: Signal<In, Sideband>,
    /// A beat leaves; `beat` and `out_side` are zero otherwise, but for the clock after a reset.
    pub out_valid: Signal<Out, Bit>,
    pub beat: Signal<Out, Bits<BEAT>>,
    pub out_side: Signal<Out, Sideband>,
    /// A beat has entered that will not leave.
    pub retired: Signal<Out, Bit>,

    pieces: Pieces<N, DATA>,
    scalar: Scalar<N, DATA, SCALARS>,
    beside: Side,
    events: Events<N, SCALARS>,
    stack: StackBeat<N, SCALARS, STACK>,
    dense: Vec<Dense<N, STACK>>,
    pack: PackBeat<STACK, BEAT>,
}

impl<
    const N: usize,
    const DATA: usize,
    const SCALARS: usize,
    const STACK: usize,
    const BEAT: usize,
    const DENSE: usize,
> Pipeline<N, DATA, SCALARS, STACK, BEAT, DENSE>
{
    pub fn new(rule: SignatureRule) -> Self {
        Self {
            pieces: Pieces::new(rule.strip, !events::always_sends(N)),
            events: Events::new(rule),
            dense: several(DENSE, |_| Dense::new()),
            clock: blank(),
            reset: blank(),
            valid: blank(),
            data: blank(),
            keep: blank(),
            last: blank(),
            side: blank(),
            out_valid: blank(),
            beat: blank(),
            out_side: blank(),
            retired: blank(),
            scalar: blank(),
            beside: blank(),
            stack: blank(),
            pack: blank(),
        }
    }
}

impl<
    const N: usize,
    const DATA: usize,
    const SCALARS: usize,
    const STACK: usize,
    const BEAT: usize,
    const DENSE: usize,
> Logic for Pipeline<N, DATA, SCALARS, STACK, BEAT, DENSE>
{
    #[logic]
    fn update(&mut self) {
        self.pieces.clock.next = self.clock.val();
        self.pieces.reset.next = self.reset.val();
        self.pieces.valid.next = self.valid.val();
        self.pieces.data.next = self.data.val();
        self.pieces.keep.next = self.keep.val();
        self.pieces.last.next = self.last.val();

        self.scalar.clock.next = self.clock.val();
        self.scalar.bytes.next = self.pieces.s0_planes.val();
        self.scalar.valid.next = self.pieces.s8_valid.val();
        self.scalar.third_up.next = self.pieces.third_up.val();
        self.scalar.fourth.next = self.pieces.fourth.val();
        self.scalar.fill.next = self.pieces.fill.val();

        self.beside.clock.next = self.clock.val();
        self.beside.x.next = self.side.val();
        self.beside.arrival.next = self.pieces.arrival.val();

        self.events.clock.next = self.clock.val();
        self.events.reset.next = self.reset.val();
        self.events.valid.next = self.pieces.out_valid.val();
        self.events.last.next = self.pieces.out_last.val();
        self.events.signature.next = self.pieces.out_signature.val();
        self.events.scalar.next = self.pieces.scalar.val();
        self.events.ill.next = self.pieces.ill.val();
        self.events.kind_0.next = self.pieces.kind_0.val();
        self.events.kind_1.next = self.pieces.kind_1.val();
        self.events.kind_2.next = self.pieces.kind_2.val();
        self.events.second.next = self.pieces.second.val();
        self.events.length_1.next = self.pieces.length_1.val();
        self.events.scalars.next = self.scalar.scalars.val();
        self.events.side.next = self.beside.y.val();

        self.stack.scalars.next = self.events.out_scalars.val();
        self.stack.sent.next = self.events.sent.val();
        self.stack.kind_0.next = self.events.out_kind_0.val();
        self.stack.kind_1.next = self.events.out_kind_1.val();
        self.stack.kind_2.next = self.events.out_kind_2.val();
        self.stack.length_0.next = self.events.out_length_0.val();
        self.stack.length_1.next = self.events.out_length_1.val();

        self.out_valid.next = self.events.out_valid.val();
        self.retired.next = self.events.retired.val();
        self.pack.planes.next = self.stack.planes.val();
        self.pack.last.next = self.events.out_last.val();
        self.pack.signature.next = self.events.out_signature.val();
        self.out_side.next = self.events.out_side.val();
        // What is dense takes the place of what is sparse.
        for i in 0..DENSE {
            self.dense[i].clock.next = self.clock.val();
            self.dense[i].reset.next = self.reset.val();
            self.dense[i].valid.next = self.events.out_valid.val();
            self.dense[i].empty.next = self.events.retired.val();
            self.dense[i].last.next = self.events.out_last.val();
            self.dense[i].signature.next = self.events.out_signature.val();
            self.dense[i].sent.next = self.events.sent.val();
            self.dense[i].planes.next = self.stack.planes.val();
            self.dense[i].side.next = self.events.out_side.val();
            self.out_valid.next = self.dense[i].out_valid.val();
            self.retired.next = self.dense[i].retired.val();
            self.pack.planes.next = self.dense[i].out_planes.val();
            self.pack.last.next = self.dense[i].out_last.val();
            self.pack.signature.next = self.dense[i].out_signature.val();
            self.out_side.next = self.dense[i].out_side.val();
        }
        self.beat.next = self.pack.beat.val();
    }
}
