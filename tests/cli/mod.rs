//! Tests of the commands as a user runs them, in one program, which is compiled and linked once.

mod cache;
mod campaigns;
mod clock;
mod cores;
mod coverage;
mod disturbed;
mod errors;
mod faults;
mod foreign;
mod habits;
mod options;
mod packets;
mod printed;
mod quiet;
mod replace;
mod shards;
mod sim;
mod tools;
mod written;
