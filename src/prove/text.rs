//! The theorems' text for a core: where the lemmas' names are in it, and the lines about each of several blocks.

use hdl::backpressure::fifo::parts;
use hdl::config::{Config, Core, Replace};
use hdl::decode::axis::bank_address_bits;
use hdl::decode::beat::{beat_bits, planes};
use hdl::decode::units::UNIT_BITS;
use hdl::layout::{LONG_SCALAR_BITS, SCALAR_BITS};

/// The lemmas' names for blocks, and their places in the core.
pub const PLACES: [(&str, &str); 12] = [
    (r"\FORBIDDEN.", r"\dut.core_forbidden."),
    (r"\CLASSES.", r"\dut.core_forbidden.classes."),
    (r"\SCALAR.", r"\dut.pipeline_scalar."),
    (r"\UNITS.", r"\dut.pipeline_units_0."),
    (r"\EVENTS.", r"\dut.pipeline_events."),
    (r"\CREDITS.", r"\dut.credits."),
    (r"\VERDICT.", r"\dut.core_verdict."),
    (r"\BUS.", r"\dut.csr_0.bus."),
    (r"\CSR.", r"\dut.csr_0."),
    (r"\PIPELINE.", r"\dut.pipeline."),
    (r"\RING.", r"\dut.pipeline.ring."),
    (r"\PAIRS.", r"\dut.pipeline.units_0."),
];

/// Bits of a verdict's counters; a decoder has none.
pub fn counter_width(config: &Config) -> usize {
    config
        .core
        .verdict()
        .map_or(8, |(_, counter_width)| counter_width)
}

/// Bits of a counter that a number is added to.
pub fn lower_bits(config: &Config) -> usize {
    lower_of_lanes(config).min(counter_width(config))
}

/// The same of a counter that has as many. They count to twice the lanes and the bytes that may have waited, of which there are five in RFC
/// 2279, not three: for two lanes that is a bit more.
pub fn lower_of_lanes(config: &Config) -> usize {
    let doublings = config.lanes.ilog2() as usize;
    let has_more = config.core.grammar().is_2279() && config.lanes == 2;
    (doublings + 2).max(3) + usize::from(has_more)
}

/// The parts that a decoder's FIFO has.
fn slices(config: &Config) -> usize {
    let grammar = config.core.grammar();
    let word = match (config.core.to().is_utf16(), grammar.is_2279()) {
        (true, _) => UNIT_BITS,
        (false, false) => SCALAR_BITS,
        (false, true) => LONG_SCALAR_BITS,
    };
    let beat = beat_bits(planes(word, grammar.user_bits()), config.lanes);
    parts(beat, bank_address_bits(false))
}

/// Ends of ranges that depend on the core, in the lines about each of several blocks: of a counter's lower bits, its upper digits of
/// four, whether there is one, and the digits with a third bit and with two more after them.
fn ends(config: &Config) -> [(&'static str, usize); 8] {
    let upper = counter_width(config) - lower_bits(config);
    let digits = upper.div_ceil(4);
    let has_third = usize::from(![1, 2].contains(&(upper % 4)));
    [
        ("LANES", config.lanes),
        ("SLICES", slices(config)),
        // Of the memory in which packets wait.
        (
            "WORDS",
            config.core.packet_memory(config.lanes).map_or(0, |it| it.0),
        ),
        ("LOWER", lower_bits(config)),
        ("DIGITS", digits),
        ("UPPER_1", digits.min(1)),
        ("ONES", (digits + has_third).saturating_sub(1)),
        ("RUNS", digits.saturating_sub(1)),
    ]
}

/// The names for the states of stages 20 and 21. A state of a stage without registers is a wire: the register is what it was in the clock
/// before.
fn states(config: &Config) -> [(&'static str, &'static str); 2] {
    let cuts = hdl::schedule::cuts(config);
    let place_20 = match cuts.has(20) {
        true => r"\dut.core_verdict.s20_",
        false => r"\dut.core_verdict.was_s20_",
    };
    let place_21 = match cuts.has(21) {
        true => r"\dut.core_verdict.s21_",
        false => r"\dut.core_verdict.was_s21_",
    };
    [(r"\STATE_20.", place_20), (r"\STATE_21.", place_21)]
}

/// The places of the pieces, and of what makes them well-formed.
fn pieces(config: &Config) -> [(&'static str, &'static str); 2] {
    let (pieces, repair) = match config.core {
        Core::Validate { .. } => (r"\dut.core_pieces.", ""),
        Core::Sanitise { replace, .. } => match replace {
            Replace::Ascii => (r"\dut.core_core_pieces.", r"\dut.core_repair."),
            Replace::Fffd => (
                r"\dut.pipeline.bytes_0_core_pieces.",
                r"\dut.pipeline.bytes_0_repair.",
            ),
        },
        _ => (r"\dut.pipeline_pieces.", ""),
    };
    [(r"\PIECES.", pieces), (r"\REPAIR.", repair)]
}

/// What is after the pipeline in the form `axis`: at a smaller depth one block has the FIFO and the credits.
fn fifo(config: &Config) -> (&'static str, &'static str) {
    let place = match config.depth {
        None => r"\dut.fifo.",
        Some(_) => r"\dut.shallow.",
    };
    (r"\FIFO.", place)
}

/// A text with its blocks' places, and its lines about each of several blocks.
pub fn placed(text: &str, config: &Config) -> String {
    let replace = |text: String, (block, place): &(&str, &str)| text.replace(block, place);
    let further = [&pieces(config)[..], &[fifo(config)], &states(config)].concat();
    let places = PLACES
        .iter()
        .chain(&further)
        .fold(text.to_string(), replace);
    let places = ends(config).iter().fold(places, |text, (name, end)| {
        text.replace(&format!("..<{name}) "), &format!("..<{end}) "))
    });
    // The network that packs an encoder's bytes has a level for each doubling of a word's slots, and of the lanes.
    let levels = 2 + config.lanes.ilog2();
    let places = places.replace("<LEVELS>", &levels.to_string());
    let places = places.replace("each(FORBIDDEN) ", &forbidden(config));
    let lines = places.lines().flat_map(repeated);
    lines.map(|line| line + "\n").collect()
}

/// The lines about each forbidden class: the names that they have in the Verilog.
fn forbidden(config: &Config) -> String {
    let forbid = config.core.policy().forbid;
    let names = forbid.each().map(|(_, name, _)| name.replace('-', "_"));
    format!("each({}) ", names.collect::<Vec<_>>().join(" "))
}

/// A line `each(A B C) text` is one text for each name, or for each number of `each(0..31)` or `each(0..<32)`, which takes the
/// place of `%`. If `text` is such a line itself, the place of its own names is `%%`, and so on; its numbers may depend on `%`. No
/// name of a signal in another block can be made within the language.
fn repeated(line: &str) -> Vec<String> {
    let Some((names, text)) = each(line) else {
        return vec![line.to_string()];
    };
    let texts = names.iter().map(|name| with_name(text, name));
    texts.flat_map(|text| repeated(&text)).collect()
}

/// The text with a name for each single `%`, and each run of these shorter by one.
fn with_name(text: &str, name: &str) -> String {
    let (mut named, mut rest) = (String::new(), text);
    while let Some((before, after)) = rest.split_once('%') {
        rest = after.trim_start_matches('%');
        let further = &after[..after.len() - rest.len()];
        named += before;
        named += if further.is_empty() { name } else { further };
    }
    named + rest
}

/// The names for which a line is repeated, and the text behind them.
fn each(line: &str) -> Option<(Vec<String>, &str)> {
    let (names, text) = line.trim_start().strip_prefix("each(")?.split_once(") ")?;
    let range = names.split_once("..").map(|(first, end)| {
        let (end, further) = match end.strip_prefix('<') {
            Some(end) => (end, 0),
            None => (end, 1),
        };
        (first.parse(), end.parse().map(|end: u32| end + further))
    });
    let names = match range {
        Some((Ok(first), Ok(end))) => (first..end).map(|n: u32| n.to_string()).collect(),
        _ => names.split(' ').map(str::to_string).collect(),
    };
    Some((names, text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_repeated_for_names_and_for_numbers() {
        assert_eq!(repeated("    each(a bc) x% = %;"), ["xa = a;", "xbc = bc;"]);
        assert_eq!(repeated("each(0..2) w[%]"), ["w[0]", "w[1]", "w[2]"]);
        assert_eq!(
            repeated("each(a b) each(0..1) %.y_%%"),
            ["a.y_0", "a.y_1", "b.y_0", "b.y_1"]
        );
        assert_eq!(
            repeated("each(1..2) each(0..<%) each(a b) w%.x%%%[%%]"),
            [
                "w1.xa[0]", "w1.xb[0]", "w2.xa[0]", "w2.xb[0]", "w2.xa[1]", "w2.xb[1]"
            ]
        );
        assert_eq!(repeated("each(a) 1% 2%"), ["1a 2a"]);
        assert_eq!(repeated("  for each % of (x)"), ["  for each % of (x)"]);
    }
}
