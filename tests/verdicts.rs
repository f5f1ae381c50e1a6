//! Verdicts as the DUT put them out, against Rust's own decoder, over random bytes and bytes at the ends of the ranges.

use crate::dut::{BOUNDARIES, built, configs, fastest, run};
use golden::Verdict;
use hdl::config::{Config, CoreName, Depth, Form, Mode, Request};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use sim::observer::Saturated;
use sim::stimulus::Pattern;

/// Bytes for each lane: a core takes about as many clocks as another.
const BYTES_A_LANE: usize = 16 << 10;

/// Packets of random bytes, of bytes at the ends of RFC 3629's ranges, and of text with a wrong byte here and there, in
/// turn.
fn packets(seed: u64, lanes: usize) -> Vec<Vec<u8>> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut packets: Vec<Vec<u8>> = Vec::new();
    let mut bytes = 0;
    while bytes < BYTES_A_LANE * lanes.max(8) {
        let length = match random.random_range(0..4) {
            0 => random.random_range(0..8),
            1 => random.random_range(0..200),
            _ => random.random_range(0..2000),
        };
        let mut packet = Vec::with_capacity(length + 4);
        let style = packets.len() % 3;
        while packet.len() < length {
            match style {
                0 => packet.push(random.random()),
                1 => packet.push(BOUNDARIES[random.random_range(0..BOUNDARIES.len())]),
                _ => {
                    let highest = [0x7F, 0x7FF, 0xFFFF, 0x10_FFFF][random.random_range(0..4)];
                    let scalar = char::from_u32(random.random_range(0..=highest)).unwrap_or('-');
                    packet.extend_from_slice(scalar.encode_utf8(&mut [0; 4]).as_bytes());
                    if random.random_bool(0.001) {
                        packet.push(random.random());
                    }
                }
            }
        }
        bytes += packet.len();
        packets.push(packet);
    }
    packets
}

/// What Rust's own decoder says, of counters that show at most `most`.
fn assert_as_std(packet: &[u8], (verdict, saturated): (Verdict, Saturated), most: u64) {
    let shown = |count: usize| (count as u64).min(most);
    let over = |count: usize| count as u64 > most;
    let lossy = String::from_utf8_lossy(packet);
    let (well_formed, valid_up_to, error_len) = match std::str::from_utf8(packet) {
        Ok(text) => (true, text.len(), None),
        Err(error) => (
            false,
            error.valid_up_to(),
            Some(error.error_len().unwrap_or(0) as u8),
        ),
    };
    assert_eq!(verdict.well_formed, well_formed, "{packet:02X?}");
    assert_eq!(verdict.valid_up_to, shown(valid_up_to), "{packet:02X?}");
    assert_eq!(verdict.error_len, error_len, "{packet:02X?}");
    assert_eq!(verdict.bytes, shown(packet.len()), "{packet:02X?}");
    assert_eq!(verdict.signature, packet.starts_with(&[0xEF, 0xBB, 0xBF]));
    let pieces = lossy.chars().count();
    if most == u64::from(u32::MAX) {
        let sum = verdict.scalars + verdict.ill_formed;
        assert_eq!(sum, pieces as u64, "{packet:02X?}");
    }
    assert_eq!(saturated.bytes, over(packet.len()), "{packet:02X?}");
    assert_eq!(saturated.valid_up_to, over(valid_up_to), "{packet:02X?}");
}

fn check(config: &Config, packets: &[Vec<u8>], most: u64) {
    let (output, summary) = run(config, fastest(), packets, Pattern::default());
    let total: usize = packets.iter().map(Vec::len).sum();
    assert_eq!(summary.bytes, total as u64);
    assert_eq!(output.verdicts.len(), packets.len());
    for (packet, &verdict) in packets.iter().zip(&output.verdicts) {
        assert_as_std(packet, verdict, most);
    }
    if !output.passed.is_empty() {
        assert_eq!(output.passed.len(), packets.len());
        for (packet, (passed, bad)) in packets.iter().zip(&output.passed) {
            assert_eq!(passed, packet);
            assert_eq!(*bad, std::str::from_utf8(packet).is_err());
        }
    }
}

#[test]
fn random_packets_of_each_configuration_are_as_in_rust() {
    for (seed, config) in configs().iter().enumerate() {
        let width = config
            .core
            .verdict()
            .map_or(32, |(_, counter_width)| counter_width);
        let most = (1_u64 << width) - 1;
        check(config, &packets(seed as u64, config.lanes), most);
    }
}

/// Counters of 8 and 16 bits around the place where they saturate, by bytes, by scalar values and by ill-formed pieces.
#[test]
fn counters_say_that_they_have_saturated() {
    // At the smallest depth the upper bits are in carry chains, two of them.
    for (lanes, counter_width, depth) in [
        (1, 8, Depth::Max),
        (4, 16, Depth::Max),
        (64, 8, Depth::Max),
        (2, 16, Depth::Min),
    ] {
        let config = built(Request {
            core: Some(CoreName::Validate),
            mode: Some(Mode::Snoop),
            form: Some(Form::Free),
            lanes: Some(lanes),
            counter_width: Some(counter_width),
            depth: Some(depth),
            ..Default::default()
        });
        let most = (1usize << counter_width) - 1;
        let mut packets = Vec::new();
        for length in most - 3..most + 5 {
            packets.push(vec![b'a'; length]);
            packets.push(vec![0xFF; length]);
            packets.push([&vec![b'a'; length][..], b"\xF0\x90\x80"].concat());
            packets.push([&vec![b'a'; length][..], b"\xF0\x90\x80", b"a"].concat());
            packets.push("\u{E9}".repeat(length).into_bytes());
            packets.push(b"one that has not".to_vec());
        }
        check(&config, &packets, most as u64);
    }
}
