//! What is to be said of a packet as a whole.
//!
//! The verdict is kept apart from the oracle because it is a sum over events: the validator core reduces the same
//! events by trees, and the cycle model feeds this tally with events that it has delayed.

use serde::Serialize;

use crate::grammar::Grammar;
use crate::kind::Kind;
use crate::oracle::{Event, events_of};

/// The byte order mark: a signature where it is the first scalar value of a packet (RFC 3629 section 6).
pub const SIGNATURE: u32 = 0xFEFF;

/// The verdict on one packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Verdict {
    pub well_formed: bool,
    /// How many bytes come before the first ill-formed piece, as `std::str::Utf8Error::valid_up_to`; all of them if
    /// there is none.
    pub valid_up_to: u64,
    /// `None` if the packet is well-formed. `Some(0)` if its first fault is a sequence cut by the end, which is
    /// `std::str::Utf8Error::error_len`'s `None`. Otherwise the length, 1..=3 (in RFC 2279 1..=5), of the first
    /// ill-formed piece.
    pub error_len: Option<u8>,
    /// The kind of the first ill-formed piece.
    pub kind: Kind,
    pub bytes: u64,
    pub scalars: u64,
    /// How many pieces are ill-formed: the number of U+FFFD a lossy decoder writes for them.
    pub ill_formed: u64,
    /// The packet began with a signature, whether or not it was stripped.
    pub signature: bool,
}

impl Verdict {
    /// The verdict on an empty packet.
    const EMPTY: Self = Self {
        well_formed: true,
        valid_up_to: 0,
        error_len: None,
        kind: Kind::None,
        bytes: 0,
        scalars: 0,
        ill_formed: 0,
        signature: false,
    };
}

/// Adds a packet's events up to its verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tally {
    verdict: Verdict,
}

impl Tally {
    /// A tally at the start of a packet.
    pub const fn new() -> Self {
        Self {
            verdict: Verdict::EMPTY,
        }
    }

    /// Takes the packet's next event.
    #[inline]
    pub fn observe(&mut self, event: Event) {
        let verdict = &mut self.verdict;
        let length = event.length();
        match event {
            Event::Scalar(value) => {
                // Every piece has a byte, so the first event is the one that finds none counted.
                verdict.signature |= value == SIGNATURE && verdict.bytes == 0;
                verdict.scalars += 1;
                if verdict.well_formed {
                    verdict.valid_up_to += u64::from(length);
                }
            }
            Event::IllFormed { kind, .. } => {
                if verdict.well_formed {
                    verdict.well_formed = false;
                    verdict.kind = kind;
                    verdict.error_len = Some(match kind {
                        Kind::TruncatedAtEnd => 0,
                        _ => length,
                    });
                }
                verdict.ill_formed += 1;
            }
        }
        verdict.bytes += u64::from(length);
    }

    /// Takes the packet's next `count` events, if all of them are scalar values of one byte.
    #[inline]
    pub fn observe_ascii(&mut self, count: u64) {
        let verdict = &mut self.verdict;
        verdict.bytes += count;
        verdict.scalars += count;
        if verdict.well_formed {
            verdict.valid_up_to += count;
        }
    }

    /// Takes the packet's next piece, which its edge has cut: `length` bytes that are no error.
    #[inline]
    pub fn observe_cut(&mut self, length: u8) {
        let verdict = &mut self.verdict;
        verdict.bytes += u64::from(length);
        if verdict.well_formed {
            verdict.valid_up_to += u64::from(length);
        }
    }

    /// Counts a signature that was stripped: no event shows it, but its bytes and its scalar value are the packet's.
    pub fn signature_stripped(&mut self) {
        debug_assert_eq!(self.verdict.bytes, 0, "a signature is the packet's first");
        self.observe(Event::Scalar(SIGNATURE));
    }

    /// What is to be said so far.
    pub fn verdict(&self) -> Verdict {
        self.verdict
    }

    /// Ends the packet. The next event is the first of a new one.
    #[inline]
    pub fn finish(&mut self) -> Verdict {
        std::mem::replace(&mut self.verdict, Verdict::EMPTY)
    }
}

impl Default for Tally {
    fn default() -> Self {
        Self::new()
    }
}

/// The verdict on a whole packet under RFC 3629.
pub fn verdict(packet: &[u8]) -> Verdict {
    verdict_of(Grammar::Rfc3629, packet)
}

/// The verdict on a whole packet under a grammar.
pub fn verdict_of(grammar: Grammar, packet: &[u8]) -> Verdict {
    let mut tally = Tally::new();
    events_of(grammar, packet).for_each(|(_, event)| tally.observe(event));
    tally.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::events;

    #[test]
    fn an_empty_packet_is_well_formed() {
        assert_eq!(verdict(b""), Verdict::EMPTY);
    }

    #[test]
    fn only_the_first_fault_is_described_and_all_are_counted() {
        let expected = Verdict {
            well_formed: false,
            valid_up_to: 1,
            error_len: Some(2),
            kind: Kind::Truncated,
            bytes: 7,
            scalars: 2,
            ill_formed: 3,
            signature: false,
        };
        assert_eq!(verdict(b"A\xE1\x80B\xFF\xF0\x90"), expected);
    }

    #[test]
    fn a_sequence_cut_by_the_end_has_error_len_zero() {
        let verdict = verdict(b"A\xF0\x90\x80");
        assert_eq!(verdict.valid_up_to, 1);
        assert_eq!(verdict.error_len, Some(0));
        assert_eq!(verdict.kind, Kind::TruncatedAtEnd);
        assert_eq!(verdict.ill_formed, 1);
    }

    #[test]
    fn a_signature_is_a_signature_only_at_the_start() {
        assert!(verdict(b"\xEF\xBB\xBF").signature);
        assert!(verdict(b"\xEF\xBB\xBF\xFF").signature);
        assert!(!verdict(b"A\xEF\xBB\xBF").signature);
        assert!(!verdict(b"\xFF\xEF\xBB\xBF").signature);
        assert!(!verdict(b"\xEF\xBB").signature);
        assert!(!verdict(b"\xEF\xBF\xBE").signature);
    }

    #[test]
    fn a_stripped_signature_leaves_the_same_verdict() {
        let mut tally = Tally::new();
        for rest in [&b""[..], b"A", b"\xFF", b"\xEF\xBB\xBF", b"A\xE1\x80"] {
            tally.signature_stripped();
            events(rest).for_each(|(_, event)| tally.observe(event));
            let whole = [b"\xEF\xBB\xBF", rest].concat();
            assert_eq!(tally.finish(), verdict(&whole), "{whole:02X?}");
        }
    }

    #[test]
    fn finish_begins_a_new_packet() {
        let mut tally = Tally::new();
        tally.observe(Event::Scalar(SIGNATURE));
        tally.finish();
        assert_eq!(tally.finish(), Verdict::EMPTY);
    }

    #[test]
    fn serializes_with_its_field_names_in_order() {
        let json = serde_json::to_string(&verdict(b"\xEF\xBB\xBFA\xED\xA0\x80"));
        assert_eq!(
            json.expect("a verdict serializes"),
            concat!(
                r#"{"well_formed":false,"valid_up_to":4,"error_len":1,"kind":"surrogate","#,
                r#""bytes":7,"scalars":2,"ill_formed":3,"signature":true}"#,
            )
        );
        let json = serde_json::to_value(verdict(b"")).expect("a verdict serializes");
        assert_eq!(json["error_len"], serde_json::Value::Null);
        assert_eq!(json["kind"], "none");
    }
}
