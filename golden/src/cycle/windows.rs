//! Which lanes of each beat are judged: a packet's window comes with its first beat, or a frame's headers say where its
//! text is.

use super::layout::Beat;
use super::setup::Setup;
use crate::{Ports, Unjudged, Window, frames};
use std::ops::Range;

/// The windows of packets, beat by beat.
pub struct Windows {
    /// Without windows all bytes are judged.
    are_there: bool,
    lanes: u64,
    /// That of the packet under way; none before its first beat.
    of_packet: Option<Result<Window, Unjudged>>,
    /// Lanes of its beats so far.
    position: u64,
}

impl Windows {
    pub fn of(setup: &Setup) -> Self {
        Self {
            are_there: setup.policy.has_window && !setup.policy.has_frames,
            lanes: setup.lanes as u64,
            of_packet: None,
            position: 0,
        }
    }

    /// A reset: the next beat is a packet's first.
    pub fn reset(&mut self) {
        (self.of_packet, self.position) = (None, 0);
    }

    /// The lanes of the beat that are judged, of those with a byte; with a packet's last beat also why the packet is not judged.
    #[inline]
    pub fn judged(&mut self, beat: &Beat) -> (Range<usize>, Option<Unjudged>) {
        let count = beat.count();
        if !self.are_there || beat.is_void() {
            return (0..count, None);
        }
        let window = *self
            .of_packet
            .get_or_insert_with(|| window(beat.low_user()));
        let from = self.position;
        self.position += self.lanes;
        let lanes = match window {
            Ok(window) => window.of(from..from + count as u64),
            Err(_) => from..from,
        };
        let lanes = (lanes.start - from) as usize..(lanes.end - from) as usize;
        if beat.last {
            self.reset();
        }
        (lanes, window.err().filter(|_| beat.last))
    }
}

/// Where the text of each frame is, beat by beat, as far as its headers have come.
pub struct Texts {
    takes_segments: bool,
    ports: Option<Ports>,
    /// What has come of the frame under way.
    frame: Vec<u8>,
}

impl Texts {
    /// None if the packets are no frames.
    pub fn of(setup: &Setup) -> Option<Self> {
        setup.policy.has_frames.then(|| Self {
            takes_segments: setup.policy.has_open_edges,
            ports: setup.policy.ports,
            frame: Vec::new(),
        })
    }

    /// A reset: the next beat is a frame's first.
    pub fn reset(&mut self) {
        self.frame.clear();
    }

    /// The lanes of the beat that are judged.
    pub fn judged(&mut self, beat: &Beat) -> Range<usize> {
        let from = self.frame.len();
        self.frame.extend(beat.bytes());
        let text = frames::read_so_far(&self.frame, self.takes_segments, |ends| {
            self.ports.is_none_or(|table| table.has(ends))
        });
        if beat.last {
            self.reset();
        }
        text.start.saturating_sub(from)..text.end.saturating_sub(from)
    }
}

/// The window that the lowest bits of `tuser` have.
fn window(user: u64) -> Result<Window, Unjudged> {
    let window = Window {
        first: (user >> 1) as u16,
        end: (user >> 17) as u16,
    };
    match user & 1 {
        1 => Ok(window),
        _ => Err(Unjudged::NoWindow),
    }
}
