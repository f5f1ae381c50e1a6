//! The few blocks that Rust-HDL cannot express or does not have, and what all blocks are built from.

mod blank;
pub mod count;
mod cuts;
pub mod delay;
pub mod digits;
pub mod fanout;
mod flip_flop;
pub mod memory;
pub mod parts;
pub mod ripple;
pub mod skew;
pub mod tree;
pub mod wires;

pub use blank::{blank, blanks, several};
pub use cuts::Cuts;
pub use flip_flop::DFF;
