//! The untimed truth: bytes in, the event of each byte out, one byte at a time.
//!
//! A packet splits in exactly one way into well-formed sequences and maximal subparts of ill-formed ones (Unicode 16,
//! section 3.9, "U+FFFD Substitution of Maximal Subparts"). Each piece has one event, on its last byte. The oracle
//! walks the automaton that `table.rs` compiles from the grammar, so a push costs one look-up.

use crate::grammar::Grammar;
use crate::kind::Kind;
use crate::table::{Settled, Table};

/// What ended at a byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A well-formed sequence; its scalar value (21 bits), in RFC 2279 of 31 bits.
    Scalar(u32),
    /// A maximal subpart of an ill-formed sequence, `length` bytes (1..=3, in RFC 2279 1..=5) long.
    IllFormed { kind: Kind, length: u8 },
}

impl Event {
    /// How many bytes the piece has that this event ends.
    pub const fn length(self) -> u8 {
        match self {
            // The first column of the table in RFC 2279 section 2. Its first rows are those of RFC 3629 section 3, where
            // the fourth ends at 10FFFF: above that only RFC 2279 has values.
            Self::Scalar(0x0000_0000..=0x0000_007F) => 1,
            Self::Scalar(0x0000_0080..=0x0000_07FF) => 2,
            Self::Scalar(0x0000_0800..=0x0000_FFFF) => 3,
            Self::Scalar(0x0001_0000..=0x001F_FFFF) => 4,
            Self::Scalar(0x0020_0000..=0x03FF_FFFF) => 5,
            Self::Scalar(_) => 6,
            Self::IllFormed { length, .. } => length,
        }
    }
}

/// What one byte settled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pushed {
    /// The unfinished piece that ended at the previous byte, because this byte cannot continue it: always ill-formed.
    pub before: Option<Event>,
    /// The event of this byte, if it is settled at once: a scalar that ends here, or a byte ill-formed by itself.
    pub here: Option<Event>,
}

/// Decodes one packet after another, byte by byte.
#[derive(Clone)]
pub struct Oracle {
    table: &'static Table,
    state: u8,
    /// The scalar bits of the unfinished sequence.
    value: u32,
}

impl Oracle {
    /// An oracle of RFC 3629 at the start of a packet.
    pub fn new() -> Self {
        Self::of(Grammar::Rfc3629)
    }

    /// An oracle of a grammar at the start of a packet.
    pub fn of(grammar: Grammar) -> Self {
        Self {
            table: Table::of(grammar),
            state: Table::START,
            value: 0,
        }
    }

    /// Takes the next byte of the packet.
    #[inline]
    pub fn push(&mut self, byte: u8) -> Pushed {
        let step = self.table.step(self.state, byte);
        let carried = if step.continues { self.value } else { 0 };
        self.value = (carried << step.shift) | u32::from(byte & step.mask);
        self.state = step.next;
        Pushed {
            before: step
                .before
                .map(|(kind, length)| Event::IllFormed { kind, length }),
            here: match step.settled {
                Settled::Nothing => None,
                Settled::Scalar => Some(Event::Scalar(self.value)),
                Settled::IllFormed(kind) => Some(Event::IllFormed { kind, length: 1 }),
            },
        }
    }

    /// True while the newest byte's sequence is unfinished: its event waits for the next byte or the packet's end.
    #[inline]
    pub fn is_open(&self) -> bool {
        self.state != Table::START
    }

    /// Ends the packet: the unfinished piece, if any, as truncated at the end. The next byte begins a new packet.
    #[inline]
    pub fn finish(&mut self) -> Option<Event> {
        let length = self.table.open_length(self.state);
        self.reset();
        (length > 0).then_some(Event::IllFormed {
            kind: Kind::TruncatedAtEnd,
            length,
        })
    }

    /// Drops the packet in progress. The next byte begins a new packet.
    #[inline]
    pub fn reset(&mut self) {
        self.state = Table::START;
        self.value = 0;
    }
}

impl Default for Oracle {
    fn default() -> Self {
        Self::new()
    }
}

/// The events of a whole packet in order under RFC 3629, each with the offset of the byte that ends its piece.
pub fn events(packet: &[u8]) -> Events<'_> {
    events_of(Grammar::Rfc3629, packet)
}

/// The events of a whole packet in order under a grammar, each with the offset of the byte that ends its piece.
pub fn events_of(grammar: Grammar, packet: &[u8]) -> Events<'_> {
    Events {
        oracle: Oracle::of(grammar),
        packet,
        pushed: 0,
        here: None,
    }
}

/// Iterator over the events of a packet; see [`events`].
#[derive(Clone)]
pub struct Events<'a> {
    oracle: Oracle,
    packet: &'a [u8],
    /// How many bytes of the packet the oracle has taken.
    pushed: usize,
    /// The newest byte's own event, when the byte before it had one too and goes first.
    here: Option<Event>,
}

impl Iterator for Events<'_> {
    type Item = (usize, Event);

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(event) = self.here.take() {
            return Some((self.pushed - 1, event));
        }
        while let Some(&byte) = self.packet.get(self.pushed) {
            let pushed = self.oracle.push(byte);
            self.pushed += 1;
            match (pushed.before, pushed.here) {
                (Some(event), here) => {
                    self.here = here;
                    return Some((self.pushed - 2, event));
                }
                (None, Some(event)) => return Some((self.pushed - 1, event)),
                (None, None) => {}
            }
        }
        self.oracle.finish().map(|event| (self.pushed - 1, event))
    }
}

impl std::iter::FusedIterator for Events<'_> {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_that_cuts_a_sequence_can_settle_two_pieces() {
        let mut oracle = Oracle::new();
        assert_eq!(oracle.push(0xED), Pushed::default());
        assert!(oracle.is_open());
        let pushed = oracle.push(0xA0);
        let ill_formed = |kind| Some(Event::IllFormed { kind, length: 1 });
        assert_eq!(pushed.before, ill_formed(Kind::Surrogate));
        assert_eq!(pushed.here, ill_formed(Kind::StrayContinuation));
        assert!(!oracle.is_open());
        assert_eq!(oracle.finish(), None);
    }

    #[test]
    fn an_empty_packet_has_no_events() {
        assert_eq!(events(b"").next(), None);
        assert_eq!(Oracle::new().finish(), None);
    }
}
