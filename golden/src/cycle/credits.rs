//! The AXI4-Stream form's flow control: a FIFO, and credits for its words.
//!
//! A beat is accepted only if a word is free for it. A credit is spent when a beat is accepted and returns when it comes
//! to the outputs, or when the beat turns out to have nothing to send. The count sees each of these some
//! clocks after it happens, and `tready` shows the count a clock later again.

use super::buffer::{Buffer, SLOWEST};
use super::layout::copy_words;
use super::line::Shown;

/// The end of a stream with `tready`.
pub struct Credits {
    /// Whether there was room a clock ago: what `s_axis_tready` shows.
    pub room: bool,
    /// The pins `tvalid` and, while or since there was a beat, its payload.
    pub valid: bool,
    pub payload: Vec<u32>,
    buffer: Buffer,
    free: usize,
    /// Words promised and given back that the count has not seen, the newest first.
    spent: [usize; SLOWEST],
    returned: [usize; SLOWEST],
    /// The FIFO's beats, one payload after another: a ring.
    beats: Vec<u32>,
    first: usize,
    filled: usize,
    /// Places in it, a power of two.
    places: usize,
    /// The newest beat entered a clock ago, and cannot be read yet.
    entering: bool,
}

impl Credits {
    pub fn new(buffer: Buffer, payload_words: usize) -> Self {
        let places = buffer.words.next_power_of_two();
        Self {
            room: false,
            valid: false,
            payload: vec![0; payload_words],
            buffer,
            free: 0,
            spent: [0; SLOWEST],
            returned: [0; SLOWEST],
            beats: vec![0; places * payload_words],
            places,
            first: 0,
            filled: 0,
            entering: false,
        }
    }

    pub fn is_idle(&self) -> bool {
        self.filled == 0 && !self.valid
    }

    /// One clock: `spent` takes a credit, what leaves the line enters the FIFO or gives a credit back.
    #[inline(always)]
    pub fn step(&mut self, reset: bool, spent: bool, left: Shown, sink_ready: bool) {
        let words = self.payload.len();
        let filled = self.filled > usize::from(self.entering);
        let read = filled && (!self.valid || sink_ready);
        if read {
            copy_words(
                &mut self.payload,
                &self.beats[self.first * words..][..words],
            );
            self.first = (self.first + 1) & (self.places - 1);
            self.filled -= 1;
        }
        self.valid = filled || (self.valid && !sink_ready);
        if left.valid {
            let place = (self.first + self.filled) & (self.places - 1);
            copy_words(&mut self.beats[place * words..][..words], left.payload);
            self.filled += 1;
            assert!(
                self.filled < self.buffer.words,
                "credits let the FIFO overflow"
            );
        }
        self.entering = left.valid && self.buffer.is_late;
        self.room = self.free >= self.buffer.margin();
        let seen = self.buffer.counting - 1;
        self.free = self.free + self.returned[seen] - self.spent[seen];
        self.spent.rotate_right(1);
        self.spent[0] = usize::from(spent);
        self.returned.rotate_right(1);
        self.returned[0] = usize::from(left.retired) + usize::from(read);
        if reset {
            self.room = false;
            self.valid = false;
            self.free = self.buffer.words;
            self.spent = [0; SLOWEST];
            self.returned = [0; SLOWEST];
            self.filled = 0;
            self.entering = false;
        }
    }
}
