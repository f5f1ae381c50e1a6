//! `runegate prove`: unbounded proofs about the emitted Verilog, by SymbiYosys.

mod covered;
mod definitions;
mod sby;
mod text;
mod theorem;

use self::sby::{Run, Status, Task};
use self::theorem::Theorem;
use crate::dut;
use crate::exit::{Failure, Finding};
use crate::given::Given;
use crate::options::{CoreOptions, Talk};
use crate::report::merge;
use ::sim::tools;
use clap::Args;
use hdl::config::{Config, Request};
use serde_json::{Value, json};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Proves that a core conforms to RFC 3629, or to RFC 2279 with --grammar, for all inputs and any number of clocks
///
/// The theorems are grammar (the specification's two halves agree; of RFC 2279, too, that up to 10FFFF it is RFC 3629), decode (every
/// output of a decoder's pipeline follows the grammar), stream (with backpressure nothing is lost, duplicated, changed or stuck), validate
/// (every verdict follows the grammar), policy (every verdict has the forbidden classes of the packet's scalar values), positions (with
/// --window the bytes at the window's positions are judged), outside (no other byte influences a verdict), encode (the bytes of every word
/// follow the grammar), packing (each of these bytes leaves once, in order), sanitise (well-formed bytes stay, and all
/// others are replaced), packets (of the FIFO of --mode drop which packets come out, whole and in order) and registers: registers-bus
/// (every access is answered once, according to the map), registers-writes (the effect of a write, and the data of a read) and
/// registers-counters (a snapshot has the same packets in all counters, and a clear loses none).
/// Each is proven by k-induction, and its cover points show that it is not vacuous.
#[derive(Args)]
pub struct Prove {
    /// grammar, decode, stream, validate, policy, positions, outside, encode, packing, sanitise, packets, registers, or a single theorem of registers by its name [default: all theorems about the core, but packing with one lane only]
    #[arg(value_parser = Theorem::named)]
    theorems: Vec<Vec<Theorem>>,
    /// Time limit of the solver for one theorem, in seconds; a theorem that exceeds it is not proven
    #[arg(long, default_value_t = 900, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(1..=86_400))]
    timeout: u32,
    /// Prove the theorems about this Verilog instead of what `emit` writes; its top module must have the core's name and pins
    #[arg(long, value_name = "FILE.v")]
    verilog: Option<PathBuf>,
    #[command(flatten)]
    core: CoreOptions,
    #[command(flatten)]
    talk: Talk,
}

/// How it stands with a theorem.
enum Standing {
    Proven,
    /// With the place of the counterexample's waveform.
    Refuted(PathBuf),
    /// The induction fails, and no counterexample was found.
    Open,
    TimedOut,
    /// A cover point cannot be reached.
    Vacuous,
}

impl Standing {
    fn name(&self) -> &'static str {
        match self {
            Self::Proven => "proven",
            Self::Refuted(_) => "refuted",
            Self::Open => "open",
            Self::TimedOut => "timed out",
            Self::Vacuous => "vacuous",
        }
    }
}

impl Prove {
    pub fn run(self, given: &Given) -> Result<Finding, Failure> {
        let mut theorems = self.theorems.concat();
        let is_grammar = |theorem: &Theorem| !theorem.is_of_a_core();
        if !theorems.is_empty() && theorems.iter().all(is_grammar) {
            if let Some(path) = &self.verilog {
                return Err(Failure::new(format!(
                    "--verilog {path:?} is a core, but grammar is about the specification only; name a theorem about the core, or \
                     leave --verilog out"
                )));
            }
            // Each grammar has its specification.
            let why = "on grammar, which is about the specification only; name a theorem about the core, or leave it out";
            given.refuse_all::<Request>(&["grammar"], why)?;
        }
        let config = self.core.resolve(given)?;
        if theorems.is_empty() {
            theorems = Theorem::of(&config);
        }
        for theorem in &theorems {
            theorem.check(&config)?;
        }
        let yosys = tools::YOSYS.version()?;
        let solver = tools::YICES.version()?;
        let verilog = match &self.verilog {
            None => hdl::emit::emit(&config)?.verilog,
            Some(path) => dut::read(path)?,
        };
        let mut good = true;
        let mut document =
            json!({"command": "prove", "yosys": yosys, "solver": solver, "theorems": []});
        merge(&mut document, &json!(config));
        for theorem in &theorems {
            self.talk.note(&format!("proving {}", theorem.name()));
            let start = Instant::now();
            let standing = self.prove(*theorem, &config, &verilog)?;
            let seconds = start.elapsed().as_secs_f64();
            good &= matches!(standing, Standing::Proven);
            if !self.talk.json {
                let lines = text(*theorem, &config, &standing, &solver, seconds);
                self.talk.print(|out| write!(out, "{lines}"))?;
            }
            let told = told(*theorem, &config, &standing, seconds);
            document["theorems"]
                .as_array_mut()
                .expect("an array")
                .push(told);
        }
        if self.talk.json {
            self.talk.print(|out| writeln!(out, "{document}"))?;
        }
        Ok(if good {
            Finding::Good
        } else {
            Finding::CheckFailed
        })
    }

    fn prove(&self, theorem: Theorem, config: &Config, verilog: &str) -> Result<Standing, Failure> {
        let timeout = Duration::from_secs(self.timeout.into());
        let run = Run::new(theorem, config, verilog, timeout)?;
        let parts = theorem.parts(config);
        let name = format!("{}_{}", config.module, theorem.name());
        for (number, part) in parts.iter().enumerate() {
            if parts.len() > 1 {
                self.talk
                    .note(&format!("part {} of {}", number + 1, parts.len()));
            }
            match run.task(&Task::Prove(part.clone()))? {
                Status::Pass => continue,
                // What a part assumes of the others may be what is wrong: a counterexample is one of the whole.
                Status::Fail if parts.len() == 1 => {
                    return Ok(Standing::Refuted(keep(&run.trace(), &name)?));
                }
                Status::Timeout => return Ok(Standing::TimedOut),
                Status::Fail | Status::Unknown => {}
            }
            self.talk
                .note("the induction fails; looking for a counterexample");
            return Ok(match run.task(&Task::Search)? {
                Status::Fail => Standing::Refuted(keep(&run.trace(), &name)?),
                Status::Timeout => Standing::TimedOut,
                Status::Pass | Status::Unknown => Standing::Open,
            });
        }
        Ok(match run.task(&Task::Cover)? {
            Status::Pass => Standing::Proven,
            Status::Timeout => Standing::TimedOut,
            Status::Fail | Status::Unknown => Standing::Vacuous,
        })
    }
}

/// Keeps a counterexample as NAME.vcd, or NAME_2.vcd and so on: an earlier one is not overwritten.
fn keep(trace: &Path, name: &str) -> Result<PathBuf, Failure> {
    let fail = |path: &Path, error: std::io::Error| {
        Failure::new(format!(
            "cannot write the counterexample {path:?}: {error}; run it in a folder that can be written"
        ))
    };
    let mut path = PathBuf::from(format!("{name}.vcd"));
    let mut number = 1;
    let mut file = loop {
        match std::fs::File::create_new(&path) {
            Ok(file) => break file,
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                number += 1;
                path = PathBuf::from(format!("{name}_{number}.vcd"));
            }
            Err(error) => return Err(fail(&path, error)),
        }
    };
    let waveform = std::fs::read(trace);
    match waveform.and_then(|waveform| file.write_all(&waveform)) {
        Ok(()) => Ok(path),
        Err(error) => Err(fail(&path, error)),
    }
}

fn text(
    theorem: Theorem,
    config: &Config,
    standing: &Standing,
    solver: &str,
    seconds: f64,
) -> String {
    let depths = theorem.depths(config);
    let of = match theorem.is_of_a_core() {
        true => format!(" of {}", config.describe()),
        false => String::new(),
    };
    let how = match standing {
        Standing::Proven => format!(
            "unbounded, by k-induction of depth {} ({solver}); all cover points reached within {} clocks",
            depths.induction, depths.cover
        ),
        Standing::Refuted(path) => format!("counterexample: {}", path.display()),
        Standing::Open => format!(
            "the induction of depth {} fails, but no counterexample has {} clocks or fewer: not proven",
            depths.induction, depths.search
        ),
        Standing::TimedOut => "not proven; give it more time with --timeout".to_string(),
        Standing::Vacuous => format!(
            "a cover point is not reached within {} clocks: the proof may be vacuous",
            depths.cover
        ),
    };
    format!(
        "{}{of}: {}, {seconds:.1} s\n  {}\n  {how}\n",
        theorem.name(),
        standing.name(),
        theorem.sentence(config)
    )
}

fn told(theorem: Theorem, config: &Config, standing: &Standing, seconds: f64) -> Value {
    let depths = theorem.depths(config);
    let counterexample = match standing {
        Standing::Refuted(path) => Some(path),
        _ => None,
    };
    json!({
        "name": theorem.name(),
        "theorem": theorem.sentence(config),
        "result": standing.name(),
        "method": "k-induction",
        "depth": depths.induction,
        "cover_depth": depths.cover,
        "counterexample": counterexample,
        "seconds": seconds,
    })
}
