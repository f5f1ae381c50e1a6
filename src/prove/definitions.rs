//! The definitions that the theorems about a core are read with.

use super::text::{counter_width, lower_bits, lower_of_lanes};
use hdl::config::{Config, Core, Encoding, Form, Grammar, OnError, Replace, Signature};
use hdl::encode::{places, units, words};

/// Of a core: what it is, and where its registers are.
pub fn definitions(config: &Config) -> Vec<String> {
    // A validator reports a signature, and keeps it; so does the one in a sanitiser, whatever is put out.
    let signature = match config.core {
        Core::Decode { signature, .. } => Some(signature),
        _ => None,
    };
    let of_sanitise = match config.core {
        Core::Sanitise { replace, .. } => Some((config.core.strips(), replace == Replace::Fffd)),
        _ => None,
    };
    // The encoding that is not UTF-8.
    let other = match config.core {
        Core::Encode { from, .. } => from,
        _ => config.core.to(),
    };
    let is = |wanted| u8::from(signature == Some(wanted));
    let shallow = config.depth.is_some();
    let cuts = hdl::schedule::cuts(config);
    let upper = counter_width(config) - lower_bits(config);
    let is_chain = upper > 0 && cuts.between(31, 33) == 0;
    let mut definitions = vec![
        format!("DUT={}", config.module),
        format!("N={}", config.lanes),
        format!("CUTS=35'h{:x}", registers(config)),
        format!("LATENCY={}", latency(config)),
        format!("COUNTER_WIDTH={}", counter_width(config)),
        format!("LOWER={}", lower_bits(config)),
        format!("STRIP=1'b{}", is(Signature::Strip)),
        format!("FLAG=1'b{}", is(Signature::Flag)),
        format!("UTF16=1'b{}", u8::from(other.is_utf16())),
        format!("SWAPS=1'b{}", u8::from(other == Encoding::Utf16be)),
    ];
    definitions.extend(of_grammar(config.core.grammar()));
    if let Core::Encode { from, on_error, .. } = config.core {
        definitions.extend(of_encode(config.lanes, from, on_error));
    }
    if let Some((strips, fffd)) = of_sanitise {
        definitions.extend([
            format!("SLOTS={}", 3_usize.div_ceil(config.lanes)),
            format!("STRIPS=1'b{}", u8::from(strips)),
            format!("FFFD=1'b{}", u8::from(fffd)),
        ]);
    }
    if let Some((words, longest)) = config.core.packet_memory(config.lanes) {
        let side = config.side;
        definitions.extend([
            format!("FIFO={}_packet_fifo", config.module),
            format!("ADDRESS_BITS={}", words.ilog2()),
            format!("WORDS={words}"),
            format!("LONGEST={longest}"),
            format!("WIDTH={}", 9 * config.lanes + 1),
            format!("SIDES={}", side.user.max(1) + side.id + side.dest),
            // Clocks from a beat's acceptance until it is pushed.
            format!("DELAY={}", hdl::schedule::to_judged(config) + 1),
        ]);
    }
    let forbid = config.core.policy().forbid;
    if !forbid.is_empty() {
        let names = (forbid.each())
            .map(|(_, name, _)| format!("HAS_{}", name.to_uppercase().replace('-', "_")));
        definitions.extend(names);
        definitions.push(format!("FORBIDS=8'd{}", forbid.bits()));
    }
    if let Core::Validate { verdict_width, .. } = config.core {
        // What the registers say of a core that watches packets, without side signals; of the map's first revision.
        let part = |text: &str| text.parse::<usize>().expect("a part of a version");
        let version = [
            part(env!("CARGO_PKG_VERSION_MAJOR")),
            part(env!("CARGO_PKG_VERSION_MINOR")),
            part(env!("CARGO_PKG_VERSION_PATCH")),
        ];
        let version = version.iter().fold(0, |all, part| all << 8 | part) << 8 | 1;
        let free = usize::from(config.form == Form::Free);
        definitions.extend([
            format!("VERSION=32'd{version}"),
            format!(
                "CONFIG=32'd{}",
                config.lanes | counter_width(config) << 8 | free << 17
            ),
            format!("WIDTHS=32'd{}", (verdict_width / 8) << 24),
        ]);
    }
    let flags = [
        ("OPENS", config.core.policy().has_open_edges),
        ("UNITS", other.is_utf16()),
        ("AXIS", config.form == Form::Axis),
        ("WIDE", config.lanes > 1),
        ("SHALLOW", shallow),
        ("CARRIED", cuts.has(32)),
        ("CHAIN", is_chain),
        ("ABOVE", is_chain && upper > 3),
        ("MARKED", cuts.between(19, 33) > 1),
        (
            "SPREAD",
            !shallow && config.lanes >= spread_from(config, signature)
                || matches!(config.core, Core::Validate { .. } | Core::Sanitise { .. }),
        ),
        ("MANY", config.lanes > 8),
        ("FAR", config.lanes > 16),
        (
            "SIGNATURE",
            match of_sanitise {
                Some((strips, _)) => strips,
                None => signature != Some(Signature::Keep),
            },
        ),
        // A sanitiser: whether it has a second slot, and a third; whether the slots have the lanes that stay.
        ("SECOND", config.lanes <= 2),
        ("THIRD", config.lanes == 1),
        ("STAYS", config.lanes <= 2 || config.core.strips()),
        ("REPLACED", of_sanitise.is_some_and(|(_, fffd)| fffd)),
        ("PENDING", signature == Some(Signature::Strip)),
    ];
    definitions.extend(
        flags
            .iter()
            .filter(|(_, set)| *set)
            .map(|(name, _)| name.to_string()),
    );
    definitions
}

/// From how many lanes on a reset of a decoder comes to them one by one: where a full beat always has an event. In RFC 2279 three bytes of a
/// signature that is stripped and five that wait are a full beat of eight lanes.
fn spread_from(config: &Config, signature: Option<Signature>) -> usize {
    let strips = signature == Some(Signature::Strip);
    match strips && config.core.grammar().is_2279() {
        true => 16,
        false => 8,
    }
}

/// Of a grammar: its package, the bytes that a window sees back, the bits of a scalar value and of the length of an ill-formed piece, and
/// the slots of a word in an encoder.
pub fn of_grammar(grammar: Grammar) -> Vec<String> {
    let (back, value, length, slots) = match grammar {
        Grammar::Rfc3629 => (3, 21, 2, 4),
        Grammar::Rfc2279 => (5, 31, 3, 8),
    };
    let mut definitions = vec![
        format!("GRAMMAR={grammar}"),
        format!("BACK={back}"),
        format!("VALUE={value}"),
        format!("LENGTH={length}"),
        format!("SLOTS_OF_WORD={slots}"),
    ];
    if grammar.is_2279() {
        definitions.push("RFC2279".to_string());
    }
    definitions
}

/// Of an encoder: its words, and the clocks from the record of a beat to the delays of the words' scalar values and of what becomes of them,
/// and to the network. The record of UTF-32 is made at the pins, that of UTF-16 when the beat leaves the slot.
fn of_encode(lanes: usize, from: Encoding, on_error: OnError) -> [String; 5] {
    const TO_SLOT: usize = 5;
    let (to_scalars, to_marks) = match from.is_utf16() {
        true => (units::LATENCY - TO_SLOT, units::LATENCY - TO_SLOT),
        false => (0, words::LATENCY),
    };
    let to_network = to_marks + places::sums_latency(lanes) + places::LATENCY;
    [
        format!("WORD={}", if from.is_utf16() { 16 } else { 32 }),
        format!("OMITS=1'b{}", u8::from(on_error == OnError::Omit)),
        format!("TO_SCALARS={to_scalars}"),
        format!("TO_MARKS={to_marks}"),
        format!("TO_NETWORK={to_network}"),
    ]
}

/// A number whose bit `s` says that stage `s` has registers. It places the lemmas; what a theorem claims does not depend on it, for the
/// clocks that it claims are [`latency`]'s.
fn registers(config: &Config) -> u64 {
    let cuts = match config.core {
        // Without the stages of trees and counters that only more lanes have.
        Core::Validate { .. } => hdl::validate::verdict::stages(
            hdl::schedule::cuts(config),
            config.lanes,
            config.core.grammar(),
        ),
        _ => hdl::schedule::cuts(config),
    };
    let stages = (0..35).filter(|&stage| cuts.has(stage));
    stages.fold(0, |all, stage| all | 1 << stage)
}

/// Clocks from a beat to its events, or from a packet's last beat to its verdict, without a FIFO: the depth. The greatest depth of a
/// validator has a clock more for each doubling of the lanes, for the trees over them, and from the second on another, for the counters; in
/// RFC 2279 from the first on.
fn latency(config: &Config) -> usize {
    let doublings = config.lanes.ilog2() as usize;
    let most = match config.core {
        Core::Validate { .. } => 22 + doublings + lower_of_lanes(config) - 3,
        _ => 14,
    };
    config.depth.unwrap_or(most)
}
