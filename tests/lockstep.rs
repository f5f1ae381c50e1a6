//! Lockstep over the stall matrix, and what the DUT put out against Rust's own decoder.

use crate::dut::matrix::STALLS;
use crate::dut::{
    BOUNDARIES, Output, bursts, configs, decoder, droppers, engines, everything, fastest, flows,
    framed, have, name, often, oracle, packets, packets_for, run, widest, windowed,
};
use golden::Event;
use hdl::config::{Config, Form, Signature};
use hdl::csr::map::registers;
use hdl::emit::Latency;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use sim::engine::EngineKind;
use sim::frame::Frame;
use sim::stimulus::{Pattern, Pauses};
use sim::tools;
use std::collections::BTreeMap;

const IDLES: [Pauses; 3] = [often(0.0), often(0.3), bursts(0.5, 24.0)];

/// All configurations over idles x stalls x late ends x resets, or one in `step` of these.
fn stall_matrix(kind: EngineKind, count: usize, step: u64) {
    let mut seed = 0;
    for config in configs() {
        for idle in IDLES {
            for stall in STALLS {
                if config.form == Form::Free && stall != often(0.0) {
                    continue; // it has no tready
                }
                for (late_last, reset) in [(0.0, 0.0), (0.4, 0.0), (0.2, 0.01)] {
                    seed += 1;
                    if seed % step != 0 {
                        continue;
                    }
                    let packets = packets(seed, count);
                    let pattern = Pattern {
                        seed,
                        idle,
                        stall,
                        late_last,
                        null_beats: 0.1,
                        sparse: 0.0,
                        reset,
                        accesses: 10.0 * reset,
                        texts: sim::texts::Texts::Random,
                    };
                    let (output, _) = run(&config, kind, &packets, pattern);
                    if reset == 0.0 {
                        assert!(
                            output == oracle(&config, &packets),
                            "{} {pattern:?}",
                            name(&config, kind)
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn the_embedded_engine_agrees_over_the_stall_matrix() {
    stall_matrix(EngineKind::Embedded, 50, if everything() { 53 } else { 97 });
}

#[test]
fn icarus_agrees_over_the_stall_matrix() {
    if have(&tools::ICARUS) {
        stall_matrix(EngineKind::Icarus, 50, if everything() { 29 } else { 53 });
    }
}

#[test]
fn verilator_agrees_over_the_stall_matrix() {
    if have(&tools::VERILATOR) {
        stall_matrix(
            EngineKind::Verilator,
            400,
            if everything() { 7 } else { 11 },
        );
    }
}

/// Whatever uses the registers' bus, and whenever: snapshots, soft resets, packets that are not looked at, odd addresses.
#[test]
fn registers_agree_whatever_uses_their_bus() {
    let packets = packets(41, 1_500);
    let mut all = configs();
    all.retain(Config::has_registers);
    all.push(flows(1, 1, Form::Axis));
    all.push(flows(8, 5, Form::Free));
    // Of frames there are others for these cores.
    all.extend(framed().into_iter().filter(Config::has_registers));
    for (config, seed) in all.iter().zip(1..) {
        let has_frames = config.core.policy().has_frames;
        let frames = has_frames.then(|| packets_for(config, 41, 1_500));
        let packets = frames.as_ref().unwrap_or(&packets);
        let pattern = Pattern {
            seed,
            idle: often(0.1),
            stall: often(if config.form == Form::Axis { 0.1 } else { 0.0 }),
            late_last: 0.2,
            null_beats: 0.05,
            sparse: 0.0,
            reset: 0.0005,
            accesses: 0.2,
            texts: sim::texts::Texts::Random,
        };
        run(config, fastest(), packets, pattern);
    }
}

/// The same run on every engine puts the same out and takes as many clocks.
#[test]
fn all_engines_put_the_same_out() {
    let packets = packets(77, 30);
    // Every other one: each kind of core is there in more than one width.
    let step = if everything() { 1 } else { 2 };
    for config in configs().into_iter().step_by(step) {
        let pattern = Pattern {
            seed: 78,
            idle: often(0.2),
            stall: bursts(0.4, 12.0),
            late_last: 0.3,
            null_beats: 0.1,
            sparse: 0.0,
            reset: 0.0,
            accesses: 0.0,
            texts: sim::texts::Texts::Random,
        };
        let mut runs = engines()
            .into_iter()
            .map(|kind| run(&config, kind, &packets, pattern));
        let first = runs.next().expect("the embedded engine is always there");
        for other in runs {
            assert!(other == first, "{}", config.describe());
        }
    }
}

/// What Rust's own decoder says of packets: the lossy text.
fn assert_as_std(packets: &[Vec<u8>], output: &Output) {
    let mut events = output.events.iter();
    for packet in packets {
        let lossy = String::from_utf8_lossy(packet);
        for expected in lossy.chars() {
            let Some(&(_, _, event)) = events.next() else {
                panic!("{packet:02X?}: no event for {expected:?}");
            };
            let shown = match event {
                Event::Scalar(value) => value,
                Event::IllFormed { .. } => 0xFFFD,
            };
            assert_eq!(shown, u32::from(expected), "{packet:02X?}");
        }
    }
    assert_eq!(events.next(), None);
}

#[test]
fn every_string_of_one_and_two_bytes_decodes_as_in_rust() {
    let one = (0..=0xFF).map(|a| vec![a]);
    let two = (0..=0xFFFF_u16).map(|ab| ab.to_be_bytes().to_vec());
    let packets: Vec<Vec<u8>> = std::iter::once(vec![]).chain(one).chain(two).collect();
    for (lanes, form) in [
        (1, Form::Axis),
        (1, Form::Free),
        (4, Form::Axis),
        (64, Form::Axis),
    ] {
        let (output, _) = run(
            &decoder(lanes, form, Signature::Keep),
            fastest(),
            &packets,
            Pattern::default(),
        );
        assert_as_std(&packets, &output);
    }
}

#[test]
fn boundary_strings_of_three_and_four_bytes_decode_as_in_rust() {
    let mut packets = Vec::new();
    for a in BOUNDARIES {
        for b in BOUNDARIES {
            for c in BOUNDARIES {
                packets.push(vec![a, b, c]);
                packets.extend(BOUNDARIES.map(|d| vec![a, b, c, d]));
            }
        }
    }
    for lanes in [1, 2] {
        let config = decoder(lanes, Form::Axis, Signature::Keep);
        let (output, _) = run(&config, fastest(), &packets, Pattern::default());
        assert_as_std(&packets, &output);
    }
}

#[test]
fn every_scalar_value_decodes_as_in_rust() {
    let text: String = ('\0'..=char::MAX).collect();
    let packets = [text.into_bytes()];
    for lanes in [1, 8, 64] {
        let config = decoder(lanes, Form::Free, Signature::Keep);
        let (output, _) = run(&config, fastest(), &packets, Pattern::default());
        assert_eq!(output.events.len(), 0x11_0000 - 0x800);
        assert_as_std(&packets, &output);
    }
}

/// A beat is accepted in every clock, whatever the bytes are, while the sinks take what comes: long packets, and packets of
/// one beat.
#[test]
fn no_clock_is_lost() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(8);
    for config in configs()
        .into_iter()
        .chain(windowed())
        .chain(framed())
        .chain(droppers())
    {
        for beats in [1, 100] {
            let mut random =
                || -> Vec<u8> { (0..beats * config.lanes).map(|_| random.random()).collect() };
            let packets: Vec<Vec<u8>> = (0..1000 / beats).map(|_| random()).collect();
            let (_, summary) = run(&config, fastest(), &packets, Pattern::default());
            let clocks = summary.bytes / config.lanes as u64;
            assert_eq!(clocks, 1000);
            let overhead = summary.cycles - clocks;
            // A run ends with a read of every register, word by word.
            let words = |config| -> usize { registers(config).iter().map(|it| it.words()).sum() };
            let reads = match config.has_registers() {
                true => 23 * words(&config) as u64,
                false => 0,
            };
            // What may be dropped leaves after its end.
            let waits = match config.core.packet_memory(config.lanes) {
                Some(_) => beats as u64,
                None => 0,
            };
            assert!(
                overhead < 150 + reads + waits,
                "{}: {overhead} clocks without a beat",
                config.describe()
            );
        }
    }
}

/// Everything comes out after the stated latency; a finished sequence never waits for a byte that does not come.
#[test]
fn what_a_beat_gives_comes_out_after_the_stated_latency() {
    const AT: usize = 20;
    for config in configs()
        .into_iter()
        .chain(widest())
        .chain(windowed())
        .chain(framed())
        .chain(droppers())
    {
        let mut core = hdl::embedded::build(&config);
        let (ins, outs) = (Frame::inputs(&config), Frame::outputs(&config));
        let (mut inputs, mut outputs) = (vec![0; ins.words], vec![0; outs.words]);
        let mut seen: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        // Reset, time for tready to rise, and a packet of one beat full of U+0041.
        for clock in 0..100 {
            inputs.fill(0);
            inputs[0] = u32::from(clock < 4);
            for pin in ins.pins.iter().filter(|pin| pin.name.ends_with("_tready")) {
                inputs[ins.at(pin.name)] = 1;
            }
            if clock == AT {
                inputs[ins.at("s_axis_tvalid")] = 1;
                inputs[ins.at("s_axis_tlast")] = 1;
                for lane in 0..config.lanes {
                    inputs[ins.at("s_axis_tdata") + lane / 4] |= 0x41 << (8 * (lane % 4));
                    inputs[ins.at("s_axis_tkeep") + lane / 32] |= 1 << (lane % 32);
                }
            }
            core.clock(&config, &inputs, &mut outputs)
                .expect("it settles");
            for pin in outs.pins.iter().filter(|pin| pin.name.ends_with("_tvalid")) {
                if outputs[outs.at(pin.name)] == 1 {
                    seen.entry(pin.name).or_default().push(clock);
                }
            }
        }
        let Latency { stream, verdict } = hdl::emit::latency(&config);
        let due = [
            ("m_axis_tvalid", stream),
            ("m_axis_verdict_tvalid", verdict),
        ];
        let due = due
            .into_iter()
            .filter_map(|(pin, latency)| Some((pin, vec![AT + latency?])));
        assert_eq!(seen, due.collect(), "{}", config.describe());
    }
}
