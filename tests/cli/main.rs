//! The commands as a user runs them. They are one program: each further one would be compiled and linked for itself.

mod cache;
mod campaigns;
mod cores;
mod coverage;
mod disturbed;
mod errors;
mod faults;
mod habits;
mod options;
mod packets;
mod quiet;
mod replace;
mod shards;
mod sim;
#[path = "../support/mod.rs"]
mod support;
mod told;
mod tools;
