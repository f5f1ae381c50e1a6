//! What must hold for any input: random inputs in `cargo test` (few for `emission` and `parsers`, because each takes a process),
//! and inputs that the coverage of the code leads to with `cargo bolero test --package runegate NAME`, where
//! [cargo-bolero](https://crates.io/crates/cargo-bolero) is installed.
//!
//! `RUNEGATE_FUZZ=N` runs N times as many. What fails is printed, made smaller, with the seed that repeats it.

#[path = "../dut/mod.rs"]
mod dut;

mod captures;
mod config;
mod emission;
#[path = "../cli_pcap/files.rs"]
mod files;
#[path = "../cli_pcap/frames.rs"]
mod frames;
mod golden;
mod iterations;
mod lockstep;
mod parsers;
mod requests;
#[path = "../support/mod.rs"]
mod support;

use iterations::iterations;

/// Random bytes as bytes that a decoder could get wrong: most are at the ends of the grammar's ranges, and some signatures.
fn biased(bytes: &[u8]) -> Vec<u8> {
    let mut biased = Vec::new();
    for &byte in bytes {
        match byte {
            0..16 => biased.extend(b"\xEF\xBB\xBF"),
            16..64 => biased.push(byte.wrapping_mul(37)),
            _ => biased.push(dut::BOUNDARIES[usize::from(byte) % dut::BOUNDARIES.len()]),
        }
    }
    biased
}
