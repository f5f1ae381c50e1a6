//! Packets that may begin and end within a sequence, as captures and segments do: what is cut there is no error.
//!
//! RFC 3629 section 1: "Character boundaries are easily found from anywhere in an octet stream". Continuation bytes at the beginning are the
//! rest of a sequence that began before, but no more of them than a sequence has; a sequence that the end cuts goes on behind it.

use crate::kind::Kind;
use crate::oracle::{Event, events};
use crate::verdict::{Tally, Verdict};

/// A sequence of RFC 3629 has at most four bytes, of which the first is no continuation byte.
const MOST_CONTINUATIONS: u64 = 3;

/// What the edges of a packet have cut.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Edges {
    /// Bytes before the packet's first boundary, 0..=3.
    pub head: u8,
    /// Bytes of the sequence that its end cuts, 0..=3.
    pub tail: u8,
}

impl Edges {
    /// Takes the packet's next event, which `before` bytes come before: whether an edge has cut its piece.
    pub fn cut(&mut self, event: Event, before: u64) -> bool {
        let Event::IllFormed { kind, length } = event else {
            return false;
        };
        // Every byte so far was of the head, if there were as many.
        let is_head = before == u64::from(self.head) && before < MOST_CONTINUATIONS;
        match kind {
            Kind::StrayContinuation if is_head => self.head += length,
            Kind::TruncatedAtEnd => self.tail = length,
            _ => return false,
        }
        true
    }

    /// Whether they have cut anything.
    pub fn are_cut(self) -> bool {
        self != Self::default()
    }
}

/// The verdict on a whole packet that may begin and end within a sequence, and what its edges have cut: no error, but `well_formed` is that
/// of the whole packet.
pub fn verdict_within_edges(packet: &[u8]) -> (Verdict, Edges) {
    let (mut tally, mut edges, mut before) = (Tally::new(), Edges::default(), 0);
    for (_, event) in events(packet) {
        match edges.cut(event, before) {
            true => tally.observe_cut(event.length()),
            false => tally.observe(event),
        }
        before += u64::from(event.length());
    }
    let verdict = tally.finish();
    let well_formed = verdict.well_formed && !edges.are_cut();
    (
        Verdict {
            well_formed,
            ..verdict
        },
        edges,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bytes between the edges, by what every byte is in RFC 3629 section 3's table.
    fn between(packet: &[u8]) -> &[u8] {
        let is_continuation = |byte: &u8| byte & 0xC0 == 0x80;
        let head = packet
            .iter()
            .take(3)
            .take_while(|byte| is_continuation(byte));
        &packet[head.count()..]
    }

    /// Rust's own decoder says of the bytes after the head where the first error is, and `None` of a sequence that the end cuts.
    fn is_as_in_rust(packet: &[u8]) {
        let (verdict, edges) = verdict_within_edges(packet);
        let rest = between(packet);
        let head = packet.len() - rest.len();
        assert_eq!(usize::from(edges.head), head, "{packet:02X?}");
        assert_eq!(verdict.well_formed, str::from_utf8(packet).is_ok());
        let error = str::from_utf8(rest).err();
        let first = error.filter(|error| error.error_len().is_some());
        let up_to = first.map_or(packet.len(), |error| head + error.valid_up_to());
        assert_eq!(verdict.valid_up_to, up_to as u64, "{packet:02X?}");
        let length = first.and_then(|error| error.error_len());
        assert_eq!(verdict.error_len.map(usize::from), length, "{packet:02X?}");
        assert_eq!(verdict.kind == Kind::None, first.is_none());
        let pieces: Vec<_> = rest.utf8_chunks().collect();
        let cut = pieces.last().map_or(0, |last| {
            let is_cut = str::from_utf8(last.invalid()).is_err_and(|it| it.error_len().is_none());
            if is_cut { last.invalid().len() } else { 0 }
        });
        assert_eq!(usize::from(edges.tail), cut, "{packet:02X?}");
        let invalid = pieces.iter().filter(|it| !it.invalid().is_empty()).count();
        assert_eq!(verdict.ill_formed, (invalid - usize::from(cut > 0)) as u64);
        let scalars: usize = pieces.iter().map(|it| it.valid().chars().count()).sum();
        assert_eq!(verdict.scalars, scalars as u64);
        assert_eq!(verdict.bytes, packet.len() as u64);
    }

    #[test]
    fn all_packets_of_some_bytes_are_as_in_rust() {
        const BYTES: [u8; 10] = [0x41, 0x80, 0x8F, 0xBF, 0xC3, 0xE0, 0xED, 0xF0, 0xF4, 0xFF];
        for length in 0..=6_u32 {
            for number in 0..BYTES.len().pow(length) {
                let byte = |place| BYTES[number / BYTES.len().pow(place) % BYTES.len()];
                is_as_in_rust(&(0..length).map(byte).collect::<Vec<u8>>());
            }
        }
    }

    #[test]
    fn every_cut_of_a_text_is_without_error() {
        let text = "a\u{e9}\u{20ac}\u{1f600}\u{10ffff}".as_bytes();
        for begin in 0..=text.len() {
            for end in begin..=text.len() {
                let (verdict, edges) = verdict_within_edges(&text[begin..end]);
                assert_eq!(verdict.ill_formed, 0, "{begin}..{end}");
                assert_eq!(verdict.well_formed, !edges.are_cut(), "{begin}..{end}");
            }
        }
    }

    #[test]
    fn a_fourth_continuation_byte_is_stray() {
        let (verdict, edges) = verdict_within_edges(b"\x80\x81\x82\x83a\xF0\x9F");
        assert_eq!(edges, Edges { head: 3, tail: 2 });
        assert_eq!((verdict.valid_up_to, verdict.ill_formed), (3, 1));
        assert_eq!(verdict.kind, Kind::StrayContinuation);
    }
}
