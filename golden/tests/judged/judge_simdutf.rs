//! Judge: simdutf, the only other decoder here that names the fault.
//!
//! Shows that the first fault is at the same position, and that its kind is simdutf's under the mapping of
//! [`golden::Kind`]: one to one where simdutf's whole sequence is present, and `TOO_SHORT` exactly elsewhere.

use golden::{Kind, verdict};
use simdutf::ErrorCode;

use crate::inputs;

/// Whether simdutf's whole sequence is present: `rest` begins with a byte whose header bits ask for 0..=3 tails, and
/// that many bytes 80..BF follow it, whatever value they make. Nothing is not a sequence.
fn whole_sequence_is_present(rest: &[u8]) -> bool {
    let Some(first) = rest.first() else {
        return false;
    };
    let tails = match first {
        0x00..=0xBF | 0xF8..=0xFF => 0,
        0xC0..=0xDF => 1,
        0xE0..=0xEF => 2,
        0xF0..=0xF7 => 3,
    };
    rest.len() > tails
        && rest[1..=tails]
            .iter()
            .all(|byte| (0x80..=0xBF).contains(byte))
}

/// simdutf's name for the fault `kind` at the beginning of `rest`. This is where the two views differ: `ED A0 41` is
/// a surrogate here, since no third byte could have made it well-formed, and `TOO_SHORT` to simdutf, which misses the
/// third byte first.
fn simdutf_name(kind: Kind, rest: &[u8]) -> ErrorCode {
    let whole = whole_sequence_is_present(rest);
    match kind {
        Kind::None => ErrorCode::Success,
        Kind::StrayContinuation => ErrorCode::TooLong,
        Kind::InvalidByte => ErrorCode::HeaderBits,
        Kind::Overlong if whole => ErrorCode::OverLong,
        Kind::Surrogate if whole => ErrorCode::Surrogate,
        Kind::TooLarge if whole => ErrorCode::TooLarge,
        Kind::Overlong | Kind::Surrogate | Kind::TooLarge => ErrorCode::TooShort,
        Kind::Truncated | Kind::TruncatedAtEnd => {
            assert!(!whole, "{rest:02X?}: {} but whole", kind.name());
            ErrorCode::TooShort
        }
    }
}

fn agrees(packet: &[u8]) {
    let ours = verdict(packet);
    let position = usize::try_from(ours.valid_up_to).expect("a position in a slice");
    let theirs = simdutf::validate_utf8_with_errors(packet);
    assert_eq!(theirs.count, position, "{packet:02X?}");
    let name = simdutf_name(ours.kind, &packet[position..]);
    assert_eq!(theirs.error, name, "{packet:02X?}");
}

#[test]
fn first_fault_of_every_short_string() {
    inputs::every_short_string(agrees);
}

#[test]
fn first_fault_of_every_edge_string() {
    inputs::every_edge_string(agrees);
}

#[test]
fn first_fault_of_seeded_mixes() {
    inputs::seeded_mixes(agrees);
}

#[test]
fn where_the_views_differ() {
    // packet, kind here, name there
    let table: [(&[u8], Kind, ErrorCode); 9] = [
        (b"\xED\xA0\x80", Kind::Surrogate, ErrorCode::Surrogate),
        (b"\xED\xA0\x41", Kind::Surrogate, ErrorCode::TooShort),
        (b"\xED\xA0", Kind::Surrogate, ErrorCode::TooShort),
        (b"\xC0\x80", Kind::Overlong, ErrorCode::OverLong),
        (b"\xC0", Kind::Overlong, ErrorCode::TooShort),
        (b"\xF4\x90\x80\x80", Kind::TooLarge, ErrorCode::TooLarge),
        (b"\xF4\x90\x80", Kind::TooLarge, ErrorCode::TooShort),
        (b"\xE1\x80\x41", Kind::Truncated, ErrorCode::TooShort),
        (b"\xE1\x80", Kind::TruncatedAtEnd, ErrorCode::TooShort),
    ];
    for (packet, kind, error) in table {
        assert_eq!(verdict(packet).kind, kind, "{packet:02X?}");
        let theirs = simdutf::validate_utf8_with_errors(packet);
        assert_eq!(theirs.error, error, "{packet:02X?}");
    }
}
