//! `runegate synth`: a core's area and clock on an FPGA, by Yosys and nextpnr.

mod area;
mod design;
mod harness;
mod outcome;
mod ram_registers;
mod sites;
mod timing;

use self::design::Design;
use self::harness::TOP;
use self::outcome::{Clock, Outcome};
use self::timing::{Placer, netlist};
use crate::clock::ClockOptions;
use crate::exit::{Failure, Finding};
use crate::fpga::Fpga;
use crate::fpga::flow::{Asked, Flow};
use crate::fpga::target::Target;
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
    #[command(flatten)]
    clock: ClockOptions,
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
        conflicts_with_all = ["Request", "config", "clock"]
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

impl Synth {
    pub fn run(self, given: &Given) -> Result<Finding, Failure> {
        let fpga = self.clock.fpga.or(Target::Ecp5)?;
        let target = fpga.target;
        let flows = self.flows(target, given)?;
        if self.ram_registers && target != Target::Ecp5 {
            return Err(Failure::new(format!(
                "--ram-registers cannot be combined with --target {}: only netlists of ecp5 are supported; leave it out",
                target.name()
            )));
        }
        if target.router().is_none() {
            let why = "without placements: only the area of this target is reported; leave it out";
            given.refuse("seeds", why)?;
        }
        let (request, _) = self.clock.of(self.core.request(given)?, &fpga)?;
        let config = request.resolve()?;
        let yosys = YOSYS.version()?;
        let router = target.router();
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
            outcomes.push(self.measured(&design, flow, &fpga)?);
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

    fn measured(&self, design: &Design, flow: Flow, fpga: &Fpga) -> Result<Outcome, Failure> {
        let Fpga {
            target,
            part,
            speed,
        } = fpga;
        let target = *target;
        let name = flow.name();
        self.talk.note(&format!("synthesising ({name})"));
        let area = area::area(target, flow, design)?;
        // Synthesis may code a state machine anew, and these cores have none: of other modules, nothing would be known by this.
        let registers = match design.is_core() {
            true => Some(area::registers(target, flow, design)?),
            false => None,
        };
        let placer = Placer::new(target, flow, *part, speed.as_deref(), self.seeds);
        let clock = match (&placer, part) {
            (Some(placer), Some(part)) => {
                let pins = part.pins;
                Some(self.clock(design, target, flow, placer, pins)?)
            }
            _ => None,
        };
        Ok(Outcome {
            subject: design.subject.clone(),
            target: target.name(),
            part: part.map(|part| part.name),
            speed: speed.clone(),
            flow: name,
            synthesis: target.synthesis(flow),
            area,
            registers,
            clock,
        })
    }

    fn clock(
        &self,
        design: &Design,
        target: Target,
        flow: Flow,
        placer: &Placer,
        pins: Option<usize>,
    ) -> Result<Clock, Failure> {
        let bits: usize = design.pins.iter().map(|pin| pin.width).sum();
        let harness = match pins {
            // The clock has a pin, too.
            Some(most) if bits + 1 > most => harness::folded(design),
            _ => harness::registered(design),
        };
        let name = flow.name();
        self.talk.note(&format!("placing and routing ({name})"));
        let mut core = netlist(target, flow, &design.sources(&harness))?;
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
        let reference = netlist(target, flow, &[Source::verilog(&reference)])?;
        let limit = placer.place(&reference)?;
        let placing = target.placing(flow);
        Ok(Clock::of(placing, design.bytes(), &core, &limit, bits))
    }

    fn flows(&self, target: Target, given: &Given) -> Result<Vec<Flow>, Failure> {
        let flows = target.flows();
        let is_one = |asked: &str| {
            Failure::new(format!(
                "--flow {asked} cannot be combined with --target {}, which has only one synthesis; leave --flow out",
                target.name()
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
}
