//! `runegate synth`: a core's area and clock on an FPGA, by Yosys and nextpnr.

mod area;
mod harness;
mod ram_registers;
mod target;
mod timing;

use self::area::{Area, Registers};
use self::harness::{MODULE, TOP};
use self::target::{Part, Target};
use self::timing::{CriticalPath, Placed, netlist, place};
use crate::options::{CoreOptions, Talk};
use crate::{Failure, Finding};
use ::sim::tools::YOSYS;
use clap::Args;
use hdl::config::Config;
use hdl::ports::ports;
use serde::Serialize;
use serde_json::json;
use std::io::{self, Write};

/// Synthesises a core for an FPGA: its area, its clock, and how near that is to the fabric's limit
///
/// The core is placed and routed with a register at every pin, and its clock is the worst of some seeds. The limit is what a
/// design of single LUTs between registers comes to in the same run. For Xilinx parts there is only the area: no open tool
/// knows their timing.
#[derive(Args)]
pub struct Synth {
    /// ecp5, ice40, xilinx7 or ultrascale+
    #[arg(long, value_parser = target, default_value = "ecp5")]
    target: Target,
    /// The part [default: LFE5U-85F, HX8K]
    #[arg(long)]
    part: Option<String>,
    /// The speed grade, of ECP5: 6, 7 or 8 [default: 6]
    #[arg(long)]
    speed: Option<String>,
    /// Placements that are tried, each from another seed; the worst counts
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=100))]
    seeds: u32,
    /// Make a register that only a block RAM's output feeds the RAM's own, as vendors' tools do and Yosys does not (ecp5)
    #[arg(long)]
    ram_registers: bool,
    #[command(flatten)]
    core: CoreOptions,
    #[command(flatten)]
    talk: Talk,
}

fn target(name: &str) -> Result<Target, String> {
    let names = Target::ALL.map(Target::name).join(", ");
    Target::ALL
        .into_iter()
        .find(|target| target.name() == name)
        .ok_or(format!("choose one of {names}"))
}

/// One element of `results[]`.
#[derive(Serialize)]
struct Outcome {
    #[serde(flatten)]
    config: Config,
    /// Clocks from a beat to what comes of it.
    latency: Option<usize>,
    verdict_latency: Option<usize>,
    target: &'static str,
    part: Option<&'static str>,
    speed: Option<String>,
    synthesis: &'static str,
    #[serde(flatten)]
    area: Area,
    registers: Registers,
    #[serde(flatten)]
    clock: Option<Clock>,
}

#[derive(Serialize)]
struct Clock {
    /// nextpnr's options.
    placing: &'static str,
    seeds: u32,
    fmax_mhz: Range,
    limit_mhz: f64,
    /// Of the worst clock to the limit.
    of_limit: f64,
    /// Of bytes, at the worst clock.
    gbit_per_s: f64,
    /// Of the worst placement.
    critical_path: CriticalPath,
    /// Bits that `--ram-registers` has moved.
    #[serde(skip_serializing_if = "Option::is_none")]
    ram_registers: Option<usize>,
}

#[derive(Serialize)]
struct Range {
    worst: f64,
    best: f64,
}

impl Synth {
    pub fn run(self) -> Result<Finding, Failure> {
        let config = self.core.resolve()?;
        let part = self.part()?;
        let speed = self.speed(part)?;
        if self.ram_registers && !matches!(self.target, Target::Ecp5) {
            return Err(Failure::new(format!(
                "--ram-registers with --target {}: the netlist of no family but ecp5 is known so well; leave it out",
                self.target.name()
            )));
        }
        let yosys = YOSYS.version()?;
        let router = self.target.router();
        let router_version = router.map(|router| router.version()).transpose()?;
        let named = Config {
            module: MODULE.to_string(),
            ..config.clone()
        };
        let verilog = hdl::emit::emit(&named)?.verilog;
        self.talk.note("synthesising the core");
        let area = area::area(self.target, MODULE, &verilog)?;
        let registers = area::registers(self.target, MODULE, &verilog)?;
        let clock = match (router, part) {
            (Some(router), Some(part)) => {
                let pins = ports(&config);
                let bits: usize = pins.iter().map(|pin| pin.width).sum();
                let harness = match part.pins {
                    Some(most) if bits > most => harness::folded(&pins),
                    _ => harness::registered(&pins),
                };
                let placed = |netlist: &str| {
                    place(
                        self.target,
                        router,
                        part,
                        speed.as_deref(),
                        netlist,
                        self.seeds,
                    )
                };
                self.talk.note("placing and routing it");
                let mut design = netlist(self.target, &(verilog + &harness))?;
                let mut bits = None;
                if self.ram_registers {
                    let (with_them, moved) = ram_registers::moved(&design, TOP)?;
                    design = with_them;
                    bits = Some(moved);
                }
                let core = placed(&design)?;
                self.talk.note("placing and routing the reference");
                let limit = placed(&netlist(self.target, &harness::reference())?)?;
                Some(Clock {
                    ram_registers: bits,
                    ..clock(self.target, &config, &core, &limit)
                })
            }
            _ => None,
        };
        let latency = hdl::emit::latency(&config);
        let outcome = Outcome {
            latency: latency.main(),
            verdict_latency: latency.verdict,
            target: self.target.name(),
            part: part.map(|part| part.name),
            speed,
            synthesis: self.target.synthesis(),
            area,
            registers,
            clock,
            config,
        };
        self.talk.print(|out| {
            if self.talk.json {
                let document = json!({
                    "command": "synth",
                    "yosys": yosys,
                    "nextpnr": router_version,
                    "results": [outcome],
                });
                return writeln!(out, "{document}");
            }
            outcome.show(out)
        })?;
        Ok(if outcome.registers.unexplained == 0 {
            Finding::Good
        } else {
            Finding::CheckFailed
        })
    }

    fn part(&self) -> Result<Option<&'static Part>, Failure> {
        let parts = self.target.parts();
        let Some(wanted) = &self.part else {
            return Ok(parts.first());
        };
        let named = |part: &&Part| part.name.eq_ignore_ascii_case(wanted);
        let names: Vec<&str> = parts.iter().map(|part| part.name).collect();
        match (parts.iter().find(named), names.is_empty()) {
            (Some(part), _) => Ok(Some(part)),
            (None, true) => Err(Failure::new(format!(
                "--part {wanted:?}: there is only the area of {}, which is that of every part; leave --part out",
                self.target.name()
            ))),
            (None, false) => Err(Failure::new(format!(
                "--part {wanted:?} is none of {}; choose one of {}",
                self.target.name(),
                names.join(", ")
            ))),
        }
    }

    fn speed(&self, part: Option<&Part>) -> Result<Option<String>, Failure> {
        let speeds = part.map_or(&[][..], |part| part.speeds);
        let Some(wanted) = &self.speed else {
            return Ok(speeds.first().map(|speed| speed.to_string()));
        };
        if speeds.contains(&wanted.as_str()) {
            return Ok(Some(wanted.clone()));
        }
        let remedy = match speeds.is_empty() {
            true => "leave --speed out".to_string(),
            false => format!("choose one of {}", speeds.join(", ")),
        };
        Err(Failure::new(format!(
            "--speed {wanted:?} is no speed grade of {}; {remedy}",
            part.map_or(self.target.name(), |part| part.name)
        )))
    }
}

/// Of the core's placements and the reference's, each slowest first.
fn clock(target: Target, config: &Config, core: &[Placed], limit: &[Placed]) -> Clock {
    let (worst, best) = (core[0].mhz, core[core.len() - 1].mhz);
    let limit_mhz = limit[0].mhz;
    Clock {
        placing: target.placing(),
        seeds: core.len() as u32,
        fmax_mhz: Range { worst, best },
        limit_mhz,
        of_limit: worst / limit_mhz,
        gbit_per_s: worst * 8.0 * config.lanes as f64 / 1000.0,
        critical_path: core[0].critical_path.clone(),
        ram_registers: None,
    }
}

impl Outcome {
    fn show(&self, out: &mut dyn Write) -> io::Result<()> {
        let part = self.part.unwrap_or(self.target);
        let speed = self
            .speed
            .as_ref()
            .map_or(String::new(), |speed| format!(" -{speed}"));
        let latency = hdl::emit::latency(&self.config);
        writeln!(
            out,
            "{}, latency {latency} clocks, on {part}{speed}",
            self.config.describe()
        )?;
        let Area {
            luts,
            carry,
            ffs,
            brams,
            lut_rams,
        } = self.area;
        writeln!(
            out,
            "  area      {luts} LUT, {carry} carry, {ffs} FF, {brams} block RAM, {lut_rams} memories or shift registers of LUTs ({})",
            self.synthesis
        )?;
        let Registers {
            described,
            needed,
            unexplained,
        } = self.registers;
        writeln!(
            out,
            "  registers {described} described, {needed} needed (the others are unread, constant, equal, or in a memory), \
             {unexplained} of them gone unexplained"
        )?;
        let Some(clock) = &self.clock else {
            return writeln!(
                out,
                "  clock     not known: no open tool has the timing of this part"
            );
        };
        let Range { worst, best } = clock.fmax_mhz;
        writeln!(
            out,
            "  clock     {worst:.1} MHz, the worst of {} seeds (the best {best:.1}): {:.2} Gbit/s ({})",
            clock.seeds, clock.gbit_per_s, clock.placing
        )?;
        writeln!(
            out,
            "  limit     {:.1} MHz, one LUT between registers: the core has {:.0} % of it",
            clock.limit_mhz,
            clock.of_limit * 100.0
        )?;
        if let Some(bits) = clock.ram_registers {
            writeln!(
                out,
                "  RAM       {bits} bits of registers are block RAMs' own, which Yosys leaves in the fabric"
            )?;
        }
        let path = &clock.critical_path;
        let harness = if path.in_harness {
            " (in the harness!)"
        } else {
            ""
        };
        writeln!(
            out,
            "  critical  {} -> {}{harness}: {} LUT or carry, {:.2} ns of logic, {:.2} ns of routing",
            path.from, path.to, path.cells, path.logic_ns, path.routing_ns
        )
    }
}
