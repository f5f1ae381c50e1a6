//! Points that cannot be reached, each with its reason. One that is reached after all is an error: its waiver is stale.

use super::hits::{LINES, TOGGLES};
use hdl::config::{Config, Core};
use hdl::layout::{LENGTH_BITS, SCALAR_BITS, USER_BITS};
use regex::{Captures, Match, Regex};
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

/// Bits of an event, inside: its scalar value, that it is one, and its marks.
const EVENT_BITS: usize = SCALAR_BITS + 1 + USER_BITS;

/// What is on in no one-byte piece's event: the scalar value's bits above those of U+FFFD, and the length's upper one.
fn is_of_longer(plane: usize) -> bool {
    (16..SCALAR_BITS).contains(&plane) || plane == EVENT_BITS - LENGTH_BITS + 1
}

/// At most `LANES - 1` events are held, and before an event of one of the lowest `n` lanes come `n - 1` of its beat: of those
/// lanes, the last is no place for an event of the next dense beat.
const WRAPPED: &str = "at most LANES - 1 events remain from earlier beats, so the events of a further dense beat are in lower lanes";

const FEW_BYTES: &str = "the pieces that end in a beat have at most LANES + 3 bytes";

const FEW: &str = "the core has too few lanes for this number of events";

/// Other cores have other modules of the same names.
fn is_dense(config: &Config) -> bool {
    matches!(config.core, Core::Decode { dense: true, .. })
}

/// Modules of the same kind have a number in their names from the second on.
const LEVEL: &str = r"level(?:_(?<level>\d))?\.";

/// The number of a level: of its module, or of what the module around it calls its nets.
fn level(captures: &Captures) -> u32 {
    let of = captures.name("level").or_else(|| captures.name("net_of"));
    of.map_or(1, |level| level.as_str().parse().expect("a digit"))
}

/// A number in a name.
fn number(captures: &Captures, name: &str) -> u32 {
    let number = captures
        .name(name)
        .and_then(|number| number.as_str().parse().ok());
    number.expect("the expression has it")
}

static WAIVERS: LazyLock<[Waiver; 13]> = LazyLock::new(|| {
    let waiver = |names: &str, is_for, reason| {
        let names = names.replace("LEVEL", LEVEL);
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
            r"counter(?:_\d)?\.number|verdict\.s22_valid_up_to",
            |config, _, bit| config.lanes + 3 < 1 << bit,
            FEW_BYTES,
        ),
        waiver(
            r"counter(?:_\d)?\.kept_(?:even|odd)",
            |config, _, bit| matches!(config.core, Core::Validate { counter_width, .. } if 8 + 2 * bit >= counter_width),
            "a counter has no bits above its width",
        ),
        waiver(
            r"(?:network\.level_(?<net_of>\d)_|LEVEL)(?:(?:next|out)_rank|(?<into>rank))_(?<bit>\d)",
            |config, captures, lane| {
                let level = level(captures) - u32::from(captures.name("into").is_some());
                number(captures, "bit") == config.lanes.ilog2() && lane + 1 == 1 << level
            },
            WRAPPED,
        ),
        waiver(
            r"LEVELmove_rank_(?<bit>\d)_(?:x|(?<moved>y))",
            |config, captures, lane| {
                let below = 1 << (level(captures) - 1);
                let from = if captures.name("moved").is_some() {
                    lane ^ below
                } else {
                    lane
                };
                number(captures, "bit") == config.lanes.ilog2() && from < below
            },
            WRAPPED,
        ),
        waiver(
            r"(?:prefix_level(?:_\d)?\.(?:x|sum|(?<carry>carry))|ranks\.level_\d_y)_(?<bit>\d)",
            |config, captures, lane| {
                let bit = number(captures, "bit") + u32::from(captures.name("carry").is_some());
                is_dense(config) && lane + 1 < 1 << bit
            },
            FEW,
        ),
        waiver(
            r"ranks\.before_(?<bit>\d)_y|prefix_LEVELbelow_(?<bit_below>\d)_y",
            |config, captures, lane| match captures.name("bit_below") {
                _ if !is_dense(config) => false,
                None => lane < 1 << number(captures, "bit"),
                Some(_) => {
                    let distance = 1 << (level(captures) - 1);
                    lane + 1 < distance + (1 << number(captures, "bit_below"))
                }
            },
            FEW,
        ),
        waiver(
            r"LEVEL(?:goes|came_(?<came>bit_y|goes))",
            |config, captures, lane| {
                let level = level(captures);
                let below = 1 << (level - 1);
                let from = if captures.name("came").is_some() {
                    lane ^ below
                } else {
                    lane
                };
                level == config.lanes.ilog2() && from + 1 == below
            },
            WRAPPED,
        ),
        waiver(
            r"dense\.network_out_next|(?:network|merge)\.(?:out|for)_next|(?<of_level>network\.level_(?<net_of>\d)_|LEVEL)(?:next|out)_moves",
            |config, captures, lane| {
                let is_last = |_: Match| level(captures) == config.lanes.ilog2();
                lane == config.lanes - 1 && captures.name("of_level").is_none_or(is_last)
            },
            WRAPPED,
        ),
        waiver(
            r"counter(?:_\d)?\.never_[xy]",
            |config, _, _| matches!(config.core, Core::Validate { .. }),
            "a pair that gives a carry is zero",
        ),
        waiver(
            r"\w+\.\w*last_only|(?:s9_)?(?:every_rested|far|far_waits|groups|regions|fill)\.never",
            |_, _, _| true,
            "what ends a packet is a beat",
        ),
        waiver(
            r"merge\.s3_held",
            |config, _, bit| {
                bit % config.lanes == config.lanes - 1 && is_of_longer(bit / config.lanes)
            },
            "only a packet's first beat is held in all lanes, and then each of its bytes is a piece",
        ),
    ]
});
