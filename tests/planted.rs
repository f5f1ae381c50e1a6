//! A random campaign is a judge of any implementation: with nothing but its default options it finds each bug that is planted in a
//! core's Verilog, and none in the core itself.
//!
//! Every configuration is built once, with all of its bugs; which of them a run has is chosen by a file.

use crate::plants::tokens::Text;
use crate::plants::{Core, Plant, Plants, planted};
use crate::support::{Place, done, have_verilator, stderr, stdout};
use serde_json::Value;

/// The name of the core's module: no other name in its text is this one.
const TOP: &str = "the_core";
/// The file that chooses the bug, in the folder of the run.
const CHOICE: &str = "planted.hex";

/// What `emit` writes for a configuration.
fn emitted(place: &Place, core: &Core) -> String {
    done(&place.run(&format!(
        "emit --quiet --json --module {TOP} {}",
        core.flags
    )));
    std::fs::read_to_string(place.path(&format!("{TOP}.v"))).expect("Verilog")
}

/// Runs a campaign on the planted Verilog with the bug of this number; returns its exit code and document.
fn run(place: &Place, core: &Core, number: usize) -> (i32, Value) {
    place.write(CHOICE, format!("{number:x}\n"));
    let run = place.run(&format!(
        "sim --json --verilog planted.v --module {TOP} {} --stimulus random --count {}",
        core.flags, core.count
    ));
    let code = run.status.code().expect("an exit code");
    let document = serde_json::from_str(stdout(&run));
    (
        code,
        document.unwrap_or_else(|_| panic!("no document: {}", stderr(&run))),
    )
}

#[test]
fn a_random_campaign_finds_every_planted_bug() {
    if !have_verilator() {
        return;
    }
    let all = Plants::read();
    let mut missed = Vec::new();
    for (name, core) in &all.core {
        let plants: Vec<&Plant> = all
            .of(name)
            .into_iter()
            .filter(|plant| !plant.carries)
            .collect();
        let place = Place::new();
        let text = Text::new(&emitted(&place, core));
        place.write("planted.v", planted(&text, &plants, CHOICE));
        let (code, right) = run(&place, core, 0);
        assert_eq!(
            (code, &right["mismatches"]),
            (0, &0.into()),
            "{name} without a bug"
        );
        println!(
            "{name}: {} {}: {} clocks",
            core.flags, core.count, right["cycles"]
        );
        for (plant, number) in plants.iter().zip(1..) {
            let (code, document) = run(&place, core, number);
            let mismatch = &document["mismatch"];
            println!(
                "  {}: cycle {}, byte {}",
                plant.bug, mismatch["cycle"], mismatch["byte"]
            );
            if code != 1 || document["mismatches"] != 1 {
                missed.push(plant.bug.as_str());
            }
        }
    }
    assert!(missed.is_empty(), "not found:\n  {}", missed.join("\n  "));
}

/// Where a bug goes does not depend on what the signals are called.
#[test]
fn plants_survive_other_names() {
    let all = Plants::read();
    let mut lost = Vec::new();
    for (name, core) in &all.core {
        let place = Place::new();
        let text = Text::new(&emitted(&place, core));
        let other = text.renamed();
        assert_eq!(text.len(), other.len());
        for plant in all.of(name) {
            let places = |text: &Text| -> Result<Vec<(usize, usize)>, String> {
                let edits = plant.edits(text)?.into_iter();
                Ok(edits.map(|edit| (edit.first, edit.end)).collect())
            };
            match (places(&text), places(&other)) {
                (Ok(places), Ok(others)) => assert_eq!(places, others, "{}", plant.bug),
                (Err(why), _) | (_, Err(why)) => lost.push(why),
            }
        }
    }
    assert!(lost.is_empty(), "{}", lost.join("\n"));
}

/// What the six bugs and the others are about: none can go without its test.
#[test]
fn there_are_nineteen() {
    let all = Plants::read();
    assert!(all.plant.len() >= 19, "{}", all.plant.len());
    assert_eq!(all.plant.iter().filter(|plant| plant.carries).count(), 2);
}

/// A shape that is not there is reported, with what to look for; so is a plant that changes nothing.
#[test]
fn a_plant_that_cannot_be_is_reported() {
    let text = Text::new("module a (input wire x); assign y = x & z; endmodule");
    let edits = |shape: &str, instead: &str, places| {
        let edits =
            crate::plants::edits(&text, &[shape.to_string()], &[instead.to_string()], places);
        edits.map(|edits| edits.len())
    };
    assert_eq!(edits("assign $p = $q & «$r»;", "1'b0", 1), Ok(1));
    let not_there = edits("assign $p = $q | «$r»;", "1'b0", 1);
    assert_eq!(
        not_there,
        Err("there are 0 such places [], and not 1".to_string())
    );
    let too_few = edits("assign $p = $q & «$r»;", "1'b0", 2);
    assert_eq!(
        too_few,
        Err("there are 1 such places [a], and not 2".to_string())
    );
    let same = edits("assign $p = $q & «$r»;", "$r", 1);
    assert_eq!(same, Err("\"z\" stands there already".to_string()));
}
