//! `runegate synth` tells area, clock and critical path, and what cannot be synthesised.

mod support;

use serde_json::Value;
use sim::tools;
use support::{Place, have, json, output, refused, refuses};

/// The one result of a run.
fn result(place: &Place, arguments: &str) -> Value {
    let mut document = json(&place.run(&format!("synth {arguments} --json --quiet")));
    assert_eq!(document["command"], "synth");
    let results = document["results"].as_array_mut().expect("results");
    assert_eq!(results.len(), 1);
    results.remove(0)
}

fn number(result: &Value, pointer: &str) -> f64 {
    let value = result.pointer(pointer).and_then(Value::as_f64);
    value.unwrap_or_else(|| panic!("{pointer} in {result}"))
}

#[test]
fn a_core_is_placed_on_ecp5() {
    if !have(&tools::YOSYS) || !have(&tools::NEXTPNR_ECP5) {
        return;
    }
    let result = result(&Place::new(), "--form free --seeds 2 --speed 8");
    assert_eq!(result["core"], "decode");
    assert_eq!(result["part"], "LFE5U-85F");
    assert_eq!(result["speed"], "8");
    assert_eq!(result["seeds"], 2);
    // What the harness adds is not counted: its registers alone are more than fifty.
    let ffs = number(&result, "/ffs");
    assert_eq!(ffs, number(&result, "/registers/needed"));
    assert!(number(&result, "/registers/described") >= ffs);
    assert_eq!(result["registers"]["unexplained"], 0);
    assert!(number(&result, "/luts") > 50.0);
    assert_eq!(number(&result, "/carry"), 0.0);
    let (worst, best) = (
        number(&result, "/fmax_mhz/worst"),
        number(&result, "/fmax_mhz/best"),
    );
    assert!(worst <= best);
    // The last digit may be lost in the text.
    let of_limit = worst / number(&result, "/limit_mhz");
    assert!((number(&result, "/of_limit") / of_limit - 1.0).abs() < 1e-12);
    assert_eq!(number(&result, "/gbit_per_s"), worst * 8.0 / 1000.0);
    // The path takes as long as the clock says.
    let path = &result["critical_path"];
    let ns = number(path, "/logic_ns") + number(path, "/routing_ns");
    assert!((ns - 1000.0 / worst).abs() < 0.01, "{path}, {worst} MHz");
    assert_eq!(path["in_harness"], false);
}

/// What the tables of flows read goes into registers of the RAMs, if these are asked for.
#[test]
fn rams_have_their_own_registers_if_asked_for() {
    if !have(&tools::YOSYS) || !have(&tools::NEXTPNR_ECP5) {
        return;
    }
    let flows = "--core validate --flows 1024 --form free --seeds 1 --ram-registers";
    let result = result(&Place::new(), flows);
    // The entry's bytes, a fault, and the digits of four counts, of which the topmost also says whether it has saturated.
    assert_eq!(result["ram_registers"], 27 + 8 + 3 * 4 * 8 + 4 * 9);
}

/// A wide core has more pins than the device: its inputs are shifted in, and its outputs joined.
#[test]
fn a_core_with_many_pins_is_placed_on_ice40() {
    if !have(&tools::YOSYS) || !have(&tools::NEXTPNR_ICE40) {
        return;
    }
    let place = Place::new();
    let narrow = result(&place, "--target ice40 --form free --seeds 1");
    let wide = result(&place, "--target ice40 --form free --seeds 1 --lanes 8");
    for result in [&narrow, &wide] {
        assert_eq!(result["part"], "HX8K");
        assert_eq!(result["speed"], Value::Null);
        assert_eq!(result["registers"]["unexplained"], 0);
        assert_eq!(result["critical_path"]["in_harness"], false);
        assert!(number(result, "/fmax_mhz/worst") > 0.0);
    }
    assert!(number(&wide, "/luts") > 4.0 * number(&narrow, "/luts"));
}

#[test]
fn of_xilinx_there_is_the_area() {
    if !have(&tools::YOSYS) {
        return;
    }
    let place = Place::new();
    for target in ["xilinx7", "ultrascale+"] {
        let result = result(&place, &format!("--target {target} --form free"));
        assert!(number(&result, "/luts") > 50.0);
        assert_eq!(result["registers"]["unexplained"], 0);
        assert_eq!(result["part"], Value::Null);
        assert_eq!(result.get("fmax_mhz"), None);
    }
}

#[test]
fn what_cannot_be_synthesised_is_refused() {
    let place = Place::new();
    for (arguments, words) in [
        ("--target gowin", &["gowin", "ecp5, ice40, xilinx7"][..]),
        ("--part HX8K", &["HX8K", "none of ecp5", "LFE5U-85F"]),
        (
            "--target xilinx7 --part xc7a35t",
            &["xc7a35t", "leave --part out"],
        ),
        ("--speed 5", &["\"5\"", "LFE5U-85F", "6, 7, 8"]),
        (
            "--target ice40 --speed 6",
            &["\"6\"", "HX8K", "leave --speed out"],
        ),
        (
            "--target ice40 --ram-registers",
            &["--ram-registers", "ice40", "leave it out"],
        ),
        ("--seeds 0", &["--seeds", "1..=100"]),
        ("--lanes 3", &["3", "lanes"]),
    ] {
        refuses(&place, &format!("synth {arguments}"), words);
    }
    let nothing = place.folder("nothing");
    let run = output(place.runegate(["synth"]).env("PATH", nothing));
    refused(&run, &["Yosys", "scripts/requirements.txt"]);
}

/// An HX8K has no room for a wide decoder.
#[test]
fn a_part_that_is_too_small_is_told() {
    if !have(&tools::YOSYS) || !have(&tools::NEXTPNR_ICE40) {
        return;
    }
    refuses(
        &Place::new(),
        "synth --target ice40 --lanes 32 --form free --seeds 1 --quiet",
        &["nextpnr", "placed nothing", "--part"],
    );
}
