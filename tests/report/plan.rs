//! What is measured: each core on each FPGA.

use hdl::config::LANES;
use sim::tools::{NEXTPNR_ECP5, NEXTPNR_ICE40, Tool};

/// A core, as the tool is asked for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Core {
    /// `decode`, `dense` (`decode --dense`), `validate` or `flows` (`validate --flows 1024`).
    pub name: &'static str,
    pub lanes: usize,
    pub form: &'static str,
}

/// An FPGA, as the tool is asked for it.
#[derive(Clone, Copy)]
pub struct Chip {
    pub name: &'static str,
    pub title: &'static str,
    arguments: &'static str,
    /// What tells its clock; none if there is only an area.
    pub router: Option<&'static Tool>,
}

pub const CORES: [&str; 4] = ["decode", "dense", "validate", "flows"];
pub const ECP5_6: Chip = Chip {
    name: "ecp5-6",
    title: "ECP5 -6",
    arguments: "--target ecp5 --speed 6",
    router: Some(&NEXTPNR_ECP5),
};
pub const ECP5_8: Chip = Chip {
    name: "ecp5-8",
    title: "ECP5 -8",
    arguments: "--target ecp5 --speed 8",
    router: Some(&NEXTPNR_ECP5),
};
pub const HX8K: Chip = Chip {
    name: "hx8k",
    title: "HX8K",
    arguments: "--target ice40",
    router: Some(&NEXTPNR_ICE40),
};
pub const XILINX_7: Chip = Chip {
    name: "xilinx7",
    title: "Xilinx 7",
    arguments: "--target xilinx7",
    router: None,
};
/// A part with block RAMs whose registers are used.
pub const ECP5_6_RAM: Chip = Chip {
    name: "ecp5-6-ram",
    title: "ECP5 -6, `--ram-registers`",
    arguments: "--target ecp5 --speed 6 --ram-registers",
    router: Some(&NEXTPNR_ECP5),
};
/// The core that has block RAMs, and what it is measured on.
pub const FLOWS: Core = Core {
    name: "flows",
    lanes: 64,
    form: "free",
};
pub const WITH_AND_WITHOUT_RAMS: [Chip; 2] = [ECP5_6, ECP5_6_RAM];
pub const CHIPS: [Chip; 4] = [ECP5_6, ECP5_8, HX8K, XILINX_7];

/// Of which the worst and the best are told.
const SEEDS: usize = 3;

/// One measurement.
#[derive(Clone, Copy)]
pub struct Row {
    pub core: Core,
    pub chip: Chip,
}

impl Core {
    pub fn free(name: &'static str, lanes: usize) -> Self {
        let form = "free";
        Self { name, lanes, form }
    }

    pub fn axis(name: &'static str, lanes: usize) -> Self {
        let form = "axis";
        Self { name, lanes, form }
    }

    /// The core and what makes it so, as on the command line.
    pub fn title(self) -> &'static str {
        match self.name {
            "dense" => "decode --dense",
            "flows" => "validate --flows 1024",
            name => name,
        }
    }

    pub fn arguments(self) -> String {
        let Self { lanes, form, .. } = self;
        format!("--core {} --lanes {lanes} --form {form}", self.title())
    }
}

impl Row {
    pub fn arguments(self) -> String {
        let seeds = match self.chip.router {
            Some(_) => format!(" --seeds {SEEDS}"),
            None => String::new(),
        };
        format!("{} {}{seeds}", self.core.arguments(), self.chip.arguments)
    }

    /// The words that choose it.
    fn words(self) -> [String; 4] {
        let Core { name, lanes, form } = self.core;
        let lanes = format!("lanes-{lanes}");
        [name, self.chip.name, &lanes, form].map(str::to_string)
    }
}

/// The narrow ones first, for they are soon done.
pub fn cores() -> Vec<Core> {
    let mut cores = Vec::new();
    for lanes in LANES {
        for name in ["decode", "validate"] {
            cores.push(Core::free(name, lanes));
            if lanes == 1 {
                cores.push(Core::axis(name, lanes));
            }
        }
    }
    cores.push(Core::free("dense", 16));
    cores
}

pub fn rows() -> Vec<Row> {
    let on_all = |core| CHIPS.map(|chip| Row { core, chip });
    let with_rams = WITH_AND_WITHOUT_RAMS.map(|chip| Row { core: FLOWS, chip });
    let plain = cores().into_iter().flat_map(on_all);
    plain.chain(with_rams).collect()
}

/// The rows that RUNEGATE_RESULTS chooses: those that have each of its words.
pub fn chosen(words: &str) -> Result<Vec<Row>, String> {
    if words == "none" {
        return Ok(Vec::new());
    }
    let words: Vec<&str> = words.split_whitespace().collect();
    let lanes = LANES.map(|lanes| format!("lanes-{lanes}"));
    let mut known: Vec<&str> = vec!["all"];
    known.extend(CORES);
    known.extend(CHIPS.map(|chip| chip.name));
    known.push(ECP5_6_RAM.name);
    known.extend(lanes.iter().map(String::as_str));
    known.extend(["free", "axis"]);
    let chosen = rows().into_iter().filter(|row| {
        let own = row.words();
        let has = |word: &&str| *word == "all" || own.iter().any(|own| own == word);
        words.iter().all(has)
    });
    let chosen: Vec<Row> = chosen.collect();
    if chosen.is_empty() || words.is_empty() || words.iter().any(|word| !known.contains(word)) {
        return Err(format!(
            "RUNEGATE_RESULTS={:?} chooses no row; it is one or more of these words, and the rows that have them all are \
             measured: {}; or none, which only writes the texts anew",
            words.join(" "),
            known.join(", ")
        ));
    }
    Ok(chosen)
}
