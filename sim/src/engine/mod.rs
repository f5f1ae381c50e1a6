//! What runs the DUT: Verilator, Icarus, or Rust-HDL's own simulator.

mod dut;
pub mod embedded;
mod fst;
pub mod icarus;
mod pump;
mod shim;
mod trace;
pub mod verilator;

pub use crate::undefined::Undefined;
pub use dut::{Dut, Engine, EngineError, Trace, TraceFormat};

/// The engines by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineKind {
    Verilator,
    Icarus,
    Embedded,
}

impl EngineKind {
    pub const ALL: [Self; 3] = [Self::Verilator, Self::Icarus, Self::Embedded];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Verilator => "verilator",
            Self::Icarus => "icarus",
            Self::Embedded => "embedded",
        }
    }
}

/// Starts an engine.
pub fn start(kind: EngineKind, dut: &Dut) -> Result<Box<dyn Engine>, EngineError> {
    Ok(match kind {
        EngineKind::Verilator => Box::new(verilator::Verilator::start(dut)?),
        EngineKind::Icarus => Box::new(icarus::Icarus::start(dut)?),
        EngineKind::Embedded => Box::new(embedded::Embedded::start(dut)?),
    })
}
