//! The untimed truth of the encoder: words in, UTF-8 bytes out.
//!
//! The bytes of a scalar value are those that the grammar's productions have for it, so the encoder inverts the same
//! data that the decoder's oracle is compiled from. A packet is a sequence of *positions*: each has a word or is a
//! *hole*, a lane without a word. In UTF-32 a hole means nothing. In UTF-16 it separates the two units of a pair.
//!
//! ```
//! use golden::Encoding;
//! use golden::encode::{Fault, encode};
//!
//! let (bytes, verdict) = encode(Encoding::Utf32, false, &[0x41, 0xE9, 0xD800]);
//! assert_eq!(bytes, b"A\xC3\xA9\xEF\xBF\xBD");
//! assert_eq!((verdict.valid_up_to, verdict.kind), (2, Fault::Surrogate));
//! ```

use serde::{Serialize, Serializer};

use crate::encoding::Encoding;
use crate::grammar::{PRODUCTIONS, Production, TAIL_BITS};
use crate::utf16::{is_high, is_low, scalar};

/// What an ill-formed word becomes, unless it is omitted.
const REPLACEMENT: u32 = 0xFFFD;

/// Why a word is ill-formed.
///
/// The codes take the places of [`Kind`](crate::Kind)'s: 4 and 5 mean the same, the others are faults of UTF-16.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Fault {
    /// No fault.
    #[default]
    None = 0,
    /// UTF-16: a unit DC00..DFFF that does not follow a high one at once.
    UnpairedLow = 1,
    /// UTF-32: D800..DFFF.
    Surrogate = 4,
    /// UTF-32: above 10FFFF.
    TooLarge = 5,
    /// UTF-16: a unit D800..DBFF that a unit other than a low one follows, or a hole.
    UnpairedHigh = 6,
    /// UTF-16: a unit D800..DBFF that is the packet's last.
    UnpairedHighAtEnd = 7,
}

impl Fault {
    /// Every fault, in the order of the codes.
    pub const ALL: [Self; 6] = [
        Self::None,
        Self::UnpairedLow,
        Self::Surrogate,
        Self::TooLarge,
        Self::UnpairedHigh,
        Self::UnpairedHighAtEnd,
    ];

    /// The name used in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::UnpairedLow => "unpaired_low",
            Self::Surrogate => "surrogate",
            Self::TooLarge => "too_large",
            Self::UnpairedHigh => "unpaired_high",
            Self::UnpairedHighAtEnd => "unpaired_high_at_end",
        }
    }

    /// The three bits that stand for this fault in hardware.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The fault that `code` stands for, if any.
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|fault| fault.code() == code)
    }
}

impl Serialize for Fault {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// What one scalar value, or one ill-formed word, becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    bytes: [u8; 4],
    length: u8,
    /// Why it is ill-formed, if it is.
    pub kind: Fault,
}

impl Piece {
    /// The bytes that are put out: one to four, or none if an ill-formed word is omitted.
    #[inline]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.length)]
    }
}

/// What one word settled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pushed {
    /// UTF-16: the unfinished high unit before this one, because this one is not low: always ill-formed.
    pub before: Option<Piece>,
    /// The piece that this word ends, unless it is an unfinished high unit.
    pub here: Option<Piece>,
}

/// The verdict on one packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Verdict {
    pub well_formed: bool,
    /// How many words come before the first ill-formed piece; all of them if there is none.
    pub valid_up_to: u64,
    /// The fault of the first ill-formed piece.
    pub kind: Fault,
    /// Positions with a word: code points in UTF-32, units in UTF-16.
    pub words: u64,
    /// Bytes that are put out, the replacements included.
    pub bytes: u64,
    /// How many pieces are ill-formed, omitted ones included.
    pub ill_formed: u64,
}

impl Verdict {
    /// The verdict on an empty packet.
    const EMPTY: Self = Self {
        well_formed: true,
        valid_up_to: 0,
        kind: Fault::None,
        words: 0,
        bytes: 0,
        ill_formed: 0,
    };
}

/// Encodes one packet after another, position by position.
#[derive(Clone)]
pub struct Encoder {
    from: Encoding,
    /// Ill-formed words are omitted, not replaced.
    omits: bool,
    /// The unfinished high unit at the position before.
    high: Option<u16>,
    /// Of the packet in progress. `valid_up_to` counts only once a fault is found.
    verdict: Verdict,
}

impl Encoder {
    /// An encoder at the start of a packet.
    pub fn new(from: Encoding, omits: bool) -> Self {
        Self {
            from,
            omits,
            high: None,
            verdict: Verdict::EMPTY,
        }
    }

    /// Takes the word of the packet's next position. It is a number: the order of a unit's octets does not matter here.
    /// Panics if a unit has more than 16 bits.
    #[inline]
    pub fn push(&mut self, word: u32) -> Pushed {
        let pushed = match self.from {
            Encoding::Utf32 => Pushed {
                before: None,
                here: Some(self.settle(word)),
            },
            Encoding::Utf16 { .. } => {
                let unit = u16::try_from(word).expect("a unit has 16 bits");
                self.push_unit(unit)
            }
        };
        self.verdict.words += 1;
        pushed
    }

    fn push_unit(&mut self, unit: u16) -> Pushed {
        if let Some(high) = self.high.filter(|_| is_low(unit)) {
            self.high = None;
            return Pushed {
                before: None,
                here: Some(self.settle(scalar(high, unit))),
            };
        }
        let before = self.cut(Fault::UnpairedHigh);
        if is_high(unit) {
            self.high = Some(unit);
            return Pushed { before, here: None };
        }
        let here = match is_low(unit) {
            true => self.ill_formed(Fault::UnpairedLow, self.verdict.words),
            false => self.settle(unit.into()),
        };
        Pushed {
            before,
            here: Some(here),
        }
    }

    /// The packet's next position is a hole. Returns the unfinished high unit before it, which is ill-formed.
    ///
    /// The holes above the last word of a packet's last beat are no positions, and neither are those of a beat without any
    /// word.
    #[inline]
    pub fn hole(&mut self) -> Option<Piece> {
        self.cut(Fault::UnpairedHigh)
    }

    /// True while the newest word is a high unit whose low one may still follow.
    #[inline]
    pub fn is_open(&self) -> bool {
        self.high.is_some()
    }

    /// Ends the packet: returns the unfinished high unit, if any, as ill-formed at the end, and the verdict. The next
    /// word begins a new packet.
    #[inline]
    pub fn finish(&mut self) -> (Option<Piece>, Verdict) {
        let cut = self.cut(Fault::UnpairedHighAtEnd);
        let mut verdict = std::mem::replace(&mut self.verdict, Verdict::EMPTY);
        if verdict.well_formed {
            verdict.valid_up_to = verdict.words;
        }
        (cut, verdict)
    }

    /// Drops the packet in progress. The next word begins a new packet.
    #[inline]
    pub fn reset(&mut self) {
        self.high = None;
        self.verdict = Verdict::EMPTY;
    }

    /// The piece of a code point.
    #[inline]
    fn settle(&mut self, code_point: u32) -> Piece {
        if let Some(piece) = sequence(code_point) {
            self.verdict.bytes += u64::from(piece.length);
            return piece;
        }
        let kind = match code_point {
            0xD800..=0xDFFF => Fault::Surrogate,
            _ => Fault::TooLarge,
        };
        self.ill_formed(kind, self.verdict.words)
    }

    /// The unfinished high unit turns out to be ill-formed, if there is one: it is the newest word.
    #[inline]
    fn cut(&mut self, kind: Fault) -> Option<Piece> {
        self.high.take()?;
        Some(self.ill_formed(kind, self.verdict.words - 1))
    }

    /// An ill-formed piece. `ahead` is the number of words before its first one.
    fn ill_formed(&mut self, kind: Fault, ahead: u64) -> Piece {
        let verdict = &mut self.verdict;
        if verdict.well_formed {
            verdict.well_formed = false;
            verdict.valid_up_to = ahead;
            verdict.kind = kind;
        }
        verdict.ill_formed += 1;
        let replacement = sequence(REPLACEMENT).expect("it is a scalar value");
        let length = if self.omits { 0 } else { replacement.length };
        verdict.bytes += u64::from(length);
        Piece {
            length,
            kind,
            ..replacement
        }
    }
}

/// The bytes and the verdict of a whole packet without holes.
pub fn encode(from: Encoding, omits: bool, words: &[u32]) -> (Vec<u8>, Verdict) {
    let mut encoder = Encoder::new(from, omits);
    let mut bytes = Vec::new();
    for &word in words {
        let Pushed { before, here } = encoder.push(word);
        for piece in [before, here].into_iter().flatten() {
            bytes.extend_from_slice(piece.bytes());
        }
    }
    let (cut, verdict) = encoder.finish();
    bytes.extend(cut.iter().flat_map(Piece::bytes));
    (bytes, verdict)
}

/// A production, read from right to left: its scalar values, and the bits that its bytes have besides theirs.
#[derive(Clone, Copy)]
struct Row {
    first: u32,
    last: u32,
    headers: [u8; 4],
    length: u8,
}

/// The productions in the order of their scalar values.
const ROWS: [Row; PRODUCTIONS.len()] = {
    let mut rows = [Row {
        first: 0,
        last: 0,
        headers: [0; 4],
        length: 0,
    }; PRODUCTIONS.len()];
    let mut index = 0;
    while index < rows.len() {
        rows[index] = row(&PRODUCTIONS[index]);
        index += 1;
    }
    rows
};

/// Only the first two ranges of a production are narrower than the bits that they leave to the scalar value, so its scalar
/// values are all those from its first sequence's to its last one's.
const fn row(production: &Production) -> Row {
    let (mut first, mut last) = (0, 0);
    let mut headers = [0; 4];
    let mut index = 0;
    while index < production.bytes.len() {
        let bits = match index {
            0 => production.lead_bits,
            _ => TAIL_BITS,
        };
        let range = production.bytes[index];
        let value = (1 << bits) - 1;
        first = first << bits | (range.low & value) as u32;
        last = last << bits | (range.high & value) as u32;
        headers[index] = range.low & !value;
        index += 1;
    }
    Row {
        first,
        last,
        headers,
        length: production.bytes.len() as u8,
    }
}

/// The sequence of a code point; none if it is no scalar value.
#[inline]
fn sequence(code_point: u32) -> Option<Piece> {
    let row = ROWS
        .iter()
        .find(|row| row.first <= code_point && code_point <= row.last)?;
    let mut bytes = row.headers;
    // RFC 3629 section 3: the lowest-order bit of the number goes to the lowest-order position of the last octet.
    let mut rest = code_point;
    for byte in bytes[1..usize::from(row.length)].iter_mut().rev() {
        *byte |= (rest & ((1 << TAIL_BITS) - 1)) as u8;
        rest >>= TAIL_BITS;
    }
    bytes[0] |= rest as u8;
    Some(Piece {
        bytes,
        length: row.length,
        kind: Fault::None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const UTF16: Encoding = Encoding::Utf16 { high_first: false };

    #[test]
    fn the_rows_are_the_scalar_values_in_order() {
        let ranges = ROWS.map(|row| (row.first, row.last));
        assert_eq!(ranges[0].0, 0);
        for pair in ranges.windows(2) {
            let gap = if pair[0].1 == 0xD7FF { 0x800 } else { 0 };
            assert_eq!(pair[1].0, pair[0].1 + 1 + gap);
        }
        assert_eq!(ranges[8].1, 0x10_FFFF);
    }

    /// The examples of RFC 3629 section 7.
    #[test]
    fn the_examples_of_the_standard() {
        let examples: [(&[u32], &[u8]); 4] = [
            (
                &[0x41, 0x2262, 0x391, 0x2E],
                b"\x41\xE2\x89\xA2\xCE\x91\x2E",
            ),
            (
                &[0xD55C, 0xAD6D, 0xC5B4],
                b"\xED\x95\x9C\xEA\xB5\xAD\xEC\x96\xB4",
            ),
            (
                &[0x65E5, 0x672C, 0x8A9E],
                b"\xE6\x97\xA5\xE6\x9C\xAC\xE8\xAA\x9E",
            ),
            (&[0xFEFF, 0x233B4], b"\xEF\xBB\xBF\xF0\xA3\x8E\xB4"),
        ];
        for (words, bytes) in examples {
            assert_eq!(encode(Encoding::Utf32, false, words).0, bytes);
        }
    }

    #[test]
    fn only_the_first_fault_is_described_and_all_are_counted() {
        let words = [0x41, 0x11_0000, 0xDC00, 0x1_F600, u32::MAX];
        let expected = Verdict {
            well_formed: false,
            valid_up_to: 1,
            kind: Fault::TooLarge,
            words: 5,
            bytes: 1 + 3 + 3 + 4 + 3,
            ill_formed: 3,
        };
        assert_eq!(encode(Encoding::Utf32, false, &words).1, expected);
        let (bytes, verdict) = encode(Encoding::Utf32, true, &words);
        assert_eq!(bytes, b"A\xF0\x9F\x98\x80");
        let expected = Verdict {
            bytes: 5,
            ..expected
        };
        assert_eq!(verdict, expected);
    }

    /// Units, `None` for a hole, the bytes, the first fault, and the words before it.
    type Case = (&'static [Option<u32>], &'static [u8], Fault, u64);

    #[test]
    fn units_pair_only_if_nothing_is_between_them() {
        const HIGH: Option<u32> = Some(0xD83D);
        const LOW: Option<u32> = Some(0xDE00);
        const LETTER: Option<u32> = Some(0x41);
        let cases: [Case; 9] = [
            (&[HIGH, LOW], b"\xF0\x9F\x98\x80", Fault::None, 2),
            (&[HIGH, None, LOW], b"RR", Fault::UnpairedHigh, 0),
            (&[None, LETTER, None, LOW], b"AR", Fault::UnpairedLow, 1),
            (&[LETTER, HIGH, LETTER], b"ARA", Fault::UnpairedHigh, 1),
            (
                &[HIGH, HIGH, LOW],
                b"R\xF0\x9F\x98\x80",
                Fault::UnpairedHigh,
                0,
            ),
            (&[LETTER, HIGH], b"AR", Fault::UnpairedHighAtEnd, 1),
            (&[LETTER, HIGH, None], b"AR", Fault::UnpairedHigh, 1),
            (
                &[HIGH, LOW, LOW],
                b"\xF0\x9F\x98\x80R",
                Fault::UnpairedLow,
                2,
            ),
            (&[], b"", Fault::None, 0),
        ];
        for (positions, shown, kind, valid_up_to) in cases {
            let mut encoder = Encoder::new(UTF16, false);
            let mut bytes = Vec::new();
            let mut put = |piece: Option<Piece>| {
                let Some(piece) = piece else { return };
                match piece.kind {
                    Fault::None => bytes.extend_from_slice(piece.bytes()),
                    _ => {
                        assert_eq!(piece.bytes(), b"\xEF\xBF\xBD");
                        bytes.push(b'R');
                    }
                }
            };
            for &position in positions {
                let Some(word) = position else {
                    put(encoder.hole());
                    continue;
                };
                let Pushed { before, here } = encoder.push(word);
                put(before);
                put(here);
                assert_eq!(here.is_none(), encoder.is_open());
            }
            let (cut, verdict) = encoder.finish();
            put(cut);
            assert_eq!(bytes, shown, "{positions:X?}");
            assert_eq!(verdict.kind, kind, "{positions:X?}");
            assert_eq!(verdict.valid_up_to, valid_up_to, "{positions:X?}");
            let words = positions.iter().flatten().count();
            assert_eq!(verdict.words, words as u64, "{positions:X?}");
            assert_eq!(encoder.finish(), (None, Verdict::EMPTY));
        }
    }

    #[test]
    fn a_reset_begins_a_packet() {
        let mut encoder = Encoder::new(UTF16, false);
        encoder.push(0xDC00);
        encoder.push(0xD800);
        encoder.reset();
        let kind = encoder.push(0xDC00).here.map(|piece| piece.kind);
        assert_eq!(kind, Some(Fault::UnpairedLow));
        assert_eq!(encoder.finish().1.words, 1);
    }

    #[test]
    fn codes_round_trip() {
        for fault in Fault::ALL {
            assert_eq!(Fault::from_code(fault.code()), Some(fault));
        }
        assert_eq!(Fault::from_code(2), None);
    }

    #[test]
    fn serializes_with_its_field_names_in_order() {
        let (_, verdict) = encode(UTF16, false, &[0x41, 0xD800]);
        let json = serde_json::to_string(&verdict).expect("a verdict serializes");
        assert_eq!(
            json,
            concat!(
                r#"{"well_formed":false,"valid_up_to":1,"kind":"unpaired_high_at_end","#,
                r#""words":2,"bytes":4,"ill_formed":1}"#,
            )
        );
    }
}
