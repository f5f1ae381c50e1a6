//! `runegate sim --coverage`: what is counted, told, asked for and refused.

use crate::support::{
    self, BROKEN, Place, broken_core, done, have, have_verilator, json, refuses, stdout,
};
use serde_json::Value;
use sim::tools;

/// The groups of a document, by name.
fn groups(document: &Value) -> Vec<&str> {
    let groups = document["groups"].as_array().expect("groups");
    let names = groups.iter().map(|group| group["name"].as_str());
    names.map(|name| name.expect("a name")).collect()
}

fn read(place: &Place, name: &str) -> Value {
    let text = std::fs::read_to_string(place.path(name)).expect("it is written");
    serde_json::from_str(&text).expect("one JSON document")
}

#[test]
fn points_at_the_pins_are_counted_on_any_engine() {
    let place = Place::new();
    let run = json(&place.run(&format!(
        "sim --json --engine embedded --coverage c.json {BROKEN}"
    )));
    let file = read(&place, "c.json");
    assert_eq!(run["coverage"]["groups"], file["groups"]);
    assert_eq!(run["coverage"]["percent"], file["percent"]);
    assert_eq!(file["lanes"], 1);
    assert!(!groups(&file).contains(&"lines and branches of the Verilog"));
    let percent = file["percent"].as_f64().expect("a number");
    assert!(percent > 10.0 && percent < 100.0);
}

#[test]
fn lines_and_bits_are_counted_on_verilator() {
    if !have_verilator() || !have(&tools::YOSYS) {
        return;
    }
    let place = Place::new();
    let run = place.run(&format!(
        "sim --engine verilator --coverage c.json {BROKEN}"
    ));
    let file = read(&place, "c.json");
    for name in [
        "lines and branches of the Verilog",
        "bits of the Verilog, there and back",
    ] {
        assert!(groups(&file).contains(&name));
        assert!(done(&run).contains(name));
    }
    // Of a core that keeps signatures, no flag of one is missing.
    let bits = file["groups"].as_array().expect("groups").iter();
    let waived = bits.flat_map(|group| group["waived"].as_array().expect("waived points"));
    let flag = |waived: &&Value| waived["point"] == "top.m_axis_tuser[5]";
    let flag = waived.clone().find(flag).expect("it is waived");
    assert_eq!(flag["reason"], "constant, as Yosys finds");
}

#[test]
fn less_than_the_goal_fails_and_says_what_is_missing() {
    let place = Place::new();
    let sim = "sim --engine embedded --coverage";
    let run = place.run(&format!("{sim} c.json --coverage-goal 100 {BROKEN}"));
    assert_eq!(run.status.code(), Some(1));
    let told = stdout(&run);
    assert!(told.contains("missing, flow control: "), "{told}");
    assert!(told.contains(" %, below the goal of 100 %"), "{told}");
    let percent = read(&place, "c.json")["percent"]
        .as_f64()
        .expect("a number");
    done(&place.run(&format!("{sim} d.json --coverage-goal {percent} {BROKEN}")));
    let above = percent + 0.2;
    let run = place.run(&format!("{sim} e.json --coverage-goal {above} {BROKEN}"));
    assert_eq!(run.status.code(), Some(1));
}

#[test]
fn what_cannot_be_had_is_refused() {
    let place = Place::new();
    place.write("there.json", "mine");
    place.folder("folder");
    let refuses = |rest: &str, parts: &[&str]| {
        refuses(&place, &format!("sim --engine embedded {rest}"), parts);
    };
    let new = "name a new file in a folder that can be written";
    refuses("--coverage there.json", &["there already", new]);
    refuses("--coverage folder", &["there already", new]);
    refuses(
        "--coverage none/c.json",
        &["there is no directory \"none\"", new],
    );
    refuses("--coverage there.json there.json", &["would overwrite"]);
    refuses("--coverage c.json --events c.json", &["would overwrite"]);
    for goal in ["101", "-1", "NaN", "much"] {
        let goal = format!("--coverage c.json --coverage-goal {goal}");
        refuses(&goal, &["--coverage-goal", "choose a number from 0 to 100"]);
    }
    refuses("--coverage-goal 50", &["--coverage <FILE.json>"]);
    refuses("--coverage c.json --netlist ecp5", &["cannot be used with"]);
    refuses(
        "--coverage c.json --stimulus random --report r.json",
        &["cannot be used with"],
    );
    let text = std::fs::read_to_string(place.path("there.json")).expect("a file");
    assert_eq!(text, "mine");
}

#[test]
fn a_mismatch_leaves_no_coverage() {
    if !have(&tools::ICARUS) {
        return;
    }
    let place = Place::new();
    broken_core(&place, 'e');
    let core = place.path("broken core.v");
    let arguments = [
        "sim",
        "--engine",
        "icarus",
        "--coverage",
        "c.json",
        "--verilog",
    ];
    let mut command = place.runegate(arguments);
    let run = support::output(command.arg(core).arg(BROKEN));
    assert_eq!(run.status.code(), Some(1));
    assert!(!place.path("c.json").exists());
}

#[test]
fn a_campaign_is_covered_too() {
    let place = Place::new();
    // The points at the pins are counted alike whatever the engine, and this one is six times as fast as the embedded one.
    let engine = if have(&tools::ICARUS) {
        "icarus"
    } else {
        "embedded"
    };
    let run = |resets: &str, file: &str| {
        json(&place.run(&format!(
            "sim --json --engine {engine} --stimulus random --count 24000 --idle 0.3 --stall 0.5 --null-beats 0.5 {resets} --coverage {file}",
        )))
    };
    let missing = |run: &serde_json::Value, name: &str| {
        let groups = run["coverage"]["groups"].as_array().expect("groups");
        let group = groups.iter().find(|group| group["name"] == name);
        group.expect("the group")["missing"]
            .as_array()
            .expect("names")
            .len()
    };
    let without = run("--resets 0", "c.json");
    assert_eq!(
        missing(&without, "pieces that end in each lane of a beat"),
        0
    );
    assert_eq!(missing(&without, "null beats within pieces"), 0);
    // Then the core is reset once, before everything else.
    assert_ne!(missing(&without, "resets"), 0);
    assert_eq!(missing(&run("", "d.json"), "resets"), 0);
}
