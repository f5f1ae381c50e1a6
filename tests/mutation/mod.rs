//! Mutants of a core: Yosys's `mutate` breaks one bit of one cell's port, before anything is optimised away.
//!
//! All mutants of a core are in one text, and a number in a file says which one is awake when a simulation begins: so one
//! build serves them all.

pub mod equivalence;

use hdl::config::Config;
use hdl::config::ports::{Direction, Port, ports};
use sim::tools::YOSYS;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Of the choice of mutants.
const SEED: u64 = 3629;
/// Bits of a mutant's number.
const BITS: usize = 16;

/// One way to break the core.
pub struct Mutant {
    /// Yosys's command that breaks it.
    pub command: String,
    /// What is broken, in the core's own names.
    pub name: String,
    /// The lines of the core's Verilog that the cell comes from.
    pub source: Vec<String>,
}

impl Mutant {
    fn new(line: &str, verilog: &[&str], drives: &HashMap<&str, &str>) -> Self {
        // A wire's name and its source are only told, not read.
        let (command, told) = line.split_once(" -wire ").unwrap_or((line, ""));
        let option = |name: &str| {
            let mut words = line.split(' ').skip_while(|word| *word != name);
            words.nth(1).unwrap_or("?").to_string()
        };
        let wire = told.split(' ').next().unwrap_or_default();
        let (mode, cell) = (option("-mode"), option("-cell"));
        let (port, bit, by) = (option("-port"), option("-portbit"), option("-ctrlbit"));
        let by = match by.as_str() {
            "?" => String::new(),
            _ => format!(" by bit {by}"),
        };
        // Of `core.v:12.9-12.51` the line.
        let number = |place: &str| place.split([':', '.']).nth(2)?.parse::<usize>().ok();
        let places = line.split(" -src ").skip(1).filter_map(number);
        let source = places.map(|number| verilog[number - 1].trim().to_string());
        // A wire that has no name in the Verilog is named for what it will be.
        let wire = match wire {
            "" => drives.get(cell.as_str()).copied().unwrap_or_default(),
            wire => wire,
        };
        Self {
            command: command.to_string(),
            source: source.collect(),
            name: format!("{mode} {port}[{bit}]{by} of {cell} {wire}")
                .trim_end()
                .to_string(),
        }
    }
}

/// A core and its mutants.
pub struct Mutated {
    pub mutants: Vec<Mutant>,
    /// What Yosys listed that breaks nothing, and is left out.
    pub idle: usize,
    /// The core in terms of Yosys's cells, `core.il`, and everything else.
    folder: PathBuf,
    module: String,
    pins: Vec<Port>,
    lanes: usize,
    /// Its memories that a proof need not look into.
    stores: Vec<Store>,
    /// Clocks from an input to the last output that depends on it.
    latency: usize,
    /// The core with all its mutants.
    pub verilog: String,
}

impl Mutated {
    /// So many mutants of a core, evenly sampled.
    pub fn new(config: &Config, verilog: &str, count: usize) -> Self {
        let module = &config.module;
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(config.hash());
        std::fs::create_dir_all(&folder).expect("a folder");
        write(&folder.join("core.v"), verilog);
        // A register's bits that nobody reads go.
        let list = format!(
            "read_verilog core.v; prep -flatten -top {module}; splitcells; opt_clean; \
             write_rtlil core.il; mutate -list {count} -seed {SEED} -o list"
        );
        yosys(&folder, &list).expect("it lists mutants at once");
        let list = std::fs::read_to_string(folder.join("list")).expect("a list");
        let cells = std::fs::read_to_string(folder.join("core.il")).expect("Yosys's cells");
        let lines: Vec<&str> = verilog.lines().collect();
        let drives = drives(&cells);
        let (idle, breaking): (Vec<&str>, Vec<&str>) = list.lines().partition(|line| is_idle(line));
        let mutants = breaking
            .iter()
            .map(|line| Mutant::new(line, &lines, &drives));
        let mutants: Vec<Mutant> = mutants.collect();
        let breaks = mutants
            .iter()
            .zip(1..)
            .map(|(mutant, number)| format!("{} -ctrl mutant {BITS} {number}\n", mutant.command));
        let latency = hdl::emit::latency(config);
        let script = format!(
            "read_rtlil core.il\n{}rename {module} {module}_mutants\nwrite_verilog -noattr mutants.v\n",
            breaks.collect::<String>()
        );
        yosys(&folder, &script).expect("it breaks cores at once");
        let core = std::fs::read_to_string(folder.join("mutants.v")).expect("Yosys's Verilog");
        let verilog = core + &top(config, &folder.join("number"));
        Self {
            mutants,
            idle: idle.len(),
            folder,
            module: module.clone(),
            pins: ports(config),
            lanes: config.lanes,
            stores: Store::all(&cells),
            latency: latency.stream.max(latency.verdict).expect("it has outputs"),
            verilog,
        }
    }

    /// The simulations that begin from now on have this mutant, counted from 1; 0 is the core itself.
    pub fn wake(&self, number: usize) {
        write(&self.folder.join("number"), &format!("{number:x}\n"));
    }
}

/// Whether it breaks a port that does nothing: the clock, the enable and the resets of a memory that is read at any time. Yosys lists
/// them, and then fails, because it expects constants there.
fn is_idle(line: &str) -> bool {
    let ports = ["RD_CLK", "RD_EN", "RD_ARST", "RD_SRST"];
    ports
        .iter()
        .any(|port| line.contains(&format!(" -port {port} ")))
}

/// What each cell drives, in Yosys's text of a core.
fn drives<'a>(text: &'a str) -> HashMap<&'a str, &'a str> {
    let cells = text.split("\n  cell ").skip(1);
    let drives = cells.filter_map(|cell| {
        let name = cell.lines().next()?.split(' ').nth(1)?;
        let mut connections = cell
            .lines()
            .map_while(|line| (line != "  end").then_some(line.trim()));
        let output = |line: &'a str| {
            ["Y", "Q"]
                .iter()
                .find_map(|it| line.strip_prefix(&format!("connect \\{it} ")))
        };
        let driven = connections.find_map(output)?;
        Some((name, driven))
    });
    drives.collect()
}

/// A memory that a proof need not look into: it would need a register for each bit.
pub struct Store {
    words: usize,
    /// Yosys's cell, without the backslash.
    cell: String,
    width: usize,
    address_bits: usize,
}

impl Store {
    /// Words of the largest memory that every proof looks into, and of the largest that any does.
    const SMALL: usize = 8;
    const LARGE: usize = 64;
    /// Bits of all memories that a proof gets through in good time.
    const MOST_BITS: usize = 4096;

    /// Those in Yosys's text of a core.
    fn all(text: &str) -> Vec<Self> {
        let cells = text.split("\n  cell $mem_v2 \\").skip(1);
        let stores = cells.filter_map(|cell| {
            let parameter = |name: &str| -> usize {
                let (_, rest) = cell
                    .split_once(&format!("parameter \\{name} "))
                    .expect("it is there");
                let number = rest.split_whitespace().next().expect("a number");
                number.parse().expect("a number")
            };
            let words = parameter("SIZE");
            // All that a proof knows of: one port to write at the clock, and one to read at any time.
            let is_known = [
                ("RD_PORTS ", "1"),
                ("WR_PORTS ", "1"),
                ("RD_CLK_ENABLE ", "1'0"),
                ("WR_CLK_ENABLE ", "1'1"),
            ]
            .iter()
            .all(|(name, is)| cell.contains(&format!("parameter \\{name}{is}\n")));
            assert!(is_known || words <= Self::LARGE, "{cell}");
            (is_known && words > Self::SMALL).then(|| Self {
                words,
                cell: cell.split_whitespace().next().expect("a name").to_string(),
                width: parameter("WIDTH"),
                address_bits: parameter("ABITS"),
            })
        });
        stores.collect()
    }
}

impl Mutated {
    /// Which memories a proof is to be tried without: all at first, which takes the least; then the large ones, if there is not too much in
    /// the others.
    fn looks(&self) -> Vec<Vec<&Store>> {
        let all: Vec<&Store> = self.stores.iter().collect();
        let (large, others): (Vec<&Store>, Vec<&Store>) =
            all.iter().partition(|store| store.words > Store::LARGE);
        let bits: usize = others.iter().map(|store| store.words * store.width).sum();
        match bits {
            1..=Store::MOST_BITS => vec![all, large],
            _ => vec![all],
        }
    }
}

/// The core's own pins, and the number from the file.
fn top(config: &Config, number: &Path) -> String {
    let pins = ports(config);
    format!(
        "module {module} ({pins});\n    reg [{high}:0] number [0:0];\n    initial $readmemh({number:?}, number);\n    \
         {module}_mutants core ({connections}, .mutant(number[0]));\nendmodule\n",
        module = config.module,
        pins = joined(&pins, declared),
        high = BITS - 1,
        connections = joined(&pins, connected),
    )
}

fn declared(pin: &Port) -> String {
    let direction = match pin.direction {
        Direction::Input => "input",
        Direction::Output => "output",
    };
    format!("{direction} wire [{}:0] {}", pin.width - 1, pin.name)
}

fn connected(pin: &Port) -> String {
    format!(".{0}({0})", pin.name)
}

/// What is said of each pin.
fn joined(pins: &[Port], each: impl Fn(&Port) -> String) -> String {
    let all: Vec<String> = pins.iter().map(each).collect();
    all.join(", ")
}

fn write(path: &Path, text: &str) {
    std::fs::write(path, text).unwrap_or_else(|error| panic!("{path:?}: {error}"));
}

/// Runs a script, and returns what it said; else why it came to no end.
fn yosys(folder: &Path, script: &str) -> Result<String, String> {
    write(&folder.join("script.ys"), script);
    run(folder, YOSYS.program(), &["script.ys"])
}

/// Runs a program in the folder, and returns what it said; else why it failed, which its last lines tell.
fn run(folder: &Path, program: &str, arguments: &[&str]) -> Result<String, String> {
    const SECONDS: &str = "1200";
    const TOO_LONG: i32 = 124;
    let output = Command::new("timeout")
        .current_dir(folder)
        .args([SECONDS, program])
        .args(arguments)
        .output()
        .expect("it runs");
    if output.status.code() == Some(TOO_LONG) {
        return Err(format!("{program} is not done within {SECONDS} s"));
    }
    let said = String::from_utf8_lossy(&output.stdout);
    if !output.status.success() {
        let errors = String::from_utf8_lossy(&output.stderr);
        let last = |said: &str| {
            let lines: Vec<&str> = said.lines().rev().take(3).collect();
            lines.into_iter().rev().collect::<Vec<_>>().join("\n")
        };
        return Err(format!("{program}: {}\n{}", last(&said), last(&errors)));
    }
    Ok(said.into_owned())
}
