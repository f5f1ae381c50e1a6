//! The constraint files that nextpnr reads are read by it, and constrain the clock.

use crate::support::{Place, have};
use serde_json::Value;
use sim::netlist::yosys_json;
use sim::tools::{self, Tool};
use std::path::Path;
use std::process::Command;

/// A constraint file, nextpnr's option for it, its clock in MHz, and a part of its text that it cannot be read without, spoiled.
type File = (&'static str, &'static str, f64, &'static str, &'static str);

const LPF: File = ("ecp5.lpf", "--lpf", 375.0, "375.0 MHZ", "fast MHZ");
const PCF: File = ("hx8k.pcf", "--pcf", 300.0, "clk 300", "clk fast");
const SDC: File = (
    "clock.sdc",
    "--sdc",
    250.0,
    "[get_ports clk]",
    "[get_ports clk",
);

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
    let run = Command::new(router.program())
        .current_dir(&folder)
        .args(arguments.split(' '))
        .output()
        .expect("nextpnr runs");
    if !run.status.success() {
        return Err(String::from_utf8_lossy(&run.stderr).into_owned());
    }
    let report = std::fs::read(folder.join("report.json")).expect("a report");
    let report: Value = serde_json::from_slice(&report).expect("JSON");
    let clocks = report["fmax"].as_object().expect("clocks");
    assert_eq!(clocks.len(), 1, "{report}");
    let clock = clocks.values().next().expect("a clock");
    Ok(clock["constraint"].as_f64().expect("a constraint"))
}

#[test]
fn nextpnr_reads_what_is_for_it() {
    let ecp5 = "--85k --speed 6 --package CABGA756 --lpf-allow-unconstrained";
    let ice40 = "--hx8k --package ct256 --pcf-allow-unconstrained";
    for (router, synthesis, part, own) in [
        (&tools::NEXTPNR_ECP5, "synth_ecp5", ecp5, LPF),
        (&tools::NEXTPNR_ICE40, "synth_ice40", ice40, PCF),
    ] {
        if !have(&tools::YOSYS) || !have(router) {
            return;
        }
        for (file, option, mhz, right, spoiled) in [own, SDC] {
            let path = Path::new(env!("CARGO_MANIFEST_DIR"))
                .join("constraints")
                .join(file);
            let text = std::fs::read_to_string(path).expect("constraints");
            let arguments =
                format!("{part} {option} {file} --json netlist.json --report report.json --quiet");
            let run = |text: &str| constrained(router, synthesis, &arguments, file, text);
            // nextpnr counts in whole picoseconds.
            let got = run(&text).expect("it is read");
            assert!((got - mhz).abs() < 0.2, "{file}: {got}");
            assert!(text.contains(right));
            let refused = run(&text.replace(right, spoiled));
            assert!(refused.is_err(), "{file} is not read at all: {refused:?}");
        }
    }
}
