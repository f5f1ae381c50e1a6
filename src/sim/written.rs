//! What a core sends, octet by octet, in a file: for --write.

use crate::exit::Failure;
use crate::run_file::RunFile;
use ::sim::frame::Frame;
use hdl::config::Config;
use std::path::Path;

/// Follows the stream `m_axis`, and writes the octets that its `tkeep` marks in each beat that moves.
pub struct Written {
    file: RunFile,
    /// Words of a frame of each direction.
    words: [usize; 2],
    valid_at: usize,
    ready_at: Option<usize>,
    data_at: usize,
    keep_at: usize,
    /// Octets of a beat.
    width: usize,
    octets: Vec<u8>,
}

impl Written {
    /// Refuses a core that sends no beats.
    pub fn new(config: &Config, path: &Path) -> Result<Self, Failure> {
        let (inputs, outputs) = (Frame::inputs(config), Frame::outputs(config));
        let Some(valid_at) = outputs.find("m_axis_tvalid") else {
            return Err(Failure::new(format!(
                "--write {path:?} needs a core that sends what it is given, but this one only watches a stream ({}); leave it \
                 out, or choose --core decode or --mode pass",
                config.describe()
            )));
        };
        let keep = (outputs.pins.iter()).find(|pin| pin.name == "m_axis_tkeep");
        Ok(Self {
            file: RunFile::create(path, "octets")?,
            words: [inputs.words, outputs.words],
            valid_at,
            ready_at: inputs.find("m_axis_tready"),
            data_at: outputs.at("m_axis_tdata"),
            keep_at: outputs.at("m_axis_tkeep"),
            width: keep.expect("the core has it").width,
            octets: Vec::new(),
        })
    }

    /// What the pins were in some clocks, one after another.
    pub fn clocks(&mut self, inputs: &[u32], outputs: &[u32]) {
        let [of_inputs, of_outputs] = self.words;
        let clocks = inputs
            .chunks_exact(of_inputs)
            .zip(outputs.chunks_exact(of_outputs));
        for (inputs, outputs) in clocks {
            let is_ready = self.ready_at.is_none_or(|at| inputs[at] != 0);
            if outputs[self.valid_at] == 0 || !is_ready || inputs[0] != 0 {
                continue;
            }
            let part = |at: usize, bits: usize, index: usize| {
                outputs[at + bits * index / 32] >> (bits * index % 32)
            };
            let kept = (0..self.width).filter(|&octet| part(self.keep_at, 1, octet) & 1 == 1);
            self.octets
                .extend(kept.map(|octet| part(self.data_at, 8, octet) as u8));
        }
        self.file.write(|out| out.write_all(&self.octets));
        self.octets.clear();
    }

    pub fn finish(self) -> Result<(), Failure> {
        self.file.finish()
    }
}
