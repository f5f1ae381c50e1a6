//! How a stream leaves the core: straight from its delay line, or through a FIFO if it has a `tready`.

use super::buffer::Buffer;
use super::credits::Credits;
use super::layout::copy_words;
use super::line::Line;
use super::packets::Packets;
use super::store::Store;

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
pub enum Exit {
    /// Of a stream without `tready`.
    Free,
    /// Of a stream with `tready`.
    Buffered(Credits),
    /// Of packets that are dropped if they are bad.
    Dropping(Box<Packets>),
    /// Of their verdicts.
    Stored(Box<Store>),
}

impl Exit {
    pub fn buffered(buffer: Buffer, payload_words: usize) -> Self {
        Self::Buffered(Credits::new(buffer, payload_words))
    }

    /// Whether another beat may be accepted, as far as this stream goes.
    #[inline]
    pub fn has_room(&self) -> bool {
        match self {
            Self::Free => true,
            Self::Buffered(credits) => credits.room,
            Self::Dropping(packets) => packets.store.room,
            Self::Stored(store) => store.room,
        }
    }

    /// Words of the memory in which packets wait that are taken.
    pub fn fill(&self) -> u32 {
        match self {
            Self::Dropping(packets) => packets.store.fill(),
            _ => 0,
        }
    }

    pub fn is_idle(&self) -> bool {
        match self {
            Self::Free => true,
            Self::Buffered(credits) => credits.is_idle(),
            Self::Dropping(packets) => packets.is_idle(),
            Self::Stored(store) => store.is_idle(),
        }
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
        match self {
            Self::Free => {
                pins[0] = u32::from(left.valid);
                copy_words(&mut pins[1..], left.payload);
            }
            Self::Dropping(packets) => packets.step(reset, spent, left, sink_ready, pins),
            Self::Stored(store) => store.step_plain(reset, spent, left, sink_ready, pins),
            Self::Buffered(credits) => {
                pins[0] = u32::from(credits.valid);
                copy_words(&mut pins[1..], &credits.payload);
                credits.step(reset, spent, left, sink_ready);
            }
        }
    }
}
