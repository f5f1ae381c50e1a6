//! `validate` within a stream: packets pass through, and a bad one is marked in its last beat.
//!
//! A packet's bytes, `tid`, `tdest` and `tuser` are unchanged but for bit 0 of `tuser` with `tlast`. They wait in a ring until it
//! is known whether the packet is bad, a constant number of clocks: only unfinished sequences ever wait for a next beat, and a
//! packet's last beat has none.

pub mod axis;
pub mod bytes;
pub mod free;

use self::bytes::PackBytes;
use super::Validate;
use super::verdict;
use crate::csr::map::COUNTERS;
use crate::csr::tally::NUMBERS;
use crate::layout::VERDICT_BITS;
use crate::pieces;
use crate::primitives::delay::LateValid;
use crate::primitives::memory::Ring;
use crate::primitives::{DFF, blank};
use crate::side::MarkLowest;
use crate::side::Sideband;
use hdl_macros::{Block, logic};
use rust_hdl::prelude::*;

/// Clocks from a beat's acceptance to the output registers.
pub const fn latency(lanes: usize) -> usize {
    pieces::LATENCY + verdict::bad_latency(lanes) + 1
}

/// The packets, as late as their verdicts, and these; no `ready`.
#[derive(Block)]
pub struct Passing<
    const N: usize,
    const DATA: usize,
    const H1: usize,
    const H2: usize,
    const H3: usize,
    const H4: usize,
    const H5: usize,
    const BEAT: usize,
    const CSR: usize,
> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    /// A beat enters in this clock.
    pub valid: Signal<In, Bit>,
    pub data: Signal<In, Bits<DATA>>,
    pub keep: Signal<In, Bits<N>>,
    pub last: Signal<In, Bit>,
    pub side: Signal<In, Sideband>,
    /// With registers only: the beat is looked at.
    pub looks: Signal<In, Bit>,
    /// A beat leaves; `beat` and `out_side` are zero otherwise, but for the clock after a reset.
    pub out_valid: Signal<Out, Bit>,
    pub beat: Signal<Out, Bits<BEAT>>,
    pub out_side: Signal<Out, Sideband>,
    /// A packet has ended, and its verdict; what the beat adds to each counter.
    pub verdict_valid: Signal<Out, Bit>,
    pub verdict: Signal<Out, Bits<VERDICT_BITS>>,
    pub verdict_side: Signal<Out, Sideband>,
    pub restarts: Signal<Out, Bit>,
    pub ends: Signal<Out, Bit>,
    pub numbers: Signal<Out, Bits<NUMBERS>>,
    pub ones: Signal<Out, Bits<COUNTERS>>,
    core: Validate<N, DATA, H1, H2, H3, H4, H5, CSR>,
    pack: PackBytes<N, DATA, BEAT>,
    bytes: Ring<Bits<BEAT>, 5>,
    sides: Ring<Sideband, 5>,
    marked: MarkLowest,
    /// A beat leaves when its verdict is there.
    due: LateValid<20>,
    /// The beat that leaves.
    shown: DFF<Bit>,
    shown_beat: DFF<Bits<BEAT>>,
    shown_side: DFF<Sideband>,
}

impl<
    const N: usize,
    const DATA: usize,
    const H1: usize,
    const H2: usize,
    const H3: usize,
    const H4: usize,
    const H5: usize,
    const BEAT: usize,
    const CSR: usize,
> Passing<N, DATA, H1, H2, H3, H4, H5, BEAT, CSR>
{
    /// With counters of so many bits.
    pub fn new(counter_width: usize) -> Self {
        let due = latency(N) - 1;
        Self {
            core: Validate::new(counter_width),
            bytes: Ring::new(due),
            sides: Ring::new(due),
            due: LateValid::new(due),
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
            verdict_valid: blank(),
            verdict: blank(),
            verdict_side: blank(),
            looks: blank(),
            restarts: blank(),
            ends: blank(),
            numbers: blank(),
            ones: blank(),
            pack: blank(),
            marked: blank(),
            shown: blank(),
            shown_beat: blank(),
            shown_side: blank(),
        }
    }
}

impl<
    const N: usize,
    const DATA: usize,
    const H1: usize,
    const H2: usize,
    const H3: usize,
    const H4: usize,
    const H5: usize,
    const BEAT: usize,
    const CSR: usize,
> Logic for Passing<N, DATA, H1, H2, H3, H4, H5, BEAT, CSR>
{
    #[logic]
    fn update(&mut self) {
        dff_setup!(self, clock, shown, shown_beat, shown_side);
        self.core.clock.next = self.clock.val();
        self.core.reset.next = self.reset.val();
        self.core.valid.next = self.valid.val();
        self.core.data.next = self.data.val();
        self.core.keep.next = self.keep.val();
        self.core.last.next = self.last.val();
        self.core.side.next = self.side.val();
        self.core.looks.next = self.looks.val();

        self.pack.data.next = self.data.val();
        self.pack.keep.next = self.keep.val();
        self.pack.last.next = self.last.val();
        self.bytes.clock.next = self.clock.val();
        self.bytes.reset.next = self.reset.val();
        self.bytes.x.next = self.pack.beat.val();
        self.sides.clock.next = self.clock.val();
        self.sides.reset.next = self.reset.val();
        self.sides.x.next = self.side.val();
        self.marked.x.next = self.sides.y.val();
        self.marked.mark.next = self.core.bad.val();
        self.due.clock.next = self.clock.val();
        self.due.reset.next = self.reset.val();
        self.due.x.next = self.valid.val();
        self.shown.d.next = self.due.y.val();
        if self.reset.val() {
            self.shown.d.next = false;
        }
        if self.due.y.val() {
            self.shown_beat.d.next = self.bytes.y.val();
            self.shown_side.d.next = self.marked.y.val();
        } else {
            self.shown_beat.d.next = 0.into();
            self.shown_side.d.next = 0.into();
        }

        self.out_valid.next = self.shown.q.val();
        self.beat.next = self.shown_beat.q.val();
        self.out_side.next = self.shown_side.q.val();
        self.verdict_valid.next = self.core.out_valid.val();
        self.verdict.next = self.core.out_verdict.val();
        self.verdict_side.next = self.core.out_side.val();
        self.restarts.next = self.core.restarts.val();
        self.ends.next = self.core.ends.val();
        self.numbers.next = self.core.numbers.val();
        self.ones.next = self.core.ones.val();
    }
}
