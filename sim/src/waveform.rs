//! Pins as a VCD file: the inputs once, and the outputs once for each side that has its own.

use crate::frame::Frame;
use hdl::config::Config;
use hdl::config::ports::Port;
use std::io::{self, Write};
use vcd::{IdCode, SimulationCommand, TimescaleUnit, Value, VarType, Writer};

/// The pins of one scope, in the order of a frame.
pub struct Scope {
    name: String,
    pins: Vec<Port>,
}

/// Nanoseconds of a clock in the file. The clocks themselves have no length.
const PERIOD: u64 = 10;

/// The scopes of a core: `inputs`, and one for each side that shows outputs.
pub fn scopes(config: &Config, sides: &[&str]) -> Vec<Scope> {
    let (inputs, outputs) = (Frame::inputs(config).pins, Frame::outputs(config).pins);
    let mut scopes = vec![Scope {
        name: "inputs".to_string(),
        pins: inputs,
    }];
    scopes.extend(sides.iter().map(|side| Scope {
        name: side.to_string(),
        pins: outputs.clone(),
    }));
    scopes
}

/// A VCD file that is being written.
pub struct Waveform<W: Write> {
    writer: Writer<W>,
    clk: IdCode,
    /// Of each scope, each pin's code and width; the first scope is the inputs.
    scopes: Vec<Vec<(IdCode, usize)>>,
    clock: u64,
}

impl<W: Write> Waveform<W> {
    /// Writes the header.
    pub fn new(target: W, scopes: &[Scope]) -> io::Result<Self> {
        let mut writer = Writer::new(target);
        writer.timescale(1, TimescaleUnit::NS)?;
        writer.add_module("runegate")?;
        let clk = writer.add_wire(1, "clk")?;
        let mut codes = Vec::new();
        for scope in scopes {
            writer.add_module(&scope.name)?;
            let pins = scope.pins.iter().map(|pin| {
                let width = pin.width as u32;
                let code = writer.add_var(VarType::Wire, width, pin.name, None)?;
                Ok((code, pin.width))
            });
            codes.push(pins.collect::<io::Result<Vec<_>>>()?);
            writer.upscope()?;
        }
        writer.upscope()?;
        writer.enddefinitions()?;
        writer.begin(SimulationCommand::Dumpvars)?;
        writer.end()?;
        Ok(Self {
            writer,
            clk,
            scopes: codes,
            clock: 0,
        })
    }

    /// Numbers the next clock, for a file that does not begin at the first.
    pub fn seek(&mut self, clock: u64) {
        self.clock = clock;
    }

    /// One clock: the inputs, and the outputs of each side, before its rising edge.
    pub fn clock(&mut self, inputs: &[u32], sides: &[&[u32]]) -> io::Result<()> {
        self.writer.timestamp(self.clock * PERIOD)?;
        self.writer.change_scalar(self.clk, Value::V0)?;
        for (pins, frame) in self
            .scopes
            .iter()
            .zip(std::iter::once(&inputs).chain(sides))
        {
            let mut word = 0;
            for &(code, width) in pins {
                let bit = |bit: usize| frame[word + bit / 32] >> (bit % 32) & 1 == 1;
                if width == 1 {
                    self.writer.change_scalar(code, bit(0))?;
                } else {
                    let bits = (0..width).rev().map(|index| bit(index).into());
                    self.writer.change_vector(code, bits)?;
                }
                word += width.div_ceil(32);
            }
        }
        self.writer.timestamp(self.clock * PERIOD + PERIOD / 2)?;
        self.writer.change_scalar(self.clk, Value::V1)?;
        self.clock += 1;
        Ok(())
    }

    /// Writes what is still in memory. (Dropping a target would, too, but says nothing of an error.)
    pub fn finish(mut self) -> io::Result<()> {
        self.writer.flush()
    }
}
