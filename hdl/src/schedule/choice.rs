//! The choice of the stages that get registers: the one whose longest way between two registers is shortest.

use crate::primitives::fanout::is_far;
use std::ops::RangeInclusive;

/// The slot.
pub const SLOT: i32 = 10;
/// The verdict.
pub const VERDICT: i32 = 34;
/// The last stage of the pieces, and the events of a decoder after it.
pub const PIECES: i32 = 12;
pub const EVENTS: i32 = 13;
/// What a beat adds to `valid_up_to`, which hangs on the end of all trees.
const TO_ADD: i32 = 20;
/// The numbers that are counted. With one lane they have so few bits that they are no LUT more, merged with what counts them.
const NUMBERS: i32 = 22;
/// Where a counter's upper bits, which are near each other, take a carry.
const UPPER_BITS: RangeInclusive<i32> = 32..=33;
/// The stages that bring a signal to all lanes, or wait for it there.
const OF_ALL_LANES: RangeInclusive<i32> = 9..=11;

/// LUTs with four inputs on the longest way from the registers of a stage to those of one that is later, with one lane, of the pieces and a
/// decoder's events: first to the next stage, then to the one after it, and so on. Merged stages have fewer than one each, for what the byte
/// before has is in registers, and a LUT has room for more than one function of two signals. Over the slot it is what goes ahead of the
/// slot's beat. `tests/levels.rs` has Yosys measure them.
const LEVELS: [&[usize]; EVENTS as usize] = [
    &[1, 2, 3, 4, 3, 3, 4, 4, 4, 4, 4, 4, 4],
    &[1, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 4],
    &[1, 2, 2, 3, 3, 3, 3, 3, 3, 3, 4],
    &[1, 2, 3, 3, 3, 3, 3, 3, 3, 4],
    &[1, 2, 2, 2, 3, 3, 3, 3, 4],
    &[1, 2, 2, 2, 2, 2, 3, 3],
    &[1, 1, 2, 2, 2, 3, 3],
    &[1, 2, 2, 2, 3, 3],
    &[1, 1, 1, 2, 3],
    &[1, 1, 2, 3],
    &[1, 2, 3],
    &[1, 2],
    &[1],
];

/// A core's stages in order, and what is between them.
pub struct Stages {
    stages: Vec<i32>,
    /// The last stage of which [`LEVELS`] says how far it is, the first if of none; after it, each is a LUT.
    known: i32,
    is_far: bool,
}

impl Stages {
    pub fn new(stages: Vec<i32>, known: i32, lanes: usize) -> Self {
        Self {
            stages,
            known,
            is_far: is_far(lanes),
        }
    }

    /// The stages after one, or from the first, up to another; without the slot, and with one lane the numbers to count, unless it is the last.
    fn between(&self, from: Option<i32>, to: i32) -> impl Iterator<Item = i32> {
        let stages = self.stages.iter().copied();
        let after = stages.filter(move |&stage| from.is_none_or(|from| from < stage));
        let has_one_lane = self.known > 0;
        let is_free = move |stage| stage == SLOT || has_one_lane && stage == NUMBERS;
        after.filter(move |&stage| stage <= to && (!is_free(stage) || to == stage))
    }

    /// LUTs on the longest way from the registers of a stage, or from the inputs, to those of a later one.
    pub fn levels(&self, from: Option<i32>, to: i32) -> usize {
        let Some(first) = from.filter(|&from| from < self.known) else {
            return self.between(from, to).count();
        };
        let last = to.min(self.known);
        let known = LEVELS[first as usize][(last - first - 1) as usize];
        known + self.between(Some(last), to).count()
    }

    /// The length of that way with its wires. A LUT with the wires to it is two long, those to all bits of a verdict two more. Where the
    /// lanes are far from each other, wires are what counts, so each stage does by itself: those of a tree or a counter's lower bits are
    /// three long, those to all lanes four, and so those to what is added.
    fn length(&self, from: Option<i32>, to: i32) -> usize {
        let to_all_bits = 2 * usize::from(to == VERDICT);
        if !self.is_far {
            return 2 * self.levels(from, to) + to_all_bits;
        }
        let of_stage = |stage| match stage {
            _ if OF_ALL_LANES.contains(&stage) => 4,
            TO_ADD => 4,
            EVENTS.. if !UPPER_BITS.contains(&stage) => 3,
            _ => 2,
        };
        let stages: usize = self.between(from, to).map(of_stage).sum();
        stages + to_all_bits
    }

    /// The `count` stages that get registers, those of `always` among them, and each where it `may` be with some registers before it: the
    /// choice whose longest segment is shortest. If there are several, one with carry chains in the counters if there is one; and of these
    /// the one in which the squares of the lengths sum up to the least.
    ///
    /// What is ahead of the slot's beat is taken from the stage before the slot, past its registers: from the last register before the slot
    /// to the first one after it, that is a segment, too.
    pub fn choose(
        &self,
        count: usize,
        may: impl Fn(usize, i32) -> bool,
        always: &[i32],
    ) -> Vec<i32> {
        let stages = || self.stages.iter().copied();
        let mut ways: Vec<(usize, i32, i32)> = stages()
            .take_while(|&stage| stage < SLOT)
            .flat_map(|from| {
                let after = stages().skip_while(|&stage| stage <= SLOT);
                after.map(move |to| (self.length(Some(from), to), from, to))
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
        let stages = &self.stages;
        // For each number of stages, the best choice with a register after the last of them. Before the first there is none to choose.
        let mut best = vec![None; stages.len() + 1];
        best[0] = Some(Choice::default());
        for registers in 0..count {
            let longer = |to: usize| {
                let stage = stages[to.checked_sub(1)?];
                if !may(registers, stage) {
                    return None;
                }
                let mut least: Option<Choice> = None;
                for from in (0..to).rev() {
                    let before = from.checked_sub(1).map(|before| stages[before]);
                    let length = self.length(before, stage);
                    let one: Option<Choice> = best[from];
                    least = least
                        .into_iter()
                        .chain(one.map(|one| one.with(length)))
                        .min();
                    // The segment goes no further: this stage has registers.
                    if before.is_some_and(|before| always.contains(&before)) {
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
    /// A counter's upper bits are in digits, for registers are on a carry's way to them; else in carry chains, of half as many LUTs.
    in_digits: bool,
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
            in_digits: self.in_digits || UPPER_BITS.contains(&stage),
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

    /// Of all choices that there are, for one lane and for lanes that are far from each other.
    #[test]
    fn no_other_choice_is_better() {
        let always = [0, SLOT, EVENTS];
        for (known, lanes) in [(EVENTS, 1), (0, 64)] {
            let stages = Stages::new((0..=EVENTS).collect(), known, lanes);
            let longest = |chosen: &[i32]| {
                let along = chosen.windows(2).map(|pair| (pair[0], pair[1]));
                let before = chosen.iter().rfind(|&&stage| stage < SLOT);
                let after = chosen.iter().find(|&&stage| stage > SLOT);
                let ahead = before.copied().zip(after.copied());
                let lengths = along.chain(ahead);
                let lengths = lengths.map(|(from, to)| stages.length(Some(from), to));
                lengths.max().expect("a segment")
            };
            let all = (0..1 << EVENTS).map(|bits: i32| {
                let is_chosen = |stage: &i32| *stage == EVENTS || bits >> stage & 1 == 1;
                (0..=EVENTS).filter(is_chosen).collect::<Vec<_>>()
            });
            let possible = all.filter(|chosen| always.iter().all(|stage| chosen.contains(stage)));
            let mut best = [usize::MAX; EVENTS as usize + 2];
            for chosen in possible {
                let least = &mut best[chosen.len()];
                *least = longest(&chosen).min(*least);
            }
            for (count, best) in best.into_iter().enumerate().skip(always.len()) {
                let chosen = stages.choose(count, |_, _| true, &always);
                assert_eq!(longest(&chosen), best, "{lanes} lanes, {count}: {chosen:?}");
            }
        }
    }
}
