//! The measured results, and the texts that are made of them: nobody writes a number by hand.

pub mod chart;
mod cores;
mod depths;
pub mod older;
pub mod peers;
pub mod plan;
mod plot;
pub mod table;
pub mod targets;

use peers::Peers;
use plan::Row;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

const README: &str = "README.md";
const PAGE: &str = "docs/src/results.md";
const TARGETS: &str = "constraints/README.md";
const CHART: &str = "docs/src/results.svg";
const DEPTHS: &str = "docs/src/depths.svg";
/// What the tool has compiled into it.
const CLOCKS: &str = "constraints/clocks.json";
const RESULTS: &str = "constraints/results.json";
/// What is written by measuring, and so may differ from the revision that is measured.
pub const WRITTEN: [&str; 8] = [
    README,
    PAGE,
    TARGETS,
    CHART,
    DEPTHS,
    CLOCKS,
    RESULTS,
    peers::FILE,
];

/// What is in `constraints/results.json`.
#[derive(Clone, Default, Serialize, Deserialize)]
pub struct Results {
    /// The digest of the Verilog that each core had when `make results` last ran, by the core's arguments. A row of another one is not
    /// shown as the core's.
    #[serde(default)]
    pub verilog: BTreeMap<String, String>,
    pub rows: Vec<Entry>,
}

/// One measurement, and all that it depends on.
#[derive(Clone, Serialize, Deserialize)]
pub struct Entry {
    pub command: String,
    /// The commit.
    pub revision: String,
    #[serde(flatten)]
    pub origin: Origin,
    #[serde(flatten)]
    pub outcome: Outcome,
}

/// What a measurement is of: if that is the same, so is the result.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// The digest of the emitted Verilog without its comments, a SHA-256.
    pub verilog: String,
    /// That of `src/fpga` and `src/synth`.
    pub synth: String,
    pub yosys: String,
    pub nextpnr: Option<String>,
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The tool's own, whole.
    Result(Value),
    /// There is no room for the core: nextpnr's words.
    Refused(String),
}

/// What is told of a result.
#[derive(Deserialize)]
pub struct Figures {
    /// Of the events, or of the verdict.
    pub latency: usize,
    pub luts: usize,
    /// LUTs of the device that are taken; not in what was measured before they were counted.
    pub sites: Option<usize>,
    pub lut_rams: usize,
    pub ffs: usize,
    pub carry: usize,
    pub brams: usize,
    #[serde(flatten)]
    pub clock: Option<Clock>,
}

#[derive(Deserialize)]
pub struct Clock {
    pub seeds: u32,
    pub fmax_mhz: Range,
    pub limit_mhz: f64,
    pub of_limit: f64,
    pub gbit_per_s: f64,
    pub critical_path: CriticalPath,
}

#[derive(Clone, Copy, Deserialize)]
pub struct Range {
    pub worst: f64,
    /// Not in what was measured before it was reported.
    pub median: Option<f64>,
    pub best: f64,
}

#[derive(Deserialize)]
pub struct CriticalPath {
    pub from: String,
    pub to: String,
    pub cells: usize,
    pub in_harness: bool,
    pub logic_ns: f64,
    pub routing_ns: f64,
}

/// What there is to tell of a row.
pub enum Told {
    Figures(Box<Figures>),
    /// The part is too small.
    Refused,
    /// Nothing yet.
    Missing,
}

impl Told {
    pub fn figures(&self) -> Option<&Figures> {
        match self {
            Self::Figures(figures) => Some(figures),
            Self::Refused | Self::Missing => None,
        }
    }

    pub fn clock(&self) -> Option<&Clock> {
        self.figures()?.clock.as_ref()
    }
}

impl Entry {
    pub fn told(&self) -> Told {
        match &self.outcome {
            Outcome::Refused(_) => Told::Refused,
            Outcome::Result(result) => {
                let figures = Figures::deserialize(result);
                Told::Figures(Box::new(
                    figures.unwrap_or_else(|error| panic!("{error} in {result}")),
                ))
            }
        }
    }
}

impl Figures {
    /// Of a core that was placed.
    pub fn clock(&self) -> &Clock {
        self.clock
            .as_ref()
            .expect("a core that is placed has a clock")
    }
}

impl Results {
    /// Those that are in the repository: none if the file is not there yet.
    pub fn load() -> Self {
        match std::fs::read(path(RESULTS)) {
            Ok(text) => serde_json::from_slice(&text).unwrap_or_else(|error| {
                panic!("{RESULTS} is not what `make results` writes: {error}")
            }),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Self::default(),
            Err(error) => panic!("{RESULTS}: {error}"),
        }
    }

    /// The measurement of a row, of whatever Verilog.
    pub fn of(&self, row: Row) -> Option<&Entry> {
        self.rows.iter().find(|entry| row.is_of(&entry.command))
    }

    /// Why a measurement does not say what the row is now: it was of another Verilog or by another command. `None`: it does.
    pub fn older(&self, row: Row, entry: &Entry) -> Option<&'static str> {
        let now = self.verilog.get(&row.core.arguments());
        if now != Some(&entry.origin.verilog) {
            return Some("of an older Verilog");
        }
        (entry.command != row.command()).then_some("by an older command")
    }

    /// What there is to tell of a row as it is now.
    pub fn told(&self, row: Row) -> Told {
        let current = self
            .of(row)
            .filter(|entry| self.older(row, entry).is_none());
        current.map_or(Told::Missing, Entry::told)
    }

    /// Takes a row in, in the plan's order; rows that are not in the plan any more go.
    pub fn put(&mut self, row: Row, entry: Entry) {
        self.rows.retain(|known| !row.is_of(&known.command));
        self.rows.push(entry);
        let plan = plan::rows();
        let place = |entry: &Entry| plan.iter().position(|row| row.is_of(&entry.command));
        self.rows.retain(|entry| place(entry).is_some());
        self.rows.sort_by_key(place);
    }

    /// Every text that is made of them, by its file, with what is around it as it stands there.
    /// All that [`Self::texts`] tells of the results, piece by piece.
    pub const PIECES: [fn(&Self, &Peers) -> String; 7] = [
        |results, _| table::text(results),
        |results, _| targets::text(results),
        |results, _| cores::text(results),
        |results, _| depths::choices(results),
        |results, _| depths::clocks(results),
        |results, _| chart::of_lanes(results),
        |results, peers| chart::of_depths(results, peers),
    ];

    pub fn texts(&self) -> [(&'static str, String); 6] {
        let peers = Peers::load();
        let page = spliced(PAGE, "results", &table::text(self));
        let page = spliced_in(PAGE, &page, "peers", &peers.text());
        let targets = spliced(TARGETS, "targets", &targets::text(self));
        let readme = std::fs::read_to_string(path(README));
        let readme = readme.unwrap_or_else(|error| panic!("{README}: {error}"));
        let readme = spliced_in(README, &readme, "cores", &cores::text(self));
        let readme = spliced_in(README, &readme, "depths", &depths::choices(self));
        [
            (PAGE, page),
            (TARGETS, targets),
            (CHART, chart::of_lanes(self)),
            (DEPTHS, chart::of_depths(self, &peers)),
            (CLOCKS, depths::clocks(self)),
            (README, readme),
        ]
    }

    pub fn save(&self) {
        let rows = serde_json::to_string_pretty(self).expect("results are JSON");
        write(RESULTS, &(rows + "\n"));
        for (file, text) in self.texts() {
            write(file, &text);
        }
    }
}

pub fn path(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(file)
}

/// A file whose part between `<!-- MARK -->` and `<!-- /MARK -->` is this.
fn spliced(file: &str, mark: &str, part: &str) -> String {
    let text =
        std::fs::read_to_string(path(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
    spliced_in(file, &text, mark, part)
}

/// The same of a file's text.
fn spliced_in(file: &str, text: &str, mark: &str, part: &str) -> String {
    let cut = |text: &str, mark: &str| {
        let cut = text.split_once(mark);
        let (before, after) = cut.unwrap_or_else(|| panic!("{file} has no {mark}"));
        (before.to_string(), after.to_string())
    };
    let (begin, end) = (format!("<!-- {mark} -->\n"), format!("<!-- /{mark} -->"));
    let (before, rest) = cut(text, &begin);
    let (_, after) = cut(&rest, &end);
    format!("{before}{begin}{part}{end}{after}")
}

/// Nobody sees half a file, whenever this is interrupted.
fn write(file: &str, text: &str) {
    let path = path(file);
    let folder = path.parent().expect("a folder");
    let mut new = tempfile::NamedTempFile::new_in(folder).expect("a file beside it");
    new.write_all(text.as_bytes()).expect("it is written");
    new.persist(&path).expect("it takes the old one's place");
}
