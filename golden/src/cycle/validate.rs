//! The `validate` core: one verdict per packet, alongside or after the packet itself.

use super::early::Early;
use super::exit::{Exit, Stream};
use super::latencies::PASSED_LINGERING;
use super::layout::{Beat, copy_words};
use super::line::Line;
use super::packets::Packets;
use super::payload::ByteWords;
use super::registers::{Counts, Looks};
use super::setup::{Policy, Setup};
use super::store::Store;
use super::windows::Windows;
use crate::classes::classes;
use crate::further::WIDTHS;
use crate::{Edges, Ends, Event, Further, Oracle, Ports, Tally, Unjudged, Verdict, frames};
use std::collections::VecDeque;
use std::ops::Range;

/// The most significant bit of each byte of a word: clear in ASCII.
const NOT_ASCII: u32 = 0x8080_8080;

/// Bytes in, one verdict per packet out.
pub struct Validate {
    oracle: Oracle,
    tally: Tally,
    /// With open edges: what they have cut.
    edges: Edges,
    /// For a full verdict.
    further: Further,
    /// Of the packet under way.
    counts: Counts,
    /// Bits of each counter.
    counter_width: usize,
    policy: Policy,
    windows: Windows,
    /// With frames: the bytes of the one under way. Only all of them say where its text is.
    frame: Vec<u8>,
    /// With a table of ports: the table that applies to each beat of that frame.
    tables: Vec<Ports>,
    lanes: usize,
    /// Clocks that a beat of a frame waits until it is judged, and the beats that wait.
    waits: usize,
    waiting: VecDeque<Waiting>,
    clock: u64,
    /// The forbidden classes that the packet has, and the bytes up to the end of the first such scalar value.
    met: u8,
    forbidden_end: u64,
    /// Words of `m_axis_verdict_tdata`.
    data_words: usize,
    /// How many clocks after a reset a verdict's fields may still show.
    lingers: usize,
    verdicts: Stream,
    /// The packets themselves, if they pass through.
    passed: Option<Passed>,
    /// Beats of the longest packet that is dropped, if any is; those of the packet under way; and what is known of the packets that have
    /// ended and are not judged yet.
    longest: Option<usize>,
    beats: usize,
    ended: VecDeque<Ended>,
}

/// A packet that has ended.
struct Ended {
    is_too_long: bool,
    /// It came with a mark.
    is_marked: bool,
}

/// A beat of a frame that is judged later.
struct Waiting {
    /// The clock in which it came.
    clock: u64,
    bytes: Vec<u8>,
    last: bool,
    looks: Looks,
}

struct Passed {
    stream: Stream,
    /// The word of `tid`, the first that is not of the bytes.
    side_at: usize,
    /// The word of `tuser` whose first bit tells that the packet is ill-formed.
    user_at: usize,
    /// Words from `tvalid` to `tuser` on the pins.
    pins: usize,
    /// What each beat tells of the packet so far, if it does; with frames: bytes of the frame up to which its text has been judged for that.
    early: Option<Box<Early>>,
    judged: usize,
}

impl Validate {
    pub fn new(setup: &Setup, verdict_width: usize, counter_width: usize) -> Self {
        let data_words = verdict_width.div_ceil(32);
        let stream = |clocks, words| Stream {
            line: Line::new(clocks, words),
            exit: match setup.answers() {
                true => Exit::buffered(setup.buffer(clocks), words),
                false => Exit::Free,
            },
        };
        let passed = || {
            let places = ByteWords::of(setup);
            let user = setup.side.user.div_ceil(32);
            let user_at = places.total - user;
            let early = Early::of(setup).map(Box::new);
            let words = user_at + (setup.user_bits() + early.iter().len()).div_ceil(32);
            let mut passed = stream(setup.pass_latency(), words);
            if let Some((memory, longest)) = setup.drops() {
                let places = [places.last, user_at];
                let packets = Packets::new(memory, longest, words, places);
                passed.exit = Exit::Dropping(Box::new(packets));
            }
            Passed {
                stream: Stream {
                    line: passed.line.lingering(PASSED_LINGERING),
                    ..passed
                },
                side_at: places.side,
                user_at,
                pins: 1 + words,
                early,
                judged: 0,
            }
        };
        let verdict_words = data_words + setup.side.words();
        let mut verdicts = stream(setup.verdict_latency(), verdict_words);
        if setup.drops().is_some() {
            verdicts.exit = Exit::Stored(Box::new(Store::of_verdicts(verdict_words)));
        }
        Self {
            oracle: Oracle::of(setup.grammar),
            tally: Tally::new(),
            edges: Edges::default(),
            further: Further::default(),
            counts: Counts::default(),
            counter_width,
            policy: setup.policy,
            windows: Windows::of(setup),
            frame: Vec::new(),
            tables: Vec::new(),
            lanes: setup.lanes,
            waits: setup.ports_clocks(),
            waiting: VecDeque::new(),
            clock: 0,
            met: 0,
            forbidden_end: 0,
            data_words,
            lingers: setup.verdict_lingering(),
            verdicts: Stream {
                line: verdicts.line.lingering(setup.verdict_lingering()),
                ..verdicts
            },
            passed: setup.passes().then(passed),
            longest: setup.drops().map(|(_, longest)| longest),
            beats: 0,
            ended: VecDeque::new(),
        }
    }

    #[inline]
    pub fn ready(&self) -> bool {
        let passed = self.passed.as_ref();
        self.verdicts.exit.has_room() && passed.is_none_or(|it| it.stream.exit.has_room())
    }

    pub fn is_idle(&self) -> bool {
        let passed = self.passed.as_ref();
        self.verdicts.is_idle() && passed.is_none_or(|it| it.stream.is_idle())
    }

    /// Words of the memory in which packets wait that are taken.
    pub fn fill(&self) -> u32 {
        let passed = self.passed.as_ref();
        passed.map_or(0, |it| it.stream.exit.fill())
    }

    /// One clock; `pins` are those from the first `tvalid` on. `looks` is what a beat is looked at for; without it
    /// it passes, and that is all. `ports` is the table of ports in this clock. Returns what the packet that ends brings to the counters.
    #[inline]
    pub fn step(
        &mut self,
        reset: bool,
        beat: Option<&Beat>,
        looks: Option<Looks>,
        ports: &Ports,
        [sink_ready, verdict_ready]: [bool; 2],
        mut pins: &mut [u32],
    ) -> Option<Counts> {
        self.clock += 1;
        if let Some(passed) = &mut self.passed {
            let first;
            (first, pins) = pins.split_at_mut(passed.pins);
            let Stream { line, exit } = &mut passed.stream;
            exit.step(reset, beat.is_some(), line, sink_ready, first);
            line.step(reset);
            for clocks in (0..PASSED_LINGERING).filter(|_| reset) {
                line.shown_in(clocks)[passed.side_at..].fill(0);
            }
            if reset {
                passed.judged = 0;
                passed.early.iter_mut().for_each(|early| early.reset());
            }
        }
        let Stream { line, exit } = &mut self.verdicts;
        let ends = looks.is_some() && beat.is_some_and(|beat| beat.last);
        exit.step(reset, ends, line, verdict_ready, pins);
        line.step(reset);
        if reset {
            for clocks in 1..self.lingers {
                line.shown_in(clocks)[self.data_words..].fill(0);
            }
            self.oracle.reset();
            self.tally = Tally::new();
            self.windows.reset();
            self.frame.clear();
            self.tables.clear();
            self.waiting.clear();
            self.edges = Edges::default();
            self.further = Further::default();
            (self.met, self.forbidden_end) = (0, 0);
            self.beats = 0;
            self.ended.clear();
            self.counts = Counts::default();
            return None;
        }
        let mut counts = None;
        if let Some(beat) = beat {
            if let Some(passed) = &mut self.passed {
                let payload = passed.stream.line.send();
                let (stream, side) = payload.split_at_mut(passed.side_at);
                copy_words(stream, beat.stream());
                let own = beat.own_side();
                side[..own.len()].copy_from_slice(&own);
            }
            self.beats += 1;
            if beat.last {
                let beats = std::mem::take(&mut self.beats);
                if let Some(longest) = self.longest.filter(|_| looks.is_some()) {
                    let user = self.passed.as_ref().map_or(0, |it| it.user_at - it.side_at);
                    self.ended.push_back(Ended {
                        is_too_long: beats > longest,
                        is_marked: beat.own_side().get(user).is_some_and(|word| word & 1 != 0),
                    });
                }
            }
            counts = looks.and_then(|looks| self.judge(beat, looks));
        }
        let waits = self.waits as u64;
        let is_due = |it: &Waiting| it.clock + waits == self.clock;
        if self.waiting.front().is_some_and(is_due)
            && let Some(next) = self.waiting.pop_front()
        {
            counts = self.observe_frame(next, ports);
        }
        if let (Some(passed), Some(counts)) = (&mut self.passed, &counts) {
            let payload = passed.stream.line.sent_before(self.waits);
            payload[passed.user_at] |= (counts.bad_packets | u64::from(counts.closed)) as u32;
        }
        if let Some(counts) = &mut counts
            && let Some(ended) = self.ended.pop_front()
        {
            let is_bad = counts.bad_packets > 0 || counts.closed || ended.is_marked;
            counts.long = u64::from(ended.is_too_long);
            counts.dropped = u64::from(is_bad && !ended.is_too_long);
        }
        counts
    }

    /// Judges a beat, and its packet if it ends. A beat of a frame is only put into the queue.
    #[inline(always)]
    fn judge(&mut self, beat: &Beat, looks: Looks) -> Option<Counts> {
        if beat.last {
            let (_, side) = self.verdicts.line.send().split_at_mut(self.data_words);
            side.copy_from_slice(&beat.own_side());
        }
        if self.policy.has_frames {
            self.waiting.push_back(Waiting {
                clock: self.clock,
                bytes: beat.bytes().collect(),
                last: beat.last,
                looks,
            });
            return None;
        }
        let (lanes, unjudged) = self.windows.judged(beat);
        if let Some(passed) = &mut self.passed
            && let Some(early) = &mut passed.early
        {
            let user = &mut passed.stream.line.sent_before(0)[passed.user_at..];
            let is_over = lanes.end < beat.count();
            early.step(beat.bytes_of(lanes.clone()), is_over, beat.last, user);
        }
        self.observe(beat, lanes, looks.forbid);
        beat.last.then(|| self.finish(unjudged, looks))
    }

    /// Keeps the bytes of a frame's beat; with the last one adds those of its text up, or says why it has none.
    fn observe_frame(&mut self, beat: Waiting, ports: &Ports) -> Option<Counts> {
        if !beat.bytes.is_empty() {
            self.tables.push(*ports);
        }
        self.frame.extend(&beat.bytes);
        self.tell_early(beat.last);
        if !beat.last {
            return None;
        }
        let frame = std::mem::take(&mut self.frame);
        let tables = std::mem::take(&mut self.tables);
        // Both ports are in one beat: the header begins two bytes after a multiple of four.
        let judges = |ends: &Ends| tables[(ends.at + 3) / self.lanes].has(ends);
        let has_table = self.policy.ports.is_some();
        let text = frames::read_some(&frame, self.policy.has_open_edges, |ends| {
            !has_table || judges(ends)
        });
        if let Ok(text) = text.clone() {
            (frame[text].iter()).for_each(|&byte| self.push(byte, beat.looks.forbid));
        }
        Some(self.finish(text.err(), beat.looks))
    }

    /// Puts into a frame's newest beat what it tells of its text so far.
    fn tell_early(&mut self, last: bool) {
        let Some(passed) = &mut self.passed else {
            return;
        };
        let Some(early) = &mut passed.early else {
            return;
        };
        let (lanes, tables) = (self.lanes, &self.tables);
        let has_table = self.policy.ports.is_some();
        let text = frames::read_so_far(&self.frame, self.policy.has_open_edges, |ends| {
            !has_table || tables[(ends.at + 3) / lanes].has(ends)
        });
        let is_over = text.end < self.frame.len();
        let judged = passed.judged.clamp(text.start, text.end);
        passed.judged = if last { 0 } else { text.end };
        let bytes = self.frame[judged..text.end].iter().copied();
        let user = &mut passed.stream.line.sent_before(self.waits)[passed.user_at..];
        early.step(bytes, is_over, last, user);
    }

    /// A packet's verdict, and what it brings to the counters.
    fn finish(&mut self, unjudged: Option<Unjudged>, looks: Looks) -> Counts {
        if let Some(cut) = self.oracle.finish() {
            self.event(cut, looks.forbid);
        }
        let mut verdict = self.tally.finish();
        let edges = std::mem::take(&mut self.edges);
        let met = std::mem::take(&mut self.met);
        let is_bad = !verdict.well_formed || met != 0 || self.policy.rejects && verdict.signature;
        verdict.well_formed &= !edges.are_cut();
        let data = self.verdicts.line.sent_before(self.waits);
        data[..5].copy_from_slice(&verdict_words(&verdict, self.counter_width));
        if self.policy.tells_bad() {
            data[4] |= u32::from(is_bad) << 3 | u32::from(met) << 24;
            data[4] |= u32::from(edges.head) << 12 | u32::from(edges.tail) << 14;
        }
        if self.policy.forbid != 0 {
            let end = std::mem::take(&mut self.forbidden_end);
            let limit = 1_u64 << self.counter_width;
            data[4] |= u32::from(end >= limit) << 20;
            data[5] = end.min(limit - 1) as u32;
        }
        let further = std::mem::take(&mut self.further);
        if self.policy.is_full {
            let limit = 1_u64 << self.counter_width;
            let class = WIDTHS.iter().position(|&width| width == further.width);
            data[4] |= class.map_or(0, |class| class as u32 + 1) << 21;
            data[4] |= u32::from(further.ascii >= limit) << 7;
            data[4] |= u32::from(further.utf16_units >= limit) << 11;
            data[6] = further.ascii.min(limit - 1) as u32;
            data[7] = further.utf16_units.min(limit - 1) as u32;
        }
        data[4] |= unjudged.map_or(0, |why| 1 << 2 | u32::from(why.code()) << 12);
        Counts {
            packets: 1,
            bad_packets: u64::from(is_bad),
            bytes: verdict.bytes,
            scalars: verdict.scalars,
            classes: met,
            unjudged,
            closed: unjudged.is_some_and(|why| looks.closes >> (why.code() - 1) & 1 != 0),
            ..std::mem::take(&mut self.counts)
        }
    }

    /// Adds the bytes of some lanes up: a word at once where it is ASCII between sequences.
    #[inline(always)]
    fn observe(&mut self, beat: &Beat, lanes: Range<usize>, forbid: u8) {
        if lanes.start > 0 {
            beat.bytes_of(lanes)
                .for_each(|byte| self.push(byte, forbid));
            return;
        }
        let count = lanes.end;
        for (&word, at) in beat.data().iter().zip((0..count).step_by(4)) {
            let bytes = (count - at).min(4);
            let not_ascii = word & (NOT_ASCII >> (32 - 8 * bytes));
            // Bits 0 and 1 are of ASCII.
            let counts_alike = forbid & 0b11 == 0;
            if not_ascii == 0 && counts_alike && !self.oracle.is_open() {
                self.tally.observe_ascii(bytes as u64);
                self.further.observe_ascii(bytes as u64);
                continue;
            }
            for byte in word.to_le_bytes().into_iter().take(bytes) {
                self.push(byte, forbid);
            }
        }
    }

    /// Takes the packet's next byte.
    #[inline(always)]
    fn push(&mut self, byte: u8, forbid: u8) {
        let pushed = self.oracle.push(byte);
        for event in [pushed.before, pushed.here].into_iter().flatten() {
            self.event(event, forbid);
        }
    }

    /// Takes the packet's next event.
    #[inline]
    fn event(&mut self, event: Event, forbid: u8) {
        let before = self.tally.verdict().bytes;
        if self.policy.has_open_edges && self.edges.cut(event, before) {
            return self.tally.observe_cut(event.length());
        }
        self.tally.observe(event);
        self.counts.observe(event);
        if self.policy.is_full {
            self.further.observe(event);
        }
        self.judge_scalar(event, forbid);
    }

    /// Looks for what is forbidden.
    #[inline]
    fn judge_scalar(&mut self, event: Event, forbid: u8) {
        if let Event::Scalar(value) = event
            && forbid != 0
        {
            let met = classes(value) & forbid;
            if met != 0 && self.met == 0 {
                self.forbidden_end = self.tally.verdict().bytes;
            }
            self.met |= met;
        }
    }
}

/// The verdict as it is in `m_axis_verdict_tdata`: four counters, and a word of flags.
pub fn verdict_words(verdict: &Verdict, counter_width: usize) -> [u32; 5] {
    let counters = [
        verdict.bytes,
        verdict.valid_up_to,
        verdict.scalars,
        verdict.ill_formed,
    ];
    let flags = u32::from(verdict.well_formed)
        | u32::from(verdict.signature) << 1
        | u32::from(verdict.kind.code()) << 4
        | u32::from(verdict.error_len.unwrap_or(0)) << 8;
    saturated(counters, flags, counter_width)
}

/// Four counters, which saturate, and a word of flags with a bit for each counter that did.
pub fn saturated(counters: [u64; 4], mut flags: u32, counter_width: usize) -> [u32; 5] {
    let limit = 1_u64 << counter_width;
    for (index, &count) in counters.iter().enumerate() {
        flags |= u32::from(count >= limit) << (16 + index);
    }
    let [first, second, third, fourth] = counters.map(|count| count.min(limit - 1) as u32);
    [first, second, third, fourth, flags]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verdict;

    #[test]
    fn a_verdict_has_each_field_in_its_place() {
        let words = |packet: &[u8]| verdict_words(&verdict(packet), 32);
        assert_eq!(words(b""), [0, 0, 0, 0, 1]);
        assert_eq!(words(b"\xEF\xBB\xBFA"), [4, 4, 2, 0, 0b11]);
        // Kind 6, of two bytes; then kind 2.
        assert_eq!(words(b"A\xE1\x80B\xFF"), [5, 1, 2, 2, 6 << 4 | 2 << 8]);
        // Kind 7 has no length.
        assert_eq!(words(b"A\xF0\x90\x80"), [4, 1, 1, 1, 7 << 4]);
    }

    #[test]
    fn counters_saturate_and_say_so() {
        let ascii = |count| verdict_words(&verdict(&vec![b'A'; count]), 8);
        assert_eq!(ascii(255), [255, 255, 255, 0, 1]);
        assert_eq!(ascii(256), [255, 255, 255, 0, 1 | 0b0111 << 16]);
        let bad = |count| verdict_words(&verdict(&vec![0xFF; count]), 8);
        assert_eq!(bad(255), [255, 0, 0, 255, 2 << 4 | 1 << 8]);
        assert_eq!(bad(300), [255, 0, 0, 255, 2 << 4 | 1 << 8 | 0b1001 << 16]);
        let wide = verdict_words(&verdict(&vec![b'A'; 300]), 16);
        assert_eq!(wide, [300, 300, 300, 0, 1]);
    }
}
