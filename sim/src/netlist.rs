//! Netlists: what Yosys's synthesis for an FPGA family makes of a core's Verilog, and Verilog that any engine runs in its
//! place.
//!
//! The netlist instantiates the family's cells and keeps the core's pins. For simulation each cell is replaced by the model
//! of it that Yosys ships; registers begin with the value that the device loads them with.

use crate::cache::{self, CacheError};
use crate::interrupt;
use crate::tools::{ToolError, YOSYS};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::process::Command;

/// An FPGA family.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Family {
    Ecp5,
    Ice40,
}

impl Family {
    pub const ALL: [Self; 2] = [Self::Ecp5, Self::Ice40];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Ecp5 => "ecp5",
            Self::Ice40 => "ice40",
        }
    }

    /// Yosys's command for synthesis. Yosys ships no model of ECP5's block RAM, so memories are made of LUT RAM there.
    pub const fn synthesis(self) -> &'static str {
        match self {
            Self::Ecp5 => "synth_ecp5 -nowidelut -nobram",
            Self::Ice40 => "synth_ice40 -abc9 -device hx",
        }
    }
}

/// A netlist could not be made.
#[derive(Debug, thiserror::Error)]
pub enum NetlistError {
    #[error(transparent)]
    Tool(#[from] ToolError),
    #[error(transparent)]
    Cache(#[from] CacheError),
    #[error(
        "Yosys failed:\n{output}\nsee `runegate doctor` for the tools, and check the Verilog and its top module"
    )]
    Failed { output: String },
    #[error("cannot run Yosys: {0}; see `runegate doctor` for the tools")]
    Io(#[from] std::io::Error),
}

/// The netlist of some Verilog with this top module, in terms of the family's cells.
pub fn synthesise(family: Family, module: &str, verilog: &str) -> Result<String, NetlistError> {
    // With its attributes a netlist would be three times as long.
    let synthesis = family.synthesis();
    yosys(verilog, &format!("{synthesis} -top {module}"))
}

/// A netlist with the models of its cells in their places, which needs nothing else to be simulated.
pub fn with_cells(family: Family, module: &str, netlist: &str) -> Result<String, NetlistError> {
    // Models are elaborated only if they are used, and made small while there is one of each and not yet one for each cell: in
    // a third of the time. Bit by bit, no vector makes a loop of signals that are none, and engines build it in half the time.
    let name = family.name();
    let script = format!(
        "read_verilog -defer -D NO_INCLUDES +/{name}/cells_sim.v; hierarchy -check -top {module}; proc; \
         opt -mux_bool -fine; memory -nomap; simplemap; opt_clean -purge; flatten; opt_clean -purge; splitnets; \
         opt -mux_bool -fine; opt_clean -purge"
    );
    yosys(netlist, &script)
}

/// A text that Yosys reads.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    pub text: &'a str,
    /// SystemVerilog (IEEE 1800), whose keywords Verilog may use as names.
    pub system_verilog: bool,
}

impl<'a> Source<'a> {
    pub const fn verilog(text: &'a str) -> Self {
        let system_verilog = false;
        Self {
            text,
            system_verilog,
        }
    }
}

/// What these commands make of some Verilog; made once for each content.
pub fn yosys(verilog: &str, commands: &str) -> Result<String, NetlistError> {
    let source = [Source::verilog(verilog)];
    cached(&source, &format!("{commands}; write_verilog -noattr out"))
}

/// The same as Yosys's JSON, with its attributes.
pub fn yosys_json(verilog: &str, commands: &str) -> Result<String, NetlistError> {
    yosys_json_of(&[Source::verilog(verilog)], commands)
}

/// The same of several texts, which are read in this order.
pub fn yosys_json_of(sources: &[Source], commands: &str) -> Result<String, NetlistError> {
    cached(sources, &format!("{commands}; write_json out"))
}

fn cached(sources: &[Source], commands: &str) -> Result<String, NetlistError> {
    let reads: Vec<String> = (sources.iter().enumerate())
        .map(|(place, source)| {
            let option = if source.system_verilog { "-sv " } else { "" };
            format!("read_verilog {option}in{place}.v; ")
        })
        .collect();
    let script = reads.concat() + commands;
    let version = YOSYS.version()?;
    let texts = sources.iter().map(|source| source.text);
    let parts: Vec<&str> = [version.as_str(), &script]
        .into_iter()
        .chain(texts)
        .collect();
    let path = cache::file(&cache::key(&parts), "netlist", |folder| {
        run(folder, sources, &script)
    })?;
    Ok(std::fs::read_to_string(path)?)
}

/// Runs a script that reads the sources and writes `out`.
fn run(folder: &Path, sources: &[Source], script: &str) -> Result<PathBuf, NetlistError> {
    for (place, source) in sources.iter().enumerate() {
        std::fs::write(folder.join(format!("in{place}.v")), source.text)?;
    }
    // Yosys in WebAssembly sees the folder that it is started in, and perhaps no other.
    let mut command = Command::new(YOSYS.program());
    command.current_dir(folder).args(["-q", "-p", script]);
    let output = interrupt::output(&mut command)?;
    if !output.status.success() {
        let said = [output.stderr, output.stdout].concat();
        return Err(NetlistError::Failed {
            output: String::from_utf8_lossy(&said).trim().to_string(),
        });
    }
    Ok(folder.join("out"))
}
