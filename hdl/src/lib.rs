//! The hardware: Runegate's cores in Rust-HDL, their configuration, and their emission as Verilog.
//!
//! [`pieces`] is what every core shares; [`decode`] and [`validate`] are the cores; [`flow`] is their backpressure, and
//! [`contract`] what looks after their source.

#[cfg(test)]
mod bench;
pub mod config;
pub mod contract;
pub mod csr;
pub mod decode;
mod default_name;
pub mod embedded;
pub mod emit;
pub mod flow;
pub mod flows;
pub mod layout;
pub mod pieces;
pub mod ports;
pub mod primitives;
pub mod side;
pub mod validate;
pub mod verilog;
