//! The `validate` core with flows: messages whose beats interleave, a verdict per message, and what is known with each beat.

use super::layout::Beat;
use super::line::Line;
use super::registers::Counts;
use super::setup::Setup;
use super::validate::verdict_words;
use crate::{Oracle, Tally};

/// The commands of a beat, in the lowest bits of `s_axis_tuser`.
const MORE: u32 = 1;
const OPEN: u32 = 2;
const FORGET: u32 = 4;

/// Bits of `m_axis_flow_tdata`.
const BAD: u32 = 1;
const REFUSED: u32 = 2;

/// A flow's message in progress.
#[derive(Clone, Default)]
struct Message {
    oracle: Oracle,
    tally: Tally,
}

/// Beats of many flows in, one verdict per message out.
pub struct Flows {
    messages: Vec<Message>,
    lanes: usize,
    counter_width: usize,
    data_words: usize,
    beats: Line,
    verdicts: Line,
    /// Flows that are still to be forgotten after a reset, one in a clock.
    unforgotten: usize,
}

impl Flows {
    pub fn new(setup: &Setup, verdict_width: usize, counter_width: usize, flows: usize) -> Self {
        let side = setup.side.words();
        let data_words = verdict_width.div_ceil(32);
        let clocks = setup.verdict_latency();
        Self {
            messages: vec![Message::default(); flows],
            lanes: setup.lanes,
            counter_width,
            data_words,
            beats: Line::new(clocks, 1 + side),
            verdicts: Line::new(clocks, data_words + side),
            unforgotten: 0,
        }
    }

    pub fn ready(&self) -> bool {
        self.unforgotten == 0
    }

    pub fn is_idle(&self) -> bool {
        self.beats.is_idle() && self.verdicts.is_idle()
    }

    /// One clock; `pins` are all outputs but the bus's, the first of which is `ready`. Returns what the beat brings to the counters.
    pub fn step(
        &mut self,
        reset: bool,
        ready: bool,
        beat: Option<&Beat>,
        pins: &mut [u32],
    ) -> Option<Counts> {
        let [first, pins @ ..] = pins else {
            unreachable!("there is a pin");
        };
        *first = u32::from(ready);
        let mut rest = pins;
        for line in [&mut self.beats, &mut self.verdicts] {
            let left = line.shown();
            let (pins, behind) = rest.split_at_mut(1 + left.payload.len());
            pins[0] = u32::from(left.valid);
            pins[1..].copy_from_slice(left.payload);
            line.step(reset);
            rest = behind;
        }
        if reset {
            self.messages.fill(Message::default());
            self.unforgotten = self.messages.len();
            return None;
        }
        self.unforgotten = self.unforgotten.saturating_sub(1);
        self.accept(beat?)
    }

    fn accept(&mut self, beat: &Beat) -> Option<Counts> {
        if beat.is_void() {
            return None;
        }
        let (command, side) = (beat.low_user() as u32, beat.own_side());
        let whole = beat.is_low_aligned() && (beat.last || beat.count() == self.lanes);
        let message = match self.messages.get_mut(side[0] as usize) {
            Some(message) if whole => message,
            _ => {
                let (known, out) = self.beats.send().split_at_mut(1);
                known[0] = REFUSED;
                out.copy_from_slice(&side);
                return None;
            }
        };
        if command & OPEN != 0 {
            *message = Message::default();
        }
        let mut counts = Counts {
            bytes: beat.count() as u64,
            ..Counts::default()
        };
        for byte in beat.bytes() {
            let pushed = message.oracle.push(byte);
            for event in [pushed.before, pushed.here].into_iter().flatten() {
                message.tally.observe(event);
                counts.observe(event);
            }
        }
        let forgets = command & FORGET != 0;
        let ends = beat.last && command & MORE == 0;
        if ends
            && !forgets
            && let Some(cut) = message.oracle.finish()
        {
            message.tally.observe(cut);
            counts.observe(cut);
        }
        let verdict = message.tally.verdict();
        let (known, out) = self.beats.send().split_at_mut(1);
        known[0] = if verdict.well_formed { 0 } else { BAD };
        out.copy_from_slice(&side);
        if ends && !forgets {
            counts.packets = 1;
            counts.bad_packets = u64::from(!verdict.well_formed);
            let (data, out) = self.verdicts.send().split_at_mut(self.data_words);
            data[..5].copy_from_slice(&verdict_words(&verdict, self.counter_width));
            out.copy_from_slice(&side);
        }
        if ends || forgets {
            *message = Message::default();
        }
        Some(counts)
    }
}

/// Whether the pins tell of a beat that was refused.
pub fn is_refused(pins: &[u32]) -> bool {
    pins[1] != 0 && pins[2] & REFUSED != 0
}
