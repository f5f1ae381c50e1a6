//! `--quiet`: nothing on standard output, whatever the command, unless `--json` asks for a document.

use crate::support::{BROKEN, Place, done, have, have_verilator, json, stderr, stdout};
use sim::tools;
use std::process::Output;

fn says_nothing(run: &Output, exit_code: i32) {
    assert_eq!(run.status.code(), Some(exit_code), "{}", stderr(run));
    assert_eq!((stdout(run), stderr(run)), ("", ""));
}

#[test]
fn every_command_is_quiet() {
    let place = Place::new();
    let shard = "sim --engine embedded --stimulus classes --count 200 --shard 1/2 --report 1.json";
    let other = shard.replace("1/2", "2/2").replace("1.json", "2.json");
    for arguments in [
        "emit",
        "emit --core validate --package package",
        &format!("decode {BROKEN}"),
        &format!("sim --engine embedded {BROKEN}"),
        &format!("sim --engine embedded --core validate --csr {BROKEN}"),
        shard,
        // Done already.
        shard,
        &other,
        "sim --merge 1.json 2.json",
        "doctor",
    ] {
        // A document is a document, quiet or not.
        let run = place.run(&format!("{arguments} --quiet"));
        says_nothing(&run, 0);
    }
    for arguments in ["emit --out json", "doctor", "sim --merge 1.json 2.json"] {
        let run = place.run(&format!("{arguments} --quiet --json"));
        assert!(json(&run).is_object(), "{arguments}");
        assert_eq!(stderr(&run), "");
    }
    assert!(!done(&place.run("emit --out loud")).is_empty());
}

#[test]
fn what_takes_long_is_quiet() {
    let place = Place::new();
    if have_verilator() {
        says_nothing(&place.run("bench --mib 1 --quiet"), 0);
    }
    if have(&tools::YOSYS) {
        says_nothing(&place.run("synth --target xilinx7 --form free --quiet"), 0);
    }
    // A proof that is not done in time says so with its exit code alone.
    if have(&tools::YOSYS) && have(&tools::YICES) {
        says_nothing(&place.run("prove decode --lanes 64 --timeout 1 --quiet"), 1);
    }
}
