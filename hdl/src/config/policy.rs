//! How packets are judged beyond the grammar: what makes one bad, what is excused, and how much a verdict tells.

use super::classes::Classes;
use super::configuration::{Core, Signature};
use super::judging::{Edges, Extent};
use super::port_table::PortTable;
use crate::layout::{COMMAND_BITS, FULL_VERDICT_BITS, WINDOW_BITS};
use crate::window;

/// Clocks that the headers of a frame take. The block that reads them asserts that it has as many.
pub const FRAME_CLOCKS: usize = 41;

/// How packets are judged beyond the grammar.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Policy {
    /// A scalar value of these classes makes a packet bad.
    pub forbid: Classes,
    /// A signature at its beginning does.
    pub rejects: bool,
    /// What a packet's beginning and its end cut is no error.
    pub has_open_edges: bool,
    /// The verdict has all of its words.
    pub is_full: bool,
    /// Only the bytes of a window are judged.
    pub has_window: bool,
    /// The window is the payload of an Ethernet frame, whose headers say where that is.
    pub has_frames: bool,
    /// Only packets with a port of this table are judged.
    pub ports: Option<PortTable>,
}

impl Policy {
    /// Clocks from a beat to the first stage that judges it.
    pub fn clocks_to_pieces(self) -> usize {
        match (self.has_frames, self.has_window) {
            (true, _) => FRAME_CLOCKS,
            (false, true) => window::LATENCY,
            (false, false) => 0,
        }
    }

    /// Whether the window comes with the packet.
    pub fn takes_windows(self) -> bool {
        self.has_window && !self.has_frames
    }

    /// Whether the verdict's bit `bad` is used.
    pub fn tells_bad(self) -> bool {
        self.rejects
            || self.has_open_edges
            || self.is_full
            || self.has_window
            || !self.forbid.is_empty()
    }
}

impl Core {
    /// Whether each beat of a packet says if an ill-formed piece has ended in it so far.
    pub fn tells_early(&self) -> bool {
        matches!(*self, Core::Validate { early_bad, .. } if early_bad)
    }

    /// How packets are judged beyond the grammar.
    pub fn policy(&self) -> Policy {
        match *self {
            Core::Decode { signature, .. } => Policy {
                rejects: signature == Signature::Reject,
                ..Policy::default()
            },
            Core::Sanitise {
                signature,
                window,
                frames,
                ports,
                ..
            } => Policy {
                rejects: signature == Signature::Reject,
                has_window: window || frames,
                has_frames: frames,
                ports,
                ..Policy::default()
            },
            Core::Validate {
                signature,
                forbid,
                edges,
                verdict,
                window,
                frames,
                ports,
                ..
            } => Policy {
                rejects: signature == Signature::Reject,
                forbid,
                has_open_edges: edges == Edges::Open,
                is_full: verdict == Extent::Full,
                has_window: window || frames,
                has_frames: frames,
                ports,
            },
            Core::Encode { .. } => Policy::default(),
        }
    }

    /// Bits of `s_axis_tuser` below those that come out again: a flow's command, or a window.
    pub fn low_user_bits(&self) -> usize {
        match self.flows() {
            Some(_) => COMMAND_BITS,
            None if self.policy().takes_windows() => WINDOW_BITS,
            None => 0,
        }
    }

    /// Bits of a verdict, without what fills its bus.
    pub fn verdict_bits(&self) -> usize {
        let policy = self.policy();
        match policy.is_full {
            true => FULL_VERDICT_BITS,
            false => policy.forbid.verdict_bits(),
        }
    }
}
