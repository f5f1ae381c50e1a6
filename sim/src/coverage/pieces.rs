//! The pieces that a packet can be made of, by name.

use golden::{Event, Kind};

/// Every piece there can be, with its bytes.
pub const EVERY_PIECE: [(&str, usize); 15] = [
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

/// The piece that an event ends.
pub fn piece(event: Event) -> &'static str {
    let length = usize::from(event.length());
    let index = match event {
        Event::Scalar(_) => length - 1,
        Event::IllFormed {
            kind: Kind::Truncated,
            ..
        } => 8 + length,
        Event::IllFormed {
            kind: Kind::TruncatedAtEnd,
            ..
        } => 11 + length,
        Event::IllFormed { kind, .. } => 3 + usize::from(kind.code()),
    };
    EVERY_PIECE[index].0
}

/// Pieces that end where nothing tells yet that they do.
pub const UNSETTLED: [&str; 9] = [
    "overlong/1",
    "surrogate/1",
    "too_large/1",
    "truncated/1",
    "truncated/2",
    "truncated/3",
    "truncated_at_end/1",
    "truncated_at_end/2",
    "truncated_at_end/3",
];

/// What a packet's first error can be.
pub const EVERY_FIRST_ERROR: [&str; 9] = [
    "stray_continuation/1",
    "invalid_byte/1",
    "overlong/1",
    "surrogate/1",
    "too_large/1",
    "truncated/1",
    "truncated/2",
    "truncated/3",
    "truncated_at_end",
];

/// A packet's first error, as its verdict tells it: what the packet's end cuts has no length.
pub fn first_error(kind: Kind, length: u8) -> &'static str {
    let before = if kind == Kind::Truncated {
        usize::from(length) - 1
    } else {
        0
    };
    let index = match kind {
        Kind::TruncatedAtEnd => 8,
        _ => usize::from(kind.code()) - 1 + before,
    };
    EVERY_FIRST_ERROR[index]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_event_ends_a_piece_of_its_length() {
        for (value, name) in [(0x7F, 0), (0x80, 1), (0x800, 2), (0x10_000, 3)] {
            assert_eq!(piece(Event::Scalar(value)), EVERY_PIECE[name].0);
        }
        for kind in &Kind::ALL[1..] {
            let cut = matches!(kind, Kind::Truncated | Kind::TruncatedAtEnd);
            for length in 1..=if cut { 3 } else { 1 } {
                let name = piece(Event::IllFormed {
                    kind: *kind,
                    length,
                });
                assert_eq!(name, format!("{}/{length}", kind.name()));
                assert!(EVERY_PIECE.contains(&(name, length.into())));
            }
        }
    }
}
