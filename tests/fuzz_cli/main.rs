//! What must hold for anything that is given to the command: each run takes a process, so that they are few. How to run more, and
//! how the rest is fuzzed, is in `fuzz`.

#[path = "../support/mod.rs"]
mod support;

mod emission;
#[path = "../fuzz/iterations.rs"]
mod iterations;
mod parsers;
#[path = "../fuzz/requests.rs"]
mod requests;

use iterations::iterations;
