//! A block of clocks: what goes into the DUT, and what comes out of both sides.

use crate::stimulus::Position;
use crate::undefined::Undefined;

/// Frames of as many clocks, one after another.
#[derive(Default)]
pub struct Block {
    pub clocks: usize,
    pub inputs: Vec<u32>,
    /// The model's outputs.
    pub expected: Vec<u32>,
    /// The DUT's, but for what is `undefined`.
    pub got: Vec<u32>,
    pub undefined: Vec<Undefined>,
    /// How far the core had come before the block, and after it.
    pub start: Position,
    pub end: Position,
}

impl Block {
    /// The first clock, not counting the first `skipped`, in which the two sides differ.
    pub fn first_difference(&self, skipped: usize, output_words: usize) -> Option<usize> {
        let skip = skipped * output_words;
        let same = self.expected[skip..] == self.got[skip..];
        let frames = self
            .expected
            .chunks_exact(output_words)
            .zip(self.got.chunks_exact(output_words));
        let differs = |same: bool| {
            let mut frames = frames.enumerate().skip(skipped).filter(|_| !same);
            frames
                .find(|(_, (expected, got))| expected != got)
                .map(|(clock, _)| clock)
        };
        let undefined = self.undefined.iter().map(|pin| pin.clock);
        let undefined = undefined.filter(|&clock| clock >= skipped).min();
        differs(same).into_iter().chain(undefined).min()
    }
}
