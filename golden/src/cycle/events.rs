//! When events leave: a slot for the newest beat, then a delay line.
//!
//! A beat waits in the slot while the sequence of its top lane is unfinished, until the next beat arrives; every other beat
//! leaves in the clock after its acceptance. An arrival always empties the slot.

use super::layout::{Beat, LENGTH_SHIFT, clear_words, copy_words};
use super::line::Line;
use super::payload::EventWords;
use super::setup::{Setup, Signature};
use crate::utf16::units;
use crate::{Encoding, Event, Oracle, SIGNATURE};

/// What a lossy decoder writes for an ill-formed piece.
const REPLACEMENT: u32 = 0xFFFD;

/// A unit's two octets as a lane has them.
#[inline(always)]
fn octets(unit: u16, high_first: bool) -> u32 {
    let octets = match high_first {
        true => unit.to_be_bytes(),
        false => unit.to_le_bytes(),
    };
    u16::from_le_bytes(octets).into()
}

/// The newest beat, but for its payload.
#[derive(Clone, Copy, Default)]
struct Slot {
    valid: bool,
    /// Its top lane waits for the next byte.
    waits: bool,
    /// The lane of its last byte.
    top: usize,
    last: bool,
    has_event: bool,
    signature: bool,
}

/// Bytes in, beats of events out, each event in the lane of its last byte.
pub struct Events {
    oracle: Oracle,
    words: EventWords,
    /// How many clocks after a reset dropped beats may still show: all of them, then their lanes.
    lingering: [usize; 2],
    signature: Signature,
    to: Encoding,
    /// The packet in progress has had no event yet.
    packet_begins: bool,
    /// A packet's flag has still to be shown.
    pending: bool,
    slot: Slot,
    /// The slot's payload.
    held: Vec<u32>,
    /// Where the beats leave.
    pub line: Line,
}

impl Events {
    pub fn new(setup: &Setup, signature: Signature, to: Encoding) -> Self {
        let (words, lingering) = (EventWords::of(setup), setup.events_lingering());
        Self {
            lingering,
            oracle: Oracle::of(setup.grammar),
            signature,
            to,
            packet_begins: true,
            pending: false,
            slot: Slot::default(),
            held: vec![0; words.total],
            // Of the latency, a beat is one clock in the slot.
            line: Line::new(setup.sparse_latency() - 1, words.total).lingering(lingering[1]),
            words,
        }
    }

    pub fn is_idle(&self) -> bool {
        self.line.is_idle() && (!self.slot.valid || self.slot.waits)
    }

    /// One clock.
    #[inline]
    pub fn step(&mut self, reset: bool, beat: Option<&Beat>) {
        self.line.step(reset);
        if reset {
            self.oracle.reset();
            self.packet_begins = true;
            self.pending = false;
            self.slot = Slot::default();
            let [all, lanes] = self.lingering;
            for clocks in all..lanes {
                self.words.keep_events(self.line.shown_in(clocks));
            }
            return;
        }
        match beat {
            Some(beat) => self.accept(beat),
            None if !self.slot.waits => self.leave(),
            None => {}
        }
    }

    /// A beat arrives: it settles what the slot's beat waited for, and takes its place.
    #[inline(always)]
    fn accept(&mut self, beat: &Beat) {
        let mut bytes = beat.bytes().enumerate();
        let first = bytes.next();
        let mut here = None;
        match first {
            Some((_, byte)) => {
                let pushed = self.oracle.push(byte);
                self.put(self.slot.top, pushed.before);
                self.put_first_unit(self.slot.top, pushed.here);
                here = pushed.here;
            }
            None => {
                let cut = self.oracle.finish();
                self.put(self.slot.top, cut);
            }
        }
        self.leave();
        clear_words(&mut self.held);
        self.words.put_side(&mut self.held, beat.side());
        self.slot = Slot {
            valid: true,
            last: beat.last,
            ..Default::default()
        };
        if beat.last && first.is_none() {
            self.packet_begins = true;
            return;
        }
        self.put(0, here);
        for (lane, byte) in bytes {
            let pushed = self.oracle.push(byte);
            self.put(lane - 1, pushed.before);
            self.put_first_unit(lane - 1, pushed.here);
            self.put(lane, pushed.here);
            self.slot.top = lane;
        }
        if beat.last {
            let cut = self.oracle.finish();
            self.put(self.slot.top, cut);
            self.packet_begins = true;
        } else {
            self.slot.waits = self.oracle.is_open();
        }
    }

    /// Puts an event into a lane of the slot's beat.
    #[inline(always)]
    fn put(&mut self, lane: usize, event: Option<Event>) {
        let Some(event) = event else { return };
        let is_signature = self.packet_begins && event == Event::Scalar(SIGNATURE);
        self.packet_begins = false;
        if is_signature && self.signature != Signature::Keep {
            self.slot.signature = true;
            if self.signature == Signature::Strip {
                return;
            }
        }
        self.slot.has_event = true;
        let (data, mark) = match event {
            Event::Scalar(value) => (self.last_word(value), 0),
            Event::IllFormed { kind, length } => (
                self.last_word(REPLACEMENT),
                u32::from(kind.code()) | u32::from(length) << LENGTH_SHIFT,
            ),
        };
        self.words.put(&mut self.held, lane, data, mark);
    }

    /// Puts the first of two units into the lane of the third byte, if `event` is of a scalar value with two.
    #[inline(always)]
    fn put_first_unit(&mut self, lane: usize, event: Option<Event>) {
        if let (Encoding::Utf16 { high_first }, Some(Event::Scalar(value))) = (self.to, event)
            && let (first, Some(_)) = units(value)
        {
            self.slot.has_event = true;
            let data = octets(first, high_first);
            self.words.put(&mut self.held, lane, data, 0);
        }
    }

    /// What the lane of a scalar value's last byte has of it.
    #[inline(always)]
    fn last_word(&self, value: u32) -> u32 {
        match self.to {
            Encoding::Utf32 => value,
            Encoding::Utf16 { high_first } => {
                let (first, second) = units(value);
                octets(second.unwrap_or(first), high_first)
            }
        }
    }

    /// The slot's beat, if any, enters the delay line.
    #[inline(always)]
    fn leave(&mut self) {
        if !self.slot.valid {
            return;
        }
        let sent = self.slot.has_event || self.slot.last;
        let flagged = self.slot.signature || self.pending;
        let (flagged, pending) = match self.signature {
            Signature::Keep | Signature::Flag => (flagged, false),
            Signature::Strip => (flagged, flagged && !sent),
            // The flag waits for the packet's end.
            Signature::Reject => (flagged && self.slot.last, flagged && !self.slot.last),
        };
        self.pending = pending;
        if sent {
            self.words.set_last(&mut self.held, self.slot.last);
            if flagged {
                self.words.set_flag(&mut self.held);
            }
            copy_words(self.line.send(), &self.held);
        } else {
            self.line.retire();
        }
        self.slot = Slot::default();
    }
}
