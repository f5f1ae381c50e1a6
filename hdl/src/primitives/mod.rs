//! The few blocks that Rust-HDL cannot express or does not have.

pub mod delay;
pub mod held;
pub mod memory;
pub mod skew;
pub mod wires;
