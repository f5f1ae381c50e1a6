//! The depth of a core: how many clocks it takes.

use super::configuration::{Config, Core, Replace};
use serde::Deserialize;
use std::fmt;
use std::ops::RangeInclusive;

/// What a depth can be, as an error says it.
pub(super) const ALLOWED: &str = "choose min, max or a number of clocks";

/// The depth that somebody asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
// `expecting` takes no constant: a test compares it with `ALLOWED`.
#[serde(
    rename_all = "kebab-case",
    expecting = "choose min, max or a number of clocks"
)]
pub enum Depth {
    /// The smallest of [`depths`].
    Min,
    /// The greatest: a register at each stage.
    #[default]
    Max,
    /// None: all that there are shall be shown. On a command line only.
    #[serde(skip)]
    List,
    /// A number of clocks.
    #[serde(untagged)]
    Clocks(usize),
}

impl fmt::Display for Depth {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Depth::Min => out.write_str("min"),
            Depth::Max => out.write_str("max"),
            Depth::List => out.write_str("list"),
            Depth::Clocks(clocks) => write!(out, "{clocks}"),
        }
    }
}

/// Stages that can be left without registers if only the pieces have such: 0 to 11, but for the input register and the slot.
const OF_PIECES: usize = 10;

/// The depths that a core can have, without a FIFO: clocks from a beat to its events, or from a packet's last beat to its verdict.
///
/// The greatest is the number of stages. `validate` has more of them the more lanes there are: for the trees over the lanes, and for the
/// lower bits of the counters; so have `decode --dense`, for ranks and for the network, and `--flows`, for trees. The smallest is that of a core in which every stage can be merged; a core that
/// [keeps its later stages](Core::keeps_later_stages) has at most ten clocks less than its greatest. A window
/// takes the same clocks more at each depth.
pub fn depths(core: Core, lanes: usize) -> RangeInclusive<usize> {
    let doublings = lanes.ilog2() as usize;
    let most = match core {
        Core::Decode { dense: false, .. } => 14,
        Core::Decode { dense: true, .. } => 18 + 3 * doublings,
        Core::Validate { flows: Some(_), .. } => 35 + doublings,
        // What is added up has a bit more with two lanes, if five bytes can wait.
        Core::Validate { grammar, .. } if grammar.is_2279() && lanes == 2 => 24,
        Core::Validate { flows: None, .. } => 19 + doublings + (doublings + 2).max(3),
        Core::Encode { from, grammar, .. } => {
            let more = 2 * usize::from(from.is_utf16()) + usize::from(grammar.is_2279());
            22 + 2 * doublings + more
        }
        Core::Sanitise { replace, .. } => match replace {
            Replace::Ascii => 14,
            Replace::Fffd => 31 + 2 * doublings,
        },
    };
    let least = match core {
        Core::Encode { .. } | Core::Sanitise { .. } => most,
        _ if core.keeps_later_stages() => most - OF_PIECES,
        Core::Decode { .. } => 3,
        Core::Validate { .. } => 6,
    };
    let window = core.policy().clocks_to_pieces();
    least + window..=most + window
}

impl Config {
    /// Whether the FIFO of a stream with `tready` has as many words as the clocks before it need. At the greatest depth the FIFO has a fixed
    /// number of words, too few for the clocks of a frame's headers.
    pub fn has_shallow_fifo(&self) -> bool {
        self.depth.is_some() || self.core.policy().has_frames
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_depth_is_read_or_refused_in_words() {
        for (written, depth) in [
            (json!("min"), Depth::Min),
            (json!("max"), Depth::Max),
            (json!(7), Depth::Clocks(7)),
        ] {
            assert_eq!(serde_json::from_value::<Depth>(written).ok(), Some(depth));
        }
        for written in [
            json!("least"),
            json!("list"),
            json!("7"),
            json!(-1),
            json!(1.5),
            json!(true),
        ] {
            let error = serde_json::from_value::<Depth>(written).expect_err("no depth");
            assert_eq!(error.to_string(), ALLOWED);
        }
    }
}
