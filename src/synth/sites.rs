//! LUTs of the device that a netlist takes: more than it has LUT cells, for other cells take LUTs, too.
//!
//! ECP5, as nextpnr counts its \"Total LUT4s\": a CCU2C is two LUTs with a carry between them; a TRELLIS_DPR16X4 has four LUTs as its
//! memory, and the two of the slice that writes it; wide multiplexers (PFUMX, L6MUX21) stand beside the LUTs. nextpnr adds two LUTs
//! where a carry chain begins or ends at ordinary wires, and one that is constant.
//!
//! iCE40, as nextpnr counts logic cells: a register's input is its own cell's LUT, so a register has a LUT even where its value comes
//! from elsewhere; a carry takes the cell of the LUT that adds its two inputs, or one of its own. Where several LUTs read what is
//! carried in, nextpnr looks at one of them only, and may give a carry a cell of its own all the same.
//!
//! Xilinx: table \"Distributed RAM Configuration\" of UG474 and its successor in UG574.

use crate::fpga::target::Target;
use serde_json::Value;
use std::collections::{HashMap, HashSet};

/// Of the top module of a netlist, as in Yosys's JSON.
pub fn sites(target: Target, netlist: &Value) -> usize {
    let cells = || netlist["cells"].as_object().into_iter().flatten();
    let sum = |of: fn(&str) -> usize| -> usize {
        let sorts = cells().filter_map(|(_, cell)| cell["type"].as_str());
        sorts.map(of).sum()
    };
    match target {
        Target::Ecp5 => sum(|sort| match sort {
            "LUT4" => 1,
            "CCU2C" => 2,
            "TRELLIS_DPR16X4" => 6,
            _ => 0,
        }),
        Target::Ice40 => logic_cells(netlist),
        Target::Xilinx7 | Target::UltraScalePlus => sum(|sort| match sort {
            "RAM32X1D" | "RAM64X1D" | "RAM128X1S" => 2,
            "RAM32M" | "RAM64M" | "RAM128X1D" | "RAM256X1S" => 4,
            "RAM32M16" | "RAM64M8" | "RAM256X1D" => 8,
            "INV" | "SRL16E" | "SRLC32E" | "RAM32X1S" | "RAM64X1S" => 1,
            _ if sort.starts_with("LUT") => 1,
            _ => 0,
        }),
    }
}

/// Of iCE40.
fn logic_cells(netlist: &Value) -> usize {
    let luts: Vec<&Value> = of_sort(netlist, "SB_LUT4").collect();
    let registers: Vec<&Value> = of_sort(netlist, "SB_DFF").collect();
    let readers = readers(netlist);
    let made: HashSet<u64> = luts.iter().filter_map(|pins| net(pins, "O")).collect();
    // A LUT whose value nothing but one register takes stands before it in one cell.
    let is_alone = |pins: &&&Value| {
        let own = net(pins, "D").filter(|own| made.contains(own) && readers.get(own) == Some(&1));
        own.is_none()
    };
    let registers = registers.iter().filter(is_alone).count();
    let carries = of_sort(netlist, "SB_CARRY").filter(|carry| !has_adder(carry, &luts));
    luts.len() + registers + carries.count()
}

/// The connections of the cells whose type begins so.
fn of_sort<'a>(netlist: &'a Value, sort: &'static str) -> impl Iterator<Item = &'a Value> {
    let cells = netlist["cells"].as_object().into_iter().flatten();
    let of_it = move |cell: &&Value| {
        cell["type"]
            .as_str()
            .is_some_and(|own| own.starts_with(sort))
    };
    cells
        .map(|(_, cell)| cell)
        .filter(of_it)
        .map(|cell| &cell["connections"])
}

/// The net at a pin; none if it is constant or open.
fn net(pins: &Value, pin: &str) -> Option<u64> {
    pins[pin][0].as_u64()
}

/// How many inputs of cells and outputs of the module read each net.
fn readers(netlist: &Value) -> HashMap<u64, usize> {
    let cells = netlist["cells"].as_object().into_iter().flatten();
    let inputs = cells.flat_map(|(_, cell)| {
        let pins = cell["connections"].as_object().into_iter().flatten();
        let is_input = |pin: &String| cell["port_directions"][pin] != "output";
        pins.filter(move |(pin, _)| is_input(pin))
            .map(|(_, bits)| bits)
    });
    let ports = netlist["ports"].as_object().into_iter().flatten();
    let outputs = ports
        .filter(|(_, port)| port["direction"] != "input")
        .map(|(_, port)| &port["bits"]);
    let mut readers = HashMap::new();
    for bits in inputs.chain(outputs) {
        for net in bits
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_u64)
        {
            *readers.entry(net).or_default() += 1;
        }
    }
    readers
}

/// Whether there is a LUT that has the carry's two inputs, in its places, and as its third what is carried in.
fn has_adder(carry: &Value, luts: &[&Value]) -> bool {
    let adds = |lut: &&&Value| lut["I1"] == carry["I0"] && lut["I2"] == carry["I1"];
    match net(carry, "CI") {
        Some(_) => luts
            .iter()
            .any(|lut| adds(&lut) && lut["I3"] == carry["CI"]),
        None => luts.iter().filter(adds).count() == 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fpga::flow::Flow;
    use ::sim::netlist::yosys_json;
    use ::sim::tools::YOSYS;
    use hdl::config::{Config, Request};
    use std::process::Command;

    /// Two adders, one of which nothing reads the sum of, a memory of LUTs, a wide multiplexer, and registers with and without a
    /// LUT before them.
    const ALL_SORTS: &str = "module m (input wire clk, input wire go, input wire [15:0] a, input wire [15:0] b,
        output reg [15:0] sum, output reg carry, output reg [7:0] read, output reg one, output reg [3:0] late, output wire eq);
        reg [7:0] words [0:15]; reg [3:0] now; wire [16:0] both = a + {b[7:0], b[15:8]};
        always @(posedge clk) begin
            if (go) words[a[3:0]] <= b[7:0];
            read <= words[b[3:0]]; sum <= a + b; carry <= both[16]; one <= a[b[3:0]]; now <= a[3:0]; late <= now;
        end
        assign eq = ^a;
    endmodule";

    /// What nextpnr says that a netlist takes, before it places anything.
    fn packed(target: Target, netlist: &str) -> usize {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("netlist.json"), netlist).expect("a file");
        let router = target.router().expect("nextpnr");
        let run = Command::new(router.program())
            .current_dir(folder.path())
            .args(target.arguments(Flow::Default, &target.parts()[0], None))
            .args(["--json", "netlist.json", "--pack-only"])
            .output()
            .expect("nextpnr runs");
        let said = String::from_utf8_lossy(&run.stderr);
        let numbers = said.lines().filter_map(|line| {
            let line = line.strip_prefix("Info:")?.trim();
            match target {
                Target::Ecp5 => line.strip_prefix("Total LUT4s:")?.split('/').next(),
                _ => line.split_once(" LCs used as ").map(|(number, _)| number),
            }
        });
        let numbers: Vec<usize> = numbers
            .map(|number| number.trim().parse().expect("a number"))
            .collect();
        assert_eq!(
            numbers.len(),
            if target == Target::Ecp5 { 1 } else { 4 },
            "{said}"
        );
        numbers.iter().sum()
    }

    #[test]
    fn nextpnr_counts_the_same() {
        let targets = [Target::Ecp5, Target::Ice40];
        let routers = targets.map(|target| target.router().expect("nextpnr"));
        if YOSYS.version().is_err() || routers.iter().any(|router| router.version().is_err()) {
            assert!(std::env::var_os("RUNEGATE_REQUIRE_TOOLS").is_none());
            println!("SKIPPED: Yosys or nextpnr is not installed");
            return;
        }
        // With backpressure it has a FIFO: on ECP5 of LUTs, on iCE40 of block RAMs with counters.
        let core = Request::default().resolve().expect("a core");
        let module = "m".to_string();
        let core = hdl::emit::emit(&Config { module, ..core }).expect("Verilog");
        for (target, verilog, flow) in targets.iter().flat_map(|&target| {
            let texts = [ALL_SORTS, &core.verilog];
            texts
                .into_iter()
                .flat_map(move |text| Flow::ALL.map(|flow| (target, text, flow)))
        }) {
            let commands = format!("{} -top m", target.synthesis(flow));
            let netlist = yosys_json(verilog, &commands).expect("a netlist");
            let document: Value = serde_json::from_str(&netlist).expect("JSON");
            let module = &document["modules"]["m"];
            let (own, nextpnrs) = (sites(target, module), packed(target, &netlist));
            let carries = of_sort(module, "SB_CARRY").count();
            assert!(
                (own..=own + carries).contains(&nextpnrs),
                "{commands}: {own}, {nextpnrs}"
            );
        }
    }

    #[test]
    fn memories_of_xilinx_take_the_luts_of_the_table() {
        let cells = serde_json::json!({"cells": {
            "a": {"type": "LUT6"}, "b": {"type": "RAM32M"}, "c": {"type": "SRLC32E"}, "d": {"type": "FDRE"}, "e": {"type": "RAM64X1D"}
        }});
        assert_eq!(sites(Target::Xilinx7, &cells), 1 + 4 + 1 + 2);
    }
}
