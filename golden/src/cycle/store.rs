//! The FIFOs of drop mode, in memory: what waits in them, and their free words.

use super::layout::copy_words;
use super::line::Shown;
use std::collections::VecDeque;

/// Clocks from when a beat comes until it can be read; of a packet from its last beat.
const PLAIN_WAIT: u64 = 4;
pub const PACKET_WAIT: u64 = 5;
/// Clocks until a word that is taken or becomes free is counted.
const COUNTED: u64 = 4;
/// A beat is accepted only if this number of words is free: that of the beats that can be accepted while the count does not show them.
const MARGIN: i64 = 5;
/// The words of the FIFO of the verdicts.
const VERDICT_WORDS: usize = 512;

/// Beats in a memory, and the two that have been read and not taken.
pub struct Store {
    /// Whether there was room a clock ago: what `s_axis_tready` shows.
    pub room: bool,
    words: i64,
    clock: u64,
    free: i64,
    /// Words that are taken, as the registers see it.
    fill: u32,
    /// Words taken, if negative, or free again, and the clock in which the count shows it.
    changes: VecDeque<(u64, i64)>,
    /// Beats that can be read, and the clock from which on.
    waiting: VecDeque<(u64, Vec<u32>)>,
    /// The beat that was read last, and the one on the pins; each stays while there is no other.
    fetched: Slot,
    shown: Slot,
}

struct Slot {
    is_full: bool,
    payload: Vec<u32>,
}

impl Slot {
    fn new(payload_words: usize) -> Self {
        Self {
            is_full: false,
            payload: vec![0; payload_words],
        }
    }
}

impl Store {
    pub fn new(words: usize, payload_words: usize) -> Self {
        Self {
            room: false,
            words: words as i64,
            clock: 0,
            free: 0,
            fill: 0,
            changes: VecDeque::new(),
            waiting: VecDeque::new(),
            fetched: Slot::new(payload_words),
            shown: Slot::new(payload_words),
        }
    }

    pub fn of_verdicts(payload_words: usize) -> Self {
        Self::new(VERDICT_WORDS, payload_words)
    }

    pub fn is_idle(&self) -> bool {
        self.waiting.is_empty() && !self.fetched.is_full && !self.shown.is_full
    }

    /// Words that are taken, with those for beats on their way, as the registers see it in this clock.
    pub fn fill(&self) -> u32 {
        self.fill
    }

    /// A beat comes that can be read some clocks later.
    pub fn push(&mut self, wait: u64, payload: Vec<u32>) {
        self.waiting.push_back((self.clock + wait, payload));
    }

    /// Shows `tvalid` and the payload on `pins`.
    pub fn show(&self, pins: &mut [u32]) {
        pins[0] = u32::from(self.shown.is_full);
        copy_words(&mut pins[1..], &self.shown.payload);
    }

    /// One clock, after what it is given: `spent` says that a beat was accepted.
    pub fn step(&mut self, reset: bool, spent: bool, sink_ready: bool) {
        let moves = !self.shown.is_full || sink_ready;
        let can_read = moves || !self.fetched.is_full;
        if moves {
            self.shown.is_full = self.fetched.is_full;
            if self.fetched.is_full {
                copy_words(&mut self.shown.payload, &self.fetched.payload);
                self.fetched.is_full = false;
            }
        }
        let is_due = |waiting: &(u64, Vec<u32>)| waiting.0 <= self.clock;
        let read = can_read && self.waiting.front().is_some_and(is_due);
        if read && let Some((_, payload)) = self.waiting.pop_front() {
            self.fetched.payload = payload;
            self.fetched.is_full = true;
        }
        self.room = self.free >= MARGIN;
        self.fill = (self.words - self.free) as u32;
        self.change(i64::from(read) - i64::from(spent));
        while let Some(&(clock, change)) = self.changes.front()
            && clock == self.clock + 1
        {
            self.changes.pop_front();
            self.free += change;
        }
        self.clock += 1;
        if reset {
            self.room = false;
            self.fill = 0;
            self.free = self.words;
            self.changes.clear();
            self.waiting.clear();
            self.fetched.is_full = false;
            self.shown.is_full = false;
        }
    }

    /// One clock of a stream whose beats all stay.
    pub fn step_plain(
        &mut self,
        reset: bool,
        spent: bool,
        left: Shown,
        sink_ready: bool,
        pins: &mut [u32],
    ) {
        self.show(pins);
        if left.valid {
            self.push(PLAIN_WAIT, left.payload.to_vec());
        }
        self.step(reset, spent, sink_ready);
    }

    /// Words become free, or are taken; the count shows it later.
    pub fn change(&mut self, words: i64) {
        if words != 0 {
            self.changes.push_back((self.clock + COUNTED, words));
        }
    }
}
