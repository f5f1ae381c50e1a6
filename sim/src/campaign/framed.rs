//! Random packets as the payloads of Ethernet frames, and frames that have none.

use super::random::Random;
use crate::headers;
use golden::Grammar;
use hdl::config::{PortEntry, PortTable};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Frames without end.
pub struct Framed {
    texts: Random,
    random: Xoshiro256PlusPlus,
    /// Ports that the frames often have.
    ports: Vec<u16>,
}

impl Framed {
    /// The frames of a seed. Each `stream` of it has other ones. With a table of ports, the borders of its entries are often there.
    pub fn new(
        grammar: Grammar,
        seed: u64,
        stream: u64,
        forbid: u8,
        ports: Option<PortTable>,
    ) -> Self {
        let borders = |entry: PortEntry| {
            let [below, above] = [entry.low.saturating_sub(1), entry.high.saturating_add(1)];
            [below, entry.low, entry.high, above]
        };
        let ports = ports.map_or_else(Vec::new, |table| {
            let entries = table.entries().flat_map(borders);
            entries.chain(headers::PORTS).collect()
        });
        // The texts are those of this seed, so the headers are of another.
        let mut random = Xoshiro256PlusPlus::seed_from_u64(!seed);
        (0..stream).for_each(|_| random.jump());
        Self {
            texts: Random::new(grammar, seed, stream).with_classes(forbid),
            random,
            ports,
        }
    }
}

impl Iterator for Framed {
    type Item = Vec<u8>;

    fn next(&mut self) -> Option<Vec<u8>> {
        let text = self.texts.next()?;
        Some(headers::frame(&mut self.random, &text, &self.ports))
    }
}
