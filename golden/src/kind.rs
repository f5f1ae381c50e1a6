//! Why a piece is ill-formed.
//!
//! The codes are part of the contract with the hardware, which states them for itself; this is the golden side's
//! statement, and a test compares the two.

use serde::{Serialize, Serializer};

/// The fault of an ill-formed piece, decided by the piece and the byte after it.
///
/// # Against simdutf
///
/// simdutf's `validate_utf8_with_errors` names the first fault too, at the same position, but it looks at *all* the
/// tails a leading byte asks for before it looks at the value. So the two views are one to one where simdutf's whole
/// sequence is present, that is, where the leading byte is followed by as many bytes 80..BF as its header bits ask for:
///
/// | here | simdutf, whole sequence | simdutf, otherwise |
/// |---|---|---|
/// | `None` | `SUCCESS` | |
/// | `StrayContinuation` | `TOO_LONG` | |
/// | `InvalidByte` | `HEADER_BITS` | |
/// | `Overlong` | `OVERLONG` | `TOO_SHORT` |
/// | `Surrogate` | `SURROGATE` | `TOO_SHORT` |
/// | `TooLarge` | `TOO_LARGE` | `TOO_SHORT` |
/// | `Truncated` | | `TOO_SHORT` |
/// | `TruncatedAtEnd` | | `TOO_SHORT` |
///
/// For example `ED A0 80` is a surrogate to both, and `ED A0 41` is `TOO_SHORT` to simdutf and a surrogate here: no
/// third byte could have saved it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Kind {
    /// No fault.
    #[default]
    None = 0,
    /// A byte 80..BF where no sequence is open.
    StrayContinuation = 1,
    /// F8..FF; in RFC 2279 FE, FF.
    InvalidByte = 2,
    /// C0, C1, E0 before 80..9F, F0 before 80..8F; in RFC 2279 also F8 before 80..87, FC before 80..83.
    Overlong = 3,
    /// ED before A0..BF.
    Surrogate = 4,
    /// F5..F7, F4 before 90..BF; never in RFC 2279.
    TooLarge = 5,
    /// An open sequence cut by a byte that cannot continue it.
    Truncated = 6,
    /// An open sequence cut by the end of the packet.
    TruncatedAtEnd = 7,
}

impl Kind {
    /// Every kind, at the index that is its code.
    pub const ALL: [Self; 8] = [
        Self::None,
        Self::StrayContinuation,
        Self::InvalidByte,
        Self::Overlong,
        Self::Surrogate,
        Self::TooLarge,
        Self::Truncated,
        Self::TruncatedAtEnd,
    ];

    /// The name used in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::StrayContinuation => "stray_continuation",
            Self::InvalidByte => "invalid_byte",
            Self::Overlong => "overlong",
            Self::Surrogate => "surrogate",
            Self::TooLarge => "too_large",
            Self::Truncated => "truncated",
            Self::TruncatedAtEnd => "truncated_at_end",
        }
    }

    /// The three bits that stand for this kind in hardware.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The kind that `code` stands for; `None` above 7.
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.get(usize::from(code)).copied()
    }
}

impl Serialize for Kind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_indices_and_round_trip() {
        for (index, kind) in Kind::ALL.into_iter().enumerate() {
            assert_eq!(usize::from(kind.code()), index);
            assert_eq!(Kind::from_code(kind.code()), Some(kind));
        }
        assert_eq!(Kind::from_code(8), None);
        assert_eq!(Kind::from_code(0xFF), None);
    }

    #[test]
    fn serializes_as_its_name() {
        for kind in Kind::ALL {
            let json = serde_json::to_string(&kind).expect("a string serializes");
            assert_eq!(json, format!("\"{}\"", kind.name()));
        }
    }
}
