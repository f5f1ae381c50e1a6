//! A core inside this process: built from its configuration, to be emitted or to be run by Rust-HDL's own simulator.
//!
//! Pins are exchanged as *frames*: the values of all inputs (but the clock), or of all outputs, of one clock, in the order of
//! [`crate::config::ports::ports`], each in as many 32-bit words as it needs, least significant first.

mod build;
mod cores;
mod engine;
mod pins;

pub use build::build;
#[cfg(test)]
pub(crate) use build::encoder;
#[cfg(test)]
pub(crate) use engine::settle;
pub use engine::{EmbeddedCore, NotSettled, STACK_BYTES, with_stack};
