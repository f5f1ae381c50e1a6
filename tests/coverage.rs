//! Coverage: every point at the pins that the project names itself, and every line and bit of the emitted Verilog, but for
//! what cannot be reached and has its reason.
//!
//! Narrow cores of every kind and one of four lanes are counted in the test, and with `RUNEGATE_COVERAGE=all` more wide ones.
//! What was counted is in `target/evidence/coverage.json`.

use crate::dut::vectors::{Vector, vectors};
use crate::dut::{
    Output, built, bursts, decoder, dense, evidence, have, often, packets_for, to_utf16, verilog,
};
use hdl::config::{
    Config, Core, CoreName, Depth, Encoding, Form, Grammar, Mode, Request, Signature,
};
use serde_json::{Value, json};
use sim::coverage::{self, Hits, Report, Tracked};
use sim::engine::{self, Dut, EngineKind};
use sim::lockstep::{self, Outcome};
use sim::packets::InMemory;
use sim::stimulus::Pattern;
use sim::tools;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

/// What a run of the packets reaches.
fn hits(config: &Config, packets: &[Vec<u8>], pattern: Pattern) -> Hits {
    let dut = Dut {
        config,
        verilog: &verilog(config),
        trace: None,
        coverage: true,
        bytes: None,
    };
    let mut engine =
        engine::start(EngineKind::Verilator, &dut).unwrap_or_else(|error| panic!("{error}"));
    let mut output = Output::default();
    let mut sink = Tracked::new(config, &mut output);
    let packets = Box::new(InMemory::new(packets));
    let engine = engine.as_mut();
    let outcome = lockstep::run(config, engine, packets, pattern, &mut sink, &mut |_| ());
    assert!(matches!(outcome, Ok(Outcome::Agreed(_))), "{outcome:?}");
    let mut hits = sink.hits();
    hits.merge(engine.coverage().unwrap_or_else(|error| panic!("{error}")));
    hits
}

/// Every piece, from every lane on.
fn straddles(grammar: Grammar, lanes: usize) -> Vec<Vec<u8>> {
    const PIECES: [&[u8]; 15] = [
        b"A",
        b"\xC2\x80",
        b"\xE1\x80\x80",
        b"\xF1\x80\x80\x80",
        b"\x80",
        b"\xFF",
        b"\xE0\x80A",
        b"\xED\xA0A",
        b"\xF4\x90A",
        b"\xC2A",
        b"\xE1\x80A",
        b"\xF1\x80\x80A",
        b"\xC2",
        b"\xE1\x80",
        b"\xF1\x80\x80",
    ];
    const LONG: [&[u8]; 6] = [
        b"\xF9\x80\x80\x80\x80",
        b"\xFD\x80\x80\x80\x80\x80",
        b"\xF9\x80\x80\x80A",
        b"\xFD\x80\x80\x80\x80A",
        b"\xF9\x80\x80\x80",
        b"\xFD\x80\x80\x80\x80",
    ];
    let long = LONG.into_iter().filter(|_| grammar == Grammar::Rfc2279);
    let pieces: Vec<&[u8]> = PIECES.into_iter().chain(long).collect();
    let before = |lane| (pieces.iter()).map(move |piece| [&vec![b'A'; lane], *piece].concat());
    (0..lanes).flat_map(before).collect()
}

/// Packets of which each count is one less than a counter can show, as much as it can, and one more.
fn full_counters(config: &Config) -> Vec<Vec<u8>> {
    let Core::Validate { counter_width, .. } = config.core else {
        return Vec::new();
    };
    let full = (1usize << counter_width) - 1;
    let lengths = full - 1..=full + 1;
    let packets = lengths.flat_map(|length| [vec![b'A'; length], vec![0xFF; length]]);
    // The last ones once more, in the other order: every second verdict goes to the same bank of the FIFO.
    packets
        .chain([vec![0xFF; full + 1], vec![b'A'; full + 1]])
        .collect()
}

/// The patterns that the packets are run in.
const BARE: Pattern = Pattern {
    seed: 21,
    idle: often(0.0),
    stall: often(0.0),
    late_last: 0.0,
    null_beats: 0.0,
    sparse: 0.0,
    reset: 0.0,
    accesses: 0.0,
    texts: sim::texts::Texts::Random,
};
const BUSY: Pattern = Pattern {
    seed: 22,
    idle: often(0.3),
    stall: bursts(0.6, 30.0),
    late_last: 0.5,
    null_beats: 0.3,
    sparse: 0.0,
    reset: 0.003,
    accesses: 0.0,
    texts: sim::texts::Texts::Random,
};
/// Every FIFO fills, and is full nearly always.
const JAMMED: Pattern = Pattern {
    seed: 23,
    stall: often(0.7),
    null_beats: 0.05,
    ..BARE
};
/// Every FIFO is filled to its last word, and emptied: the sink stops for long.
const STOPPED: Pattern = Pattern {
    seed: 24,
    stall: bursts(0.8, 300.0),
    ..BARE
};

/// What all packets reach of a configuration in these patterns.
fn report(config: &Config, patterns: &[Pattern]) -> Report {
    let mut all = full_counters(config);
    all.extend(packets_for(config, 21, 900));
    all.extend(vec![vec![0xEF, 0xBB, 0xBF]; 300]);
    all.push(vec![b'A'; 257 * config.lanes]);
    all.extend(vectors().iter().map(Vector::bytes));
    for _ in 0..30 {
        all.extend(straddles(config.core.grammar(), config.lanes));
    }
    all.extend(vec![vec![b'A']; 2000]);
    let mut reached = Hits::default();
    for &pattern in patterns {
        reached.merge(hits(config, &all, pattern));
    }
    let constants = coverage::constants(&config.module, &verilog(config));
    let constants = constants.unwrap_or_else(|error| panic!("{error}"));
    Report::new(config, &reached, &constants)
}

fn is_covered(config: &Config) {
    if !have(&tools::VERILATOR) || !have(&tools::YOSYS) {
        return;
    }
    let report = report(config, &[BARE, BUSY, JAMMED, STOPPED]);
    keep(config, &report);
    println!("{}\n{report}", config.describe());
    assert!(report.is_complete(), "{}\n{report}", config.describe());
}

/// Adds a report to the evidence.
fn keep(config: &Config, report: &Report) {
    static KEPT: Mutex<BTreeMap<String, Value>> = Mutex::new(BTreeMap::new());
    let mut kept = KEPT.lock().unwrap_or_else(|broken| broken.into_inner());
    let document = json!({"percent": report.percent(), "groups": report.groups});
    kept.insert(config.describe(), document);
    evidence::keep("coverage.json", &*kept);
}

fn validator(lanes: usize, mode: Mode, counter_width: usize) -> Config {
    built(Request {
        core: Some(CoreName::Validate),
        mode: Some(mode),
        lanes: Some(lanes),
        counter_width: Some(counter_width),
        id_width: Some(2),
        user_width: Some(lanes % 3),
        ..Default::default()
    })
}

/// Whether all cores are covered, and not only some.
fn is_whole() -> bool {
    std::env::var("RUNEGATE_COVERAGE").as_deref() == Ok("all")
}

#[test]
fn the_byte_wide_decoder_is_covered() {
    is_covered(&decoder(1, Form::Axis, Signature::Keep));
}

#[test]
fn a_decoder_of_the_smallest_depth_is_covered() {
    is_covered(&built(Request {
        depth: Some(Depth::Min),
        ..Default::default()
    }));
}

#[test]
fn a_free_running_decoder_is_covered() {
    is_covered(&decoder(2, Form::Free, Signature::Flag));
}

#[test]
fn a_dense_decoder_is_covered() {
    is_covered(&dense(2, Form::Axis, Signature::Strip));
}

#[test]
fn a_decoder_that_puts_out_utf16_is_covered() {
    is_covered(&to_utf16(
        Encoding::Utf16le,
        1,
        Form::Axis,
        Signature::Strip,
        false,
    ));
    if is_whole() {
        is_covered(&to_utf16(
            Encoding::Utf16be,
            2,
            Form::Axis,
            Signature::Flag,
            true,
        ));
        is_covered(&to_utf16(
            Encoding::Utf16le,
            8,
            Form::Free,
            Signature::Keep,
            false,
        ));
    }
}

#[test]
fn a_validator_that_passes_on_is_covered() {
    is_covered(&validator(2, Mode::Pass, 8));
    // It has no part that the other has not.
    if is_whole() {
        is_covered(&validator(2, Mode::Snoop, 16));
    }
}

#[test]
fn wide_cores_are_covered() {
    is_covered(&decoder(4, Form::Axis, Signature::Strip));
    if !is_whole() {
        return;
    }
    let long = |core, lanes| {
        built(Request {
            core: Some(core),
            lanes: Some(lanes),
            grammar: Some(Grammar::Rfc2279),
            counter_width: (core == CoreName::Validate).then_some(8),
            ..Default::default()
        })
    };
    is_covered(&long(CoreName::Decode, 1));
    is_covered(&long(CoreName::Decode, 8));
    is_covered(&long(CoreName::Validate, 2));
    is_covered(&decoder(8, Form::Axis, Signature::Flag));
    is_covered(&validator(8, Mode::Snoop, 8));
    is_covered(&validator(8, Mode::Pass, 16));
    is_covered(&dense(4, Form::Axis, Signature::Strip));
    is_covered(&dense(8, Form::Free, Signature::Strip));
    is_covered(&decoder(64, Form::Free, Signature::Keep));
}

/// What a stimulus leaves out is missing, by its name.
#[test]
fn a_gap_in_the_stimulus_is_named() {
    if !have(&tools::VERILATOR) || !have(&tools::YOSYS) {
        return;
    }
    let config = decoder(1, Form::Axis, Signature::Keep);
    type Change = fn(&mut Pattern);
    let without = |what: Change| {
        let patterns = [BARE, BUSY, JAMMED, STOPPED].map(|mut pattern| {
            what(&mut pattern);
            pattern
        });
        let report = report(&config, &patterns);
        assert!(!report.is_complete() && !report.reaches(100.0));
        report.to_string()
    };
    let gaps: [(Change, &str); 5] = [
        (
            |pattern| pattern.stall = often(0.0),
            "missing, backpressure within pieces: scalar/2 after byte 1;",
        ),
        (
            |pattern| pattern.idle = often(0.0),
            "missing, idles within pieces: scalar/2 after byte 1;",
        ),
        (
            |pattern| pattern.null_beats = 0.0,
            "missing, null beats within pieces: scalar/2 after byte 1;",
        ),
        (
            |pattern| pattern.late_last = 0.0,
            "missing, packets: ends in a beat without any byte",
        ),
        (
            |pattern| pattern.reset = 0.0,
            "missing, resets: between packets; for two clocks; in a packet; in a sequence",
        ),
    ];
    for (what, missing) in gaps {
        let table = without(what);
        assert!(table.contains(missing), "{missing}\n{table}");
    }
}

/// A waiver for what is reached is an error, though nothing is missing.
#[test]
fn a_stale_waiver_is_named() {
    let config = decoder(1, Form::Axis, Signature::Keep);
    let mut hits = Hits::default();
    hits.add(coverage::TOGGLES, "top.ready".to_string(), 1);
    let is_constant = BTreeSet::from(["top.ready".to_string()]);
    let report = Report::new(&config, &hits, &is_constant);
    assert!(report.reaches(100.0) && report.has_stale() && !report.is_complete());
    assert!(report.to_string().contains(
        "waived, and reached nevertheless, bits of the Verilog, there and back: top.ready"
    ));
}
