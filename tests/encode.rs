//! The core `encode`: every pin over the stall matrix, and its bytes against Rust's own encoder.

use crate::dut::matrix::STALLS;
use crate::dut::{
    Output, encoder, encoders, engines, everything, fastest, name, often, oracle, packets_for, run,
};
use hdl::config::{Config, Core, Encoding, OnError};
use sim::engine::EngineKind;
use sim::stimulus::Pattern;

fn takes_utf16(config: &Config) -> bool {
    matches!(config.core, Core::Encode { from, .. } if from.is_utf16())
}

/// Whether what came out is what Rust's own functions make of the packets.
fn is_as_std(config: &Config, packets: &[Vec<u8>], output: &Output) -> bool {
    let expected = oracle(config, packets);
    (&output.passed, &output.encoded) == (&expected.passed, &expected.encoded)
}

/// Some encoders over stalls, sparse lanes, null beats, late ends and resets.
fn stall_matrix(kind: EngineKind, configs: &[Config], count: usize, step: usize) {
    let cases = STALLS.into_iter().flat_map(|stall| {
        [(0.0, 0.0), (0.4, 0.0), (0.5, 0.01)].map(|(sparse, reset)| (stall, sparse, reset))
    });
    let all: Vec<_> = configs
        .iter()
        .flat_map(|config| cases.clone().map(move |case| (config, case)))
        .collect();
    for (seed, (config, (stall, sparse, reset))) in (1..).zip(all).step_by(step) {
        let packets = packets_for(config, seed, count);
        let pattern = Pattern {
            seed,
            idle: often(0.1),
            stall,
            late_last: sparse / 2.0,
            null_beats: 0.1,
            sparse,
            reset,
            accesses: 0.0,
            texts: sim::texts::Texts::Random,
        };
        let (output, _) = run(config, kind, &packets, pattern);
        // A hole between two units is something else than none.
        let means_the_same = sparse == 0.0 || !takes_utf16(config);
        if reset == 0.0 && means_the_same {
            assert!(
                is_as_std(config, &packets, &output),
                "{} {pattern:?}",
                name(config, kind)
            );
        }
    }
}

#[test]
fn every_engine_agrees_over_the_stall_matrix() {
    let all = encoders();
    for kind in engines() {
        let (count, step) = match kind {
            EngineKind::Verilator => (200, 1),
            _ => (20, 13),
        };
        stall_matrix(kind, &all, count, if everything() { 1 } else { step });
    }
}

/// The examples of RFC 3629 section 7, backwards: the characters that it names, and the bytes that it gives.
#[test]
fn the_examples_of_the_rfc_come_out() {
    let examples: [(&[u32], &[u8]); 4] = [
        (
            &[0x0041, 0x2262, 0x0391, 0x002E],
            &[0x41, 0xE2, 0x89, 0xA2, 0xCE, 0x91, 0x2E],
        ),
        (
            &[0xD55C, 0xAD6D, 0xC5B4],
            &[0xED, 0x95, 0x9C, 0xEA, 0xB5, 0xAD, 0xEC, 0x96, 0xB4],
        ),
        (
            &[0x65E5, 0x672C, 0x8A9E],
            &[0xE6, 0x97, 0xA5, 0xE6, 0x9C, 0xAC, 0xE8, 0xAA, 0x9E],
        ),
        (
            &[0xFEFF, 0x233B4],
            &[0xEF, 0xBB, 0xBF, 0xF0, 0xA3, 0x8E, 0xB4],
        ),
    ];
    // The last one's UTF-16, D84C DFB4, is in RFC 2781 terms what section 3 asks to be decoded first.
    let units: [&[u16]; 4] = [
        &[0x0041, 0x2262, 0x0391, 0x002E],
        &[0xD55C, 0xAD6D, 0xC5B4],
        &[0x65E5, 0x672C, 0x8A9E],
        &[0xFEFF, 0xD84C, 0xDFB4],
    ];
    for config in encoders() {
        let Core::Encode { from, .. } = config.core else {
            unreachable!("an encoder")
        };
        let packets: Vec<Vec<u8>> = match from {
            Encoding::Utf32 => (examples.iter())
                .map(|(words, _)| words.iter().flat_map(|word| word.to_le_bytes()).collect())
                .collect(),
            Encoding::Utf16le => (units.iter())
                .map(|units| units.iter().flat_map(|unit| unit.to_le_bytes()).collect())
                .collect(),
            Encoding::Utf16be => (units.iter())
                .map(|units| units.iter().flat_map(|unit| unit.to_be_bytes()).collect())
                .collect(),
        };
        for kind in engines() {
            let (output, _) = run(&config, kind, &packets, Pattern::default());
            let bytes = output.passed.iter().map(|(bytes, _)| &bytes[..]);
            let expected = examples.iter().map(|(_, bytes)| *bytes);
            assert!(bytes.eq(expected), "{}", name(&config, kind));
        }
    }
}

/// Each scalar value in each lane: all of them, or in the quick set those near to powers of two and to the surrogates, and every 64th.
#[test]
fn every_scalar_value_becomes_its_bytes_in_every_lane() {
    let is_near = |scalar: u32| {
        let edge = (scalar + 2).next_power_of_two() / 2;
        [edge, 0xD800, 0xE000, 0x11_0000]
            .iter()
            .any(|edge| scalar.abs_diff(*edge) <= 2)
    };
    let scalars: Vec<char> = ('\0'..=char::MAX)
        .filter(|&scalar| everything() || u32::from(scalar) % 64 == 0 || is_near(scalar.into()))
        .collect();
    for config in [
        encoder(Encoding::Utf32, 1, OnError::Replace),
        encoder(Encoding::Utf32, 2, OnError::Replace),
        encoder(Encoding::Utf16le, 4, OnError::Replace),
        encoder(Encoding::Utf16be, 8, OnError::Replace),
        encoder(Encoding::Utf32, 16, OnError::Replace),
        encoder(Encoding::Utf16le, 16, OnError::Omit),
    ] {
        let Core::Encode { from, .. } = config.core else {
            unreachable!("an encoder")
        };
        for shift in 0..config.lanes {
            let before = std::iter::repeat_n(' ', shift);
            let text: String = before.chain(scalars.iter().copied()).collect();
            let packet = match from {
                Encoding::Utf32 => text
                    .chars()
                    .flat_map(|it| u32::from(it).to_le_bytes())
                    .collect(),
                Encoding::Utf16le => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
                Encoding::Utf16be => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
            };
            let (output, _) = run(&config, fastest(), &[packet], Pattern::default());
            assert!(
                output.passed[0].0 == text.as_bytes(),
                "{}, {shift}",
                config.describe()
            );
        }
    }
}

/// Every word of 16 bits in a lane of UTF-32, and of UTF-16 every unit before and after one of each sort.
#[test]
fn every_unit_is_told_from_every_other() {
    let sorts = [0x41, 0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000];
    let steps = if everything() { 1 } else { 61 };
    for (lanes, from) in [
        (1, Encoding::Utf16le),
        (2, Encoding::Utf16be),
        (8, Encoding::Utf16le),
    ] {
        let config = encoder(from, lanes, OnError::Replace);
        let units = (0..=u16::MAX).step_by(steps).flat_map(|unit| {
            sorts
                .into_iter()
                .flat_map(move |sort| [sort, unit, sort, unit, unit])
        });
        let packet: Vec<u8> = match from {
            Encoding::Utf16be => units.flat_map(u16::to_be_bytes).collect(),
            _ => units.flat_map(u16::to_le_bytes).collect(),
        };
        let packets = [packet];
        let (output, _) = run(&config, fastest(), &packets, Pattern::default());
        assert!(
            is_as_std(&config, &packets, &output),
            "{}",
            config.describe()
        );
    }
}

/// While each beat needs one beat of bytes, a source with a ready sink never waits; and of words of four bytes a beat of bytes comes in
/// every clock.
#[test]
fn a_ready_sink_is_the_only_limit() {
    for lanes in [1, 2, 4, 8, 16] {
        let config = encoder(Encoding::Utf32, lanes, OnError::Replace);
        let count = 4_000;
        let clocks = |scalar: char| {
            let packet = u32::from(scalar).to_le_bytes().repeat(count * lanes);
            let (_, summary) = run(&config, fastest(), &[packet], Pattern::default());
            summary.cycles as usize
        };
        let [one, four] = ['A', '\u{1F600}'].map(clocks);
        assert!(one < count + 100, "{lanes} lanes: {one} clocks");
        assert!(four < 4 * count + 100, "{lanes} lanes: {four} clocks");
    }
}
