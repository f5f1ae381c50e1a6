//! `runegate bench`: how fast the lockstep is, beside the verilated core's own loop without any check.

use crate::exit::{Failure, Finding};
use crate::given::Given;
use crate::options::{CoreOptions, Talk};
use crate::output::tell;
use crate::report::merge;
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
use std::time::{Duration, Instant};

/// Measures the lockstep on Verilator, and the verilated core alone without checks, in one run
///
/// The ratio compares the CPU time of all threads, which other load on the machine hardly changes. Wall-clock rates are reported
/// as well.
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
/// Times that both are measured, in turn; the fastest counts, of each clock by itself.
const ROUNDS: usize = 3;

/// Bytes per second, by the CPU time of this process and by the clock on the wall.
#[derive(Clone, Copy, Default)]
struct Rate {
    cpu: f64,
    wall: f64,
}

impl Rate {
    fn of(bytes: usize, since: &Start) -> Self {
        let (cpu, wall) = since.elapsed();
        let per = |time: Duration| bytes as f64 / time.as_secs_f64();
        Self {
            cpu: per(cpu),
            wall: per(wall),
        }
    }

    fn fastest(self, other: Self) -> Self {
        Self {
            cpu: self.cpu.max(other.cpu),
            wall: self.wall.max(other.wall),
        }
    }
}

/// Both clocks where something begins.
struct Start {
    cpu: Duration,
    wall: Instant,
}

impl Start {
    fn now() -> Self {
        Self {
            cpu: cpu_time(),
            wall: Instant::now(),
        }
    }

    /// CPU time, and time on the wall.
    fn elapsed(&self) -> (Duration, Duration) {
        (cpu_time() - self.cpu, self.wall.elapsed())
    }
}

/// Of all threads of this process so far.
fn cpu_time() -> Duration {
    time_of(libc::CLOCK_PROCESS_CPUTIME_ID)
}

fn time_of(clock: libc::clockid_t) -> Duration {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: it writes to nothing but the place that it is given, which lives until it returns.
    let failed = unsafe { libc::clock_gettime(clock, &mut time) };
    assert_eq!(failed, 0, "POSIX systems have clocks of CPU time");
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

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
    pub fn run(self, given: &Given) -> Result<Finding, Failure> {
        let config = self.core.resolve(given)?;
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
        let mut bare = Rate::default();
        let mut checked = Rate::default();
        for _ in 0..ROUNDS {
            bare = bare.fastest(bare_rate(&config, Verilator::start(&dut)?, &packets)?);
            match checked_rate(&config, Verilator::start(&dut)?, &packets)? {
                Ok(rate) => checked = checked.fastest(rate),
                Err(mismatch) => {
                    tell(&mismatch);
                    return Ok(Finding::CheckFailed);
                }
            }
        }
        let ratio = checked.cpu / bare.cpu;
        let version = ::sim::tools::VERILATOR.version()?;
        self.talk.print(|out| {
            if self.talk.json {
                let mut document = json!({
                    "command": "bench",
                    "engine": "verilator",
                    "engine_version": version,
                    "mib": self.mib,
                    "bare_bytes_per_cpu_second": bare.cpu,
                    "checked_bytes_per_cpu_second": checked.cpu,
                    "bare_bytes_per_second": bare.wall,
                    "checked_bytes_per_second": checked.wall,
                    "ratio": ratio,
                });
                merge(&mut document, &json!(config));
                return writeln!(out, "{document}");
            }
            let (mib, module) = (self.mib, &config.module);
            writeln!(out, "{module} on {version}, {mib} MiB, best of {ROUNDS}:")?;
            for (what, rate) in [
                ("bare model, no checks:", bare),
                ("lockstep, every pin:", checked),
            ] {
                let (cpu, wall) = (rate.cpu / 1e6, rate.wall / 1e6);
                writeln!(
                    out,
                    "  {what:22} {cpu:7.1} MB per second of CPU time, {wall:7.1} MB/s by the wall clock"
                )?;
            }
            writeln!(out, "  ratio of CPU time:     {ratio:7.2}")
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

/// The verilated core's own loop, on inputs made beforehand.
fn bare_rate(config: &Config, mut engine: Verilator, packets: &[Vec<u8>]) -> Result<Rate, Failure> {
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
    let start = Start::now();
    for _ in 0..runs {
        engine.run_bare(CLOCKS, &inputs);
    }
    Ok(Rate::of(runs * CLOCKS * config.lanes, &start))
}

/// The lockstep, or how the core and the model differ.
fn checked_rate(
    config: &Config,
    mut engine: Verilator,
    packets: &[Vec<u8>],
) -> Result<Result<Rate, String>, Failure> {
    let mut count = Count::default();
    let start = Start::now();
    let outcome = lockstep::run(
        config,
        &mut engine,
        Box::new(InMemory::new(packets)),
        Pattern::default(),
        &mut count,
        &mut |_| (),
    )?;
    let rate = |bytes| Rate::of(bytes, &start);
    match outcome {
        Outcome::Agreed(summary) if count.events > 0 => Ok(Ok(rate(summary.bytes as usize))),
        Outcome::Agreed(_) => Err(Failure::new("the core put out nothing")),
        Outcome::Differed(mismatch) => Ok(Err(mismatch.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lockstep has a thread for the core: its time counts, too.
    #[test]
    fn cpu_time_is_of_all_threads() {
        const WORK: Duration = Duration::from_millis(20);
        let start = Start::now();
        let work = || {
            let begin = time_of(libc::CLOCK_THREAD_CPUTIME_ID);
            while time_of(libc::CLOCK_THREAD_CPUTIME_ID) - begin < WORK {
                std::hint::spin_loop();
            }
        };
        std::thread::spawn(work).join().expect("it is done");
        assert!(start.elapsed().0 >= WORK);
    }
}
