//! A core for a clock: the least depth whose measured row reaches it.
//!
//! The rows are those of `make results`: the worst of some placements in the default flow of Yosys and nextpnr.

use crate::exit::Failure;
use crate::fpga::{Fpga, FpgaOptions};
use clap::Args;
use hdl::config::{Config, Core, Depth, Request, depths};
use hdl::schedule;
use serde::Deserialize;
use std::collections::BTreeSet;

pub const MEGA: f64 = 1e6;

/// The clock that a core shall reach.
#[derive(Args)]
pub struct ClockOptions {
    /// The core's clock in MHz: the core takes the least depth that has been measured to reach it on --target, by the worst placement of
    /// the tools' default flow; a line of sim --line-rate has this clock, too, and needs no --target
    #[arg(long, value_name = "MHZ", allow_negative_numbers = true, value_parser = hertz)]
    pub clock: Option<u64>,
    #[command(flatten)]
    pub fpga: FpgaOptions,
    /// With --clock: if there is no measured row of the core with all its options, take one of the core with others
    #[arg(long, requires = "clock")]
    nearest: bool,
}

/// A clock as it is written in MHz, in Hz.
fn hertz(text: &str) -> Result<u64, String> {
    let clock = text.parse().ok();
    let clock = clock.filter(|clock: &f64| (0.001..=10_000.0).contains(clock));
    clock
        .map(|clock| (clock * MEGA).round() as u64)
        .ok_or_else(|| "choose a number of MHz from 0.001 to 10000, as in 322.265625".to_string())
}

/// A core that has been measured on an FPGA.
#[derive(Clone, Deserialize)]
pub struct Row {
    core: Request,
    target: String,
    part: String,
    speed: Option<String>,
    /// The worst, in the default flow.
    pub mhz: f64,
    pub seeds: u32,
    pub luts: usize,
    pub ffs: usize,
}

/// A row, and its core.
struct Measured {
    row: Row,
    config: Config,
}

/// The depth that was chosen for a clock, and why.
pub struct Reached {
    pub row: Row,
    fpga: String,
    depth: usize,
    /// Options that the measured core has otherwise, as they are there.
    differences: Vec<String>,
}

/// What `make results` has written.
fn table() -> Vec<Measured> {
    let rows: Vec<Row> = serde_json::from_str(include_str!("../constraints/clocks.json"))
        .expect("make results writes rows");
    let measured = |row: Row| {
        let config = row.core.clone().resolve().expect("a measured core");
        Measured { row, config }
    };
    rows.into_iter().map(measured).collect()
}

/// The clocks in MHz that have been measured of this core's depths, each with its FPGA.
pub fn known(config: &Config) -> Vec<(usize, String, f64)> {
    let of_it = |it: &Measured| differences(config, &it.config).is_empty();
    let rows = table().into_iter().filter(of_it);
    rows.map(|it| (it.depth(), it.row.fpga(), it.row.mhz))
        .collect()
}

/// The options but for the depth that one core has otherwise than another, as they are there.
fn differences(config: &Config, there: &Config) -> Vec<String> {
    let [own, others] = [config, there].map(Config::options);
    let is_not_in = |all: &[(&str, String)], option: &(&str, String)| !all.contains(option);
    let mut all = Vec::new();
    for option in others.iter().filter(|option| is_not_in(&own, option)) {
        all.push(format!("--{} {}", option.0, option.1));
    }
    for (name, _) in own.iter().filter(|option| is_not_in(&others, option)) {
        if !others.iter().any(|(other, _)| other == name) {
            all.push(format!("no --{name}"));
        }
    }
    all.retain(|words| !words.contains("--depth"));
    all
}

impl Row {
    fn is_on(&self, fpga: &Fpga) -> bool {
        let part = fpga.part.map(|part| part.name);
        self.target == fpga.target.name()
            && Some(self.part.as_str()) == part
            && self.speed == fpga.speed
    }

    fn fpga(&self) -> String {
        match &self.speed {
            Some(speed) => format!("{} -{speed}", self.part),
            None => self.part.clone(),
        }
    }
}

impl Measured {
    fn depth(&self) -> usize {
        let most = *depths(self.config.core, self.config.lanes).end();
        self.config.depth.unwrap_or(most)
    }
}

/// Whether a core has pipelines of its own that no measured core has, so that no other's clock says anything about its.
fn is_apart(config: &Config) -> bool {
    config.core.flows().is_some() || matches!(config.core, Core::Decode { dense: true, .. })
}

/// The depth of a core that merges as much as another one does: the same, or if only the first stages of this one are merged, or other
/// clocks go by before these, the least with no more levels of LUTs between two registers.
fn depth_like(config: &Config, there: &Measured) -> usize {
    let of = |core: Core| (core.keeps_later_stages(), core.policy().clocks_to_pieces());
    if of(config.core) == of(there.config.core) {
        return there.depth();
    }
    let levels = schedule::levels(&there.config);
    let mut all = depths(config.core, config.lanes);
    let most = *all.end();
    let has_as_few = |&depth: &usize| {
        let depth = (depth < most).then_some(depth);
        let config = config.clone();
        schedule::levels(&Config { depth, ..config }) <= levels
    };
    all.find(has_as_few).unwrap_or(most)
}

impl ClockOptions {
    /// The request with the depth for the clock, if an FPGA is named; and how that came. `also` is what else the clock may be for: an
    /// option, and whether it is given.
    pub fn complete(
        &self,
        request: Request,
        also: Option<(&str, bool)>,
    ) -> Result<(Request, Option<Reached>), Failure> {
        let given = [
            ("part", self.fpga.part.clone()),
            ("speed", self.fpga.speed.clone()),
            ("nearest", self.nearest.then(String::new)),
            ("clock", self.mhz().map(|mhz| mhz.to_string())),
        ];
        let Some(target) = self.fpga.target else {
            let is_for_more = also.is_some_and(|(_, is_given)| is_given);
            let acts = |name: &str| name == "clock" && is_for_more;
            return match given
                .into_iter()
                .find(|(name, it)| it.is_some() && !acts(name))
            {
                None => Ok((request, None)),
                Some((name, value)) => {
                    let written = format!("--{name} {}", value.unwrap_or_default());
                    let more = also.filter(|_| name == "clock");
                    let more = more.map_or(String::new(), |(option, _)| format!("--{option} or "));
                    Err(Failure::new(format!(
                        "{} has no effect without {more}--target, the family of the FPGA; add it (ecp5 or ice40), or leave --{name} out",
                        written.trim_end()
                    )))
                }
            };
        };
        if self.clock.is_none() {
            return Err(Failure::new(format!(
                "--target {} has no effect without --clock, for which it chooses the depth; add it, or leave it out",
                target.name()
            )));
        }
        self.of(request, &self.fpga.or(target)?)
    }

    /// The request with the depth for the clock, if there is one, on an FPGA.
    pub fn of(&self, request: Request, fpga: &Fpga) -> Result<(Request, Option<Reached>), Failure> {
        let Some(mhz) = self.mhz() else {
            return Ok((request, None));
        };
        if let Some(depth) = request.depth {
            return Err(Failure::new(format!(
                "--clock {mhz} chooses the depth, but the depth {depth} is given as well; leave one of them out"
            )));
        }
        let config = request.clone().resolve()?;
        let reached = self.choose(&config, mhz, fpga)?;
        let depth = Some(Depth::Clocks(reached.depth));
        Ok((Request { depth, ..request }, Some(reached)))
    }

    fn mhz(&self) -> Option<f64> {
        self.clock.map(|hertz| hertz as f64 / MEGA)
    }

    fn choose(&self, config: &Config, mhz: f64, fpga: &Fpga) -> Result<Reached, Failure> {
        if fpga.part.is_none() {
            return Err(Failure::new(format!(
                "--clock {mhz} cannot be combined with --target {}: no open tool has its timing; choose ecp5 or ice40, or leave it out \
                 and choose the depth with --depth",
                fpga.target.name()
            )));
        }
        let depths = depths(config.core, config.lanes);
        if depths.start() == depths.end() {
            return Err(Failure::new(format!(
                "--clock {mhz} cannot choose the depth of this core ({}): it has only one; leave --clock out",
                config.describe()
            )));
        }
        if is_apart(config) {
            return Err(Failure::new(format!(
                "--clock {mhz} cannot choose the depth of this core ({}): no core with --dense or --flows is measured; leave --clock out and \
                 choose the depth with --depth",
                config.describe()
            )));
        }
        let all = table();
        let mut rows: Vec<&Measured> = all.iter().filter(|it| it.row.is_on(fpga)).collect();
        rows.retain(|it| it.config.core.name() == config.core.name());
        rows.retain(|it| it.config.lanes == config.lanes);
        if rows.is_empty() {
            return Err(Failure::new(format!(
                "no clock of {} with lanes {} is measured on {fpga}; choose {}, or leave --clock out and choose the depth with --depth",
                config.core.name(),
                config.lanes,
                measured(config, &all)
            )));
        }
        let count = |it: &&Measured| differences(config, &it.config).len();
        let least = rows.iter().map(count).min().expect("a row");
        rows.retain(|it| count(it) == least);
        // Several cores may be as near: one of them it is.
        let first = differences(config, &rows[0].config);
        rows.retain(|it| differences(config, &it.config) == first);
        if least > 0 && !self.nearest {
            return Err(Failure::new(format!(
                "no clock of this core is measured on {fpga} ({}); the nearest measured core has {}: choose --nearest to take its rows, or \
                 leave --clock out and choose the depth with --depth",
                config.describe(),
                first.join(", ")
            )));
        }
        let reaching = rows.iter().filter(|it| it.row.mhz >= mhz);
        let Some(chosen) = reaching.min_by_key(|it| it.depth()) else {
            return Err(too_fast(mhz, fpga, &mut rows, &all));
        };
        let depth = depth_like(config, chosen);
        let mut differences = first;
        if depth != chosen.depth() {
            differences.push(format!("--depth {}", chosen.depth()));
        }
        Ok(Reached {
            row: chosen.row.clone(),
            fpga: fpga.to_string(),
            depth,
            differences,
        })
    }
}

/// What to choose instead: an FPGA on which such a core is measured, or lanes with which it is.
fn measured(config: &Config, all: &[Measured]) -> String {
    let rows = (all.iter()).filter(|it| it.config.core.name() == config.core.name());
    let same_lanes = rows.clone().filter(|it| it.config.lanes == config.lanes);
    let fpgas: BTreeSet<String> = same_lanes.map(|it| it.row.fpga()).collect();
    let lanes: BTreeSet<usize> = rows.map(|it| it.config.lanes).collect();
    let list = |words: Vec<String>| words.join(" or ");
    match fpgas.is_empty() {
        false => list(fpgas.into_iter().collect()),
        true => format!(
            "lanes {}",
            list(lanes.iter().map(usize::to_string).collect())
        ),
    }
}

/// With the two depths that come nearest.
fn too_fast(mhz: f64, fpga: &Fpga, rows: &mut [&Measured], all: &[Measured]) -> Failure {
    rows.sort_by(|one, other| other.row.mhz.total_cmp(&one.row.mhz));
    let near = rows.iter().take(2);
    let near = near.map(|it| format!("{:.1} MHz with --depth {}", it.row.mhz, it.depth()));
    let near: Vec<String> = near.collect();
    let is_enough =
        |it: &&Measured| it.row.mhz >= mhz && differences(&rows[0].config, &it.config).is_empty();
    let fpgas: BTreeSet<String> = (all.iter().filter(is_enough))
        .map(|it| it.row.fpga())
        .collect();
    let elsewhere: String = fpgas.into_iter().map(|it| format!(", or {it}")).collect();
    Failure::new(format!(
        "--clock {mhz} is more than any measured depth of this core reaches on {fpga} in the tools' default flow: {} are the nearest; \
         choose a clock up to these{elsewhere}",
        near.join(" and ")
    ))
}

impl Reached {
    pub fn json(&self) -> serde_json::Value {
        serde_json::json!({
            "depth": self.depth,
            "fpga": self.fpga,
            "mhz": self.row.mhz,
            "seeds": self.row.seeds,
            "luts": self.row.luts,
            "ffs": self.row.ffs,
            "differences": self.differences,
        })
    }
}

impl std::fmt::Display for Reached {
    fn fmt(&self, out: &mut std::fmt::Formatter) -> std::fmt::Result {
        let Row {
            mhz,
            seeds,
            luts,
            ffs,
            ..
        } = &self.row;
        write!(
            out,
            "depth {}: {mhz:.1} MHz on {} by the worst of {seeds} placements of the default flow, {luts} LUT4, {ffs} FF",
            self.depth, self.fpga
        )?;
        match self.differences.is_empty() {
            true => Ok(()),
            false => write!(
                out,
                "; measured of the nearest core, with {}",
                self.differences.join(", ")
            ),
        }
    }
}
