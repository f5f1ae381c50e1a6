//! What each beat brings to the counters of `--csr`.
//!
//! It is counted with its beat, and not at its message's end: of a message that is forgotten, what it had stays counted. As
//! [`crate::csr::tally`], but that one piece may have ended before the beat, and that all comes when [`super::running`] tells of it.
//!
//! # Reset
//! That there is a beat: what is dropped is not counted.

use super::running;
use crate::csr::kinds::{ILL, Kinds, NUMBER};
use crate::csr::map::COUNTERS;
use crate::csr::tally::{InOrder, NUMBERS};
use crate::primitives::delay::Delay;
use crate::primitives::{DFF, blank, blanks};
use hdl_macros::{Block, logic};
use rust_hdl::prelude::*;

/// Clocks from the kinds' numbers to the beat's sums.
const TO_SUMS: usize = 2;
/// And on, until the beat is told of.
const TOLD: usize = running::LATENCY;

/// What a beat adds to each counter, when its flow's state is known ([`running`]).
#[derive(Block)]
pub struct Tally<
    const N: usize,
    const H1: usize,
    const H2: usize,
    const H3: usize,
    const H4: usize,
    const H5: usize,
> {
    pub clock: Signal<In, Clock>,
    /// The ill-formed pieces that end in the beat's own lanes and their kinds, a clock after its pieces; the piece that ended before the
    /// beat, and the sums, when these are there.
    pub ill: Signal<In, Bits<N>>,
    pub kind_0: Signal<In, Bits<N>>,
    pub kind_1: Signal<In, Bits<N>>,
    pub kind_2: Signal<In, Bits<N>>,
    pub ill_before: Signal<In, Bit>,
    pub kind_before: Signal<In, Bits<3>>,
    pub bytes: Signal<In, Bits<NUMBER>>,
    pub scalars: Signal<In, Bits<NUMBER>>,
    /// There is a beat; it is refused; its message ends with it; that is ill-formed.
    pub is_beat: Signal<In, Bit>,
    pub refused: Signal<In, Bit>,
    pub message_ends: Signal<In, Bit>,
    pub bad: Signal<In, Bit>,

    /// There is a beat that counts. All that it brings is in one clock.
    pub ends: Signal<Out, Bit>,
    /// A number for each counter, and a further one.
    pub numbers: Signal<Out, Bits<NUMBERS>>,
    pub ones: Signal<Out, Bits<COUNTERS>>,
    kinds: Kinds<N, H1, H2, H3, H4, H5>,
    /// The piece that ended before the beat, for each counter of such; each number with it.
    before: Vec<DFF<Bit>>,
    sum: Vec<DFF<Bits<NUMBER>>>,
    number: Vec<Delay<Bits<NUMBER>, { TO_SUMS - 1 + TOLD }>>,
    one: Vec<Delay<Bit, { TO_SUMS + TOLD }>>,
    late_bytes: Delay<Bits<NUMBER>, TOLD>,
    late_scalars: Delay<Bits<NUMBER>, TOLD>,
    in_order: InOrder,
}

impl<
    const N: usize,
    const H1: usize,
    const H2: usize,
    const H3: usize,
    const H4: usize,
    const H5: usize,
> Default for Tally<N, H1, H2, H3, H4, H5>
{
    fn default() -> Self {
        Self {
            clock: blank(),
            ill: blank(),
            kind_0: blank(),
            kind_1: blank(),
            kind_2: blank(),
            ill_before: blank(),
            kind_before: blank(),
            bytes: blank(),
            scalars: blank(),
            is_beat: blank(),
            refused: blank(),
            message_ends: blank(),
            bad: blank(),
            ends: blank(),
            numbers: blank(),
            ones: blank(),
            kinds: blank(),
            before: blanks(ILL),
            sum: blanks(ILL),
            number: blanks(ILL),
            one: blanks(ILL),
            late_bytes: blank(),
            late_scalars: blank(),
            in_order: blank(),
        }
    }
}

impl<
    const N: usize,
    const H1: usize,
    const H2: usize,
    const H3: usize,
    const H4: usize,
    const H5: usize,
> Logic for Tally<N, H1, H2, H3, H4, H5>
{
    #[logic]
    fn update(&mut self) {
        self.kinds.clock.next = self.clock.val();
        self.kinds.ill.next = self.ill.val();
        self.kinds.kind_0.next = self.kind_0.val();
        self.kinds.kind_1.next = self.kind_1.val();
        self.kinds.kind_2.next = self.kind_2.val();
        for i in 0..1 {
            self.before[i].d.next = self.ill_before.val() & (self.kind_before.val() == 1);
        }
        for i in 1..2 {
            self.before[i].d.next = self.ill_before.val() & (self.kind_before.val() == 2);
        }
        for i in 2..3 {
            self.before[i].d.next = self.ill_before.val() & (self.kind_before.val() == 3);
        }
        for i in 3..4 {
            self.before[i].d.next = self.ill_before.val() & (self.kind_before.val() == 4);
        }
        for i in 4..5 {
            self.before[i].d.next = self.ill_before.val() & (self.kind_before.val() == 5);
        }
        for i in 5..6 {
            self.before[i].d.next = self.ill_before.val() & (self.kind_before.val() == 6);
        }
        for i in 6..7 {
            self.before[i].d.next = self.ill_before.val() & (self.kind_before.val() == 7);
        }
        for i in 0..7 {
            self.before[i].clock.next = self.clock.val();
            self.sum[i].clock.next = self.clock.val();
            if self.before[i].q.val() {
                self.sum[i].d.next = self.kinds.number[i].val() + 1;
            } else {
                self.sum[i].d.next = self.kinds.number[i].val();
            }
            self.number[i].clock.next = self.clock.val();
            self.number[i].x.next = self.sum[i].q.val();
            self.one[i].clock.next = self.clock.val();
            self.one[i].x.next = self.kinds.further[i].val();
        }
        self.late_bytes.clock.next = self.clock.val();
        self.late_bytes.x.next = self.bytes.val();
        self.late_scalars.clock.next = self.clock.val();
        self.late_scalars.x.next = self.scalars.val();

        self.in_order.ends.next = self.message_ends.val();
        self.in_order.bad.next = self.bad.val();
        self.in_order.bytes.next = self.late_bytes.y.val();
        self.in_order.scalars.next = self.late_scalars.y.val();
        self.in_order.scalars_one.next = false;
        for i in 0..7 {
            self.in_order.kinds[i].next = self.number[i].y.val();
            self.in_order.kinds_one[i].next = self.one[i].y.val();
        }
        self.ends.next = self.is_beat.val() & !self.refused.val();
        self.numbers.next = self.in_order.numbers.val();
        self.ones.next = self.in_order.ones.val();
    }
}
