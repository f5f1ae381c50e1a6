//! Emission: a configuration becomes `NAME.v`, `NAME.json` and `NAME.f`, and the files of its registers.
//!
//! The only place that touches Verilog's text. `probe` takes the modules from Rust-HDL's description, `pins` gives them the
//! configuration's pins, `rewrite`, `prune` and `dissolve` make them what a person would write, [`print`] writes them. [`replace`]
//! keeps files of other configurations; [`files`] puts ours on disk whole or not at all.

mod description;
mod dissolve;
pub mod files;
mod module;
pub mod names;
#[cfg(test)]
mod parse;
mod pins;
mod print;
mod probe;
mod prune;
pub mod registers;
pub mod replace;
mod rewrite;

use crate::config::{Config, Core, Form, Mode};
use crate::flow::FIFO_LATENCY;
use crate::ports::ports;
use crate::{csr, decode, embedded, flows, validate};
use module::Module;
use rust_hdl::core::prelude::*;
use std::fmt;
use std::path::PathBuf;

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
        Some(_) => csr::of_flows(config.lanes),
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
fn described(config: &Config) -> Result<Vec<Module>, EmitError> {
    let core = embedded::build(config);
    embedded::with_stack(move || {
        check_all(core.block()).map_err(|error| EmitError::Check(format!("{error:?}")))?;
        probe::modules(core.block(), &config.module)
    })
}

fn verilog(config: &Config) -> Result<String, EmitError> {
    let mut modules = described(config)?;
    pins::adapt(&mut modules, config);
    let modules = rewrite::rewrite(modules)?;
    let table = ports(config);
    let describe = |name: &str| {
        let port = table.iter().find(|port| port.name == name)?;
        Some(port.description)
    };
    let mut text = header(config);
    for (index, module) in modules.iter().enumerate() {
        text.push('\n');
        text.push_str(&print::print(module, &|name| {
            if index == 0 { describe(name) } else { None }
        })?);
    }
    text.push_str("\n`default_nettype wire\n/* verilator lint_on DECLFILENAME */\n");
    Ok(text)
}

fn header(config: &Config) -> String {
    format!(
        "// SPDX-License-Identifier: MIT OR Apache-2.0\n\
         // DO NOT EDIT. Generated by runegate {} (rust-hdl {RUST_HDL_VERSION})\n\
         // Command: {}\n\
         // Config:  {}; latency {} clocks, ii 1, sha256 {}\n\
         // Reset:   rst, synchronous, active high; clears valids and carried state only\n\
         \n\
         // This file contains the whole core: a file list of one line is enough.\n\
         /* verilator lint_off DECLFILENAME */\n\
         `default_nettype none\n",
        env!("CARGO_PKG_VERSION"),
        config.command(),
        config.describe(),
        latency(config),
        config.hash(),
    )
}
