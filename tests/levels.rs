//! The depth of a core's logic, in LUTs with four inputs, that `schedule` counts with; a carry chain is one. Yosys measures it. With `RUNEGATE_TESTS=all` it does so
//! at every depth.

use crate::dut::{built, everything, have, verilog};
use hdl::config::{Config, CoreName, Depth, Encoding, Form, Request, depths};
use hdl::schedule;
use serde::Deserialize;
use sim::netlist::yosys_json;
use sim::tools;
use std::collections::BTreeMap;

/// A netlist of LUTs and registers, as Yosys writes it.
#[derive(Deserialize)]
struct Document {
    modules: BTreeMap<String, Module>,
}

#[derive(Deserialize)]
struct Module {
    cells: BTreeMap<String, Cell>,
    netnames: BTreeMap<String, Net>,
}

#[derive(Deserialize)]
struct Cell {
    #[serde(rename = "type")]
    kind: String,
    connections: BTreeMap<String, Vec<Bit>>,
}

#[derive(Deserialize)]
struct Net {
    bits: Vec<Bit>,
}

/// A wire, or a constant.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(untagged)]
enum Bit {
    Wire(usize),
    Constant(String),
}

/// A carry chain, which no LUTs are made of. Nothing is in it.
const CHAIN: &str = "
(* blackbox *)
module CHAIN #(
    parameter A_SIGNED = 0, B_SIGNED = 0, A_WIDTH = 1, B_WIDTH = 1, Y_WIDTH = 1
) (
    input [A_WIDTH-1:0] A,
    input [B_WIDTH-1:0] B,
    input BI, CI,
    output [Y_WIDTH-1:0] X, Y, CO
);
endmodule
";

/// Every register with the most LUTs on any way to it from another register or a pin.
struct Levels(Vec<(String, usize)>);

impl Levels {
    fn of(config: &Config, verilog: &str) -> Self {
        let top = &config.module;
        // No option lets Yosys move logic over a register.
        let script = format!(
            "synth -top {top} -flatten -run begin:fine; chtype -set CHAIN t:$alu; synth -top {top} -run fine: -lut 4; clean -purge"
        );
        let netlist = yosys_json(&(verilog.to_string() + CHAIN), &script);
        let netlist = netlist.unwrap_or_else(|error| panic!("{error}"));
        let mut document: Document = serde_json::from_str(&netlist).expect("Yosys's JSON");
        let module = document.modules.remove(top).expect("the core");
        let logic = (module.cells.values()).filter(|cell| cell.is_logic());
        let luts: BTreeMap<&Bit, Vec<&Bit>> = logic
            .flat_map(|cell| cell.connections["Y"].iter().map(|bit| (bit, cell.inputs())))
            .collect();
        let (names, mut known) = (module.names(), BTreeMap::new());
        let mut registers = Vec::new();
        for (name, cell) in &module.cells {
            if cell.is_logic() {
                continue;
            }
            assert!(cell.kind.contains("DFF"), "{name} is a {}", cell.kind);
            let inputs =
                (cell.connections.iter()).filter(|(pin, _)| !["C", "Q"].contains(&pin.as_str()));
            let levels = inputs.map(|(_, bits)| level(&bits[0], &luts, &mut known));
            let shown = names
                .get(&cell.connections["Q"][0])
                .unwrap_or(&name.as_str())
                .to_string();
            registers.push((shown, levels.max().unwrap_or_default()));
        }
        Self(registers)
    }

    fn most(&self) -> usize {
        let levels = self.0.iter().map(|(_, levels)| *levels);
        levels.max().expect("registers")
    }

    /// Those that are deeper, and such as Yosys made as deep to save LUTs.
    fn deeper(&self, than: usize) -> Vec<&str> {
        let deeper = self.0.iter().filter(|(_, levels)| *levels > than);
        deeper.map(|(name, _)| name.as_str()).collect()
    }

    /// The most of the registers of each stage whose names have it.
    fn of_stages(&self) -> BTreeMap<i32, usize> {
        let mut most = BTreeMap::new();
        for (name, levels) in &self.0 {
            if let Some(stage) = stage(name) {
                let known = most.entry(stage).or_default();
                *known = *levels.max(known);
            }
        }
        most
    }
}

impl Cell {
    /// Whether it is a LUT, or a carry chain, which counts as one.
    fn is_logic(&self) -> bool {
        ["$lut", "CHAIN"].contains(&self.kind.as_str())
    }

    fn inputs(&self) -> Vec<&Bit> {
        let pins = ["A", "B", "BI", "CI"].iter();
        let all = pins.filter_map(|pin| self.connections.get(*pin));
        all.flatten().collect()
    }
}

impl Module {
    /// A name of each wire: if it has several, one with a stage in it.
    fn names(&self) -> BTreeMap<&Bit, &str> {
        let mut names = BTreeMap::new();
        for (name, net) in &self.netnames {
            for bit in &net.bits {
                let known = names.entry(bit).or_insert(name.as_str());
                if stage(known).is_none() {
                    *known = name;
                }
            }
        }
        names
    }
}

/// LUTs on the longest way to a wire.
fn level<'a>(
    bit: &'a Bit,
    luts: &BTreeMap<&'a Bit, Vec<&'a Bit>>,
    known: &mut BTreeMap<&'a Bit, usize>,
) -> usize {
    if let Some(&level) = known.get(bit) {
        return level;
    }
    let Some(inputs) = luts.get(bit) else {
        return 0;
    };
    let below = inputs.iter().map(|input| level(input, luts, known)).max();
    let own = 1 + below.unwrap_or_default();
    known.insert(bit, own);
    own
}

/// The stage in the name of a signal, or of a part of the core: `s9` in `core_pieces.s9_waits`, and in `core_verdict.s34_bytes.carried`.
fn stage(name: &str) -> Option<i32> {
    let of_part = |part: &str| part.strip_prefix('s')?.split('_').next()?.parse().ok();
    name.split('.').find_map(of_part)
}

fn config((core, to): (CoreName, Encoding), lanes: usize, depth: Depth) -> Config {
    built(Request {
        to: (!to.is_default()).then_some(to),
        core: Some(core),
        lanes: Some(lanes),
        form: Some(Form::Free),
        depth: Some(depth),
        ..Request::default()
    })
}

fn measured(config: &Config) -> Levels {
    Levels::of(config, &verilog(config))
}

const DECODE: (CoreName, Encoding) = (CoreName::Decode, Encoding::Utf32);
const UTF16: (CoreName, Encoding) = (CoreName::Decode, Encoding::Utf16le);
const VALIDATE: (CoreName, Encoding) = (CoreName::Validate, Encoding::Utf32);

/// With registers at every stage.
#[test]
fn a_stage_is_one_level_of_logic() {
    if !have(&tools::YOSYS) {
        return;
    }
    for (core, lanes, named) in [
        (DECODE, 1, 0..14),
        (UTF16, 1, 0..14),
        (VALIDATE, 1, 0..13),
        (DECODE, 8, 0..13),
        (UTF16, 8, 0..13),
        (VALIDATE, 8, 0..13),
    ] {
        let config = config(core, lanes, Depth::Max);
        let levels = measured(&config);
        let name = config.describe();
        assert_eq!(schedule::levels(&config), 1, "{name}");
        assert_eq!(levels.deeper(1), [""; 0], "{name}");
        // Names have their stage. The one before the verdict has no logic, which is one level less.
        let of_stages = levels.of_stages();
        println!("{name}: {of_stages:?}");
        assert!(
            named.clone().all(|stage| of_stages[&stage] == 1),
            "{of_stages:?}"
        );
    }
}

/// Cores with other levels than stated, and how many. Of stages 2 to 5 Yosys makes two levels in a decoder of one lane, but three in these
/// validators; and in one of them, what goes ahead of the slot's beat has a level more up to the verdict's first state. With more lanes each
/// stage counts as one; if all are merged, what the bytes before a beat have is in registers. A
/// UTF-16 unit hangs on one more function of the bytes, where all of its stages are merged.
const OTHERS: [((CoreName, Encoding), usize, usize, usize); 7] = [
    (VALIDATE, 1, 6, 5),
    (VALIDATE, 1, 12, 3),
    (VALIDATE, 1, 13, 3),
    (VALIDATE, 1, 14, 3),
    (DECODE, 8, 3, 6),
    (UTF16, 1, 3, 5),
    (UTF16, 8, 3, 7),
];

/// Of merged stages, no more levels than stated, and no less than one fewer.
#[test]
fn merged_stages_are_as_deep_as_stated() {
    if !have(&tools::YOSYS) {
        return;
    }
    let mut others = Vec::new();
    for (core, lanes, sample) in [
        (DECODE, 1, &[3, 6, 8][..]),
        (UTF16, 1, &[3, 8]),
        (VALIDATE, 1, &[6, 11]),
        (DECODE, 8, &[6]),
        (UTF16, 8, &[6]),
        (VALIDATE, 8, &[6]),
    ] {
        let all = depths(config(core, lanes, Depth::Max).core, lanes);
        let all = all.filter(|depth| everything() || sample.contains(depth));
        for depth in all {
            let config = config(core, lanes, Depth::Clocks(depth));
            let (stated, levels) = (schedule::levels(&config), measured(&config));
            let most = levels.most();
            println!("{}: {most} levels, stated {stated}", config.describe());
            let is_other = OTHERS.contains(&(core, lanes, depth, most));
            if (most > stated || most + 1 < stated) != is_other {
                others.push((core, lanes, depth, most, stated));
            }
        }
    }
    assert_eq!(others, []);
}

#[test]
fn a_stage_that_is_deeper_is_found() {
    if !have(&tools::YOSYS) {
        return;
    }
    let config = config(DECODE, 1, Depth::Max);
    let (right, wrong) = (
        "s3_takes_8x <= s2_lead_2",
        "s3_takes_8x <= ^{s2_cont_8x, s2_cont_9x, s2_own_0, s2_lead_2}",
    );
    let text = verilog(&config);
    assert_eq!(text.matches(right).count(), 1, "{right}");
    let levels = Levels::of(&config, &text.replace(right, wrong));
    assert_eq!(levels.most(), 2);
    // Where one register is deeper, Yosys saves LUTs by making others as deep.
    let deeper = levels.deeper(1);
    let is_the_one = |name: &&str| name.ends_with("s3_takes_8x");
    assert!(deeper.iter().any(is_the_one), "{deeper:?}");
}
