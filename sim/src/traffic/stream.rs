//! One direction of a TCP connection: segments in any order, put in sequence.
//!
//! The bytes that came first count: what comes again is dropped, even if it differs. A segment behind a gap is held until the gap
//! is filled; a gap that nothing fills ends the stream where it begins.

use super::flow::{Ended, Flow, Fragment, Wire};
use super::frame::Control;
use super::skipped::{Frames, Skipped};
use std::collections::BTreeMap;
use std::ops::Range;

/// A stream. Positions in it count from its first byte, and do not wrap.
pub struct Stream {
    pub flow: usize,
    /// The sequence number of the first byte.
    first: u32,
    /// The first byte that has not been delivered.
    next: u64,
    /// What cannot be delivered yet, by its position; no two overlap.
    held: BTreeMap<u64, Part>,
    /// Where a FIN says that it ends.
    end: Option<u64>,
    is_closed: bool,
}

/// A part of a segment.
struct Part {
    fragment: Fragment,
    /// A segment that covers others is held in several parts, of which one stands for its frame.
    counts: bool,
}

/// What streams leave behind.
#[derive(Default)]
pub struct Delivered {
    pub fragments: Vec<Fragment>,
    pub frames: Frames,
    /// Bytes of Ethernet since the newest frame with a fragment.
    pub idle: u64,
}

impl Stream {
    /// A stream whose first byte has this sequence number.
    pub fn new(flow: usize, first: u32) -> Self {
        Self {
            flow,
            first,
            next: 0,
            held: BTreeMap::new(),
            end: None,
            is_closed: false,
        }
    }

    pub fn begins_at(&self, sequence: u32) -> bool {
        self.first == sequence
    }

    /// The position that a sequence number means: the one that is nearest to what is next.
    fn position(&self, sequence: u32) -> i64 {
        let next = self.first.wrapping_add(self.next as u32);
        let ahead = sequence.wrapping_sub(next).cast_signed();
        self.next as i64 + i64::from(ahead)
    }

    /// Takes a segment, and delivers what is now in sequence.
    pub fn take(
        &mut self,
        control: Control,
        segment: Fragment,
        flow: &mut Flow,
        to: &mut Delivered,
    ) {
        let Fragment {
            frame, time, wire, ..
        } = segment;
        let begin = self.position(control.sequence);
        let end = begin + segment.payload.len() as i64;
        if control.fin && self.end.is_none() {
            // One that is older than what came already is of no use.
            self.end = u64::try_from(end).ok().filter(|&end| end >= self.next);
        }
        if let Err(why) = self.hold(begin, segment, control.rst, flow) {
            to.frames.skip(why);
            to.idle += wire.before + wire.after;
        }
        self.deliver(to);
        let ended = match self.end == Some(self.next) {
            true => Some(Ended::Fin),
            false => control.rst.then_some(Ended::Rst),
        };
        if let Some(ended) = ended {
            self.close(ended, frame, time, flow, to);
        }
    }

    /// Holds what is new of a segment.
    fn hold(
        &mut self,
        begin: i64,
        segment: Fragment,
        rst: bool,
        flow: &mut Flow,
    ) -> Result<(), Skipped> {
        let length = segment.payload.len();
        if length == 0 {
            return Err(Skipped::NoPayload);
        }
        let limit = match (self.is_closed || rst, self.end) {
            (true, _) => self.next,
            (false, end) => end.unwrap_or(u64::MAX),
        };
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let end = begin + length as i64;
        let (from, to) = (begin.clamp(0, limit), end.clamp(0, limit));
        let parts = self.missing(from as u64..to as u64);
        let new: u64 = parts.iter().map(|part| part.end - part.start).sum();
        let repeated = (to - from) as u64 - new;
        flow.repeated_bytes += repeated;
        flow.lost_bytes += length as u64 - new - repeated;
        if parts.is_empty() {
            return Err(match repeated {
                0 if begin < 0 => Skipped::BeforeStart,
                0 => Skipped::AfterEnd,
                _ => Skipped::Repeated,
            });
        }
        for (index, part) in parts.into_iter().enumerate() {
            let at = |position: u64| (position as i64 - begin) as usize;
            let payload = segment.payload[at(part.start)..at(part.end)].to_vec();
            // The first part stands for the whole frame, so that its time on the wire counts once.
            let counts = index == 0;
            let wire = match counts {
                true => segment.wire.cut(length - at(part.end)),
                false => Wire::default(),
            };
            let fragment = Fragment {
                payload,
                wire,
                ..segment
            };
            self.held.insert(part.start, Part { fragment, counts });
        }
        Ok(())
    }

    /// What of a range has neither been delivered nor is held.
    fn missing(&self, range: Range<u64>) -> Vec<Range<u64>> {
        let mut parts = Vec::new();
        let mut from = range.start.max(self.next);
        let ends = |(&start, part): (&u64, &Part)| start + part.fragment.payload.len() as u64;
        if let Some(end) = self.held.range(..from).next_back().map(ends) {
            from = from.max(end);
        }
        for held in self.held.range(from..range.end.max(from)) {
            if from < *held.0 {
                parts.push(from..*held.0);
            }
            from = ends(held);
        }
        if from < range.end {
            parts.push(from..range.end);
        }
        parts
    }

    /// Delivers what is in sequence.
    fn deliver(&mut self, to: &mut Delivered) {
        while self.end != Some(self.next)
            && let Some(Part { fragment, counts }) = self.held.remove(&self.next)
        {
            self.next += fragment.payload.len() as u64;
            to.frames.used += u64::from(counts);
            let more = self.end != Some(self.next);
            to.fragments.push(Fragment { more, ..fragment });
        }
    }

    /// Ends the stream, if it has not ended yet.
    pub fn close(
        &mut self,
        ended: Ended,
        frame: u64,
        time: Option<u64>,
        flow: &mut Flow,
        to: &mut Delivered,
    ) {
        if self.is_closed {
            return;
        }
        self.is_closed = true;
        let has_gap = !self.held.is_empty() || self.end.is_some();
        let (ended, why) = match ended {
            Ended::Fin => (Ended::Fin, Skipped::AfterEnd),
            _ if has_gap => (Ended::Gap, Skipped::BehindGap),
            _ => (ended, Skipped::BehindGap),
        };
        flow.ended = Some(ended);
        for Part { fragment, counts } in std::mem::take(&mut self.held).into_values() {
            flow.lost_bytes += fragment.payload.len() as u64;
            to.idle += fragment.wire.before + fragment.wire.after;
            if counts {
                to.frames.skip(why);
            }
        }
        // What was delivered last may have said already that nothing follows.
        let newest = to.fragments.last();
        let is_told = newest.is_some_and(|newest| newest.flow == self.flow && !newest.more);
        if self.next > 0 && !is_told {
            to.fragments.push(Fragment {
                flow: self.flow,
                frame,
                time,
                // Its own frame has no byte, and so no other fragment.
                wire: Wire {
                    before: std::mem::take(&mut to.idle),
                    after: 0,
                },
                payload: Vec::new(),
                more: false,
            });
        }
    }
}
