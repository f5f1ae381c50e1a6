//! Wires that Rust-HDL cannot express: between lanes, and between vectors and their parts.
//!
//! A *plane* is a `Bits<N>` vector in which bit `i` belongs to lane `i`, that is, to byte `i` of the beat.

mod lanes;
mod stacks;
mod vectors;

pub use lanes::*;
pub use stacks::*;
pub use vectors::*;
