//! Where packets came from: an input, or a frame of a capture.

use crate::judged::Judged;
use crate::names;
use ::sim::traffic;
use serde::{Serialize, Serializer};
use std::fmt;
use std::path::Path;

/// Tells where packets came from.
pub trait Origins {
    /// The origin of a packet, with the verdict on it, and the code of the reason if it is not judged. Packets must be asked for in order.
    fn of(&mut self, packet: u64, verdict: &Judged, unjudged: Option<u8>) -> Origin<'_>;
}

/// Where a packet came from.
#[derive(Serialize)]
pub struct Origin<'a> {
    #[serde(serialize_with = "name")]
    input: &'a Path,
    #[serde(flatten)]
    frame: Option<Frame>,
    /// The flow, for people.
    #[serde(skip)]
    flow: &'a str,
    /// Where the packet begins in the input, in bytes, if that is a file that it stands in as it is.
    #[serde(skip)]
    start: Option<u64>,
}

/// The part of an origin that only a capture has.
#[derive(Serialize)]
struct Frame {
    /// The index of its flow in `flows[]`; none of a frame that is not judged.
    #[serde(skip_serializing_if = "Option::is_none")]
    flow: Option<usize>,
    /// The number of the frame that had the packet's last byte.
    frame: u64,
    /// When that was captured, in seconds since 1970; text, for a number would lose the nanoseconds.
    time: Option<String>,
}

impl<'a> Origin<'a> {
    pub fn input(input: &'a Path, start: Option<u64>) -> Self {
        Self {
            input,
            frame: None,
            flow: "",
            start,
        }
    }

    /// The file that the packet stands in, and where it begins there.
    pub fn place(&self) -> Option<(&'a Path, u64)> {
        Some((self.input, self.start?))
    }

    pub fn captured(input: &'a Path, flow: &'a str, packet: traffic::Packet) -> Self {
        let seconds = |time: u64| format!("{}.{:09}", time / 1_000_000_000, time % 1_000_000_000);
        Self {
            input,
            frame: Some(Frame {
                flow: packet.flow,
                frame: packet.frame,
                time: packet.time.map(seconds),
            }),
            flow,
            start: None,
        }
    }
}

fn name<S: Serializer>(path: &&Path, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&names::json(path))
}

impl fmt::Display for Origin<'_> {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        match &self.frame {
            None => write!(out, "{}", names::Shown(self.input)),
            Some(Frame { frame, .. }) => write!(out, "frame {frame}, {}", self.flow),
        }
    }
}
