//! Random packets, biased to what a decoder could get wrong.
//!
//! Packets of about every length up to 40 and some long ones, of random bytes, bytes at the ends of the grammar's ranges,
//! sequences of each length, broken sequences, and mixes of these; many with a signature or almost one, and many sequences
//! that the end of their packet cuts in two.

use super::classes::classes;
use crate::packets::{Packets, Piece};
use golden::encode::encode_of;
use golden::grammar::Production;
use golden::{Encoding, Event, Grammar, SIGNATURE, events_of};
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::io;
use std::ops::RangeInclusive;

/// Values beside which something is decided in any grammar: a signature, and where RFC 3629 ends.
const MARKS: [u32; 5] = [
    SIGNATURE - 1,
    SIGNATURE,
    SIGNATURE + 1,
    0x10_FFFF,
    0x11_0000,
];

/// What packets of a grammar are made of.
struct Parts {
    /// The first and the last byte of every class.
    boundaries: Vec<u8>,
    /// The highest scalar value of each length.
    highest: Vec<u32>,
    /// The first and the last scalar value of each length, and what is beside the surrogates and the marks.
    scalars: Vec<u32>,
    /// How often a scalar value is one of those.
    of_scalars: f64,
}

impl Parts {
    fn of(grammar: Grammar) -> Self {
        let ranges = ranges(grammar);
        let ends = ranges
            .iter()
            .flat_map(|(_, values)| [*values.start(), *values.end()]);
        let is_value = |mark: &u32| ranges.iter().any(|(_, values)| values.contains(mark));
        let mut scalars: Vec<u32> = ends.chain(MARKS.into_iter().filter(is_value)).collect();
        scalars.sort_unstable();
        scalars.dedup();
        let classes = classes(grammar).into_iter();
        Self {
            boundaries: classes.flat_map(|class| [class.low, class.high]).collect(),
            highest: highest(grammar),
            scalars,
            of_scalars: 0.2,
        }
    }
}

/// The scalar values without gaps and of one length, with that length, in order.
fn ranges(grammar: Grammar) -> Vec<(usize, RangeInclusive<u32>)> {
    let value = |bytes: Vec<u8>| match events_of(grammar, &bytes).next() {
        Some((_, Event::Scalar(value))) => value,
        other => unreachable!("{bytes:02X?} is of a production, and no {other:?}"),
    };
    let mut ranges: Vec<(usize, RangeInclusive<u32>)> = Vec::new();
    for Production { bytes, .. } in grammar.productions() {
        let low = value(bytes.iter().map(|range| range.low).collect());
        let high = value(bytes.iter().map(|range| range.high).collect());
        match ranges.last_mut() {
            Some((length, before)) if *length == bytes.len() && before.end() + 1 == low => {
                *before = *before.start()..=high;
            }
            _ => ranges.push((bytes.len(), low..=high)),
        }
    }
    ranges
}

/// The highest scalar value of each length.
pub fn highest(grammar: Grammar) -> Vec<u32> {
    let ranges = ranges(grammar);
    let last = |length| {
        let of_length = ranges.iter().rfind(|(its, _)| *its == length);
        *of_length.expect("every length has values").1.end()
    };
    (1..=grammar.longest()).map(last).collect()
}

/// The bytes of a value; nothing, if the grammar has it not.
fn sequence_of(grammar: Grammar, value: u32) -> Vec<u8> {
    encode_of(grammar, Encoding::Utf32, true, &[value]).0
}

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

fn one_of<T: Copy>(random: &mut impl Rng, all: &[T]) -> T {
    *all.choose(random).expect("there are some")
}

/// Packets without end.
pub struct Random {
    grammar: Grammar,
    parts: Parts,
    random: Xoshiro256PlusPlus,
    index: usize,
    /// The rest of a sequence that the packet before has begun.
    rest_of_cut: Vec<u8>,
}

impl Random {
    /// The packets of a seed. Each `stream` of it has other ones.
    pub fn new(grammar: Grammar, seed: u64, stream: u64) -> Self {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        (0..stream).for_each(|_| random.jump());
        Self {
            grammar,
            parts: Parts::of(grammar),
            random,
            index: 0,
            rest_of_cut: Vec::new(),
        }
    }

    /// Half of the scalar values are at an end of a range: also those of the ranges of these classes, a bit for each, and the value beside
    /// each. Without a class the packets stay as they are.
    pub fn with_classes(mut self, forbid: u8) -> Self {
        if forbid != 0 {
            let of = |value: u32| golden::classes::classes(value) & forbid;
            let ends = (1..=0x10_FFFF).filter(|&value| of(value - 1) != of(value));
            let scalars = &mut self.parts.scalars;
            scalars.extend(ends.flat_map(|value| [value - 1, value]));
            scalars.sort_unstable();
            scalars.dedup();
            self.parts.of_scalars = 0.5;
        }
        self
    }

    /// A well-formed sequence of one byte to as many as there can be, each number as often as the others.
    fn sequence(&mut self) -> Vec<u8> {
        let random = &mut self.random;
        let highest = one_of(random, &self.parts.highest);
        let scalar = if random.random_bool(self.parts.of_scalars) {
            one_of(random, &self.parts.scalars)
        } else {
            random.random_range(0..=highest)
        };
        match sequence_of(self.grammar, scalar) {
            surrogate if surrogate.is_empty() => sequence_of(self.grammar, SIGNATURE),
            sequence => sequence,
        }
    }

    /// A sequence with a byte that is another, missing, or doubled.
    fn broken(&mut self) -> Vec<u8> {
        let mut bytes = self.sequence();
        let at = self.random.random_range(0..bytes.len());
        match self.random.random_range(0..4) {
            0 => bytes[at] ^= 1 << self.random.random_range(0..8),
            1 => bytes[at] = one_of(&mut self.random, &self.parts.boundaries),
            2 => drop(bytes.remove(at)),
            _ => bytes.insert(at, bytes[at]),
        }
        bytes
    }

    fn append(&mut self, style: Style, packet: &mut Vec<u8>) {
        match style {
            Style::Bytes => packet.push(self.random.random()),
            Style::Boundaries => packet.push(one_of(&mut self.random, &self.parts.boundaries)),
            Style::Sequences => packet.extend(self.sequence()),
            Style::Broken => packet.extend(self.broken()),
            Style::Mixed => {
                let style = one_of(&mut self.random, &PURE);
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
            packet.extend(sequence_of(self.grammar, SIGNATURE));
            if self.random.random() {
                let at = self.random.random_range(0..packet.len());
                packet[at] ^= 1 << self.random.random_range(0..8);
            }
        }
        let style = one_of(&mut self.random, &STYLES);
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
    use crate::campaign::tests::digest;
    use golden::{Kind, verdict_of};

    #[test]
    fn everything_a_decoder_could_get_wrong_is_there() {
        for grammar in Grammar::ALL {
            let packets: Vec<Vec<u8>> = Random::new(grammar, 1, 0).take(20_000).collect();
            let mut lengths = vec![0_u32; grammar.longest() + 1];
            // Of a piece that is cut, its length is part of what is cut.
            let mut kinds = vec![[0_u32; Kind::ALL.len()]; grammar.longest()];
            let mut scalars = std::collections::HashSet::new();
            for (_, event) in packets.iter().flat_map(|packet| events_of(grammar, packet)) {
                let length = usize::from(event.length());
                match event {
                    Event::Scalar(value) => {
                        lengths[length] += 1;
                        scalars.insert(value);
                    }
                    Event::IllFormed { kind, .. } => {
                        kinds[length][usize::from(kind.code())] += 1;
                    }
                }
            }
            let named = |kind: Kind| grammar.faults().iter().any(|fault| fault.kind == kind);
            let of_one = Kind::ALL.into_iter().filter(|&kind| named(kind));
            let of_one = of_one.map(|kind| kinds[1][usize::from(kind.code())]);
            let cut = [Kind::Truncated, Kind::TruncatedAtEnd].map(|kind| usize::from(kind.code()));
            let cut = kinds[1..].iter().flat_map(|of| cut.map(|kind| of[kind]));
            let verdicts = || packets.iter().map(|packet| verdict_of(grammar, packet));
            let marked = verdicts().filter(|verdict| verdict.signature).count() as u32;
            let whole = verdicts().filter(|verdict| verdict.well_formed).count() as u32;
            let counts: Vec<u32> = (lengths[1..].iter().copied())
                .chain(of_one)
                .chain(cut)
                .chain([marked, whole])
                .collect();
            assert!(counts.iter().all(|&count| count > 400), "{counts:?}");
            let scalar = |value| scalars.contains(value);
            assert!(Parts::of(grammar).scalars.iter().all(scalar));
            for length in 0..=40 {
                assert!(packets.iter().any(|packet| packet.len() == length));
            }
        }
    }

    #[test]
    fn the_scalar_values_are_those_where_something_is_decided() {
        let common = [
            0x00, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFEFE, 0xFEFF, 0xFF00, 0xFFFF,
            0x1_0000, 0x10_FFFF,
        ];
        let more = [
            0x11_0000,
            0x1F_FFFF,
            0x20_0000,
            0x3FF_FFFF,
            0x400_0000,
            0x7FFF_FFFF,
        ];
        let [rfc3629, rfc2279] = Grammar::ALL.map(Parts::of);
        assert_eq!(rfc3629.scalars, common);
        assert_eq!(rfc2279.scalars, [&common[..], &more].concat());
        assert_eq!(rfc3629.highest, [0x7F, 0x7FF, 0xFFFF, 0x10_FFFF]);
        let highest = [0x7F, 0x7FF, 0xFFFF, 0x1F_FFFF, 0x3FF_FFFF, 0x7FFF_FFFF];
        assert_eq!(rfc2279.highest, highest);
    }

    /// A report names the packets of RFC 3629 by a seed, so they stay what they are.
    #[test]
    fn the_packets_of_rfc_3629_are_as_they_were() {
        let packets = Random::new(Grammar::Rfc3629, 1, 0).take(20_000);
        let bytes = packets.flat_map(|packet| {
            let length = (packet.len() as u32).to_le_bytes();
            length.into_iter().chain(packet)
        });
        assert_eq!(digest(bytes), 0x0E21_1AD6_F428_347D);
    }

    #[test]
    fn a_seed_and_a_stream_make_packets_of_so_many_bytes() {
        let packets = |seed, stream, left| {
            let packets = Random::new(Grammar::Rfc3629, seed, stream);
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
