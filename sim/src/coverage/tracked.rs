//! A run's sink, and the tracker beside it.

use super::hits::Hits;
use super::tracker::Tracker;
use crate::frame::Frame;
use crate::observer::{Against, Saturated, Sink};
use golden::{Event, Verdict, encode};
use hdl::config::Config;

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
            input_words: Frame::inputs(config).words,
            output_words: Frame::outputs(config).words,
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

    fn against(&mut self, packet: u64, against: Against) {
        self.sink.against(packet, against);
    }

    fn encoded(&mut self, packet: u64, verdict: encode::Verdict, saturated: Saturated) {
        self.sink.encoded(packet, verdict, saturated);
    }

    fn passed(&mut self, bytes: &[u8], last: bool, bad: bool) {
        self.sink.passed(bytes, last, bad);
    }

    fn read(&mut self, address: u32, data: u32) {
        self.sink.read(address, data);
    }

    fn clocks(&mut self, all_inputs: &[u32], all_outputs: &[u32]) {
        let inputs = all_inputs.chunks_exact(self.input_words);
        for (inputs, outputs) in inputs.zip(all_outputs.chunks_exact(self.output_words)) {
            self.tracker.clock(inputs, outputs);
        }
        self.sink.clocks(all_inputs, all_outputs);
    }
}
