//! Wires that Rust-HDL cannot express: between lanes, and between vectors and their parts.
//!
//! Each block states its wires twice, once for the embedded simulator and once as a [`crate::verilog::Body`]. The lockstep of all
//! engines against the cycle model keeps the two equal.
//!
//! A *plane* is a `Bits<N>` vector in which bit `i` belongs to lane `i`, that is, to byte `i` of the beat.

mod lanes;
mod stacks;
mod vectors;

pub use lanes::*;
pub use stacks::*;
pub use vectors::*;

use rust_hdl::bitvec::BitVec;
use rust_hdl::prelude::*;

/// A vector from a function of the bit. To set the bits of a wide vector one by one would copy it each time.
pub fn from_bits<const W: usize>(bit: impl Fn(usize) -> bool) -> Bits<W> {
    each_bit(&bit)
}

/// Takes any function, so that it is compiled once for each width.
fn each_bit<const W: usize>(bit: &dyn Fn(usize) -> bool) -> Bits<W> {
    match Bits::<W>::default() {
        Bits::Long(_) => Bits::Long(BitVec::from(std::array::from_fn(bit))),
        Bits::Short(_) => (0..W)
            .fold(0, |word, index| word | u64::from(bit(index)) << index)
            .into(),
    }
}
