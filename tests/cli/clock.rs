//! `--depth list`, and `--clock`, which chooses a depth from what was measured.

use crate::support::{Place, done, json, refuses, stdout};
use serde_json::Value;
use std::collections::BTreeMap;

/// A core and an FPGA as options, with the measured clocks in MHz of its depths; the greatest depth is `None`.
type Measured = BTreeMap<String, Vec<(Option<u64>, f64)>>;

/// The rows that the tool has compiled into it, from their file.
fn measured() -> Measured {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/constraints/clocks.json");
    let rows = std::fs::read_to_string(file).expect("the file of the rows");
    let rows: Vec<Value> = serde_json::from_str(&rows).expect("rows in JSON");
    let mut all = Measured::new();
    for row in rows {
        let core = row["core"].as_object().expect("a core");
        let plain = |value: &Value| value.to_string().trim_matches('"').to_string();
        let options = core.iter().filter(|(name, _)| *name != "depth");
        let mut words: Vec<String> = options
            .map(|(name, value)| format!("--{name} {}", plain(value)))
            .collect();
        words.push(format!("--target {}", plain(&row["target"])));
        words.push(format!("--part {}", plain(&row["part"])));
        if !row["speed"].is_null() {
            words.push(format!("--speed {}", plain(&row["speed"])));
        }
        let clock = row["mhz"].as_f64().expect("a clock");
        let depth = core.get("depth").and_then(Value::as_u64);
        all.entry(words.join(" ")).or_default().push((depth, clock));
    }
    assert!(
        !all.is_empty(),
        "nothing is measured: `make results` does it"
    );
    all
}

#[test]
fn a_clock_chooses_the_least_depth_that_reaches_it() {
    let place = Place::new();
    for (options, depths) in measured() {
        let deep = |depth: Option<u64>| depth.unwrap_or(u64::MAX);
        for (_, clock) in &depths {
            let reaching = depths.iter().filter(|(_, mhz)| mhz >= clock);
            let least = reaching.min_by_key(|(depth, _)| deep(*depth));
            let (depth, mhz) = least.expect("the row itself");
            let emitted = json(&place.run(&format!(
                "emit {options} --clock {clock} --module core --out {} --force --json",
                "out"
            )));
            assert_eq!(
                emitted["config"]["depth"].as_u64(),
                *depth,
                "{options} --clock {clock}"
            );
            assert_eq!(emitted["config"].get("depth").is_none(), depth.is_none());
            assert_eq!(emitted["clock"]["mhz"].as_f64(), Some(*mhz));
        }
        let fastest = depths.iter().map(|(_, mhz)| *mhz).fold(0.0, f64::max);
        refuses(
            &place,
            &format!("emit {options} --clock {}", fastest + 0.2),
            &[
                "more than any measured depth",
                &format!("{fastest:.1} MHz with --depth"),
                "choose a clock",
            ],
        );
    }
}

#[test]
fn options_without_a_row_are_refused_or_named() {
    let place = Place::new();
    let (options, depths) = measured().pop_first().expect("a row");
    let (_, clock) = depths[0];
    let command = format!("emit {options} --clock {clock} --id-width 4");
    refuses(
        &place,
        &command,
        &["no clock of this core", "no --id-width", "choose --nearest"],
    );
    let run = place.run(&format!("{command} --nearest"));
    let text = stdout(&run);
    assert!(
        text.contains("of the nearest core, with no --id-width"),
        "{text}"
    );
}

/// The depth of a core of which only the first stages are merged counts others: it gets the one that merges as much.
#[test]
fn a_depth_of_another_scale_is_not_taken() {
    let place = Place::new();
    let command = "emit --core validate --lanes 8 --target ecp5 --clock 10 --nearest";
    let said = |options: &str| stdout(&place.run(&format!("{command} {options}"))).to_string();
    let depth_in = |text: &str| -> usize {
        let depth = text.split("depth ").nth(1).expect("a depth");
        let digits = depth.split(|c: char| !c.is_ascii_digit()).next();
        digits.and_then(|it| it.parse().ok()).expect("a number")
    };
    let least = depth_in(&said("--module plain"));
    let text = said("--module registers --csr");
    assert!(text.contains(&format!("--depth {least}")), "{text}");
    let list = |options: &str, depth: usize| -> String {
        let command = format!("emit --core validate --lanes 8 --depth list {options}");
        let run = place.run(&command);
        let list = stdout(&run);
        let is_it = |line: &&str| line.split_whitespace().next() == Some(&depth.to_string());
        let line = list.lines().find(is_it).expect("the depth");
        line.split_whitespace().nth(1).expect("levels").to_string()
    };
    for options in ["--csr", "--window", "--frames"] {
        let text = said(&format!("--module options --force {options}"));
        let depth = depth_in(text.split_once("latency").map_or(&*text, |(_, rest)| rest));
        assert_ne!(depth, least);
        assert!(
            list(options, depth) <= list("", least),
            "{options}: {depth}"
        );
    }
    for apart in ["--flows 16", "--core decode --dense"] {
        let command = command.replace("--core validate", "");
        let core = if apart.contains("dense") {
            ""
        } else {
            "--core validate"
        };
        refuses(
            &place,
            &format!("{command} {core} {apart}"),
            &[
                "no core with --dense or --flows is measured",
                "leave --clock out",
            ],
        );
    }
}

#[test]
fn a_clock_that_cannot_choose_is_refused() {
    let place = Place::new();
    for (arguments, said) in [
        ("--clock 100", &["--target", "leave --clock out"][..]),
        ("--target ecp5", &["--clock", "leave it out"]),
        ("--speed 6", &["--target", "leave --speed out"]),
        (
            "--clock 100 --target ecp5 --depth 3",
            &["the depth 3", "leave one of them out"],
        ),
        (
            "--clock 100 --target ecp5 --depth list",
            &["--depth list", "leave it out"],
        ),
        (
            "--clock 100 --target xilinx7",
            &["no open tool", "choose ecp5 or ice40"],
        ),
        (
            "--clock 100 --target ecp5 --lanes 2",
            &["lanes 2", "--form free", "--nearest"],
        ),
        (
            "--clock 100 --target ice40 --lanes 128",
            &["lanes 128", "choose lanes 1"],
        ),
        (
            "--clock 100 --target ecp5 --core encode",
            &["it has only one", "leave --clock out"],
        ),
        ("--clock 0 --target ecp5", &["choose a number of MHz"]),
    ] {
        refuses(&place, &format!("emit {arguments}"), said);
    }
}

/// In a simulation a clock is the line's, too, and that of a core whose depth nobody chooses.
#[test]
fn a_simulation_takes_the_depth_for_its_clock() {
    let place = Place::new();
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/traffic.pcap");
    let (options, depths) = measured().pop_first().expect("a row");
    let least = depths.iter().min_by_key(|(depth, _)| depth.unwrap_or(99));
    let (depth, clock) = *least.expect("a depth");
    let run = place.run(&format!(
        "sim --engine embedded --pcap {file} --line-rate 1G {options} --clock {clock} --json"
    ));
    let document: Value = serde_json::from_str(done(&run)).expect("a JSON document");
    assert_eq!(document["depth"].as_u64(), depth);
    let hertz = document["line"]["hertz"]
        .as_f64()
        .expect("the line's clock");
    assert_eq!(hertz, clock * 1e6);
}

#[test]
fn every_depth_is_listed_with_the_stages_that_it_merges() {
    for core in ["decode", "validate"] {
        let place = Place::new();
        let list = json(&place.run(&format!("emit --core {core} --depth list --json")));
        assert_eq!(place.files(), [""; 0], "a list writes no core");
        let depths = list["depths"].as_array().expect("depths");
        let number = |value: &Value| value.as_u64().expect("a number");
        let first = number(&depths[0]["depth"]);
        // A register fewer is a stage more without.
        let of_all = number(&depths[depths.len() - 1]["depth"]);
        for (place, choice) in depths.iter().enumerate() {
            let depth = number(&choice["depth"]);
            assert_eq!(depth, first + place as u64);
            let merged = choice["stages_without_registers"].as_array();
            let merged = merged.expect("stages");
            assert_eq!(merged.len() as u64, of_all - depth);
            let longest = number(&choice["lut4_levels"]);
            // Two stages of a validator's make no level when they are merged with the next.
            let of_one_level = of_all - if core == "validate" { 2 } else { 0 };
            assert_eq!(longest == 1, depth >= of_one_level, "{core} {depth}");
        }
        let lowest = &depths[0]["stages_without_registers"][0];
        let run = place.run(&format!("emit --core {core} --depth {first} --out out"));
        let emitted = stdout(&run);
        assert!(
            emitted.contains(&format!("stages without registers: {lowest} to ")),
            "{emitted}"
        );
    }
}
