//! The `decode` core: events, packed or not, and the stream's end.

use super::dense::Packer;
use super::events::Events;
use super::exit::Exit;
use super::layout::Beat;
use super::payload::EventWords;
use super::setup::{Form, Setup, Signature};
use crate::Encoding;

/// Bytes in, one event per piece out.
pub struct Decode {
    events: Events,
    packer: Option<Packer>,
    exit: Exit,
}

impl Decode {
    pub fn new(setup: &Setup, signature: Signature, dense: bool, to: Encoding) -> Self {
        Self {
            events: Events::new(setup, signature, to),
            packer: dense.then(|| Packer::new(setup)),
            exit: match setup.form {
                Form::Free => Exit::Free,
                Form::Axis => {
                    let clocks = setup.sparse_latency() + setup.packing_latency();
                    let buffer = setup.buffer(clocks);
                    Exit::buffered(buffer, EventWords::of(setup).total)
                }
            },
        }
    }

    #[inline]
    pub fn ready(&self) -> bool {
        self.exit.has_room()
    }

    pub fn is_idle(&self) -> bool {
        self.events.is_idle()
            && self.packer.as_ref().is_none_or(Packer::is_idle)
            && self.exit.is_idle()
    }

    /// One clock; `pins` are those from `m_axis_tvalid` on.
    #[inline(always)]
    pub fn step(&mut self, reset: bool, beat: Option<&Beat>, sink_ready: bool, pins: &mut [u32]) {
        let beat = beat.filter(|beat| !beat.is_void());
        let line = match &self.packer {
            None => &self.events.line,
            Some(packer) => &packer.line,
        };
        self.exit
            .step(reset, beat.is_some(), line, sink_ready, pins);
        if let Some(packer) = &mut self.packer {
            packer.step(reset, self.events.line.shown());
        }
        self.events.step(reset, beat);
    }
}
