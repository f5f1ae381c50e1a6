//! When a core is reset in mid-run.

use rand::Rng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Clocks of reset at the start of a run: the shortest reset that there is.
pub const FIRST: u64 = 1;
/// The share of resets that last one clock; the others last 2 to [`LONGEST`] clocks.
const SHORT: f64 = 0.5;
const LONGEST: u64 = 16;
/// The share of resets that another one follows, after at most [`GAP`] clocks: the core is empty or hardly filled then.
const AGAIN: f64 = 0.25;
const GAP: u64 = 8;

/// The resets of a run: the first one, and random ones.
pub struct Resets {
    /// The share of clocks in which one begins, of those without a reset.
    share: f64,
    /// Clocks that the reset under way still has, with the coming one.
    left: u64,
    /// Clocks until one begins that follows another.
    gap: Option<u64>,
    /// Resets that have begun, but for the first.
    begun: u64,
}

impl Resets {
    pub fn new(share: f64) -> Self {
        Self {
            share,
            left: FIRST,
            gap: None,
            begun: 0,
        }
    }

    /// Whether the next clock has a reset. None begins once `ends`: then the rest of a run comes out, and the registers are read.
    #[inline]
    pub fn next(&mut self, ends: bool, random: &mut Xoshiro256PlusPlus) -> bool {
        if self.left == 0 && self.share > 0.0 && !ends && self.begins(random) {
            self.begun += 1;
            self.left = match random.random_bool(SHORT) {
                true => 1,
                false => random.random_range(2..=LONGEST),
            };
            let again = random.random_bool(AGAIN);
            self.gap = again.then(|| random.random_range(1..=GAP));
        }
        let reset = self.left > 0;
        self.left = self.left.saturating_sub(1);
        reset
    }

    /// In a clock without a reset.
    fn begins(&mut self, random: &mut Xoshiro256PlusPlus) -> bool {
        match &mut self.gap {
            Some(0) => true,
            Some(gap) => {
                *gap -= 1;
                false
            }
            None => random.random_bool(self.share),
        }
    }

    /// How many there have been but for the first.
    pub fn count(&self) -> u64 {
        self.begun
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    fn clocks(share: f64, count: usize) -> (Vec<bool>, u64) {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut resets = Resets::new(share);
        let clocks = (0..count).map(|_| resets.next(false, &mut random));
        (clocks.collect(), resets.begun)
    }

    /// The clocks in which each lasts, and those from its end to the next.
    fn lengths(clocks: &[bool]) -> (Vec<usize>, Vec<usize>) {
        let runs = clocks.chunk_by(|one, other| one == other);
        let (resets, gaps): (Vec<&[bool]>, Vec<&[bool]>) = runs.partition(|run| run[0]);
        let lengths = |runs: Vec<&[bool]>| runs.into_iter().map(<[bool]>::len).collect();
        (lengths(resets), lengths(gaps))
    }

    #[test]
    fn resets_last_one_clock_or_several_and_some_follow_at_once() {
        let (clocks, begun) = clocks(0.001, 1_000_000);
        let (resets, gaps) = lengths(&clocks);
        assert_eq!(resets[0], FIRST as usize);
        assert_eq!(resets.len() as u64, begun + 1);
        for length in 1..=LONGEST as usize {
            assert!(resets[1..].contains(&length), "of {length} clocks");
        }
        for gap in 1..=GAP as usize {
            assert!(gaps.contains(&gap), "{gap} clocks between");
        }
        // One in a thousand clocks, and a third as many that follow.
        assert!((1_100..1_500).contains(&begun), "{begun}");
    }

    #[test]
    fn without_a_share_and_at_the_end_there_is_only_the_first() {
        assert_eq!(
            clocks(0.0, 1_000).0,
            [
                vec![true; FIRST as usize],
                vec![false; 1_000 - FIRST as usize]
            ]
            .concat()
        );
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut resets = Resets::new(1.0);
        let first = (0..FIRST).all(|_| resets.next(true, &mut random));
        assert!(first && !resets.next(true, &mut random));
    }
}
