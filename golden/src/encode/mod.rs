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

mod rows;
#[cfg(test)]
mod tests;

use serde::{Serialize, Serializer};

use crate::encoding::Encoding;
use crate::grammar::Grammar;
use crate::utf16::{is_high, is_low, scalar};
use rows::{LONGEST, Row};

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
    /// UTF-32: above 10FFFF, in RFC 2279 above 7FFFFFFF.
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
    bytes: [u8; LONGEST],
    length: u8,
    /// Why it is ill-formed, if it is.
    pub kind: Fault,
}

impl Piece {
    /// The bytes that are put out: one to four, in RFC 2279 to six, or none if an ill-formed word is omitted.
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
    rows: &'static [Row],
    from: Encoding,
    /// Ill-formed words are omitted, not replaced.
    omits: bool,
    /// The unfinished high unit at the position before.
    high: Option<u16>,
    /// Of the packet in progress. `valid_up_to` counts only once a fault is found.
    verdict: Verdict,
}

impl Encoder {
    /// An encoder of RFC 3629 at the start of a packet.
    pub fn new(from: Encoding, omits: bool) -> Self {
        Self::of(Grammar::Rfc3629, from, omits)
    }

    /// An encoder of a grammar at the start of a packet. UTF-16 has no values above 10FFFF, so that it becomes the same bytes in both.
    pub fn of(grammar: Grammar, from: Encoding, omits: bool) -> Self {
        Self {
            rows: rows::of(grammar),
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
        if let Some(piece) = self.sequence(code_point) {
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
        let replacement = self.sequence(REPLACEMENT).expect("it is a scalar value");
        let length = if self.omits { 0 } else { replacement.length };
        self.verdict.bytes += u64::from(length);
        Piece {
            length,
            kind,
            ..replacement
        }
    }

    /// The bytes of a code point; none if it is no value of the grammar.
    #[inline]
    fn sequence(&self, code_point: u32) -> Option<Piece> {
        let (bytes, length) = rows::sequence(self.rows, code_point)?;
        Some(Piece {
            bytes,
            length,
            kind: Fault::None,
        })
    }
}

/// The bytes and the verdict of a whole packet without holes, under RFC 3629.
pub fn encode(from: Encoding, omits: bool, words: &[u32]) -> (Vec<u8>, Verdict) {
    encode_of(Grammar::Rfc3629, from, omits, words)
}

/// The bytes and the verdict of a whole packet without holes, under a grammar. Panics as [`Encoder::push`].
pub fn encode_of(
    grammar: Grammar,
    from: Encoding,
    omits: bool,
    words: &[u32],
) -> (Vec<u8>, Verdict) {
    let mut encoder = Encoder::of(grammar, from, omits);
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
