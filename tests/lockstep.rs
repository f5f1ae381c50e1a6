//! Lockstep over the stall matrix, and what the DUT put out against Rust's own decoder.

mod dut;

use dut::{
    BOUNDARIES, FORMS, Output, bursts, config, configs, engines, fastest, have, name, often,
    oracle, packets, run,
};
use golden::Event;
use hdl::config::{Form, LANES, Signature};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use sim::engine::EngineKind;
use sim::stimulus::{Pattern, Pauses};
use sim::tools;

const IDLES: [Pauses; 3] = [often(0.0), often(0.3), bursts(0.5, 8.0)];
const STALLS: [Pauses; 4] = [often(0.0), often(0.3), often(0.9), bursts(0.5, 40.0)];

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
                        reset,
                    };
                    let (output, _) = run(&config, kind, &packets, pattern);
                    if reset == 0.0 && config.signature != Signature::Strip {
                        assert!(
                            output == oracle(&packets),
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
    stall_matrix(EngineKind::Embedded, 50, 13);
}

#[test]
fn icarus_agrees_over_the_stall_matrix() {
    if have(&tools::ICARUS) {
        stall_matrix(EngineKind::Icarus, 50, 7);
    }
}

#[test]
fn verilator_agrees_over_the_stall_matrix() {
    if have(&tools::VERILATOR) {
        stall_matrix(EngineKind::Verilator, 400, 2);
    }
}

/// The same run on every engine puts the same out and takes as many clocks.
#[test]
fn all_engines_put_the_same_out() {
    let packets = packets(77, 100);
    for config in configs() {
        let pattern = Pattern {
            seed: 78,
            idle: often(0.2),
            stall: bursts(0.4, 12.0),
            late_last: 0.3,
            reset: 0.0,
        };
        let mut runs = engines()
            .into_iter()
            .map(|kind| run(&config, kind, &packets, pattern));
        let first = runs.next().expect("the embedded engine is always there");
        for other in runs {
            assert!(
                other == first,
                "lanes {} {} {}",
                config.lanes,
                config.form,
                config.signature
            );
        }
    }
}

/// What Rust's own decoder says of a packet: the lossy text, and where the first error is.
fn assert_as_std(packets: &[Vec<u8>], output: &Output) {
    let mut events = output.events.iter();
    for (index, packet) in packets.iter().enumerate() {
        let verdict = &output.verdicts[index];
        match std::str::from_utf8(packet) {
            Ok(text) => {
                assert!(verdict.well_formed, "{packet:02X?}");
                assert_eq!(verdict.valid_up_to, packet.len() as u64, "{packet:02X?}");
                assert_eq!(verdict.error_len, None, "{packet:02X?}");
                assert_eq!(
                    verdict.scalars,
                    text.chars().count() as u64,
                    "{packet:02X?}"
                );
            }
            Err(error) => {
                assert!(!verdict.well_formed, "{packet:02X?}");
                assert_eq!(
                    verdict.valid_up_to,
                    error.valid_up_to() as u64,
                    "{packet:02X?}"
                );
                let length = error.error_len().unwrap_or(0) as u8;
                assert_eq!(verdict.error_len, Some(length), "{packet:02X?}");
            }
        }
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
            &config(lanes, form, Signature::Keep),
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
        let config = config(lanes, Form::Axis, Signature::Keep);
        let (output, _) = run(&config, fastest(), &packets, Pattern::default());
        assert_as_std(&packets, &output);
    }
}

#[test]
fn every_scalar_value_decodes_as_in_rust() {
    let text: String = ('\0'..=char::MAX).collect();
    let packets = [text.into_bytes()];
    for lanes in [1, 8, 64] {
        let config = config(lanes, Form::Free, Signature::Keep);
        let (output, _) = run(&config, fastest(), &packets, Pattern::default());
        assert_eq!(output.events.len(), 0x11_0000 - 0x800);
        assert_as_std(&packets, &output);
    }
}

/// A beat is accepted in every clock, whatever the bytes are, while the sink takes what comes.
#[test]
fn no_clock_is_lost() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(8);
    let packets: Vec<Vec<u8>> = (0..64)
        .map(|_| (0..1024).map(|_| random.random()).collect())
        .collect();
    for lanes in LANES {
        for form in FORMS {
            let config = config(lanes, form, Signature::Keep);
            let (_, summary) = run(&config, fastest(), &packets, Pattern::default());
            assert_eq!(summary.bytes, 64 * 1024);
            let overhead = summary.cycles - summary.bytes / lanes as u64;
            assert!(
                overhead < 100,
                "lanes {lanes}, {form}: {overhead} clocks without a beat"
            );
        }
    }
}

/// A finished sequence never waits for a byte that does not come.
#[test]
fn an_event_comes_out_after_the_stated_latency() {
    for (lanes, form) in LANES
        .into_iter()
        .flat_map(|lanes| FORMS.map(|form| (lanes, form)))
    {
        let config = config(lanes, form, Signature::Keep);
        let mut model = sim::lockstep::model(&config);
        let mut core = hdl::embedded::build(&config);
        let words = |pins: Vec<golden::cycle::Pin>| sim::lockstep::frame_words(&pins);
        let mut inputs = vec![0; words(model.input_pins())];
        let mut outputs = vec![0; words(model.output_pins())];
        let valid_at = usize::from(form == Form::Axis);
        // Reset, time for tready to rise, and a beat that does not end its packet.
        for clock in 0..60 {
            inputs.fill(0);
            inputs[0] = u32::from(clock < 4);
            if form == Form::Axis {
                let sink_ready = inputs.len() - 1;
                inputs[sink_ready] = 1;
            }
            if clock == 20 {
                // A full beat of U+0041, without tlast.
                let data_words = (8 * lanes).div_ceil(32);
                inputs[1] = 1;
                for lane in 0..lanes {
                    inputs[2 + lane / 4] |= 0x41 << (8 * (lane % 4));
                    inputs[2 + data_words + lane / 32] |= 1 << (lane % 32);
                }
            }
            core.clock(&inputs, &mut outputs).expect("it settles");
            let due = clock == 20 + hdl::emit::latency(&config);
            assert_eq!(
                outputs[valid_at] == 1,
                due,
                "lanes {lanes} {form} clock {clock}"
            );
            model.step(&inputs, &mut outputs);
            assert_eq!(
                outputs[valid_at] == 1,
                due,
                "lanes {lanes} {form} model, clock {clock}"
            );
        }
    }
}
