//! The few blocks that Rust-HDL cannot express or does not have, and what all blocks are built from.

pub mod delay;
pub mod held;
pub mod memory;
pub mod skew;
pub mod tree;
pub mod wires;

/// A part of a block, as it is before anything is connected. Not inlined: a core has thousands of them, and the compiler would put them
/// together in one function.
#[inline(never)]
pub fn blank<T: Default>() -> T {
    T::default()
}

/// `count` parts, each as it is before anything is connected.
pub fn blanks<T: Default>(count: usize) -> Vec<T> {
    several(count, |_| blank())
}

/// `count` parts, each made from its number.
pub fn several<T>(count: usize, part: impl FnMut(usize) -> T) -> Vec<T> {
    (0..count).map(part).collect()
}
