//! When events leave: a slot for the newest beat, then a delay line.
//!
//! A beat waits in the slot while the sequence of its top lane is unfinished, until the next beat arrives; every other beat
//! leaves in the clock after its acceptance. An arrival always empties the slot.

use super::layout::{Beat, LENGTH_SHIFT, PayloadWords, USER_BITS, clear_words, copy_words};
use super::{FREE_LATENCY, Signature};
use crate::{Event, Oracle, SIGNATURE};

/// What a lossy decoder writes for an ill-formed piece.
const REPLACEMENT: u32 = 0xFFFD;
/// Places of the delay line: of the latency, a beat is one clock in the slot and the rest here.
const PLACES: usize = FREE_LATENCY - 1;

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

/// A place of the delay line.
#[derive(Clone, Copy, Default)]
pub struct Leaving {
    /// A beat that is sent.
    pub valid: bool,
    /// A beat that has nothing to send.
    pub retired: bool,
    place: usize,
}

/// Bytes in, beats of events out, [`FREE_LATENCY`] clocks later.
pub struct Events {
    oracle: Oracle,
    words: PayloadWords,
    signature: Signature,
    /// The packet in progress has had no event yet.
    packet_begins: bool,
    /// A signature was stripped and no beat has shown its flag yet.
    pending: bool,
    slot: Slot,
    /// The slot's payload.
    held: Vec<u32>,
    line: [Leaving; PLACES],
    payloads: Vec<u32>,
    next: usize,
    in_flight: usize,
}

impl Events {
    pub fn new(lanes: usize, signature: Signature) -> Self {
        let words = PayloadWords::of(lanes);
        Self {
            oracle: Oracle::new(),
            signature,
            packet_begins: true,
            pending: false,
            slot: Slot::default(),
            held: vec![0; words.total],
            line: std::array::from_fn(|place| Leaving {
                place,
                ..Default::default()
            }),
            payloads: vec![0; PLACES * words.total],
            next: 0,
            in_flight: 0,
            words,
        }
    }

    /// The payload of the beat that left with the last clock; zero if none did.
    #[inline]
    pub fn payload(&self, leaving: &Leaving) -> &[u32] {
        &self.payloads[leaving.place * self.words.total..][..self.words.total]
    }

    pub fn is_idle(&self) -> bool {
        self.in_flight == 0 && (!self.slot.valid || self.slot.waits)
    }

    /// One clock. Returns what leaves the line with its edge.
    #[inline]
    pub fn step(&mut self, reset: bool, beat: Option<Beat>) -> Leaving {
        let place = self.next;
        self.next = (place + 1) % PLACES;
        clear_words(&mut self.payloads[place * self.words.total..][..self.words.total]);
        self.line[place].valid = false;
        self.line[place].retired = false;
        if reset {
            return self.reset();
        }
        match beat {
            Some(beat) => self.accept(&beat, place),
            None if !self.slot.waits => self.leave(place),
            None => {}
        }
        let left = self.line[self.next];
        self.in_flight -= usize::from(left.valid || left.retired);
        left
    }

    /// Drops every beat. The payload that was about to show does so for one clock, without `tvalid`.
    fn reset(&mut self) -> Leaving {
        self.oracle.reset();
        self.packet_begins = true;
        self.pending = false;
        self.slot = Slot::default();
        self.in_flight = 0;
        for place in 0..PLACES {
            self.line[place].valid = false;
            self.line[place].retired = false;
            if place != self.next {
                self.payloads[place * self.words.total..][..self.words.total].fill(0);
            }
        }
        self.line[self.next]
    }

    /// A beat arrives: it settles what the slot's beat waited for, and takes its place.
    #[inline(always)]
    fn accept(&mut self, beat: &Beat, place: usize) {
        let mut bytes = beat.bytes().enumerate();
        let first = bytes.next();
        let mut here = None;
        match first {
            Some((_, byte)) => {
                let pushed = self.oracle.push(byte);
                self.put(self.slot.top, pushed.before);
                here = pushed.here;
            }
            None => {
                let cut = self.oracle.finish();
                self.put(self.slot.top, cut);
            }
        }
        self.leave(place);
        clear_words(&mut self.held);
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
        let (data, user) = match event {
            Event::Scalar(value) => (value, 0),
            Event::IllFormed { kind, length } => (
                REPLACEMENT,
                u64::from(kind.code()) | u64::from(length) << LENGTH_SHIFT,
            ),
        };
        self.held[lane] = data;
        self.held[self.words.keep + lane / 8] |= 0xF << (4 * (lane % 8));
        if user != 0 {
            let bit = USER_BITS * lane;
            let user = user << (bit % 32);
            self.held[self.words.user + bit / 32] |= user as u32;
            if user >> 32 != 0 {
                self.held[self.words.user + bit / 32 + 1] |= (user >> 32) as u32;
            }
        }
    }

    /// The slot's beat, if any, enters the delay line.
    #[inline(always)]
    fn leave(&mut self, place: usize) {
        if !self.slot.valid {
            return;
        }
        let sent = self.slot.has_event || self.slot.last;
        let flagged = self.slot.signature || self.pending;
        self.pending = flagged && !sent && self.signature == Signature::Strip;
        if sent {
            self.held[self.words.last] = u32::from(self.slot.last);
            if flagged {
                let bit = self.words.flag_bit;
                self.held[self.words.user + bit / 32] |= 1 << (bit % 32);
            }
            copy_words(
                &mut self.payloads[place * self.words.total..][..self.words.total],
                &self.held,
            );
        }
        self.line[place].valid = sent;
        self.line[place].retired = !sent;
        self.in_flight += 1;
        self.slot = Slot::default();
    }
}
