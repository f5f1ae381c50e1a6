//! A counter of a packet, of up to 32 bits, that says when it has saturated.
//!
//! No carry runs through more than one LUT in a clock. The lower eight bits, to which a number is added, take a bit a
//! clock; above them there is only a carry to add, and two bits with that are as little logic as one with a number,
//! so they take two bits a clock. Each of these steps is a clock later than the one before it, and so are its bits.
//!
//! # Latency
//! [`LATENCY`] clocks, a number in every clock.
//!
//! # Reset
//! None: a packet's first number clears what is there.

use crate::primitives::skew::{Skew, lowest};
use crate::primitives::wires::{Lane, Passed};
use crate::verilog::{Body, Run, bit, concat, name};
use hdl_macros::{Blank, Block, Described, stages};
use rust_hdl::prelude::*;

const LOWER: usize = 8;
const UPPER: usize = 12;
const STEPS: usize = LOWER + UPPER;

/// Clocks from a number to the shown sum that contains it.
pub const LATENCY: usize = STEPS + 2;

stages! {
    /// Adds up what a packet's beats bring: one bit, or two, carry in each clock.
    pub block Counter {
        /// Bits of the count: 8, 16, 24 or 32.
        given width: usize;
        given pairs: usize = (width - LOWER) / 2;
        /// Configuration: the pairs of the count's width; the others only pass a carry on.
        given there: Bits<UPPER> = ((1u64 << pairs) - 1).into();
        /// Configuration: the largest count.
        given most: Bits<32> = (u64::MAX >> (64 - width)).into();

        /// The number is the first of its packet.
        in first: Bit @ 0;
        /// Each bit a clock later than the one below it.
        in number: Bits<LOWER> @ 0;
        /// One more than `number`.
        in one: Bit @ 0;
        /// Two clocks before the sum is due: it is not to be shown.
        in hide: Bit @ 20;

        stage 1 "the lower bits, each a clock later than the one below it" {
            wires is_first: Passed<LOWER> = { into: first, x: was(firsts) };
            wires carries: Passed<LOWER> = { into: one, x: was(carried) };
            let kept: Bits<LOWER> = was(total) & !is_first;
            /// The sum so far.
            state total: Bits<LOWER> = kept ^ number ^ carries;
            /// Carries on their way, and the marks of a packet's first number.
            state carried: Bits<LOWER> = (kept & number) | (carries & (kept | number));
            state firsts: Bits<LOWER> = is_first;
        }

        stage 9 "the upper bits in pairs, each a clock later than the one below it" {
            wires last_first: Lane<LOWER>(LOWER - 1) = { x: firsts.at(1) };
            wires last_carry: Lane<LOWER>(LOWER - 1) = { x: carried.at(1) };
            wires is_first_pair: Passed<UPPER> = { into: last_first, x: was(firsts) };
            wires carries_up: Passed<UPPER> = { into: last_carry, x: was(carried) };
            let kept_even: Bits<UPPER> = was(even) & !is_first_pair;
            let kept_odd: Bits<UPPER> = was(odd) & !is_first_pair;
            /// The even bits of the sum so far, and the odd ones.
            state even: Bits<UPPER> = (kept_even ^ carries_up) & there;
            state odd: Bits<UPPER> = (kept_odd ^ (kept_even & carries_up)) & there;
            /// Carries on their way, and the marks of a packet's first number.
            state carried: Bits<UPPER> = carries_up & ((kept_even & kept_odd) | !there);
            state firsts: Bits<UPPER> = is_first_pair;
        }

        stage 21 "the sum, when all of its bits are there" {
            wires top_first: Lane<UPPER>(UPPER - 1) = { x: firsts.at(9) };
            wires top_carry: Lane<UPPER>(UPPER - 1) = { x: carried.at(9) };
            /// The sum has saturated.
            state over: Bit = (was(over) & !top_first) | top_carry;
            part lower: Skew<LOWER>(|bit| STEPS - bit) = { x: total.at(1) };
            part late_even: Skew<UPPER>(lowest(pairs, |step| UPPER - step)) = { x: even.at(9) };
            part late_odd: Skew<UPPER>(lowest(pairs, |step| UPPER - step)) = { x: odd.at(9) };
            /// Never set, for a pair that gives a carry is zero; but no tool knows it.
            wires never: Lane<UPPER>(0) = { x: carried.at(9) & even.at(9) };
            /// It is not shown. Each counter has this by itself, near to what it clears; a tool would take all for
            /// one, were it not for what is never set.
            hides: Bit = hide | never;
        }

        stage 22 "the outputs" {
            wires sum: InOrder = { lower, even: late_even, odd: late_odd };
            value: Bits<32> = if hides { 0 } else if over { most } else { sum };
            saturated: Bit = if hides { false } else { over };
        }

        /// The sum, or all ones if it has saturated; zero if it is not to be shown.
        out value: Bits<32> @ 22;
        out saturated: Bit @ 22;
    }
}

/// The bits of a sum in their order.
#[derive(Block, Blank, Described)]
pub struct InOrder {
    pub lower: Signal<In, Bits<LOWER>>,
    pub even: Signal<In, Bits<UPPER>>,
    pub odd: Signal<In, Bits<UPPER>>,
    pub y: Signal<Out, Bits<32>>,
    _run: Run,
}

impl InOrder {
    fn body(&self, body: Body) -> Body {
        let pairs = (0..UPPER).flat_map(|step| [bit("even", step), bit("odd", step)]);
        let all = std::iter::once(name("lower")).chain(pairs);
        body.assign("y", concat(all))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::random;
    use crate::embedded::settle;
    use crate::primitives::Cuts;
    use crate::vector::from_bits;
    use rand::Rng;

    struct Beat {
        number: u64,
        hide: bool,
        sum: u64,
    }

    /// A beat in every clock: the sum of its packet so far, with every carry, up to saturation.
    fn sums(width: usize, packet: u64, beats: usize) {
        let mut counter = Counter::new(Cuts::ALL, width);
        counter.connect_all();
        let (mut random, mut saturated) = (random(), 0);
        let most = u64::MAX >> (64 - width);
        let mut all: Vec<Beat> = Vec::new();
        for clock in 0..beats {
            let before = all.last().map_or(0, |beat| beat.sum);
            let first = clock == 0 || random.random_range(0..packet) == 0;
            let (number, one) = (random.random_range(0..256), random.random());
            let sum = if first { 0 } else { before } + number + u64::from(one);
            let hide = random.random_range(0..8) == 0;
            all.push(Beat { number, hide, sum });
            let ago = |clocks: usize| clock.checked_sub(clocks).map(|beat| &all[beat]);
            counter.first.next = first;
            counter.one.next = one;
            counter.number.next =
                from_bits(|bit| ago(bit).is_some_and(|beat| beat.number >> bit & 1 == 1));
            counter.hide.next = ago(STEPS).is_some_and(|beat| beat.hide);
            counter.clock.next = Clock { clk: false };
            settle(&mut counter).expect("it settles");
            if let Some(beat) = ago(LATENCY) {
                let over = !beat.hide && beat.sum > most;
                let shown = if beat.hide { 0 } else { beat.sum.min(most) };
                assert_eq!(counter.value.val().to_u64(), shown, "clock {clock}");
                assert_eq!(counter.saturated.val(), over, "clock {clock}");
                saturated += usize::from(over);
            }
            counter.clock.next = Clock { clk: true };
            settle(&mut counter).expect("it settles");
        }
        assert!(saturated > 0);
    }

    #[test]
    fn a_packet_is_added_up_and_saturates() {
        sums(8, 8, 2_000);
        sums(16, 2_000, 6_000);
    }
}
