//! A delay line of payloads: what enters it shows so many clocks later.

use super::layout::clear_words;

/// What leaves the line in a clock. Without `valid` its payload is zero, but for the first clocks after a reset.
#[derive(Clone, Copy)]
pub struct Shown<'a> {
    /// A beat that is sent.
    pub valid: bool,
    /// A beat that turned out to have nothing to send.
    pub retired: bool,
    pub payload: &'a [u32],
}

#[derive(Clone, Copy, Default)]
struct Mark {
    valid: bool,
    retired: bool,
}

/// The delay line: a ring of places.
pub struct Line {
    /// Words of a payload.
    words: usize,
    marks: Vec<Mark>,
    payloads: Vec<u32>,
    /// The place that shows. What enters next takes it.
    at: usize,
    /// The place of what enters in this clock.
    newest: usize,
    in_flight: usize,
    /// After a reset, payloads show for so many clocks.
    lingers: usize,
}

impl Line {
    /// An empty line: what enters it shows `clocks` clocks later.
    pub fn new(clocks: usize, words: usize) -> Self {
        Self {
            words,
            marks: vec![Mark::default(); clocks],
            payloads: vec![0; clocks * words],
            at: 0,
            newest: 0,
            in_flight: 0,
            lingers: 1,
        }
    }

    /// Payloads show for so many clocks after a reset.
    pub fn lingering(self, clocks: usize) -> Self {
        Self {
            lingers: clocks,
            ..self
        }
    }

    pub fn is_idle(&self) -> bool {
        self.in_flight == 0
    }

    /// What leaves in this clock.
    #[inline(always)]
    pub fn shown(&self) -> Shown<'_> {
        let Mark { valid, retired } = self.marks[self.at];
        Shown {
            valid,
            retired,
            payload: &self.payloads[self.at * self.words..][..self.words],
        }
    }

    /// The clock's edge. What has entered moves on; a reset drops it, but payloads that were about to show do so, without
    /// `valid`.
    #[inline(always)]
    pub fn step(&mut self, reset: bool) {
        self.newest = self.at;
        self.at = if self.at + 1 == self.marks.len() {
            0
        } else {
            self.at + 1
        };
        let left = std::mem::take(&mut self.marks[self.newest]);
        self.in_flight -= usize::from(left.valid) + usize::from(left.retired);
        clear_words(&mut self.payloads[self.newest * self.words..][..self.words]);
        if reset {
            self.reset();
        }
    }

    fn reset(&mut self) {
        self.marks.fill(Mark::default());
        self.in_flight = 0;
        for clocks in self.lingers..self.marks.len() {
            self.shown_in(clocks).fill(0);
        }
    }

    /// The payload that shows so many clocks from now.
    pub fn shown_in(&mut self, clocks: usize) -> &mut [u32] {
        let place = (self.at + clocks) % self.marks.len();
        &mut self.payloads[place * self.words..][..self.words]
    }

    /// A beat enters in this clock; returns its payload, to be filled in.
    #[inline(always)]
    pub fn send(&mut self) -> &mut [u32] {
        self.marks[self.newest].valid = true;
        self.in_flight += 1;
        &mut self.payloads[self.newest * self.words..][..self.words]
    }

    /// The payload that was sent a number of clocks ago; with 0, in this clock.
    pub fn sent_before(&mut self, clocks: usize) -> &mut [u32] {
        let length = self.marks.len();
        self.shown_in(length - 1 - clocks)
    }

    /// A beat without anything to send enters in this clock.
    #[inline]
    pub fn retire(&mut self) {
        self.marks[self.newest].retired = true;
        self.in_flight += 1;
    }
}
