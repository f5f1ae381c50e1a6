//! Every window of five and of six byte classes, in one stream.
//!
//! RFC 3629's grammar tells fifteen classes of bytes apart; the bytes of one class are the same to it. The stream is a de
//! Bruijn sequence of order six over them, so that every six classes follow each other in it once, and with them all that
//! are fewer. What stands for a class is its lowest byte, its highest, or any, by the seed.

use golden::grammar::{ByteRange, FAULTS, PRODUCTIONS};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::io::{self, Read};
use std::sync::LazyLock;

/// Classes of a window.
pub const ORDER: usize = 6;

/// How many windows there are.
pub fn windows() -> u64 {
    (CLASSES.len() as u64).pow(ORDER as u32)
}

/// The classes, from the lowest byte on: every range of the grammar consists of some of them.
pub static CLASSES: LazyLock<Vec<ByteRange>> = LazyLock::new(|| {
    let productions = PRODUCTIONS.iter().flat_map(|production| production.bytes);
    let faults = FAULTS
        .iter()
        .flat_map(|fault| [Some(fault.lead), fault.before]);
    let ranges = productions.copied().chain(faults.flatten());
    let mut lowest: Vec<u16> = ranges
        .flat_map(|range| [u16::from(range.low), u16::from(range.high) + 1])
        .collect();
    lowest.sort_unstable();
    lowest.dedup();
    let class = |pair: &[u16]| ByteRange {
        low: pair[0] as u8,
        high: (pair[1] - 1) as u8,
    };
    lowest.windows(2).map(class).collect()
});

/// The classes' numbers: the Lyndon words whose length divides the order, in order (Fredricksen, Kessler and Maiorana), and
/// round again.
struct Numbers {
    word: Vec<u8>,
    at: usize,
}

impl Numbers {
    fn new() -> Self {
        Self {
            word: vec![0],
            at: 0,
        }
    }

    /// The next Lyndon word of at most the order's length, by Duval's algorithm.
    fn advance(&mut self) {
        let length = self.word.len();
        let repeated = (length..ORDER).map(|at| self.word[at % length]);
        let repeated: Vec<u8> = repeated.collect();
        self.word.extend(repeated);
        let highest = CLASSES.len() as u8 - 1;
        while self.word.last() == Some(&highest) {
            self.word.pop();
        }
        match self.word.last_mut() {
            Some(last) => *last += 1,
            None => self.word.push(0),
        }
    }
}

impl Iterator for Numbers {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        if self.at == self.word.len() {
            self.at = 0;
            self.advance();
            while !ORDER.is_multiple_of(self.word.len()) {
                self.advance();
            }
        }
        self.at += 1;
        Some(self.word[self.at - 1])
    }
}

/// The stream, from any window on; it has no end.
pub struct Classes {
    numbers: Numbers,
    random: Xoshiro256PlusPlus,
}

impl Classes {
    /// The stream from this window's first byte on. What comes before it is made as well: there is not much of it.
    pub fn from(window: u64, seed: u64) -> Self {
        let mut stream = Self {
            numbers: Numbers::new(),
            random: Xoshiro256PlusPlus::seed_from_u64(seed),
        };
        for _ in 0..window {
            stream.byte();
        }
        stream
    }

    fn byte(&mut self) -> u8 {
        let number = self.numbers.next().expect("they go round");
        let ByteRange { low, high } = CLASSES[usize::from(number)];
        // One number for each byte, so that the seed's bytes do not depend on the classes.
        let random = self.random.random::<u32>();
        match random % 3 {
            0 => low,
            1 => high,
            _ => low + (random / 3 % (u32::from(high - low) + 1)) as u8,
        }
    }
}

impl Read for Classes {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        bytes.fill_with(|| self.byte());
        Ok(bytes.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_classes_are_those_of_the_rfc() {
        let stated = [
            0x00..=0x7F,
            0x80..=0x8F,
            0x90..=0x9F,
            0xA0..=0xBF,
            0xC0..=0xC1,
            0xC2..=0xDF,
            0xE0..=0xE0,
            0xE1..=0xEC,
            0xED..=0xED,
            0xEE..=0xEF,
            0xF0..=0xF0,
            0xF1..=0xF3,
            0xF4..=0xF4,
            0xF5..=0xF7,
            0xF8..=0xFF,
        ];
        let classes = CLASSES.iter().map(|class| class.low..=class.high);
        assert!(classes.eq(stated));
    }

    /// The classes' numbers in a window, as digits of one number.
    fn place(window: &[usize]) -> usize {
        window
            .iter()
            .fold(0, |sum, class| sum * CLASSES.len() + class)
    }

    #[test]
    fn every_window_of_five_and_of_six_classes_occurs_for_every_seed() {
        for seed in [1, 2] {
            let mut bytes = vec![0; windows() as usize + ORDER - 1];
            Classes::from(0, seed).read_exact(&mut bytes).unwrap();
            let class = |byte: u8| CLASSES.iter().position(|class| class.contains(byte));
            let class: Vec<usize> = (0..=0xFF).map(|byte| class(byte).unwrap()).collect();
            let classes: Vec<usize> = bytes.iter().map(|&byte| class[usize::from(byte)]).collect();
            for length in [5, 6] {
                let mut seen = vec![0_u32; CLASSES.len().pow(length as u32)];
                for window in classes.windows(length) {
                    seen[place(window)] += 1;
                }
                assert!(seen.iter().all(|&count| count > 0), "{length}");
                if length == ORDER {
                    assert!(seen.iter().all(|&count| count == 1), "none is doubled");
                }
            }
            let mut seen = [false; 256];
            bytes
                .iter()
                .for_each(|&byte| seen[usize::from(byte)] = true);
            assert_eq!(seen, [true; 256], "and so does every byte");
        }
    }

    #[test]
    fn the_stream_is_the_same_from_wherever_it_is_read() {
        let mut stream = vec![0; 1000];
        Classes::from(0, 7).read_exact(&mut stream).unwrap();
        let mut rest = vec![0; 400];
        Classes::from(500, 7).read_exact(&mut rest).unwrap();
        assert_eq!(rest, stream[500..][..400]);
        Classes::from(500, 8).read_exact(&mut rest).unwrap();
        assert_ne!(rest, stream[500..][..400]);
    }
}
