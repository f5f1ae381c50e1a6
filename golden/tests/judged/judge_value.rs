//! Judge: arithmetic. The kind of *every* ill-formed piece, from the values it could still have become.
//!
//! The other judges name at most the first fault. This one takes the bit patterns of RFC 3629 section 3, or of RFC 2279
//! section 2, alone, with no range of bytes: a piece, and the byte after it if that is a tail, fix the first bits of a value. Fill the rest
//! with zeros, then with ones: if even the greatest is below the least for its length the piece is overlong, if all are
//! surrogates it is a surrogate, if even the least is above 10FFFF (in RFC 2279 of more than 31 bits) it is too large, and otherwise it was cut.

use golden::{Event, Grammar, Kind, events_of};

use crate::{inputs, inputs_rfc2279};

fn is_tail(byte: u8) -> bool {
    byte.leading_ones() == 1
}

/// The kind of the piece of `length` bytes at the start of `rest`, which goes to the packet's end.
fn kind(grammar: Grammar, rest: &[u8], length: usize) -> Kind {
    let (longest, greatest) = match grammar {
        Grammar::Rfc3629 => (4, 0x10_FFFF),
        Grammar::Rfc2279 => (6, 0x7FFF_FFFF),
    };
    // The least value for the length, and the length, by the first byte's header bits.
    let (least, whole) = match rest[0].leading_ones() {
        1 => return Kind::StrayContinuation,
        2 => (0x80, 2),
        3 => (0x800, 3),
        4 => (0x1_0000, 4),
        5 => (0x20_0000, 5),
        6 => (0x400_0000, 6),
        _ => return Kind::InvalidByte,
    };
    if whole > longest {
        return Kind::InvalidByte;
    }
    let next = rest.get(length).filter(|&&byte| is_tail(byte));
    let known = length + usize::from(next.is_some());
    let lead = u32::from(rest[0]) & (0x7F >> whole);
    let value = rest[1..known]
        .iter()
        .fold(lead, |value, &byte| value << 6 | u32::from(byte & 0x3F));
    let missing = 6 * (whole - known);
    let lowest = value << missing;
    let highest = lowest + (1 << missing) - 1;
    if highest < least {
        Kind::Overlong
    } else if lowest >= 0xD800 && highest <= 0xDFFF {
        Kind::Surrogate
    } else if lowest > greatest {
        Kind::TooLarge
    } else if length < rest.len() {
        Kind::Truncated
    } else {
        Kind::TruncatedAtEnd
    }
}

fn agrees(packet: &[u8]) {
    agrees_under(Grammar::Rfc3629, packet);
}

fn agrees_in_rfc2279(packet: &[u8]) {
    agrees_under(Grammar::Rfc2279, packet);
}

fn agrees_under(grammar: Grammar, packet: &[u8]) {
    for (last, event) in events_of(grammar, packet) {
        if let Event::IllFormed { kind: ours, length } = event {
            let length = usize::from(length);
            let rest = &packet[last + 1 - length..];
            assert_eq!(
                ours,
                kind(grammar, rest, length),
                "{packet:02X?} at byte {last}"
            );
        }
    }
}

#[test]
fn kinds_in_every_short_string() {
    inputs::every_short_string(agrees);
}

#[test]
fn kinds_in_every_edge_string() {
    inputs::every_edge_string(agrees);
}

#[test]
fn kinds_in_seeded_mixes() {
    inputs::seeded_mixes(agrees);
}

#[test]
fn kinds_in_every_short_string_in_rfc2279() {
    inputs::every_short_string(agrees_in_rfc2279);
}

#[test]
fn kinds_in_every_edge_string_in_rfc2279() {
    inputs_rfc2279::every_edge_string(agrees_in_rfc2279);
}

#[test]
fn kinds_in_seeded_mixes_in_rfc2279() {
    inputs_rfc2279::seeded_mixes(200_000, agrees_in_rfc2279);
}
