//! Tests of the commands as a user runs them. Every file of tests is a module here or in another of these programs, because each
//! program is linked with all cores: `make test-NAME` runs the module `NAME`.

mod bench;
mod cli;
mod cli_pcap;
mod docs;
mod names;
mod peers;
mod prove;
mod report;
mod results;
mod support;
mod synth;
