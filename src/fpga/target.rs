//! FPGA families and parts: how Yosys and nextpnr are called for them, and what their netlists' cells are.

use super::flow::Flow;
use ::sim::tools::{NEXTPNR_ECP5, NEXTPNR_ICE40, Tool};

/// An FPGA family.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    Ecp5,
    Ice40,
    Xilinx7,
    UltraScalePlus,
}

/// A device of a family, as nextpnr knows it.
pub struct Part {
    pub name: &'static str,
    /// nextpnr's options for it and the package.
    device: &'static [&'static str],
    /// Speed grades, slowest first; none if the part has no choice.
    pub speeds: &'static [&'static str],
    /// Pins of the package that a design can use; none if the design is placed without pins.
    pub pins: Option<usize>,
}

const fn ecp5(name: &'static str, device: &'static [&'static str]) -> Part {
    Part {
        name,
        device,
        speeds: &["6", "7", "8"],
        pins: None,
    }
}

const ECP5: [Part; 3] = [
    ecp5("LFE5U-85F", &["--85k", "--package", "CABGA756"]),
    ecp5("LFE5U-45F", &["--45k", "--package", "CABGA554"]),
    ecp5("LFE5U-25F", &["--25k", "--package", "CABGA381"]),
];
const ICE40: [Part; 1] = [Part {
    name: "HX8K",
    device: &["--hx8k", "--package", "ct256"],
    speeds: &[],
    pins: Some(206),
}];

/// Cells of a netlist that are counted.
#[derive(Clone, Copy)]
pub struct Cells {
    pub lut: fn(&str) -> bool,
    pub carry: fn(&str) -> bool,
    pub flip_flop: fn(&str) -> bool,
    pub block_ram: fn(&str) -> bool,
    /// Memories and shift registers made of LUTs.
    pub lut_ram: fn(&str) -> bool,
}

impl Target {
    pub const ALL: [Self; 4] = [Self::Ecp5, Self::Ice40, Self::Xilinx7, Self::UltraScalePlus];

    pub fn name(self) -> &'static str {
        match self {
            Self::Ecp5 => "ecp5",
            Self::Ice40 => "ice40",
            Self::Xilinx7 => "xilinx7",
            Self::UltraScalePlus => "ultrascale+",
        }
    }

    /// The flows that differ for it. Of Xilinx there is one synthesis, whose options only keep the core from having pads.
    pub fn flows(self) -> &'static [Flow] {
        match self {
            Self::Ecp5 | Self::Ice40 => &Flow::ALL,
            Self::Xilinx7 | Self::UltraScalePlus => &[Flow::Default],
        }
    }

    /// Yosys's command. On ECP5 the tuned one makes every LUT a LUT4: wider ones are slower than what they are made of.
    pub fn synthesis(self, flow: Flow) -> &'static str {
        match (self, flow) {
            (Self::Ecp5, Flow::Tuned) => "synth_ecp5 -nowidelut",
            (Self::Ecp5, Flow::Default) => "synth_ecp5",
            (Self::Ice40, Flow::Tuned) => "synth_ice40 -abc9 -device hx",
            (Self::Ice40, Flow::Default) => "synth_ice40",
            (Self::Xilinx7, _) => "synth_xilinx -flatten -family xc7 -noiopad -noclkbuf",
            (Self::UltraScalePlus, _) => "synth_xilinx -flatten -family xcup -noiopad -noclkbuf",
        }
    }

    /// The same, without making shift registers of LUTs.
    pub fn without_shifts(self, flow: Flow) -> String {
        let no_shifts = match self {
            Self::Ecp5 | Self::Ice40 => "",
            Self::Xilinx7 | Self::UltraScalePlus => " -nosrl",
        };
        self.synthesis(flow).to_string() + no_shifts
    }

    /// nextpnr's options for placing and routing; none are its defaults. Of wide cores on ECP5, `static` comes to a fifth more than
    /// `heap`, which is the default; of narrow ones, to the same. `--tmg-ripup` routes anew what is slowest: `decode` with `tready`
    /// and one lane comes to a sixteenth more by it.
    pub fn placing(self, flow: Flow) -> &'static str {
        match (self, flow) {
            (Self::Ecp5, Flow::Tuned) => "--placer static --tmg-ripup",
            (Self::Ice40, Flow::Tuned) => "--placer heap",
            (_, Flow::Default) | (Self::Xilinx7 | Self::UltraScalePlus, _) => "",
        }
    }

    /// What places and routes it, if any open tool does.
    pub fn router(self) -> Option<&'static Tool> {
        match self {
            Self::Ecp5 => Some(&NEXTPNR_ECP5),
            Self::Ice40 => Some(&NEXTPNR_ICE40),
            Self::Xilinx7 | Self::UltraScalePlus => None,
        }
    }

    /// The first is the default.
    pub fn parts(self) -> &'static [Part] {
        match self {
            Self::Ecp5 => &ECP5,
            Self::Ice40 => &ICE40,
            Self::Xilinx7 | Self::UltraScalePlus => &[],
        }
    }

    /// nextpnr's arguments for a part, beside the netlist, the seed and the report.
    pub fn arguments(self, flow: Flow, part: &Part, speed: Option<&str>) -> Vec<String> {
        let mut arguments: Vec<&str> = part.device.to_vec();
        if let Some(speed) = speed {
            arguments.extend(["--speed", speed]);
        }
        match part.pins {
            None => arguments.push("--out-of-context"),
            Some(_) => arguments.push("--pcf-allow-unconstrained"),
        }
        arguments.extend(self.placing(flow).split_whitespace());
        arguments.into_iter().map(str::to_string).collect()
    }

    pub fn cells(self) -> Cells {
        match self {
            Self::Ecp5 => Cells {
                lut: |cell| cell == "LUT4",
                carry: |cell| cell == "CCU2C",
                flip_flop: |cell| cell == "TRELLIS_FF",
                block_ram: |cell| cell == "DP16KD" || cell == "PDPW16KD",
                lut_ram: |cell| cell == "TRELLIS_DPR16X4",
            },
            Self::Ice40 => Cells {
                lut: |cell| cell == "SB_LUT4",
                carry: |cell| cell == "SB_CARRY",
                flip_flop: |cell| cell.starts_with("SB_DFF"),
                block_ram: |cell| cell.starts_with("SB_RAM40_4K"),
                lut_ram: |_| false,
            },
            Self::Xilinx7 | Self::UltraScalePlus => Cells {
                lut: |cell| cell.starts_with("LUT") || cell == "INV",
                carry: |cell| cell.starts_with("CARRY"),
                flip_flop: |cell| cell.starts_with("FD"),
                block_ram: |cell| cell.starts_with("RAMB"),
                lut_ram: |cell| {
                    cell.starts_with("SRL") || cell.starts_with("RAM") && !cell.starts_with("RAMB")
                },
            },
        }
    }
}
