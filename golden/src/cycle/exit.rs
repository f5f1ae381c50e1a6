//! How a stream leaves the core: straight from its delay line, or through a FIFO if it has a `tready`.

use super::buffer::Buffer;
use super::credits::Credits;
use super::layout::copy_words;
use super::line::Line;

/// A stream that leaves the core: its delay line and its end.
pub struct Stream {
    pub line: Line,
    pub exit: Exit,
}

impl Stream {
    pub fn is_idle(&self) -> bool {
        self.line.is_idle() && self.exit.is_idle()
    }
}

/// The end of a stream.
pub struct Exit {
    credits: Option<Credits>,
}

impl Exit {
    /// Of a stream without `tready`.
    pub fn free() -> Self {
        Self { credits: None }
    }

    /// Of a stream with `tready`.
    pub fn buffered(buffer: Buffer, payload_words: usize) -> Self {
        Self {
            credits: Some(Credits::new(buffer, payload_words)),
        }
    }

    /// Whether another beat may be accepted, as far as this stream goes.
    #[inline]
    pub fn has_room(&self) -> bool {
        self.credits.as_ref().is_none_or(|credits| credits.room)
    }

    pub fn is_idle(&self) -> bool {
        self.credits.as_ref().is_none_or(Credits::is_idle)
    }

    /// One clock: shows `tvalid` and the payload on `pins`, and takes what leaves `line`. `spent` tells that a beat was
    /// accepted which may want a word of this stream.
    #[inline(always)]
    pub fn step(
        &mut self,
        reset: bool,
        spent: bool,
        line: &Line,
        sink_ready: bool,
        pins: &mut [u32],
    ) {
        let left = line.shown();
        match &mut self.credits {
            None => {
                pins[0] = u32::from(left.valid);
                copy_words(&mut pins[1..], left.payload);
            }
            Some(credits) => {
                pins[0] = u32::from(credits.valid);
                copy_words(&mut pins[1..], &credits.payload);
                credits.step(reset, spent, left, sink_ready);
            }
        }
    }
}
