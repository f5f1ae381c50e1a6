//! The FIFO of drop mode: packets wait in it until they have ended, and a bad one is forgotten.

use super::line::Shown;
use super::store::{PACKET_WAIT, Store};

/// The packets that wait, and the beats that leave.
pub struct Packets {
    pub store: Store,
    /// Beats of the longest packet that can be dropped.
    longest: usize,
    /// The word of a payload that has `tlast`, and the one whose lowest bit is the mark.
    last_at: usize,
    mark_at: usize,
    /// The beats of the packet that has not ended; none if it is too long to wait.
    packet: Vec<Vec<u32>>,
    is_too_long: bool,
}

impl Packets {
    pub fn new(
        words: usize,
        longest: usize,
        payload_words: usize,
        [last_at, mark_at]: [usize; 2],
    ) -> Self {
        Self {
            store: Store::new(words, payload_words),
            longest,
            last_at,
            mark_at,
            packet: Vec::new(),
            is_too_long: false,
        }
    }

    pub fn is_idle(&self) -> bool {
        self.packet.is_empty() && self.store.is_idle()
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
        self.store.show(pins);
        if left.valid {
            self.come(left.payload);
        }
        self.store.step(reset, spent, sink_ready);
        if reset {
            self.packet.clear();
            self.is_too_long = false;
        }
    }

    /// The packet's next beat.
    fn come(&mut self, payload: &[u32]) {
        let is_last = payload[self.last_at] != 0;
        let is_bad = is_last && payload[self.mark_at] & 1 != 0;
        self.packet.push(payload.to_vec());
        self.is_too_long |= self.packet.len() > self.longest;
        if self.is_too_long || is_last && !is_bad {
            for payload in self.packet.drain(..) {
                self.store.push(PACKET_WAIT, payload);
            }
        }
        if is_last {
            let dropped = std::mem::take(&mut self.packet).len();
            self.store.change(dropped as i64);
            self.is_too_long = false;
        }
    }
}
