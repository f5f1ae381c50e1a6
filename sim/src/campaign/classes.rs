//! Every window of as many byte classes as decide where a piece ends, in one stream.
//!
//! RFC 3629's grammar tells fifteen classes of bytes apart, RFC 2279's nineteen; the bytes of one class are the same to it. The
//! stream is a de Bruijn sequence over them, of order six or seven, so that every six classes, or seven, follow each other in it
//! once, and with them all that are fewer. What stands for a class is its lowest byte, its highest, or any, by the seed.

use golden::Grammar;
use golden::grammar::ByteRange;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::io::{self, Read};

/// Classes of a window. The longest sequence and the byte after it decide every piece. RFC 3629 has one more: of its classes there
/// are few enough.
pub const fn order(grammar: Grammar) -> usize {
    match grammar {
        Grammar::Rfc3629 => grammar.longest() + 2,
        Grammar::Rfc2279 => grammar.longest() + 1,
    }
}

/// How many windows there are.
pub fn windows(grammar: Grammar) -> u64 {
    (classes(grammar).len() as u64).pow(order(grammar) as u32)
}

/// The classes, from the lowest byte on: every range of the grammar consists of some of them.
pub fn classes(grammar: Grammar) -> Vec<ByteRange> {
    let productions = grammar.productions().iter();
    let faults = grammar.faults().iter();
    let ranges = productions
        .flat_map(|production| production.bytes.iter().copied())
        .chain(faults.flat_map(|fault| [Some(fault.lead), fault.before].into_iter().flatten()));
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
}

/// The classes' numbers: the Lyndon words whose length divides the order, in order (Fredricksen, Kessler and Maiorana), and
/// round again.
struct Numbers {
    highest: u8,
    order: usize,
    word: Vec<u8>,
    at: usize,
}

impl Numbers {
    fn new(highest: u8, order: usize) -> Self {
        Self {
            highest,
            order,
            word: vec![0],
            at: 0,
        }
    }

    /// The next Lyndon word of at most the order's length, by Duval's algorithm.
    fn advance(&mut self) {
        let length = self.word.len();
        let repeated = (length..self.order).map(|at| self.word[at % length]);
        let repeated: Vec<u8> = repeated.collect();
        self.word.extend(repeated);
        while self.word.last() == Some(&self.highest) {
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
            while !self.order.is_multiple_of(self.word.len()) {
                self.advance();
            }
        }
        self.at += 1;
        Some(self.word[self.at - 1])
    }
}

/// The stream, from any window on; it has no end.
pub struct Classes {
    classes: Vec<ByteRange>,
    numbers: Numbers,
    random: Xoshiro256PlusPlus,
}

impl Classes {
    /// The stream from this window's first byte on. What comes before it is made as well: that takes a few seconds at most.
    pub fn from(grammar: Grammar, window: u64, seed: u64) -> Self {
        let mut stream = Self::of_order(grammar, order(grammar), seed);
        for _ in 0..window {
            stream.byte();
        }
        stream
    }

    /// The whole stream of windows of `order` classes.
    fn of_order(grammar: Grammar, order: usize, seed: u64) -> Self {
        let classes = classes(grammar);
        Self {
            numbers: Numbers::new(classes.len() as u8 - 1, order),
            classes,
            random: Xoshiro256PlusPlus::seed_from_u64(seed),
        }
    }

    fn byte(&mut self) -> u8 {
        let number = self.numbers.next().expect("they go round");
        let ByteRange { low, high } = self.classes[usize::from(number)];
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
    use crate::campaign::tests::digest;

    #[test]
    fn the_classes_are_those_of_the_rfcs() {
        let rfc3629 = [
            0x00, 0x80, 0x90, 0xA0, 0xC0, 0xC2, 0xE0, 0xE1, 0xED, 0xEE, 0xF0, 0xF1, 0xF4, 0xF5,
            0xF8,
        ];
        let rfc2279 = [
            0x00, 0x80, 0x84, 0x88, 0x90, 0xA0, 0xC0, 0xC2, 0xE0, 0xE1, 0xED, 0xEE, 0xF0, 0xF1,
            0xF8, 0xF9, 0xFC, 0xFD, 0xFE,
        ];
        for (grammar, lowest) in [
            (Grammar::Rfc3629, &rfc3629[..]),
            (Grammar::Rfc2279, &rfc2279),
        ] {
            let classes = classes(grammar);
            assert!(classes.iter().map(|class| class.low).eq(lowest.to_vec()));
            let ends = lowest[1..].iter().map(|low| low - 1).chain([0xFF]);
            assert!(classes.iter().map(|class| class.high).eq(ends));
        }
        let windows = Grammar::ALL.map(windows);
        assert_eq!(windows, [15_u64.pow(6), 19_u64.pow(7)]);
    }

    /// What decides a piece is in one window: it, and the byte after it.
    #[test]
    fn a_window_is_longer_than_a_sequence() {
        for grammar in Grammar::ALL {
            assert!(order(grammar) > grammar.longest(), "{grammar:?}");
        }
    }

    /// Every window of `order` classes occurs once, and every byte is in one.
    fn occurs(grammar: Grammar, order: usize, seed: u64) {
        let classes = classes(grammar);
        let count = classes.len();
        let mut bytes = vec![0; count.pow(order as u32) + order - 1];
        let mut stream = Classes::of_order(grammar, order, seed);
        stream.read_exact(&mut bytes).unwrap();
        let class = |byte: u8| classes.iter().position(|class| class.contains(byte));
        let class: Vec<usize> = (0..=0xFF).map(|byte| class(byte).unwrap()).collect();
        let numbers: Vec<usize> = bytes.iter().map(|&byte| class[usize::from(byte)]).collect();
        // The classes' numbers in a window, as digits of one number.
        let place = |window: &[usize]| window.iter().fold(0, |sum, class| sum * count + class);
        let mut seen = vec![0_u32; count.pow(order as u32)];
        for window in numbers.windows(order) {
            seen[place(window)] += 1;
        }
        assert!(seen.iter().all(|&count| count == 1), "{grammar:?} {order}");
        let mut seen = [false; 256];
        bytes
            .iter()
            .for_each(|&byte| seen[usize::from(byte)] = true);
        assert_eq!(seen, [true; 256], "{grammar:?} {order}");
    }

    /// And with each of six classes each of five, which begins one of them. All of RFC 2279's are too many to be gone through here.
    #[test]
    fn every_window_of_classes_occurs_once_for_every_seed() {
        for seed in [1, 2] {
            occurs(Grammar::Rfc3629, order(Grammar::Rfc3629), seed);
            for order in [4, 5] {
                occurs(Grammar::Rfc2279, order, seed);
            }
        }
    }

    #[test]
    fn the_stream_is_the_same_from_wherever_it_is_read() {
        for grammar in Grammar::ALL {
            let mut stream = vec![0; 1000];
            Classes::from(grammar, 0, 7)
                .read_exact(&mut stream)
                .unwrap();
            let mut rest = vec![0; 400];
            Classes::from(grammar, 500, 7)
                .read_exact(&mut rest)
                .unwrap();
            assert_eq!(rest, stream[500..][..400]);
            Classes::from(grammar, 500, 8)
                .read_exact(&mut rest)
                .unwrap();
            assert_ne!(rest, stream[500..][..400]);
        }
    }

    /// Reports name the windows of RFC 3629 by their numbers and a seed, so both stay what they are.
    #[test]
    fn the_stream_of_rfc_3629_is_as_it_was() {
        let mut bytes = vec![0; 1 << 20];
        Classes::from(Grammar::Rfc3629, 0, 1)
            .read_exact(&mut bytes)
            .unwrap();
        assert_eq!(digest(bytes), 0x77EB_EBA6_6B08_4B74);
    }
}
