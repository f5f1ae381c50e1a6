//! The embedded engine: Rust-HDL's own simulator, in this process.
//!
//! It runs the description, not the emitted Verilog, so it is a third opinion, and the only engine that needs nothing but
//! this program.

use super::dut::{Dut, Engine, EngineError, TraceFormat};
use super::trace::TraceFile;
use crate::frame::Frame;
use crate::undefined::Undefined;
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
    trace: Option<(Waveform<BufWriter<File>>, TraceFile)>,
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
                let file = TraceFile::create(trace)?;
                let scopes = scopes(dut.config, &["pins"]);
                let waveform = File::create(file.at())
                    .and_then(|target| Waveform::new(BufWriter::new(target), &scopes));
                Some((waveform.map_err(|error| file.failed(&error))?, file))
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
            if let Some((waveform, file)) = &mut self.trace {
                let written = waveform.clock(inputs, &[outputs]);
                written.map_err(|error| file.failed(&error))?;
            }
        }
        Ok(Vec::new())
    }

    fn finish(&mut self) -> Result<(), EngineError> {
        let Some((waveform, file)) = self.trace.take() else {
            return Ok(());
        };
        let written = waveform.finish();
        written.map_err(|error| file.failed(&error))?;
        file.finish()
    }
}
