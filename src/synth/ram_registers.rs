//! Block RAMs' own output registers.
//!
//! A DP16KD of ECP5 has a register behind what it reads, without which it takes longer to its outputs than any other cell takes for
//! anything. A register that nothing but a RAM's output feeds can be that one, and vendors' tools make it so; Yosys 0.70 leaves it
//! in the fabric (`techlibs/lattice/brams_map_16kd.v` has `NOREG` only). Here it is moved in the netlist, between Yosys and nextpnr.

use crate::exit::Failure;
use serde_json::{Map, Value, json};
use std::collections::HashMap;

const RAM: &str = "DP16KD";
const REGISTER: &str = "TRELLIS_FF";

/// A Yosys netlist in JSON whose RAMs have the registers that they can have, and how many bits these are.
///
/// A RAM's port gets its register if each of its outputs that anything reads is read by a plain register only: of the same clock, with
/// one enable or none for all of them, without a set or a reset. Of a RAM of 36 bits one port writes and the other reads, on the pins of
/// both: nextpnr gives both parts of its register one mode then (`ecp5/pack.cc`, `pack_ebr`).
pub fn moved(netlist: &str, top: &str) -> Result<(String, usize), Failure> {
    let mut document: Value = serde_json::from_str(netlist)?;
    let module = &mut document["modules"][top];
    let readers = Readers::of(module);
    let Some(cells) = module["cells"].as_object_mut() else {
        return Err(Failure::new(format!(
            "Yosys's output lacks the module {top}"
        )));
    };
    let rams: Vec<String> = (cells.iter())
        .filter(|(_, cell)| cell["type"] == RAM)
        .map(|(name, _)| name.clone())
        .collect();
    let mut bits = 0;
    for ram in rams {
        for (port, halves) in ports_of(&cells[&ram]) {
            if let Some((registers, enable)) = registers_of(cells, &readers, &ram, (port, halves)) {
                bits += registers.len();
                cells[&ram]["connections"][format!("OCE{port}")] = enable;
                give(cells, &ram, halves, &registers);
            }
        }
    }
    Ok((document.to_string(), bits))
}

/// What reads each net: a cell and its pin, or a pin of the module.
struct Readers(HashMap<u64, Vec<Option<(String, String)>>>);

impl Readers {
    fn of(module: &Value) -> Self {
        let mut readers: HashMap<u64, Vec<_>> = HashMap::new();
        let mut read = |bits: &Value, by: Option<(&String, &String)>| {
            for net in bits
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(Value::as_u64)
            {
                let by = by.map(|(cell, pin)| (cell.clone(), pin.clone()));
                readers.entry(net).or_default().push(by);
            }
        };
        for (name, cell) in module["cells"].as_object().into_iter().flatten() {
            for (pin, bits) in cell["connections"].as_object().into_iter().flatten() {
                if cell["port_directions"][pin] != "output" {
                    read(bits, Some((name, pin)));
                }
            }
        }
        for port in module["ports"].as_object().into_iter().flatten() {
            if port.1["direction"] != "input" {
                read(&port.1["bits"], None);
            }
        }
        Self(readers)
    }

    fn of_net(&self, net: u64) -> &[Option<(String, String)>] {
        self.0.get(&net).map_or(&[], Vec::as_slice)
    }
}

/// The ports that a RAM can read, each with the halves of its outputs.
fn ports_of(ram: &Value) -> &'static [(&'static str, &'static [&'static str])] {
    let widths = ["DATA_WIDTH_A", "DATA_WIDTH_B"];
    match widths.map(|width| is_double(&ram["parameters"][width])) {
        [false, false] => &[("A", &["A"]), ("B", &["B"])],
        [true, true] => &[("B", &["A", "B"])],
        _ => &[],
    }
}

/// The registers behind what a RAM's port reads, by the RAM's pins, and what enables them; nothing if it reads nothing, or they cannot
/// be the RAM's.
fn registers_of(
    cells: &Map<String, Value>,
    readers: &Readers,
    ram: &str,
    (port, halves): (&str, &[&str]),
) -> Option<(Vec<(String, String)>, Value)> {
    let cell = &cells[ram];
    let pins = &cell["connections"];
    let is_unused = |half: &&str| {
        cell["parameters"][format!("REGMODE_{half}")] == "NOREG"
            && constant(&pins[format!("RST{half}")], "0")
            && cell["parameters"][format!("RST{half}MUX")].is_null()
    };
    let is_free = halves.iter().all(is_unused)
        && constant(&pins[format!("OCE{port}")], "1")
        && cell["parameters"][format!("OCE{port}MUX")].is_null()
        && cell["parameters"][format!("CLK{port}MUX")] == format!("CLK{port}");
    if !is_free {
        return None;
    }
    let clock = &pins[format!("CLK{port}")];
    let mut registers = Vec::new();
    let mut enables = Vec::new();
    for (pin, net) in pins.as_object()? {
        let is_output = |half: &&str| pin.starts_with(&format!("DO{half}"));
        let Some(net) = net[0].as_u64().filter(|_| halves.iter().any(is_output)) else {
            continue;
        };
        match readers.of_net(net) {
            [] => {}
            [Some((register, input))] if input == "DI" && is_plain(&cells[register], clock) => {
                registers.push((pin.clone(), register.clone()));
                enables.push(enable(&cells[register])?);
            }
            _ => return None,
        }
    }
    enables.dedup();
    match enables.as_slice() {
        [enable] => Some((registers, enable.clone())),
        _ => None,
    }
}

/// A width, in binary, that is more than one port has.
fn is_double(width: &Value) -> bool {
    let width = width
        .as_str()
        .and_then(|bits| u32::from_str_radix(bits, 2).ok());
    width.is_none_or(|width| width > 18)
}

/// A register of that clock which takes its input, always or while it is enabled, and nothing else.
fn is_plain(cell: &Value, clock: &Value) -> bool {
    let (pins, parameters) = (&cell["connections"], &cell["parameters"]);
    let parameter = |name: &str| parameters[name].as_str().unwrap_or_default().trim();
    cell["type"] == REGISTER
        && pins["CLK"] == *clock
        && parameter("CLKMUX") == "CLK"
        && parameter("REGSET") == "RESET"
        && parameter("LSRMUX") == "LSR"
        && (pins["LSR"].is_null() || constant(&pins["LSR"], "0"))
}

/// What enables a register: a net, or the constant 1.
fn enable(cell: &Value) -> Option<Value> {
    match cell["parameters"]["CEMUX"].as_str()?.trim() {
        "1" => Some(json!(["1"])),
        "CE" => Some(cell["connections"]["CE"].clone()),
        _ => None,
    }
}

fn constant(bits: &Value, value: &str) -> bool {
    bits[0] == value
}

/// The RAM's port puts out what the registers did, and these go.
fn give(
    cells: &mut Map<String, Value>,
    ram: &str,
    halves: &[&str],
    registers: &[(String, String)],
) {
    for (pin, register) in registers {
        let gone = cells.remove(register).expect("each register has one input");
        cells[ram]["connections"][pin] = gone["connections"]["Q"].clone();
    }
    for half in halves {
        cells[ram]["parameters"][format!("REGMODE_{half}")] = "OUTREG".into();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ::sim::netlist::yosys_json;
    use ::sim::tools::YOSYS;

    /// A RAM with a register behind what it reads, and whatever else reads that.
    fn moved_of(width: usize, reads: &str) -> (Value, usize) {
        let top = width - 1;
        let (words, high) = if width > 18 { (511, 8) } else { (1023, 9) };
        let verilog = format!(
            "module m (input wire clk, input wire go, input wire [{high}:0] to, input wire [{high}:0] from, input wire [{top}:0] x,\n\
             output reg [{top}:0] y, output reg [{top}:0] z);\n\
             reg [{top}:0] words [0:{words}]; reg [{top}:0] read;\n\
             always @(posedge clk) begin words[to] <= x; read <= to == from ? {width}'hx : words[from]; {reads} end endmodule"
        );
        let netlist = yosys_json(&verilog, "synth_ecp5 -top m").expect("a netlist");
        let (netlist, bits) = moved(&netlist, "m").ok().expect("a netlist");
        let netlist: Value = serde_json::from_str(&netlist).expect("JSON");
        (netlist["modules"]["m"]["cells"].clone(), bits)
    }

    fn all(cells: &Value, sort: &str) -> Vec<Value> {
        let cells = cells.as_object().expect("cells").values();
        cells.filter(|cell| cell["type"] == sort).cloned().collect()
    }

    #[test]
    fn only_a_register_that_can_be_the_rams_is_moved() {
        if YOSYS.version().is_err() {
            assert!(std::env::var_os("RUNEGATE_REQUIRE_TOOLS").is_none());
            println!("SKIPPED: Yosys is not installed");
            return;
        }
        let (cells, bits) = moved_of(16, "y <= read; z <= y;");
        assert_eq!((bits, all(&cells, REGISTER).len()), (16, 16));
        let rams = all(&cells, RAM);
        let modes: Vec<&Value> = rams
            .iter()
            .map(|ram| &ram["parameters"]["REGMODE_B"])
            .collect();
        assert_eq!(modes, ["OUTREG"]);
        // The RAM drives what the registers drove.
        let from: Vec<Value> = (all(&cells, REGISTER).iter())
            .map(|cell| cell["connections"]["DI"][0].clone())
            .collect();
        let reads = rams[0]["connections"].as_object().expect("pins").iter();
        let driven: Vec<&Value> = (reads.filter(|(pin, _)| pin.starts_with("DOB")))
            .map(|(_, bits)| &bits[0])
            .collect();
        assert!(from.iter().all(|net| driven.contains(&net)));

        // With an enable, which the RAM then has.
        let (cells, bits) = moved_of(16, "if (go) y <= read; z <= x;");
        let ram = &all(&cells, RAM)[0];
        assert_eq!(
            (bits, &ram["parameters"]["REGMODE_B"]),
            (16, &json!("OUTREG"))
        );
        assert!(ram["connections"]["OCEB"][0].is_u64());
        assert_eq!(rams[0]["connections"]["OCEB"], json!(["1"]));

        for kept in [
            "y <= read ^ x; z <= 0;",
            "y <= read; z <= read ^ x;",
            "y <= go ? 0 : read; z <= 0;",
            "y <= read; if (go) z <= read;",
            // Two enables.
            "if (go) y[7:0] <= read[7:0]; y[15:8] <= read[15:8]; z <= 0;",
            // One bit has another reader, and the others have not.
            "y <= read; z <= read[0] ^ go;",
        ] {
            let (cells, bits) = moved_of(16, kept);
            assert_eq!(bits, 0, "{kept}");
            assert!(all(&cells, RAM)[0]["parameters"]["REGMODE_B"] == "NOREG");
        }
        // A RAM of 36 bits, whose ports read together.
        for (reads, moved, mode) in [
            ("y <= read; z <= y;", 36, "OUTREG"),
            ("y <= read; z <= read[35] ^ go;", 0, "NOREG"),
        ] {
            let (cells, bits) = moved_of(36, reads);
            let rams = all(&cells, RAM);
            assert_eq!((rams.len(), bits), (1, moved));
            for half in ["REGMODE_A", "REGMODE_B"] {
                assert_eq!(rams[0]["parameters"][half], mode);
            }
        }
    }
}
