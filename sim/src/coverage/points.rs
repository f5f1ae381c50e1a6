//! The functional points of a configuration: what can happen at its pins, as data.

use super::pieces::Pieces;
use crate::grammar::grammar;
use hdl::config::{Config, Core, Form, Mode};
use hdl::emit::latency;

/// EF BB BF.
pub const SIGNATURE_BYTES: [u8; 3] = [0xEF, 0xBB, 0xBF];

/// What the points of a group have in common.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Group {
    pub name: &'static str,
    /// What a point's number counts; empty if its points have none.
    pub number: &'static str,
}

const fn group(name: &'static str, number: &'static str) -> Group {
    Group { name, number }
}

pub static PIECES: Group = group("pieces that end in each lane of a beat", "lane");
pub static WORDS: Group = group("events in each lane of m_axis", "lane");
pub static ACROSS: Group = group("pieces across beats", "bytes in the earlier beat:");
pub static WAITS: Group = group("pieces that the next beat settles", "");
pub static LONG_WAITS: Group = group("pieces that a later beat settles after a gap", "");
pub static IDLES: Group = group("idles within pieces", "after byte");
pub static STALLS: Group = group("backpressure within pieces", "after byte");
pub static NULLS: Group = group("null beats within pieces", "after byte");
pub static LENGTHS: Group = group("packet lengths modulo lanes", "is");
pub static PACKETS: Group = group("packets", "");
pub static SIGNATURES: Group = group("signatures", "");
pub static FLOW: Group = group("flow control", "");
pub static RESETS: Group = group("resets", "");
pub static AGES: Group = group("what begins how long after a beat is accepted", "clocks");
pub static VERDICTS: Group = group("verdicts", "");
pub static FIRST_ERRORS: Group = group("first errors", "");
pub static ERROR_LANES: Group = group("valid_up_to of ill-formed packets modulo lanes", "is");
pub static COUNTERS: Group = group("counters of verdicts", "");

/// A point. What tells two of a group apart is `what` and the number `at`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Point {
    pub group: &'static Group,
    pub what: &'static str,
    pub at: usize,
}

impl Point {
    pub const fn new(group: &'static Group, what: &'static str, at: usize) -> Self {
        Self { group, what, at }
    }

    /// Its name in its group.
    pub fn name(&self) -> String {
        match self.group.number {
            "" => self.what.to_string(),
            number => format!("{} {number} {}", self.what, self.at)
                .trim_start()
                .to_string(),
        }
    }
}

const EVERY_PACKET: [&str; 8] = [
    "empty",
    "ends in a beat without any byte",
    "right after another, without a clock between",
    "of one beat in each of four clocks",
    "null beat before it",
    "null beat in it",
    "null beats in two clocks",
    "longer than 256 beats",
];

const EVERY_SIGNATURE: [&str; 10] = [
    "whole",
    "alone in its packet",
    "cut by the packet's end after byte 1",
    "cut by the packet's end after byte 2",
    "wrong in byte 1",
    "wrong in byte 2",
    "wrong in byte 3",
    "U+FEFF after a signature",
    "U+FEFF elsewhere",
    "in the first packet after a reset",
];

/// Only a full beat can come before a last one without any byte.
pub const LATE_SIGNATURE: &str = "alone, before a last beat without any byte";

const EVERY_RESET: [&str; 5] = [
    "between packets",
    "in a packet",
    "in a sequence",
    "while a beat is offered",
    "for two clocks",
];

/// Of a core that answers with `s_axis_tready`.
const ANSWERS: [&str; 4] = [
    "s_axis: not ready while a beat is offered",
    "s_axis: not ready while none is",
    "s_axis: ready again, and a beat taken in that clock",
    "s_axis: a beat offered in the first clock after a reset",
];

const SNOOPS: [&str; 2] = [
    "s_axis: its sink stalls",
    "s_axis: its sink stalls in a packet",
];

/// Of a stream of outputs: its name, and what happens to it.
pub const STREAMS: [[&str; 6]; 2] = [
    [
        "m_axis: a beat in each of two clocks",
        "m_axis: stalled",
        "m_axis: stalled from its first clock on",
        "m_axis: stalled for 8 clocks",
        "m_axis: ready without a beat",
        "m_axis: stalled while a reset begins",
    ],
    [
        "m_axis_verdict: a beat in each of two clocks",
        "m_axis_verdict: stalled",
        "m_axis_verdict: stalled from its first clock on",
        "m_axis_verdict: stalled for 8 clocks",
        "m_axis_verdict: ready without a beat",
        "m_axis_verdict: stalled while a reset begins",
    ],
];

/// What begins while a beat is in the core; the stalls are of the streams above.
pub const AGE_OF_IDLE: &str = "idle";
pub const AGE_OF_RESET: &str = "reset";
pub const AGE_OF_STALL: [&str; 2] = ["stall of m_axis", "stall of m_axis_verdict"];

pub const COUNTER_NAMES: [[&str; 2]; 4] = [
    ["bytes saturated", "bytes all ones, not saturated"],
    [
        "valid_up_to saturated",
        "valid_up_to all ones, not saturated",
    ],
    ["scalars saturated", "scalars all ones, not saturated"],
    ["ill_formed saturated", "ill_formed all ones, not saturated"],
];

const EVERY_VERDICT: [&str; 6] = [
    "well-formed",
    "ill-formed",
    "signature",
    "empty packet",
    "nothing but ill-formed pieces",
    "ill-formed after a signature",
];

/// Every point of a configuration.
pub fn points(config: &Config) -> Vec<Point> {
    let lanes = config.lanes;
    let axis = config.form == Form::Axis;
    let mode = match config.core {
        Core::Decode { .. } => None,
        Core::Validate { mode, .. } => Some(mode),
        // Its bytes pass, if not all unchanged.
        Core::Sanitise { .. } => Some(Mode::Pass),
        // Its points would be of words.
        Core::Encode { .. } => return Vec::new(),
    };
    let answers = axis && mode != Some(Mode::Snoop);
    let mut points = Vec::new();
    let mut add = |group, what, numbers: std::ops::RangeInclusive<usize>| {
        points.extend(numbers.map(|at| Point::new(group, what, at)));
    };
    let pieces = Pieces::of(grammar(config));
    for (piece, length) in pieces.every() {
        add(&PIECES, piece, 0..=lanes - 1);
        if mode.is_none() {
            add(&WORDS, piece, 0..=lanes - 1);
        }
        add(&ACROSS, piece, 1..=(length - 1).min(lanes));
        add(&IDLES, piece, 1..=length - 1);
        add(&NULLS, piece, 1..=length - 1);
        if answers {
            add(&STALLS, piece, 1..=length - 1);
        }
    }
    add(&LENGTHS, "", 0..=lanes - 1);
    let mut all = |group, names: &[&'static str]| {
        points.extend(names.iter().map(|what| Point::new(group, what, 0)));
    };
    let unsettled: Vec<&str> = pieces.unsettled().collect();
    all(&WAITS, &unsettled);
    all(&LONG_WAITS, &unsettled);
    all(&PACKETS, &EVERY_PACKET);
    all(&SIGNATURES, &EVERY_SIGNATURE);
    if SIGNATURE_BYTES.len().is_multiple_of(lanes) {
        all(&SIGNATURES, &[LATE_SIGNATURE]);
    }
    all(&RESETS, &EVERY_RESET);
    if answers {
        all(&FLOW, &ANSWERS);
    } else if axis {
        all(&FLOW, &SNOOPS);
    }
    let latency = latency(config);
    let latencies = [latency.stream, latency.verdict];
    for (stream, names) in STREAMS.iter().enumerate() {
        if latencies[stream].is_some() {
            // Without a tready nothing can stall.
            all(&FLOW, if answers { names } else { &names[..1] });
        }
    }
    if mode.is_some() {
        all(&VERDICTS, &EVERY_VERDICT);
        all(&FIRST_ERRORS, &pieces.first_errors().collect::<Vec<_>>());
        all(&COUNTERS, COUNTER_NAMES.as_flattened());
        points.extend((0..lanes).map(|at| Point::new(&ERROR_LANES, "", at)));
    }
    let longest = latencies.into_iter().flatten().max().unwrap_or(0);
    let ages = |what, most| (1..=most).map(move |at| Point::new(&AGES, what, at));
    points.extend(ages(AGE_OF_IDLE, longest));
    points.extend(ages(AGE_OF_RESET, longest));
    for (what, latency) in AGE_OF_STALL.into_iter().zip(latencies) {
        points.extend(ages(what, latency.filter(|_| answers).unwrap_or(0)));
    }
    points
}
