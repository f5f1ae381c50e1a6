//! Which stages have registers, for a core of some depth.
//!
//! A stage without registers is merged with the next one that has them. Between two registers is then the logic of several stages, and
//! the slowest of these segments sets the clock: so of all choices with as many registers as the depth, the one is taken whose longest
//! segment is shortest ([`Stages::choose`]).
//!
//! Some stages always have registers: the input's, the slot's, in which a beat waits for the next one, and the output's.

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
/// The last stage before that of the pass's mark and of a verdict's numbers, that by which a verdict is shown, and the verdict's.
const JUDGED: i32 = 20;
const SHOWN: i32 = 33;
const VERDICT: i32 = 34;
/// Which pieces end, and their events. The events clear what a reset dropped, so only a core with all registers has some between.
const ENDS: i32 = 12;
const EVENTS: i32 = 13;

/// The stages with registers.
pub fn cuts(config: &Config) -> Cuts {
    let Some(depth) = config.depth else {
        return Cuts::ALL;
    };
    let lanes = config.lanes;
    let chosen = match config.core {
        Core::Decode { .. } => Stages::between(INPUT, EVENTS, lanes, |stage| stage != ENDS)
            .choose(depth, &[INPUT, SLOT, EVENTS]),
        Core::Validate { .. } => {
            let there = verdict::stages(Cuts::ALL, lanes);
            let shown = depth == there.between(-1, VERDICT);
            let after = after_judged(depth, lanes);
            let head = Stages::between(INPUT, JUDGED, lanes, |stage| there.has(stage));
            let tail = Stages::between(JUDGED + 1, VERDICT, lanes, |stage| {
                there.has(stage) && (shown || stage != SHOWN)
            });
            let mut all = head.choose(depth - after, &[INPUT, SLOT]);
            all.extend(tail.choose(after, &[VERDICT]));
            all
        }
    };
    Cuts::ALL.without((0..=VERDICT).filter(|stage| !chosen.contains(stage)))
}

/// Clocks until it is known whether a packet is bad.
pub fn to_judged(config: &Config) -> usize {
    verdict::stages(cuts(config), config.lanes).between(-1, JUDGED)
}

/// Of a verdict's clocks, those after it is known whether the packet is bad: as large a share of them as in a core with all registers.
fn after_judged(depth: usize, lanes: usize) -> usize {
    let there = verdict::stages(Cuts::ALL, lanes);
    let (all, after) = (there.between(-1, VERDICT), there.between(JUDGED, VERDICT));
    (depth * after / all).max(1)
}

/// Stages in order, each with how long its logic takes, in LUTs.
struct Stages(Vec<(i32, usize)>);

impl Stages {
    fn between(from: i32, to: i32, lanes: usize, has: impl Fn(i32) -> bool) -> Self {
        let length = |stage| 1 + usize::from(is_far(lanes) && OF_ALL_LANES.contains(&stage));
        let stages = (from..=to).filter(|&stage| has(stage));
        Self(stages.map(|stage| (stage, length(stage))).collect())
    }

    /// The stages that get registers, `count` of them, those of `always` among them: those whose longest segment is shortest; of equal choices that
    /// in which the squares of all segments sum up to least. What follows the last one counts as a segment, too.
    fn choose(&self, count: usize, always: &[i32]) -> Vec<i32> {
        let stages = &self.0;
        // With the cost of a segment of the stages from `from` to before `to`. None reaches across a stage that always has registers.
        let join = |chosen: &Choice, from: usize, to: usize| {
            let across = to.saturating_sub(1).max(from);
            let is_whole = stages[from..across]
                .iter()
                .all(|(stage, _)| !always.contains(stage));
            let length: usize = stages[from..to].iter().map(|(_, length)| length).sum();
            is_whole.then(|| Choice {
                longest: chosen.longest.max(length),
                squares: chosen.squares + length * length,
                stages: chosen.stages.clone(),
            })
        };
        // The best choice so far for each place after a register, at first before all stages.
        let mut best = vec![None; stages.len() + 1];
        best[0] = Some(Choice::default());
        for _ in 0..count {
            let next = |to: usize| {
                let longer = (0..to).filter_map(|from| join(best[from].as_ref()?, from, to));
                let mut least = longer.min()?;
                least.stages.push(stages[to - 1].0);
                Some(least)
            };
            best = (0..=stages.len()).map(next).collect();
        }
        let whole = best.iter().enumerate().filter_map(|(from, chosen)| {
            let whole = join(chosen.as_ref()?, from, stages.len())?;
            let has = |stage| whole.stages.contains(stage);
            always.iter().all(has).then_some(whole)
        });
        whole.min().expect("a depth that there is").stages
    }
}

/// Some stages with registers, and how long what is between them takes.
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
