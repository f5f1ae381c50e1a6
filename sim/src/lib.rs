//! Lockstep: a DUT and the cycle model, every output pin at every clock.

pub mod beats;
pub mod block;
pub mod cache;
pub mod campaign;
pub mod coverage;
pub mod engine;
pub mod fragments;
pub mod frame;
pub mod frames;
pub mod grammar;
pub mod interleave;
pub mod interrupt;
pub mod line;
pub mod lockstep;
mod master;
pub mod mismatch;
pub mod netlist;
pub mod observer;
pub mod packets;
mod resets;
pub mod stimulus;
mod stream;
pub mod tools;
pub mod traffic;
mod undefined;
pub mod waveform;
mod words;
