//! The FIFO of drop mode: packets wait in it until they have ended, and a bad one is forgotten.

use super::buffer::Buffer;
use super::credits::Credits;
use super::layout::copy_words;
use super::line::{Line, Shown};
use std::collections::VecDeque;

/// Clocks from a packet's last beat until its first one can be read.
const HANDED_OVER: u64 = 3;
/// Clocks from when a beat is read until it is in the FIFO at the stream's end.
const READ: usize = 2;
/// Clocks until a word that is taken or becomes free is counted, and one more if its packet is dropped.
const COUNTED: u64 = 3;
/// A beat is accepted only if this number of words is free: that of the beats that can be accepted while the count does not show them.
const MARGIN: i64 = 4;

/// The packets that wait, and the beats that leave.
pub struct Packets {
    /// Whether there was room a clock ago: what `s_axis_tready` shows.
    pub room: bool,
    words: i64,
    /// Beats of the longest packet that can be dropped.
    longest: usize,
    /// The word of a payload that has `tlast`, and the one whose lowest bit is the mark.
    last_at: usize,
    mark_at: usize,
    clock: u64,
    free: i64,
    /// Words that are taken, as the registers see it.
    fill: u32,
    /// Words taken, if negative, or free again, and the clock in which the count shows it.
    changes: VecDeque<(u64, i64)>,
    /// The beats of the packet that has not ended; none if it is too long to wait.
    packet: Vec<Vec<u32>>,
    is_too_long: bool,
    /// Beats that the reader gets, and the clock from which on.
    kept: VecDeque<(u64, Vec<u32>)>,
    line: Line,
    exit: Credits,
}

impl Packets {
    pub fn new(
        words: usize,
        longest: usize,
        payload_words: usize,
        [last_at, mark_at]: [usize; 2],
    ) -> Self {
        Self {
            room: false,
            words: words as i64,
            longest,
            last_at,
            mark_at,
            clock: 0,
            free: 0,
            fill: 0,
            changes: VecDeque::new(),
            packet: Vec::new(),
            is_too_long: false,
            kept: VecDeque::new(),
            line: Line::new(READ, payload_words),
            exit: Credits::new(Buffer::shallow(READ), payload_words),
        }
    }

    pub fn is_idle(&self) -> bool {
        self.kept.is_empty() && self.packet.is_empty() && self.line.is_idle() && self.exit.is_idle()
    }

    /// Words that are taken, with those for beats on their way, as the registers see it in this clock.
    pub fn fill(&self) -> u32 {
        self.fill
    }

    /// One clock: shows `tvalid` and the payload on `pins`. `spent` says that a beat was accepted; `left` is what comes in.
    pub fn step(
        &mut self,
        reset: bool,
        spent: bool,
        left: Shown,
        sink_ready: bool,
        pins: &mut [u32],
    ) {
        pins[0] = u32::from(self.exit.valid);
        copy_words(&mut pins[1..], &self.exit.payload);
        let reads = self.kept.front().is_some_and(|kept| kept.0 <= self.clock) && self.exit.room;
        self.exit.step(reset, reads, self.line.shown(), sink_ready);
        self.line.step(reset);
        if reads
            && !reset
            && let Some((_, payload)) = self.kept.pop_front()
        {
            copy_words(self.line.send(), &payload);
        }
        if left.valid {
            self.come(left.payload);
        }
        self.room = self.free >= MARGIN;
        self.fill = (self.words - self.free) as u32;
        self.change(COUNTED, i64::from(reads) - i64::from(spent));
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
            self.packet.clear();
            self.is_too_long = false;
            self.kept.clear();
        }
    }

    /// The count of free words shows a change this number of clocks later.
    fn change(&mut self, clocks: u64, change: i64) {
        if change != 0 {
            let due = self.clock + clocks;
            let place = self.changes.partition_point(|&(clock, _)| clock <= due);
            self.changes.insert(place, (due, change));
        }
    }

    /// The packet's next beat.
    fn come(&mut self, payload: &[u32]) {
        let is_last = payload[self.last_at] != 0;
        let is_bad = is_last && payload[self.mark_at] & 1 != 0;
        self.packet.push(payload.to_vec());
        self.is_too_long |= self.packet.len() > self.longest;
        if self.is_too_long || is_last && !is_bad {
            let from = self.clock + HANDED_OVER;
            let beats = self.packet.drain(..);
            self.kept.extend(beats.map(|payload| (from, payload)));
        }
        if is_last {
            let dropped = std::mem::take(&mut self.packet).len();
            self.change(COUNTED + 1, dropped as i64);
            self.is_too_long = false;
        }
    }
}
