//! A counter of all packets, and its copy that is read.
//!
//! What the beats of a packet bring is added up by itself first, and to the total at the packet's end: so the total never has a
//! part of a packet in it, and a packet that is dropped leaves no trace. Both sums are cut into four segments, a clock apart: a segment
//! takes the carry of the one below in the next clock, and so do its control signals. A copy that such a signal takes
//! has therefore the same packets in every segment. In the same way the signals pass from counter to counter ([`Token::later`]):
//! none goes further in a clock than to four segments.
//!
//! # Latency
//! [`LATENCY`] clocks from a packet's last beat until its whole number is in the total; a beat in every clock.
//!
//! # Reset
//! All but the sum of the packet under way, which is cleared before a packet's first beat.

use crate::primitives::Cuts;
use crate::primitives::wires::{Lane, Passed, Stack, Widen};
use crate::verilog::{Body, Run, bit, bits, concat, name, one, zero};
use hdl_macros::{Blank, Block, Described, stages};
use rust_hdl::prelude::*;

/// Parts of a counter.
pub const SEGMENTS: usize = 4;
/// Clocks from a number to the total with it.
pub const LATENCY: usize = SEGMENTS + 1;

stages! {
    /// Tells the segments to do something: bit `s` is `s` clocks later than `x`.
    pub block Token {
        in reset: Bit;
        in x: Bit;

        always {
            wires passed: Passed<SEGMENTS> = { into: x, x: carried };
            /// What came, a segment a clock further up.
            carried: Bits<SEGMENTS> = if reset { 0 } else { passed };
        }

        out y: Bits<SEGMENTS> = passed;
        /// `x` a clock later, for the next counter.
        out later: Bit = passed.y.get_bit(1);
    }
}

/// `x + y`, one more with `carry_in`.
#[derive(Block, Blank, Described)]
pub struct Adder<const W: usize> {
    pub x: Signal<In, Bits<W>>,
    pub y: Signal<In, Bits<W>>,
    pub carry_in: Signal<In, Bit>,
    pub sum: Signal<Out, Bits<W>>,
    pub carry: Signal<Out, Bit>,
    _run: Run,
}

impl<const W: usize> Adder<W> {
    fn body(&self, body: Body) -> Body {
        // The carry comes in from below, as a sum of two ones there, so that one chain of carries is enough.
        let total =
            concat([one(), name("x"), zero(1)]) + concat([name("carry_in"), name("y"), zero(1)]);
        body.wire("total", W + 2, total)
            .assign("sum", bits("total", 1, W))
            .assign("carry", bit("total", W + 1))
    }
}

stages! {
    /// A quarter of a counter's bits: its packet's sum, its total and the copy of that. It has `W` bits.
    pub block Segment<const W: usize> {
        in reset: Bit;
        /// What the beat adds to its packet: a number in the lowest segment, the carry from the segment below in the others.
        in number: Bits<W>;
        in carry_in: Bit;
        /// The beat of the next clock is its packet's first; this one is its packet's last.
        in restarts, ends: Bit;
        /// The total is copied, or cleared.
        in snapshot, clear: Bit;
        in total_carry_in: Bit;

        // The sums go to registers that are cleared, so that there is no LUT before a chain of carries, and one after it.
        always {
            wires add: Adder<W> = { x: packet, y: number, carry_in };
            /// What the packet has come to, and the carry to the next segment.
            packet: Bits<W> = if restarts { 0 } else { add.sum };
            mark packet_carry: Bit = add.carry;
            /// What the last packet came to.
            ended: Bits<W> = if reset {
                0
            } else if ends {
                add.sum
            } else {
                0
            };
            wires add_total: Adder<W> = { x: total, y: ended, carry_in: total_carry_in };
            /// The total, and the carry to the next segment. What has ended in the clock of a clear is all that there is then, and gives no
            /// carry.
            total: Bits<W> = if reset {
                0
            } else if clear {
                ended
            } else {
                add_total.sum
            };
            mark carried: Bit = if clear { false } else { add_total.carry };
            /// The total at the last snapshot.
            state copy: Bits<W> = if reset {
                0
            } else if snapshot {
                total
            };
        }

        /// To the next segment, in the next clock.
        out carry: Bit = packet_carry;
        out total_carry: Bit = carried;
        /// The copy.
        out shown: Bits<W> = copy;
    }
}

stages! {
    /// Counts what packets bring. Numbers have `A` bits, at most `W`; the counter has `T`, which is `4 * W`, and begins again at zero
    /// after all ones.
    pub block Counter<const A: usize, const W: usize, const T: usize> {
        in reset: Bit;
        /// What the beat adds to its packet, and one more.
        in number: Bits<A>;
        in one: Bit;
        /// Bit `s` is for segment `s`: the beat of the next clock is its packet's first; this one is its packet's last; the total is
        /// copied, or cleared.
        in restarts, ends, snapshot, clear: Bits<SEGMENTS>;

        always {
            wires widen: Widen<A, W> = { x: number };
            for i in 0..SEGMENTS {
                wires restart: Lane<SEGMENTS>(i) = { x: restarts };
                wires last: Lane<SEGMENTS>(i) = { x: ends };
                wires copies: Lane<SEGMENTS>(i) = { x: snapshot };
                wires clears: Lane<SEGMENTS>(i) = { x: clear };
                part segment: Segment<W>(Cuts::ALL) = {
                    reset,
                    number: if i == 0 { widen } else { 0 },
                    carry_in: if i == 0 { one } else { segment[i - 1].carry },
                    restarts: restart[i],
                    ends: last[i],
                    snapshot: copies[i],
                    clear: clears[i],
                    total_carry_in: if i == 0 { false } else { segment[i - 1].total_carry },
                };
            }
            wires stack: Stack<W, SEGMENTS, T> = { x[i in 0..SEGMENTS]: segment[i].shown };
        }

        /// The copy of the total.
        out shown: Bits<T> = stack;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::random;
    use crate::embedded::settle;
    use rand::Rng;
    use rand_xoshiro::Xoshiro256StarStar;

    /// A counter of eight bits, in segments of two: it begins again at zero after a few packets.
    struct Bench {
        counter: Counter<2, 2, 8>,
        /// What carried the segments, in the clocks before: restarts, ends, snapshot, clear.
        carried: [u64; 4],
        random: Xoshiro256StarStar,
    }

    impl Bench {
        fn new() -> Self {
            let mut counter = Counter::new(Cuts::ALL);
            counter.connect_all();
            Self {
                counter,
                carried: [0; 4],
                random: random(),
            }
        }

        fn random(&mut self, below: u64) -> u64 {
            self.random.random_range(0..below)
        }

        /// One clock. Returns the copy before its edge.
        fn clock(&mut self, number: u64, one: bool, tokens: [bool; 4], reset: bool) -> u64 {
            for (carried, token) in self.carried.iter_mut().zip(tokens) {
                *carried = (*carried << 1 | u64::from(token)) & 0xF;
            }
            let counter = &mut self.counter;
            let [restarts, ends, snapshot, clear] = self.carried;
            counter.number.next = number.into();
            counter.one.next = one;
            counter.restarts.next = restarts.into();
            counter.ends.next = ends.into();
            counter.snapshot.next = snapshot.into();
            counter.clear.next = clear.into();
            counter.reset.next = reset;
            counter.clock.next = Clock { clk: false };
            settle(counter).expect("it settles");
            let shown = counter.shown.val().to_u64();
            counter.clock.next = Clock { clk: true };
            settle(counter).expect("it settles");
            if reset {
                self.carried = [0; 4];
            }
            shown
        }
    }

    /// Packets of random lengths, copies and clears at random clocks, resets: the copy is the sum of the whole packets before it, modulo
    /// its 256, and every carry out of every segment occurs.
    #[test]
    fn copies_are_sums_of_whole_packets() {
        let mut bench = Bench::new();
        let (mut packet, mut total, mut copies) = (0, 0, 0);
        let mut in_packet = false;
        // The number of a packet that has ended a clock ago.
        let mut ended = 0;
        // A copy, and the clocks until all of it shows.
        let mut copied: Option<(u64, usize)> = None;
        let mut beat = false;
        for clock in 0..30_000 {
            let (number, one) = if beat {
                (bench.random(4), bench.random(2) == 1)
            } else {
                (0, false)
            };
            let first = beat && !in_packet;
            let ends = beat && bench.random(6) == 0;
            in_packet = !ends && (beat || in_packet);
            let reset = bench.random(2_000) == 0;
            beat = !reset && bench.random(8) != 0;
            let restarts = beat && !in_packet;
            let snapshot = copied.is_none() && bench.random(10) == 0;
            let clear = bench.random(300) == 0;
            let shown = bench.clock(number, one, [restarts, ends, snapshot, clear], reset);
            match &mut copied {
                Some((expected, 0)) => {
                    assert_eq!(shown, *expected % 256, "clock {clock}");
                    copies += usize::from(*expected > 255);
                    copied = None;
                }
                Some((_, clocks)) => *clocks -= 1,
                None => {}
            }
            if first {
                packet = 0;
            }
            packet += number + u64::from(one);
            if snapshot {
                copied = Some((total, SEGMENTS - 1));
            }
            total = if clear { 0 } else { total } + ended;
            ended = if ends { packet } else { 0 };
            if reset {
                (total, ended, copied, in_packet) = (0, 0, None, false);
            }
        }
        assert!(copies > 1_000, "{copies} copies after the counter's end");
    }

    #[test]
    fn a_reset_clears_the_copy() {
        let mut bench = Bench::new();
        bench.clock(3, true, [true, true, false, false], false);
        for clock in 0..10 {
            bench.clock(0, false, [false, false, clock == 4, false], false);
        }
        assert_eq!(bench.clock(0, false, [false; 4], true), 4);
        assert_eq!(bench.clock(0, false, [false; 4], false), 0);
    }
}
