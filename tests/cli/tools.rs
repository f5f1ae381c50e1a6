//! External tools that are missing, too old or failing.

use crate::support::{
    BROKEN, Place, done, have_verilator, json, output, path_after, refused, stderr, stdout,
};
use serde_json::Value;
use std::path::Path;
use std::process::Output;

/// `runegate sim` with this PATH.
fn sim(place: &Place, path: impl AsRef<std::ffi::OsStr>, flags: &str) -> Output {
    let arguments = format!("sim --json --events events {flags} {BROKEN}");
    output(
        place
            .runegate(arguments.split_whitespace())
            .env("PATH", path),
    )
}

#[test]
fn without_verilator_the_embedded_engine_runs_and_says_so() {
    let place = Place::new();
    let nothing = place.folder("nothing");
    let run = sim(&place, &nothing, "");
    assert_eq!(json(&run)["engine"], "embedded");
    for part in [
        "Verilator is not installed",
        "embedded",
        "apt-get install verilator",
    ] {
        assert!(stderr(&run).contains(part), "{}", stderr(&run));
    }
    let quiet = sim(&place, &nothing, "--quiet");
    assert_eq!(json(&quiet)["engine"], "embedded");
    assert_eq!(stderr(&quiet), "");
}

#[test]
fn an_engine_that_was_asked_for_must_be_there() {
    let place = Place::new();
    let nothing = place.folder("nothing");
    let here = place.files();
    for (engine, name, package) in [
        ("verilator", "Verilator", "verilator"),
        ("icarus", "Icarus Verilog", "iverilog"),
    ] {
        let run = sim(&place, &nothing, &format!("--engine {engine}"));
        let install = format!("apt-get install {package}");
        refused(
            &run,
            &[name, "is not installed", &install, "--engine embedded"],
        );
        assert_eq!(place.files(), here);
    }
}

#[test]
fn a_verilator_that_is_too_old() {
    let place = Place::new();
    let old = place.script("old", "verilator", "echo 'Verilator 4.038 2020-07-11'");
    let here = place.files();
    for flags in ["", "--engine verilator"] {
        let parts = [
            "Verilator",
            "4.038",
            "too old",
            "5.006",
            "install",
            "--engine embedded",
        ];
        refused(&sim(&place, path_after(&old), flags), &parts);
        assert_eq!(place.files(), here);
    }
}

#[test]
fn a_verilator_that_tells_no_version() {
    let place = Place::new();
    let dumb = place.script(
        "dumb",
        "verilator",
        "echo 'cannot find my libraries' >&2; exit 1",
    );
    let parts = [
        "Verilator",
        "version",
        "cannot find my libraries",
        "reinstall",
    ];
    refused(
        &sim(&place, path_after(&dumb), "--engine verilator"),
        &parts,
    );
}

#[test]
fn a_verilator_that_fails_is_quoted() {
    if !have_verilator() {
        return;
    }
    let place = Place::new();
    let version = r#"[ "$1" = --version ] && echo 'Verilator 5.006 fake' && exit"#;
    let text = format!("{version}\necho '%Error: the moon is full' >&2\nexit 3");
    let failing = place.script("failing", "verilator", &text);
    place.folder("cache");
    let here = place.files();
    let arguments = format!("sim --trace run.vcd --events events --engine verilator {BROKEN}");
    let mut command = place.runegate(arguments.split_whitespace());
    let run = output(
        command
            .env("PATH", path_after(&failing))
            .env("RUNEGATE_CACHE", "cache"),
    );
    refused(
        &run,
        &[
            "Verilator failed",
            "the moon is full",
            "runegate doctor",
            "--engine embedded",
        ],
    );
    assert_eq!(place.files(), here);
}

#[test]
fn a_compiler_that_is_missing_or_fails() {
    if !have_verilator() {
        return;
    }
    let place = Place::new();
    let version = r#"[ "$1" = --version ] && echo 'g++ (fake) 12.2.0' && exit"#;
    let text = format!("{version}\necho 'g++: out of ink' >&2\nexit 1");
    let failing = place.script("failing", "g++", &text);
    place.folder("cache");
    let here = place.files();
    let arguments = format!("sim --engine verilator {BROKEN}");
    let mut command = place.runegate(arguments.split_whitespace());
    let run = output(
        command
            .env("PATH", path_after(&failing))
            .env("RUNEGATE_CACHE", "cache"),
    );
    refused(&run, &["failed", "g++: out of ink", "runegate doctor"]);
    assert_eq!(place.files(), here);

    let alone = place.script("alone", "verilator", "echo 'Verilator 5.006'");
    let parts = [
        "C++ compiler",
        "g++",
        "not installed",
        "apt-get install g++",
        "--engine embedded",
    ];
    refused(&sim(&place, &alone, "--engine verilator"), &parts);
}

#[test]
fn an_icarus_without_its_simulator() {
    let place = Place::new();
    let half = place.script(
        "half",
        "iverilog",
        "echo 'Icarus Verilog version 11.0 (stable) ()'",
    );
    let here = place.files();
    let parts = ["vvp", "No such file", "runegate doctor", "--engine"];
    refused(
        &sim(&place, &half, "--engine icarus --trace run.vcd"),
        &parts,
    );
    place.script("half", "vvp", "echo 'no licence' >&2; exit 1");
    let run = sim(&place, &half, "--engine icarus");
    assert_eq!(run.status.code(), Some(2), "{}", stderr(&run));
    assert!(
        stderr(&run).contains("cannot run Icarus Verilog"),
        "{}",
        stderr(&run)
    );
    assert_eq!(place.files().len(), here.len() + 1);
}

#[test]
fn doctor_tells_of_every_tool() {
    let place = Place::new();
    let nothing = place.folder("nothing");
    let fakes = place.script("fakes", "verilator", "echo 'Verilator 4.038 2020-07-11'");
    place.script(
        "fakes",
        "iverilog",
        "echo 'Icarus Verilog version 12.0 (fake)'",
    );
    place.script("fakes", "yosys", "echo 'no idea'");
    let programs = [
        "verilator",
        "g++",
        "make",
        "iverilog",
        "yosys",
        "yices-smt2",
        "nextpnr-ecp5",
        "nextpnr-ice40",
        "cocotb-config",
    ];
    let doctor = |path: &Path, flags: &[&str]| {
        let arguments = [&["doctor"], flags].concat();
        output(place.runegate(arguments).env("PATH", path))
    };
    let tools = |path: &Path| -> Vec<Value> {
        let document = json(&doctor(path, &["--json"]));
        document["tools"].as_array().expect("tools").clone()
    };
    for path in [&nothing, &fakes] {
        let text = doctor(path, &[]);
        let tools = tools(path);
        assert_eq!(
            tools
                .iter()
                .map(|tool| &tool["program"])
                .collect::<Vec<_>>(),
            programs
        );
        for tool in tools {
            for field in ["name", "purpose", "install"] {
                let value = tool[field].as_str().expect("text");
                assert!(done(&text).contains(value), "{value} in {}", stdout(&text));
            }
        }
    }
    for tool in tools(&nothing) {
        assert_eq!(
            (&tool["found"], &tool["usable"]),
            (&false.into(), &false.into())
        );
        assert_eq!(tool["version"], Value::Null);
    }
    let state = |tool: &Value| {
        let version = tool["version"].as_str().unwrap_or_default().to_string();
        (tool["found"] == true, tool["usable"] == true, version)
    };
    let states: Vec<_> = tools(&fakes).iter().map(state).collect();
    assert_eq!(
        states[0],
        (true, false, "Verilator 4.038 2020-07-11".to_string())
    );
    assert_eq!(states[1], (false, false, String::new()));
    assert_eq!(
        states[3],
        (true, true, "Icarus Verilog version 12.0 (fake)".to_string())
    );
    assert!(
        states[4].0 && !states[4].1 && states[4].2.contains("no idea"),
        "{states:?}"
    );
    // A native program does where PyPI's is not there.
    let native = place.script("native", "yosys", "echo 'Yosys 0.71 (native)'");
    let native = &tools(&native)[4];
    assert_eq!(native["program"], "yosys");
    assert_eq!(state(native).2, "Yosys 0.71 (native)");
    let text = doctor(&fakes, &[]);
    for word in ["too old", "missing", "found", "broken"] {
        assert!(stdout(&text).contains(word), "{}", stdout(&text));
    }
}
