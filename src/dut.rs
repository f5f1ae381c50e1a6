//! What is simulated or proven: the Verilog or the netlist, the engine for it, and the waveform.

use crate::exit::Failure;
use crate::options::Talk;
use ::sim::coverage;
use ::sim::engine::{EngineKind, Trace, TraceFormat};
use ::sim::netlist::{self, Family};
use ::sim::tools::{self, ToolError};
use hdl::config::Config;
use std::collections::BTreeSet;
use std::path::Path;

/// The Verilog that an engine runs.
pub struct Text {
    pub verilog: String,
    /// The version of the Yosys that it went through.
    pub yosys: Option<String>,
}

/// The emitted Verilog, or that of a file. The embedded engine needs none: where nothing else does, it is not emitted.
pub fn verilog(
    config: &Config,
    kind: EngineKind,
    file: Option<&Path>,
    is_needed: bool,
) -> Result<Text, Failure> {
    let verilog = match file {
        None if kind == EngineKind::Embedded && !is_needed => String::new(),
        None => hdl::emit::emit(config)?.verilog,
        Some(path) => {
            needs_verilog(kind, &format!("--verilog {path:?}"))?;
            read(path)?
        }
    };
    Ok(Text {
        verilog,
        yosys: None,
    })
}

/// The Verilog of a file.
pub fn read(path: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(path).map_err(|error| {
        Failure::new(format!(
            "cannot read the Verilog {path:?}: {error}; name a file that can be read"
        ))
    })
}

/// What synthesis makes of the emitted Verilog.
pub fn netlist(config: &Config, kind: EngineKind, family: Family) -> Result<Text, Failure> {
    needs_verilog(kind, &format!("--netlist {}", family.name()))?;
    let yosys = tools::YOSYS.version()?;
    let emitted = hdl::emit::emit(config)?.verilog;
    let gates = netlist::synthesise(family, &config.module, &emitted)?;
    Ok(Text {
        verilog: netlist::with_cells(family, &config.module, &gates)?,
        yosys: Some(yosys),
    })
}

/// The bits of the Verilog that are constant, where bits are counted and Yosys is installed to tell.
pub fn constants(
    config: &Config,
    kind: EngineKind,
    text: &Text,
    talk: Talk,
) -> Result<BTreeSet<String>, Failure> {
    if kind != EngineKind::Verilator {
        talk.note("coverage: lines and bits of the Verilog need Verilator; this run measures the points at the pins only");
        return Ok(BTreeSet::new());
    }
    if let Err(error @ ToolError::Missing { .. }) = tools::YOSYS.version() {
        talk.note(&format!(
            "coverage: bits that are constant count as missing: {error}"
        ));
        return Ok(BTreeSet::new());
    }
    Ok(coverage::constants(&config.module, &text.verilog)?)
}

fn needs_verilog(kind: EngineKind, option: &str) -> Result<(), Failure> {
    if kind == EngineKind::Embedded {
        return Err(Failure::new(format!(
            "{option} cannot be run by the embedded engine, which runs the Rust-HDL description; choose --engine verilator or \
             icarus"
        )));
    }
    Ok(())
}

/// The engine to use, and its version. Without a name it is Verilator, if that is installed.
pub fn engine(name: Option<&str>, talk: Talk) -> Result<(EngineKind, String), Failure> {
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
                "Verilator is not installed: using Rust-HDL's own simulator (embedded engine). To install Verilator: {}",
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
pub fn trace(path: &Path) -> Result<Trace, Failure> {
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
