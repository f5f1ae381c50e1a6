//! Decoders of others, measured with the same commands: their tables in docs/src/results.md, and their points in the chart of depths.

use super::plan::{Chip, ECP5_6, Flow, HX8K, XILINX_7};
use super::table::table;
use super::{Range, path, write};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What was measured.
pub const FILE: &str = "constraints/peers.json";
const SEEDS: &str = "--seeds 3";

/// A decoder of UTF-8 that is in a public repository.
#[derive(Clone, Copy)]
pub struct Peer {
    /// The owner and the repository.
    pub name: &'static str,
    pub commit: &'static str,
    /// Its source in the repository.
    pub file: &'static str,
    top: &'static str,
    clock: &'static str,
    /// Clocks from a byte to what it gives, by its source: 1 if only the outputs have registers, and 2 if the inputs have some, too.
    pub latency: usize,
}

pub const PEERS: [Peer; 4] = [
    Peer {
        name: "chykon/svart",
        commit: "97ddf1b2f4c3",
        file: "test/gold/utf8decoder.sv",
        top: "utf8decoder",
        clock: "clock",
        latency: 1,
    },
    Peer {
        name: "chykon/utf8decoder-verilog",
        commit: "74b5d2c572cd",
        file: "src/utf8decoder.v",
        top: "UTF8Decoder",
        clock: "clock",
        latency: 2,
    },
    Peer {
        name: "RebeccaRGB/hardware-utf8",
        commit: "0a7e41657e19",
        file: "src/utf8.v",
        top: "hardware_utf8",
        clock: "clk",
        latency: 1,
    },
    Peer {
        name: "Zigazou/myterminal",
        commit: "11da0a573a09",
        file: "src/utf8_decode.v",
        top: "utf8_decode",
        clock: "clk",
        latency: 1,
    },
];

/// What is in [`FILE`].
#[derive(Clone, Default, Serialize, Deserialize)]
pub struct Peers {
    pub rows: Vec<Measured>,
}

#[derive(Clone, Serialize, Deserialize)]
pub struct Measured {
    pub peer: String,
    pub commit: String,
    pub command: String,
    pub yosys: String,
    pub nextpnr: Option<String>,
    /// The tool's own, whole.
    pub result: Value,
}

/// What is shown of a result.
#[derive(Deserialize)]
pub struct Figures {
    pub luts: usize,
    pub ffs: usize,
    pub carry: usize,
    fmax_mhz: Option<Range>,
}

impl Figures {
    /// Of a chip that has one.
    pub fn clock(&self) -> Range {
        self.fmax_mhz.expect("a clock")
    }
}

impl Peer {
    /// What measures it, in a folder with its source.
    pub fn arguments(self, chip: Chip, flow: Flow) -> String {
        let Self {
            file, top, clock, ..
        } = self;
        let seeds = match chip.has_clock() {
            true => format!(" --flow {} {SEEDS}", flow.name()),
            false => String::new(),
        };
        let chip = chip.arguments;
        format!("synth {chip}{seeds} --verilog {file} --top {top} --clock-pin {clock}")
    }

    pub fn command(self, chip: Chip, flow: Flow) -> String {
        format!("runegate {}", self.arguments(chip, flow))
    }
}

/// All that is measured.
pub fn rows() -> Vec<(Peer, Chip, Flow)> {
    let chips = [
        (ECP5_6, Flow::Tuned),
        (ECP5_6, Flow::Default),
        (HX8K, Flow::Tuned),
        (HX8K, Flow::Default),
        (XILINX_7, Flow::Default),
    ];
    let of = |peer| chips.map(|(chip, flow)| (peer, chip, flow));
    PEERS.into_iter().flat_map(of).collect()
}

impl Peers {
    pub fn load() -> Self {
        let text = std::fs::read(path(FILE)).unwrap_or_else(|error| panic!("{FILE}: {error}"));
        serde_json::from_slice(&text).unwrap_or_else(|error| panic!("{FILE}: {error}"))
    }

    pub fn save(&self) {
        let text = serde_json::to_string_pretty(self).expect("results are JSON");
        write(FILE, &(text + "\n"));
    }

    pub fn of(&self, peer: Peer, chip: Chip, flow: Flow) -> Figures {
        let command = peer.command(chip, flow);
        let is_of_it = |row: &&Measured| row.peer == peer.name && row.command == command;
        let row = self.rows.iter().find(is_of_it);
        let row = row.unwrap_or_else(|| panic!("{FILE} has no row of {}: {command}", peer.name));
        serde_json::from_value(row.result.clone()).expect("a result of the tool")
    }

    /// The results, and the sources and commands.
    pub fn text(&self) -> String {
        let rows = PEERS
            .into_iter()
            .flat_map(|peer| [Flow::Tuned, Flow::Default].map(|flow| self.cells(peer, flow)));
        let results = table(
            "core | latency | flow | ECP5 LUT4, carry, FF | ECP5 -6 MHz | HX8K LUT4, FF | HX8K MHz | Xilinx 7 LUT, FF",
            rows,
        );
        let sources = PEERS.into_iter().map(|peer| {
            let Peer { name, commit, .. } = peer;
            let own = peer.arguments(XILINX_7, Flow::Default);
            let own = own.split_once("--verilog").expect("its source").1;
            vec![
                format!("[{name}](https://github.com/{name}) `{commit}`"),
                format!("`--verilog{own}`"),
            ]
        });
        let sources = table(
            &format!(
                "core, at commit | `runegate synth --target ecp5` (or `ice40`) `{SEEDS}`, or `--target xilinx7`, and"
            ),
            sources,
        );
        format!("{results}\n{sources}")
    }

    fn cells(&self, peer: Peer, flow: Flow) -> Vec<String> {
        let of = |chip| self.of(peer, chip, flow);
        let mhz = |figures: &Figures| {
            let Range {
                worst,
                median,
                best,
            } = figures.clock();
            let median = median.expect("three seeds");
            format!("{worst:.0} / {median:.0} / {best:.0}")
        };
        let (ecp5, hx8k) = (of(ECP5_6), of(HX8K));
        let [name, latency, xilinx] = match flow {
            Flow::Tuned => [
                peer.name.to_string(),
                peer.latency.to_string(),
                "–".to_string(),
            ],
            Flow::Default => {
                let Figures { luts, ffs, .. } = of(XILINX_7);
                [String::new(), String::new(), format!("{luts}, {ffs}")]
            }
        };
        vec![
            name,
            latency,
            flow.name().to_string(),
            format!("{}, {}, {}", ecp5.luts, ecp5.carry, ecp5.ffs),
            mhz(&ecp5),
            format!("{}, {}", hx8k.luts, hx8k.ffs),
            mhz(&hx8k),
            xilinx,
        ]
    }
}
