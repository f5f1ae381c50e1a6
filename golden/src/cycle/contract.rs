//! What a source has to keep to: beats that do not are told of, whatever becomes of them.

use super::layout::Beat;

/// Clocks from a beat until it is told of.
const CLOCKS: usize = 3;

/// Whether the beats of the clocks before broke the contract, the newest first.
#[derive(Default)]
pub struct Contract {
    past: [bool; CLOCKS],
}

impl Contract {
    /// What is told in this clock.
    pub fn shown(&self) -> bool {
        self.past[CLOCKS - 1]
    }

    /// The clock's edge, with the beat that was taken.
    pub fn step(&mut self, reset: bool, beat: Option<&Beat>) {
        self.past.rotate_right(1);
        self.past[0] = beat.is_some_and(Beat::breaks_contract);
        if reset {
            *self = Self::default();
        }
    }
}
