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

use self::choice::{EVENTS, PIECES, SLOT, Stages, VERDICT};
use crate::config::{Config, Core, depths};
use crate::flows::tail::TAIL;
use crate::pieces;
use crate::primitives::Cuts;
use crate::validate::verdict;

mod choice;

/// The input register.
const INPUT: i32 = 0;

/// The events, and the stage before them. A reset clears stage 12, so an event that was dropped shows after a reset only if stage 12 has
/// registers of its own. The model states one rule for all depths below the greatest, so none of them has these.
const BEFORE_EVENTS: i32 = 12;

const _: () = assert!(PIECES + 1 == pieces::LATENCY as i32);

/// A reset clears what comes out of stage 12, so a verdict's fields show for two clocks after a reset only if its mark has registers at two
/// stages from there on. The model states one rule for all depths; so at the least one stage 11 has none.
const BEFORE_CLEARED: i32 = 11;

/// Where it is known whether a packet is bad.
const JUDGED: i32 = 20;

/// The stages with registers.
pub fn cuts(config: &Config) -> Cuts {
    let Some(depth) = config.depth else {
        return Cuts::ALL;
    };
    let depth = depth - config.core.policy().clocks_to_pieces();
    let stages = all(config);
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
        Core::Encode { .. } | Core::Sanitise { .. } => unreachable!("it has no other depth"),
        Core::Validate { .. } => {
            let to_judged = depth - after_judged(depth, config);
            let least = *depths(config.core, config.lanes).start()
                - config.core.policy().clocks_to_pieces();
            let may = |before: usize, stage| {
                (before < to_judged) == (stage <= JUDGED)
                    && (depth > least || stage != BEFORE_CLEARED)
            };
            stages.choose(depth, may, &[INPUT, SLOT, VERDICT])
        }
    };
    Cuts::ALL.without((INPUT..=VERDICT).filter(|stage| !chosen.contains(stage)))
}

/// The core's stages, and what is between them.
fn all(config: &Config) -> Stages {
    // With flows the bytes before a beat have lanes, too.
    let before = config.core.flows().map_or(0, |_| TAIL);
    let lanes = config.lanes + before;
    let known = match config.core {
        // That of six bytes is not in its table.
        _ if lanes > 1 || config.core.grammar().is_2279() => INPUT,
        Core::Decode { .. } => EVENTS,
        _ => PIECES,
    };
    Stages::new(stages(config), known, lanes)
}

/// The stages that may be merged in a core, and those between them.
fn stages(config: &Config) -> Vec<i32> {
    match config.core {
        core @ (Core::Decode { .. } | Core::Validate { .. }) if core.keeps_later_stages() => {
            (INPUT..=PIECES).collect()
        }
        Core::Decode { .. } => (INPUT..=EVENTS).collect(),
        Core::Encode { .. } | Core::Sanitise { .. } => Vec::new(),
        Core::Validate { .. } => {
            let there = verdict::stages(Cuts::ALL, config.lanes, config.core.grammar());
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

/// Most LUTs with four inputs from one register to the next, and from before the slot to after it: see [`Stages::choose`].
pub fn levels(config: &Config) -> usize {
    let (cuts, all) = (cuts(config), all(config));
    let there = stages(config).into_iter().filter(|&stage| cuts.has(stage));
    let registers: Vec<i32> = there.collect();
    let along = registers.windows(2).map(|pair| (pair[0], pair[1]));
    let before = registers.iter().rfind(|&&stage| stage < SLOT);
    let after = registers.iter().find(|&&stage| stage > SLOT);
    let ahead = before.copied().zip(after.copied());
    let levels = along
        .chain(ahead)
        .map(|(from, to)| all.levels(Some(from), to));
    levels.max().unwrap_or(1)
}

/// How many clocks the core takes less than at its greatest depth.
pub fn merged(config: &Config) -> usize {
    let most = *depths(config.core, config.lanes).end();
    config.depth.map_or(0, |depth| most - depth)
}

/// Clocks until it is known whether a packet is bad.
pub fn to_judged(config: &Config) -> usize {
    let stages = verdict::stages(cuts(config), config.lanes, config.core.grammar());
    config.core.policy().clocks_to_pieces() + stages.between(-1, JUDGED)
}

/// The clocks of a verdict after it is known whether the packet is bad: the same share of all clocks as at the greatest depth, rounded
/// down, but at least one.
fn after_judged(depth: usize, config: &Config) -> usize {
    let there = verdict::stages(Cuts::ALL, config.lanes, config.core.grammar());
    let (all, after) = (there.between(-1, VERDICT), there.between(JUDGED, VERDICT));
    (depth * after / all).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{CoreName, Depth, Grammar, LANES, Request, depths};
    use crate::{decode, flows, validate};

    fn of(core: CoreName, lanes: usize) -> Request {
        Request {
            core: Some(core),
            lanes: Some(lanes),
            ..Request::default()
        }
    }

    fn config(core: CoreName, lanes: usize, grammar: Grammar, depth: usize) -> Config {
        let request = Request {
            grammar: Some(grammar),
            depth: Some(Depth::Clocks(depth)),
            ..of(core, lanes)
        };
        request.resolve().expect("a core")
    }

    #[test]
    fn a_core_has_as_many_registers_as_it_is_deep() {
        for (lanes, grammar) in LANES
            .map(|lanes| (lanes, Grammar::Rfc3629))
            .into_iter()
            .chain([
                (1, Grammar::Rfc2279),
                (2, Grammar::Rfc2279),
                (8, Grammar::Rfc2279),
            ])
        {
            for core in [CoreName::Decode, CoreName::Validate] {
                let range = depths(config(core, lanes, grammar, 6).core, lanes);
                let most = match core {
                    CoreName::Decode => decode::pipeline::latency(lanes, false),
                    _ => validate::latency(lanes, grammar),
                };
                assert_eq!(*range.end(), most, "{core} {lanes}");
                for depth in range {
                    let cuts = cuts(&config(core, lanes, grammar, depth));
                    let clocks = match core {
                        CoreName::Decode => cuts.between(-1, EVENTS),
                        _ => {
                            let there = verdict::stages(cuts, lanes, grammar);
                            assert!(there.between(BEFORE_CLEARED, VERDICT - 1) >= 2);
                            assert!(there.between(JUDGED, VERDICT - 1) >= 1);
                            there.between(-1, VERDICT)
                        }
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
            (registers, validate::latency(8, Grammar::Rfc3629)),
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
}
