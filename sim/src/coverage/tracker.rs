//! Follows the pins clock by clock and counts which functional points are reached.
//!
//! It sees what anybody outside the DUT sees. Where a piece ends is the oracle's word; that the DUT says the same is the
//! lockstep's business.

use super::counts::Counts;
use super::hits::Hits;
use super::packet::Packet;
use super::pins::{Pins, Stream};
use super::points::*;
use crate::grammar::grammar;
use crate::observer::Lanes;
use hdl::config::{Config, Core};

/// Counts the functional points of a configuration.
pub struct Tracker {
    pins: Pins,
    /// A decoder's events.
    words: Option<Lanes>,
    pub(super) counter_width: usize,
    pub(super) counts: Counts,
    packet: Packet,
    before: Before,
    /// Of the beats that are in the core, by how long ago they were accepted.
    beats: Ages,
    /// The streams that come out, and the beats that hold what becomes of theirs.
    streams: Vec<(Stream, Ages)>,
}

/// What the clock before was.
#[derive(Default)]
struct Before {
    reset: bool,
    offered: bool,
    ready: bool,
    /// A beat was accepted: a null one, the last of its packet, or any.
    null: bool,
    last: bool,
    /// Clocks in a row with a packet of one beat.
    singles: usize,
}

/// How many clocks ago beats were accepted: bit `n` stands for `n` clocks.
#[derive(Default)]
struct Ages(u128);

impl Ages {
    fn step(&mut self) {
        self.0 <<= 1;
    }

    fn mark(&mut self, age: u64) {
        self.0 |= 1u128.checked_shl(age as u32).unwrap_or(0);
    }

    fn each(&self) -> impl Iterator<Item = usize> {
        let ages = self.0;
        (1..128).filter(move |age| ages >> age & 1 == 1)
    }
}

impl Tracker {
    pub fn new(config: &Config) -> Self {
        let words = matches!(config.core, Core::Decode { .. }).then(|| Lanes::of(config));
        let streams = Stream::all(config).into_iter();
        Self {
            pins: Pins::of(config),
            words,
            counter_width: config
                .core
                .verdict()
                .map_or(0, |(_, counter_width)| counter_width),
            counts: Counts::of(config),
            packet: Packet::of(grammar(config)),
            before: Before::default(),
            beats: Ages::default(),
            streams: streams.map(|stream| (stream, Ages::default())).collect(),
        }
    }

    /// Every point, and how often it was reached.
    pub fn hits(&self) -> Hits {
        self.counts.hits()
    }

    /// The next clock.
    pub fn clock(&mut self, inputs: &[u32], outputs: &[u32]) {
        let reset = inputs[0] != 0;
        let offered = self.pins.offered(inputs);
        let ready = self.pins.ready(inputs, outputs);
        self.step_ages();
        self.flow(reset, offered, ready);
        for index in 0..self.streams.len() {
            self.stream(index, reset, inputs, outputs);
        }
        let mut before = Before {
            reset,
            offered,
            ready,
            ..Before::default()
        };
        if reset {
            self.reset(offered);
        } else if offered && ready {
            self.accept(inputs, &mut before);
        } else {
            self.packet.pause(offered);
        }
        self.before = before;
    }

    fn step_ages(&mut self) {
        self.beats.step();
        self.streams.iter_mut().for_each(|(_, ages)| ages.step());
    }

    fn hit_ages(&mut self, what: &'static str, ages: &[usize]) {
        ages.iter()
            .for_each(|&age| self.counts.hit(&AGES, what, age));
    }

    /// The stream of bytes.
    fn flow(&mut self, reset: bool, offered: bool, ready: bool) {
        let Before {
            reset: was_reset,
            offered: was_offered,
            ready: was_ready,
            ..
        } = self.before;
        let ages: Vec<usize> = self.beats.each().collect();
        if reset {
            if !was_reset {
                self.hit_ages(AGE_OF_RESET, &ages);
            }
            return;
        }
        if was_offered && !offered {
            self.hit_ages(AGE_OF_IDLE, &ages);
        }
        if self.pins.taken.is_some() {
            let stalls = offered && !ready;
            self.counts.hit_if(stalls, &FLOW, "s_axis: its sink stalls");
            self.counts.hit_if(
                stalls && self.packet.is_open(),
                &FLOW,
                "s_axis: its sink stalls in a packet",
            );
            return;
        }
        if was_reset {
            self.counts.hit_if(
                offered,
                &FLOW,
                "s_axis: a beat offered in the first clock after a reset",
            );
            return;
        }
        self.counts.hit_if(
            !ready && offered,
            &FLOW,
            "s_axis: not ready while a beat is offered",
        );
        self.counts
            .hit_if(!ready && !offered, &FLOW, "s_axis: not ready while none is");
        let again = ready && !was_ready && offered;
        self.counts.hit_if(
            again,
            &FLOW,
            "s_axis: ready again, and a beat taken in that clock",
        );
    }

    /// A stream that comes out.
    fn stream(&mut self, index: usize, reset: bool, inputs: &[u32], outputs: &[u32]) {
        let (stream, ages) = &mut self.streams[index];
        stream.clock(inputs, outputs);
        let (now, before, place) = (stream.now, stream.before, stream.index);
        let ages: Vec<usize> = ages.each().collect();
        let [twice, stalled, at_once, long, unused, in_reset] = STREAMS[place];
        if reset {
            self.counts
                .hit_if(now.stalled > 0 && !self.before.reset, &FLOW, in_reset);
            return;
        }
        self.counts
            .hit_if(now.moves() && before.moves(), &FLOW, twice);
        self.counts.hit_if(now.stalled > 0, &FLOW, stalled);
        self.counts
            .hit_if(now.stalled > 0 && !before.valid, &FLOW, at_once);
        self.counts.hit_if(now.stalled == 8, &FLOW, long);
        self.counts.hit_if(now.ready && !now.valid, &FLOW, unused);
        if before.ready && !now.ready {
            self.hit_ages(AGE_OF_STALL[place], &ages);
        }
        if place == 0 && now.moves() {
            self.words(outputs);
        }
    }

    /// A beat of a decoder's events.
    fn words(&mut self, outputs: &[u32]) {
        let Some(mut words) = self.words.take() else {
            return;
        };
        for lane in 0..words.count {
            if let Ok(Some(event)) = words.event(outputs, lane)
                && let Some(piece) = self.counts.pieces.name(event)
            {
                self.counts.hit(&WORDS, piece, lane);
            }
        }
        self.words = Some(words);
    }

    fn reset(&mut self, offered: bool) {
        self.counts
            .hit_if(!self.packet.is_open(), &RESETS, "between packets");
        self.counts
            .hit_if(self.packet.is_open(), &RESETS, "in a packet");
        self.counts
            .hit_if(self.packet.is_in_sequence(), &RESETS, "in a sequence");
        self.counts
            .hit_if(offered, &RESETS, "while a beat is offered");
        self.counts
            .hit_if(self.before.reset, &RESETS, "for two clocks");
        self.packet.reset();
        self.beats = Ages::default();
        self.streams
            .iter_mut()
            .for_each(|(_, ages)| *ages = Ages::default());
    }

    /// A beat is accepted.
    fn accept(&mut self, inputs: &[u32], before: &mut Before) {
        let last = self.pins.last(inputs);
        let bytes: Vec<(usize, u8)> = self.pins.bytes(inputs).collect();
        if bytes.is_empty() && !last {
            let [in_it, before_it] = ["null beat in it", "null beat before it"];
            self.counts.hit(
                &PACKETS,
                if self.packet.is_open() {
                    in_it
                } else {
                    before_it
                },
                0,
            );
            self.counts
                .hit_if(self.before.null, &PACKETS, "null beats in two clocks");
            self.packet.null();
            before.null = true;
            return;
        }
        let first = !self.packet.is_open();
        self.counts.hit_if(
            first && self.before.last,
            &PACKETS,
            "right after another, without a clock between",
        );
        if first && last {
            before.singles = self.before.singles + 1;
            self.counts.hit_if(
                before.singles == 4,
                &PACKETS,
                "of one beat in each of four clocks",
            );
        }
        before.last = last;
        self.beats.mark(0);
        let ages = self.packet.beat(&bytes, last, &mut self.counts);
        for (stream, held) in &mut self.streams {
            match (stream.index, &self.words) {
                (0, Some(_)) => ages.iter().for_each(|&age| held.mark(age)),
                (0, None) => held.mark(0),
                _ if last => held.mark(0),
                _ => {}
            }
        }
    }
}
