//! Random packets, biased to what a decoder could get wrong.
//!
//! Packets of about every length up to 40 and some long ones, of random bytes, bytes at the ends of the grammar's ranges,
//! sequences of each length, broken sequences, and mixes of these; many with a signature or almost one, and many sequences
//! that the end of their packet cuts in two.

use super::classes::CLASSES;
use crate::packets::{Packets, Piece};
use golden::SIGNATURE;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::io;
use std::sync::LazyLock;

/// The first and the last byte of every class.
static BOUNDARIES: LazyLock<Vec<u8>> = LazyLock::new(|| {
    CLASSES
        .iter()
        .flat_map(|class| [class.low, class.high])
        .collect()
});

/// The first and the last scalar value of each length, and what is beside the surrogates and a signature.
const SCALARS: [char; 13] = [
    '\0',
    '\x7F',
    '\u{80}',
    '\u{7FF}',
    '\u{800}',
    '\u{D7FF}',
    '\u{E000}',
    '\u{FEFE}',
    '\u{FEFF}',
    '\u{FF00}',
    '\u{FFFF}',
    '\u{10000}',
    '\u{10FFFF}',
];

/// What a packet is made of.
#[derive(Clone, Copy)]
enum Style {
    Bytes,
    Boundaries,
    Sequences,
    Broken,
    /// Each piece is of a style of its own.
    Mixed,
}

const PURE: [Style; 4] = [
    Style::Bytes,
    Style::Boundaries,
    Style::Sequences,
    Style::Broken,
];
const STYLES: [Style; 5] = [PURE[0], PURE[1], PURE[2], PURE[3], Style::Mixed];

/// Packets without end.
pub struct Random {
    random: Xoshiro256PlusPlus,
    index: usize,
    /// The rest of a sequence that the packet before has begun.
    rest_of_cut: Vec<u8>,
}

impl Random {
    /// The packets of a seed. Each `stream` of it has other ones.
    pub fn new(seed: u64, stream: u64) -> Self {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        (0..stream).for_each(|_| random.jump());
        Self {
            random,
            index: 0,
            rest_of_cut: Vec::new(),
        }
    }

    fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        *all.choose(&mut self.random).expect("there are some")
    }

    /// A well-formed sequence of one to four bytes, each as often as the others.
    fn sequence(&mut self) -> Vec<u8> {
        let highest = self.one_of(&[0x7F, 0x7FF, 0xFFFF, 0x10_FFFF]);
        let scalar = if self.random.random_bool(0.2) {
            self.one_of(&SCALARS)
        } else {
            char::from_u32(self.random.random_range(0..=highest)).unwrap_or('\u{FEFF}')
        };
        scalar.encode_utf8(&mut [0; 4]).as_bytes().to_vec()
    }

    /// A sequence with a byte that is another, missing, or doubled.
    fn broken(&mut self) -> Vec<u8> {
        let mut bytes = self.sequence();
        let at = self.random.random_range(0..bytes.len());
        match self.random.random_range(0..4) {
            0 => bytes[at] ^= 1 << self.random.random_range(0..8),
            1 => bytes[at] = self.one_of(&BOUNDARIES),
            2 => drop(bytes.remove(at)),
            _ => bytes.insert(at, bytes[at]),
        }
        bytes
    }

    fn append(&mut self, style: Style, packet: &mut Vec<u8>) {
        match style {
            Style::Bytes => packet.push(self.random.random()),
            Style::Boundaries => packet.push(self.one_of(&BOUNDARIES)),
            Style::Sequences => packet.extend(self.sequence()),
            Style::Broken => packet.extend(self.broken()),
            Style::Mixed => {
                let style = self.one_of(&PURE);
                self.append(style, packet);
            }
        }
    }
}

impl Iterator for Random {
    type Item = Vec<u8>;

    fn next(&mut self) -> Option<Vec<u8>> {
        let length = match self.index % 50 {
            49 => 2000,
            _ => self.index % 41,
        };
        self.index += 1;
        let mut packet = std::mem::take(&mut self.rest_of_cut);
        if packet.is_empty() && self.random.random_bool(0.5) {
            // A signature, or one with a bit that is wrong.
            let signature = char::from_u32(SIGNATURE).expect("a scalar value");
            packet.extend_from_slice(signature.encode_utf8(&mut [0; 4]).as_bytes());
            if self.random.random() {
                let at = self.random.random_range(0..packet.len());
                packet[at] ^= 1 << self.random.random_range(0..8);
            }
        }
        let style = self.one_of(&STYLES);
        while packet.len() < length {
            self.append(style, &mut packet);
        }
        packet.truncate(length);
        if self.random.random_bool(0.4) {
            let cut = self.sequence();
            let at = self.random.random_range(0..cut.len());
            packet.extend_from_slice(&cut[..at]);
            self.rest_of_cut = cut[at..].to_vec();
        }
        Some(packet)
    }
}

/// As many of the packets as have so many bytes; the last one may be cut.
pub struct Limited<P> {
    pub packets: P,
    pub left: u64,
}

impl<P: Iterator<Item = Vec<u8>>> Packets for Limited<P> {
    fn next(&mut self, piece: &mut Piece) -> io::Result<bool> {
        if self.left == 0 {
            return Ok(false);
        }
        piece.bytes = self.packets.next().expect("they have no end");
        let most = usize::try_from(self.left).unwrap_or(usize::MAX);
        piece.bytes.truncate(most);
        piece.ends = true;
        self.left -= piece.bytes.len() as u64;
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use golden::{Event, Kind, events, verdict};

    #[test]
    fn everything_a_decoder_could_get_wrong_is_there() {
        let packets: Vec<Vec<u8>> = Random::new(1, 0).take(20_000).collect();
        let mut lengths = [0_u32; 5];
        let mut kinds = [0_u32; Kind::ALL.len()];
        for (_, event) in packets.iter().flat_map(|packet| events(packet)) {
            match event {
                Event::Scalar(_) => lengths[usize::from(event.length())] += 1,
                Event::IllFormed { kind, .. } => kinds[usize::from(kind.code())] += 1,
            }
        }
        let verdicts = || packets.iter().map(|packet| verdict(packet));
        let counts = [
            &lengths[1..],
            &kinds[1..],
            &[
                verdicts().filter(|verdict| verdict.signature).count() as u32,
                verdicts().filter(|verdict| verdict.well_formed).count() as u32,
            ],
        ]
        .concat();
        assert!(counts.iter().all(|&count| count > 1000), "{counts:?}");
        for length in 0..=40 {
            assert!(packets.iter().any(|packet| packet.len() == length));
        }
    }

    #[test]
    fn a_seed_and_a_stream_make_packets_of_so_many_bytes() {
        let packets = |seed, stream, left| {
            let packets = Random::new(seed, stream);
            let mut limited = Limited { packets, left };
            let (mut piece, mut all) = (Piece::default(), Vec::new());
            while limited.next(&mut piece).unwrap() {
                assert!(piece.ends);
                all.push(piece.bytes.clone());
            }
            all
        };
        let first = packets(1, 0, 5000);
        assert_eq!(first, packets(1, 0, 5000));
        assert_ne!(first, packets(2, 0, 5000));
        assert_ne!(first, packets(1, 1, 5000));
        for count in [1, 2, 999, 5000] {
            let packets = packets(1, 0, count).concat();
            assert_eq!(packets, first.concat()[..count as usize]);
        }
    }
}
