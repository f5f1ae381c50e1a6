//! How many clocks a core takes.

use super::configuration::Core;
use serde::Deserialize;
use std::fmt;
use std::ops::RangeInclusive;

/// How many clocks a core takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Depth {
    /// As few as there can be.
    Min,
    /// One for each stage.
    #[default]
    Max,
    /// This many.
    #[serde(untagged)]
    Clocks(usize),
}

impl fmt::Display for Depth {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Depth::Min => out.write_str("min"),
            Depth::Max => out.write_str("max"),
            Depth::Clocks(clocks) => write!(out, "{clocks}"),
        }
    }
}

/// The depths that a core can have: clocks from a beat to its events, or from a packet's last beat to its verdict, without a FIFO. The
/// greatest has a clock for each stage; those of a verdict become more with the lanes, for the trees over them and for the lower bits of
/// its counters.
pub fn depths(core: Core, lanes: usize) -> RangeInclusive<usize> {
    let doublings = lanes.ilog2() as usize;
    match core {
        Core::Decode { .. } => 3..=14,
        Core::Validate { .. } => 6..=19 + doublings + (doublings + 2).max(3),
    }
}
