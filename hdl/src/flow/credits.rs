//! How many words of a FIFO are not promised to a beat.
//!
//! Nothing here is more than one LUT4 between registers: what happens in a clock is registered, then what it comes to, and the count has a
//! register between its digits of two bits. So `enough` is six clocks old, and the margin is for those.

use crate::primitives::{DFF, blank, blanks, several};
use hdl_macros::{Block, logic};
use rust_hdl::prelude::*;

/// `tready` falls while fewer words than this are unpromised: seven beats may enter before `tready` shows the first of them,
/// and a word is always left empty.
pub const MARGIN: u64 = 8;

/// Digits of the count, each of two bits.
const DIGITS: usize = 4;

/// Counts the FIFO's free words. A beat that enters spends one; it comes back when the beat leaves the FIFO, or turns out to have
/// nothing to send. `WORDS` is at most 64.
#[derive(Block)]
pub struct Credits<const WORDS: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub spent: Signal<In, Bit>,
    pub retired: Signal<In, Bit>,
    pub returned: Signal<In, Bit>,
    /// There are at least [`MARGIN`] free words.
    pub enough: Signal<Out, Bit>,
    /// A credit was spent a clock ago; one has come back then, or two.
    was_spent: DFF<Bit>,
    was_one: DFF<Bit>,
    was_two: DFF<Bit>,
    /// The change of the count: from minus 1 to 2, modulo 4.
    step_0: DFF<Bit>,
    step_1: DFF<Bit>,
    /// Free words beyond the margin: digits of two bits, the top bit the sign; what goes up and down between them.
    bit_0: Vec<DFF<Bit>>,
    bit_1: Vec<DFF<Bit>>,
    up: Vec<DFF<Bit>>,
    down: Vec<DFF<Bit>>,
    all_0: Vec<Constant<Bit>>,
    all_1: Vec<Constant<Bit>>,
}

impl<const WORDS: usize> Default for Credits<WORDS> {
    fn default() -> Self {
        let all = |bit: usize| (WORDS as u64 - MARGIN) >> bit & 1 == 1;
        Self {
            all_0: several(DIGITS, |digit| Constant::new(all(2 * digit))),
            all_1: several(DIGITS, |digit| Constant::new(all(2 * digit + 1))),
            clock: blank(),
            reset: blank(),
            spent: blank(),
            retired: blank(),
            returned: blank(),
            enough: blank(),
            was_spent: blank(),
            was_one: blank(),
            was_two: blank(),
            step_0: blank(),
            step_1: blank(),
            bit_0: blanks(DIGITS),
            bit_1: blanks(DIGITS),
            up: blanks(DIGITS),
            down: blanks(DIGITS),
        }
    }
}

impl<const WORDS: usize> Logic for Credits<WORDS> {
    #[logic]
    fn update(&mut self) {
        dff_setup!(self, clock, was_spent, was_one, was_two, step_0, step_1);
        for i in 0..DIGITS {
            self.bit_0[i].clock.next = self.clock.val();
            self.bit_1[i].clock.next = self.clock.val();
            self.up[i].clock.next = self.clock.val();
            self.down[i].clock.next = self.clock.val();
        }
        self.was_spent.d.next = self.spent.val();
        self.was_one.d.next = self.retired.val() ^ self.returned.val();
        self.was_two.d.next = self.retired.val() & self.returned.val();
        self.step_0.d.next = self.was_one.q.val() ^ self.was_spent.q.val();
        self.step_1.d.next =
            self.was_two.q.val() ^ (self.was_spent.q.val() & !self.was_one.q.val());
        for i in 0..1 {
            self.bit_0[i].d.next = self.bit_0[i].q.val() ^ self.step_0.q.val();
            self.bit_1[i].d.next = self.bit_1[i].q.val()
                ^ self.step_1.q.val()
                ^ (self.bit_0[i].q.val() & self.step_0.q.val());
            self.up[i].d.next =
                (self.bit_1[i].q.val() & self.step_1.q.val() & !self.step_0.q.val())
                    | (self.bit_1[i].q.val()
                        & self.bit_0[i].q.val()
                        & self.step_0.q.val()
                        & !self.step_1.q.val());
            self.down[i].d.next = !self.bit_1[i].q.val()
                & !self.bit_0[i].q.val()
                & self.step_0.q.val()
                & self.step_1.q.val();
        }
        for i in 1..DIGITS {
            self.bit_0[i].d.next =
                self.bit_0[i].q.val() ^ (self.up[i - 1].q.val() | self.down[i - 1].q.val());
            self.bit_1[i].d.next = self.bit_1[i].q.val()
                ^ ((self.bit_0[i].q.val() & self.up[i - 1].q.val())
                    | (!self.bit_0[i].q.val() & self.down[i - 1].q.val()));
            self.up[i].d.next =
                self.up[i - 1].q.val() & self.bit_1[i].q.val() & self.bit_0[i].q.val();
            self.down[i].d.next =
                self.down[i - 1].q.val() & !self.bit_1[i].q.val() & !self.bit_0[i].q.val();
        }
        if self.reset.val() {
            self.was_spent.d.next = false;
            self.was_one.d.next = false;
            self.was_two.d.next = false;
            self.step_0.d.next = false;
            self.step_1.d.next = false;
            for i in 0..DIGITS {
                self.bit_0[i].d.next = self.all_0[i].val();
                self.bit_1[i].d.next = self.all_1[i].val();
                self.up[i].d.next = false;
                self.down[i].d.next = false;
            }
        }
        // The last turn is the one that counts: the subset has no index but a loop's.
        for i in 0..DIGITS {
            self.enough.next = !self.bit_1[i].q.val();
        }
    }
}
