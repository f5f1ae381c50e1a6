//! The `sanitise` core: bytes to well-formed UTF-8, and one verdict per packet.

use super::exit::{Exit, Stream};
use super::latencies::SPARSE_BUFFER;
use super::layout::Beat;
use super::line::Line;
use super::payload::ByteWords;
use super::quarters::Quarters;
use super::registers::Looks;
use super::setup::{Form, Setup};
use super::slots::{Slot, Slots};
use super::validate::Validate;
use crate::Ports;
use crate::Replace;

/// Bytes in, well-formed bytes and one verdict per packet out.
pub struct Sanitise {
    slots: Slots,
    /// Clocks that a beat is in the slots if it does not wait.
    clocks: usize,
    bytes: Bytes,
    words: ByteWords,
    /// How many clocks after a reset dropped beats that are not packed may still show: all of them, then their bytes.
    lingering: [usize; 2],
    verdicts: Validate,
    /// The table of ports, if it has one.
    ports: Ports,
}

/// The way of the bytes from the slots to the pins.
enum Bytes {
    /// As many as came in, in the same beats.
    Same(Box<Stream>),
    /// More or fewer, packed.
    Packed(Box<Quarters>),
}

impl Sanitise {
    pub fn new(
        setup: &Setup,
        replace: Replace,
        strips: bool,
        verdict_width: usize,
        counter_width: usize,
    ) -> Self {
        let words = ByteWords::of(setup);
        let lingering = setup.events_lingering();
        let line = Line::new(setup.sparse_latency() - setup.slots(), words.total);
        let exit = match setup.form {
            Form::Free => Exit::Free,
            Form::Axis if setup.policy.has_frames => {
                Exit::buffered(setup.buffer(setup.sparse_latency()), words.total)
            }
            Form::Axis => Exit::buffered(SPARSE_BUFFER, words.total),
        };
        Self {
            slots: Slots::new(setup, replace, strips),
            clocks: setup.slots(),
            bytes: match replace {
                Replace::Ascii => Bytes::Same(Box::new(Stream {
                    line: line.lingering(lingering[1]),
                    exit,
                })),
                Replace::Fffd => Bytes::Packed(Box::new(Quarters::new(setup))),
            },
            lingering,
            words,
            verdicts: Validate::new(setup, verdict_width, counter_width),
            ports: setup.policy.ports.unwrap_or_default(),
        }
    }

    #[inline]
    pub fn ready(&self) -> bool {
        let bytes = match &self.bytes {
            Bytes::Same(stream) => stream.exit.has_room(),
            Bytes::Packed(quarters) => quarters.has_room(),
        };
        bytes && self.verdicts.ready()
    }

    pub fn is_idle(&self) -> bool {
        let bytes = match &self.bytes {
            Bytes::Same(stream) => stream.is_idle(),
            Bytes::Packed(quarters) => quarters.is_idle(),
        };
        bytes && self.slots.is_idle() && self.verdicts.is_idle()
    }

    /// One clock; `pins` are those from the first `tvalid` on.
    #[inline]
    pub fn step(
        &mut self,
        reset: bool,
        beat: Option<&Beat>,
        [sink_ready, verdict_ready]: [bool; 2],
        pins: &mut [u32],
    ) {
        let beat = beat.filter(|beat| !beat.is_void());
        let (bytes, pins) = pins.split_at_mut(1 + self.words.total);
        match &mut self.bytes {
            Bytes::Same(stream) => {
                let Stream { line, exit } = &mut **stream;
                exit.step(reset, beat.is_some(), line, sink_ready, bytes);
                line.step(reset);
                let [all, lanes] = self.lingering;
                for clocks in (all..lanes).filter(|_| reset) {
                    line.shown_in(clocks)[self.words.last..].fill(0);
                }
                if let Some(slot) = self.slots.step(reset, beat) {
                    put(&self.words, line.send(), slot);
                }
            }
            Bytes::Packed(quarters) => {
                quarters.show(reset, sink_ready, bytes);
                if beat.is_some() {
                    quarters.take();
                }
                if let Some(slot) = self.slots.step(reset, beat) {
                    let completed = quarters.put(&slot.sanitised, &slot.side);
                    quarters.end_beat(completed, slot.last, self.clocks, &slot.side);
                }
                quarters.step(reset);
            }
        }
        // What passes is not the validator's.
        let ready = [false, verdict_ready];
        let ports = &self.ports;
        let looks = Some(Looks::default());
        self.verdicts.step(reset, beat, looks, ports, ready, pins);
    }
}

/// Puts a beat into a payload that is empty.
fn put(words: &ByteWords, payload: &mut [u32], slot: &Slot) {
    for (lane, &byte) in slot.sanitised.iter().enumerate() {
        payload[lane / 4] |= u32::from(byte) << (8 * (lane % 4));
        payload[words.keep + lane / 32] |= 1 << (lane % 32);
    }
    payload[words.last] = u32::from(slot.last);
    payload[words.side..].copy_from_slice(&slot.side);
}
