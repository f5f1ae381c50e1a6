//! `runegate sim`: a core on real input, in lockstep with the cycle model.

mod again;
mod agreement;
mod campaign;
mod coverage;
mod disturb;
mod line;
mod merge;
mod registers;
mod shard;
mod traffic;
mod written;

use crate::clock::ClockOptions;
use crate::dut::Text;
use crate::exit::{Failure, Finding};
use crate::file::RunOptions;
use crate::given::Given;
use crate::inputs::{Inputs, progress_bar, refuse_overlap};
use crate::options::{CoreOptions, Talk, refuse_flows};
use crate::output::NewFile;
use crate::report::{self, Report};
use crate::stimulus::{Resolved, StimulusOptions};
use crate::{dut, output};
use ::sim::cache;
use ::sim::campaign::{Campaign, Plan};
use ::sim::coverage::{Hits, Tracked};
use ::sim::engine::{self, Dut, EngineKind};
use ::sim::lockstep::{self, Outcome, Summary};
use ::sim::netlist::Family;
use ::sim::observer::Sink;
use ::sim::packets::Packets;
use ::sim::texts::Texts;
use campaign::CampaignOptions;
use clap::Args;
use coverage::CoverageOptions;
use hdl::config::flags::named;
use hdl::config::{CoreName, Request};
use line::Stood;
use merge::{Conclusion, conclude};
use serde_json::json;
use shard::{Counter, Run, ShardReport, Span};
use std::path::{Path, PathBuf};
use std::time::Instant;
use traffic::TrafficOptions;
use written::Written;

/// Runs files through a core and the cycle model, and compares every output at every clock
///
/// A file that is not UTF-8 is not an error: its verdict reports the first ill-formed piece. With --stimulus the tool generates the
/// input instead.
#[derive(Args)]
pub struct Sim {
    /// Files, or - for standard input; each is a packet
    files: Vec<PathBuf>,
    #[command(flatten)]
    run: RunOptions,
    /// Write the core's events to a file (- is standard output), one JSON line per event
    #[arg(long, value_name = "FILE")]
    events: Option<PathBuf>,
    /// Write the octets that the core sends on m_axis to a file (- is standard output, to be used with --quiet): with --to utf16le or
    /// utf16be, the text in that encoding; of encode and sanitise, UTF-8, or with --frames the frames one after another
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
    /// Write a waveform of the run to FILE.vcd or FILE.fst
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
    /// Run this Verilog instead of what `emit` writes; its top module must have the core's name and pins. Name only a file
    /// that you trust: the simulator runs its system tasks with your permissions
    #[arg(long, value_name = "FILE.v")]
    verilog: Option<PathBuf>,
    /// Run the netlist that Yosys synthesises from the Verilog for this FPGA family: ecp5 or ice40
    #[arg(long, value_name = "FAMILY", conflicts_with = "verilog", hide_possible_values = true, value_parser = named::<Family>())]
    netlist: Option<Family>,
    #[command(flatten, next_help_heading = "The clock")]
    clock: ClockOptions,
    #[command(flatten, next_help_heading = "A capture as input")]
    traffic: TrafficOptions,
    #[command(flatten, next_help_heading = "Generated input")]
    campaign: CampaignOptions,
    #[command(flatten, next_help_heading = "Coverage")]
    coverage: CoverageOptions,
    #[command(flatten, next_help_heading = "Idles, stalls and resets")]
    stimulus: StimulusOptions,
    #[command(flatten)]
    core: CoreOptions,
    #[command(flatten)]
    talk: Talk,
}

impl Sim {
    pub fn run(mut self, given: &Given) -> Result<Finding, Failure> {
        if !self.campaign.merge.is_empty() {
            return merge::run(&self.campaign.merge, self.talk);
        }
        let file = self.core.file()?;
        let request = file.under::<Request>(given)?;
        let also = ("line-rate", self.traffic.line_rate.is_some());
        let (request, reached) = self.clock.complete(request, Some(also))?;
        if let Some(reached) = reached {
            self.talk.note(&reached.to_string());
        }
        let config = request.resolve()?;
        self.run = file.under(given)?;
        self.stimulus = file.under(given)?;
        self.campaign.input = file.under(given)?;
        let mut resolved = self
            .stimulus
            .resolve(config, self.campaign.input.stimulus)?;
        disturb::settle(&mut resolved, self.events.is_some() || self.write.is_some())?;
        if self.traffic.pcap.is_some() && resolved.config.core.policy().has_window {
            if let Some(texts) = self.stimulus.text {
                return Err(Failure::new(format!(
                    "--text {texts} cannot be combined with --pcap, whose frames say where their text is; leave one of them out"
                )));
            }
            resolved.pattern.texts = Texts::OfSource;
        }
        let resolved = resolved;
        let line = self.traffic.line(&resolved, self.clock.clock)?;
        if self.coverage.coverage.is_some() {
            let why = "its points follow whole packets";
            refuse_flows(&resolved.config, "--coverage", why)?;
            if resolved.config.core.name() == CoreName::Encode {
                return Err(Failure::new(
                    "--coverage cannot be combined with --core encode: its points are of bytes; leave it out",
                ));
            }
            if resolved.config.beat_error {
                return Err(Failure::new(
                    "--coverage cannot be combined with --beat-error: no beat of the stimulus violates the contract, so the pin never \
                     rises; leave one of them out",
                ));
            }
        }
        let needs = [
            ("events", self.events.is_some()),
            ("pcap", self.traffic.pcap.is_some()),
            ("write", self.write.is_some()),
        ];
        disturb::refuse(&resolved.pattern, &needs)?;
        let config = &resolved.config;
        let RunOptions { engine, split } = &self.run;
        let (name, split) = (engine.as_deref(), split.as_deref());
        let core = config.core.name();
        if let Some(path) = self.events.as_ref().filter(|_| core != CoreName::Decode) {
            let instead = match core {
                CoreName::Validate => "verdicts",
                _ => "bytes",
            };
            return Err(Failure::new(format!(
                "--events {path:?} needs events, but the core {core} puts out {instead}; leave it out, or choose --core \
                 decode"
            )));
        }
        if let (Some(path), CoreName::Encode) = (&self.traffic.pcap, core) {
            return Err(Failure::new(format!(
                "--pcap {path:?} has packets of bytes, but the core encode takes words; leave it out, or choose another core"
            )));
        }
        if let (Some(split), CoreName::Encode) = (split.filter(|&split| split != "whole"), core) {
            return Err(Failure::new(format!(
                "--split {split} cannot be combined with --core encode: it would cut words; leave it out"
            )));
        }
        if (resolved.stimulus, split) == (Some(Campaign::Random), Some("whole")) {
            let why = "on --stimulus random, whose input already consists of packets; leave it out";
            given.refuse("split", why)?;
        }
        let trace = self.trace.as_deref().map(dut::trace).transpose()?;
        let plan = self.campaign.plan(&resolved, split, &self.files)?;
        let read = self
            .files
            .iter()
            .chain(&self.traffic.pcap)
            .chain(&self.verilog)
            .chain(&self.core.config);
        refuse_overlap(
            &read.map(PathBuf::as_path).collect::<Vec<_>>(),
            &[
                ("events", self.events.as_deref()),
                ("write", self.write.as_deref()),
                ("trace", self.trace.as_deref()),
                ("coverage", self.coverage.coverage.as_deref()),
            ],
        )?;
        let stimulus = plan.as_ref().map(|plan| plan.campaign.name());
        let others = [
            self.files.first().map(|file| format!("the input {file:?}")),
            stimulus.map(|name| format!("--stimulus {name}")),
            split.map(|split| format!("--split {split}")),
        ];
        let mut capture = self
            .traffic
            .open(others.into_iter().flatten().next(), config)?;
        let (packets, total, origins) = match (&plan, &mut capture) {
            (Some(plan), _) => (plan.packets(), Some(plan.bytes()), None),
            (None, Some(capture)) => {
                let (packets, origins) = capture.packets(line, config.core.flows());
                let total = packets.bytes;
                let packets: Box<dyn Packets> = Box::new(packets);
                (packets, Some(total), Some(origins))
            }
            (None, None) => {
                let seed = resolved.pattern.seed;
                let word = config.core.input_bits() / 8;
                let inputs = Inputs::open(&self.files, split, config.lanes, word, seed)?;
                let total = inputs.total;
                let (packets, origins) = inputs.packets();
                (packets, total, Some(origins))
            }
        };
        // A verdict is not known to be of which packet if some have none.
        let drops = disturb::drops(&resolved.pattern);
        let origins = origins.filter(|_| !drops);
        let are_whole = !config.core.policy().has_window;
        let mut report = Report::new(origins, self.talk, self.events.as_deref(), are_whole)?;
        let write = self.write.as_deref();
        let written = write.map(|path| Written::new(config, path)).transpose()?;
        let coverage = self.coverage.file();
        if let Some(file) = &coverage {
            file.check()?;
        }
        // Only what has a place and an input is worth the wait for a build.
        let (kind, version) = dut::engine(name, self.talk)?;
        let text = match self.netlist {
            Some(family) => dut::netlist(config, kind, family)?,
            // A campaign's report has its digest.
            None => dut::verilog(config, kind, self.verilog.as_deref(), plan.is_some())?,
        };
        let campaign = plan.as_ref().map(|plan| {
            let run = self.campaign_run(&resolved, plan, kind, &version, &text);
            (run, Span::of(plan.shard, plan.count))
        });
        if let (Some(path), Some((run, span))) = (&self.campaign.report, &campaign) {
            if let Some(report) = ShardReport::earlier(path, run, span)? {
                let note = format!("{path:?} is this shard's report: nothing to run");
                self.talk.note(&note);
                return conclude(&report, 1).print(self.talk);
            }
            report_file(path).check()?;
        }
        let dut = Dut {
            config,
            verilog: &text.verilog,
            trace,
            coverage: coverage.is_some(),
            bytes: total,
        };
        let mut engine = engine::start(kind, &dut)?;
        let bar = progress_bar(self.talk, total);
        let mut counter = Counter::new(config, plan.as_ref(), written, &mut report);
        let start = Instant::now();
        let run = |sink: &mut dyn Sink| {
            let progress = &mut |bytes| bar.set_position(bytes);
            lockstep::run(
                config,
                engine.as_mut(),
                packets,
                resolved.pattern,
                sink,
                progress,
            )
        };
        let mut hits = Hits::default();
        let outcome = if coverage.is_some() {
            let mut tracked = Tracked::new(config, &mut counter);
            let outcome = run(&mut tracked)?;
            hits = tracked.hits();
            outcome
        } else {
            run(&mut counter)?
        };
        hits.merge(engine.coverage()?);
        let Counter {
            mut totals,
            registers,
            written,
            ..
        } = counter;
        totals.seconds = start.elapsed().as_secs_f64();
        bar.finish_and_clear();
        // Completes the trace. A mismatch is reported first: it is what the run is for.
        let finished = engine.finish();
        drop(engine);

        let mut stood = None;
        let mut lines = match outcome {
            Outcome::Agreed(summary) => {
                totals.cycles = summary.cycles;
                totals.bytes = summary.bytes;
                totals.resets = summary.resets;
                totals.accesses = summary.accesses;
                stood = Stood::of(line, summary.strain, config.lanes);
                let ran = match (self.netlist, &text.yosys) {
                    (Some(family), Some(yosys)) => format!(
                        "{} ({version}), its {} netlist of {yosys}",
                        kind.name(),
                        family.name()
                    ),
                    _ => format!("{} ({version})", kind.name()),
                };
                agreed(&resolved, &ran, &summary)
            }
            Outcome::Differed(mismatch) => {
                let told = self.tell(&mismatch, &resolved, kind, plan.as_ref());
                totals.cycles = mismatch.cycle + 1;
                totals.bytes = mismatch.byte;
                totals.mismatches = 1;
                totals.mismatch = Some(told.json);
                output::tell(&told.text);
                "  the core and the model differ: standard error says where\n".to_string()
            }
        };
        written.map(Written::finish).transpose()?;
        finished?;
        let agreed = totals.mismatches == 0;
        let mut conclusion = if let Some((run, shard)) = campaign {
            let result = ShardReport { run, shard, totals };
            if let Some(path) = &self.campaign.report {
                report_file(path).write(&result.json())?;
            }
            conclude(&result, 1)
        } else {
            let latency = hdl::emit::latency(config);
            let mut json = json!({
                "command": "sim",
                "engine": kind.name(),
                "engine_version": version,
                "netlist": self.netlist,
                "yosys_version": text.yosys,
                "seed": resolved.pattern.seed,
                "latency": latency.main(),
                "verdict_latency": latency.verdict,
                "cycles": totals.cycles,
                "bytes": totals.bytes,
                "mismatches": totals.mismatches,
            });
            report::merge(&mut json, &json!(config));
            if drops {
                // The document has no list of packets then.
                report::merge(&mut json, &totals.disturbed().json(config));
                json["packet_count"] = totals.packet_count.into();
                json["ill_formed_packets"] = totals.ill_formed_packets.into();
                lines += &totals.disturbed().line();
            }
            if let (Some(read), true) = (registers.json(), agreed) {
                json["registers"] = read;
            }
            let mut finding = Finding::Good;
            if let Some(mismatch) = totals.mismatch {
                json["mismatch"] = mismatch;
                finding = Finding::CheckFailed;
            }
            Conclusion {
                json,
                lines,
                finding,
            }
        };
        if agreed {
            conclusion.lines += &registers.told(drops);
        }
        if let Some(capture) = &capture {
            report::merge(&mut conclusion.json, &capture.json());
            conclusion.lines = capture.lines() + &conclusion.lines;
            if let (Some(wrong), true) = (capture.wrong(), agreed) {
                output::tell(&format!("error: {wrong}"));
                conclusion.finding = Finding::CheckFailed;
            }
        }
        if let Some(stood) = stood {
            conclusion.json["line"] = stood.json();
            conclusion.lines += &stood.told();
        }
        if let (Some(file), true) = (coverage, agreed) {
            let constants = dut::constants(config, kind, &text, self.talk)?;
            self.coverage
                .conclude(&file, config, &hits, &constants, &mut conclusion)?;
        }
        let Conclusion {
            json,
            lines,
            finding,
        } = conclusion;
        report.finish(&json, &lines)?;
        Ok(finding)
    }

    /// What all shards of the campaign have in common.
    fn campaign_run(
        &self,
        resolved: &Resolved,
        plan: &Plan,
        kind: EngineKind,
        version: &str,
        text: &Text,
    ) -> Run {
        Run {
            command: "sim".to_string(),
            runegate: env!("CARGO_PKG_VERSION").to_string(),
            stimulus: plan.campaign,
            count: plan.count,
            seed: plan.seed,
            engine: kind.name().to_string(),
            engine_version: version.to_string(),
            arguments: self.arguments(resolved, kind, Some(plan)),
            verilog_hash: cache::key(&[&text.verilog]),
            config_sha256: resolved.config.hash(),
            config: json!(resolved.config),
        }
    }
}

fn report_file(path: &Path) -> NewFile<'_> {
    let what = "report";
    NewFile { path, what }
}

fn agreed(resolved: &Resolved, ran: &str, summary: &Summary) -> String {
    let config = &resolved.config;
    format!(
        "{} ({}) on {ran}, seed {}:\n  {} in {} clocks, every output equal to the model's at every \
         clock: 0 mismatches\n",
        config.module,
        config.describe(),
        resolved.pattern.seed,
        report::describe_count(summary.bytes, "byte"),
        summary.cycles
    )
}
