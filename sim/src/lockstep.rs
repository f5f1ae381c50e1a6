//! The lockstep: stimulus into the cycle model and the DUT, every output pin compared at every clock.
//!
//! The cycle model goes first and decides, by its `tready`, what the source does next; then the DUT runs the same block of
//! clocks. As soon as a pin differs the run ends.

use crate::engine::{Engine, EngineError};
use crate::mismatch::{Block, Mismatch, Window};
use crate::observer::{Nonsense, Observer, Sink};
use crate::packets::Packets;
use crate::stimulus::{Pattern, Stimulus};
use golden::cycle;
use hdl::config::{Config, Form, Signature};

/// Clocks that are run at once.
const BLOCK: usize = 1024;
/// Clocks that are run after the last beat has come out, to see that nothing follows.
const AFTERMATH: usize = 32;
/// The clock before the first reset, whose outputs mean nothing.
const UNDEFINED_CLOCKS: usize = 1;

/// What was run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    pub cycles: u64,
    /// Bytes that the core accepted.
    pub bytes: u64,
    /// Beats of events that it sent.
    pub beats: u64,
}

/// How a run ended.
#[derive(Debug)]
pub enum Outcome {
    /// No pin differed at any clock.
    Agreed(Summary),
    Differed(Box<Mismatch>),
}

/// A run could not be carried out.
#[derive(Debug, thiserror::Error)]
pub enum LockstepError {
    #[error(transparent)]
    Engine(#[from] EngineError),
    #[error("cannot read the input: {0}")]
    Input(#[from] std::io::Error),
    #[error(
        "the DUT and the model agree on nonsense: {0}; this is a defect of Runegate, please report it"
    )]
    Nonsense(#[from] Nonsense),
}

/// The cycle model of a configuration.
pub fn model(config: &Config) -> cycle::Decode {
    let form = match config.form {
        Form::Axis => cycle::Form::Axis,
        Form::Free => cycle::Form::Free,
    };
    let signature = match config.signature {
        Signature::Keep => cycle::Signature::Keep,
        Signature::Flag => cycle::Signature::Flag,
        Signature::Strip => cycle::Signature::Strip,
    };
    cycle::Decode::new(config.lanes, form, signature)
}

/// Words of a frame with these pins.
pub fn frame_words(pins: &[cycle::Pin]) -> usize {
    pins.iter().map(|pin| pin.width.div_ceil(32)).sum()
}

/// Runs packets through the DUT and the model. `sink` gets what the DUT put out; `progress` the bytes so far, now and then.
pub fn run(
    config: &Config,
    engine: &mut dyn Engine,
    packets: Box<dyn Packets + '_>,
    pattern: Pattern,
    sink: &mut dyn Sink,
    progress: &mut dyn FnMut(u64),
) -> Result<Outcome, LockstepError> {
    let mut model = model(config);
    let mut stimulus = Stimulus::new(packets, config.lanes, config.form == Form::Axis, pattern);
    let mut observer = Observer::new(config);
    let input_words = frame_words(&model.input_pins());
    let output_words = frame_words(&model.output_pins());
    let mut window = Window::new(config, input_words, output_words);
    let mut inputs = vec![0; BLOCK * input_words];
    let mut expected = vec![0; BLOCK * output_words];
    let mut got = vec![0; BLOCK * output_words];
    let mut previous = vec![0; input_words];
    let mut summary = Summary::default();
    let mut aftermath = 0;
    while aftermath < AFTERMATH {
        let mut clocks = 0;
        let start = stimulus.position();
        for outputs in expected.chunks_exact_mut(output_words) {
            if stimulus.is_done() && model.is_idle() {
                aftermath += 1;
                if aftermath > AFTERMATH {
                    break;
                }
            }
            // The clock before is the one before in the block, or the last one of the block before.
            let (before, rest) = inputs.split_at_mut(clocks * input_words);
            let previous = before
                .rchunks_exact(input_words)
                .next()
                .unwrap_or(&previous);
            let inputs = &mut rest[..input_words];
            stimulus.next(model.ready(), previous, inputs)?;
            model.step(inputs, outputs);
            clocks += 1;
        }
        let inputs = &inputs[..clocks * input_words];
        if let Some(newest) = inputs.rchunks_exact(input_words).next() {
            previous.copy_from_slice(newest);
        }
        let expected = &expected[..clocks * output_words];
        let got = &mut got[..clocks * output_words];
        let undefined = engine.run(clocks, inputs, got)?;
        let skipped = if summary.cycles == 0 {
            UNDEFINED_CLOCKS
        } else {
            0
        };
        let block = Block {
            inputs,
            expected,
            got,
            undefined: &undefined,
        };
        let difference = block.first_difference(skipped, output_words);
        // What the DUT put out before it went wrong is told, too.
        let good = difference.unwrap_or(clocks);
        let frames = inputs
            .chunks_exact(input_words)
            .zip(got.chunks_exact(output_words));
        for (inputs, outputs) in frames.take(good).skip(skipped) {
            observer.clock(inputs, outputs, sink)?;
        }
        if let Some(at) = difference {
            let mismatch = window.mismatch(&block, at, start, pattern.seed);
            return Ok(Outcome::Differed(Box::new(mismatch)));
        }
        window.keep(inputs, expected);
        summary.cycles += clocks as u64;
        summary.bytes = stimulus.position().bytes;
        progress(summary.bytes);
    }
    summary.beats = observer.beats;
    Ok(Outcome::Agreed(summary))
}
