//! A counter of all packets, and its copy that is read.
//!
//! What the beats of a packet bring is added up by itself first, and to the total at the packet's end: so the total never has a
//! part of a packet in it, and a packet that is dropped leaves no trace. Both sums are cut into four segments, a clock apart: a segment
//! takes the carry of the one below in the next clock, and so does all that tells it to do something. A copy that is taken by such a
//! signal has therefore in every segment the same packets. In the same way the signals pass from counter to counter ([`Token::later`]):
//! none goes further in a clock than to four segments.
//!
//! # Latency
//! [`LATENCY`] clocks from a packet's last beat until its whole number is in the total; a beat in every clock.
//!
//! # Reset
//! All but the sum of the packet under way, which is cleared before a packet's first beat.

use crate::primitives::wires::{Lane, Stack, Widen};
use crate::primitives::{DFF, blank, blanks, several};
use crate::validate::counter::Passed;
use crate::verilog::{Body, bit, bits, concat, name, one, zero};
use hdl_macros::{Blank, Block, logic};
use rust_hdl::prelude::*;

/// Parts of a counter.
pub const SEGMENTS: usize = 4;
/// Clocks from a number to the total with it.
pub const LATENCY: usize = SEGMENTS + 1;

/// Tells the segments to do something: bit `s` is `s` clocks later than `x`.
#[derive(Block)]
pub struct Token {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub x: Signal<In, Bit>,
    pub y: Signal<Out, Bits<SEGMENTS>>,
    /// `x` a clock later, for the next counter.
    pub later: Signal<Out, Bit>,
    /// What came, a segment a clock further up.
    carried: DFF<Bits<SEGMENTS>>,
    passed: Passed<SEGMENTS>,
    second: Lane<SEGMENTS>,
}

impl Default for Token {
    fn default() -> Self {
        Self {
            second: Lane::new(1),
            clock: blank(),
            reset: blank(),
            x: blank(),
            y: blank(),
            later: blank(),
            carried: blank(),
            passed: blank(),
        }
    }
}

impl Logic for Token {
    #[logic]
    fn update(&mut self) {
        dff_setup!(self, clock, carried);
        self.passed.into.next = self.x.val();
        self.passed.x.next = self.carried.q.val();
        self.y.next = self.passed.y.val();
        self.carried.d.next = self.passed.y.val();
        self.second.x.next = self.passed.y.val();
        self.later.next = self.second.y.val();
        if self.reset.val() {
            self.carried.d.next = 0.into();
        }
    }
}

/// `x + y`, one more with `carry_in`.
#[derive(Block, Blank)]
pub struct Adder<const W: usize> {
    pub x: Signal<In, Bits<W>>,
    pub y: Signal<In, Bits<W>>,
    pub carry_in: Signal<In, Bit>,
    pub sum: Signal<Out, Bits<W>>,
    pub carry: Signal<Out, Bit>,
}

impl<const W: usize> Logic for Adder<W> {
    fn update(&mut self) {
        let sum = self.x.val().to_u64() + self.y.val().to_u64() + u64::from(self.carry_in.val());
        self.sum.next = (sum & ((1 << W) - 1)).into();
        self.carry.next = sum >> W != 0;
    }

    fn connect(&mut self) {
        self.sum.connect();
        self.carry.connect();
    }

    fn hdl(&self) -> Verilog {
        // The carry comes in from below, as a sum of two ones there, so that one chain of carries is enough.
        let total =
            concat([one(), name("x"), zero(1)]) + concat([name("carry_in"), name("y"), zero(1)]);
        Body::new(Self::ABOUT)
            .wire("total", W + 2, total)
            .assign("sum", bits("total", 1, W))
            .assign("carry", bit("total", W + 1))
            .done()
    }
}

/// A quarter of a counter's bits: its packet's sum, its total and the copy of that. It has `W` bits.
#[derive(Block, Blank)]
pub struct Segment<const W: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    /// What the beat adds to its packet: a number in the lowest segment, the carry from the segment below in the others.
    pub number: Signal<In, Bits<W>>,
    pub carry_in: Signal<In, Bit>,
    /// The beat of the next clock is its packet's first; this one is its packet's last.
    pub restarts: Signal<In, Bit>,
    pub ends: Signal<In, Bit>,
    /// The total is copied, or cleared.
    pub snapshot: Signal<In, Bit>,
    pub clear: Signal<In, Bit>,
    pub total_carry_in: Signal<In, Bit>,
    /// To the next segment, in the next clock.
    pub carry: Signal<Out, Bit>,
    pub total_carry: Signal<Out, Bit>,
    /// The copy.
    pub shown: Signal<Out, Bits<W>>,
    add: Adder<W>,
    add_total: Adder<W>,
    /// What the packet has come to, and the carry to the next segment.
    packet: DFF<Bits<W>>,
    packet_carry: DFF<Bit>,
    /// What the last packet came to.
    ended: DFF<Bits<W>>,
    /// The total, and the carry to the next segment.
    total: DFF<Bits<W>>,
    /// What came, a segment a clock further up.
    carried: DFF<Bit>,
    /// The total at the last snapshot.
    copy: DFF<Bits<W>>,
}

impl<const W: usize> Logic for Segment<W> {
    #[logic]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            packet,
            packet_carry,
            ended,
            total,
            carried,
            copy
        );
        // The sums go to registers that are cleared, so that there is no LUT before a chain of carries, and one behind it.
        self.add.x.next = self.packet.q.val();
        self.add.y.next = self.number.val();
        self.add.carry_in.next = self.carry_in.val();
        if self.restarts.val() {
            self.packet.d.next = 0.into();
        } else {
            self.packet.d.next = self.add.sum.val();
        }
        self.packet_carry.d.next = self.add.carry.val();
        if self.ends.val() {
            self.ended.d.next = self.add.sum.val();
        } else {
            self.ended.d.next = 0.into();
        }

        self.add_total.x.next = self.total.q.val();
        self.add_total.y.next = self.ended.q.val();
        self.add_total.carry_in.next = self.total_carry_in.val();
        // What has ended in the clock of a clear is all that there is then, and gives no carry.
        if self.clear.val() {
            self.total.d.next = self.ended.q.val();
            self.carried.d.next = false;
        } else {
            self.total.d.next = self.add_total.sum.val();
            self.carried.d.next = self.add_total.carry.val();
        }
        if self.snapshot.val() {
            self.copy.d.next = self.total.q.val();
        }
        if self.reset.val() {
            self.packet_carry.d.next = false;
            self.ended.d.next = 0.into();
            self.total.d.next = 0.into();
            self.carried.d.next = false;
            self.copy.d.next = 0.into();
        }
        self.carry.next = self.packet_carry.q.val();
        self.total_carry.next = self.carried.q.val();
        self.shown.next = self.copy.q.val();
    }
}

/// Counts what packets bring. Numbers have `A` bits, at most `W`; the counter has `T`, which is `4 * W`, and begins again at zero
/// after all ones.
#[derive(Block)]
pub struct Counter<const A: usize, const W: usize, const T: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    /// What the beat adds to its packet, and one more.
    pub number: Signal<In, Bits<A>>,
    pub one: Signal<In, Bit>,
    /// Bit `s` is for segment `s`: the beat of the next clock is its packet's first; this one is its packet's last; the total is copied, or
    /// cleared.
    pub restarts: Signal<In, Bits<SEGMENTS>>,
    pub ends: Signal<In, Bits<SEGMENTS>>,
    pub snapshot: Signal<In, Bits<SEGMENTS>>,
    pub clear: Signal<In, Bits<SEGMENTS>>,
    /// The copy of the total.
    pub shown: Signal<Out, Bits<T>>,
    widen: Widen<A, W>,
    segment: Vec<Segment<W>>,
    restart: Vec<Lane<SEGMENTS>>,
    last: Vec<Lane<SEGMENTS>>,
    copies: Vec<Lane<SEGMENTS>>,
    clears: Vec<Lane<SEGMENTS>>,
    stack: Stack<W, SEGMENTS, T>,
}

impl<const A: usize, const W: usize, const T: usize> Default for Counter<A, W, T> {
    fn default() -> Self {
        Self {
            clock: blank(),
            reset: blank(),
            number: blank(),
            one: blank(),
            restarts: blank(),
            ends: blank(),
            snapshot: blank(),
            clear: blank(),
            shown: blank(),
            widen: blank(),
            segment: blanks(SEGMENTS),
            restart: several(SEGMENTS, Lane::new),
            last: several(SEGMENTS, Lane::new),
            copies: several(SEGMENTS, Lane::new),
            clears: several(SEGMENTS, Lane::new),
            stack: blank(),
        }
    }
}

impl<const A: usize, const W: usize, const T: usize> Logic for Counter<A, W, T> {
    #[logic]
    fn update(&mut self) {
        self.widen.x.next = self.number.val();
        for i in 0..4 {
            self.restart[i].x.next = self.restarts.val();
            self.last[i].x.next = self.ends.val();
            self.copies[i].x.next = self.snapshot.val();
            self.clears[i].x.next = self.clear.val();
            self.segment[i].clock.next = self.clock.val();
            self.segment[i].reset.next = self.reset.val();
            self.segment[i].restarts.next = self.restart[i].y.val();
            self.segment[i].ends.next = self.last[i].y.val();
            self.segment[i].snapshot.next = self.copies[i].y.val();
            self.segment[i].clear.next = self.clears[i].y.val();
            self.stack.x[i].next = self.segment[i].shown.val();
        }
        for i in 0..1 {
            self.segment[i].number.next = self.widen.y.val();
            self.segment[i].carry_in.next = self.one.val();
            self.segment[i].total_carry_in.next = false;
        }
        for i in 1..4 {
            self.segment[i].number.next = 0.into();
            self.segment[i].carry_in.next = self.segment[i - 1].carry.val();
            self.segment[i].total_carry_in.next = self.segment[i - 1].total_carry.val();
        }
        self.shown.next = self.stack.y.val();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::embedded::settle;

    /// A counter of eight bits, in segments of two: it begins again at zero after a few packets.
    struct Bench {
        counter: Counter<2, 2, 8>,
        /// What carried the segments, in the clocks before: restarts, ends, snapshot, clear.
        carried: [u64; 4],
        /// Of a generator of Marsaglia's.
        random: u64,
    }

    impl Bench {
        fn new() -> Self {
            let mut counter = Counter::default();
            counter.connect_all();
            Self {
                counter,
                carried: [0; 4],
                random: 1,
            }
        }

        fn random(&mut self, below: u64) -> u64 {
            self.random ^= self.random << 13;
            self.random ^= self.random >> 7;
            self.random ^= self.random << 17;
            self.random % below
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
