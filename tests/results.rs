//! The numbers of `runegate synth` in the READMEs are those that were measured. `make results` measures them.
//!
//! RUNEGATE_RESULTS says what is measured: `all`, or words that choose a part, as `decode ecp5-6 lanes-1`, or `none`, which
//! only writes the texts anew. What has been measured already of the same Verilog, with the same tools, is kept; so an
//! interrupted run goes on. Without it nothing is measured or written, and the texts are compared with what
//! `constraints/results.json` says.

mod report;
mod support;

use report::plan::{self, Row};
use report::{Entry, Origin, Outcome, Results, WRITTEN};
use serde_json::Value;
use sim::engine::cache;
use sim::tools::{Tool, YOSYS};
use std::process::Command;
use std::time::Instant;
use support::{Place, done, output, stderr};

#[test]
fn the_results_are_told_as_they_were_measured() {
    let asked = std::env::var("RUNEGATE_RESULTS").ok();
    if let Some(words) = &asked {
        let rows = plan::chosen(words).unwrap_or_else(|error| panic!("{error}"));
        if !rows.is_empty() {
            measure(&rows);
        }
        // What is said of a number may have changed where it has not.
        Results::load().save();
    }
    let results = Results::load();
    let missing: Vec<String> = plan::rows()
        .into_iter()
        .filter(|row| results.of(*row).is_none())
        .map(Row::command)
        .collect();
    let of_a_part = asked.is_some_and(|words| words != "all");
    assert!(
        missing.is_empty() || of_a_part,
        "{} rows of constraints/results.json are missing, `make results` measures them:\n{}",
        missing.len(),
        missing.join("\n")
    );
    for (file, text) in results.texts() {
        let there = std::fs::read_to_string(report::path(file)).unwrap_or_default();
        assert!(
            there == text,
            "{file} does not say what constraints/results.json does: `RUNEGATE_RESULTS=none make results` writes it anew"
        );
    }
}

#[test]
fn a_number_that_is_changed_is_seen() {
    let results = Results::load();
    let texts = results.texts();
    let seen = |row: usize, number: &str| {
        let mut changed = results.clone();
        let Outcome::Result(result) = &mut changed.rows[row].outcome else {
            return true;
        };
        // A core that is not placed has no clock.
        let Some(value) = result.pointer_mut(number) else {
            return number != "/luts";
        };
        *value = Value::from(value.as_f64().expect("a number") as u64 + 11);
        changed.texts() != texts
    };
    for (row, entry) in results.rows.iter().enumerate() {
        for number in ["/luts", "/fmax_mhz/worst", "/critical_path/routing_ns"] {
            // The area is told once of both speed grades.
            let elsewhere = number == "/luts" && entry.command.contains("--speed 8");
            assert!(
                elsewhere || seen(row, number),
                "{number} of {}",
                entry.command
            );
        }
    }
}

#[test]
fn what_there_is_not_to_measure_is_refused() {
    for words in ["", "gowin", "decode gowin", "dense lanes-1"] {
        let error = plan::chosen(words).err().expect(words);
        assert!(error.contains(&format!("RUNEGATE_RESULTS={words:?}")));
        assert!(
            error.contains("all, decode, dense, validate, flows, ecp5-6"),
            "{error}"
        );
    }
    let all = plan::chosen("all").expect("all rows").len();
    assert_eq!(all, plan::rows().len());
    assert_eq!(
        plan::chosen("validate free lanes-1")
            .expect("a row on each chip")
            .len(),
        4
    );
    assert_eq!(
        plan::chosen("decode free lanes-1 hx8k")
            .expect("a row")
            .len(),
        1
    );
}

/// Measures those of the rows that are not known yet, and writes down each at once.
fn measure(rows: &[Row]) {
    let revision = revision();
    let synth = synth();
    let version = |tool: &Tool| tool.version().unwrap_or_else(|error| panic!("{error}"));
    let yosys = version(&YOSYS);
    for (place, row) in rows.iter().enumerate() {
        let origin = Origin {
            verilog: verilog(*row),
            synth: synth.clone(),
            yosys: yosys.clone(),
            nextpnr: row.chip.router.map(version),
        };
        let command = row.command();
        let counted = format!("{}/{} {command}", place + 1, rows.len());
        let mut results = Results::load();
        if results.of(*row).is_some_and(|known| known.origin == origin) {
            println!("{counted}: known");
            continue;
        }
        let start = Instant::now();
        let outcome = outcome(*row);
        results.put(Entry {
            command,
            revision: revision.clone(),
            origin,
            outcome,
        });
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

/// The digest of the Verilog that a core has now.
fn verilog(row: Row) -> String {
    let place = Place::new();
    done(&place.run(&format!("emit {} --module core", row.core.arguments())));
    let verilog = std::fs::read_to_string(place.path("core.v")).expect("Verilog");
    cache::key(&[&verilog])
}

/// The digest of what measures it.
fn synth() -> String {
    let folder = std::fs::read_dir(report::path("src/synth")).expect("the sources of synth");
    let mut files: Vec<_> = folder.map(|file| file.expect("a file").path()).collect();
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
