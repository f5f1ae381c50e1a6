//! The `encode` core: words to UTF-8, packed, and one verdict per packet.

use super::exit::{Exit, Stream};
use super::layout::Beat;
use super::line::Line;
use super::payload::ByteWords;
use super::quarters::Quarters;
use super::setup::Setup;
use super::validate::saturated;
use crate::Encoding;
use crate::encode::{Encoder, Piece, Verdict};

/// Words in, bytes and one verdict per packet out.
pub struct Encode {
    encoder: Encoder,
    quarters: Quarters,
    /// Words from `m_axis_tvalid` to `m_axis_tuser` on the pins.
    pins: usize,
    verdicts: Stream,
    /// Words of `m_axis_verdict_tdata`.
    data_words: usize,
    /// Bits of each counter.
    counter_width: usize,
    is_utf16: bool,
    high_first: bool,
    /// The quarters that the newest beat's bytes have completed, while its top unit waits for the next beat.
    waits: Option<usize>,
    /// Side signals of the newest beat.
    side: Vec<u32>,
}

impl Encode {
    pub fn new(
        setup: &Setup,
        from: Encoding,
        omits: bool,
        verdict_width: usize,
        counter_width: usize,
    ) -> Self {
        let side = setup.side.words();
        let data_words = verdict_width.div_ceil(32);
        let clocks = setup.encode_verdict_latency();
        Self {
            encoder: Encoder::of(setup.grammar, from, omits),
            quarters: Quarters::new(setup),
            pins: 1 + ByteWords::of(setup).total,
            verdicts: Stream {
                line: Line::new(clocks, data_words + side),
                exit: Exit::buffered(setup.buffer(clocks), data_words + side),
            },
            data_words,
            counter_width,
            is_utf16: from != Encoding::Utf32,
            high_first: from == Encoding::Utf16 { high_first: true },
            waits: None,
            side: Vec::new(),
        }
    }

    #[inline]
    pub fn ready(&self) -> bool {
        self.quarters.has_room() && self.verdicts.exit.has_room()
    }

    pub fn is_idle(&self) -> bool {
        self.quarters.is_idle() && self.verdicts.is_idle()
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
        let (stream, pins) = pins.split_at_mut(self.pins);
        self.quarters.show(reset, sink_ready, stream);
        let Stream { line, exit } = &mut self.verdicts;
        let ends = beat.is_some_and(|beat| beat.last);
        exit.step(reset, ends, line, verdict_ready, pins);
        line.step(reset);
        if reset {
            self.encoder.reset();
            self.waits = None;
        } else if let Some(beat) = beat {
            self.accept(beat);
        }
        self.quarters.step(reset);
    }

    /// A beat arrives. In UTF-16 it settles what the one before waited for.
    fn accept(&mut self, beat: &Beat) {
        let has_words = beat.lane_words().any(|word| word.is_some());
        if self.is_utf16 && !has_words && !beat.last {
            return;
        }
        self.quarters.take();
        let mut completed = 0;
        let mut verdict = None;
        // Above the last word of a packet there is nothing, and so no hole.
        let words = beat.lane_words().enumerate();
        let words = words.filter(|(_, word)| word.is_some());
        let above = match beat.last {
            true => words.map(|(lane, _)| lane + 1).last().unwrap_or(0),
            false => usize::MAX,
        };
        let lanes = beat.lane_words().take(above);
        for (lane, word) in lanes.enumerate() {
            let (before, here) = match word {
                Some(word) => {
                    let pushed = self.encoder.push(self.swapped(word));
                    (pushed.before, pushed.here)
                }
                None => (self.encoder.hole(), None),
            };
            if lane == 0 {
                self.leave(before);
            } else {
                completed += self.put(before, beat.side());
            }
            completed += self.put(here, beat.side());
        }
        if beat.last {
            let (cut, all) = self.encoder.finish();
            if above == 0 {
                self.leave(cut);
            } else {
                completed += self.put(cut, beat.side());
            }
            verdict = Some(all);
        }
        if self.encoder.is_open() {
            self.waits = Some(completed);
            self.side.clear();
            self.side.extend(beat.side());
        } else {
            self.quarters.end_beat(completed, beat.last, 0, beat.side());
        }
        if let Some(verdict) = verdict {
            let (data, side) = self.verdicts.line.send().split_at_mut(self.data_words);
            data[..5].copy_from_slice(&verdict_words(&verdict, self.counter_width));
            side.copy_from_slice(beat.side());
        }
    }

    /// The beat that waits leaves, with what its top unit has become: a clock earlier than if it came with this one.
    fn leave(&mut self, before: Option<Piece>) {
        let Some(mut completed) = self.waits.take() else {
            assert!(before.is_none(), "nothing was open");
            return;
        };
        let side = std::mem::take(&mut self.side);
        completed += self.put(before, &side);
        self.quarters.end_beat(completed, false, 1, &side);
        self.side = side;
    }

    /// Puts a piece's bytes; returns how many quarters they complete.
    fn put(&mut self, piece: Option<Piece>, side: &[u32]) -> usize {
        piece.map_or(0, |piece| self.quarters.put(piece.bytes(), side))
    }

    /// A word as a number.
    fn swapped(&self, word: u32) -> u32 {
        match self.high_first {
            true => (word as u16).swap_bytes().into(),
            false => word,
        }
    }
}

/// The verdict as it is in `m_axis_verdict_tdata`: the fields that `validate` has too are in the same places, and the words are in that of
/// its scalar values.
fn verdict_words(verdict: &Verdict, counter_width: usize) -> [u32; 5] {
    let counters = [
        verdict.bytes,
        verdict.valid_up_to,
        verdict.words,
        verdict.ill_formed,
    ];
    let flags = u32::from(verdict.well_formed) | u32::from(verdict.kind.code()) << 4;
    saturated(counters, flags, counter_width)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode::encode;

    #[test]
    fn a_verdict_has_each_field_in_its_place() {
        let words = |words: &[u32], width| {
            let (_, verdict) = encode(Encoding::Utf32, false, words);
            verdict_words(&verdict, width)
        };
        assert_eq!(words(&[], 32), [0, 0, 0, 0, 1]);
        assert_eq!(words(&[0xFEFF, 0x41], 32), [4, 2, 2, 0, 1]);
        assert_eq!(words(&[0x41, 0xD800, 0x11_0000], 32), [7, 1, 3, 2, 4 << 4]);
        assert_eq!(
            words(&[0x1_F600; 64], 8),
            [255, 64, 64, 0, 1 | 0b0001 << 16]
        );
        assert_eq!(
            words(&[u32::MAX; 256], 8),
            [255, 0, 255, 255, 5 << 4 | 0b1101 << 16]
        );
    }
}
