//! Random packets of words: all that an encoder could get wrong is in them, again and again.

use super::random::highest;
use golden::Grammar;
use hdl::config::Encoding;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::ops::{Range, RangeInclusive};

/// Where words begin to be ill-formed, and end, in any grammar; and the highest word.
const EDGES: [u32; 5] = [0xD800, 0xDC00, 0xE000, 0x11_0000, u32::MAX];
const SURROGATES: RangeInclusive<u32> = 0xD800..=0xDFFF;

/// Packets without end, the same for the same seed and stream.
pub struct Words {
    encoding: Encoding,
    /// Words of each number of bytes.
    scalars: Vec<RangeInclusive<u32>>,
    /// Where a number of bytes ends, and where ill-formed words begin and end: a word is often near to one of these.
    edges: Vec<u32>,
    random: Xoshiro256PlusPlus,
}

impl Words {
    pub fn new(encoding: Encoding, grammar: Grammar, seed: u64, stream: u64) -> Self {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        (0..stream).for_each(|_| random.jump());
        let last = highest(grammar);
        let first: Vec<u32> = [0]
            .into_iter()
            .chain(last.iter().map(|it| it + 1))
            .collect();
        let mut edges = [&first[..], &EDGES].concat();
        edges.sort_unstable();
        edges.dedup();
        Self {
            encoding,
            scalars: (first.into_iter().zip(last))
                .map(|(first, last)| first..=last)
                .collect(),
            edges,
            random,
        }
    }

    /// A word; if it is to be well-formed, of one of these numbers of bytes.
    fn word(&mut self, scalars: Range<usize>) -> u32 {
        let random = &mut self.random;
        match random.random_range(0..8) {
            0 => {
                let edge = self.edges[random.random_range(0..self.edges.len())];
                edge.wrapping_add(random.random_range(0..=4))
                    .wrapping_sub(2)
            }
            1 => random.random_range(SURROGATES),
            2 => 1 << random.random_range(0..32) | random.random_range(0..=0xFF),
            _ => {
                let count = scalars.len();
                let range = self.scalars[scalars][random.random_range(0..count)].clone();
                random.random_range(range)
            }
        }
    }

    fn put(&mut self, word: u32, packet: &mut Vec<u8>) {
        let big = self.encoding == Encoding::Utf16be;
        match self.encoding {
            Encoding::Utf32 => packet.extend(word.to_le_bytes()),
            Encoding::Utf16le | Encoding::Utf16be => {
                let units = match char::from_u32(word) {
                    Some(scalar) => scalar.encode_utf16(&mut [0; 2]).to_vec(),
                    None => vec![word as u16],
                };
                for unit in units {
                    packet.extend(if big {
                        unit.to_be_bytes()
                    } else {
                        unit.to_le_bytes()
                    });
                }
            }
        }
    }
}

impl Iterator for Words {
    type Item = Vec<u8>;

    fn next(&mut self) -> Option<Vec<u8>> {
        let random = &mut self.random;
        let length = match random.random_range(0..10) {
            0 => 0,
            1..6 => random.random_range(1..12),
            6..9 => random.random_range(12..100),
            _ => random.random_range(100..400),
        };
        // A packet's words are of one length, or of all.
        let count = self.scalars.len();
        let of = random.random_range(0..2 * count);
        let scalars = if of < count { of..of + 1 } else { 0..count };
        let mut packet = Vec::new();
        for _ in 0..length {
            let word = self.word(scalars.clone());
            self.put(word, &mut packet);
        }
        Some(packet)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::campaign::tests::digest;
    use golden::encode::{Fault, encode_of};

    const UTF16: golden::Encoding = golden::Encoding::Utf16 { high_first: false };

    /// How many packets there are of each kind of verdict.
    fn reached(grammar: Grammar, encoding: Encoding, golden: golden::Encoding) -> [u32; 8] {
        let mut kinds = [0_u32; 8];
        let width = if encoding == Encoding::Utf32 { 4 } else { 2 };
        for packet in Words::new(encoding, grammar, 1, 0).take(3_000) {
            let words: Vec<u32> = packet.chunks(width).map(word).collect();
            let (_, verdict) = encode_of(grammar, golden, false, &words);
            kinds[usize::from(verdict.kind.code())] += 1;
        }
        kinds
    }

    fn word(bytes: &[u8]) -> u32 {
        let bytes = bytes.iter().rev();
        bytes.fold(0, |all, &byte| all << 8 | u32::from(byte))
    }

    #[test]
    fn everything_an_encoder_could_get_wrong_is_there() {
        for grammar in Grammar::ALL {
            let words = reached(grammar, Encoding::Utf32, golden::Encoding::Utf32);
            for kind in [Fault::None, Fault::Surrogate, Fault::TooLarge] {
                assert!(words[usize::from(kind.code())] > 100, "{words:?}");
            }
        }
        let units = reached(Grammar::Rfc3629, Encoding::Utf16le, UTF16);
        for kind in [
            Fault::None,
            Fault::UnpairedLow,
            Fault::UnpairedHigh,
            Fault::UnpairedHighAtEnd,
        ] {
            assert!(units[usize::from(kind.code())] > 10, "{units:?}");
        }
    }

    /// Words of every number of bytes, and those where it changes.
    #[test]
    fn words_are_of_the_grammar_that_is_asked_for() {
        for grammar in Grammar::ALL {
            let packets = Words::new(Encoding::Utf32, grammar, 1, 0).take(3_000);
            let mut seen = std::collections::HashSet::new();
            let mut lengths = vec![0; grammar.longest() + 1];
            for value in packets.flat_map(|packet| packet.chunks(4).map(word).collect::<Vec<_>>()) {
                let (bytes, verdict) = encode_of(grammar, golden::Encoding::Utf32, false, &[value]);
                if verdict.well_formed {
                    lengths[bytes.len()] += 1;
                }
                seen.insert(value);
            }
            assert!(
                lengths[1..].iter().all(|&count| count > 1000),
                "{lengths:?}"
            );
            for edge in highest(grammar) {
                assert!(
                    seen.contains(&edge) && seen.contains(&(edge + 1)),
                    "{edge:X}"
                );
            }
        }
    }

    /// A report names the packets of RFC 3629 by a seed, so they stay what they are.
    #[test]
    fn the_words_of_rfc_3629_are_as_they_were() {
        let sum = |encoding| {
            let packets = Words::new(encoding, Grammar::Rfc3629, 1, 0).take(3_000);
            digest(packets.flat_map(|packet| {
                let length = (packet.len() as u32).to_le_bytes();
                length.into_iter().chain(packet)
            }))
        };
        let sums = [0x4F98_FC2F_CA6C_C56F, 0xD90D_3A69_A22B_4B8D];
        assert_eq!([Encoding::Utf32, Encoding::Utf16be].map(sum), sums);
    }
}
