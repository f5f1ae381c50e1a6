//! The packets of captured traffic, for cores that take one at a time.

use super::flow::Fragment;
use super::packet::Packet;
use super::reader::Traffic;
use super::table::Table;
use crate::line::Line;
use crate::packets::{Packets, Piece};
use std::collections::HashMap;
use std::io;

/// Packets, and the pieces that they are given in.
pub struct Captured {
    pub packets: Vec<Packet>,
    pub(super) pieces: std::vec::IntoIter<Piece>,
    /// Of all packets.
    pub bytes: u64,
    pub(super) line: Option<Line>,
    /// What became of them in a core's table of flows. Then the pieces are fragments.
    pub table: Option<Table>,
}

impl Traffic {
    /// The frames, if they are whole. Else gathers the fragments of each packet at the place of the last one. On the wire each takes the time that its frame took,
    /// as if the frames had come in this order.
    pub fn packets(&mut self, line: Option<Line>) -> Captured {
        if let Some(whole) = self.whole.clone() {
            return Captured {
                packets: whole.packets,
                pieces: whole.pieces.into_iter(),
                bytes: whole.bytes,
                line,
                table: None,
            };
        }
        let mut open: HashMap<usize, Vec<Fragment>> = HashMap::new();
        let mut packets = Vec::new();
        let mut pieces: Vec<Piece> = Vec::new();
        let (mut bytes, mut wire, mut idle) = (0, 0, 0);
        for mut fragment in std::mem::take(&mut self.fragments) {
            let Fragment { flow, more, .. } = fragment;
            // An end by itself is no part of a packet, and leaves its time to what follows.
            match fragment.payload.is_empty() {
                true => idle += fragment.wire.before + fragment.wire.after,
                false => fragment.wire.before += std::mem::take(&mut idle),
            }
            open.entry(flow).or_default().push(fragment);
            if more {
                continue;
            }
            let mut parts = open.remove(&flow).unwrap_or_default();
            parts.retain(|part| !part.payload.is_empty());
            let Some(&Fragment { frame, time, .. }) = parts.last() else {
                continue;
            };
            packets.push(Packet {
                flow: Some(flow),
                frame,
                time,
            });
            let count = parts.len();
            for (index, part) in parts.into_iter().enumerate() {
                bytes += part.payload.len() as u64;
                wire += part.wire.before;
                pieces.push(Piece {
                    bytes: part.payload,
                    ends: index + 1 == count,
                    arrived: wire,
                    ..Piece::default()
                });
                wire += part.wire.after;
            }
        }
        let pieces = pieces.into_iter();
        Captured {
            packets,
            pieces,
            bytes,
            line,
            table: None,
        }
    }
}

impl Packets for Captured {
    fn next(&mut self, piece: &mut Piece) -> io::Result<bool> {
        let next = self.pieces.next();
        let is_one = next.is_some();
        *piece = next.unwrap_or_default();
        Ok(is_one)
    }

    fn line(&self) -> Option<Line> {
        self.line
    }

    fn are_fragments(&self) -> bool {
        self.table.is_some()
    }
}
