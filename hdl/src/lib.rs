//! The hardware: Runegate's cores in Rust-HDL, their configuration, and their emission as Verilog.

pub mod config;
pub mod decode;
pub mod embedded;
pub mod emit;
pub mod layout;
pub mod ports;
pub mod primitives;
