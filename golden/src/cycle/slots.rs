//! When the beats of the sanitiser leave: a row of slots, in which a beat waits until all its bytes are decided.
//!
//! A beat enters the first slot when it is accepted. In each clock it moves on, and out of the last slot, unless it waits: then it moves on
//! only with the next arrival. There are enough slots to hold a beat until the last byte of its sequence has arrived.

use super::layout::Beat;
use super::setup::Setup;
use super::windows::{Texts, Windows};
use crate::sanitise::Sanitiser;
use crate::{Event, Oracle, Replace};

/// A beat, sanitised as far as its bytes are decided.
#[derive(Clone, Default)]
pub struct Slot {
    valid: bool,
    bytes: Vec<u8>,
    /// How many of these are decided.
    decided: usize,
    /// What is put out for them.
    pub sanitised: Vec<u8>,
    pub last: bool,
    /// Side signals.
    pub side: Vec<u32>,
}

impl Slot {
    /// A sequence is unfinished that began in this beat or before.
    fn waits(&self) -> bool {
        self.decided < self.bytes.len()
    }

    /// Takes a beat, but for its bytes.
    fn fill(&mut self, beat: &Beat) {
        self.valid = true;
        self.bytes.clear();
        self.decided = 0;
        self.sanitised.clear();
        self.last = beat.last;
        self.side.clear();
        self.side.extend_from_slice(&beat.own_side());
    }
}

/// The slots, and what decides their bytes.
pub struct Slots {
    oracle: Oracle,
    sanitiser: Sanitiser,
    windows: Windows,
    /// With frames, instead of windows.
    texts: Option<Texts>,
    /// A place for the beat that arrives, the slots, and a place for the beat that has left.
    slots: Vec<Slot>,
}

impl Slots {
    pub fn new(setup: &Setup, replace: Replace, strips: bool) -> Self {
        Self {
            oracle: Oracle::new(),
            sanitiser: Sanitiser::new(replace, strips),
            windows: Windows::of(setup),
            texts: Texts::of(setup),
            slots: vec![Slot::default(); setup.slots() + 2],
        }
    }

    /// No beat will leave by itself.
    pub fn is_idle(&self) -> bool {
        let slots = &self.slots[..self.slots.len() - 1];
        slots.iter().all(|slot| !slot.valid || slot.waits())
    }

    /// One clock; `beat` is not void. Returns the beat that leaves the last slot, if one does.
    #[inline]
    pub fn step(&mut self, reset: bool, beat: Option<&Beat>) -> Option<&Slot> {
        if reset {
            self.oracle.reset();
            self.sanitiser.begin_packet();
            self.windows.reset();
            self.texts.iter_mut().for_each(Texts::reset);
            self.slots.iter_mut().for_each(|slot| slot.valid = false);
            return None;
        }
        let end = self.slots.len() - 1;
        self.slots[end].valid = false;
        if let Some(beat) = beat {
            self.accept(beat);
        }
        for at in (0..end).rev() {
            let slot = &self.slots[at];
            if slot.valid && (beat.is_some() || !slot.waits()) {
                assert!(!self.slots[at + 1].valid, "two beats in a slot");
                self.slots.swap(at, at + 1);
            }
        }
        let left = &self.slots[end];
        assert!(!left.valid || !left.waits(), "a beat leaves undecided");
        left.valid.then_some(left)
    }

    /// A beat arrives: its bytes decide those before them.
    fn accept(&mut self, beat: &Beat) {
        self.slots[0].fill(beat);
        let judged = match &mut self.texts {
            Some(texts) => texts.judged(beat),
            None => self.windows.judged(beat).0,
        };
        for (lane, byte) in beat.bytes().enumerate() {
            if judged.contains(&lane) {
                let pushed = self.oracle.push(byte);
                self.decide(pushed.before);
                self.slots[0].bytes.push(byte);
                self.decide(pushed.here);
            } else {
                self.pass(byte);
            }
        }
        // What becomes of a packet with a beat that breaks the contract is undefined, but none of its beats may leave undecided.
        if beat.last || beat.breaks_contract() {
            let cut = self.oracle.finish();
            self.decide(cut);
        }
        if beat.last {
            self.sanitiser.begin_packet();
        }
    }

    /// A byte that is not judged: it ends what comes before it, and stays what it is.
    fn pass(&mut self, byte: u8) {
        let cut = self.oracle.finish();
        self.decide(cut);
        let slot = &mut self.slots[0];
        slot.bytes.push(byte);
        slot.sanitised.push(byte);
        slot.decided += 1;
    }

    /// A piece has ended: its bytes are the oldest that are not decided.
    #[inline]
    fn decide(&mut self, event: Option<Event>) {
        let Some(event) = event else { return };
        let waiting = |slot: &Slot| slot.valid && slot.waits();
        for fate in self.sanitiser.fates(event) {
            let oldest = self.slots.iter_mut().rev().find(|slot| waiting(slot));
            let slot = oldest.expect("a piece ends with a byte that a slot has");
            let byte = &slot.bytes[slot.decided];
            slot.sanitised.extend_from_slice(fate.bytes(byte));
            slot.decided += 1;
        }
    }
}
