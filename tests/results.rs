//! The numbers of `runegate synth` in docs/src/results.md and constraints/README.md are those that were measured. `make results` measures them.
//!
//! RUNEGATE_RESULTS says what is measured: `all`, or words that choose a part, as `decode ecp5-6 lanes-1`, or `none`, which
//! only writes the texts anew. What has been measured already of the same Verilog, with the same tools, is kept; so an
//! interrupted run goes on. Without it nothing is measured or written, and the texts are compared with what
//! `constraints/results.json` says. Where a core's Verilog has changed since, its numbers are shown as those of an older one until
//! they are measured anew.

use crate::report::peers::Peers;
use crate::report::plan::{self, Core, Flow, Row};
use crate::report::{Entry, Origin, Outcome, Results, WRITTEN};
use crate::support::{Place, done, everything, output, stderr};
use serde_json::Value;
use sim::cache;
use sim::tools::{Tool, YOSYS};
use std::collections::BTreeMap;
use std::process::Command;
use std::time::Instant;

#[test]
fn the_results_are_told_as_they_were_measured() {
    let asked = std::env::var("RUNEGATE_RESULTS").ok();
    let now = emitted();
    if let Some(words) = &asked {
        let rows = plan::chosen(words).unwrap_or_else(|error| panic!("{error}"));
        // Before anything is measured: what is of an older Verilog says so, and what is said of a number may have changed.
        let mut results = Results::load();
        results.verilog.clone_from(&now);
        results.save();
        measure(&rows, &now);
    }
    let results = Results::load();
    let changed: Vec<&String> = (now.iter())
        .filter(|(core, digest)| results.verilog.get(*core) != Some(digest))
        .map(|(core, _)| core)
        .collect();
    assert!(
        changed.is_empty() && now.len() == results.verilog.len(),
        "the Verilog of {changed:?} is not what constraints/results.json was written of: commit \
         `RUNEGATE_RESULTS=none make results`, which marks its rows as older, or measure them with `make results`"
    );
    let is_missing = |row: &Row| match results.of(*row) {
        // The tools' defaults may be measured later; of the others there is always a number, if an older one.
        None => asked.is_some() || row.flow == Flow::Tuned || !row.chip.has_clock(),
        Some(entry) => asked.is_some() && results.older(*row, entry).is_some(),
    };
    let missing: Vec<String> = plan::rows()
        .into_iter()
        .filter(is_missing)
        .map(Row::command)
        .collect();
    let of_a_part = asked.is_some_and(|words| words != "all");
    assert!(
        missing.is_empty() || of_a_part,
        "{} rows of constraints/results.json are missing, `make results` measures them:\n{}",
        missing.len(),
        missing.join("\n")
    );
    let strangers: Vec<&str> = (results.rows.iter())
        .map(|entry| entry.command.as_str())
        .filter(|command| !plan::rows().iter().any(|row| row.is_of(command)))
        .collect();
    assert!(
        strangers.is_empty(),
        "constraints/results.json has rows that nothing shows: {strangers:?}"
    );
    for (file, text) in results.texts() {
        let there = std::fs::read_to_string(crate::report::path(file)).unwrap_or_default();
        assert!(
            there == text,
            "{file} does not say what constraints/results.json does: `RUNEGATE_RESULTS=none make results` writes it anew"
        );
    }
}

#[test]
fn a_number_that_is_changed_is_seen() {
    let results = Results::load();
    let peers = Peers::load();
    let pieces = Results::PIECES.map(|piece| piece(&results, &peers));
    let mut changed = results.clone();
    let mut seen = |row: usize, number: &str| {
        let Outcome::Result(result) = &mut changed.rows[row].outcome else {
            return true;
        };
        // A core that is not placed has no clock.
        let Some(value) = result.pointer_mut(number) else {
            return number != "/luts";
        };
        let other = Value::from(value.as_f64().expect("a number") as u64 + 11);
        let right = std::mem::replace(value, other);
        // One piece that differs is enough.
        let mut told = Results::PIECES.iter().zip(&pieces);
        let is_seen = told.any(|(piece, right)| piece(&changed, &peers) != *right);
        if let Outcome::Result(result) = &mut changed.rows[row].outcome {
            *result.pointer_mut(number).expect("it is there") = right;
        }
        is_seen
    };
    // All numbers of each row, or in a quick run every other one: the texts treat all rows alike.
    let step = if everything() { 1 } else { 2 };
    for (row, entry) in results.rows.iter().enumerate() {
        let numbers = [
            "/luts",
            "/sites",
            "/fmax_mhz/worst",
            "/fmax_mhz/median",
            "/fmax_mhz/best",
            "/critical_path/routing_ns",
        ];
        for number in numbers.into_iter().skip(row % step).step_by(step) {
            // The area is told once of both speed grades.
            let is_area = ["/luts", "/sites"].contains(&number);
            let elsewhere = is_area && entry.command.contains("--speed 8");
            assert!(
                elsewhere || seen(row, number),
                "{number} of {}",
                entry.command
            );
        }
    }
}

/// Two rows of a table that begin alike would be of the same core to a reader.
#[test]
fn each_row_of_a_table_says_what_it_is_of() {
    let page = include_str!("../docs/src/results.md");
    let tables: Vec<&str> = page.split("**Clock of `").skip(1).collect();
    assert!(tables.len() > 3);
    for table in tables {
        let rows = table.lines().skip_while(|line| !line.starts_with('|'));
        let rows = rows.take_while(|line| line.starts_with('|'));
        let begins: Vec<Vec<&str>> = rows.map(|row| row.split('|').take(3).collect()).collect();
        for (index, row) in begins.iter().enumerate() {
            assert!(!begins[..index].contains(row), "{row:?} of {table:.40}");
        }
    }
}

#[test]
fn what_there_is_not_to_measure_is_refused() {
    for words in ["", "gowin", "decode gowin", "dense lanes-1"] {
        let error = plan::chosen(words).err().expect(words);
        assert!(error.contains(&format!("RUNEGATE_RESULTS={words:?}")));
        assert!(
            error.contains(
                "all, decode, dense, utf16, dense-utf16, validate, pass, flows, encode, sanitise, ascii, rfc2279, encode-rfc2279, forbid, forbid-all, window, frames, drop, drop-frames, ecp5-6"
            ),
            "{error}"
        );
    }
    let all = plan::chosen("all").expect("all rows").len();
    assert_eq!(all, plan::rows().len());
    let commands = |words: &str| -> Vec<String> {
        let rows = plan::chosen(words).expect(words);
        rows.into_iter().map(Row::command).collect()
    };
    // Each chip with a clock in both flows, and Xilinx.
    assert_eq!(commands("validate free lanes-1").len(), 7);
    assert_eq!(
        commands("decode free lanes-2 hx8k"),
        [
            "runegate synth --core decode --lanes 2 --form free --target ice40 --flow tuned --seeds 3"
        ]
    );
    assert_eq!(commands("decode free lanes-1 hx8k default max").len(), 1);
}

/// What is wanted most comes first: 1, 8 and 64 lanes in both flows with more seeds, on one part after the other.
#[test]
fn the_most_wanted_rows_are_measured_first() {
    let rows = plan::chosen("all").expect("all rows");
    let of_wanted = |row: &Row| row.arguments().ends_with(" --seeds 8") && !row.core.is_aimed_at();
    let wanted = rows.iter().filter(|row| of_wanted(row)).count();
    // `decode` and `validate` of three widths and of one in the other form, on three parts, in two flows.
    assert_eq!(wanted, 2 * 4 * 3 * 2);
    assert!(rows[..wanted].iter().all(of_wanted));
    let parts: Vec<&str> = rows[..wanted].iter().map(|row| row.chip.name).collect();
    let each = wanted / 3;
    assert!(parts[..each].iter().all(|part| *part == "ecp5-6"));
    assert!(parts[each..2 * each].iter().all(|part| *part == "ecp5-8"));
    assert!(parts[2 * each..].iter().all(|part| *part == "hx8k"));
}

/// A number of another Verilog, or by another command, stands in no table as what a core is now.
#[test]
fn a_number_of_an_older_verilog_says_so() {
    let row = plan::ECP5_6.row(Core::free("decode", 1), Flow::Tuned);
    let core = row.core.arguments();
    let result = serde_json::json!({
        "latency": 14, "luts": 110, "sites": 112, "lut_rams": 0, "ffs": 375, "carry": 0, "brams": 0, "seeds": 8,
        "fmax_mhz": {"worst": 4321.0, "median": 4322.0, "best": 4323.0}, "limit_mhz": 500.0, "of_limit": 8.6, "gbit_per_s": 34.6,
        "critical_path": {"from": "a", "to": "b", "cells": 1, "in_harness": false, "logic_ns": 1.0, "routing_ns": 2.0}
    });
    let entry = |command: &str| Entry {
        command: command.to_string(),
        revision: "0123456789ab".to_string(),
        origin: Origin {
            verilog: "new".to_string(),
            synth: String::new(),
            yosys: "Yosys 1".to_string(),
            nextpnr: None,
        },
        outcome: Outcome::Result(result.clone()),
    };
    let readme = |verilog: &str, command: &str| {
        let mut results = Results::default();
        results.verilog.insert(core.clone(), verilog.to_string());
        results.put(row, entry(command));
        results.texts()[0].1.clone()
    };
    let current = readme("new", &row.command());
    assert!(current.contains("| 1 | tuned | 8 | 14 | 4321 / 4322 / 4323 |"));
    assert!(current.contains("1 of "));
    for (verilog, command, why) in [
        ("newer", row.command(), "of an older Verilog"),
        (
            "new",
            row.command()
                .replace(" --flow tuned --seeds 8", " --seeds 3"),
            "by an older command",
        ),
    ] {
        let text = readme(verilog, &command);
        let line = text.lines().find(|line| line.contains("4321"));
        let line = line.expect("the number is shown");
        assert!(line.contains(&format!("measured at revision `0123456789ab`, {why}")));
        assert!(!text.contains("| 1 | tuned | 8 |"), "{line}");
        assert!(text.contains("0 of "));
    }
}

/// Measures those of the rows that are not known yet, and writes down each at once.
fn measure(rows: &[Row], verilog: &BTreeMap<String, String>) {
    if rows.is_empty() {
        return;
    }
    let revision = revision();
    let synth = synth();
    let version = |tool: &Tool| tool.version().unwrap_or_else(|error| panic!("{error}"));
    let yosys = version(&YOSYS);
    for (place, row) in rows.iter().enumerate() {
        let origin = Origin {
            verilog: verilog[&row.core.arguments()].clone(),
            synth: synth.clone(),
            yosys: yosys.clone(),
            nextpnr: row.chip.router.map(version),
        };
        let command = row.command();
        let counted = format!("{}/{} {command}", place + 1, rows.len());
        let mut results = Results::load();
        let is_known = |known: &Entry| known.command == command && known.origin == origin;
        if results.of(*row).is_some_and(is_known) {
            println!("{counted}: known");
            continue;
        }
        let start = Instant::now();
        let outcome = outcome(*row);
        let entry = Entry {
            command,
            revision: revision.clone(),
            origin,
            outcome,
        };
        results.put(*row, entry);
        results.save();
        println!("{counted}: {:.0} s", start.elapsed().as_secs_f64());
    }
}

/// What the tool says of a core on a chip.
fn outcome(row: Row) -> Outcome {
    let run = output(&mut tool(
        &Place::new(),
        &format!("synth {} --json --quiet", row.arguments()),
    ));
    let said = stderr(&run);
    // That there is no room for it is a result; any other failure is none.
    if run.status.code() == Some(2) && said.contains("placed nothing") {
        let no_room = |line: &&str| line.starts_with("ERROR: ") && line.contains("place");
        if let Some(line) = said.lines().find(no_room) {
            return Outcome::Refused(line.to_string());
        }
    }
    let document: Value = serde_json::from_str(done(&run)).expect("a JSON document");
    Outcome::Result(document["results"][0].clone())
}

/// The digest of the Verilog that each core of the plan has now, by its arguments.
fn emitted() -> BTreeMap<String, String> {
    let mut digests = BTreeMap::new();
    for row in plan::rows() {
        let digest = || verilog(row.core);
        digests.entry(row.core.arguments()).or_insert_with(digest);
    }
    digests
}

/// Of what Yosys reads of it: a comment changes no measurement.
fn verilog(core: Core) -> String {
    let place = Place::new();
    done(&place.run(&format!("emit {} --module core", core.arguments())));
    let verilog = std::fs::read_to_string(place.path("core.v")).expect("Verilog");
    let code = verilog
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default());
    let code: Vec<&str> = code
        .map(str::trim_end)
        .filter(|line| !line.is_empty())
        .collect();
    cache::key(&[&code.join("\n")])
}

/// The digest of what measures it.
fn synth() -> String {
    let folders = ["src/fpga", "src/synth"].map(|folder| {
        std::fs::read_dir(crate::report::path(folder)).expect("the sources of synth")
    });
    let mut files: Vec<_> = (folders.into_iter().flatten())
        .map(|file| file.expect("a file").path())
        .collect();
    files.sort();
    let texts = files
        .iter()
        .map(|file| std::fs::read_to_string(file).expect("a source"));
    let texts: Vec<String> = texts.collect();
    cache::key(&texts.iter().map(String::as_str).collect::<Vec<_>>())
}

/// The commit that is measured: a result is of a revision, so nothing may have changed since.
fn revision() -> String {
    let git = |arguments: &[&str]| {
        let mut git = Command::new("git");
        let run = output(git.args(arguments).current_dir(env!("CARGO_MANIFEST_DIR")));
        done(&run).trim().to_string()
    };
    let others = WRITTEN.map(|file| format!(":!{file}"));
    let others = others.iter().map(String::as_str);
    let status = ["status", "--porcelain", "--untracked-files=no", "--", "."];
    let changed = git(&status.into_iter().chain(others).collect::<Vec<_>>());
    assert!(
        changed.is_empty(),
        "there are changes that are not committed; commit or stash them, for results are of a revision:\n{changed}"
    );
    git(&["rev-parse", "--short=12", "HEAD"])
}

/// The tool, with the cache of placements that the caller names, if any.
fn tool(place: &Place, arguments: &str) -> Command {
    let mut command = place.runegate(arguments.split_whitespace());
    if let Some(cache) = std::env::var_os("RUNEGATE_CACHE") {
        command.env("RUNEGATE_CACHE", cache);
    }
    command
}
