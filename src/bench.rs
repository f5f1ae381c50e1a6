//! `runegate bench`: how fast the lockstep is, beside the verilated core's own loop without any check.

use crate::options::{CoreOptions, Talk};
use crate::output::tell;
use crate::report::merge;
use crate::{Failure, Finding};
use ::sim::engine::Dut;
use ::sim::engine::verilator::Verilator;
use ::sim::frame::Frame;
use ::sim::lockstep::{self, Outcome};
use ::sim::observer::{Saturated, Sink};
use ::sim::packets::InMemory;
use ::sim::stimulus::{Pattern, Stimulus};
use clap::Args;
use golden::{Event, Verdict};
use hdl::config::Config;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::json;
use std::time::Instant;

/// Measures the lockstep on Verilator beside the verilated core's own loop without checks, in one run
#[derive(Args)]
pub struct Bench {
    /// MiB of input: half well-formed text of all sequence lengths, half random bytes
    #[arg(long, default_value_t = 64, value_name = "MIB", value_parser = clap::value_parser!(u32).range(1..=1024))]
    mib: u32,
    #[command(flatten)]
    core: CoreOptions,
    #[command(flatten)]
    talk: Talk,
}

const SEED: u64 = 1;
/// Bytes of a packet.
const PACKET: usize = 1 << 16;
/// Times that both are measured, in turn; the fastest counts.
const ROUNDS: usize = 3;

/// Keeps what the DUT put out from being optimised away.
#[derive(Default)]
struct Count {
    events: u64,
}

impl Sink for Count {
    fn event(&mut self, _packet: u64, _offset: u64, _event: Event) {
        self.events += 1;
    }

    fn packet(&mut self, _packet: u64, _verdict: Verdict, _saturated: Saturated) {
        self.events += 1;
    }
}

impl Bench {
    pub fn run(self) -> Result<Finding, Failure> {
        let config = self.core.resolve()?;
        let packets = packets(self.mib as usize, SEED);
        let verilog = hdl::emit::emit(&config)?.verilog;
        let dut = Dut {
            config: &config,
            verilog: &verilog,
            trace: None,
            coverage: false,
            bytes: None,
        };
        // Built, and in the cache, before anything is timed.
        drop(Verilator::start(&dut)?);
        let mut bare = 0f64;
        let mut checked = 0f64;
        for _ in 0..ROUNDS {
            bare = bare.max(bare_rate(&config, Verilator::start(&dut)?, &packets)?);
            match checked_rate(&config, Verilator::start(&dut)?, &packets)? {
                Ok(rate) => checked = checked.max(rate),
                Err(mismatch) => {
                    tell(&mismatch);
                    return Ok(Finding::CheckFailed);
                }
            }
        }
        let ratio = checked / bare;
        let version = ::sim::tools::VERILATOR.version()?;
        self.talk.print(|out| {
            if self.talk.json {
                let mut document = json!({
                    "command": "bench",
                    "engine": "verilator",
                    "engine_version": version,
                    "mib": self.mib,
                    "bare_bytes_per_second": bare,
                    "checked_bytes_per_second": checked,
                    "ratio": ratio,
                });
                merge(&mut document, &json!(config));
                return writeln!(out, "{document}");
            }
            let (mib, module) = (self.mib, &config.module);
            writeln!(out, "{module} on {version}, {mib} MiB, best of {ROUNDS}:")?;
            writeln!(out, "  bare model, no checks: {:7.1} MB/s", bare / 1e6)?;
            writeln!(out, "  lockstep, every pin:   {:7.1} MB/s", checked / 1e6)?;
            writeln!(out, "  ratio:                 {ratio:7.2}")
        })?;
        Ok(Finding::Good)
    }
}

/// Half text, half random bytes, in packets of both in turn.
fn packets(mib: usize, seed: u64) -> Vec<Vec<u8>> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    (0..mib << 20 >> PACKET.trailing_zeros())
        .map(|index| {
            let mut packet = Vec::with_capacity(PACKET + 4);
            while packet.len() < PACKET {
                if index % 2 == 0 {
                    let highest = [0x7F, 0x7FF, 0xFFFF, 0x10_FFFF][random.random_range(0..4)];
                    let scalar = char::from_u32(random.random_range(0..=highest)).unwrap_or('-');
                    packet.extend_from_slice(scalar.encode_utf8(&mut [0; 4]).as_bytes());
                } else {
                    packet.push(random.random());
                }
            }
            packet
        })
        .collect()
}

/// Bytes per second of the verilated core's own loop, on inputs made beforehand.
fn bare_rate(config: &Config, mut engine: Verilator, packets: &[Vec<u8>]) -> Result<f64, Failure> {
    const CLOCKS: usize = 1 << 12;
    let words = Frame::inputs(config).words;
    let mut stimulus = Stimulus::new(Box::new(InMemory::new(packets)), config, Pattern::default());
    let mut inputs = vec![0; CLOCKS * words];
    let mut previous = vec![0; words];
    for inputs in inputs.chunks_exact_mut(words) {
        stimulus.next(true, &previous, inputs)?;
        previous.copy_from_slice(inputs);
    }
    let total: usize = packets.iter().map(Vec::len).sum();
    let runs = (total / config.lanes).div_ceil(CLOCKS);
    let start = Instant::now();
    for _ in 0..runs {
        engine.run_bare(CLOCKS, &inputs);
    }
    Ok((runs * CLOCKS * config.lanes) as f64 / start.elapsed().as_secs_f64())
}

/// Bytes per second of the lockstep, or how the core and the model differ.
fn checked_rate(
    config: &Config,
    mut engine: Verilator,
    packets: &[Vec<u8>],
) -> Result<Result<f64, String>, Failure> {
    let mut count = Count::default();
    let start = Instant::now();
    let outcome = lockstep::run(
        config,
        &mut engine,
        Box::new(InMemory::new(packets)),
        Pattern::default(),
        &mut count,
        &mut |_| (),
    )?;
    let seconds = start.elapsed().as_secs_f64();
    match outcome {
        Outcome::Agreed(summary) if count.events > 0 => Ok(Ok(summary.bytes as f64 / seconds)),
        Outcome::Agreed(_) => Err(Failure::new("the core put out nothing")),
        Outcome::Differed(mismatch) => Ok(Err(mismatch.to_string())),
    }
}
