//! Random packets of words: all that an encoder could get wrong is in them, again and again.

use golden::Grammar;
use hdl::config::Encoding;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::ops::RangeInclusive;

/// Where a number of bytes ends, and where ill-formed words begin and end: a word is often near to one of these.
const EDGES: [u32; 12] = [
    0,
    0x80,
    0x800,
    0xD800,
    0xDC00,
    0xE000,
    0x1_0000,
    0x11_0000,
    0xFFFF_FFFF,
    // Of RFC 2279 only.
    0x20_0000,
    0x400_0000,
    0x8000_0000,
];
/// Words of one byte, two, and so on.
const SCALARS: [RangeInclusive<u32>; 4] =
    [0..=0x7F, 0x80..=0x7FF, 0x800..=0xFFFF, 0x1_0000..=0x10_FFFF];
const LONG_SCALARS: [RangeInclusive<u32>; 6] = [
    0..=0x7F,
    0x80..=0x7FF,
    0x800..=0xFFFF,
    0x1_0000..=0x1F_FFFF,
    0x20_0000..=0x3FF_FFFF,
    0x400_0000..=0x7FFF_FFFF,
];
const SURROGATES: RangeInclusive<u32> = 0xD800..=0xDFFF;

/// Packets without end, the same for the same seed and stream.
pub struct Words {
    encoding: Encoding,
    scalars: &'static [RangeInclusive<u32>],
    edges: &'static [u32],
    random: Xoshiro256PlusPlus,
}

impl Words {
    pub fn new(encoding: Encoding, grammar: Grammar, seed: u64, stream: u64) -> Self {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        (0..stream).for_each(|_| random.jump());
        let (scalars, edges): (&[_], &[_]) = match grammar {
            Grammar::Rfc3629 => (&SCALARS, &EDGES[..9]),
            Grammar::Rfc2279 => (&LONG_SCALARS, &EDGES),
        };
        Self {
            encoding,
            scalars,
            edges,
            random,
        }
    }

    fn word(&mut self, scalars: &[RangeInclusive<u32>]) -> u32 {
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
                let range = scalars[random.random_range(0..scalars.len())].clone();
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
        let of = random.random_range(0..2 * self.scalars.len());
        let scalars = self.scalars.get(of..=of).unwrap_or(self.scalars);
        let mut packet = Vec::new();
        for _ in 0..length {
            let word = self.word(scalars);
            self.put(word, &mut packet);
        }
        Some(packet)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use golden::encode::{Fault, encode_of};

    #[test]
    fn everything_an_encoder_could_get_wrong_is_there() {
        let of = |encoding, grammar, width: usize, golden| {
            let mut kinds = [0_u32; 8];
            for packet in Words::new(encoding, grammar, 1, 0).take(3_000) {
                let words: Vec<u32> = (packet.chunks(width))
                    .map(|word| {
                        word.iter()
                            .rev()
                            .fold(0, |all, &byte| all << 8 | u32::from(byte))
                    })
                    .collect();
                let (_, verdict) = encode_of(grammar, golden, false, &words);
                kinds[usize::from(verdict.kind.code())] += 1;
            }
            kinds
        };
        for grammar in [Grammar::Rfc3629, Grammar::Rfc2279] {
            let words = of(Encoding::Utf32, grammar, 4, golden::Encoding::Utf32);
            for kind in [Fault::None, Fault::Surrogate, Fault::TooLarge] {
                assert!(words[usize::from(kind.code())] > 100, "{words:?}");
            }
        }
        let units = of(
            Encoding::Utf16le,
            Grammar::Rfc3629,
            2,
            golden::Encoding::Utf16 { high_first: false },
        );
        for kind in [
            Fault::None,
            Fault::UnpairedLow,
            Fault::UnpairedHigh,
            Fault::UnpairedHighAtEnd,
        ] {
            assert!(units[usize::from(kind.code())] > 10, "{units:?}");
        }
    }
}
