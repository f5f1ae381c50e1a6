//! How fast nextpnr can make a design, and what its slowest path is.

use super::harness::{CORE, TOP};
use crate::exit::Failure;
use crate::fpga::flow::Flow;
use crate::fpga::target::{Part, Target};
use ::sim::cache;
use ::sim::interrupt;
use ::sim::netlist::{Source, yosys_json_of};
use ::sim::tools::Tool;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::{available_parallelism, scope};

/// More than any part can: nextpnr stops trying at what it is asked for.
const ASKED_MHZ: &str = "700";

/// What one placement came to.
#[derive(Clone)]
pub struct Placed {
    pub mhz: f64,
    pub critical_path: CriticalPath,
}

/// The slowest way from a register to a register.
#[derive(Clone, Debug, Serialize)]
pub struct CriticalPath {
    /// The core's own signals, or the harness's.
    pub from: String,
    pub to: String,
    /// LUTs and carries on the way.
    pub cells: usize,
    pub logic_ns: f64,
    pub routing_ns: f64,
    /// It has nothing of the core.
    pub in_harness: bool,
}

/// nextpnr's report, as far as it is read.
#[derive(Deserialize)]
struct Report {
    critical_paths: Vec<Way>,
    fmax: BTreeMap<String, Clock>,
}

#[derive(Deserialize)]
struct Clock {
    achieved: f64,
}

#[derive(Deserialize)]
struct Way {
    from: String,
    to: String,
    path: Vec<Step>,
}

#[derive(Deserialize)]
struct Step {
    delay: f64,
    #[serde(rename = "type")]
    sort: String,
    net: Option<String>,
    to: Place,
}

#[derive(Deserialize)]
struct Place {
    cell: String,
}

/// What Yosys makes of a design in its harness.
pub fn netlist(target: Target, flow: Flow, sources: &[Source]) -> Result<String, Failure> {
    let synthesis = target.synthesis(flow);
    Ok(yosys_json_of(sources, &format!("{synthesis} -top {TOP}"))?)
}

/// How designs are placed and routed.
pub struct Placer {
    router: &'static Tool,
    /// All but the netlist, the seed and the report.
    arguments: Vec<String>,
    /// Placements, from the seeds 1 to this.
    seeds: u32,
}

impl Placer {
    /// `None` for a family that no open tool places.
    pub fn new(
        target: Target,
        flow: Flow,
        part: Option<&Part>,
        speed: Option<&str>,
        seeds: u32,
    ) -> Option<Self> {
        let router = target.router()?;
        let arguments = target.arguments(flow, part?, speed);
        Some(Self {
            router,
            arguments,
            seeds,
        })
    }

    /// The placements of a netlist, slowest first; as many are made at a time as there are processors.
    pub fn place(&self, netlist: &str) -> Result<Vec<Placed>, Failure> {
        let next = AtomicU32::new(1);
        let work = || {
            let mut placed = Vec::new();
            loop {
                let seed = next.fetch_add(1, Ordering::Relaxed);
                if seed > self.seeds {
                    return Ok(placed);
                }
                placed.push(place_once(self.router, &self.arguments, netlist, seed)?);
            }
        };
        let threads = available_parallelism().map_or(1, |count| count.get());
        let all: Result<Vec<Vec<Placed>>, Failure> = scope(|scope| {
            let spawned = (0..threads.min(self.seeds as usize)).map(|_| scope.spawn(work));
            let threads: Vec<_> = spawned.collect();
            let joined = threads.into_iter().map(|thread| thread.join());
            joined
                .map(|placed| placed.expect("a placement does not panic"))
                .collect()
        });
        let mut placed = all?.concat();
        placed.sort_by(|a, b| a.mhz.total_cmp(&b.mhz));
        Ok(placed)
    }
}

fn place_once(
    router: &Tool,
    arguments: &[String],
    netlist: &str,
    seed: u32,
) -> Result<Placed, Failure> {
    let seed = seed.to_string();
    let arguments = [
        arguments,
        &["--freq", ASKED_MHZ, "--seed", &seed].map(str::to_string),
    ]
    .concat();
    // The same netlist is placed alike each time, so once is enough.
    let key = cache::key(&[&router.version()?, &arguments.join(" "), netlist]);
    let report = cache::file(&key, "report.json", |folder| {
        route(router, &arguments, netlist, folder)
    })?;
    let report = std::fs::read(report)?;
    let report: Report = serde_json::from_slice(&report).map_err(|error| {
        Failure::new(format!(
            "the report of {} cannot be read: {error}; use the version of scripts/requirements.txt",
            router.program()
        ))
    })?;
    let slowest = report.fmax.values().map(|clock| clock.achieved);
    let is_clocked = |way: &&Way| way.from.starts_with("posedge") && way.to.starts_with("posedge");
    let way = report.critical_paths.iter().find(is_clocked);
    let (Some(mhz), Some(way)) = (slowest.min_by(f64::total_cmp), way) else {
        return Err(Failure::new(format!(
            "{} reports no path from a register to a register",
            router.program()
        )));
    };
    Ok(Placed {
        mhz,
        critical_path: critical_path(way),
    })
}

/// Lets nextpnr place and route a netlist in a folder; returns its report.
fn route(
    router: &Tool,
    arguments: &[String],
    netlist: &str,
    folder: &Path,
) -> Result<PathBuf, Failure> {
    // nextpnr in WebAssembly sees the folder that it is started in, and perhaps no other.
    std::fs::write(folder.join("netlist.json"), netlist)?;
    let mut command = Command::new(router.program());
    command.current_dir(folder).args(arguments).args([
        "--json",
        "netlist.json",
        "--report",
        "report.json",
        "--quiet",
    ]);
    let output = interrupt::output(&mut command)?;
    let report = folder.join("report.json");
    // That the clock is slower than what was asked for is no failure of its own: there is a report all the same.
    if !report.exists() {
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let lines: Vec<&str> = said.lines().collect();
        let errors = &lines[lines.len().saturating_sub(4)..];
        return Err(Failure::new(format!(
            "{} placed nothing ({}):\n{}\nif it is too large for the part, choose another --part or --target, or fewer lanes",
            router.program(),
            output.status,
            errors.join("\n")
        )));
    }
    Ok(report)
}

fn critical_path(way: &Way) -> CriticalPath {
    let sum = |routing: bool| -> f64 {
        let steps = way
            .path
            .iter()
            .filter(|step| (step.sort == "routing") == routing);
        steps.map(|step| step.delay).sum()
    };
    let from = way.path.iter().find_map(|step| step.net.as_deref());
    let to = way.path.last().map_or("", |step| &step.to.cell);
    let (from, to) = (signal(from.unwrap_or_default()), signal(to));
    let in_core = |name: &str| core_name(name).is_some();
    CriticalPath {
        in_harness: !in_core(from) && !in_core(to),
        from: own_name(from),
        to: own_name(to),
        cells: way.path.iter().filter(|step| step.sort == "logic").count(),
        logic_ns: sum(false),
        routing_ns: sum(true),
    }
}

/// The signal that a net or a cell has its name from: Yosys appends the cell's type and port.
fn signal(name: &str) -> &str {
    const APPENDED: [&str; 6] = [
        "_TRELLIS_",
        "_LUT4_",
        "_SB_",
        "_CCU2C_",
        "_PFUMX_",
        "_DP16KD_",
    ];
    let ends = APPENDED.iter().filter_map(|appended| name.find(appended));
    &name[..ends.min().unwrap_or(name.len())]
}

/// The name in the core, of a signal of it or of a wire at one of its pins.
fn core_name(signal: &str) -> Option<&str> {
    signal.strip_prefix(CORE)?.strip_prefix(['.', '_'])
}

/// The name in the core; a register of the harness that feeds a pin, or is fed by one, stands for it.
fn own_name(signal: &str) -> String {
    if let Some(name) = core_name(signal) {
        return name.to_string();
    }
    let pin = signal.strip_prefix("in_").or(signal.strip_prefix("out_"));
    pin.map_or(signal.to_string(), |pin| format!("pin {pin}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_have_their_signals_names() {
        for (cell, name) in [
            (
                "core.pipeline.s8_open_TRELLIS_FF_Q",
                "core.pipeline.s8_open",
            ),
            ("core.s9_valid_LUT4_C_Z_LUT4_A", "core.s9_valid"),
            ("in_rst", "in_rst"),
            ("core.a_SB_DFFSR_Q_D_SB_LUT4_O", "core.a"),
        ] {
            assert_eq!(signal(cell), name);
        }
    }

    #[test]
    fn a_path_of_the_core_is_told_in_its_names() {
        let place = |cell: &str| Place {
            cell: cell.to_string(),
        };
        let step = |delay, sort: &str, net: Option<&str>, to| Step {
            delay,
            sort: sort.to_string(),
            net: net.map(str::to_string),
            to: place(to),
        };
        let way = |net, to| Way {
            from: "posedge clk".to_string(),
            to: "posedge clk".to_string(),
            path: vec![
                step(0.5, "clk-to-q", None, "x"),
                step(1.0, "routing", Some(net), "y"),
                step(0.25, "logic", None, "y"),
                step(0.75, "routing", Some("core.y_LUT4_A_Z"), to),
                step(0.5, "setup", None, to),
            ],
        };
        let path = critical_path(&way("core.x", "core.z_TRELLIS_FF_Q"));
        assert_eq!((path.from.as_str(), path.to.as_str()), ("x", "z"));
        assert_eq!(
            (path.cells, path.logic_ns, path.routing_ns),
            (1, 1.25, 1.75)
        );
        assert!(!path.in_harness);
        assert!(critical_path(&way("in_rst", "fold_0_TRELLIS_FF_Q")).in_harness);
        let path = critical_path(&way("in_rst", "core.z_TRELLIS_FF_Q"));
        assert_eq!((path.from.as_str(), path.in_harness), ("pin rst", false));
        let path = critical_path(&way("core_q", "out_q_TRELLIS_FF_Q"));
        assert_eq!((path.from.as_str(), path.in_harness), ("q", false));
        assert_eq!(path.to, "pin q");
    }
}
