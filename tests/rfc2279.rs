//! `--grammar rfc2279`: every pin over the stall matrix, and sequences of each length against arithmetic.

use crate::dut::matrix::stall_matrix;
use crate::dut::{Output, built, everything, fastest, in_rfc2279, often, oracle, run, sequence};
use golden::Event;
use hdl::config::{Config, Core, CoreName, Depth, Form, Mode, OnError, Request, Signature};
use hdl::emit::emit;
use sim::stimulus::Pattern;
use std::collections::BTreeSet;

/// The first and the last value of each length, and what is beside them and beside the surrogates.
const VALUES: [u32; 20] = [
    0x0,
    0x41,
    0x7F,
    0x80,
    0x7FF,
    0x800,
    0xD7FF,
    0xE000,
    0xFEFF,
    0xFFFD,
    0xFFFF,
    0x1_0000,
    0x10_FFFF,
    0x11_0000,
    0x1F_FFFF,
    0x20_0000,
    0x3FF_FFFF,
    0x400_0000,
    0x5555_5555,
    0x7FFF_FFFF,
];

fn decoder(lanes: usize, form: Form, signature: Signature) -> Request {
    Request {
        lanes: Some(lanes),
        form: Some(form),
        signature: Some(signature),
        ..Default::default()
    }
}

fn validator(lanes: usize, form: Form, mode: Mode, counter_width: usize) -> Request {
    Request {
        core: Some(CoreName::Validate),
        lanes: Some(lanes),
        form: Some(form),
        mode: Some(mode),
        counter_width: Some(counter_width),
        ..Default::default()
    }
}

fn encoder(lanes: usize, on_error: OnError) -> Request {
    Request {
        core: Some(CoreName::Encode),
        lanes: Some(lanes),
        on_error: Some(on_error),
        ..Default::default()
    }
}

/// Cores of each kind. With eight lanes a full beat of a decoder may have no event, and with two a validator's counters have a bit more.
fn cores() -> Vec<Config> {
    requests().into_iter().map(in_rfc2279).collect()
}

fn requests() -> Vec<Request> {
    use Form::{Axis, Free};
    let mut cores = vec![
        decoder(1, Axis, Signature::Keep),
        decoder(8, Free, Signature::Strip),
        Request {
            dense: Some(true),
            ..decoder(4, Axis, Signature::Flag)
        },
        validator(2, Free, Mode::Snoop, 8),
        Request {
            csr: Some(true),
            ..validator(8, Axis, Mode::Pass, 32)
        },
        encoder(2, OnError::Replace),
    ];
    if everything() {
        let shallow = |core| Request {
            depth: Some(Depth::Min),
            ..core
        };
        cores.extend([
            decoder(2, Free, Signature::Flag),
            decoder(4, Free, Signature::Strip),
            decoder(16, Axis, Signature::Strip),
            decoder(64, Free, Signature::Flag),
            shallow(decoder(1, Free, Signature::Strip)),
            shallow(decoder(8, Axis, Signature::Strip)),
            shallow(decoder(64, Axis, Signature::Keep)),
            Request {
                dense: Some(true),
                ..decoder(16, Free, Signature::Strip)
            },
            validator(1, Axis, Mode::Pass, 16),
            validator(4, Free, Mode::Snoop, 32),
            validator(64, Axis, Mode::Pass, 32),
            shallow(validator(2, Axis, Mode::Pass, 16)),
            shallow(validator(1, Free, Mode::Snoop, 8)),
            Request {
                csr: Some(true),
                ..validator(2, Free, Mode::Snoop, 32)
            },
            encoder(1, OnError::Omit),
            encoder(4, OnError::Omit),
            encoder(8, OnError::Replace),
        ]);
    }
    cores
}

/// Whether what came out is what the model makes of the packets.
fn is_as_told(config: &Config, packets: &[Vec<u8>], output: &Output) -> bool {
    let expected = oracle(config, packets);
    let is_decoder = matches!(config.core, Core::Decode { .. });
    let is_encoder = matches!(config.core, Core::Encode { .. });
    output.events == expected.events
        && output.passed == expected.passed
        && (is_encoder || is_decoder || output.verdicts == expected.verdicts)
        && output.encoded == expected.encoded
}

#[test]
fn every_engine_agrees_over_the_stall_matrix() {
    stall_matrix(&cores(), 7, is_as_told);
}

/// What is true of RFC 3629 only, as its Verilog's comments and its other files say it.
const OF_RFC3629: [&str; 18] = [
    "RFC 3629",
    "Table 3-7",
    "F0..F4",
    "F4..F7",
    "F5..FF",
    "F8..FF",
    "(C0, C1, E0, F0)",
    "too_large 5",
    "0 to 4",
    "21 planes",
    "21 bits",
    "one, two and three before",
    "a word has up to four",
    "four or more",
    "and four, or more",
    "two bytes, three, four.",
    "less one to four",
    "4 * i",
];

/// The comments of a core's Verilog, those on neighbouring lines as one, and its other files.
fn sayings(config: &Config) -> String {
    let emitted = emit(config).expect("it can be emitted");
    let lines = emitted.verilog.lines();
    let comments: Vec<&str> = lines
        .map(|line| line.split_once("// ").map_or("\n", |(_, comment)| comment))
        .collect();
    let others = emitted.registers.into_iter().map(|(_, text)| text);
    let others: String = others.collect();
    format!("{}\n{}\n{others}", comments.join(" "), emitted.json)
}

#[test]
fn nothing_is_said_that_is_true_of_rfc_3629_only() {
    let mut unsaid: BTreeSet<&str> = OF_RFC3629.into();
    let more = [encoder(8, OnError::Omit)];
    for request in requests().into_iter().chain(more) {
        let config = in_rfc2279(request.clone());
        let text = sayings(&config);
        for phrase in OF_RFC3629 {
            assert!(!text.contains(phrase), "{}: {phrase}", config.module);
        }
        let text = sayings(&built(request));
        unsaid.retain(|phrase| !text.contains(phrase));
    }
    assert!(unsaid.is_empty(), "a phrase that nothing says: {unsaid:?}");
}

/// The events of the values' sequences, the first of which begins in some lane.
#[test]
fn every_length_is_decoded_in_every_lane() {
    for lanes in [1, 8] {
        let config = in_rfc2279(decoder(lanes, Form::Axis, Signature::Keep));
        for (shift, idle) in (0..lanes.max(6)).zip([0.0, 0.5].into_iter().cycle()) {
            let values: Vec<u32> = [0x41].repeat(shift).into_iter().chain(VALUES).collect();
            let packet: Vec<u8> = values.iter().copied().flat_map(sequence).collect();
            let mut at = 0;
            let expected = values.iter().map(|&value| {
                at += sequence(value).len() as u64;
                (0, at - 1, Event::Scalar(value))
            });
            let expected: Vec<_> = expected.collect();
            let pattern = Pattern {
                idle: often(idle),
                ..Pattern::default()
            };
            let (output, _) = run(&config, fastest(), &[packet], pattern);
            assert_eq!(output.events, expected, "{lanes} lanes, {shift}");
        }
    }
}

/// Their words, back.
#[test]
fn every_length_is_encoded_in_every_lane() {
    for lanes in [1, 2, 8] {
        let config = in_rfc2279(encoder(lanes, OnError::Replace));
        for shift in 0..lanes {
            let values = [0x41].repeat(shift).into_iter().chain(VALUES);
            let values: Vec<u32> = values.chain(VALUES.into_iter().rev()).collect();
            let words = values
                .iter()
                .flat_map(|value| value.to_le_bytes())
                .collect();
            let bytes: Vec<u8> = values.into_iter().flat_map(sequence).collect();
            let (output, _) = run(&config, fastest(), &[words], Pattern::default());
            assert_eq!(output.passed, [(bytes, false)], "{lanes} lanes, {shift}");
        }
    }
}

/// A source with a ready sink never waits while its words need no more bytes than the core has lanes, and of words of six bytes a beat of
/// bytes comes in every clock.
#[test]
fn a_ready_sink_is_the_only_limit() {
    for lanes in [1, 2, 8] {
        let config = in_rfc2279(encoder(lanes, OnError::Replace));
        let count = 1_200;
        let clocks = |value: u32| {
            let packet = value.to_le_bytes().repeat(count * lanes);
            let (_, summary) = run(&config, fastest(), &[packet], Pattern::default());
            summary.cycles as usize
        };
        let (short, long) = (clocks(0x41), clocks(0x7FFF_FFFF));
        assert!(short < count + 100, "{lanes} lanes: {short} clocks");
        assert!(long < 6 * count + 100, "{lanes} lanes: {long} clocks");
    }
}
