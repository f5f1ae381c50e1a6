//! Whole frames, for a core that judges a window of each: the bytes that were on Ethernet, and where the payload is among them.

use super::capture::{self, CaptureError, Captured, Record};
use super::flow::{Flow, FlowKey, Wire};
use super::frame::{self, Datagram};
use super::link::Link;
use super::packet::{Packet, Whole};
use super::reader::{Traffic, begin};
use super::skipped::{Frames, Skipped};
use crate::line;
use crate::packets::Piece;
use golden::Window;
use std::collections::HashMap;

impl Traffic {
    /// Reads a capture file for such a core. The payload of a segment of TCP is a text only if segments are judged one by one.
    pub fn read_whole(file: &[u8], takes_segments: bool) -> Result<Self, CaptureError> {
        let mut reader = Reader {
            takes_segments,
            ..Reader::default()
        };
        let cut = capture::read(file, &mut |record| reader.take(record))?;
        Ok(Self {
            flows: reader.flows,
            fragments: Vec::new(),
            frames: reader.frames,
            whole: Some(reader.whole),
            cut,
        })
    }
}

#[derive(Default)]
struct Reader {
    takes_segments: bool,
    flows: Vec<Flow>,
    known: HashMap<FlowKey, usize>,
    frames: Frames,
    whole: Whole,
    /// The number of the newest frame.
    number: u64,
    /// Bytes on the wire up to the end of the newest frame that was used, and those of others since.
    wire: u64,
    idle: u64,
}

impl Reader {
    fn take(&mut self, record: Record) {
        self.number += 1;
        let captured = match record.captured {
            Ok(captured) => captured,
            Err(why) => return self.frames.skip(why),
        };
        let length = captured.ethernet_length() as u64;
        let cost = line::cost(length);
        if let Some(why) = not_whole(&captured) {
            self.idle += cost;
            return self.frames.skip(why);
        }
        self.frames.used += 1;
        let (flow, window) = match self.text(&captured) {
            Ok((flow, window)) => (Some(flow), Some(window)),
            Err(why) => {
                self.whole.texts.skip(why);
                (None, None)
            }
        };
        let wire = Wire::new(std::mem::take(&mut self.idle), length, cost);
        self.wire += wire.before;
        self.whole.packets.push(Packet {
            flow,
            frame: self.number,
            time: record.time,
        });
        self.whole.bytes += captured.bytes.len() as u64;
        self.whole.pieces.push(Piece {
            bytes: captured.bytes.to_vec(),
            ends: true,
            arrived: self.wire,
            window,
            ..Piece::default()
        });
        self.wire += wire.after;
    }

    /// The flow of the frame's payload, and where that is; or why it is no text.
    fn text(&mut self, captured: &Captured) -> Result<(usize, Window), Skipped> {
        let Datagram {
            key,
            payload,
            offset,
            tcp,
        } = frame::open(captured)?;
        if tcp.is_some() && !self.takes_segments {
            return Err(Skipped::Segment);
        }
        if payload.is_empty() {
            return Err(Skipped::NoPayload);
        }
        self.whole.texts.used += 1;
        let flows = &mut self.flows;
        let flow = *(self.known.entry(key)).or_insert_with_key(|key| begin(flows, key));
        let position = |at: usize| u16::try_from(at).unwrap_or(u16::MAX);
        let window = Window {
            first: position(offset),
            end: position(offset + payload.len()),
        };
        Ok((flow, window))
    }
}

/// Why a frame is not given to the core.
fn not_whole(captured: &Captured) -> Option<Skipped> {
    if captured.link != Link::Ethernet {
        Some(Skipped::NotEthernet)
    } else if captured.bytes.len() < captured.length {
        Some(Skipped::CutShort)
    } else {
        None
    }
}
