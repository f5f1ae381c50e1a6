//! Where the text of each packet is, for a core with windows: what its source says in `tuser`.

use golden::Window;
use hdl::layout::PLACE_BITS;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::fmt;

/// Where the text of each packet is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Texts {
    /// Anywhere, or nowhere.
    #[default]
    Random,
    /// At the same positions of each.
    At(Window),
    /// Where the source of the packets says.
    OfSource,
}

impl Texts {
    /// The window of a packet by its place in the run, and by what its source says; none if it has none.
    pub fn of_packet(self, index: u64, said: Option<Window>) -> Option<Window> {
        match self {
            Self::Random => random(index),
            Self::At(window) => Some(window),
            Self::OfSource => said,
        }
    }
}

/// Any window, or none. Of each number there is one generator, so that a packet's window can be found again without those before.
pub fn random(index: u64) -> Option<Window> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(index);
    let first = position(&mut random, 0);
    let end = position(&mut random, first);
    random.random_bool(0.9).then_some(Window { first, end })
}

impl fmt::Display for Texts {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Random => out.write_str("random"),
            Self::At(Window { first, end }) => write!(out, "{first}..{end}"),
            Self::OfSource => out.write_str("as the source says"),
        }
    }
}

/// A position beside another one, further on, before it, or at the end of all.
fn position(random: &mut impl Rng, from: u16) -> u16 {
    match random.random_range(0..8) {
        0 => from,
        1 => u16::MAX - random.random_range(0..2),
        2 => random.random_range(0..=from),
        3 | 4 => from.saturating_add(random.random_range(0..8)),
        5 | 6 => from.saturating_add(random.random_range(0..40)),
        _ => from.saturating_add(random.random_range(0..300)),
    }
}

/// The lowest bits of `tuser`.
pub fn bits(window: Option<Window>) -> u64 {
    window.map_or(0, |Window { first, end }| {
        1 | u64::from(first) << 1 | u64::from(end) << (1 + PLACE_BITS)
    })
}
