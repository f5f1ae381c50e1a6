//! The constraint files that nextpnr reads are read by it, and constrain the clock.

mod support;

use serde_json::Value;
use sim::netlist::yosys_json;
use sim::tools::{self, Tool};
use std::path::Path;
use std::process::Command;
use support::{Place, have};

/// The clock that nextpnr works towards, in MHz, for a design whose one clock is `clk`; else what it says.
fn constrained(
    router: &Tool,
    synthesis: &str,
    arguments: &str,
    file: &str,
    text: &str,
) -> Result<f64, String> {
    let verilog = "module m (input wire clk, input wire rst, input wire d, output reg q);\n\
        reg p;\nalways @(posedge clk) p <= rst ? 1'b0 : d;\nalways @(posedge clk) q <= ~p;\nendmodule\n";
    let netlist = yosys_json(verilog, &format!("{synthesis} -top m")).expect("a netlist");
    let place = Place::new();
    let folder = place.folder("design");
    std::fs::write(folder.join("netlist.json"), netlist).expect("a netlist");
    std::fs::write(folder.join(file), text).expect("constraints");
    let run = Command::new(router.program)
        .current_dir(&folder)
        .args(arguments.split(' '))
        .args([
            "--json",
            "netlist.json",
            "--report",
            "report.json",
            "--quiet",
        ])
        .output()
        .expect("nextpnr runs");
    if !run.status.success() {
        return Err(String::from_utf8_lossy(&run.stderr).into_owned());
    }
    let report = std::fs::read(folder.join("report.json")).expect("a report");
    let report: Value = serde_json::from_slice(&report).expect("JSON");
    let clocks: Vec<&Value> = report["fmax"]
        .as_object()
        .expect("clocks")
        .values()
        .collect();
    assert_eq!(clocks.len(), 1, "{report}");
    Ok(clocks[0]["constraint"].as_f64().expect("a constraint"))
}

#[test]
fn nextpnr_reads_what_is_for_it() {
    let ecp5 = "--85k --speed 6 --package CABGA756 --lpf-allow-unconstrained";
    let ice40 = "--hx8k --package ct256 --pcf-allow-unconstrained";
    let files = [
        (
            "ecp5.lpf",
            "--lpf",
            375.0,
            "375.0 MHZ",
            "MHZ without a number",
        ),
        ("hx8k.pcf", "--pcf", 300.0, "clk 300", "clk fast"),
        (
            "clock.sdc",
            "--sdc",
            250.0,
            "[get_ports clk]",
            "[get_ports clk",
        ),
    ];
    for (router, synthesis, part) in [
        (&tools::NEXTPNR_ECP5, "synth_ecp5", ecp5),
        (&tools::NEXTPNR_ICE40, "synth_ice40", ice40),
    ] {
        if !have(&tools::YOSYS) || !have(router) {
            return;
        }
        for (file, option, mhz, told, untold) in files {
            if option == "--lpf" && part == ice40 || option == "--pcf" && part == ecp5 {
                continue;
            }
            let path = Path::new(env!("CARGO_MANIFEST_DIR"))
                .join("constraints")
                .join(file);
            let text = std::fs::read_to_string(path).expect("constraints");
            let arguments = format!("{part} {option} {file}");
            let run = |text: &str| constrained(router, synthesis, &arguments, file, text);
            // nextpnr counts in whole picoseconds.
            let got = run(&text).expect("it is read");
            assert!((got - mhz).abs() < 0.2, "{file}: {got}");
            assert!(text.contains(told));
            let broken = run(&text.replace(told, untold));
            assert!(broken.is_err(), "{file} is not read at all: {broken:?}");
        }
    }
}
