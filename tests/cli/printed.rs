//! What the commands print, what `emit` writes, and how a closed or full standard output is handled.

use crate::support::{BROKEN, MANY_SCRIPTS, Place, done, json, output, refused, stderr, stdout};
use serde_json::Value;
use std::fs::File;

#[test]
fn people_are_told_the_same() {
    let place = Place::new();
    let run = place.run(&format!("sim --engine embedded {MANY_SCRIPTS} {BROKEN}"));
    for part in [
        "many_scripts.txt: well-formed, 8055 bytes, 4516 scalar values",
        "broken.bin: ill-formed from byte 71 (stray_continuation), 275 bytes, 233 scalar values, 31 ill-formed pieces",
        "2 packets, 1 of them ill-formed",
        "0 mismatches",
        "seed 1",
    ] {
        assert!(done(&run).contains(part), "{part:?} in {}", stdout(&run));
    }
    assert_eq!(stderr(&run), "", "no progress on a pipe");
}

#[test]
fn emit_writes_three_files_and_the_same_ones_again() {
    let place = Place::new();
    let read = |folder: &str| {
        ["mine.v", "mine.json", "mine.f"]
            .map(|name| std::fs::read(place.path(folder).join(name)).expect("a file"))
    };
    for folder in ["a", "b/new"] {
        done(&place.run(&format!(
            "emit --module mine --signature flag --out {folder}"
        )));
    }
    assert_eq!(
        place.files(),
        [
            "a",
            "a/mine.f",
            "a/mine.json",
            "a/mine.v",
            "b",
            "b/new",
            "b/new/mine.f",
            "b/new/mine.json",
            "b/new/mine.v"
        ]
    );
    assert!(read("a") == read("b/new"));
    // Over what was there, from another folder.
    let before = read("a");
    let mut again = place.runegate([
        "emit",
        "--module",
        "mine",
        "--signature",
        "flag",
        "--json",
        "--out",
    ]);
    let run = json(&output(again.arg(place.path("a")).current_dir("/")));
    assert!(read("a") == before);
    assert_eq!(run["files"].as_array().expect("files").len(), 3);
    let sidecar: Value = serde_json::from_slice(&before[1]).expect("JSON");
    assert_eq!(run["config_sha256"], sidecar["config_sha256"]);
    assert_eq!(run["latency"], sidecar["latency"]);
}

#[test]
fn every_command_has_help() {
    let place = Place::new();
    for command in ["", "emit", "sim", "decode", "synth", "bench", "doctor"] {
        let run = place.run(&format!("{command} --help"));
        assert!(done(&run).contains("Usage: runegate"), "{}", stdout(&run));
        assert_eq!(stderr(&run), "");
    }
    assert!(done(&place.run("--version")).starts_with("runegate "));
}

#[test]
fn nobody_at_the_other_end_is_no_reason_to_panic() {
    let place = Place::new();
    let sim = format!("sim --engine embedded {BROKEN}");
    let decode = format!("decode --json {BROKEN}");
    for command in ["emit", "doctor", "doctor --json", "--help", &sim, &decode] {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let mut run = place.runegate(command.split_whitespace());
        let run = output(run.stdout(writer));
        assert_eq!(run.status.code(), Some(0), "{command}: {}", stderr(&run));
        assert_eq!(stderr(&run), "", "{command}");
        if command == "--help" {
            continue; // clap's own
        }
        let full = File::options()
            .write(true)
            .open("/dev/full")
            .expect("a full device");
        let run = output(place.runegate(command.split_whitespace()).stdout(full));
        refused(&run, &["standard output", "No space left", "make room"]);
    }
    // Nor is it if the message cannot be told.
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let run = output(place.runegate(["decode", "missing"]).stderr(writer));
    assert_eq!(run.status.code(), Some(2));
}
