//! The core `sanitise`: every pin over the stall matrix, and its bytes against Rust's own decoder.

use crate::dut::matrix::stall_matrix;
use crate::dut::{
    Output, decoder, engines, everything, fastest, name, often, oracle, packets, repaired, run,
    sanitiser, sanitisers,
};
use hdl::config::{Config, Core, Form, Replace, Signature};
use sim::stimulus::Pattern;

/// Whether what came out is what Rust's own functions make of the packets.
fn is_as_std(config: &Config, packets: &[Vec<u8>], output: &Output) -> bool {
    let expected = oracle(config, packets);
    (&output.passed, &output.verdicts) == (&expected.passed, &expected.verdicts)
}

#[test]
fn every_engine_agrees_over_the_stall_matrix() {
    stall_matrix(&sanitisers(), 11, is_as_std);
}

/// Each sequence of up to four bytes of these, which are the ends of the grammar's ranges, and then a byte of ASCII; the first in each lane, in
/// whole beats and after an idle clock.
#[test]
fn short_sequences_are_repaired_in_every_lane() {
    const BYTES: [u8; 12] = [
        0x41, 0x80, 0x9F, 0xA0, 0xBF, 0xC2, 0xE0, 0xED, 0xEF, 0xF0, 0xF4, 0xFF,
    ];
    let sequences: Vec<Vec<u8>> = (0..BYTES.len().pow(4))
        .step_by(if everything() { 1 } else { 5 })
        .map(|index| {
            let bytes = (0..4).map(|at| BYTES[index / BYTES.len().pow(at) % BYTES.len()]);
            bytes.chain([0x41]).collect()
        })
        .collect();
    for (replace, lanes, form, signature) in [
        (Replace::Ascii, 1, Form::Free, Signature::Keep),
        (Replace::Ascii, 2, Form::Free, Signature::Keep),
        (Replace::Ascii, 4, Form::Free, Signature::Keep),
        (Replace::Fffd, 1, Form::Axis, Signature::Strip),
        (Replace::Fffd, 2, Form::Axis, Signature::Strip),
        (Replace::Fffd, 8, Form::Axis, Signature::Keep),
    ] {
        let config = sanitiser(replace, lanes, form, signature);
        for (shift, idle) in (0..lanes).zip([0.0, 0.5].into_iter().cycle()) {
            let before = vec![0x41; shift];
            let packet = [before, sequences.concat()].concat();
            let pattern = Pattern {
                idle: often(idle),
                ..Pattern::default()
            };
            let packets = [packet];
            let (output, _) = run(&config, fastest(), &packets, pattern);
            let name = name(&config, fastest());
            assert!(is_as_std(&config, &packets, &output), "{name}, {shift}");
        }
    }
}

/// A source with a ready sink never waits while no beat becomes more than its lanes, and of packets of nothing but ill-formed bytes a beat of
/// bytes comes in every clock.
#[test]
fn a_ready_sink_is_the_only_limit() {
    for lanes in [1, 2, 4, 8, 16] {
        let config = sanitiser(Replace::Fffd, lanes, Form::Axis, Signature::Keep);
        let count = 4_000;
        let clocks = |piece: &[u8]| {
            let packet = piece.repeat(count * lanes / piece.len());
            let (_, summary) = run(&config, fastest(), &[packet], Pattern::default());
            summary.cycles as usize
        };
        let well_formed = clocks("aé\u{20AC}\u{1F600}".as_bytes());
        let ill_formed = clocks(b"\xFF");
        assert!(
            well_formed < count + 100,
            "{lanes} lanes: {well_formed} clocks"
        );
        assert!(
            ill_formed < 3 * count + 100,
            "{lanes} lanes: {ill_formed} clocks"
        );
    }
}

/// What came out of one core goes through another unchanged, and a decoder finds nothing ill-formed in it.
#[test]
fn what_is_repaired_needs_no_repair() {
    let packets = packets(1, 200);
    for replace in [Replace::Ascii, Replace::Fffd] {
        let config = sanitiser(replace, 8, Form::Axis, Signature::Keep);
        let repair = |packets: &[Vec<u8>]| -> Vec<Vec<u8>> {
            let (output, _) = run(&config, fastest(), packets, Pattern::default());
            output.passed.into_iter().map(|(bytes, _)| bytes).collect()
        };
        let once = repair(&packets);
        assert_eq!(once.len(), packets.len());
        assert!(once == repair(&once), "{replace}");
        let decoder = decoder(8, Form::Axis, Signature::Keep);
        let (output, _) = run(&decoder, fastest(), &once, Pattern::default());
        assert!(
            output
                .verdicts
                .iter()
                .all(|(verdict, _)| verdict.well_formed)
        );
        let expected = packets
            .iter()
            .map(|packet| repaired(packet, replace, Signature::Keep));
        assert!(expected.eq(once), "{replace}");
    }
}

/// A signature alone becomes an empty packet, and two become one.
#[test]
fn only_a_signature_at_the_beginning_is_stripped() {
    let texts = ["\u{FEFF}", "\u{FEFF}\u{FEFF}", "a\u{FEFF}", "\u{FEFF}a", ""];
    let packets = texts.map(|text| text.as_bytes().to_vec());
    for config in sanitisers() {
        let Core::Sanitise {
            signature: Signature::Strip,
            ..
        } = config.core
        else {
            continue;
        };
        for kind in engines() {
            let (output, _) = run(&config, kind, &packets, Pattern::default());
            let bytes = output.passed.iter().map(|(bytes, _)| &bytes[..]);
            let expected = ["", "\u{FEFF}", "a\u{FEFF}", "a", ""].map(str::as_bytes);
            assert!(bytes.eq(expected), "{}", name(&config, kind));
        }
    }
}
