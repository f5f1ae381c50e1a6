//! What follows from a core's configuration: its latencies, for how long dropped beats show after a reset, and its FIFOs.

use super::buffer::Buffer;
use super::setup::{Core, Mode, Setup, Signature};
use crate::{Encoding, Grammar, Replace};

/// Clocks from a beat's acceptance to its events on the pins, if nothing of it waits for the next byte.
const SPARSE_LATENCY: usize = 14;
/// Clocks that packing them adds, and three more for each doubling of the lanes.
const PACKING_LATENCY: usize = 4;
/// Clocks from a beat's acceptance until it has passed, and one more for each doubling.
const PASS_LATENCY: usize = 15;
/// Clocks from the acceptance of a packet's last beat to the verdict. Each doubling of the lanes adds one for a tree, and from the second
/// on one for a counter; under RFC 2279 already the first, for five bytes can wait, and the counter has a bit more.
const VERDICT_LATENCY: usize = 22;
/// Clocks from a beat of words until the quarters that it completes can be loaded into the output register, which takes one more; and to
/// the verdict of the packet that it ends, without a FIFO. Each doubling of the lanes adds two.
const ENCODE_LATENCY: usize = 17;
const ENCODE_VERDICT_LATENCY: usize = 16;
/// Clocks from when a quarter leaves the ring until it is in the FIFO at the stream's end.
pub(super) const QUARTER_LATENCY: usize = 2;
/// How many clocks more it takes to find the pairs of UTF-16.
pub(super) const ENCODE_UNITS: usize = 2;
/// How many clocks more than for UTF-32's words it takes to know what is put out for bytes.
pub(super) const SANITISE_MORE: usize = 9;
/// How many clocks after a reset the bytes of a dropped beat that passes may still show; its side signals do not.
pub(super) const PASSED_LINGERING: usize = 2;
/// Clocks from a beat of a flow to what is known with it, and one more for each doubling.
pub const FLOW_LATENCY: usize = 35;
/// Clocks from when a packet's last beat is in the FIFO of drop mode until its first one is on the pins; the same of a verdict.
const WAITED: usize = 7;
const STORED: usize = 6;
/// Clocks more to find the lanes of a window.
const WINDOW_LATENCY: usize = 4;
/// And that the headers of a frame take, and its window.
const FRAMES_LATENCY: usize = 41;
/// Clocks from the beat with a packet's ports until they are compared with the table of ports, if that can be written.
const PORTS_LATENCY: usize = 33;
/// Words of the FIFO of a stream with `tready`: of events in the lanes of their bytes, and of all else. At a smaller depth
/// there are fewer.
const SPARSE_WORDS: usize = 32;
const OTHER_WORDS: usize = 64;
/// The FIFO of events in the lanes of their bytes. Encoded and sanitised bytes leave through the same one.
pub(super) const SPARSE_BUFFER: Buffer = Buffer::deep(SPARSE_WORDS);

/// Clocks from a beat's acceptance to the pins of each stream; `None` if there is no such stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Latencies {
    /// Of events, if nothing of the beat waits for what comes next; or of bytes that pass. In drop mode from a packet's last beat to its
    /// first one.
    pub stream: Option<usize>,
    /// From a packet's last beat.
    pub verdict: Option<usize>,
}

impl Setup {
    /// How many clocks a smaller depth takes off a verdict's.
    pub(super) fn shortened(&self) -> usize {
        self.most_verdict() - self.verdict_latency()
    }

    /// Clocks to a packet's verdict, without a FIFO; with flows, to what is known with a beat.
    pub(super) fn verdict_latency(&self) -> usize {
        self.depth.unwrap_or(self.most_verdict())
    }

    fn most_verdict(&self) -> usize {
        match self.flows() {
            Some(_) => FLOW_LATENCY + self.levels(),
            None => self.window_clocks() + VERDICT_LATENCY + self.levels() + self.counter_clocks(),
        }
    }

    /// Clocks that a window takes, at each depth.
    pub(super) fn window_clocks(&self) -> usize {
        match (self.policy.has_frames, self.policy.has_window) {
            (true, _) => FRAMES_LATENCY,
            (false, true) => WINDOW_LATENCY,
            (false, false) => 0,
        }
    }

    /// Clocks that the model waits before it judges a beat: with a table that can be written, until ports in the beat are compared with it.
    pub(super) fn ports_clocks(&self) -> usize {
        match self.policy.ports {
            Some(_) if self.has_registers() => PORTS_LATENCY,
            _ => 0,
        }
    }

    /// Clocks that the doublings of the lanes add to a verdict for a counter.
    fn counter_clocks(&self) -> usize {
        match (self.grammar, self.lanes) {
            (Grammar::Rfc2279, 2) => 1,
            _ => self.levels().saturating_sub(1),
        }
    }

    /// Clocks from a beat to the first in which a quarter that it completes can be loaded into the output register. Up to six bytes a word
    /// take one more than up to four.
    pub(super) fn quarters_latency(&self) -> usize {
        ENCODE_LATENCY
            + 2 * self.levels()
            + self.of_units(ENCODE_UNITS)
            + self.of_bytes(SANITISE_MORE)
            + usize::from(self.grammar == Grammar::Rfc2279)
    }

    /// Clocks from the last beat of a packet of words to its verdict, without a FIFO.
    pub(super) fn encode_verdict_latency(&self) -> usize {
        ENCODE_VERDICT_LATENCY + 2 * self.levels() + self.of_units(ENCODE_UNITS)
    }

    /// A number of clocks, if words are UTF-16 units.
    pub(super) fn of_units(&self, clocks: usize) -> usize {
        match self.core {
            Core::Encode {
                from: Encoding::Utf16 { .. },
                ..
            } => clocks,
            _ => 0,
        }
    }

    /// A number of clocks, if the input is bytes.
    pub(super) fn of_bytes(&self, clocks: usize) -> usize {
        match self.core {
            Core::Encode { .. } => 0,
            _ => clocks,
        }
    }

    /// Clocks that packing the events adds: as many at each depth.
    pub(super) fn packing_latency(&self) -> usize {
        match self.core {
            Core::Decode { dense: true, .. } => PACKING_LATENCY + 3 * self.levels(),
            _ => 0,
        }
    }

    /// Clocks to a beat's events, unpacked and without a FIFO. The depth counts the clocks of packing, too.
    pub(super) fn sparse_latency(&self) -> usize {
        let packing = self.packing_latency();
        let most = self.window_clocks() + SPARSE_LATENCY;
        self.depth.map_or(most, |depth| depth - packing)
    }

    /// Clocks until a beat has passed, without a FIFO. A beat leaves one clock after its packet is known to be bad or not. The verdict
    /// takes some clocks more from there; a smaller depth has fewer of these in proportion, rounded down, but at least one. With registers
    /// it has all of them.
    pub(super) fn pass_latency(&self) -> usize {
        let before = self.window_clocks();
        let (most, known) = (
            self.most_verdict() - before,
            PASS_LATENCY + self.levels() - 1,
        );
        let depth = self.verdict_latency() - before;
        let more = if self.keeps_its_end() {
            most - known
        } else {
            (depth * (most - known) / most).max(1)
        };
        before + depth - more + 1
    }

    /// How many clocks after a reset a dropped beat of events may still show: first `tlast`, the flag and the sideband, then the lanes. With
    /// eight lanes or more, the reset does not clear the lanes in the last stages. It reaches the lanes of the slot three clocks later, or
    /// five clocks with more than 16 lanes. A core of a smaller depth clears everything at once, but with more than 16 lanes these two
    /// clocks later. What repairs bytes has four lanes cleared as eight; with windows all are cleared at once. Under RFC 2279 eight are cleared as four if signatures are stripped:
    /// they can be full without an event, of a signature and five bytes of an unfinished sequence.
    pub(super) fn events_lingering(&self) -> [usize; 2] {
        let strips = matches!(
            self.core,
            Core::Decode {
                signature: Signature::Strip,
                ..
            }
        );
        match (self.depth, self.lanes) {
            _ if self.policy.has_window => [1, 1],
            (None, 8) if strips && self.grammar == Grammar::Rfc2279 => [1, 1],
            (Some(_), ..=16) => [0, 0],
            (Some(_), 17..) => [0, 2],
            (None, 4) if matches!(self.core, Core::Sanitise { .. }) => [1, 6],
            (None, ..8) => [1, 1],
            (None, 8..=16) => [1, 6],
            (None, 17..) => [1, 8],
        }
    }

    /// How many clocks after a reset the fields of a dropped verdict may still show; its side signals do so for one.
    pub(super) fn verdict_lingering(&self) -> usize {
        match (self.depth, self.lanes) {
            (None, 17..) => 3,
            _ => 2,
        }
    }

    pub fn latencies(&self) -> Latencies {
        let (stream, verdict) = match self.core {
            Core::Decode { .. } => (Some(self.sparse_latency() + self.packing_latency()), None),
            Core::Validate { mode, .. } => (
                (mode != Mode::Snoop).then_some(self.pass_latency()),
                Some(self.verdict_latency()),
            ),
            Core::Encode { .. } => (
                Some(self.quarters_latency() + QUARTER_LATENCY),
                Some(self.encode_verdict_latency()),
            ),
            Core::Sanitise { replace, .. } => {
                let stream = match replace {
                    Replace::Ascii => self.sparse_latency(),
                    Replace::Fffd => self.quarters_latency() + QUARTER_LATENCY,
                };
                (Some(stream), Some(self.verdict_latency()))
            }
        };
        let staged = usize::from(self.is_staged());
        let whole = |clocks: usize| {
            let fifo = if self.answers() {
                self.buffer(clocks).latency()
            } else {
                0
            };
            clocks + fifo + staged
        };
        // A packet that can be dropped waits for its end.
        match self.drops() {
            Some(_) => Latencies {
                stream: stream.map(|clocks| clocks + WAITED),
                verdict: verdict.map(|clocks| clocks + STORED),
            },
            None => Latencies {
                stream: stream.map(whole),
                verdict: verdict.map(whole),
            },
        }
    }

    /// The FIFO of a stream that takes `clocks` without it. While events are packed, a beat that gives none keeps its credit for its packet's
    /// last events: a word more. The headers of a frame take more clocks than the long one has words for.
    pub(super) fn buffer(&self, clocks: usize) -> Buffer {
        match self.core {
            Core::Decode { dense: true, .. } if self.depth.is_some() => Buffer::shallow(clocks + 1),
            _ if self.depth.is_some() || self.policy.has_frames => Buffer::shallow(clocks),
            Core::Decode { dense: false, .. } => SPARSE_BUFFER,
            _ => Buffer::deep(OTHER_WORDS),
        }
    }
}
