//! Coverage: which lines and bits of the Verilog, and which of the project's own points at the pins, a run has reached.
//!
//! [`Tracker`] counts the points, by the pins alone; Verilator counts lines, branches and toggles. A [`Report`] takes both,
//! leaves out what `waivers` has a reason for, and says what is missing.

mod constants;
mod packet;
mod pieces;
mod pins;
mod points;
mod report;
mod tracker;
mod verdicts;
pub mod verilated;
mod waivers;

pub use constants::constants;
pub use report::{GroupReport, Report};
pub use tracker::Tracker;

use crate::observer::{Saturated, Sink};
use golden::{Event, Verdict};
use hdl::config::Config;
use std::collections::BTreeMap;

/// The groups that Verilator counts.
pub const LINES: &str = "lines and branches of the Verilog";
pub const TOGGLES: &str = "bits of the Verilog, there and back";

/// How often each point of each group was reached: 0 is missing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hits(BTreeMap<&'static str, BTreeMap<String, u64>>);

impl Hits {
    pub fn add(&mut self, group: &'static str, point: String, count: u64) {
        *self.0.entry(group).or_default().entry(point).or_default() += count;
    }

    /// Adds another run's.
    pub fn merge(&mut self, other: Self) {
        for (group, points) in other.0 {
            for (point, count) in points {
                self.add(group, point, count);
            }
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &str, u64)> {
        self.0.iter().flat_map(|(&group, points)| {
            let points = points.iter();
            points.map(move |(point, &count)| (group, point.as_str(), count))
        })
    }
}

/// A sink that counts points on the way to another.
pub struct Tracked<'a> {
    sink: &'a mut dyn Sink,
    tracker: Tracker,
    input_words: usize,
    output_words: usize,
}

impl<'a> Tracked<'a> {
    pub fn new(config: &Config, sink: &'a mut dyn Sink) -> Self {
        Self {
            sink,
            tracker: Tracker::new(config),
            input_words: crate::frame::Frame::inputs(config).words,
            output_words: crate::frame::Frame::outputs(config).words,
        }
    }
}

impl Tracked<'_> {
    /// The points of the configuration, and how often each was reached.
    pub fn hits(&self) -> Hits {
        self.tracker.hits()
    }
}

impl Sink for Tracked<'_> {
    fn event(&mut self, packet: u64, offset: u64, event: Event) {
        self.sink.event(packet, offset, event);
    }

    fn packet(&mut self, packet: u64, verdict: Verdict, saturated: Saturated) {
        self.tracker.verdict(&verdict, saturated);
        self.sink.packet(packet, verdict, saturated);
    }

    fn passed(&mut self, bytes: &[u8], last: bool, bad: bool) {
        self.sink.passed(bytes, last, bad);
    }

    fn read(&mut self, address: u32, data: u32) {
        self.sink.read(address, data);
    }

    fn clocks(&mut self, inputs: &[u32], outputs: &[u32]) {
        let inputs = inputs.chunks_exact(self.input_words);
        for (inputs, outputs) in inputs.zip(outputs.chunks_exact(self.output_words)) {
            self.tracker.clock(inputs, outputs);
        }
    }
}
