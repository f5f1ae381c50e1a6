//! Resets in mid-run and accesses to the registers: who has them, what is reported then, and what is refused.

use crate::support::{self, BROKEN, Place, done, have_verilator, json, refuses};
use serde_json::Value;

const RANDOM: &str = "sim --engine embedded --stimulus random --count 1000";
const REGISTERS: &str = "sim --core validate --csr --stimulus random --count 1200";

fn run(place: &Place, arguments: &str) -> Value {
    json(&place.run(&format!("{arguments} --json")))
}

fn arguments(run: &Value) -> &str {
    run["arguments"].as_str().expect("the arguments")
}

#[test]
fn only_random_campaigns_are_disturbed_by_themselves() {
    let place = Place::new();
    // Long enough for a reset.
    let random = run(&place, &RANDOM.replace("1000", "3000"));
    assert!(random["resets"].as_u64() > Some(0), "{random}");
    assert_eq!(random["bytes"], 3000, "all of it was taken");
    let words = "--idle 0.1 --stall 0.3 --stall-burst 20 --late-last 0.1 --null-beats 0.05 --resets 0.001 --accesses 0 ";
    assert!(arguments(&random).contains(words), "{random}");
    // The arguments run the same clocks again, and so they do where there is no reset.
    for more in ["", " --resets 0", " --resets 0.02"] {
        let once = run(&place, &format!("{RANDOM}{more}"));
        let again = run(&place, &format!("sim {}", arguments(&once)));
        for field in ["cycles", "resets", "pieces", "arguments"] {
            assert_eq!(once[field], again[field], "{more} {field}");
        }
    }
    assert_eq!(run(&place, &format!("{RANDOM} --resets 0"))["resets"], 0);
    for other in ["windows", "classes"] {
        let quiet = format!("sim --engine embedded --stimulus {other} --count 1000");
        let quiet = run(&place, &quiet);
        assert_eq!(quiet["resets"], 0);
        assert!(!arguments(&quiet).contains("--resets"), "{quiet}");
    }
    let file = run(&place, &format!("sim --engine embedded {BROKEN}"));
    assert_eq!(file["packets"].as_array().map(Vec::len), Some(1));
    // Packets are numbered in the events, so that none may be dropped.
    let events = run(&place, &format!("{RANDOM} --events events"));
    assert_eq!(events["resets"], 0);
    assert!(arguments(&events).contains("--resets 0 "), "{events}");
}

#[test]
fn registers_are_used_in_mid_run_and_read_at_the_end() {
    if !have_verilator() {
        return;
    }
    let place = Place::new();
    let used = run(&place, REGISTERS);
    assert!(used["accesses"].as_u64() > Some(10), "{used}");
    let run = place.run(REGISTERS);
    let said = done(&run);
    for part in [
        "accesses to the registers during the run",
        "counters since the last clear or reset, read over AXI4-Lite: packets ",
    ] {
        assert!(said.contains(part), "{part:?} in {said}");
    }
    // Left alone, they have counted every packet.
    let quiet = format!("{REGISTERS} --resets 0 --accesses 0");
    let document = json(&place.run(&format!("{quiet} --json")));
    assert_eq!(document["accesses"], 0);
    let run = place.run(&quiet);
    let counters = format!(
        "counters, read over AXI4-Lite: packets {}, bad_packets {}, bytes 1200, ",
        document["packet_count"], document["ill_formed_packets"]
    );
    assert!(
        done(&run).contains(&counters),
        "{counters} in {}",
        done(&run)
    );
}

/// A verdict cannot be given to its file if some files have none: they are counted.
#[test]
fn files_are_counted_if_resets_may_drop_them() {
    let place = Place::new();
    place.write("lines", "abc\n".repeat(300));
    let arguments = "sim --engine embedded --split lines --resets 0.01 lines";
    let run = json(&place.run(&format!("{arguments} --json")));
    let count = |name: &str| run[name].as_u64().expect("a number");
    assert!(run.get("packets").is_none());
    assert!(count("resets") > 0 && count("packet_count") < 300, "{run}");
    assert_eq!(run["bytes"], 900);
    let run = place.run(arguments);
    assert!(done(&run).contains("resets during the run; the packets that these dropped"));
}

#[test]
fn shares_are_keys_of_a_file_and_part_of_a_shard() {
    let place = Place::new();
    place.write(
        "run.toml",
        "resets = 0.02\naccesses = 0.5\ncore = \"validate\"\ncsr = true\n",
    );
    let flags = "sim --engine embedded --config run.toml --stimulus random --count 20";
    let words = "--resets 0.02 --accesses 0.5 ";
    assert!(arguments(&run(&place, flags)).contains(words));
    let other = run(&place, &format!("{flags} --resets 0.01"));
    assert!(arguments(&other).contains("--resets 0.01 --accesses 0.5 "));

    let sim = "sim --engine embedded --stimulus random --count 600";
    for (number, resets) in [(1, "0.02"), (2, "0.01"), (3, "0.02")] {
        let shard = number.min(2);
        done(&place.run(&format!(
            "{sim} --resets {resets} --shard {shard}/2 --report {number}.json"
        )));
    }
    let refused = [
        "its arguments is",
        "--resets 0.01",
        "and not",
        "--resets 0.02",
    ];
    refuses(&place, "sim --merge 1.json 2.json", &refused);
    let merged = run(&place, "sim --merge 1.json 3.json");
    let resets = |name: &str| {
        let text = std::fs::read(place.path(name)).expect("a report");
        let report: Value = serde_json::from_slice(&text).expect("JSON");
        report["resets"].as_u64().expect("a number")
    };
    assert_eq!(merged["resets"], resets("1.json") + resets("3.json"));
}

#[test]
fn disturbances_that_there_cannot_be() {
    let place = Place::new();
    let refuses = |flags: &str, parts: &[&str]| {
        support::refuses(&place, &format!("sim --engine embedded {flags}"), parts);
    };
    let range = "a share is from 0 to";
    refuses(
        "--stimulus random --resets 0.6",
        &["--resets is 0.6", range, "0.5"],
    );
    refuses("--stimulus random --resets=-1", &["--resets is -1", range]);
    refuses(
        "--stimulus random --resets often",
        &["--resets", "write a number"],
    );
    refuses(
        "--stimulus random --accesses 2",
        &["--accesses is 2", range, "1"],
    );
    let none = [
        "--accesses 0.1 needs registers",
        "choose --core validate --csr",
    ];
    refuses("--stimulus random --accesses 0.1", &none);
    let flows = [
        "--resets 0.01",
        "--flows 1024",
        "choose a share up to 0.00195",
    ];
    let of_flows = "--core validate --flows 1024 --id-width 10 --stimulus random --resets 0.01";
    refuses(of_flows, &flows);
    let numbers = ["--events", "--resets 0.01", "choose --resets 0"];
    refuses(&format!("--events e --resets 0.01 {BROKEN}"), &numbers);
    let capture = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/traffic.pcap");
    let numbers = ["--pcap", "--resets 0.01", "choose --resets 0"];
    refuses(&format!("--pcap {capture} --resets 0.01"), &numbers);
}
