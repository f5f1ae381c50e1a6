//! Which stages have registers in a core of some depth.
//!
//! A stage without registers is merged with the next one that has them. The stages between two registers are a segment; the longest
//! segment limits the clock. Of all ways to place as many registers as the depth, `Stages::choose` takes the one whose longest segment
//! is shortest.
//!
//! Three stages always have registers: the input, the slot (a beat waits there for the next one), and the output.
//!
//! In a core that has other pipelines after the pieces (`--csr`, `--dense`, `--flows`) only stages of the pieces are merged: all that comes after
//! them is in step with those pipelines, in as many clocks as at the greatest depth.

use crate::config::{Config, Core, depths};
use crate::flows::tail::TAIL;
use crate::pieces;
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

/// The last stage of the pieces.
const PIECES: i32 = 12;
const _: () = assert!(PIECES + 1 == pieces::LATENCY as i32);

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
    // With flows the bytes before a beat have lanes, too.
    let before = config.core.flows().map_or(0, |_| TAIL);
    let stages = Stages::new(&stages(config), config.lanes + before);
    if config.core.keeps_later_stages() {
        let count = pieces::LATENCY - merged(config);
        let chosen = stages.choose(count, |_, _| true, &[INPUT, SLOT, PIECES]);
        return Cuts::ALL.without((INPUT..=PIECES).filter(|stage| !chosen.contains(stage)));
    }
    let chosen = match config.core {
        Core::Decode { .. } => {
            let may = |_, stage| stage != BEFORE_EVENTS;
            stages.choose(depth, may, &[INPUT, SLOT, EVENTS])
        }
        Core::Validate { .. } => {
            let to_judged = depth - after_judged(depth, config.lanes);
            let may = |before: usize, stage| {
                stage != BEFORE_VERDICT && (before < to_judged) == (stage <= JUDGED)
            };
            stages.choose(depth, may, &[INPUT, SLOT, VERDICT])
        }
    };
    Cuts::ALL.without((INPUT..=VERDICT).filter(|stage| !chosen.contains(stage)))
}

/// The stages that may be merged in a core, and those between them.
fn stages(config: &Config) -> Vec<i32> {
    match config.core {
        core if core.keeps_later_stages() => (INPUT..=PIECES).collect(),
        Core::Decode { .. } => (INPUT..=EVENTS).collect(),
        Core::Validate { .. } => {
            let there = verdict::stages(Cuts::ALL, config.lanes);
            (INPUT..=VERDICT)
                .filter(|&stage| there.has(stage))
                .collect()
        }
    }
}

/// The stages that have no registers, in order.
pub fn without_registers(config: &Config) -> Vec<i32> {
    let cuts = cuts(config);
    let mut stages = stages(config);
    stages.retain(|&stage| !cuts.has(stage));
    stages
}

/// Most stages from one register to the next, and from before the slot to after it: see [`Stages::choose`].
pub fn longest(config: &Config) -> usize {
    let cuts = cuts(config);
    let mut stages = stages(config);
    let most = |stages: &[i32]| {
        let segments = stages.split_inclusive(|&stage| cuts.has(stage));
        segments.map(<[i32]>::len).max().unwrap_or_default()
    };
    let along = most(&stages);
    stages.retain(|&stage| stage != SLOT);
    along.max(most(&stages))
}

/// How many clocks the core takes less than at its greatest depth.
pub fn merged(config: &Config) -> usize {
    let most = *depths(config.core, config.lanes).end();
    config.depth.map_or(0, |depth| most - depth)
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
    /// A stage is one LUT long. Where the lanes are far from each other, the way to all of them is as long as another; and so is that to
    /// all bits of a verdict.
    fn new(stages: &[i32], lanes: usize) -> Self {
        let is_wide = |stage| is_far(lanes) && OF_ALL_LANES.contains(&stage) || stage == VERDICT;
        let length = |stage| 1 + usize::from(is_wide(stage));
        let with_length = |&stage| (stage, length(stage));
        Self(stages.iter().map(with_length).collect())
    }

    /// The `count` stages that get registers, those of `always` among them, and each where it `may` be with some registers before it: the
    /// choice whose longest segment is shortest. If there are several, the one in which the squares of the lengths sum up to the least.
    ///
    /// What is ahead of the slot's beat is taken from the stage before the slot, past its registers: from the last register before the slot
    /// to the first one after it, that is a segment, too.
    fn choose(&self, count: usize, may: impl Fn(usize, i32) -> bool, always: &[i32]) -> Vec<i32> {
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
    use crate::config::{CoreName, Depth, Request, depths};
    use crate::{decode, flows, validate};

    fn of(core: CoreName, lanes: usize) -> Request {
        Request {
            core: Some(core),
            lanes: Some(lanes),
            ..Request::default()
        }
    }

    fn config(core: CoreName, lanes: usize, depth: usize) -> Config {
        let request = Request {
            depth: Some(Depth::Clocks(depth)),
            ..of(core, lanes)
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
    fn only_the_pieces_are_merged_where_others_count_on_the_rest() {
        let registers = Request {
            csr: Some(true),
            ..of(CoreName::Validate, 8)
        };
        let dense = Request {
            dense: Some(true),
            ..of(CoreName::Decode, 8)
        };
        let flows = Request {
            flows: Some(4),
            ..of(CoreName::Validate, 8)
        };
        for (request, most) in [
            (registers, validate::latency(8)),
            (dense, decode::pipeline::latency(8, true)),
            (flows, flows::latency(8)),
        ] {
            let built = |depth| {
                let request = Request {
                    depth: Some(depth),
                    ..request.clone()
                };
                request.resolve().expect("a core")
            };
            let config = built(Depth::Min);
            let there = |stage: &i32| cuts(&config).has(*stage);
            let after: Vec<i32> = (12..40).collect();
            let expected = [&[INPUT, SLOT], &after[..]].concat();
            assert_eq!((0..40).filter(there).collect::<Vec<_>>(), expected);
            assert_eq!(*depths(config.core, 8).end(), most);
            for depth in most - 10..=most {
                let cuts = cuts(&built(Depth::Clocks(depth)));
                assert_eq!(cuts.between(-1, 12), 13 + depth - most);
            }
        }
    }

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

    /// No other choice of registers is better: of all that there are, for the shortest of both cores.
    #[test]
    fn a_register_is_on_each_side_of_the_slot() {
        let cuts = |depth| cuts(&config(CoreName::Decode, 1, depth));
        let longest = |cuts: Cuts| {
            let lengths = |from: i32, to: i32| {
                let stages = (from..=to).filter(|&stage| stage != SLOT);
                stages.collect::<Vec<_>>()
            };
            let around = lengths(0, EVENTS);
            let ahead = around.split_inclusive(|&stage| cuts.has(stage));
            let all: Vec<i32> = (0..=EVENTS).collect();
            let along = all.split_inclusive(|&stage| cuts.has(stage));
            let lengths = ahead.chain(along).map(<[i32]>::len);
            lengths.max().expect("a segment")
        };
        for (depth, most) in [(6, 3), (8, 2), (12, 2)] {
            let best = (0..1 << EVENTS)
                .map(|bits| Cuts::ALL.without((0..EVENTS).filter(|stage| bits >> stage & 1 == 1)))
                .filter(|cuts| [INPUT, SLOT].iter().all(|&stage| cuts.has(stage)))
                .filter(|cuts| !cuts.has(BEFORE_EVENTS) && cuts.between(-1, EVENTS) == depth)
                .map(longest)
                .min();
            assert_eq!(best, Some(most));
            assert_eq!(longest(cuts(depth)), most, "{depth}");
        }
    }
}
