//! The frames, by what their reader says of them.

mod foreign;

use super::*;
use golden::Unjudged;
use golden::frames::read;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::BTreeMap;

/// Of any length, now and then of more bytes than a datagram can have.
fn text(random: &mut impl Rng) -> Vec<u8> {
    let length = match random.random_range(0..500) {
        0 => 65_600,
        1..50 => random.random_range(0..3000),
        _ => random.random_range(0..64),
    };
    (0..length).map(|_| random.random()).collect()
}

fn frames(count: usize) -> impl Iterator<Item = Vec<u8>> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let next = move |_| {
        let text = text(&mut random);
        frame(&mut random, &text, &PORTS)
    };
    (0..count).map(next)
}

#[test]
fn every_outcome_is_there() {
    for takes_segments in [false, true] {
        let mut counts: BTreeMap<u8, u32> = BTreeMap::new();
        for frame in frames(20_000) {
            let outcome = read(&frame, takes_segments).map_or_else(Unjudged::code, |_| 0);
            *counts.entry(outcome).or_default() += 1;
        }
        let seen: Vec<u8> = counts.keys().copied().collect();
        assert_eq!(seen, [0, 2, 3, 4, 5, 6, 8]);
        assert!(counts.values().all(|&count| count > 100), "{counts:?}");
        assert!(counts[&0] > 10_000 || !takes_segments, "{counts:?}");
    }
}

#[test]
fn a_frame_without_a_fault_has_the_text() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(2);
    for index in 0..8000 {
        let mut text = text(&mut random);
        text.push(0x41);
        let mut maker = Maker {
            random: &mut random,
            faults: [Fault::Nothing; 2],
            is_ipv6: index & 1 != 0,
            is_tcp: index & 2 != 0,
            ports: &[],
        };
        let frame = maker.frame(&text);
        let place = read(&frame, true).expect("nothing is wrong with it");
        // Headers take at most some 10,000 of the bytes that a datagram has.
        assert!(place.len() == text.len() || place.len() > 50_000);
        assert!(frame[place.clone()] == text[..place.len()], "{place:?}");
    }
}

#[test]
fn a_generator_has_one_row_of_frames() {
    assert!(frames(500).eq(frames(500)));
}
