//! Where packets came from, and whole frames as packets.

use super::skipped::Frames;
use crate::packets::Piece;

/// Where a packet came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packet {
    /// The index of its flow; none of a frame without a text.
    pub flow: Option<usize>,
    /// The frame that had its last byte, and when that was captured.
    pub frame: u64,
    pub time: Option<u64>,
}

/// Whole frames as packets.
#[derive(Clone, Default)]
pub struct Whole {
    pub(super) packets: Vec<Packet>,
    pub(super) pieces: Vec<Piece>,
    pub(super) bytes: u64,
    /// What became of their payloads: those that a window has, and why the others are no text.
    pub texts: Frames,
}

impl Whole {
    /// The bytes of each.
    pub fn frames(&self) -> Vec<Vec<u8>> {
        self.pieces
            .iter()
            .map(|piece| piece.bytes.clone())
            .collect()
    }
}
