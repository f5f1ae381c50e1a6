//! The packets that the judges of RFC 2279 are shown.
//!
//! A decoder of RFC 2279 looks back at most five bytes and ahead one. The first two bytes settle how long a sequence is and whether its
//! value is allowed, so the strings of seven bytes are made of the few bytes that matter to the longest forms.

use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::inputs::every_string_over;

/// Both sides of every edge between the ranges of bytes, and of every edge between the kinds of faults.
const EDGES: [u8; 42] = [
    0x00, 0x41, 0x7F, // one byte
    0x80, 0x83, 0x84, 0x87, 0x88, 0x8F, 0x90, 0x9F, 0xA0, 0xBE, 0xBF, // continuation
    0xC0, 0xC1, 0xC2, 0xC3, 0xDE, 0xDF, // two bytes
    0xE0, 0xE1, 0xE2, 0xEC, 0xED, 0xEE, 0xEF, // three bytes
    0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xF6, 0xF7, // four bytes
    0xF8, 0xF9, 0xFA, 0xFB, // five bytes
    0xFC, 0xFD, // six bytes
    0xFE, 0xFF, // none
];

/// The leads of the longest forms and both sides of their edges, for the strings of seven.
const FEW_EDGES: [u8; 8] = [0x41, 0x83, 0x84, 0x87, 0x88, 0xF8, 0xFC, 0xFD];

/// The first value and the last one of each row of the table in RFC 2279 section 2, with their octets; those beside the surrogates, and
/// those beside the end of RFC 3629.
pub const ENDS: [(u32, &[u8]); 16] = [
    (0x0000_0000, b"\x00"),
    (0x0000_007F, b"\x7F"),
    (0x0000_0080, b"\xC2\x80"),
    (0x0000_07FF, b"\xDF\xBF"),
    (0x0000_0800, b"\xE0\xA0\x80"),
    (0x0000_D7FF, b"\xED\x9F\xBF"),
    (0x0000_E000, b"\xEE\x80\x80"),
    (0x0000_FFFF, b"\xEF\xBF\xBF"),
    (0x0001_0000, b"\xF0\x90\x80\x80"),
    (0x0010_FFFF, b"\xF4\x8F\xBF\xBF"),
    (0x0011_0000, b"\xF4\x90\x80\x80"),
    (0x001F_FFFF, b"\xF7\xBF\xBF\xBF"),
    (0x0020_0000, b"\xF8\x88\x80\x80\x80"),
    (0x03FF_FFFF, b"\xFB\xBF\xBF\xBF\xBF"),
    (0x0400_0000, b"\xFC\x84\x80\x80\x80\x80"),
    (0x7FFF_FFFF, b"\xFD\xBF\xBF\xBF\xBF\xBF"),
];

/// Every string of four [`EDGES`] (3,111,696) and of seven [`FEW_EDGES`] (2,097,152).
pub fn every_edge_string(mut check: impl FnMut(&[u8])) {
    every_string_over::<4>(&EDGES, &mut check);
    every_string_over::<7>(&FEW_EDGES, &mut check);
}

/// Packets of up to 60 bytes: well-formed sequences, some of them with a byte changed or without their last bytes, and random bytes.
pub fn seeded_mixes(count: usize, mut check: impl FnMut(&[u8])) {
    const SEED: u64 = 2279;
    println!("seeded_mixes of RFC 2279: seed {SEED}");
    let mut random = Xoshiro256PlusPlus::seed_from_u64(SEED);
    let mut packet = Vec::new();
    for _ in 0..count {
        packet.clear();
        let enough = random.random_range(0..=50);
        // The share of what is not well-formed differs between packets, and many have nothing of it.
        let broken = *[0.0, 0.05, 0.5].choose(&mut random).expect("shares");
        while packet.len() < enough {
            extend(&mut packet, broken, &mut random);
        }
        check(&packet);
    }
}

/// Appends a sequence or what is left of one.
fn extend(packet: &mut Vec<u8>, broken: f64, random: &mut Xoshiro256PlusPlus) {
    let start = packet.len();
    packet.extend(octets(value(random)));
    if !random.random_bool(broken) {
        return;
    }
    match random.random_range(0..4) {
        0 => packet.truncate(random.random_range(start..packet.len())),
        1 => {
            let at = random.random_range(start..packet.len());
            packet[at] = *EDGES.choose(random).expect("there are edges");
        }
        2 => packet.push(*EDGES.choose(random).expect("there are edges")),
        _ => packet.push(random.random()),
    }
}

/// A random value of any length up to 31 bits, each length as often as another; none is a surrogate.
pub fn value(random: &mut Xoshiro256PlusPlus) -> u32 {
    loop {
        let value = random.random::<u32>() >> random.random_range(1..32);
        if !(0xD800..=0xDFFF).contains(&value) {
            return value;
        }
    }
}

/// The octets of a number of up to 31 bits, by the three steps of RFC 2279 section 2. Surrogates are encoded like any other number.
pub fn octets(value: u32) -> Vec<u8> {
    // The ends of the table's rows, and the octets before the bits marked x.
    let rows = [
        (0x7F, 0x00),
        (0x7FF, 0xC0),
        (0xFFFF, 0xE0),
        (0x1F_FFFF, 0xF0),
        (0x3FF_FFFF, 0xF8),
        (0x7FFF_FFFF, 0xFC),
    ];
    let row = rows.iter().position(|&(last, _)| value <= last);
    let tails = row.expect("a value of 31 bits");
    let mut octets = vec![rows[tails].1 | (value >> (6 * tails)) as u8];
    octets.extend(
        (0..tails)
            .rev()
            .map(|at| 0x80 | (value >> (6 * at)) as u8 & 0x3F),
    );
    octets
}
