//! The pieces that a packet can be made of, by name.

use golden::{Event, Grammar, Kind};
use std::sync::LazyLock;

/// The pieces of a grammar. What it does not know as a piece has no name.
pub struct Pieces {
    /// By their length in bytes, from 1 on.
    scalars: Vec<String>,
    /// By their kind's code, and by their length.
    ill_formed: [Vec<String>; Kind::ALL.len()],
    /// Kinds that the byte after the piece decides: how an [`unsettled`](Self::unsettled) piece can be ill-formed.
    unsettled: Vec<Kind>,
}

static RFC3629: LazyLock<Pieces> = LazyLock::new(|| Pieces::new(Grammar::Rfc3629));
static RFC2279: LazyLock<Pieces> = LazyLock::new(|| Pieces::new(Grammar::Rfc2279));

/// Kinds that no fault of a grammar names: what is left of a sequence that was cut.
const CUT: [Kind; 2] = [Kind::Truncated, Kind::TruncatedAtEnd];

impl Pieces {
    pub fn of(grammar: Grammar) -> &'static Self {
        match grammar {
            Grammar::Rfc3629 => &RFC3629,
            Grammar::Rfc2279 => &RFC2279,
        }
    }

    fn new(grammar: Grammar) -> Self {
        let names = |name: &str, longest| {
            let lengths = 1..=longest;
            lengths
                .map(|length| format!("{name}/{length}"))
                .collect::<Vec<_>>()
        };
        let faults = |kind| grammar.faults().iter().filter(move |it| it.kind == kind);
        let longest = |kind| match CUT.contains(&kind) {
            true => grammar.longest() - 1,
            false => usize::from(faults(kind).next().is_some()),
        };
        let follows = |&kind: &Kind| {
            let by_next = faults(kind).any(|fault| fault.before.is_some());
            by_next || CUT.contains(&kind)
        };
        Self {
            scalars: names("scalar", grammar.longest()),
            ill_formed: Kind::ALL.map(|kind| names(kind.name(), longest(kind))),
            unsettled: Kind::ALL.into_iter().filter(follows).collect(),
        }
    }

    /// Every piece there can be, with its bytes.
    pub fn every(&self) -> impl Iterator<Item = (&str, usize)> {
        let sorts = [&self.scalars].into_iter().chain(&self.ill_formed);
        sorts.flat_map(|names| names.iter().map(String::as_str).zip(1..))
    }

    /// The piece that an event ends.
    pub fn name(&self, event: Event) -> Option<&str> {
        let names = match event {
            Event::Scalar(_) => &self.scalars,
            Event::IllFormed { kind, .. } => self.of_kind(kind),
        };
        let index = usize::from(event.length()).checked_sub(1)?;
        names.get(index).map(String::as_str)
    }

    fn of_kind(&self, kind: Kind) -> &[String] {
        &self.ill_formed[usize::from(kind.code())]
    }

    /// Pieces that end where nothing tells yet that they do.
    pub fn unsettled(&self) -> impl Iterator<Item = &str> {
        let names = self.unsettled.iter().flat_map(|&kind| self.of_kind(kind));
        names.map(String::as_str)
    }

    /// What a packet's first error can be.
    pub fn first_errors(&self) -> impl Iterator<Item = &str> {
        let kinds = Kind::ALL.into_iter().flat_map(|kind| {
            let names = self.of_kind(kind);
            // What the packet's end cuts has no length.
            match kind {
                Kind::TruncatedAtEnd => &[],
                _ => names,
            }
        });
        kinds
            .map(String::as_str)
            .chain([Kind::TruncatedAtEnd.name()])
    }

    /// A packet's first error, as its verdict tells it.
    pub fn first_error(&self, kind: Kind, length: u8) -> Option<&str> {
        match kind {
            Kind::TruncatedAtEnd => Some(kind.name()),
            _ => self.name(Event::IllFormed { kind, length }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use golden::Oracle;
    use std::collections::BTreeSet;

    #[test]
    fn the_pieces_are_those_of_the_rfcs() {
        let every = |grammar| Pieces::of(grammar).every().collect::<Vec<_>>();
        let expected = [
            ("scalar/1", 1),
            ("scalar/2", 2),
            ("scalar/3", 3),
            ("scalar/4", 4),
            ("stray_continuation/1", 1),
            ("invalid_byte/1", 1),
            ("overlong/1", 1),
            ("surrogate/1", 1),
            ("too_large/1", 1),
            ("truncated/1", 1),
            ("truncated/2", 2),
            ("truncated/3", 3),
            ("truncated_at_end/1", 1),
            ("truncated_at_end/2", 2),
            ("truncated_at_end/3", 3),
        ];
        assert_eq!(every(Grammar::Rfc3629), expected);
        let mut longer = expected.to_vec();
        longer.retain(|(name, _)| *name != "too_large/1");
        longer.extend([("scalar/5", 5), ("scalar/6", 6)]);
        longer.extend([("truncated/4", 4), ("truncated/5", 5)]);
        longer.extend([("truncated_at_end/4", 4), ("truncated_at_end/5", 5)]);
        longer.sort_unstable();
        let mut found = every(Grammar::Rfc2279);
        found.sort_unstable();
        assert_eq!(found, longer);
    }

    /// The oracle decides which pieces wait, whether for a byte or for the packet's end.
    #[test]
    fn unsettled_pieces_are_those_that_wait_for_the_next_byte() {
        for grammar in Grammar::ALL {
            let pieces = Pieces::of(grammar);
            let mut waited = BTreeSet::new();
            for (lead, second) in (0..=0xFF).flat_map(|lead| [0x80, 0xBF].map(|it| (lead, it))) {
                for length in 1..=grammar.longest() {
                    let begun = &[lead, second, 0x80, 0x80, 0x80, 0x80][..length];
                    let mut oracle = Oracle::of(grammar);
                    // Cut by a byte that is no tail, and by the packet's end.
                    let cut = begun.iter().copied().chain([b'A']);
                    let settled = cut.map(|byte| oracle.push(byte).before).collect::<Vec<_>>();
                    for &byte in begun {
                        oracle.push(byte);
                    }
                    let events = settled.into_iter().chain([oracle.finish()]).flatten();
                    waited.extend(events.filter_map(|event| pieces.name(event)));
                }
            }
            let unsettled: BTreeSet<&str> = pieces.unsettled().collect();
            assert_eq!(unsettled, waited, "{grammar:?}");
        }
    }

    #[test]
    fn every_event_ends_a_piece_of_its_length() {
        for grammar in Grammar::ALL {
            let pieces = Pieces::of(grammar);
            let values = [0x7F, 0x80, 0x800, 0x10_000, 0x20_0000, 0x400_0000];
            for (value, length) in values.into_iter().zip(1..=grammar.longest()) {
                let name = pieces.name(Event::Scalar(value));
                assert_eq!(name, Some(format!("scalar/{length}").as_str()));
            }
            for kind in &Kind::ALL[1..] {
                let most = if CUT.contains(kind) {
                    grammar.longest() - 1
                } else {
                    1
                };
                for length in 1..=most as u8 {
                    let kind = *kind;
                    let named = pieces.name(Event::IllFormed { kind, length });
                    if (grammar, kind) == (Grammar::Rfc2279, Kind::TooLarge) {
                        assert_eq!(named, None);
                        continue;
                    }
                    assert_eq!(named, Some(format!("{}/{length}", kind.name()).as_str()));
                    let first = pieces.first_error(kind, length);
                    assert!(pieces.first_errors().any(|name| Some(name) == first));
                }
                let (kind, length) = (*kind, most as u8 + 1);
                assert_eq!(pieces.name(Event::IllFormed { kind, length }), None);
            }
        }
    }

    #[test]
    fn first_errors_are_as_many_as_a_verdict_tells_apart() {
        let count = |grammar| Pieces::of(grammar).first_errors().count();
        assert_eq!(Grammar::ALL.map(count), [9, 10]);
    }
}
