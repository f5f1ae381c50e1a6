//! Whole frames at the rate of a line: the lengths with which a core keeps up.

use crate::line::{Line, cost};
use std::ops::RangeInclusive;

/// Bytes of the frames of Ethernet, without their check sequence.
pub const LENGTHS: RangeInclusive<u64> = 60..=1514;

/// Beats of a frame, which begins with a beat of its own.
fn beats(length: u64, lanes: usize) -> u128 {
    length.div_ceil(lanes as u64).into()
}

/// Bits that a frame takes on the wire.
fn bits(length: u64) -> u128 {
    8 * u128::from(cost(length))
}

impl Line {
    /// The lengths of which an endless row of frames has more beats than a core gets clocks. A core that keeps up with every length keeps
    /// up with every mixture of them.
    pub fn too_fast(&self, lanes: usize) -> Vec<RangeInclusive<u64>> {
        let clocks = u128::from(self.hertz);
        let rate = u128::from(self.bits_per_second);
        let is_too_fast = |&length: &u64| beats(length, lanes) * rate > bits(length) * clocks;
        let mut all: Vec<RangeInclusive<u64>> = Vec::new();
        for length in LENGTHS.filter(is_too_fast) {
            match all.last_mut() {
                Some(range) if range.end() + 1 == length => *range = *range.start()..=length,
                _ => all.push(length..=length),
            }
        }
        all
    }

    /// The lowest clock in Hz at which a core keeps up with every length.
    pub fn hertz_for_all(&self, lanes: usize) -> u64 {
        let rate = u128::from(self.bits_per_second);
        let needed = |length| (beats(length, lanes) * rate).div_ceil(bits(length));
        LENGTHS.map(needed).max().unwrap_or_default() as u64
    }
}

/// The first of some ranges of lengths in words, and the number of the others.
pub fn describe(ranges: &[RangeInclusive<u64>], shown: usize) -> String {
    let first = ranges.iter().take(shown).map(|range| match range.start() {
        start if start == range.end() => start.to_string(),
        start => format!("{start} to {}", range.end()),
    });
    let more = match ranges.len().saturating_sub(shown) {
        0 => None,
        1 => Some("and 1 more range".to_string()),
        more => Some(format!("and {more} more ranges")),
    };
    first.chain(more).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(gigabits: u64, megahertz: f64) -> Line {
        Line {
            bits_per_second: gigabits * 1_000_000_000,
            hertz: (megahertz * 1e6) as u64,
        }
    }

    /// By hand: of 65 bytes are two beats, and 89 bytes on the wire take 7.12 ns at 100 Gbit/s, less than two clocks up to 280.9 MHz.
    #[test]
    fn what_comes_too_fast_is_known_by_hand() {
        assert_eq!(line(100, 250.0).too_fast(64), [65..=75]);
        assert_eq!(line(100, 280.0).too_fast(64), [65..=65]);
        assert_eq!(line(100, 322.265625).too_fast(64), []);
        assert_eq!(line(100, 250.0).hertz_for_all(64), 280_898_877);
        // A beat in 2.56 ns, of which a line of 400 Gbit/s brings 128 bytes: 24 more than the frame's, at whatever length.
        let fast = line(400, 390.625).too_fast(128);
        assert_eq!(fast[..3], [60..=103, 129..=231, 257..=359]);
        assert_eq!((fast.len(), &fast[11]), (12, &(1409..=1511)));
        assert_eq!(line(400, 391.0).hertz_for_all(128), 653_594_772);
        assert_eq!(line(100, 391.0).too_fast(128), []);
        assert_eq!(line(10, 250.0).too_fast(1), [LENGTHS]);
    }

    #[test]
    fn ranges_are_described_in_words() {
        let ranges = [60..=60, 65..=75, 129..=131];
        assert_eq!(describe(&ranges, 3), "60, 65 to 75, 129 to 131");
        assert_eq!(describe(&ranges, 2), "60, 65 to 75, and 1 more range");
        assert_eq!(describe(&ranges, 1), "60, and 2 more ranges");
    }

    #[test]
    fn at_the_lowest_clock_for_all_none_is_too_fast() {
        for lanes in [1, 4, 8, 64, 128] {
            for gigabits in [10, 100, 400] {
                let mut line = line(gigabits, 1.0);
                line.hertz = line.hertz_for_all(lanes);
                assert_eq!(line.too_fast(lanes), []);
                line.hertz -= 1;
                assert_eq!(line.too_fast(lanes).len(), 1, "{lanes} {gigabits}");
            }
        }
    }
}
