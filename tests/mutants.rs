//! The lockstep can fail: statements of the emitted Verilog are broken one at a time, and each must be found.
//!
//! A sample of them is broken in the test; with `RUNEGATE_MUTANTS=all` every one is, which takes some minutes:
//! `RUNEGATE_MUTANTS=all cargo test --test mutants -- --nocapture`

mod dut;

use dut::vectors::{Vector, vectors};
use dut::{built, bursts, decoder, dense, have, often, packets, try_run, validator};
use hdl::config::{Config, CoreName, Form, Mode, Request, Signature};
use sim::engine::EngineKind;
use sim::lockstep::Outcome;
use sim::stimulus::Pattern;
use sim::tools;

/// One mutant in so many is in the sample.
const SAMPLE: usize = 20;

/// Broken statements that make no difference, each with the reason.
const EQUIVALENT: [(&str, &str); 1] = [(
    "at <= ~('h0);",
    "a ring may begin anywhere: it only counts on",
)];

/// Ways to break a right-hand side.
const WAYS: [fn(&str) -> String; 3] = [
    |value| format!("~({value})"),
    |value| value.replacen(" & ", " | ", 1),
    |value| value.replacen(" | ", " & ", 1),
];

/// Every mutant of the Verilog: what was changed, and the text.
fn mutants(verilog: &str) -> Vec<(String, String)> {
    let lines: Vec<&str> = verilog.lines().collect();
    let is_statement = |line: &str| {
        let line = line.trim_start();
        let assigns = line.contains(" <= ") || line.starts_with("assign ");
        assigns && !line.starts_with("//") && !line.contains(" words[")
    };
    let mut mutants = Vec::new();
    for (index, line) in lines
        .iter()
        .enumerate()
        .filter(|(_, line)| is_statement(line))
    {
        let operator = if line.contains(" <= ") { " <= " } else { " = " };
        let (target, value) = line
            .split_once(operator)
            .unwrap_or_else(|| panic!("{line}"));
        let value = value.trim_end_matches(';');
        for changed in WAYS
            .map(|way| way(value))
            .into_iter()
            .filter(|changed| changed != value)
        {
            let changed = format!("{target}{operator}{changed};");
            let mut mutant = lines.clone();
            mutant[index] = &changed;
            mutants.push((
                format!("line {}: {}", index + 1, changed.trim()),
                mutant.join("\n") + "\n",
            ));
        }
    }
    mutants
}

/// Whether a run with everything in it (idles, stalls, late ends, resets) finds it.
fn is_found(config: &Config, verilog: &str, packets: &[Vec<u8>]) -> bool {
    let pattern = Pattern {
        seed: 11,
        idle: often(0.3),
        stall: bursts(0.5, 40.0),
        late_last: 0.2,
        reset: 0.003,
    };
    let (_, outcome) = try_run(config, EngineKind::Icarus, verilog, packets, pattern);
    matches!(outcome, Outcome::Differed(_))
}

#[test]
fn every_broken_statement_is_found() {
    if !have(&tools::ICARUS) {
        return;
    }
    let all = std::env::var("RUNEGATE_MUTANTS").is_ok_and(|value| value == "all");
    let step = if all { 1 } else { SAMPLE };
    // In the vectors every kind is the first of a packet, which is the one that a verdict tells.
    let mut packets = packets(12, 300);
    packets.extend(vectors().iter().map(Vector::bytes));
    let mut survivors = Vec::new();
    let mut count = 0;
    for config in [
        decoder(1, Form::Axis, Signature::Keep),
        decoder(1, Form::Axis, Signature::Flag),
        decoder(4, Form::Axis, Signature::Strip),
        dense(2, Form::Axis, Signature::Strip),
        built(Request {
            core: Some(CoreName::Validate),
            lanes: Some(2),
            counter_width: Some(8),
            ..Default::default()
        }),
        validator(1, Mode::Pass, Form::Axis),
    ] {
        let verilog = hdl::emit::emit(&config).expect("it can be emitted").verilog;
        assert!(
            !is_found(&config, &verilog, &packets),
            "the core itself is right"
        );
        for (what, mutant) in mutants(&verilog).into_iter().step_by(step) {
            if EQUIVALENT
                .iter()
                .any(|(statement, _)| what.ends_with(statement))
            {
                continue;
            }
            count += 1;
            if !is_found(&config, &mutant, &packets) {
                survivors.push(format!("{}, {what}", config.describe()));
            }
        }
    }
    println!("{count} mutants, {} survivors", survivors.len());
    assert!(count >= 60, "{count} mutants");
    assert!(
        survivors.is_empty(),
        "{count} mutants, survivors:\n{}",
        survivors.join("\n")
    );
}

/// What a core put out before it went wrong is told: here all packets but the last, the only one that is ill-formed.
#[test]
fn a_run_that_fails_tells_what_came_before() {
    if !have(&tools::ICARUS) {
        return;
    }
    let config = decoder(1, Form::Axis, Signature::Keep);
    let verilog = hdl::emit::emit(&config).expect("it can be emitted").verilog;
    let broken = verilog.replace("'hfffd", "'hfffc");
    assert_ne!(broken, verilog);
    let mut packets = vec![b"well-formed".to_vec(); 50];
    packets.push(vec![0xFF]);
    let pattern = Pattern::default();
    let (output, outcome) = try_run(&config, EngineKind::Icarus, &broken, &packets, pattern);
    let Outcome::Differed(mismatch) = outcome else {
        panic!("not found");
    };
    assert_eq!(output.verdicts.len(), 50);
    assert_eq!(output.events.len(), 50 * "well-formed".len());
    let pins: Vec<&str> = mismatch
        .differences
        .iter()
        .map(|difference| difference.pin)
        .collect();
    assert_eq!(pins, ["m_axis_tdata"]);
}
