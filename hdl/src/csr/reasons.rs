//! The registers of a core that judges a part of each packet: how many packets are judged, and how many are not for each reason.

use super::register::{Register, counter};
use crate::config::Config;
use crate::layout::REASONS;

/// Counters: of the packets that are judged, and of each reason by its code.
pub const COUNT: usize = REASONS.len();
/// The addresses of these, in the same order, are from here on.
const FIRST: usize = 0xB8;

const fn unjudged(code: usize, name: &'static str, description: &'static str) -> Register {
    counter(name, FIRST + 8 * code, description)
}

/// In the order of their addresses.
pub const OF_REASONS: [Register; COUNT] = [
    unjudged(0, "judged", "packets that are judged"),
    unjudged(1, "unjudged_no_window", "packets without a window"),
    unjudged(2, "unjudged_not_ip", "frames of something else than IP"),
    unjudged(
        3,
        "unjudged_other_protocol",
        "frames with a protocol in IP that is not read",
    ),
    unjudged(
        4,
        "unjudged_ip_fragment",
        "frames with a fragment of a datagram",
    ),
    unjudged(
        5,
        "unjudged_malformed",
        "frames whose headers or lengths make no sense",
    ),
    unjudged(
        6,
        "unjudged_too_deep",
        "frames with more tags or extension headers than are read",
    ),
    unjudged(7, "unjudged_port", "frames of ports that are not judged"),
    unjudged(8, "unjudged_no_payload", "frames whose payload is empty"),
];

/// Whether a packet of the core can be unjudged for the reason of a code; of 0, whether any can.
pub fn is_possible(config: &Config, code: usize) -> bool {
    let policy = config.core.policy();
    match code {
        0 => policy.has_window,
        1 => policy.takes_windows(),
        7 => policy.ports.is_some(),
        _ => policy.has_frames,
    }
}
