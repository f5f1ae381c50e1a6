//! What is run, and what every engine can do with it.

use crate::cache::CacheError;
use crate::coverage::Hits;
use crate::interrupt;
use crate::tools::ToolError;
use crate::undefined::Undefined;
use hdl::config::Config;
use std::path::PathBuf;
use std::process::Command;

/// A running DUT. It may run in another thread than the one that started it.
pub trait Engine: Send {
    /// Runs `clocks` clocks. Frames are laid out as in [`hdl::embedded`]: inputs of all clocks one after another, and
    /// outputs likewise, as they are before each clock's rising edge. Outputs that are not all zeros and ones are returned,
    /// in order; the bits that are not have zeros in their words.
    fn run(
        &mut self,
        clocks: usize,
        inputs: &[u32],
        outputs: &mut [u32],
    ) -> Result<Vec<Undefined>, EngineError>;

    /// Whether it puts X on inputs that AXI leaves undefined, so that outputs may have X where they mean nothing.
    fn drives_x(&self) -> bool {
        false
    }

    /// What of the Verilog the clocks so far have reached; nothing, if the engine does not count it or was not to.
    fn coverage(&mut self) -> Result<Hits, EngineError> {
        Ok(Hits::default())
    }

    /// Ends the run: completes the waveform, if there is one, and moves it to its place. It must not run again. An engine that
    /// is dropped without this leaves no waveform.
    fn finish(&mut self) -> Result<(), EngineError> {
        Ok(())
    }
}

/// What to run, and how.
pub struct Dut<'a> {
    pub config: &'a Config,
    /// The Verilog to run; the embedded engine runs the description itself and takes none.
    pub verilog: &'a str,
    /// Where to write a waveform of every net.
    pub trace: Option<Trace>,
    /// Whether to count which lines and toggles of the Verilog are reached. Only Verilator can.
    pub coverage: bool,
    /// How much it will be given, if that is known: a short run is not worth a long compilation.
    pub bytes: Option<u64>,
}

/// A waveform file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    pub path: PathBuf,
    pub format: TraceFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TraceFormat {
    Vcd,
    Fst,
}

/// An engine could not be started, or stopped.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    #[error(transparent)]
    Tool(#[from] ToolError),
    #[error(transparent)]
    Cache(#[from] CacheError),
    #[error(
        "{tool} failed:\n{output}\nif this Verilog is what `runegate emit` writes, see `runegate doctor` for the tools, or \
         choose --engine embedded"
    )]
    Failed { tool: &'static str, output: String },
    #[error("{tool} printed {line:?} instead of a clock's outputs")]
    Output { tool: &'static str, line: String },
    #[error(
        "cannot run {tool}: {source}; see `runegate doctor` for the tools, or choose another --engine"
    )]
    Io {
        tool: &'static str,
        source: std::io::Error,
    },
    #[error("cannot write the trace {path:?}: {reason}; {remedy}")]
    Trace {
        path: PathBuf,
        reason: String,
        remedy: &'static str,
    },
    #[error(transparent)]
    NotSettled(#[from] hdl::embedded::NotSettled),
}

/// Runs a tool to its end. What it says is part of the error if it fails.
pub fn run_tool(tool: &'static str, command: &mut Command) -> Result<(), EngineError> {
    let output = interrupt::output(command).map_err(|source| EngineError::Io { tool, source })?;
    if output.status.success() {
        return Ok(());
    }
    let said = [output.stderr, output.stdout].concat();
    Err(EngineError::Failed {
        tool,
        output: String::from_utf8_lossy(&said).trim().to_string(),
    })
}
