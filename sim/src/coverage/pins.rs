//! Where the tracker looks: the stream of bytes, and the streams that come out.

use crate::frame::Frame;
use hdl::config::Config;

/// The stream of bytes.
pub struct Pins {
    pub lanes: usize,
    /// `s_axis_tready`, which is an output of most cores, an input of those that only watch, and always high where there is
    /// none.
    pub answer: Option<usize>,
    pub taken: Option<usize>,
    data: usize,
    keep: usize,
    last: usize,
}

impl Pins {
    pub fn of(config: &Config) -> Self {
        let inputs = Frame::inputs(config);
        Self {
            lanes: config.lanes,
            answer: Frame::outputs(config).find("s_axis_tready"),
            taken: inputs.find("s_axis_tready"),
            data: inputs.at("s_axis_tdata"),
            keep: inputs.at("s_axis_tkeep"),
            last: inputs.at("s_axis_tlast"),
        }
    }

    pub fn offered(&self, inputs: &[u32]) -> bool {
        inputs[1] != 0
    }

    pub fn ready(&self, inputs: &[u32], outputs: &[u32]) -> bool {
        self.answer.is_none_or(|at| outputs[at] != 0) && self.taken.is_none_or(|at| inputs[at] != 0)
    }

    pub fn last(&self, inputs: &[u32]) -> bool {
        inputs[self.last] != 0
    }

    pub fn bytes<'a>(&'a self, inputs: &'a [u32]) -> impl Iterator<Item = (usize, u8)> + 'a {
        let kept = |lane: &usize| inputs[self.keep + lane / 32] >> (lane % 32) & 1 == 1;
        let byte = |lane| (inputs[self.data + lane / 4] >> (8 * (lane % 4))) as u8;
        (0..self.lanes)
            .take_while(kept)
            .map(move |lane| (lane, byte(lane)))
    }
}

/// A stream that comes out.
pub struct Stream {
    /// Its place among [`super::points::STREAMS`].
    pub index: usize,
    valid: usize,
    ready: Option<usize>,
    /// The newest clock.
    pub now: State,
    /// The clock before it.
    pub before: State,
}

/// What a stream does in a clock.
#[derive(Clone, Copy, Default)]
pub struct State {
    pub valid: bool,
    pub ready: bool,
    /// Clocks that it has been stalled for, this one included.
    pub stalled: u64,
}

impl State {
    pub fn moves(self) -> bool {
        self.valid && self.ready
    }
}

impl Stream {
    /// All streams of a core.
    pub fn all(config: &Config) -> Vec<Self> {
        let (inputs, outputs) = (Frame::inputs(config), Frame::outputs(config));
        let stream = |(index, name)| {
            Some(Self {
                index,
                valid: outputs.find(&format!("{name}_tvalid"))?,
                ready: inputs.find(&format!("{name}_tready")),
                now: State::default(),
                before: State::default(),
            })
        };
        let names = ["m_axis", "m_axis_verdict"].into_iter().enumerate();
        names.filter_map(stream).collect()
    }

    pub fn clock(&mut self, inputs: &[u32], outputs: &[u32]) {
        self.before = self.now;
        let valid = outputs[self.valid] != 0;
        let ready = self.ready.is_none_or(|at| inputs[at] != 0);
        let stalled = if valid && !ready {
            self.before.stalled + 1
        } else {
            0
        };
        self.now = State {
            valid,
            ready,
            stalled,
        };
    }
}
