//! The hardware: Runegate's cores in Rust-HDL, their configuration, and their emission as Verilog.
//!
//! [`pieces`] is what every core of bytes shares, [`window`] and [`frames`] what may come before them; [`decode`], [`validate`], [`encode`] and [`sanitise`] are the cores; [`backpressure`] is
//! their FIFO and credits, and [`contract`] what looks after their source. [`schedule`] says which of their stages have registers.

pub mod backpressure;
#[cfg(test)]
mod bench;
pub mod config;
pub mod contract;
pub mod csr;
pub mod decode;
pub mod embedded;
pub mod emit;
pub mod encode;
pub mod flows;
pub mod frames;
pub mod layout;
pub mod pieces;
pub mod primitives;
pub mod sanitise;
pub mod schedule;
pub mod sideband;
pub mod validate;
mod vector;
pub mod verilog;
pub mod window;
