//! The AXI4-Stream form's flow control: a FIFO, and credits for its words.
//!
//! A beat is accepted only if a word is free for it. A credit is spent when a beat is accepted and returns when its word
//! moves on to the output register, or when the beat turns out to have nothing to send. The count sees each of these a
//! clock after it happens, and `tready` shows the count a clock later again.

use super::layout::copy_words;
use super::line::Shown;

/// Clocks that the FIFO adds to the latency.
pub const FIFO_LATENCY: usize = 2;
/// There is room for a beat only with so many free words: three beats can be accepted that the count does not show, and
/// one word is always left empty.
const MARGIN: usize = 4;

/// The end of a stream with `tready`.
pub struct Credits {
    /// Whether there was room a clock ago: what `s_axis_tready` shows.
    pub room: bool,
    /// The pins `tvalid` and, while or since there was a beat, its payload.
    pub valid: bool,
    pub payload: Vec<u32>,
    /// Words of the FIFO, a power of two.
    depth: usize,
    free: usize,
    spent: bool,
    returned: bool,
    /// The FIFO's beats, one payload after another: a ring.
    beats: Vec<u32>,
    first: usize,
    filled: usize,
}

impl Credits {
    pub fn new(depth: usize, payload_words: usize) -> Self {
        assert!(depth.is_power_of_two());
        Self {
            room: false,
            valid: false,
            payload: vec![0; payload_words],
            depth,
            free: 0,
            spent: false,
            returned: false,
            beats: vec![0; depth * payload_words],
            first: 0,
            filled: 0,
        }
    }

    pub fn is_idle(&self) -> bool {
        self.filled == 0 && !self.valid
    }

    /// One clock: `spent` takes a credit, what leaves the line enters the FIFO or gives a credit back.
    #[inline(always)]
    pub fn step(&mut self, reset: bool, spent: bool, left: Shown, sink_ready: bool) {
        let words = self.payload.len();
        let filled = self.filled > 0;
        let read = filled && (!self.valid || sink_ready);
        if read {
            copy_words(
                &mut self.payload,
                &self.beats[self.first * words..][..words],
            );
            self.first = (self.first + 1) & (self.depth - 1);
            self.filled -= 1;
        }
        self.valid = filled || (self.valid && !sink_ready);
        if left.valid {
            let place = (self.first + self.filled) & (self.depth - 1);
            copy_words(&mut self.beats[place * words..][..words], left.payload);
            self.filled += 1;
            assert!(self.filled < self.depth, "credits let the FIFO overflow");
        }
        self.room = self.free >= MARGIN;
        self.free = self.free + usize::from(left.retired) + usize::from(self.returned)
            - usize::from(self.spent);
        self.spent = spent;
        self.returned = read;
        if reset {
            self.room = false;
            self.valid = false;
            self.free = self.depth;
            self.spent = false;
            self.returned = false;
            self.filled = 0;
        }
    }
}
