//! A capture, frame by frame, and what is in it.

use super::capture::{self, CaptureError, Cut, Record};
use super::flow::{Ended, Flow, FlowKey, Fragment, Wire};
use super::frame;
use super::packet::Whole;
use super::skipped::{Frames, Skipped};
use super::stream::{Delivered, Stream};
use crate::line;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// What is in a capture.
#[derive(Clone)]
pub struct Traffic {
    /// In the order in which they began.
    pub flows: Vec<Flow>,
    /// In the order in which they are known: each as soon as the bytes before it are.
    pub fragments: Vec<Fragment>,
    pub frames: Frames,
    /// For a core with windows: the frames themselves, and no fragments.
    pub whole: Option<Whole>,
    /// Where the file is damaged, if it is.
    pub cut: Option<Cut>,
}

impl Traffic {
    /// Reads a capture file.
    pub fn read(file: &[u8]) -> Result<Self, CaptureError> {
        let mut reader = Reader::default();
        let cut = capture::read(file, &mut |record| reader.frame(record))?;
        let (flows, delivered) = reader.finish();
        let Delivered {
            fragments, frames, ..
        } = delivered;
        Ok(Self {
            flows,
            fragments,
            frames,
            whole: None,
            cut,
        })
    }
}

/// Sorts frames by flow.
#[derive(Default)]
struct Reader {
    flows: Vec<Flow>,
    datagrams: HashMap<FlowKey, usize>,
    /// The newest connection of each pair of ports.
    streams: HashMap<FlowKey, Stream>,
    delivered: Delivered,
    /// The number and the time of the newest frame.
    frame: u64,
    time: Option<u64>,
}

impl Reader {
    fn frame(&mut self, record: Record) {
        self.frame += 1;
        self.time = record.time;
        let captured = match record.captured {
            Ok(captured) => captured,
            Err(why) => return self.delivered.frames.skip(why),
        };
        let cost = line::cost(captured.ethernet_length() as u64);
        let frame::Datagram {
            key,
            payload,
            offset,
            tcp,
        } = match frame::open(&captured) {
            Ok(datagram) => datagram,
            Err(why) => return self.skip(why, cost),
        };
        let fragment = |flow, idle| Fragment {
            flow,
            frame: self.frame,
            time: self.time,
            wire: Wire::new(idle, (offset + payload.len()) as u64, cost),
            payload: payload.to_vec(),
            more: tcp.is_some(),
        };
        let Some(mut control) = tcp else {
            if payload.is_empty() {
                return self.skip(Skipped::NoPayload, cost);
            }
            let flows = &mut self.flows;
            let entry = self.datagrams.entry(key);
            let flow = *entry.or_insert_with_key(|key| begin(flows, key));
            let idle = std::mem::take(&mut self.delivered.idle);
            self.delivered.fragments.push(fragment(flow, idle));
            self.delivered.frames.used += 1;
            return;
        };
        // A SYN takes a number of its own, before the first byte.
        control.sequence = control.sequence.wrapping_add(u32::from(control.syn));
        let begins = |flow| Stream::new(flow, control.sequence);
        let stream = match self.streams.entry(key) {
            Entry::Occupied(entry) => {
                let is_new = control.syn && !entry.get().begins_at(control.sequence);
                let key = entry.key().clone();
                let stream = entry.into_mut();
                if is_new {
                    let flow = &mut self.flows[stream.flow];
                    stream.close(Ended::Syn, self.frame, self.time, flow, &mut self.delivered);
                    *stream = begins(begin(&mut self.flows, &key));
                }
                stream
            }
            // Without a SYN, the first byte that is seen is the first of the flow.
            Entry::Vacant(entry) if control.syn || !payload.is_empty() => {
                let flow = begin(&mut self.flows, entry.key());
                entry.insert(begins(flow))
            }
            Entry::Vacant(_) => return self.skip(Skipped::NoPayload, cost),
        };
        let idle = std::mem::take(&mut self.delivered.idle);
        let segment = fragment(stream.flow, idle);
        let flow = &mut self.flows[stream.flow];
        stream.take(control, segment, flow, &mut self.delivered);
    }

    fn skip(&mut self, why: Skipped, cost: u64) {
        self.delivered.frames.skip(why);
        self.delivered.idle += cost;
    }

    /// The capture has ended, and so have the flows that were open.
    fn finish(mut self) -> (Vec<Flow>, Delivered) {
        let mut streams: Vec<Stream> = self.streams.into_values().collect();
        streams.sort_by_key(|stream| stream.flow);
        for mut stream in streams {
            let flow = &mut self.flows[stream.flow];
            stream.close(
                Ended::Capture,
                self.frame,
                self.time,
                flow,
                &mut self.delivered,
            );
        }
        debug_assert_eq!(
            self.delivered.frames.total(),
            self.frame,
            "each frame is counted once"
        );
        (self.flows, self.delivered)
    }
}

pub(super) fn begin(flows: &mut Vec<Flow>, key: &FlowKey) -> usize {
    flows.push(Flow {
        key: key.clone(),
        ended: None,
        repeated_bytes: 0,
        lost_bytes: 0,
    });
    flows.len() - 1
}
