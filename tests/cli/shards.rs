//! Shards of a campaign: their reports, going on after an interruption, and the merge.

use crate::support::{
    self, Place, as_nobody, broken_core, done, have_verilator, json, output, path_after, refused,
    refuses, set_mode, stderr, stdout,
};
use serde_json::{Value, json};
use sim::campaign::census::Census;
use std::process::Command;

/// A small campaign.
const SIM: &str = "sim --engine embedded --stimulus windows --count 1000";

/// Runs every shard of the small campaign; its reports are `1.json` and so on.
fn shards(place: &Place, of: u64) -> Vec<String> {
    let shard = |number| {
        let name = format!("{number}.json");
        done(&place.run(&format!("{SIM} --shard {number}/{of} --report {name}")));
        name
    };
    (1..=of).map(shard).collect()
}

fn read(place: &Place, name: &str) -> Value {
    let text = std::fs::read(place.path(name)).expect("a report");
    serde_json::from_slice(&text).expect("JSON")
}

/// A report with something changed in it.
fn changed(place: &Place, from: &str, to: &str, change: impl FnOnce(&mut Value)) {
    let mut report = read(place, from);
    change(&mut report);
    place.write(to, report.to_string());
}

#[test]
fn shards_add_up_to_the_whole() {
    let place = Place::new();
    let names = shards(&place, 3).join(" ");
    let whole = json(&place.run(&format!("{SIM} --json")));
    let merged = json(&place.run(&format!("sim --json --merge {names}")));
    for field in [
        "stimulus",
        "count",
        "arguments",
        "verilog_hash",
        "config",
        "shard",
        "mismatches",
    ] {
        assert_eq!(merged[field], whole[field], "{field}");
    }
    // Each shard brings three bytes more, and what it begins with may be stray only for it.
    assert_eq!(merged["bytes"], 1003 + 2 * 3);
    assert_eq!(
        (&merged["runs"], &merged["packet_count"]),
        (&3.into(), &3.into())
    );
    for (sort, count) in whole["pieces"].as_object().expect("counts") {
        let (count, sum) = (
            count.as_u64().expect("a count"),
            merged["pieces"][sort].as_u64(),
        );
        let uncertain = if sort == "stray_continuation" { 6 } else { 0 };
        assert!(
            (count..=count + uncertain).contains(&sum.expect("a count")),
            "{sort}"
        );
    }
    let told = place.run(&format!("sim --merge {names}"));
    for part in [
        "windows, 3 shards, on embedded",
        "1000 windows",
        "0 mismatches",
    ] {
        assert!(done(&told).contains(part), "{part:?} in {}", stdout(&told));
    }
    // In whichever order.
    let again = json(&place.run("sim --json --merge 3.json 1.json 2.json"));
    assert_eq!(again["pieces"], merged["pieces"]);
}

#[test]
fn a_shard_that_is_done_is_not_run_again() {
    let place = Place::new();
    let arguments = format!("{SIM} --shard 1/2 --report 1.json");
    let first = json(&place.run(&format!("{arguments} --json")));
    let written = std::fs::read(place.path("1.json")).expect("a report");
    let again = place.run(&format!("{arguments} --json"));
    assert_eq!(json(&again), first, "to the second");
    assert!(stderr(&again).contains("\"1.json\" is this shard's report: nothing to run"));
    let quiet = place.run(&format!("{arguments} --quiet"));
    assert!(done(&quiet).is_empty() && stderr(&quiet).is_empty());
    assert_eq!(
        std::fs::read(place.path("1.json")).expect("a report"),
        written
    );
}

#[test]
fn a_report_of_something_else_is_never_overwritten() {
    let place = Place::new();
    shards(&place, 2);
    place.write("text", "this is not a report");
    place.write("empty", "");
    place.folder("folder");
    let whole = std::fs::read_to_string(place.path("1.json")).expect("a report");
    place.write("cut.json", &whole[..whole.len() / 2]);
    std::os::unix::fs::symlink("nowhere", place.path("link")).expect("a link");
    let refuses = |flags: &str, parts: &[&str]| {
        let before = std::fs::read_to_string(place.path("1.json")).expect("a report");
        refuses(&place, &format!("{SIM} {flags}"), parts);
        assert_eq!(
            std::fs::read_to_string(place.path("1.json")).expect("a report"),
            before
        );
    };
    let moved = "move it away";
    refuses(
        "--shard 2/2 --report 1.json",
        &["\"1.json\"", "its shard is 1/2", moved],
    );
    refuses(
        "--report 1.json",
        &["\"1.json\"", "its shard is 1/2", moved],
    );
    let other_seed = [
        "\"1.json\"",
        "of another run",
        "--seed 1",
        "--seed 2",
        moved,
    ];
    refuses("--seed 2 --shard 1/2 --report 1.json", &other_seed);
    refuses(
        "--signature strip --shard 1/2 --report 1.json",
        &["of another run", moved],
    );
    for name in ["text", "empty", "cut.json"] {
        let quoted = format!("{name:?}");
        refuses(
            &format!("--shard 1/2 --report {name}"),
            &[&quoted, "not a complete report", moved],
        );
    }
    refuses(
        "--report folder",
        &["\"folder\"", "directory", "name a file"],
    );
    refuses("--report link", &["\"link\"", "No such file"]);
    let place_parts = [
        "\"missing/1.json\"",
        "no directory \"missing\"",
        "a folder that can be written",
    ];
    refuses("--report missing/1.json", &place_parts);
    refuses(
        "--report new --events events",
        &["--report", "--events", "--help"],
    );
    // Nothing would be run for such a place, not even if it could be.
    set_mode(&place.folder("closed"), 0o555);
    let command = place.runegate(format!("{SIM} --report closed/1.json").split(' '));
    let run = output(&mut as_nobody(&place, &command));
    refused(
        &run,
        &[
            "\"closed/1.json\"",
            "ermission denied",
            "a folder that can be written",
        ],
    );
}

#[test]
fn what_is_not_each_shard_once_is_not_merged() {
    let place = Place::new();
    shards(&place, 3);
    let merge = |names: &str, parts: &[&str]| {
        refuses(&place, &format!("sim --merge {names}"), parts);
        refuses(&place, &format!("sim --json --merge {names}"), parts);
    };
    merge(
        "1.json 3.json",
        &["1 of 3 shards are missing", "2/3", "--report"],
    );
    merge("2.json", &["2 of 3 shards are missing", "1/3"]);
    merge(
        "1.json 2.json 3.json 1.json",
        &["both shard 1/3", "name each shard once"],
    );
    std::fs::copy(place.path("2.json"), place.path("copy.json")).expect("a copy");
    merge(
        "1.json 2.json 3.json copy.json",
        &["\"2.json\" and \"copy.json\"", "both shard 2/3"],
    );
    merge(
        "1.json missing.json",
        &["\"missing.json\"", "No such file", "that can be read"],
    );
    merge("1.json .", &["\".\"", "directory", "that can be read"]);
    merge("1.json /dev/zero", &["\"/dev/zero\"", "not a regular file"]);
    merge("1.json --netlist ecp5", &["--merge", "--netlist"]);
    // Of another N.
    done(&place.run(&format!("{SIM} --shard 1/2 --report half.json")));
    merge(
        "half.json 2.json 3.json",
        &["\"half.json\" is shard 1/2", "overlaps", "of 3"],
    );
    let whole = std::fs::read_to_string(place.path("2.json")).expect("a report");
    for length in [0, 1, whole.len() / 2, whole.len() - 3] {
        place.write("cut.json", &whole[..length]);
        merge(
            "1.json cut.json 3.json",
            &[
                "\"cut.json\"",
                "not a complete report",
                "run the shard again",
            ],
        );
    }
    place.write("binary", b"\xFF\0\xFF");
    merge("binary", &["\"binary\"", "not a complete report"]);
    let wrong = |parts: &[&str], change: fn(&mut Value)| {
        changed(&place, "2.json", "changed.json", change);
        merge(
            "1.json changed.json 3.json",
            &[&["\"changed.json\""], parts].concat(),
        );
    };
    wrong(&["its runegate is \"9.9.9\", and not"], |report| {
        report["runegate"] = "9.9.9".into()
    });
    wrong(&["its config is", "and not"], |report| {
        report["config"]["lanes"] = 2.into()
    });
    wrong(&["its config_sha256"], |report| {
        report["config_sha256"] = "0".into()
    });
    wrong(&["its verilog_hash"], |report| {
        report["verilog_hash"] = "0".into()
    });
    wrong(&["its engine is \"icarus\""], |report| {
        report["engine"] = "icarus".into()
    });
    wrong(&["its engine_version"], |report| {
        report["engine_version"] = "1".into()
    });
    wrong(&["its seed is 2, and not 1"], |report| {
        report["seed"] = 2.into()
    });
    wrong(&["its arguments is"], |report| {
        report["arguments"] = "--idle 0.3".into()
    });
    wrong(&["its stimulus is \"random\""], |report| {
        report["stimulus"] = "random".into();
        report["bytes"] = 333.into();
    });
    // Windows that are not that shard's, and bytes that are missing.
    wrong(
        &[
            "not a complete report",
            "333 windows from 332 on are not shard 2/3 of 1000",
        ],
        |report| {
            report["shard"]["first_window"] = 332.into();
        },
    );
    wrong(&["not a complete report", "300 windows"], |report| {
        report["shard"]["windows"] = 300.into()
    });
    wrong(&["not a complete report", "shard 0/3"], |report| {
        report["shard"]["number"] = 0.into()
    });
    wrong(&["not a complete report", "shard 4/3"], |report| {
        report["shard"]["number"] = 4.into()
    });
    wrong(
        &["not a complete report", "it has 335 bytes of 336"],
        |report| report["bytes"] = 335.into(),
    );
    wrong(
        &["not a complete report", "missing field `scalars`"],
        |report| {
            report.as_object_mut().expect("an object").remove("scalars");
        },
    );
    wrong(&["not a complete report", "surrogate"], |report| {
        report["pieces"]
            .as_object_mut()
            .expect("an object")
            .remove("surrogate");
    });
    refuses(&place, "sim --merge", &["--merge", "--help"]);
    for flag in [
        "--lanes 2",
        "--seed 1",
        "--stimulus windows",
        "--engine icarus",
        "--report x",
    ] {
        let arguments = format!("sim {flag} --merge 1.json");
        refuses(
            &place,
            &arguments,
            &["--merge", flag.split(' ').next().expect("a flag"), "--help"],
        );
    }
}

/// A shard's last window has seven bytes under RFC 2279, so the shard has six more than windows.
#[test]
fn a_shard_is_as_long_as_its_grammar_says() {
    let place = Place::new();
    let sim = "sim --engine embedded --grammar rfc2279 --stimulus classes --count 200";
    for number in 1..=2 {
        let shard = format!("--shard {number}/2 --report {number}.json");
        done(&place.run(&format!("{sim} {shard}")));
    }
    let merged = json(&place.run("sim --json --merge 1.json 2.json"));
    assert_eq!(merged["bytes"], 200 + 2 * 6);
    assert!(merged["pieces"]["scalars_of_6"].is_u64(), "{merged}");
    let grammars = [("rfc3629", "106 bytes of 105"), ("rfc9999", "rfc9999")];
    for (grammar, told) in grammars {
        changed(&place, "1.json", "wrong.json", |report| {
            report["config"]["grammar"] = grammar.into();
        });
        let whole = ["wrong.json", "not a complete report", told];
        refuses(&place, "sim --merge wrong.json 2.json", &whole);
    }
}

/// All 2^32 windows in two shards, as their reports would be.
fn all_windows(place: &Place) -> Value {
    shards(place, 2);
    const ALL: u64 = 1 << 32;
    let pieces: serde_json::Map<String, Value> = Census::of_all_windows(2)
        .into_iter()
        .map(|(sort, range)| (sort, (range.start() / 2).into()))
        .collect();
    for number in 1..=2 {
        let name = format!("{number}.json");
        changed(place, &name, &name, |report| {
            report["count"] = ALL.into();
            report["shard"]["first_window"] = ((number - 1) * ALL / 2).into();
            report["shard"]["windows"] = (ALL / 2).into();
            report["bytes"] = (ALL / 2 + 3).into();
            report["pieces"] = Value::Object(pieces.clone());
        });
    }
    Value::Object(pieces)
}

#[test]
fn the_pieces_of_all_windows_are_compared_with_the_grammar() {
    let place = Place::new();
    let pieces = all_windows(&place);
    let merged = place.run("sim --merge 1.json 2.json");
    for part in [
        "4294967296 windows",
        "all 2^32 windows of four bytes",
        "follows from RFC 3629's grammar",
    ] {
        assert!(
            done(&merged).contains(part),
            "{part:?} in {}",
            stdout(&merged)
        );
    }
    assert_eq!(
        json(&place.run("sim --json --merge 1.json 2.json"))["pieces_as_the_grammar_says"],
        true
    );
    for sort in pieces.as_object().expect("counts").keys() {
        changed(&place, "2.json", "wrong.json", |report| {
            let count = report["pieces"][sort].as_u64().expect("a count");
            report["pieces"][sort] = (count + 4).into();
        });
        let merged = place.run("sim --merge 1.json wrong.json");
        assert_eq!(merged.status.code(), Some(1), "{sort}");
        assert!(
            stdout(&merged).contains(&format!("{sort}: ")),
            "{}",
            stdout(&merged)
        );
        let document =
            output(&mut place.runegate(["sim", "--json", "--merge", "1.json", "wrong.json"]));
        let document: Value = serde_json::from_str(stdout(&document)).expect("JSON");
        assert_eq!(document["pieces_as_the_grammar_says"], false);
    }
}

#[test]
fn a_mismatch_in_a_shard_is_one_of_the_campaign() {
    if !have_verilator() {
        return;
    }
    let place = Place::new();
    broken_core(&place, 'A');
    let flags = [
        "--stimulus",
        "windows",
        "--count",
        "20000",
        "--verilog",
        "broken core.v",
    ];
    let shard = |number: u64| {
        let mut command = place.runegate(["sim", "--json"].iter().chain(&flags));
        output(command.args([
            format!("--shard={number}/2"),
            format!("--report={number}.json"),
        ]))
    };
    let document = |run: &std::process::Output| -> Value {
        assert_eq!(run.status.code(), Some(1), "{}", stderr(run));
        serde_json::from_str(stdout(run)).expect("JSON")
    };
    let mut cycles = Vec::new();
    for number in 1..=2 {
        let run = shard(number);
        let mut found = document(&run)["mismatch"].clone();
        assert_eq!(found["pins"][0]["pin"], "m_axis_tdata");
        cycles.push(found["cycle"].clone());
        // The command shows just that shard's mismatch again.
        let command = found["command"].take();
        let command = command.as_str().expect("a command");
        assert!(
            command.ends_with(&format!(" --shard {number}/2")),
            "{command}"
        );
        let tool = std::path::Path::new(support::RUNEGATE)
            .parent()
            .expect("a folder");
        let mut shell = Command::new("sh");
        shell
            .args(["-c", &format!("{command} --json")])
            .current_dir(place.path(""));
        shell
            .env("PATH", path_after(tool))
            .env("RUNEGATE_CACHE", support::SHARED_CACHE);
        assert_eq!(
            document(&output(&mut shell))["mismatch"]["cycle"],
            found["cycle"]
        );
        // A report says the same when it is asked again.
        assert_eq!(
            document(&shard(number))["mismatch"]["cycle"],
            found["cycle"]
        );
    }
    let merged = place.run("sim --json --merge 1.json 2.json");
    assert_eq!(document(&merged)["mismatches"], 2);
    for (number, cycle) in (1..).zip(&cycles) {
        let part = format!("mismatch of shard {number}/2 in cycle {cycle}");
        assert!(stderr(&merged).contains(&part), "{}", stderr(&merged));
    }
    assert_eq!(json!(cycles).as_array().map(Vec::len), Some(2));
}
