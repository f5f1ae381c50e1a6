//! The widest cores. A lane of them is one of the cores with 64; what is new is in the sums, in the side signals, which wait for a verdict
//! for longer than a memory does, and in how wide the pins are. They are slow to build and to run, so they are in no other matrix.

use crate::dut::vectors::vectors;
use crate::dut::{bursts, have, often, oracle, packets, run, widest};
use crate::undefined::agree_without_x;
use hdl::config::{Config, CoreName, Form, LANES};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use sim::engine::EngineKind;
use sim::stimulus::Pattern;
use sim::tools;

const WIDEST: usize = LANES[LANES.len() - 1];

/// What is run here takes the others longer to build.
fn configs() -> Vec<Config> {
    if have(&tools::ICARUS) {
        widest()
    } else {
        Vec::new()
    }
}

#[test]
fn the_widest_cores_let_no_x_out() {
    agree_without_x(&configs());
}

/// Each vector behind as many letters as put it across the end of a beat or next to it: one place after the other.
fn at_the_ends_of_beats() -> Vec<Vec<u8>> {
    let vectors = vectors();
    let paddings = (WIDEST - 4..=WIDEST + 1).cycle();
    let padded = vectors.iter().zip(paddings);
    padded
        .map(|(vector, padding)| [vec![b'-'; padding], vector.bytes()].concat())
        .collect()
}

/// Packets of up to 400 bytes, cut from others wherever that is, and such at which counters of 8 bits saturate.
fn of_all_lengths() -> Vec<Vec<u8>> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(128);
    let mut bytes = packets(128, 1_000).concat().into_iter();
    let mut all: Vec<Vec<u8>> = (0..100)
        .map(|_| bytes.by_ref().take(random.random_range(0..=400)).collect())
        .collect();
    for length in 252..=260 {
        all.push(vec![b'a'; length]);
        all.push(vec![0xFF; length]);
        all.push([&vec![b'a'; length][..], b"\xF0\x90\x80", b"a"].concat());
    }
    all
}

#[test]
fn the_widest_cores_put_out_what_the_oracle_says() {
    let common = [at_the_ends_of_beats(), of_all_lengths()].concat();
    for (config, seed) in configs().iter().zip(1..) {
        let stall = match config.form {
            Form::Axis => bursts(0.2, 30.0),
            Form::Free => often(0.0),
        };
        let pattern = Pattern {
            seed,
            idle: often(0.1),
            stall,
            late_last: 0.2,
            null_beats: 0.05,
            sparse: 0.0,
            reset: 0.0,
            accesses: 0.0,
            texts: sim::texts::Texts::Random,
        };
        let mut packets = common.clone();
        // One that is longer than a counter of 16 bits can say.
        if config.core.name() == CoreName::Validate {
            packets.push(vec![0xBF; 66_000]);
        }
        let (output, _) = run(config, EngineKind::Icarus, &packets, pattern);
        assert!(output == oracle(config, &packets), "{}", config.describe());
    }
}

/// Resets in any clock, without X, so that every pin is compared in every clock.
#[test]
fn the_widest_cores_agree_over_resets() {
    for (config, seed) in configs().iter().zip(1..) {
        let pattern = Pattern {
            seed,
            idle: often(0.3),
            stall: often(if config.form == Form::Axis { 0.5 } else { 0.0 }),
            late_last: 0.2,
            null_beats: 0.1,
            sparse: 0.0,
            reset: 0.02,
            accesses: 0.0,
            texts: sim::texts::Texts::Random,
        };
        run(config, EngineKind::Icarus, &packets(seed, 400), pattern);
    }
}

#[test]
fn the_widest_cores_lose_no_clock() {
    const BEATS: usize = 150;
    let mut random = Xoshiro256PlusPlus::seed_from_u64(9);
    for config in configs() {
        let mut random = || (0..WIDEST).map(|_| random.random()).collect();
        let packets: Vec<Vec<u8>> = (0..BEATS).map(|_| random()).collect();
        let (_, summary) = run(&config, EngineKind::Icarus, &packets, Pattern::default());
        let overhead = summary.cycles - BEATS as u64;
        assert!(overhead < 100, "{}: {overhead}", config.describe());
    }
}
