//! A line: Ethernet at a rate, and a core behind it that has a clock.
//!
//! Frames follow each other without a pause, which is the most that a line can bring. A beat can be offered as soon as the last of
//! its bytes has come; what comes while the core does not take it waits.

use std::collections::VecDeque;

/// Bytes of the preamble and of the mark behind it, before every frame.
pub const PREAMBLE: u64 = 8;
/// Bytes of the check sequence, with which every frame ends.
const CHECK_SEQUENCE: u64 = 4;
/// The least bytes of a frame, its check sequence included; it is padded if it has fewer.
const SHORTEST_FRAME: u64 = 64;
/// Bytes that do not come between two frames.
const GAP: u64 = 12;

/// The bytes that a frame takes on the wire, if it has so many without its check sequence.
pub fn cost(frame: u64) -> u64 {
    PREAMBLE + (frame + CHECK_SEQUENCE).max(SHORTEST_FRAME) + GAP
}

/// How fast a line and a core's clock are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    pub bits_per_second: u64,
    pub hertz: u64,
}

impl Line {
    /// Clocks until so many bytes have come, counted from the first bit.
    pub fn clocks(&self, bytes: u64) -> u64 {
        let bits = u128::from(bytes) * 8 * u128::from(self.hertz);
        bits.div_ceil(u128::from(self.bits_per_second)) as u64
    }
}

/// How a core stood a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Strain {
    /// Clocks until the last byte of the last packet had come.
    pub clocks: u64,
    /// Beats that the core took.
    pub beats: u64,
    /// Clocks in which a beat had come and `tready` did not take it.
    pub lost_clocks: u64,
    /// The most beats that had come and not been taken, the one on the pins included.
    pub most_waiting: u64,
    /// The most clocks that one waited.
    pub longest_wait: u64,
}

/// When beats come over a line, and how they are taken.
pub struct Pacer {
    line: Line,
    /// The clock with which the line begins, once it has.
    start: Option<u64>,
    /// Pieces that have bytes to be offered: how many bytes there are up to the end of each, and where on the wire that is.
    pieces: VecDeque<(u64, u64)>,
    pulled: u64,
    offered: u64,
    /// The clock from which on the beat on the pins could be taken.
    due: u64,
    /// When the newest beats were taken, but for those that were taken before the newest one came.
    taken: VecDeque<u64>,
    strain: Strain,
}

impl Pacer {
    pub fn new(line: Line) -> Self {
        Self {
            line,
            start: None,
            pieces: VecDeque::new(),
            pulled: 0,
            offered: 0,
            due: 0,
            taken: VecDeque::new(),
            strain: Strain::default(),
        }
    }

    /// The core can take a beat in this clock. The first such one begins the line: a network card comes up before its link.
    pub fn begin(&mut self, clock: u64) {
        self.start.get_or_insert(clock);
    }

    /// A piece of so many bytes follows, whose last byte is the one at `arrived` on the wire.
    pub fn pull(&mut self, bytes: usize, arrived: u64) {
        self.pulled += bytes as u64;
        self.pieces.push_back((self.pulled, arrived));
    }

    /// Whether the beat with the next so many bytes has come at this clock; then it is offered.
    pub fn offer(&mut self, bytes: usize, clock: u64) -> bool {
        let end = self.offered + bytes as u64;
        while self.pieces.front().is_some_and(|&(upto, _)| upto < end) {
            self.pieces.pop_front();
        }
        let arrived = self
            .pieces
            .front()
            .map_or(0, |&(upto, arrived)| arrived - (upto - end));
        let has_come = self.offer_at(arrived, clock);
        if has_come {
            self.offered = end;
        }
        has_come
    }

    /// Whether the beat whose last byte is the one at `arrived` on the wire has come at this clock; then it is offered.
    pub fn offer_at(&mut self, arrived: u64, clock: u64) -> bool {
        let Some(start) = self.start else {
            return false;
        };
        // A frame whose bytes came in parts, with others between, is on the wire but once: no part comes before the one before.
        let due = self.due.max(start + self.line.clocks(arrived));
        if clock < due {
            return false;
        }
        self.due = due;
        self.strain.clocks = due - start;
        true
    }

    /// What becomes, in a clock, of the beat on the pins.
    pub fn clock(&mut self, clock: u64, is_taken: bool) {
        if !is_taken {
            self.strain.lost_clocks += 1;
            return;
        }
        // What was taken in this beat's first clock or later had not left when it came.
        while self.taken.front().is_some_and(|&taken| taken < self.due) {
            self.taken.pop_front();
        }
        self.taken.push_back(clock);
        self.strain.beats += 1;
        self.strain.most_waiting = self.strain.most_waiting.max(self.taken.len() as u64);
        self.strain.longest_wait = self.strain.longest_wait.max(clock - self.due);
    }

    pub fn strain(&self) -> Strain {
        self.strain
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_cost_what_the_standard_says() {
        // The shortest one takes 84 bytes with all that is around it, and the longest 1538.
        assert_eq!(cost(14), 84);
        assert_eq!(cost(60), 84);
        assert_eq!(cost(61), 85);
        assert_eq!(cost(1514), 1538);
    }

    #[test]
    fn known_rates_in_clocks() {
        let line = |bits_per_second, hertz| Line {
            bits_per_second,
            hertz,
        };
        // 100 Gbit/s is 148.8 million of the shortest frames a second, one in 6.72 ns; 64 bytes are 5.12 ns.
        let gigahertz = 1_000_000_000;
        let hundred = line(100 * gigahertz, 100 * gigahertz);
        assert_eq!((hundred.clocks(84), hundred.clocks(64)), (672, 512));
        assert_eq!(hundred.clocks(148_809_523 * 84) / hundred.hertz, 0);
        assert_eq!(hundred.clocks(148_809_524 * 84) / hundred.hertz, 1);
        // 10 Gbit/s at 156.25 MHz are eight bytes a clock.
        let ten = line(10 * gigahertz, 156_250_000);
        assert_eq!((ten.clocks(0), ten.clocks(8), ten.clocks(9)), (0, 1, 2));
    }

    /// Eight bytes a clock; the line begins with clock 4.
    fn pacer() -> Pacer {
        let line = Line {
            bits_per_second: 64,
            hertz: 1,
        };
        let mut pacer = Pacer::new(line);
        pacer.begin(4);
        pacer.begin(5);
        pacer
    }

    #[test]
    fn a_beat_comes_with_its_last_byte() {
        let mut pacer = pacer();
        pacer.pull(20, 40);
        pacer.pull(4, 60);
        // Bytes 21 to 28 on the wire; then 29 to 36; then those up to 40 and, in the next frame, 60.
        for (bytes, clock) in [(8, 4 + 4), (8, 4 + 5), (8, 4 + 8)] {
            assert!(!pacer.offer(bytes, clock - 1));
            assert!(pacer.offer(bytes, clock));
            pacer.clock(clock, true);
        }
        let strain = pacer.strain();
        assert_eq!((strain.beats, strain.clocks, strain.lost_clocks), (3, 8, 0));
        assert_eq!((strain.most_waiting, strain.longest_wait), (1, 0));
    }

    #[test]
    fn nothing_comes_before_the_core_can_take_it() {
        let mut pacer = Pacer::new(pacer().line);
        assert!(!pacer.offer_at(8, 100));
        pacer.begin(100);
        assert!(!pacer.offer_at(8, 100));
        assert!(pacer.offer_at(8, 101));
        pacer.clock(101, true);
        // A beat without a byte comes with its frame.
        assert!(!pacer.offer_at(84, 110));
        assert!(pacer.offer_at(84, 111));
        pacer.clock(111, true);
        let strain = pacer.strain();
        assert_eq!((strain.clocks, strain.lost_clocks), (11, 0));
        assert_eq!((strain.most_waiting, strain.longest_wait), (1, 0));
    }

    #[test]
    fn what_is_not_taken_waits() {
        let mut pacer = pacer();
        pacer.pull(80, 80);
        // One beat a clock comes from clock 5 on; the core takes one every other clock.
        for beat in 0..10 {
            let clock = 5 + 2 * beat;
            assert!(pacer.offer(8, clock));
            pacer.clock(clock, false);
            pacer.clock(clock + 1, true);
        }
        let strain = pacer.strain();
        assert_eq!(
            (strain.beats, strain.clocks, strain.lost_clocks),
            (10, 10, 10)
        );
        // The last one came with clock 14 and left with clock 24. Then five had left, with clocks 6, 8 ... 14, the fifth with that one.
        assert_eq!((strain.most_waiting, strain.longest_wait), (6, 10));
    }
}
