//! Points that cannot be reached, each with its reason. One that is reached after all is an error: its waiver is stale.

use super::hits::{LINES, TOGGLES};
use hdl::config::{Config, Core, Encoding, Grammar};
use regex::{Captures, Regex};
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// A reason for bits that do not toggle.
struct Waiver {
    /// What the whole name of a point matches, but for the number of its bit.
    names: Regex,
    /// The configurations, and the bits of a signal, that it is for.
    is_for: fn(&Config, &Captures, usize) -> bool,
    reason: &'static str,
}

/// The waivers of a configuration.
pub struct Waivers<'a> {
    config: &'a Config,
    constants: &'a BTreeSet<String>,
}

impl<'a> Waivers<'a> {
    pub fn new(config: &'a Config, constants: &'a BTreeSet<String>) -> Self {
        Self { config, constants }
    }

    /// Why a point cannot be reached, if it cannot.
    pub fn reason(&self, group: &str, point: &str) -> Option<&'static str> {
        if [LINES, TOGGLES].contains(&group) && self.constants.contains(point) {
            return Some("constant, as Yosys finds");
        }
        let (name, bit) = split_bit(point);
        let waiver = WAIVERS.iter().find(|waiver| {
            let captures = waiver.names.captures(name);
            let is_for = |captures| (waiver.is_for)(self.config, &captures, bit.unwrap_or(0));
            group == TOGGLES && captures.is_some_and(is_for)
        });
        waiver.map(|waiver| waiver.reason)
    }
}

/// A point's name, and the number of its bit.
pub fn split_bit(point: &str) -> (&str, Option<usize>) {
    let bit = || {
        let (name, bit) = point.strip_suffix(']')?.rsplit_once('[')?;
        Some((name, Some(bit.parse().ok()?)))
    };
    bit().unwrap_or((point, None))
}

/// What is on in no one-byte piece's event: the scalar value's bits above those of U+FFFD, and the length's upper ones. An event
/// has, inside, its scalar value, that it is one, and its marks, of which the length is the last.
fn is_of_longer(grammar: Grammar, value_bits: usize, plane: usize) -> bool {
    let event_bits = value_bits + 1 + grammar.user_bits();
    (16..value_bits).contains(&plane) || plane > event_bits - grammar.length_bits()
}

/// Bits of what an event has of a scalar value: of UTF-16 a unit.
fn value_bits(config: &Config) -> usize {
    match config.core.to() {
        Encoding::Utf32 => config.core.grammar().scalar_bits(),
        _ => 16,
    }
}

/// Whether a beat with no more than this number of bytes that are no piece's can be without the end of one.
fn ends_none(config: &Config, others: usize) -> bool {
    config.lanes <= others + config.core.grammar().most_waiting()
}

/// At most `LANES - 1` events are held, and before an event of one of the lowest `n` lanes come `n - 1` of its beat: of those
/// lanes, the last is no place for an event of the next dense beat.
const WRAPPED: &str = "at most LANES - 1 events remain from earlier beats, so the events of a further dense beat are in lower lanes";

/// Of a sequence, all bytes but the last can be in the beats before.
const FEW_BYTES: &str =
    "the pieces that end in a beat have at most LANES + 3 bytes, under RFC 2279 LANES + 5";

const FEW: &str = "the core has too few lanes for this number of events";

/// Other cores have other modules of the same names.
fn is_dense(config: &Config) -> bool {
    matches!(config.core, Core::Decode { dense: true, .. })
}

/// A number in a name.
fn number(captures: &Captures, name: &str) -> u32 {
    let number = captures
        .name(name)
        .and_then(|number| number.as_str().parse().ok());
    number.expect("the expression has it")
}

static WAIVERS: LazyLock<[Waiver; 11]> = LazyLock::new(|| {
    let waiver = |names: &str, is_for, reason| {
        let names = Regex::new(&format!("^(?:{names})$")).expect("a waiver's expression");
        Waiver {
            names,
            is_for,
            reason,
        }
    };
    [
        waiver(
            r"pieces\.(?:s6_signature|delay_signature_8_y|s9_signature)|delay_signature_8\.(?:x|y|(?<stages>stages|line))",
            |config, captures, bit| {
                // The delay's register has all lanes for each clock.
                let lane = match captures.name("stages") {
                    Some(_) => bit % config.lanes,
                    None => bit,
                };
                lane != if config.lanes > 2 { 2 } else { 0 }
            },
            "a packet begins in lane 0, so a signature ends in lane 2, or in lane 0 of a later beat",
        ),
        waiver(
            r"signature_lane\.(?:x|(?<others>unused_x))",
            // Of one or two lanes, the module is that of the lane in which every beat begins, too.
            |config, captures, lane| {
                config.lanes > 2 && (captures.name("others").is_some() || lane != 2)
            },
            "a packet begins in lane 0, so with more than two lanes a signature ends in lane 2",
        ),
        waiver(
            r"counter(?:_\d)?\.number|verdict\.s22_valid_up_to_(?:next|total)",
            |config, _, bit| config.lanes + config.core.grammar().most_waiting() < 1 << bit,
            FEW_BYTES,
        ),
        waiver(
            r"network\.ranks_(?<level>\d)_(?<bit>\d)",
            |config, captures, lane| {
                number(captures, "bit") == config.lanes.ilog2()
                    && lane + 1 == 1 << number(captures, "level")
            },
            WRAPPED,
        ),
        waiver(
            r"network\.(?:from|(?<came>came))_ranks_(?<level>\d)_(?<bit>\d)",
            |config, captures, lane| {
                let [level, bit] = ["level", "bit"].map(|name| number(captures, name));
                let below = 1 << level;
                let from = match captures.name("came") {
                    Some(_) => lane ^ below,
                    None => lane,
                };
                // The bit that the next level looks at comes from all lanes, the others from those of events that move.
                let is_empty = match bit == level + 1 {
                    true => from + 1 == below,
                    false => from < below,
                };
                bit == config.lanes.ilog2() && is_empty
            },
            WRAPPED,
        ),
        waiver(
            r"ranks\.(?:count|(?<carry>carry))_\d_(?<bit>\d)",
            |config, captures, lane| {
                let bit = number(captures, "bit") + u32::from(captures.name("carry").is_some());
                is_dense(config) && lane + 1 < 1 << bit
            },
            FEW,
        ),
        waiver(
            r"dense\.network_out_next|network\.moves_(?<level>\d)|merge\.for_next",
            |config, captures, lane| {
                let level = captures.name("level").map(|_| number(captures, "level"));
                lane == config.lanes - 1 && level.is_none_or(|level| level == config.lanes.ilog2())
            },
            WRAPPED,
        ),
        waiver(
            r"\w+\.\w*(?:last_only|apart)(?:_clocks)?",
            |_, _, _| true,
            "what ends a packet is a beat",
        ),
        waiver(
            r"merge\.s3_held",
            |config, _, bit| {
                bit % config.lanes == config.lanes - 1
                    && is_of_longer(
                        config.core.grammar(),
                        value_bits(config),
                        bit / config.lanes,
                    )
            },
            "only a packet's first beat is held in all lanes, and then each of its bytes is a piece",
        ),
        waiver(
            r"events\.s13_retired|top\.pipeline_events_retired|dense\.empty",
            |config, _, _| !config.core.strips() && !ends_none(config, 0),
            "no piece has more bytes than the beat, so one of them ends one",
        ),
        waiver(
            r"events\.s13_pending",
            |config, _, _| config.core.strips() && !ends_none(config, 3),
            "a signature leaves so much of its beat that a piece ends there, if the packet does not",
        ),
    ]
});

#[cfg(test)]
mod tests {
    use super::*;
    use hdl::config::{CoreName, Request};

    #[test]
    fn what_a_longer_piece_has_follows_from_the_grammar() {
        // The value, that it is one, three bits of the kind, and the length.
        for (grammar, value, length) in [(Grammar::Rfc3629, 21, 2), (Grammar::Rfc2279, 31, 3)] {
            let planes = 0..value + 1 + 3 + length;
            let planes = planes.filter(|&plane| is_of_longer(grammar, value, plane));
            let above = value + 1 + 3 + 1..value + 1 + 3 + length;
            assert!(planes.eq((16..value).chain(above)), "{grammar}");
        }
    }

    #[test]
    fn a_beat_has_the_bytes_that_waited_as_well() {
        let constants = BTreeSet::new();
        // Four lanes and three bytes, or five: up to 7, or up to 9.
        for (grammar, first) in [(Grammar::Rfc3629, 3), (Grammar::Rfc2279, 4)] {
            let request = Request {
                core: Some(CoreName::Validate),
                lanes: Some(4),
                grammar: Some(grammar),
                ..Request::default()
            };
            let config = request.resolve().expect("a core");
            let waivers = Waivers::new(&config, &constants);
            let waived = |bit: &usize| {
                (waivers.reason(TOGGLES, &format!("counter.number[{bit}]"))).is_some()
            };
            assert_eq!((0..8).find(waived), Some(first), "{grammar}");
        }
    }
}
