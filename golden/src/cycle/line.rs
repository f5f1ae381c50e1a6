//! A delay line of payloads: what enters it shows so many clocks later.

use super::layout::clear_words;

/// What leaves the line in a clock. Without `valid` its payload is zero, but for the clock after a reset.
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

    /// The clock's edge. What has entered moves on; a reset drops it, but the payload that was about to show does so for one
    /// clock, without `valid`.
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
        let shown = self.at * self.words;
        self.payloads[..shown].fill(0);
        self.payloads[shown + self.words..].fill(0);
    }

    /// A beat enters in this clock; returns its payload, to be filled in.
    #[inline(always)]
    pub fn send(&mut self) -> &mut [u32] {
        self.marks[self.newest].valid = true;
        self.in_flight += 1;
        &mut self.payloads[self.newest * self.words..][..self.words]
    }

    /// A beat without anything to send enters in this clock.
    #[inline]
    pub fn retire(&mut self) {
        self.marks[self.newest].retired = true;
        self.in_flight += 1;
    }
}
