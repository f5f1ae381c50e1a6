//! `runegate synth`: a core's area and clock on an FPGA, by Yosys and nextpnr.

mod area;
mod design;
mod flow;
mod harness;
mod outcome;
mod ram_registers;
mod sites;
mod target;
mod timing;

use self::design::Design;
use self::flow::{Asked, Flow};
use self::harness::TOP;
use self::outcome::{Clock, Outcome};
use self::target::{Part, Target};
use self::timing::{Placer, netlist};
use crate::exit::{Failure, Finding};
use crate::given::Given;
use crate::options::{CoreOptions, Talk};
use ::sim::netlist::Source;
use ::sim::tools::YOSYS;
use clap::Args;
use serde_json::json;
use std::path::PathBuf;

/// Synthesises a core for an FPGA, and reports its area, its clock, and how close the clock is to the fabric's limit
///
/// Each flow has its own result: `tuned` uses the options of Yosys and nextpnr that are best for these cores, `default` uses the
/// tools' defaults. The core is placed and routed with a register at every pin, once for each seed; the worst, the median and the
/// best clock are reported. The limit is the worst clock of a design of single LUTs between registers, with the same flow and
/// seeds. For Xilinx parts only the area is reported: no open tool has their timing.
#[derive(Args)]
pub struct Synth {
    /// ecp5, ice40, xilinx7 or ultrascale+
    #[arg(long, value_parser = target, default_value = "ecp5")]
    target: Target,
    /// The FPGA part [default: LFE5U-85F, HX8K]
    #[arg(long)]
    part: Option<String>,
    /// The speed grade, for ECP5: 6, 7 or 8 [default: 6]
    #[arg(long)]
    speed: Option<String>,
    /// tuned, default (the tools' own options) or both, with a result for each
    #[arg(long, value_parser = Asked::parse, default_value = "both")]
    flow: Asked,
    /// Number of placements, each with its own seed: 1 to 100
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=100))]
    seeds: u32,
    /// Move each register that only a block RAM's output feeds into the RAM, as vendors' tools do and Yosys does not (ecp5)
    #[arg(long)]
    ram_registers: bool,
    /// Measure a module of this file instead of a core: Verilog, or SystemVerilog if its name ends in .sv; repeat it for several
    /// files. Files that it includes are not found
    #[arg(
        long,
        value_name = "FILE",
        requires = "top",
        conflicts_with_all = ["Request", "config"]
    )]
    verilog: Vec<PathBuf>,
    /// The module of --verilog to measure
    #[arg(long, value_name = "MODULE", requires = "verilog")]
    top: Option<String>,
    /// The clock of this module, a 1-bit input [default: clk]
    #[arg(long, value_name = "PIN", requires = "verilog")]
    clock_pin: Option<String>,
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

impl Synth {
    pub fn run(self, given: &Given) -> Result<Finding, Failure> {
        let part = self.part()?;
        let speed = self.speed(part)?;
        let flows = self.flows(given)?;
        if self.ram_registers && !matches!(self.target, Target::Ecp5) {
            return Err(Failure::new(format!(
                "--ram-registers cannot be combined with --target {}: only netlists of ecp5 are supported; leave it out",
                self.target.name()
            )));
        }
        if self.target.router().is_none() {
            let why = "without placements: only the area of this target is reported; leave it out";
            given.refuse("seeds", why)?;
        }
        let config = self.core.resolve(given)?;
        let yosys = YOSYS.version()?;
        let router = self.target.router();
        let router_version = router.map(|router| router.version()).transpose()?;
        let design = match &self.top {
            None => Design::core(config)?,
            Some(top) => {
                let clock = self.clock_pin.as_deref().unwrap_or("clk");
                Design::module(&self.verilog, top, clock)?
            }
        };
        let mut outcomes = Vec::new();
        for flow in flows {
            outcomes.push(self.measured(&design, flow, part, speed.as_deref())?);
        }
        self.talk.print(|out| {
            if self.talk.json {
                let document = json!({
                    "command": "synth",
                    "yosys": yosys,
                    "nextpnr": router_version,
                    "results": outcomes,
                });
                return writeln!(out, "{document}");
            }
            outcome::show(&outcomes, out)
        })?;
        Ok(match outcomes.iter().all(Outcome::is_explained) {
            true => Finding::Good,
            false => Finding::CheckFailed,
        })
    }

    fn measured(
        &self,
        design: &Design,
        flow: Flow,
        part: Option<&Part>,
        speed: Option<&str>,
    ) -> Result<Outcome, Failure> {
        let name = flow.name();
        self.talk.note(&format!("synthesising ({name})"));
        let area = area::area(self.target, flow, design)?;
        // Synthesis may code a state machine anew, and these cores have none: of other modules, nothing would be known by this.
        let registers = match design.is_core() {
            true => Some(area::registers(self.target, flow, design)?),
            false => None,
        };
        let placer = Placer::new(self.target, flow, part, speed, self.seeds);
        let clock = match (&placer, part) {
            (Some(placer), Some(part)) => Some(self.clock(design, flow, placer, part)?),
            _ => None,
        };
        Ok(Outcome {
            subject: design.subject.clone(),
            target: self.target.name(),
            part: part.map(|part| part.name),
            speed: speed.map(str::to_string),
            flow: name,
            synthesis: self.target.synthesis(flow),
            area,
            registers,
            clock,
        })
    }

    fn clock(
        &self,
        design: &Design,
        flow: Flow,
        placer: &Placer,
        part: &Part,
    ) -> Result<Clock, Failure> {
        let bits: usize = design.pins.iter().map(|pin| pin.width).sum();
        let harness = match part.pins {
            // The clock has a pin, too.
            Some(most) if bits + 1 > most => harness::folded(design),
            _ => harness::registered(design),
        };
        let name = flow.name();
        self.talk.note(&format!("placing and routing ({name})"));
        let mut core = netlist(self.target, flow, &design.sources(&harness))?;
        let mut bits = None;
        if self.ram_registers {
            let (with_them, moved) = ram_registers::moved(&core, TOP)?;
            core = with_them;
            bits = Some(moved);
        }
        let core = placer.place(&core)?;
        self.talk
            .note(&format!("placing and routing the reference ({name})"));
        let reference = harness::reference();
        let reference = netlist(self.target, flow, &[Source::verilog(&reference)])?;
        let limit = placer.place(&reference)?;
        let placing = self.target.placing(flow);
        Ok(Clock::of(placing, design.bytes(), &core, &limit, bits))
    }

    fn flows(&self, given: &Given) -> Result<Vec<Flow>, Failure> {
        let flows = self.target.flows();
        let is_one = |asked: &str| {
            Failure::new(format!(
                "--flow {asked} cannot be combined with --target {}, which has only one synthesis; leave --flow out",
                self.target.name()
            ))
        };
        match self.flow {
            Asked::Both if flows.len() < 2 && given.written("flow").is_some() => {
                Err(is_one("both"))
            }
            Asked::Both => Ok(flows.to_vec()),
            Asked::One(flow) if flows.contains(&flow) => Ok(vec![flow]),
            Asked::One(flow) => Err(is_one(flow.name())),
        }
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
                "--part {wanted:?} has no effect: for {} only the area is reported, which does not depend on the part; leave --part out",
                self.target.name()
            ))),
            (None, false) => Err(Failure::new(format!(
                "--part {wanted:?} is not a part of {}; choose one of {}",
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
            "--speed {wanted:?} is not a speed grade of {}; {remedy}",
            part.map_or(self.target.name(), |part| part.name)
        )))
    }
}
