//! The `validate` core: UTF-8 bytes in, one verdict per packet out.
//!
//! Read [`crate::pieces`] first, then [`verdict`] with [`count`], [`first`] and [`counter`]. [`snoop`] only watches a stream;
//! in [`pass`] the packets pass through, and a bad one is marked.
//!
//! # Ports
//! Those of [`crate::ports::ports`]; the fields of a verdict are [`crate::layout::VERDICT`]. Packets of one beat may follow each
//! other in every clock, and each gets its verdict. A beat whose `tkeep` is zero and which is not the packet's last has no
//! part in a verdict, but passes.
//!
//! # Parameters
//! `N` lanes, 1 to 64 by powers of two; `DATA` is `8 * N`, `H1` is half of `N`, `H2` half of `H1` and so on, but none below 1. `CSR` is 1
//! if the core has registers ([`crate::csr`]), else 0.
//!
//! # Latency
//! [`latency`] clocks from a packet's last beat to its verdict, [`pass::latency`] clocks for what passes; [`crate::flow`] adds
//! [`crate::flow::FIFO_LATENCY`] to a stream that can be stalled. No combinational path leads from an input to an output.
//!
//! # Reset
//! `rst` is synchronous and active high. It clears what marks beats and packets, and deliberately no payload: for one clock after
//! it the payload pins of a stream that cannot be stalled may show what was dropped.
//!
//! # Ill-formed input
//! Is what this core is for; nothing stalls.
//!
//! # Verified by
//! `tests/lockstep.rs` (every pin at every clock against the cycle model), `tests/verdicts.rs` (against Rust's own decoder),
//! `tests/vectors.rs`, `tests/alignment.rs`; `tests/mutants.rs` shows that these can fail.

pub mod count;
pub mod counter;
pub mod fields;
pub mod first;
pub mod pass;
pub mod snoop;
pub mod verdict;

use self::verdict::Verdict;
use crate::csr::map::COUNTERS;
use crate::csr::tally::{NUMBERS, Tally};
use crate::layout::VERDICT_BITS;
use crate::pieces::{self, Pieces};
use crate::primitives::memory::Ring;
use crate::primitives::{DFF, blank, several};
use crate::side::Sideband;
use hdl_macros::{Block, logic};
use rust_hdl::prelude::*;

/// Clocks from a packet's last beat to its verdict on the output registers.
pub const fn latency(lanes: usize) -> usize {
    pieces::LATENCY + verdict::latency(lanes)
}

/// Bytes in, verdicts out, no `ready`.
#[derive(Block)]
pub struct Validate<
    const N: usize,
    const DATA: usize,
    const H1: usize,
    const H2: usize,
    const H3: usize,
    const H4: usize,
    const H5: usize,
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
    /// A packet has ended, and its verdict; whether it is bad, as early as that is known.
    pub out_valid: Signal<Out, Bit>,
    pub out_verdict: Signal<Out, Bits<VERDICT_BITS>>,
    pub bad: Signal<Out, Bit>,
    /// The side signals of the packet's last beat; zero without a verdict.
    pub out_side: Signal<Out, Sideband>,
    /// What the beat adds to each counter; nothing without registers.
    pub restarts: Signal<Out, Bit>,
    pub ends: Signal<Out, Bit>,
    pub numbers: Signal<Out, Bits<NUMBERS>>,
    pub ones: Signal<Out, Bits<COUNTERS>>,
    pieces: Pieces<N, DATA>,
    verdict: Verdict<N, H1, H2, H3, H4, H5>,
    tally: Vec<Tally<N, H1, H2, H3, H4, H5>>,
    side_due: Ring<Sideband, 6>,
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
    const CSR: usize,
> Validate<N, DATA, H1, H2, H3, H4, H5, CSR>
{
    /// With counters of so many bits.
    pub fn new(counter_width: usize) -> Self {
        Self {
            pieces: Pieces::new(false, false),
            verdict: Verdict::new(counter_width),
            side_due: Ring::new(latency(N) - 1),
            clock: blank(),
            reset: blank(),
            valid: blank(),
            data: blank(),
            keep: blank(),
            last: blank(),
            side: blank(),
            out_valid: blank(),
            out_verdict: blank(),
            bad: blank(),
            out_side: blank(),
            looks: blank(),
            restarts: blank(),
            ends: blank(),
            numbers: blank(),
            ones: blank(),
            tally: several(CSR, |_| Tally::default()),
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
    const CSR: usize,
> Logic for Validate<N, DATA, H1, H2, H3, H4, H5, CSR>
{
    #[logic]
    fn update(&mut self) {
        dff_setup!(self, clock, shown_side);
        self.pieces.clock.next = self.clock.val();
        self.pieces.reset.next = self.reset.val();
        self.pieces.valid.next = self.valid.val();
        self.pieces.data.next = self.data.val();
        self.pieces.keep.next = self.keep.val();
        self.pieces.last.next = self.last.val();

        self.verdict.clock.next = self.clock.val();
        self.verdict.reset.next = self.reset.val();
        self.verdict.valid.next = self.pieces.out_valid.val();
        self.verdict.last.next = self.pieces.out_last.val();
        self.verdict.signature.next = self.pieces.out_signature.val();
        self.verdict.present.next = self.pieces.present.val();
        self.verdict.scalar.next = self.pieces.scalar.val();
        self.verdict.ill.next = self.pieces.ill.val();
        self.verdict.kind_0.next = self.pieces.kind_0.val();
        self.verdict.kind_1.next = self.pieces.kind_1.val();
        self.verdict.kind_2.next = self.pieces.kind_2.val();
        self.verdict.second.next = self.pieces.second.val();
        self.verdict.length_1.next = self.pieces.length_1.val();
        self.verdict.tail_0.next = self.pieces.tail_0.val();
        self.verdict.tail_1.next = self.pieces.tail_1.val();

        // A packet's last beat never waits, so that its side signals only have to be delayed.
        self.side_due.clock.next = self.clock.val();
        self.side_due.reset.next = self.reset.val();
        self.side_due.x.next = self.side.val();
        if self.verdict.due.val() {
            self.shown_side.d.next = self.side_due.y.val();
        } else {
            self.shown_side.d.next = 0.into();
        }

        self.out_valid.next = self.verdict.out_valid.val();
        self.out_verdict.next = self.verdict.fields.val();
        self.bad.next = self.verdict.bad.val();
        self.out_side.next = self.shown_side.q.val();

        self.restarts.next = false;
        self.ends.next = false;
        self.numbers.next = 0.into();
        self.ones.next = 0.into();
        for i in 0..CSR {
            self.pieces.valid.next = self.valid.val() & self.looks.val();
            self.tally[i].clock.next = self.clock.val();
            self.tally[i].reset.next = self.reset.val();
            self.tally[i].ill.next = self.pieces.ill.val();
            self.tally[i].kind_0.next = self.pieces.kind_0.val();
            self.tally[i].kind_1.next = self.pieces.kind_1.val();
            self.tally[i].kind_2.next = self.pieces.kind_2.val();
            self.tally[i].starts.next = self.verdict.sum_starts.val();
            self.tally[i].last.next = self.verdict.sum_last.val();
            self.tally[i].wrong.next = self.verdict.sum_wrong.val();
            self.tally[i].bytes.next = self.verdict.sum_bytes.val();
            self.tally[i].scalars.next = self.verdict.sum_scalars.val();
            self.tally[i].scalars_one.next = self.verdict.sum_scalars_one.val();
            self.restarts.next = self.tally[i].restarts.val();
            self.ends.next = self.tally[i].ends.val();
            self.numbers.next = self.tally[i].numbers.val();
            self.ones.next = self.tally[i].ones.val();
        }
    }
}
