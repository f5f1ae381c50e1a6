//! How large the FIFO of a stream with `tready` is, and how its credits are counted.

/// How a FIFO and its credits work.
#[derive(Clone, Copy, Debug)]
pub struct Buffer {
    /// Beats in the FIFO, but for the one that is shown, are fewer than this.
    pub words: usize,
    /// Clocks until the count sees what has happened, at most [`SLOWEST`].
    pub counting: usize,
    /// A beat stays in the FIFO for a clock more before it can be shown.
    pub is_late: bool,
}

/// The clocks of the count at the greatest depth.
pub const SLOWEST: usize = 5;

impl Buffer {
    /// At the greatest depth.
    pub const fn deep(words: usize) -> Self {
        Self {
            words,
            counting: SLOWEST,
            is_late: true,
        }
    }

    /// At a smaller depth, after `clocks` of a stream: there are as few words as can be while a sink that is always ready never makes the
    /// source wait. Then a beat's credit is back in the count `clocks` and one after it was spent, and the margin is five words.
    pub const fn shallow(clocks: usize) -> Self {
        Self {
            words: clocks + 6,
            counting: 2,
            is_late: false,
        }
    }

    /// There is room for a beat only with this number of free words: the beats that can be accepted while the count does not show them, and
    /// one word, for the beat on the outputs may have its word still though its credit has come back.
    pub const fn margin(&self) -> usize {
        self.counting + 3
    }

    /// Clocks that it adds to a stream.
    pub const fn latency(&self) -> usize {
        2 + self.is_late as usize
    }
}
