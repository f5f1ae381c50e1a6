//! What the blocks' own tests have in common.

use crate::embedded::settle;
use crate::vector::from_bits;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256StarStar;
use rust_hdl::prelude::*;

/// A generator that gives the same numbers in every run.
pub fn random() -> Xoshiro256StarStar {
    Xoshiro256StarStar::seed_from_u64(3629)
}

/// A random plane of a number of lanes.
pub fn random_plane(random: &mut Xoshiro256StarStar, lanes: usize) -> u128 {
    random.random::<u128>() >> (128 - lanes)
}

/// Lanes as a plane.
pub fn plane<const N: usize>(lanes: u128) -> Bits<N> {
    from_bits(|lane| lanes >> lane & 1 == 1)
}

/// A clock passes, which `drive` brings to the block.
pub fn clock<T: Block>(block: &mut T, drive: impl Fn(&mut T, Clock)) {
    for clk in [true, false] {
        drive(block, Clock { clk });
        settle(block).expect("it settles");
    }
}
