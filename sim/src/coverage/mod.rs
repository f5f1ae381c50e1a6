//! Coverage: which lines and bits of the Verilog, and which of the project's own points at the pins, a run has reached.
//!
//! [`Tracker`] counts the points, by the pins alone; Verilator counts lines, branches and toggles. A [`Report`] takes both,
//! leaves out what `waivers` has a reason for, and says what is missing.

mod constants;
mod counts;
mod hits;
mod packet;
mod pieces;
mod pins;
mod points;
mod report;
mod tracked;
mod tracker;
mod verdicts;
pub mod verilated;
mod waivers;

pub use constants::constants;
pub use hits::{Hits, LINES, TOGGLES};
pub use report::{GroupReport, Report};
pub use tracked::Tracked;
pub use tracker::Tracker;
