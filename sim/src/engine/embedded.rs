//! The embedded engine: Rust-HDL's own simulator, in this process.
//!
//! It runs the description, not the emitted Verilog, so it is a third opinion, and the only engine that needs nothing but
//! this program.

use super::{Dut, Engine, EngineError, TraceFormat, Undefined};
use crate::frame::Frame;
use crate::waveform::{Waveform, scopes};
use hdl::config::Config;
use hdl::embedded::{self, EmbeddedCore};
use std::fs::File;
use std::io::BufWriter;

/// A core in Rust-HDL's simulator.
pub struct Embedded {
    core: Box<dyn EmbeddedCore>,
    config: Config,
    input_words: usize,
    output_words: usize,
    trace: Option<Waveform<BufWriter<File>>>,
}

impl Embedded {
    pub fn start(dut: &Dut) -> Result<Self, EngineError> {
        let trace = match &dut.trace {
            None => None,
            Some(trace) if trace.format == TraceFormat::Fst => {
                return Err(EngineError::Trace {
                    path: trace.path.clone(),
                    reason: "the embedded engine writes no FST".to_string(),
                    remedy: "name a .vcd file, or choose --engine verilator",
                });
            }
            Some(trace) => {
                super::check_trace(&trace.path)?;
                let file = File::create(&trace.path).map_err(|error| EngineError::Trace {
                    path: trace.path.clone(),
                    reason: error.to_string(),
                    remedy: "name a file that can be written",
                })?;
                let scopes = scopes(dut.config, &["pins"]);
                Some(Waveform::new(BufWriter::new(file), &scopes).map_err(Self::io)?)
            }
        };
        Ok(Self {
            core: embedded::build(dut.config),
            input_words: Frame::inputs(dut.config).words,
            output_words: Frame::outputs(dut.config).words,
            config: dut.config.clone(),
            trace,
        })
    }

    fn io(source: std::io::Error) -> EngineError {
        EngineError::Io {
            tool: "the embedded engine",
            source,
        }
    }
}

impl Engine for Embedded {
    fn run(
        &mut self,
        clocks: usize,
        inputs: &[u32],
        outputs: &mut [u32],
    ) -> Result<Vec<Undefined>, EngineError> {
        let inputs = inputs.chunks_exact(self.input_words);
        let outputs = outputs.chunks_exact_mut(self.output_words);
        for (inputs, outputs) in inputs.zip(outputs).take(clocks) {
            self.core.clock(&self.config, inputs, outputs)?;
            if let Some(trace) = &mut self.trace {
                trace.clock(inputs, &[outputs]).map_err(Self::io)?;
            }
        }
        Ok(Vec::new())
    }
}
