//! `runegate sim`: a core on real input, in lockstep with the cycle model.

use crate::inputs::{Inputs, progress_bar, refuse_overlap};
use crate::options::{CoreOptions, Resolved, StimulusOptions, Talk};
use crate::report::{Report, merge};
use crate::{Failure, Finding, output};
use ::sim::engine::{self, Dut, EngineKind, Trace, TraceFormat};
use ::sim::lockstep::{self, Outcome, Summary};
use ::sim::mismatch::Mismatch;
use ::sim::tools::{self, ToolError};
use clap::Args;
use hdl::config::{Config, CoreName};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Runs files through a core and the cycle model, and compares every output pin at every clock
///
/// A file that is not UTF-8 is no error: the verdict says what is wrong with it.
#[derive(Args)]
pub struct Sim {
    /// Files, or - for standard input; each is a packet
    files: Vec<PathBuf>,
    /// verilator, icarus or embedded [default: verilator, or embedded where that is not installed]
    #[arg(long)]
    engine: Option<String>,
    /// whole (an input is a packet), lines (each line is one, without its line feed) or ladder (packets of 0, 1, 2 ... 4 * LANES
    /// bytes, a long one, 64 of one byte, and again) [default: whole]
    #[arg(long, value_name = "HOW")]
    split: Option<String>,
    /// Write one JSON line per event, as the core put it out, to a file
    #[arg(long, value_name = "FILE")]
    events: Option<PathBuf>,
    /// Write a waveform of the run to FILE.vcd or FILE.fst
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
    /// Run this Verilog instead of what `emit` writes; its top module must have the core's name and pins
    #[arg(long, value_name = "FILE.v")]
    verilog: Option<PathBuf>,
    #[command(flatten)]
    stimulus: StimulusOptions,
    #[command(flatten)]
    core: CoreOptions,
    #[command(flatten)]
    talk: Talk,
}

impl Sim {
    pub fn run(self) -> Result<Finding, Failure> {
        let resolved = self.stimulus.resolve(&self.core)?;
        let Resolved {
            config, pattern, ..
        } = &resolved;
        let split = self.split.as_deref().or(resolved.split.as_deref());
        let name = self.engine.as_deref().or(resolved.engine.as_deref());
        if let (Some(path), CoreName::Validate) = (&self.events, config.core.name()) {
            return Err(Failure::new(format!(
                "--events {path:?} needs events, but the core validate puts out verdicts; leave it out, or choose --core \
                 decode"
            )));
        }
        let trace = self.trace.as_deref().map(trace).transpose()?;
        let read = self
            .files
            .iter()
            .chain(&self.verilog)
            .chain(&self.core.config);
        refuse_overlap(
            &read.map(PathBuf::as_path).collect::<Vec<_>>(),
            &[
                ("events", self.events.as_deref()),
                ("trace", self.trace.as_deref()),
            ],
        )?;
        let inputs = Inputs::open(&self.files, split, config.lanes)?;
        let total = inputs.total;
        let (packets, origins) = inputs.packets();
        let mut report = Report::new(origins, self.talk.json, self.events.as_deref())?;
        // Only what has a place and an input is worth the wait for a build.
        let (kind, version) = choose_engine(name, self.talk)?;
        let verilog = self.verilog(config, kind)?;
        let dut = Dut {
            config,
            verilog: &verilog,
            trace,
        };
        let mut engine = engine::start(kind, &dut)?;
        let bar = progress_bar(self.talk, total);
        let outcome = lockstep::run(
            config,
            engine.as_mut(),
            packets,
            *pattern,
            &mut report,
            &mut |bytes| bar.set_position(bytes),
        )?;
        bar.finish_and_clear();
        // Closes the trace before anyone is told of it.
        drop(engine);

        let latency = hdl::emit::latency(config);
        let mut run = json!({
            "command": "sim",
            "engine": kind.name(),
            "engine_version": version,
            "seed": pattern.seed,
            "latency": latency.main(),
            "verdict_latency": latency.verdict,
        });
        merge(&mut run, &json!(config));
        match outcome {
            Outcome::Agreed(summary) => {
                run["cycles"] = summary.cycles.into();
                run["bytes"] = summary.bytes.into();
                run["mismatches"] = 0.into();
                report.finish(&run, &agreed(&resolved, kind, &version, &summary))?;
                Ok(Finding::Good)
            }
            Outcome::Differed(mismatch) => {
                let told = self.tell(&mismatch, &resolved, kind);
                run["cycles"] = (mismatch.cycle + 1).into();
                run["bytes"] = mismatch.byte.into();
                run["mismatches"] = 1.into();
                run["mismatch"] = told.json;
                output::tell(&told.text);
                report.finish(
                    &run,
                    "  the core and the model differ: standard error says where\n",
                )?;
                Ok(Finding::CheckFailed)
            }
        }
    }

    /// The Verilog to run.
    fn verilog(&self, config: &Config, kind: EngineKind) -> Result<String, Failure> {
        match &self.verilog {
            None => Ok(hdl::emit::emit(config)?.verilog),
            Some(path) if kind == EngineKind::Embedded => Err(Failure::new(format!(
                "--verilog {path:?} cannot be run by the embedded engine, which runs the description itself; choose \
                 --engine verilator or icarus"
            ))),
            Some(path) => std::fs::read_to_string(path).map_err(|error| {
                Failure::new(format!(
                    "cannot read the Verilog {path:?}: {error}; name a file that can be read"
                ))
            }),
        }
    }

    /// Everything that helps with a mismatch: both sides, a waveform, and how to see it again.
    fn tell(&self, mismatch: &Mismatch, resolved: &Resolved, kind: EngineKind) -> Told {
        let path = PathBuf::from(format!("{}_mismatch.vcd", resolved.config.module));
        let waveform = write_waveform(mismatch, &path);
        let command = self.command(resolved, kind);
        let stdin = self.files.is_empty() || self.files.iter().any(|file| file.as_os_str() == "-");
        let given = if stdin {
            ", with the same standard input"
        } else {
            ""
        };
        let waveform_line = match &waveform {
            Ok(()) => format!("  waveform of the clocks around it: {}", path.display()),
            Err(error) => format!("  its waveform could not be written to {path:?}: {error}"),
        };
        let differences: Vec<Value> = mismatch
            .differences
            .iter()
            .map(|difference| {
                json!({"pin": difference.pin, "model": difference.model, "dut": difference.dut})
            })
            .collect();
        Told {
            text: format!("{mismatch}{waveform_line}\n  again{given}: {command}"),
            json: json!({
                "cycle": mismatch.cycle,
                "byte": mismatch.byte,
                "packet": mismatch.packet,
                "offset": mismatch.offset,
                "pins": differences,
                "waveform": waveform.is_ok().then_some(path),
                "command": command,
            }),
        }
    }

    /// The command line that runs the same clocks again.
    fn command(&self, resolved: &Resolved, kind: EngineKind) -> String {
        let pattern = &resolved.pattern;
        let mut words: Vec<String> = format!(
            "runegate sim --engine {} {} --seed {}",
            kind.name(),
            resolved.config.arguments(),
            pattern.seed
        )
        .split(' ')
        .map(str::to_string)
        .collect();
        let mut option = |name: &str, value: Option<String>| {
            words.extend(value.map(|value| format!("--{name} {value}")));
        };
        let number = |value: f64| (value > 0.0).then(|| value.to_string());
        option("idle", number(pattern.idle.share));
        option("idle-burst", pattern.idle.burst.map(|b| b.to_string()));
        option("stall", number(pattern.stall.share));
        option("stall-burst", pattern.stall.burst.map(|b| b.to_string()));
        option("late-last", number(pattern.late_last));
        option("split", self.split.clone().or(resolved.split.clone()));
        option("verilog", self.verilog.as_deref().map(quoted));
        words.extend(self.files.iter().map(|file| quoted(file)));
        words.join(" ")
    }
}

struct Told {
    text: String,
    json: Value,
}

fn write_waveform(mismatch: &Mismatch, path: &Path) -> std::io::Result<()> {
    let mut file = std::io::BufWriter::new(std::fs::File::create(path)?);
    mismatch.write_vcd(&mut file)?;
    std::io::Write::flush(&mut file)
}

/// A path as a shell takes it.
fn quoted(path: &Path) -> String {
    let text = path.to_string_lossy();
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./+,@%:".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        text.into_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

fn agreed(resolved: &Resolved, kind: EngineKind, version: &str, summary: &Summary) -> String {
    let config = &resolved.config;
    format!(
        "{} ({}) on {} ({version}), seed {}:\n  {} bytes in {} clocks, every output pin equal to the model's at every \
         clock: 0 mismatches\n",
        config.module,
        config.describe(),
        kind.name(),
        resolved.pattern.seed,
        summary.bytes,
        summary.cycles
    )
}

/// The engine to use, and its version. Without a name it is Verilator, if that is installed.
fn choose_engine(name: Option<&str>, talk: Talk) -> Result<(EngineKind, String), Failure> {
    let kind = match name {
        Some(name) => EngineKind::ALL
            .into_iter()
            .find(|kind| kind.name() == name)
            .ok_or_else(|| {
                Failure::new(format!(
                    "--engine is {name:?}, but the engines are verilator, icarus and embedded; choose one of those"
                ))
            })?,
        None if matches!(tools::VERILATOR.version(), Err(ToolError::Missing { .. })) => {
            talk.note(&format!(
                "Verilator is not installed: using Rust-HDL's own simulator (embedded engine). For the real one: {}",
                tools::VERILATOR.install
            ));
            EngineKind::Embedded
        }
        None => EngineKind::Verilator,
    };
    let version = match kind {
        EngineKind::Verilator => tools::VERILATOR.version()?,
        EngineKind::Icarus => tools::ICARUS.version()?,
        EngineKind::Embedded => format!("rust-hdl {}", hdl::emit::RUST_HDL_VERSION),
    };
    Ok((kind, version))
}

/// A trace by its file's name.
fn trace(path: &Path) -> Result<Trace, Failure> {
    let format = match path.extension().and_then(|extension| extension.to_str()) {
        Some("vcd") => TraceFormat::Vcd,
        Some("fst") => TraceFormat::Fst,
        _ => {
            return Err(Failure::new(format!(
                "the trace {path:?} has no known format; name a file that ends in .vcd or .fst"
            )));
        }
    };
    Ok(Trace {
        path: path.to_path_buf(),
        format,
    })
}
