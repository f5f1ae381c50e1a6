//! What is told of a mismatch: where, both sides pin by pin, and the clocks around it as a waveform.

use crate::block::Block;
use crate::frame::Frame;
use crate::stimulus::Position;
use crate::undefined::Undefined;
use crate::waveform::{Waveform, scopes};
use hdl::config::Config;
use hdl::config::ports::Port;
use std::fmt;
use std::io::{self, Write};

/// Clocks of the waveform before and after the mismatch, as far as they have been run.
const BEFORE: usize = 64;
const AFTER: usize = 16;

/// A pin on which the two sides differ; hexadecimal, as wide as the pin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    pub pin: &'static str,
    pub model: String,
    pub dut: String,
}

/// The first clock in which a pin differed.
#[derive(Clone, Debug)]
pub struct Mismatch {
    /// From 0, the first clock of the run.
    pub cycle: u64,
    /// Bytes that had been accepted before that clock, over all packets.
    pub byte: u64,
    /// The packet of the next byte, and its offset there.
    pub packet: u64,
    pub offset: u64,
    pub seed: u64,
    pub differences: Vec<Difference>,
    config: Config,
    first_cycle: u64,
    input_words: usize,
    output_words: usize,
    inputs: Vec<u32>,
    expected: Vec<u32>,
    got: Vec<u32>,
}

impl Mismatch {
    /// Writes the clocks around the mismatch as VCD: the inputs, and the outputs of both sides.
    pub fn write_vcd(&self, target: &mut dyn Write) -> io::Result<()> {
        let scopes = scopes(&self.config, &["model", "dut"]);
        let mut waveform = Waveform::new(target, &scopes)?;
        waveform.seek(self.first_cycle);
        let inputs = self.inputs.chunks_exact(self.input_words);
        let expected = self.expected.chunks_exact(self.output_words);
        let got = self.got.chunks_exact(self.output_words);
        for ((inputs, expected), got) in inputs.zip(expected).zip(got) {
            waveform.clock(inputs, &[expected, got])?;
        }
        Ok(())
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        writeln!(
            out,
            "mismatch in cycle {} (byte {} of the run; packet {}, offset {}; seed {})",
            self.cycle, self.byte, self.packet, self.offset, self.seed
        )?;
        let names = self.differences.iter().map(|found| found.pin.len());
        let width = names.fold(16, usize::max);
        writeln!(out, "  {:<width$} {:>18} {:>18}", "pin", "model", "DUT")?;
        for Difference { pin, model, dut } in &self.differences {
            writeln!(out, "  {pin:<width$} {model:>18} {dut:>18}")?;
        }
        Ok(())
    }
}

/// The newest clocks of a run that agreed, and how far it has come.
pub struct Window {
    config: Config,
    input_frame: Frame,
    output_frame: Frame,
    cycle: u64,
    inputs: Vec<u32>,
    outputs: Vec<u32>,
}

impl Window {
    pub fn new(config: &Config) -> Self {
        Self {
            config: config.clone(),
            input_frame: Frame::inputs(config),
            output_frame: Frame::outputs(config),
            cycle: 0,
            inputs: Vec::new(),
            outputs: Vec::new(),
        }
    }

    /// Takes a block of clocks in which both sides agreed.
    pub fn keep(&mut self, inputs: &[u32], outputs: &[u32]) {
        self.cycle += (inputs.len() / self.input_frame.words) as u64;
        let tail = |frames: &[u32], words: usize| {
            frames[frames.len().saturating_sub(BEFORE * words)..].to_vec()
        };
        self.inputs = tail(inputs, self.input_frame.words);
        self.outputs = tail(outputs, self.output_frame.words);
    }

    /// The position after these clocks, from the one before them.
    fn follow(&self, mut position: Position, inputs: &[u32], outputs: &[u32]) -> Position {
        const READY: &str = "s_axis_tready";
        let (keep_at, last_at) = (
            self.input_frame.at("s_axis_tkeep"),
            self.input_frame.at("s_axis_tlast"),
        );
        // An input of a core that only watches, an output of one with backpressure.
        let (seen, shown) = (self.input_frame.find(READY), self.output_frame.find(READY));
        let frames = inputs.chunks_exact(self.input_frame.words);
        for (inputs, outputs) in frames.zip(outputs.chunks_exact(self.output_frame.words)) {
            let [reset, valid] = [inputs[0], inputs[1]];
            let ready =
                seen.is_none_or(|at| inputs[at] != 0) && shown.is_none_or(|at| outputs[at] != 0);
            if reset == 0 && valid != 0 && ready {
                let bytes = inputs[keep_at..last_at]
                    .iter()
                    .map(|word| word.count_ones());
                position.accept(u64::from(bytes.sum::<u32>()), inputs[last_at] != 0);
            }
        }
        position
    }

    /// Describes the difference in clock `at` of a block.
    pub fn mismatch(&self, block: &Block, at: usize, seed: u64) -> Mismatch {
        let (iw, ow) = (self.input_frame.words, self.output_frame.words);
        let Block {
            inputs,
            expected,
            got,
            undefined,
            start,
            ..
        } = block;
        let undefined: Vec<&Undefined> = undefined.iter().filter(|pin| pin.clock == at).collect();
        let position = self.follow(*start, &inputs[..at * iw], &expected[..at * ow]);
        let cycle = self.cycle + at as u64;
        let end = (at + AFTER).min(inputs.len() / iw);
        let before = self.inputs.len() / iw;
        let join = |kept: &[u32], new: &[u32]| [kept, new].concat();
        Mismatch {
            cycle,
            byte: position.bytes,
            packet: position.packet,
            offset: position.offset,
            seed,
            differences: differences(
                &self.output_frame.pins,
                &expected[at * ow..][..ow],
                &got[at * ow..][..ow],
                &undefined,
            ),
            first_cycle: self.cycle - before as u64,
            input_words: iw,
            output_words: ow,
            inputs: join(&self.inputs, &inputs[..end * iw]),
            expected: join(&self.outputs, &expected[..end * ow]),
            got: join(&self.outputs, &got[..end * ow]),
            config: self.config.clone(),
        }
    }
}

fn differences(
    pins: &[Port],
    expected: &[u32],
    got: &[u32],
    undefined: &[&Undefined],
) -> Vec<Difference> {
    let mut word = 0;
    let mut found = Vec::new();
    for pin in pins {
        let words = word..word + pin.words();
        word = words.end;
        let (expected, got) = (&expected[words.clone()], &got[words]);
        let shown = undefined.iter().find(|undefined| undefined.pin == pin.name);
        if expected != got || shown.is_some() {
            found.push(Difference {
                pin: pin.name,
                model: hexadecimal(expected, pin.width),
                dut: shown.map_or_else(|| hexadecimal(got, pin.width), |pin| pin.shown.clone()),
            });
        }
    }
    found
}

fn hexadecimal(words: &[u32], width: usize) -> String {
    let digits: String = words
        .iter()
        .rev()
        .map(|word| format!("{word:08x}"))
        .collect();
    let shown = width.div_ceil(4);
    digits[digits.len() - shown..].to_string()
}
