//! The AXI4-Stream form's flow control: a FIFO, and credits for its words.
//!
//! A beat is accepted only if a word is free for it. A credit is spent when a beat is accepted and returns when its word
//! moves on to the output register, or when the beat turns out to have nothing to send. The count sees each of these a
//! clock after it happens, and `tready` shows the count a clock later again.

use super::layout::copy_words;

/// Clocks that the FIFO adds to the latency.
pub const FIFO_LATENCY: usize = 2;
/// Words of the FIFO.
const DEPTH: usize = 32;
/// `tready` falls below so many free words: three beats can be accepted that the count does not show, and one word is
/// always left empty.
const MARGIN: usize = 4;

/// The output side of [`super::Form::Axis`].
pub struct Credits {
    /// The pins `s_axis_tready`, `m_axis_tvalid` and, while or since there was a beat, its payload.
    pub ready: bool,
    pub valid: bool,
    pub payload: Vec<u32>,
    free: usize,
    accepted: bool,
    returned: bool,
    /// The FIFO's beats, one payload after another: a ring of [`DEPTH`].
    beats: Vec<u32>,
    first: usize,
    filled: usize,
}

impl Credits {
    pub fn new(payload_words: usize) -> Self {
        Self {
            ready: false,
            valid: false,
            payload: vec![0; payload_words],
            free: 0,
            accepted: false,
            returned: false,
            beats: vec![0; DEPTH * payload_words],
            first: 0,
            filled: 0,
        }
    }

    pub fn is_idle(&self) -> bool {
        self.filled == 0 && !self.valid
    }

    /// One clock: `beat` enters the FIFO, `retired` gives a credit back without one.
    #[inline]
    pub fn step(
        &mut self,
        reset: bool,
        accepted: bool,
        beat: Option<&[u32]>,
        retired: bool,
        sink_ready: bool,
    ) {
        let words = self.payload.len();
        let filled = self.filled > 0;
        let read = filled && (!self.valid || sink_ready);
        if read {
            copy_words(
                &mut self.payload,
                &self.beats[self.first * words..][..words],
            );
            self.first = (self.first + 1) % DEPTH;
            self.filled -= 1;
        }
        self.valid = filled || (self.valid && !sink_ready);
        if let Some(beat) = beat {
            let place = (self.first + self.filled) % DEPTH;
            copy_words(&mut self.beats[place * words..][..words], beat);
            self.filled += 1;
            assert!(self.filled < DEPTH, "credits let the FIFO overflow");
        }
        self.ready = self.free >= MARGIN;
        self.free = self.free + usize::from(retired) + usize::from(self.returned)
            - usize::from(self.accepted);
        self.accepted = accepted;
        self.returned = read;
        if reset {
            self.ready = false;
            self.valid = false;
            self.free = DEPTH;
            self.accepted = false;
            self.returned = false;
            self.filled = 0;
        }
    }
}
