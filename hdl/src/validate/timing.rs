//! Which stages a verdict has, and how many clocks it takes.

use super::counter;
use crate::config::Grammar;
use crate::primitives::Cuts;
use crate::primitives::count;

/// Clocks from a beat's counts to what is added up: stages 20 to 22.
const SUM_LATENCY: usize = 3;

/// The stages that there are: a tree has no more than levels, and a counter no more than what a number is added to.
pub fn stages(cuts: Cuts, lanes: usize, grammar: Grammar) -> Cuts {
    let counted = cuts.without(23 + counter::lower(lanes, grammar) as i32..32);
    counted.without(13 + count::latency(lanes) as i32..20)
}

/// Clocks of a number's bits, all of which are there at stage `from`, until each is a stage later than the one below it, and the lowest is
/// at stage `to`.
pub(super) fn skewed(cuts: Cuts, from: i32, to: i32) -> impl Fn(usize) -> usize {
    move |bit| cuts.between(from, to + bit as i32)
}

/// Clocks from the pieces of a packet's last beat to its verdict.
pub const fn latency(lanes: usize, grammar: Grammar) -> usize {
    count::latency(lanes) + SUM_LATENCY + counter::latency(lanes, grammar)
}
