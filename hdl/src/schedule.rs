//! Which stages have registers in a core of some depth.
//!
//! A stage without registers is merged with the next one that has them. The stages between two registers are a segment; the longest
//! segment limits the clock. Of all ways to place as many registers as the depth, `Stages::choose` takes the one whose longest segment
//! is shortest.
//!
//! Three stages always have registers: the input, the slot (a beat waits there for the next one), and the output.

use crate::config::{Config, Core};
use crate::primitives::Cuts;
use crate::primitives::fanout::is_far;
use crate::validate::verdict;
use std::ops::RangeInclusive;

/// The input register, and the slot.
const INPUT: i32 = 0;
const SLOT: i32 = 10;
/// The stages that bring a signal to all lanes, or wait for it there.
const OF_ALL_LANES: RangeInclusive<i32> = 9..=11;

/// The events, and the stage before them. A reset clears stage 12, so an event that was dropped shows after a reset only if stage 12 has
/// registers of its own. The model states one rule for all depths below the greatest, so none of them has these.
const BEFORE_EVENTS: i32 = 12;
const EVENTS: i32 = 13;

/// Where it is known whether a packet is bad, and its verdict.
const JUDGED: i32 = 20;
const VERDICT: i32 = 34;
/// What shows the verdict. The same as of stage 12 holds for it.
const BEFORE_VERDICT: i32 = 33;

/// The stages with registers.
pub fn cuts(config: &Config) -> Cuts {
    let Some(depth) = config.depth else {
        return Cuts::ALL;
    };
    let lanes = config.lanes;
    let chosen = match config.core {
        Core::Decode { .. } => {
            let all = Stages::new(
                (INPUT..=EVENTS).filter(|&stage| stage != BEFORE_EVENTS),
                lanes,
            );
            all.choose(depth, &[INPUT, SLOT, EVENTS])
        }
        Core::Validate { .. } => {
            let there = verdict::stages(Cuts::ALL, lanes).without([BEFORE_VERDICT]);
            let part = |stages: RangeInclusive<i32>| {
                Stages::new(stages.filter(|&stage| there.has(stage)), lanes)
            };
            let after = after_judged(depth, lanes);
            let mut chosen = part(INPUT..=JUDGED).choose(depth - after, &[INPUT, SLOT]);
            chosen.extend(part(JUDGED + 1..=VERDICT).choose(after, &[VERDICT]));
            chosen
        }
    };
    Cuts::ALL.without((INPUT..=VERDICT).filter(|stage| !chosen.contains(stage)))
}

/// Clocks until it is known whether a packet is bad.
pub fn to_judged(config: &Config) -> usize {
    verdict::stages(cuts(config), config.lanes).between(-1, JUDGED)
}

/// The clocks of a verdict after it is known whether the packet is bad: the same share of all clocks as at the greatest depth, rounded
/// down, but at least one.
fn after_judged(depth: usize, lanes: usize) -> usize {
    let there = verdict::stages(Cuts::ALL, lanes);
    let (all, after) = (there.between(-1, VERDICT), there.between(JUDGED, VERDICT));
    (depth * after / all).max(1)
}

/// Stages in order, each with the length of its logic in LUTs.
struct Stages(Vec<(i32, usize)>);

impl Stages {
    /// A stage is one LUT long; where the lanes are far from each other, the way to all of them is as long as another.
    fn new(stages: impl Iterator<Item = i32>, lanes: usize) -> Self {
        let length = |stage| 1 + usize::from(is_far(lanes) && OF_ALL_LANES.contains(&stage));
        Self(stages.map(|stage| (stage, length(stage))).collect())
    }

    /// The `count` stages that get registers, those of `always` among them: the choice whose longest segment is shortest. If there are
    /// several, the one in which the squares of the lengths sum up to the least. The stages after the last register are a segment, too.
    fn choose(&self, count: usize, always: &[i32]) -> Vec<i32> {
        let stages = &self.0;
        // No stage in this range has to have registers.
        let is_free = |from: usize, to: usize| {
            let mut between = stages[from..to].iter();
            between.all(|(stage, _)| !always.contains(stage))
        };
        let with_segment = |chosen: &Choice, from: usize, to: usize| {
            let length: usize = stages[from..to].iter().map(|(_, length)| length).sum();
            Choice {
                longest: chosen.longest.max(length),
                squares: chosen.squares + length * length,
                stages: chosen.stages.clone(),
            }
        };
        // For each number of stages, the best choice with a register after the last of them. Before the first there is none to choose.
        let mut best = vec![None; stages.len() + 1];
        best[0] = Some(Choice::default());
        for _ in 0..count {
            let longer = |to: usize| {
                let before = (0..to).filter(|&from| is_free(from, to - 1));
                let all =
                    before.filter_map(|from| Some(with_segment(best[from].as_ref()?, from, to)));
                let mut least = all.min()?;
                least.stages.push(stages[to - 1].0);
                Some(least)
            };
            best = (0..=stages.len()).map(longer).collect();
        }
        let end = stages.len();
        let whole = (0..=end).filter(|&from| is_free(from, end));
        let whole = whole.filter_map(|from| Some(with_segment(best[from].as_ref()?, from, end)));
        whole.min().expect("a depth that there is").stages
    }
}

/// Some stages with registers, and the lengths of the segments between them. Shorter ones come first in order.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Choice {
    longest: usize,
    squares: usize,
    stages: Vec<i32>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{CoreName, Depth, Request, depths};
    use crate::{decode, validate};

    fn config(core: CoreName, lanes: usize, depth: usize) -> Config {
        let request = Request {
            core: Some(core),
            lanes: Some(lanes),
            depth: Some(Depth::Clocks(depth)),
            ..Request::default()
        };
        request.resolve().expect("a core")
    }

    #[test]
    fn a_core_has_as_many_registers_as_it_is_deep() {
        for lanes in [1, 2, 4, 8, 16, 32, 64] {
            for core in [CoreName::Decode, CoreName::Validate] {
                let range = depths(config(core, lanes, 6).core, lanes);
                let most = match core {
                    CoreName::Decode => decode::pipeline::latency(lanes, false),
                    CoreName::Validate => validate::latency(lanes),
                };
                assert_eq!(*range.end(), most, "{core} {lanes}");
                for depth in range {
                    let cuts = cuts(&config(core, lanes, depth));
                    let clocks = match core {
                        CoreName::Decode => cuts.between(-1, EVENTS),
                        CoreName::Validate => verdict::stages(cuts, lanes).between(-1, VERDICT),
                    };
                    assert_eq!(clocks, depth, "{core} {lanes}");
                    assert!(cuts.has(INPUT) && cuts.has(SLOT));
                }
            }
        }
    }

    #[test]
    fn the_longest_segment_is_the_shortest_possible() {
        let stages = Stages((0..8).map(|stage| (stage, 1)).collect());
        assert_eq!(stages.choose(4, &[7]), [1, 3, 5, 7]);
        assert_eq!(stages.choose(4, &[0, 7]), [0, 2, 4, 7]);
        let stages = Stages(vec![(0, 1), (1, 3), (2, 1), (3, 1)]);
        assert_eq!(stages.choose(3, &[3]), [0, 1, 3]);
    }
}
