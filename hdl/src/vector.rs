//! Vectors of Rust-HDL, bit by bit.

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
