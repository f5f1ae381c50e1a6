//! The choice of the stages that get registers: the one whose longest way between two registers is shortest.

use crate::primitives::fanout::is_far;
use std::ops::RangeInclusive;

/// The slot.
pub const SLOT: i32 = 10;
/// The verdict.
pub const VERDICT: i32 = 34;
/// The stages that bring a signal to all lanes, or wait for it there.
const OF_ALL_LANES: RangeInclusive<i32> = 9..=11;

/// The first stage that lanes come together in.
const OF_LANES: i32 = 13;

/// Stages in order, each with its length: of a LUT and the wires to it, two.
pub struct Stages(Vec<(i32, usize)>);

impl Stages {
    /// A stage is one LUT long, and so are its wires; but the wires to all bits of a verdict are twice as long. Where the lanes are far
    /// from each other, those of a tree or a counter are half as long again as those to the next lane, and those to all lanes twice.
    pub fn new(stages: &[i32], lanes: usize) -> Self {
        let length = |stage| match stage {
            VERDICT => 4,
            _ if !is_far(lanes) => 2,
            _ if OF_ALL_LANES.contains(&stage) => 4,
            ..OF_LANES => 2,
            OF_LANES.. => 3,
        };
        let with_length = |&stage| (stage, length(stage));
        Self(stages.iter().map(with_length).collect())
    }

    /// The `count` stages that get registers, those of `always` among them, and each where it `may` be with some registers before it: the
    /// choice whose longest segment is shortest. If there are several, the one in which the squares of the lengths sum up to the least.
    ///
    /// What is ahead of the slot's beat is taken from the stage before the slot, past its registers: from the last register before the slot
    /// to the first one after it, that is a segment, too.
    pub fn choose(
        &self,
        count: usize,
        may: impl Fn(usize, i32) -> bool,
        always: &[i32],
    ) -> Vec<i32> {
        let stages = || self.0.iter().map(|(stage, _)| *stage);
        let ahead = |from: i32, to: i32| -> usize {
            let between = (self.0.iter()).filter(|(stage, _)| from < *stage && *stage <= to);
            let but_the_slot = between.filter(|(stage, _)| *stage != SLOT);
            but_the_slot.map(|(_, length)| length).sum()
        };
        let mut ways: Vec<(usize, i32, i32)> = stages()
            .take_while(|&stage| stage < SLOT)
            .flat_map(|from| {
                let after = stages().skip_while(|&stage| stage <= SLOT);
                after.map(move |to| (ahead(from, to), from, to))
            })
            .collect();
        ways.sort();
        let mut best: Option<Choice> = None;
        for (length, from, to) in ways {
            // The others are longer still.
            if best.is_some_and(|best| length > best.longest) {
                break;
            }
            let is_skipped = |stage| stage != SLOT && from < stage && stage < to;
            let may = |before, stage| !is_skipped(stage) && may(before, stage);
            let choice = self.choose_apart(count, may, &[always, &[from, to]].concat());
            let choice = choice.map(|choice| choice.with(length));
            best = best.into_iter().chain(choice).min();
        }
        let best = best.expect("a depth that there is");
        stages().filter(|&stage| best.has(stage)).collect()
    }

    /// The same without what is ahead of the slot's beat.
    fn choose_apart(
        &self,
        count: usize,
        may: impl Fn(usize, i32) -> bool,
        always: &[i32],
    ) -> Option<Choice> {
        let stages = &self.0;
        // For each number of stages, the best choice with a register after the last of them. Before the first there is none to choose.
        let mut best = vec![None; stages.len() + 1];
        best[0] = Some(Choice::default());
        for registers in 0..count {
            let longer = |to: usize| {
                let (stage, _) = *stages.get(to.checked_sub(1)?)?;
                if !may(registers, stage) {
                    return None;
                }
                let mut least: Option<Choice> = None;
                let mut length = 0;
                for from in (0..to).rev() {
                    length += stages[from].1;
                    let one: Option<Choice> = best[from];
                    least = least
                        .into_iter()
                        .chain(one.map(|one| one.with(length)))
                        .min();
                    // The segment goes no further: this stage has registers.
                    if from > 0 && always.contains(&stages[from - 1].0) {
                        break;
                    }
                }
                least.map(|least| least.and(stage))
            };
            best = (0..=stages.len()).map(longer).collect();
        }
        best.pop()?
    }
}

/// Some stages with registers, and the lengths of the segments between them. Shorter ones come first in order.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Choice {
    longest: usize,
    squares: usize,
    /// A bit for each stage.
    stages: u64,
}

impl Choice {
    /// The same with one more segment.
    fn with(self, length: usize) -> Self {
        Self {
            longest: self.longest.max(length),
            squares: self.squares + length * length,
            ..self
        }
    }

    /// The same with registers at one more stage.
    fn and(self, stage: i32) -> Self {
        Self {
            stages: self.stages | 1 << stage,
            ..self
        }
    }

    fn has(self, stage: i32) -> bool {
        self.stages >> stage & 1 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_segment_is_the_shortest_possible() {
        let of_length_1 = Stages((0..8).map(|stage| (stage, 1)).collect());
        let others = Stages(vec![(0, 1), (1, 3), (2, 1), (3, 1)]);
        let anywhere = |_, _| true;
        let chosen = |stages: &Stages, count, always: &[i32]| {
            let choice = stages.choose_apart(count, anywhere, always);
            let choice = choice.expect("there is one");
            (0..8)
                .filter(|&stage| choice.has(stage))
                .collect::<Vec<_>>()
        };
        assert_eq!(chosen(&of_length_1, 4, &[7]), [1, 3, 5, 7]);
        assert_eq!(chosen(&of_length_1, 4, &[0, 7]), [0, 2, 4, 7]);
        assert_eq!(chosen(&others, 3, &[3]), [0, 1, 3]);
    }
}
