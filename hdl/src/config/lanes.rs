//! How many lanes a core can have, beside what else is asked for.

use super::configuration::{
    Core, MAX_LANES_OF_ENCODE, MAX_LANES_OF_LONG_ENCODE, MAX_LANES_OF_OPTIONS, Replace,
};
use super::error::ConfigError;
use super::grammar::Grammar;

/// Whether what the core has besides its lanes is built for as many of them.
pub(super) fn check_lanes(core: Core, lanes: usize) -> Result<(), ConfigError> {
    let most = MAX_LANES_OF_OPTIONS;
    // Whether it is asked for, its option, the most lanes, why, and what else to do.
    let all = match core {
        Core::Decode { dense, .. } => vec![(
            dense,
            "dense",
            most,
            "the network that packs the events has",
            "leave --dense out",
        )],
        Core::Validate { flows, csr, .. } => vec![
            (
                flows.is_some(),
                "flows",
                most,
                "the sums of a flow are of",
                "leave --flows out",
            ),
            (
                csr,
                "csr",
                most,
                "the counters take the numbers of",
                "leave --csr out",
            ),
        ],
        Core::Encode { grammar, .. } => vec![(
            true,
            match grammar {
                Grammar::Rfc3629 => "core encode",
                Grammar::Rfc2279 => "core encode --grammar rfc2279",
            },
            match grammar {
                Grammar::Rfc3629 => MAX_LANES_OF_ENCODE,
                Grammar::Rfc2279 => MAX_LANES_OF_LONG_ENCODE,
            },
            match grammar {
                Grammar::Rfc3629 => "its network, of four bytes a word, has",
                Grammar::Rfc2279 => "its network, of up to six bytes a word, has",
            },
            match grammar {
                // Only for as many lanes as the other grammar has.
                Grammar::Rfc2279 if lanes <= MAX_LANES_OF_ENCODE => {
                    "use more than one core, or --grammar rfc3629 for values up to 10FFFF"
                }
                _ => "use more than one core",
            },
        )],
        Core::Sanitise { replace, .. } => vec![(
            replace == Replace::Fffd,
            "replace fffd",
            MAX_LANES_OF_ENCODE,
            "the network that packs its bytes has",
            "choose --replace ascii",
        )],
    };
    let beyond = all
        .into_iter()
        .find(|(is_asked, _, most, ..)| *is_asked && lanes > *most);
    match beyond {
        Some((_, option, most, reason, instead)) => Err(ConfigError::TooManyLanes {
            option,
            lanes,
            most,
            reason,
            instead,
        }),
        None => Ok(()),
    }
}
