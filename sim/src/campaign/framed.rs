//! Random packets as the payloads of Ethernet frames, and frames that have none.

use super::random::Random;
use crate::headers;
use golden::Grammar;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Frames without end.
pub struct Framed {
    texts: Random,
    random: Xoshiro256PlusPlus,
}

impl Framed {
    /// The frames of a seed. Each `stream` of it has other ones.
    pub fn new(grammar: Grammar, seed: u64, stream: u64, forbid: u8) -> Self {
        // The texts are those of this seed, so the headers are of another.
        let mut random = Xoshiro256PlusPlus::seed_from_u64(!seed);
        (0..stream).for_each(|_| random.jump());
        Self {
            texts: Random::new(grammar, seed, stream).with_classes(forbid),
            random,
        }
    }
}

impl Iterator for Framed {
    type Item = Vec<u8>;

    fn next(&mut self) -> Option<Vec<u8>> {
        let text = self.texts.next()?;
        Some(headers::frame(&mut self.random, &text))
    }
}
