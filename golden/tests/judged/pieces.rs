//! The oracle's events, put the way that other decoders put theirs.

use golden::{Event, events};

/// Writes the text that the oracle's events spell, each ill-formed piece as U+FFFD, over `text`; returns how many
/// pieces were ill-formed.
///
/// Each value is encoded anew, by `std`, so that a wrong value shows in the text as well as a wrong split.
pub fn lossy(packet: &[u8], text: &mut String) -> u64 {
    text.clear();
    let mut ill_formed = 0;
    for (_, event) in events(packet) {
        text.push(match event {
            Event::Scalar(value) => char::from_u32(value)
                .unwrap_or_else(|| panic!("{packet:02X?}: {value:X} is not a scalar value")),
            Event::IllFormed { .. } => {
                ill_formed += 1;
                char::REPLACEMENT_CHARACTER
            }
        });
    }
    ill_formed
}

/// A stretch of well-formed bytes, perhaps empty, and the ill-formed piece that ends it, empty only at the packet's
/// end: the chunks of `std` and `bstr`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chunk<'a> {
    pub valid: &'a [u8],
    pub invalid: &'a [u8],
    /// Whether the ill-formed piece was cut by the packet's end.
    pub cut_by_end: bool,
}

/// The chunks of a packet, from the oracle's offsets and lengths alone.
pub fn chunks(packet: &[u8]) -> impl Iterator<Item = Chunk<'_>> {
    let mut events = events(packet);
    let mut begin = 0;
    std::iter::from_fn(move || {
        for (last, event) in events.by_ref() {
            if let Event::IllFormed { kind, length } = event {
                let middle = last + 1 - usize::from(length);
                let chunk = Chunk {
                    valid: &packet[begin..middle],
                    invalid: &packet[middle..=last],
                    cut_by_end: kind == golden::Kind::TruncatedAtEnd,
                };
                begin = last + 1;
                return Some(chunk);
            }
        }
        let rest = &packet[begin..];
        begin = packet.len();
        (!rest.is_empty()).then_some(Chunk {
            valid: rest,
            invalid: &[],
            cut_by_end: false,
        })
    })
}
