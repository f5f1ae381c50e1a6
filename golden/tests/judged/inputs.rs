//! The packets that the judges are shown.
//!
//! UTF-8 looks back at most three bytes and ahead one, so all strings of a few bytes show every decision there is;
//! the longer mixes are for what adds up: positions, counts, and the blocks that vectorised judges work in.

use rand::Rng;
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Both sides of every edge of Table 3-7, and of every edge between the kinds of faults.
pub const EDGES: [u8; 40] = [
    0x00, 0x41, 0x7F, // one byte
    0x80, 0x81, 0x8E, 0x8F, 0x90, 0x91, 0x9E, 0x9F, 0xA0, 0xA1, 0xBE, 0xBF, // continuation
    0xC0, 0xC1, 0xC2, 0xC3, 0xDE, 0xDF, // two bytes
    0xE0, 0xE1, 0xE2, 0xEB, 0xEC, 0xED, 0xEE, 0xEF, // three bytes
    0xF0, 0xF1, 0xF2, 0xF3, 0xF4, 0xF5, 0xF6, 0xF7, // four bytes
    0xF8, 0xFE, 0xFF, // none
];

/// One side of each edge, for the strings of five.
pub const FEW_EDGES: [u8; 16] = [
    0x41, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC1, 0xC2, 0xE0, 0xE1, 0xED, 0xF0, 0xF1, 0xF4, 0xF5,
];

/// Every string of 0..=3 bytes: 16,843,009 of them.
pub fn every_short_string(mut check: impl FnMut(&[u8])) {
    let every_byte: Vec<u8> = (0..=0xFF).collect();
    check(&[]);
    every_string_over::<1>(&every_byte, &mut check);
    every_string_over::<2>(&every_byte, &mut check);
    every_string_over::<3>(&every_byte, &mut check);
}

/// Every string of four [`EDGES`] (2,560,000) and of five [`FEW_EDGES`] (1,048,576).
pub fn every_edge_string(mut check: impl FnMut(&[u8])) {
    every_string_over::<4>(&EDGES, &mut check);
    every_string_over::<5>(&FEW_EDGES, &mut check);
}

pub fn every_string_over<const N: usize>(bytes: &[u8], check: &mut impl FnMut(&[u8])) {
    let mut digits = [0; N];
    loop {
        check(&digits.map(|digit| bytes[digit]));
        // Count up, the last digit fastest.
        let Some(position) = digits.iter().rposition(|&d| d + 1 < bytes.len()) else {
            return;
        };
        digits[position] += 1;
        digits[position + 1..].fill(0);
    }
}

/// 200,000 packets of up to 300 bytes: valid text, random bytes, edge bytes and truncated sequences, joined.
pub fn seeded_mixes(mut check: impl FnMut(&[u8])) {
    const SEED: u64 = 3629;
    println!("seeded_mixes: seed {SEED}");
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(SEED);
    let mut packet = Vec::new();
    for _ in 0..200_000 {
        packet.clear();
        let enough = rng.random_range(0..=280);
        while packet.len() < enough {
            extend(&mut packet, &mut rng);
        }
        check(&packet);
    }
}

/// Appends a run of one sort.
fn extend(packet: &mut Vec<u8>, rng: &mut Xoshiro256PlusPlus) {
    match rng.random_range(0..8) {
        // Valid text is the commonest, or no packet would get far before its first fault.
        0..4 => {
            let ceiling = *[0x80, 0x800, 0x1_0000, 0x11_0000]
                .choose(rng)
                .expect("there are four");
            for _ in 0..rng.random_range(1..=5) {
                extend_scalar(packet, rng, ceiling);
            }
        }
        4 => {
            for _ in 0..rng.random_range(1..=4) {
                packet.push(rng.random());
            }
        }
        5 => {
            for _ in 0..rng.random_range(1..=4) {
                packet.push(*EDGES.choose(rng).expect("there are edges"));
            }
        }
        6 => {
            // A sequence without its last bytes.
            let before = packet.len();
            extend_scalar(packet, rng, 0x11_0000);
            packet.truncate(rng.random_range(before + 1..=packet.len()));
        }
        _ => packet.extend_from_slice(b"\xEF\xBB\xBF"),
    }
}

/// Appends a random scalar value below `ceiling`.
fn extend_scalar(packet: &mut Vec<u8>, rng: &mut Xoshiro256PlusPlus, ceiling: u32) {
    // Surrogates are code points that `char` refuses: draw again.
    let scalar = std::iter::repeat_with(|| rng.random_range(0..ceiling))
        .find_map(char::from_u32)
        .expect("the iterator does not end");
    packet.extend_from_slice(scalar.encode_utf8(&mut [0; 4]).as_bytes());
}
