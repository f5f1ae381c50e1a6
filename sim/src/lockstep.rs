//! The lockstep: stimulus into the cycle model and the DUT, every output compared at every clock. (The payload of a stream that
//! leaves a FIFO's memory is compared where its `valid` is high, and so is every payload if the engine knows X: it gets X wherever AXI
//! leaves an input undefined.)
//!
//! The cycle model goes first and decides, by its `tready`, what the source does next; then the DUT runs the same block of
//! clocks, in a thread of its own. The first clock in which a pin differs ends the run.

use crate::block::Block;
use crate::engine::{Engine, EngineError};
use crate::frame::Frame;
use crate::line::Strain;
use crate::mismatch::{Mismatch, Window};
use crate::observer::{Nonsense, Observer, Sink};
use crate::packets::Packets;
use crate::stimulus::{Pattern, Stimulus};
use crate::undefined::Meaning;
use golden::cycle;
use hdl::config::{
    Config, Core, Encoding, Form, Mode, OnError, PortEntry, PortTable, Replace, Signature,
};
use std::io;
use std::sync::mpsc;

/// Clocks that are run at once.
const CLOCKS: usize = 1024;
/// Blocks of them that there are: one that the DUT runs, one that waits for it, and one that is checked and prepared anew.
const BLOCKS: usize = 3;
/// Clocks that are run after the last beat has come out, to see that nothing follows.
const AFTERMATH: usize = 32;
/// The clock of the first reset, whose outputs mean nothing.
const UNDEFINED_CLOCKS: usize = 1;

/// What was run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    pub cycles: u64,
    /// Bytes that the core accepted.
    pub bytes: u64,
    /// Beats that it sent, on all streams.
    pub beats: u64,
    /// Resets in mid-run, and random accesses to the registers.
    pub resets: u64,
    pub accesses: u64,
    /// How it stood the line, if the bytes came over one.
    pub strain: Option<Strain>,
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
        "the DUT and the model agree on an invalid output: {0}; this is a defect of Runegate, please report it"
    )]
    Nonsense(#[from] Nonsense),
}

/// The cycle model of a configuration.
pub fn model(config: &Config) -> cycle::Model {
    cycle::Model::new(&setup(config))
}

/// A configuration in the model's own terms.
pub fn setup(config: &Config) -> cycle::Setup {
    cycle::Setup {
        lanes: config.lanes,
        depth: config.depth,
        grammar: crate::grammar::grammar(config),
        beat_error: config.beat_error,
        form: match config.form {
            Form::Axis => cycle::Form::Axis,
            Form::Free => cycle::Form::Free,
        },
        side: cycle::Side {
            id: config.side.id,
            dest: config.side.dest,
            user: config.side.user,
        },
        policy: match config.core {
            // It has no verdict, and its flag follows from `signature`.
            Core::Decode { .. } => cycle::Policy::default(),
            core => cycle::Policy {
                forbid: core.policy().forbid.bits(),
                rejects: core.policy().rejects,
                has_open_edges: core.policy().has_open_edges,
                is_full: core.policy().is_full,
                has_window: core.policy().has_window,
                has_frames: core.policy().has_frames,
                ports: core.policy().ports.map(ports),
            },
        },
        core: match config.core {
            Core::Decode {
                signature,
                dense,
                to,
                grammar: _,
            } => cycle::Core::Decode {
                signature: match signature {
                    Signature::Keep => cycle::Signature::Keep,
                    Signature::Flag => cycle::Signature::Flag,
                    Signature::Strip => cycle::Signature::Strip,
                    Signature::Reject => cycle::Signature::Reject,
                },
                dense,
                to: encoding(to),
            },
            Core::Validate {
                mode,
                verdict_width,
                counter_width,
                flows,
                csr,
                grammar: _,
                signature: _,
                forbid: _,
                edges: _,
                verdict: _,
                window: _,
                frames: _,
                ports: _,
                drop_bytes: _,
                early_bad: is_early,
            } => cycle::Core::Validate {
                mode: match mode {
                    Mode::Snoop => cycle::Mode::Snoop,
                    Mode::Pass => cycle::Mode::Pass { is_early },
                    Mode::Drop => {
                        let memory = config.core.packet_memory(config.lanes);
                        let (words, longest) = memory.expect("it drops packets");
                        cycle::Mode::Drop { words, longest }
                    }
                },
                verdict_width,
                counter_width,
                flows,
                csr,
            },
            Core::Encode {
                from,
                on_error,
                grammar: _,
                verdict_width,
                counter_width,
            } => cycle::Core::Encode {
                from: encoding(from),
                omits: on_error == OnError::Omit,
                verdict_width,
                counter_width,
            },
            Core::Sanitise {
                replace,
                signature,
                window: _,
                frames: _,
                ports: _,
                verdict_width,
                counter_width,
            } => cycle::Core::Sanitise {
                replace: match replace {
                    Replace::Ascii => cycle::Replace::Ascii,
                    Replace::Fffd => cycle::Replace::Fffd,
                },
                strips: signature == Signature::Strip,
                verdict_width,
                counter_width,
            },
        },
    }
}

/// A table of ports in the model's own terms.
pub fn ports(table: PortTable) -> golden::Ports {
    let entry = |index| {
        table
            .entry(index)
            .map_or_else(Default::default, |it: PortEntry| golden::ports::Entry {
                udp: !it.is_tcp,
                tcp: it.is_tcp,
                source: it.of_source,
                destination: it.of_destination,
                low: it.low,
                high: it.high,
            })
    };
    golden::Ports {
        all: table.has_all(),
        entries: std::array::from_fn(entry),
    }
}

fn encoding(encoding: Encoding) -> cycle::Encoding {
    match encoding {
        Encoding::Utf32 => cycle::Encoding::Utf32,
        Encoding::Utf16le => cycle::Encoding::Utf16 { high_first: false },
        Encoding::Utf16be => cycle::Encoding::Utf16 { high_first: true },
    }
}

/// Runs packets through the DUT and the model. `sink` gets what the DUT put out; `progress` the bytes so far, now and then.
///
/// The DUT runs in a thread of its own. While it runs a block, this one prepares the next blocks and checks the ones before,
/// always in order.
pub fn run(
    config: &Config,
    engine: &mut dyn Engine,
    packets: Box<dyn Packets + '_>,
    pattern: Pattern,
    sink: &mut dyn Sink,
    progress: &mut dyn FnMut(u64),
) -> Result<Outcome, LockstepError> {
    let mut source = Source::new(config, packets, pattern);
    let mut check = Check::new(config, pattern.seed);
    let mut spare: Vec<Block> = (0..BLOCKS).map(|_| source.block()).collect();
    std::thread::scope(|scope| {
        // There is a place for every block, so nobody ever waits to send one. Either side stops when the other has.
        let (to_dut, prepared) = mpsc::sync_channel::<Block>(BLOCKS);
        let (to_check, run) = mpsc::sync_channel::<Result<Block, EngineError>>(BLOCKS);
        // The embedded engine needs much stack.
        let stack = std::thread::Builder::new().stack_size(hdl::embedded::STACK_BYTES);
        let meaning = Meaning::of(config, engine.drives_x());
        let dut = stack.spawn_scoped(scope, move || {
            for block in prepared {
                let result = run_block(engine, &meaning, block);
                let failed = result.is_err();
                if to_check.send(result).is_err() || failed {
                    break;
                }
            }
        })?;
        let mut in_flight = 0;
        let mut input = Ok(());
        loop {
            while input.is_ok()
                && !source.is_finished()
                && let Some(mut block) = spare.pop()
            {
                input = source.fill(&mut block);
                // If the DUT has stopped, its error is on the way.
                if input.is_ok() && to_dut.send(block).is_ok() {
                    in_flight += 1;
                }
            }
            if in_flight == 0 {
                break;
            }
            let Ok(result) = run.recv() else {
                // It has sent no error, so it panicked.
                let panicked = dut.join().expect_err("the DUT stops only with an error");
                std::panic::resume_unwind(panicked);
            };
            let block = result?;
            in_flight -= 1;
            if let Some(mismatch) = check.block(&block, sink)? {
                return Ok(Outcome::Differed(Box::new(mismatch)));
            }
            progress(block.end.bytes);
            spare.push(block);
        }
        input?;
        Ok(Outcome::Agreed(Summary {
            strain: source.stimulus.strain(),
            resets: source.stimulus.resets(),
            accesses: source.stimulus.accesses(),
            ..check.summary
        }))
    })
}

/// Lets the DUT run a block. `meaning` is where its outputs are compared.
fn run_block(
    engine: &mut dyn Engine,
    meaning: &Meaning,
    mut block: Block,
) -> Result<Block, EngineError> {
    block.undefined = engine.run(block.clocks, &block.inputs, &mut block.got)?;
    meaning.forgive(&block.expected, &mut block.got, &mut block.undefined);
    Ok(block)
}

/// The stimulus and the model: what goes into the DUT, and what is to come out.
struct Source<'a> {
    model: cycle::Model,
    stimulus: Stimulus<'a>,
    input_words: usize,
    output_words: usize,
    /// The inputs of the newest clock.
    previous: Vec<u32>,
    aftermath: usize,
}

impl<'a> Source<'a> {
    fn new(config: &Config, packets: Box<dyn Packets + 'a>, pattern: Pattern) -> Self {
        let input_words = Frame::inputs(config).words;
        Self {
            model: model(config),
            stimulus: Stimulus::new(packets, config, pattern),
            input_words,
            output_words: Frame::outputs(config).words,
            previous: vec![0; input_words],
            aftermath: 0,
        }
    }

    /// A block to be filled.
    fn block(&self) -> Block {
        Block {
            inputs: vec![0; CLOCKS * self.input_words],
            expected: vec![0; CLOCKS * self.output_words],
            got: vec![0; CLOCKS * self.output_words],
            ..Default::default()
        }
    }

    fn is_finished(&self) -> bool {
        self.aftermath >= AFTERMATH
    }

    /// Runs the next clocks; only the last block has fewer than the others.
    fn fill(&mut self, block: &mut Block) -> io::Result<()> {
        let words = self.input_words;
        block.start = self.stimulus.position();
        let mut clocks = 0;
        for outputs in block.expected.chunks_exact_mut(self.output_words) {
            if self.stimulus.is_done() && self.model.is_idle() && self.stimulus.has_read() {
                self.aftermath += 1;
                if self.aftermath > AFTERMATH {
                    break;
                }
            }
            // The clock before is the one before in the block, or the last one of the block before.
            let (before, rest) = block.inputs.split_at_mut(clocks * words);
            let previous = before.rchunks_exact(words).next();
            let inputs = &mut rest[..words];
            let ready = self.model.ready();
            self.stimulus
                .next(ready, previous.unwrap_or(&self.previous), inputs)?;
            self.model.step(inputs, outputs);
            self.stimulus.saw(outputs, self.model.is_idle());
            clocks += 1;
        }
        block.clocks = clocks;
        block.inputs.truncate(clocks * words);
        block.expected.truncate(clocks * self.output_words);
        block.got.truncate(clocks * self.output_words);
        block.end = self.stimulus.position();
        if let Some(newest) = block.inputs.rchunks_exact(words).next() {
            self.previous.copy_from_slice(newest);
        }
        Ok(())
    }
}

/// What looks at the blocks that the DUT has run.
struct Check {
    window: Window,
    observer: Observer,
    input_words: usize,
    output_words: usize,
    seed: u64,
    summary: Summary,
}

impl Check {
    fn new(config: &Config, seed: u64) -> Self {
        Self {
            window: Window::new(config),
            observer: Observer::new(config),
            input_words: Frame::inputs(config).words,
            output_words: Frame::outputs(config).words,
            seed,
            summary: Summary::default(),
        }
    }

    /// Takes the next block; returns the mismatch in it, if there is one.
    fn block(&mut self, block: &Block, sink: &mut dyn Sink) -> Result<Option<Mismatch>, Nonsense> {
        let skipped = if self.summary.cycles == 0 {
            UNDEFINED_CLOCKS
        } else {
            0
        };
        let difference = block.first_difference(skipped, self.output_words);
        // What the DUT put out before it went wrong is told, too.
        let good = difference.unwrap_or(block.clocks);
        let inputs = block.inputs.chunks_exact(self.input_words);
        let outputs = block.got.chunks_exact(self.output_words);
        for (inputs, outputs) in inputs.zip(outputs).take(good).skip(skipped) {
            self.observer.clock(inputs, outputs, sink)?;
        }
        if good > skipped {
            sink.clocks(
                &block.inputs[skipped * self.input_words..good * self.input_words],
                &block.got[skipped * self.output_words..good * self.output_words],
            );
        }
        if let Some(at) = difference {
            return Ok(Some(self.window.mismatch(block, at, self.seed)));
        }
        self.window.keep(&block.inputs, &block.expected);
        self.summary.cycles += block.clocks as u64;
        self.summary.bytes = block.end.bytes;
        self.summary.beats = self.observer.beats;
        Ok(None)
    }
}
