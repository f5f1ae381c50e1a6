//! Drop mode: bad packets are not put out. Every pin over the stall matrix, packets around the longest that can be dropped, and a source
//! that never has to wait, against Rust's own decoder.

use crate::dut::matrix::stall_matrix;
use crate::dut::{Output, droppers, dropping, everything, fastest, often, oracle, run, verilog};
use golden::{Event, Verdict};
use hdl::config::{Config, Depth, Request};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use sim::engine::{self, Dut};
use sim::frame::Frame;
use sim::lockstep::{self, Outcome};
use sim::observer::{Saturated, Sink};
use sim::packets::InMemory;
use sim::stimulus::Pattern;

fn is_as_expected(config: &Config, packets: &[Vec<u8>], output: &Output) -> bool {
    *output == oracle(config, packets)
}

#[test]
fn every_engine_agrees_over_the_stall_matrix() {
    stall_matrix(&droppers(), 29, is_as_expected);
}

/// A mark that comes with a packet drops it like one of the core's own: with random sidebands, and registers that are used. The model knows.
#[test]
fn a_packet_that_comes_with_a_mark_is_dropped() {
    let sidebands = |request| Request {
        user_width: Some(3),
        id_width: Some(5),
        ..request
    };
    let registers = Request {
        csr: Some(true),
        ..Request::default()
    };
    for config in [
        dropping(2, 60, sidebands(Request::default())),
        dropping(8, 300, sidebands(registers)),
    ] {
        let packets = crate::dut::packets(31, 1_500);
        let pattern = Pattern {
            seed: 32,
            idle: often(0.1),
            stall: often(0.4),
            late_last: 0.2,
            null_beats: 0.05,
            reset: 0.001,
            accesses: if config.has_registers() { 0.05 } else { 0.0 },
            ..Pattern::default()
        };
        run(&config, fastest(), &packets, pattern);
    }
}

/// Packets of these numbers of beats, the last of which has only one byte, good and bad by turns.
fn of_beats(lanes: usize, beats: impl IntoIterator<Item = usize>) -> Vec<Vec<u8>> {
    let mut packets = Vec::new();
    for beats in beats {
        let length = beats.checked_sub(1).map_or(0, |full| full * lanes + 1);
        let mut good = "\u{e9}".repeat(length.saturating_sub(1) / 2).into_bytes();
        good.resize(length, b'a');
        let mut bad = good.clone();
        if let Some(last) = bad.last_mut() {
            *last = 0xFF;
        }
        packets.extend([good, bad]);
    }
    packets
}

/// At the limit and next to it, each after each other, whatever stalls: what is put out is what Rust's decoder accepts, and what is too long.
#[test]
fn packets_around_the_longest_are_dropped_or_marked() {
    for lanes in if everything() {
        vec![1, 2, 8, 64]
    } else {
        vec![1, 8]
    } {
        let config = dropping(lanes, 2 * lanes, Request::default());
        let (_, longest) = config.core.packet_memory(lanes).expect("it drops packets");
        let lengths = [
            0,
            1,
            longest - 1,
            longest,
            longest + 1,
            2,
            longest + 2,
            3,
            3 * longest,
        ];
        let pairs = lengths
            .iter()
            .flat_map(|&a| lengths.iter().map(move |&b| [a, b]));
        let packets = of_beats(lanes, pairs.flatten());
        for stall in [0.0, 0.5, 0.95] {
            let pattern = Pattern {
                stall: often(stall),
                seed: 3,
                ..Pattern::default()
            };
            let (output, _) = run(&config, fastest(), &packets, pattern);
            let expected: Vec<(Vec<u8>, bool)> = (packets.iter())
                .filter_map(|packet| {
                    let is_bad = str::from_utf8(packet).is_err();
                    let is_long = packet.len().div_ceil(lanes) > longest;
                    (!is_bad || is_long).then(|| (packet.clone(), is_bad))
                })
                .collect();
            assert!(expected.iter().any(|it| it.1) && expected.len() < packets.len());
            assert!(output.passed == expected, "{lanes} lanes, stalls {stall}");
            assert_eq!(output.verdicts.len(), packets.len());
        }
    }
}

/// Clocks in which `s_axis_tready` was low after it was high.
struct Waits {
    at: usize,
    words: usize,
    begun: bool,
    waits: usize,
}

impl Sink for Waits {
    fn event(&mut self, _: u64, _: u64, _: Event) {}

    fn packet(&mut self, _: u64, _: Verdict, _: Saturated) {}

    fn clocks(&mut self, _: &[u32], outputs: &[u32]) {
        for clock in outputs.chunks_exact(self.words) {
            self.begun |= clock[self.at] != 0;
            self.waits += usize::from(self.begun && clock[self.at] == 0);
        }
    }
}

/// Clocks that the source waits while the sink is always ready.
fn waits(config: &Config, packets: &[Vec<u8>]) -> usize {
    let verilog = verilog(config);
    let dut = Dut {
        config,
        verilog: &verilog,
        trace: None,
        coverage: false,
        bytes: None,
    };
    let outputs = Frame::outputs(config);
    let mut waits = Waits {
        at: outputs.at("s_axis_tready"),
        words: outputs.words,
        begun: false,
        waits: 0,
    };
    let mut engine = engine::start(fastest(), &dut).expect("an engine");
    let packets = Box::new(InMemory::new(packets));
    let pattern = Pattern::default();
    let outcome = lockstep::run(
        config,
        engine.as_mut(),
        packets,
        pattern,
        &mut waits,
        &mut |_| (),
    );
    assert!(matches!(outcome, Ok(Outcome::Agreed(_))));
    assert!(waits.begun);
    waits.waits
}

/// Back to back, of every length up to the longest that can be dropped, the source never waits for a sink that is always ready.
#[test]
fn a_source_never_waits_for_a_sink_that_is_ready() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
    for (lanes, request) in [
        (1, Request::default()),
        (8, Request::default()),
        (
            8,
            Request {
                depth: Some(Depth::Min),
                ..Request::default()
            },
        ),
        (
            16,
            Request {
                frames: Some(true),
                ..Request::default()
            },
        ),
    ] {
        let config = dropping(lanes, 3 * lanes, request);
        let (words, longest) = config.core.packet_memory(lanes).expect("it drops packets");
        let mut lengths = vec![longest; 8];
        lengths.extend((0..400).map(|_| random.random_range(0..=longest)));
        lengths.extend([longest, 1, longest, longest, 0, longest]);
        let packets = of_beats(lanes, lengths);
        assert_eq!(waits(&config, &packets), 0, "{}", config.describe());
        // Nor with packets that are longer than the memory: they go through it.
        let long = vec![vec![b'a'; 2 * words * lanes]; 4];
        assert_eq!(waits(&config, &long), 0, "{}", config.describe());
    }
}
