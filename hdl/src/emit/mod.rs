//! Emission: a configuration becomes `NAME.v`, `NAME.json` and `NAME.f`, and the files of its registers.
//!
//! `probe` takes the modules from Rust-HDL's description, `pins` gives them the configuration's pins, `simplify` makes them what a
//! person would write, `share` keeps one of those that are alike, `print` writes them. [`replace`] keeps files of other
//! configurations; [`files`] puts ours on disk whole or not at all.

mod description;
pub mod files;
mod module;
mod normal;
mod pins;
mod print;
mod probe;
pub mod registers;
pub mod replace;
mod share;
mod simplify;
mod text;

use crate::backpressure::FIFO_LATENCY;
use crate::config::ports::ports;
use crate::config::{Config, Core, Form, Mode};
use crate::layout::KINDS;
use crate::sideband::fields;
use crate::{csr, decode, embedded, flows, validate};
use module::Module;
use rust_hdl::prelude::*;
use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

pub use text::range;

/// Version of the crate that describes the hardware; Cargo.toml pins it, and a test compares the two.
pub const RUST_HDL_VERSION: &str = "0.46.0";

/// A core as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Emitted {
    pub verilog: String,
    pub json: String,
    pub file_list: String,
    /// Files of its registers, by the ends of their names.
    pub registers: Vec<(&'static str, String)>,
}

impl Emitted {
    /// `NAME.v`, `NAME.json`, `NAME.f`, and `NAME_regs.h`, `.rs` and `.md` if it has registers.
    pub fn files(&self, module: &str) -> Vec<(PathBuf, &str)> {
        let named = |end: &str| PathBuf::from(format!("{module}{end}"));
        let mut files = vec![
            (named(".v"), self.verilog.as_str()),
            (named(".json"), &self.json),
            (named(".f"), &self.file_list),
        ];
        let registers = self.registers.iter();
        files.extend(registers.map(|(end, text)| (named(end), text.as_str())));
        files
    }
}

/// A core could not be emitted.
#[derive(Debug, thiserror::Error)]
pub enum EmitError {
    #[error(
        "Rust-HDL refuses the description: {0}; this is a defect of Runegate, please report it"
    )]
    Check(String),
    #[error("the emitter does not know {0:?}; this is a defect of Runegate, please report it")]
    Unknown(String),
}

impl EmitError {
    fn unknown(what: &str) -> Self {
        Self::Unknown(what.to_string())
    }
}

/// Clocks from an accepted beat to what it gives, without stalls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Latency {
    /// From a beat to its own on `m_axis`; of events, if nothing of it waits for the next byte, and if `dense` then to the
    /// beat that it completes.
    pub stream: Option<usize>,
    /// From a packet's last beat to its verdict.
    pub verdict: Option<usize>,
}

/// The latency of a core.
pub fn latency(config: &Config) -> Latency {
    let lanes = config.lanes;
    let fifo = match config.form {
        Form::Free => 0,
        Form::Axis => FIFO_LATENCY,
    };
    let staged = staged(config);
    match config.core {
        Core::Decode { dense, .. } => Latency {
            stream: Some(decode::pipeline::latency(lanes, dense) + fifo),
            verdict: None,
        },
        Core::Validate {
            mode: Mode::Pass, ..
        } => Latency {
            stream: Some(validate::pass::latency(lanes) + fifo + staged),
            verdict: Some(validate::latency(lanes) + fifo + staged),
        },
        Core::Validate { flows: Some(_), .. } => Latency {
            stream: None,
            verdict: Some(flows::latency(lanes)),
        },
        // Who only watches has no FIFO.
        Core::Validate {
            mode: Mode::Snoop, ..
        } => Latency {
            stream: None,
            verdict: Some(validate::latency(lanes) + staged),
        },
    }
}

/// Clocks that a beat comes to the core later: with registers, one of a stream that nothing holds up.
fn staged(config: &Config) -> usize {
    let holds_up = match config.core {
        Core::Decode { .. } => config.form == Form::Axis,
        Core::Validate { flows, mode, .. } => {
            flows.is_some() || (config.form == Form::Axis && mode == Mode::Pass)
        }
    };
    usize::from(config.has_registers() && !holds_up)
}

/// Clocks from a packet's last beat, or from any beat of a flow, until it is in all counters.
pub fn counted(config: &Config) -> usize {
    match config.core.flows() {
        Some(_) => flows::to_counters(config.lanes),
        None => csr::latency(config.lanes) + staged(config),
    }
}

impl Latency {
    /// Of what the core is for: what a stream becomes, or else the verdict.
    pub fn main(&self) -> Option<usize> {
        self.stream.or(self.verdict)
    }
}

impl fmt::Display for Latency {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        match (self.stream, self.verdict) {
            (Some(stream), None) => write!(out, "{stream}"),
            (None, Some(verdict)) => write!(out, "{verdict}"),
            (Some(stream), Some(verdict)) => write!(out, "{stream}, of the verdict {verdict}"),
            (None, None) => Ok(()),
        }
    }
}

/// Emits a core.
pub fn emit(config: &Config) -> Result<Emitted, EmitError> {
    Ok(Emitted {
        verilog: verilog(config)?,
        json: description::json(config),
        file_list: format!("{}.v\n", config.module),
        registers: registers::files(config),
    })
}

/// The core's modules as Rust-HDL describes them.
fn described(config: &Config) -> Result<Module, EmitError> {
    let core = embedded::build(config);
    // A vector of no bits is a zero that nothing reads.
    let sideband = fields(config).width.max(1);
    embedded::with_stack(move || {
        check_all(core.block()).map_err(|error| EmitError::Check(format!("{error:?}")))?;
        probe::modules(core.block(), sideband)
    })
}

/// What happens in each stage, as the description says it: stages by their numbers, each with what its registers are.
pub fn stages(config: &Config) -> Result<BTreeMap<usize, Vec<String>>, EmitError> {
    fn collect(module: &Module, stages: &mut BTreeMap<usize, Vec<String>>) {
        for (stage, title) in &module.stages {
            let titles = stages.entry(*stage).or_default();
            if !titles.contains(title) {
                titles.push(title.clone());
            }
        }
        for instance in &module.instances {
            collect(&instance.module, stages);
        }
    }
    let mut top = described(config)?;
    pins::adapt(&mut top, config);
    simplify::simplify(&mut top)?;
    let mut stages = BTreeMap::new();
    collect(&top, &mut stages);
    Ok(stages)
}

fn verilog(config: &Config) -> Result<String, EmitError> {
    let mut top = described(config)?;
    pins::adapt(&mut top, config);
    simplify::simplify(&mut top)?;
    let modules = share::share(top, &config.module);
    let table = ports(config);
    let describe = |name: &str| {
        let port = table.iter().find(|port| port.name == name)?;
        Some(port.description)
    };
    let mut text = header(config);
    text.push_str(&map(&modules));
    text.push_str("/* verilator lint_off DECLFILENAME */\n`default_nettype none\n");
    for (index, module) in modules.iter().enumerate() {
        text.push('\n');
        text.push_str(&print::print(module, &modules, &|name| {
            if index == 0 { describe(name) } else { None }
        })?);
    }
    text.push_str("\n`default_nettype wire\n/* verilator lint_on DECLFILENAME */\n");
    Ok(text)
}

/// Columns of a list's first part, at most: a sentence after a longer name has a line of its own.
const COLUMN: usize = 40;

/// The modules, with a sentence of each.
fn map(modules: &[share::Shared]) -> String {
    let longest = modules.iter().map(|module| module.name.len()).max();
    let longest = longest.unwrap_or_default();
    let (column, break_after) = match longest {
        ..=COLUMN => (longest + 2, false),
        _ => (4, true),
    };
    let mut text = "//\n// Modules:\n".to_string();
    for module in modules {
        let sentence = match module.library {
            Some(share::Kind::Delay) => print::DELAY,
            None => text::first_sentence(&module.doc),
        };
        let indent = format!("//   {}", " ".repeat(column));
        let lines = text::lines(sentence, &indent).join("\n");
        let name = &module.name;
        if break_after {
            text.push_str(&format!("//   {name}\n{lines}\n"));
        } else {
            let rest = lines.strip_prefix(&indent).unwrap_or(&lines);
            text.push_str(&format!("//   {name:column$}{rest}\n"));
        }
    }
    text
}

fn header(config: &Config) -> String {
    let mut text = format!(
        "// SPDX-License-Identifier: MIT OR Apache-2.0\n\
         // DO NOT EDIT. Generated by runegate {} (rust-hdl {RUST_HDL_VERSION})\n",
        env!("CARGO_PKG_VERSION"),
    );
    let kinds = (KINDS.iter().enumerate()).map(|(code, kind)| format!("{code} {kind}"));
    let kinds: Vec<String> = kinds.collect();
    for (title, words) in [
        ("Command:", config.command()),
        ("Config: ", config.describe()),
        ("Hash:   ", format!("sha256 {}", config.hash())),
        ("Latency:", format!("{} clocks without stalls, ii 1", latency(config))),
        ("Kinds:  ", kinds.join(", ")),
        (
            "Reset:  ",
            "rst, synchronous, active high, needed once before the first beat; drops the packets in the core".to_string(),
        ),
    ] {
        for (index, line) in text::lines(&words, "//          ").iter().enumerate() {
            let line = line.trim_start_matches("//          ");
            let title = if index == 0 { title } else { "        " };
            text.push_str(&format!("// {title} {line}\n"));
        }
    }
    text.push_str("//\n// This file contains the whole core: a file list of one line is enough.\n");
    text
}
