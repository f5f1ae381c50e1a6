//! The packet that goes into the core: its bytes, the pieces that they are, and what comes between them.

use super::counts::Counts;
use super::points::*;
use golden::verdict::SIGNATURE;
use golden::{Event, Grammar, Oracle};
use std::collections::VecDeque;

/// The packet in progress.
pub struct Packet {
    grammar: Grammar,
    oracle: Oracle,
    /// Accepted so far.
    bytes: u64,
    beats: u64,
    first: Vec<u8>,
    /// As many bytes as the longest piece has, and the one behind it.
    newest: VecDeque<Byte>,
    /// What has happened since the newest beat with bytes.
    gap: Gap,
    /// Clocks since its first beat.
    clock: u64,
    is_behind_reset: bool,
}

/// Where a byte was, and after what it came.
#[derive(Clone, Copy)]
struct Byte {
    lane: usize,
    clock: u64,
    gap: Gap,
}

/// What happened between two beats.
#[derive(Clone, Copy, Default)]
pub struct Gap {
    pub idle: bool,
    pub stall: bool,
    pub null: bool,
}

impl Gap {
    fn is_one(self) -> bool {
        self.idle || self.stall || self.null
    }
}

impl Packet {
    pub fn of(grammar: Grammar) -> Self {
        Self {
            grammar,
            oracle: Oracle::of(grammar),
            bytes: 0,
            beats: 0,
            first: Vec::new(),
            newest: VecDeque::new(),
            gap: Gap::default(),
            clock: 0,
            is_behind_reset: false,
        }
    }

    /// Drops what there is of it: the next one is the first after a reset.
    pub fn reset(&mut self) {
        *self = Self {
            is_behind_reset: true,
            ..Self::of(self.grammar)
        };
    }

    /// A beat of it has been accepted.
    pub fn is_open(&self) -> bool {
        self.beats > 0
    }

    pub fn is_in_sequence(&self) -> bool {
        self.oracle.is_open()
    }

    /// A beat without any byte and without an end.
    pub fn null(&mut self) {
        self.clock += 1;
        self.gap.null = true;
    }

    /// A clock without a beat, for one was `offered` and not taken, or there was none.
    pub fn pause(&mut self, offered: bool) {
        self.clock += 1;
        self.gap.stall |= offered;
        self.gap.idle |= !offered;
    }
}

/// How the next beat settles what ended before it.
#[derive(Clone, Copy)]
enum Settled {
    AtOnce,
    /// By the byte behind it, or by the packet's end.
    ByByte,
    ByEnd,
}

impl Packet {
    /// A beat that is not null; returns how many clocks ago the beats were accepted whose events it settles.
    pub fn beat(&mut self, bytes: &[(usize, u8)], last: bool, counts: &mut Counts) -> Vec<u64> {
        self.clock += 1;
        self.beats += 1;
        let mut ages = Vec::new();
        for &(lane, byte) in bytes {
            let gap = std::mem::take(&mut self.gap);
            let clock = self.clock;
            self.newest.push_back(Byte { lane, clock, gap });
            if self.newest.len() > self.grammar.longest() + 1 {
                self.newest.pop_front();
            }
            self.bytes += 1;
            if self.first.len() < SIGNATURE_BYTES.len() {
                self.first.push(byte);
                self.beginning(counts);
            }
            let pushed = self.oracle.push(byte);
            ages.extend(
                pushed
                    .before
                    .map(|event| self.piece(event, Settled::ByByte, counts)),
            );
            ages.extend(
                pushed
                    .here
                    .map(|event| self.piece(event, Settled::AtOnce, counts)),
            );
        }
        if last {
            if let Some(event) = self.oracle.finish() {
                let by = if bytes.is_empty() {
                    Settled::ByEnd
                } else {
                    Settled::AtOnce
                };
                ages.push(self.piece(event, by, counts));
            }
            self.end(bytes.is_empty(), counts);
        }
        ages
    }

    /// A piece ended at the newest byte, or at the one before; returns how many clocks ago that was accepted.
    fn piece(&self, event: Event, settled: Settled, counts: &mut Counts) -> u64 {
        let name = counts.pieces.name(event).expect("the oracle knows it");
        let behind = usize::from(matches!(settled, Settled::ByByte));
        let end = self.newest.len() - behind;
        let length = usize::from(event.length());
        let start = end - length;
        let bytes: Vec<Byte> = self.newest.range(start..end).copied().collect();
        let last = bytes[length - 1];
        counts.hit(&PIECES, name, last.lane);
        for (index, byte) in bytes.iter().enumerate().skip(1) {
            // Of many beats it is the first end of one that tells how the piece lies.
            if byte.lane == 0 && index <= counts.lanes {
                counts.hit(&ACROSS, name, index);
            }
            let Gap { idle, stall, null } = byte.gap;
            for (happened, group) in [(idle, &IDLES), (stall, &STALLS), (null, &NULLS)] {
                if happened {
                    counts.hit(group, name, index);
                }
            }
        }
        let gap = match settled {
            Settled::AtOnce => None,
            Settled::ByByte => {
                let next = self.newest[end];
                (next.clock > last.clock).then_some(next.gap)
            }
            Settled::ByEnd => Some(self.gap),
        };
        if let Some(gap) = gap {
            counts.hit(if gap.is_one() { &LONG_WAITS } else { &WAITS }, name, 0);
        }
        if event == Event::Scalar(SIGNATURE) {
            self.marks(counts);
        }
        self.clock - last.clock
    }

    /// The packet has so many of its first bytes.
    fn beginning(&self, counts: &mut Counts) {
        let first = &self.first;
        if first.len() < SIGNATURE_BYTES.len() {
            return;
        }
        let pairs = first.iter().zip(SIGNATURE_BYTES).enumerate();
        let wrong: Vec<usize> = pairs
            .filter(|(_, (a, b))| *a != b)
            .map(|(at, _)| at)
            .collect();
        let behind_reset = self.is_behind_reset;
        match wrong[..] {
            [] => {
                counts.hit(&SIGNATURES, "whole", 0);
                counts.hit_if(
                    behind_reset,
                    &SIGNATURES,
                    "in the first packet after a reset",
                );
            }
            [at] => {
                let names = ["wrong in byte 1", "wrong in byte 2", "wrong in byte 3"];
                counts.hit(&SIGNATURES, names[at], 0);
            }
            _ => {}
        }
    }

    /// A U+FEFF ended at the newest byte.
    fn marks(&self, counts: &mut Counts) {
        let signed = self.first == SIGNATURE_BYTES;
        match self.bytes {
            3 => {}
            6 if signed => counts.hit(&SIGNATURES, "U+FEFF after a signature", 0),
            _ => counts.hit(&SIGNATURES, "U+FEFF elsewhere", 0),
        }
    }

    /// The packet ended; its last beat may be without any byte.
    fn end(&mut self, without_byte: bool, counts: &mut Counts) {
        let packet = std::mem::replace(self, Self::of(self.grammar));
        counts.hit(&LENGTHS, "", (packet.bytes % counts.lanes as u64) as usize);
        counts.hit_if(packet.bytes == 0, &PACKETS, "empty");
        let late = without_byte && packet.bytes > 0;
        counts.hit_if(late, &PACKETS, "ends in a beat without any byte");
        counts.hit_if(packet.beats > 256, &PACKETS, "longer than 256 beats");
        if SIGNATURE_BYTES.starts_with(&packet.first) {
            match packet.bytes {
                1 => counts.hit(&SIGNATURES, "cut by the packet's end after byte 1", 0),
                2 => counts.hit(&SIGNATURES, "cut by the packet's end after byte 2", 0),
                3 if late => counts.hit(&SIGNATURES, LATE_SIGNATURE, 0),
                3 => counts.hit(&SIGNATURES, "alone in its packet", 0),
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hdl::config::{Grammar, Request};

    /// The points that a packet of one lane reaches, byte by byte, with an idle before each.
    fn reached(grammar: Grammar, bytes: &[u8]) -> Vec<String> {
        let request = Request {
            lanes: Some(1),
            grammar: Some(grammar),
            ..Request::default()
        };
        let config = request.resolve().expect("a core");
        let mut counts = Counts::of(&config);
        let mut packet = Packet::of(crate::grammar::grammar(&config));
        for (at, &byte) in bytes.iter().enumerate() {
            packet.pause(false);
            packet.beat(&[(0, byte)], at + 1 == bytes.len(), &mut counts);
        }
        let hits = counts.hits();
        let reached = hits.iter().filter(|(_, _, count)| *count > 0);
        reached
            .map(|(group, point, _)| format!("{group}: {point}"))
            .collect()
    }

    #[test]
    fn the_longest_pieces_are_seen_whole() {
        for (grammar, bytes, sorts) in [
            (
                Grammar::Rfc3629,
                &b"\xF4\x8F\xBF\xBF\xF1\x80\x80A\xF1\x80\x80"[..],
                ["scalar/4", "truncated/3", "truncated_at_end/3"],
            ),
            (
                Grammar::Rfc2279,
                b"\xFD\xBF\xBF\xBF\xBF\xBF\xFC\x84\x80\x80\x80A\xFC\x84\x80\x80\x80",
                ["scalar/6", "truncated/5", "truncated_at_end/5"],
            ),
        ] {
            let reached = reached(grammar, bytes);
            let has = |point: String| assert!(reached.contains(&point), "{point}: {reached:?}");
            for piece in sorts {
                let length: usize = piece[piece.len() - 1..].parse().expect("a length");
                has(format!("{}: {piece} lane 0", PIECES.name));
                has(format!("{}: {piece} after byte {}", IDLES.name, length - 1));
            }
            has(format!("{}: {}", LONG_WAITS.name, sorts[1]));
        }
    }

    #[test]
    fn a_packet_after_a_reset_has_the_grammar_of_the_one_before() {
        let mut packet = Packet::of(golden::Grammar::Rfc2279);
        packet.reset();
        assert_eq!(packet.grammar, golden::Grammar::Rfc2279);
        packet.oracle.push(0xFD);
        assert!(packet.is_in_sequence());
    }
}
