//! What UTF-8 is, as data: today's (RFC 3629), and that of RFC 2279, which has up to six bytes.
//!
//! This file exists so that the truth the hardware is judged by can be read beside the standard and compared line
//! by line: RFC 3629 section 4 as it is printed there (the same ranges as Unicode 16, Table 3-7), the table of RFC 2279
//! section 2, and the names of the faults. Nothing here computes anything, so nothing here can share a mistake with the
//! hardware, and neither grammar is made from the other.

use crate::kind::Kind;

/// The bytes `low..=high`, written `%xLOW-HIGH` in the ABNF.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByteRange {
    pub low: u8,
    pub high: u8,
}

impl ByteRange {
    pub const fn contains(self, byte: u8) -> bool {
        self.low <= byte && byte <= self.high
    }
}

const fn range(low: u8, high: u8) -> ByteRange {
    ByteRange { low, high }
}

const fn only(byte: u8) -> ByteRange {
    range(byte, byte)
}

/// `UTF8-tail = %x80-BF`
const TAIL: ByteRange = range(0x80, 0xBF);

/// Which standard says what UTF-8 is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Grammar {
    /// RFC 3629, as Unicode has it: the scalar values to 10FFFF in one to four bytes.
    #[default]
    Rfc3629,
    /// RFC 2279, which RFC 3629 replaced: values of 31 bits in one to six bytes. D800..DFFF are no values in it either.
    Rfc2279,
}

impl Grammar {
    pub const ALL: [Self; 2] = [Self::Rfc3629, Self::Rfc2279];

    /// All well-formed sequences, in the order of their values.
    pub const fn productions(self) -> &'static [Production] {
        match self {
            Self::Rfc3629 => &PRODUCTIONS,
            Self::Rfc2279 => &RFC2279_PRODUCTIONS,
        }
    }

    /// The faults that have a name of their own; see [`FAULTS`].
    pub const fn faults(self) -> &'static [Fault] {
        match self {
            Self::Rfc3629 => &FAULTS,
            Self::Rfc2279 => &RFC2279_FAULTS,
        }
    }

    /// The bytes of the longest sequence: 4 or 6.
    pub const fn longest(self) -> usize {
        match self {
            Self::Rfc3629 => 4,
            Self::Rfc2279 => 6,
        }
    }
}

/// One alternative of the ABNF: the sequences whose bytes lie in `bytes`, one range for each byte.
#[derive(Clone, Copy, Debug)]
pub struct Production {
    /// The rule of the RFC that this alternative belongs to. RFC 2279 has no ABNF: its rows are named in the same way, by
    /// their number of octets.
    pub rule: &'static str,
    pub bytes: &'static [ByteRange],
    /// How many low bits of the first byte belong to the scalar value: the `x`s of its row in section 3.
    pub lead_bits: u32,
}

const fn production(rule: &'static str, lead_bits: u32, bytes: &'static [ByteRange]) -> Production {
    Production {
        rule,
        bytes,
        lead_bits,
    }
}

/// How many low bits of every byte after the first belong to the scalar value: `10xxxxxx` (RFC 3629 section 3, RFC 2279
/// section 2).
pub const TAIL_BITS: u32 = 6;

/// RFC 3629 section 4, `UTF8-char`, in the RFC's order; `lead_bits` are from the table of its section 3.
pub const PRODUCTIONS: [Production; 9] = [
    // UTF8-1 = %x00-7F                                 section 3: 0xxxxxxx
    production("UTF8-1", 7, &[range(0x00, 0x7F)]),
    // UTF8-2 = %xC2-DF UTF8-tail                       section 3: 110xxxxx 10xxxxxx
    production("UTF8-2", 5, &[range(0xC2, 0xDF), TAIL]),
    // UTF8-3 = %xE0 %xA0-BF UTF8-tail /                section 3: 1110xxxx 10xxxxxx 10xxxxxx
    production("UTF8-3", 4, &[only(0xE0), range(0xA0, 0xBF), TAIL]),
    //          %xE1-EC 2( UTF8-tail ) /
    production("UTF8-3", 4, &[range(0xE1, 0xEC), TAIL, TAIL]),
    //          %xED %x80-9F UTF8-tail /
    production("UTF8-3", 4, &[only(0xED), range(0x80, 0x9F), TAIL]),
    //          %xEE-EF 2( UTF8-tail )
    production("UTF8-3", 4, &[range(0xEE, 0xEF), TAIL, TAIL]),
    // UTF8-4 = %xF0 %x90-BF 2( UTF8-tail ) /           section 3: 11110xxx 10xxxxxx 10xxxxxx 10xxxxxx
    production("UTF8-4", 3, &[only(0xF0), range(0x90, 0xBF), TAIL, TAIL]),
    //          %xF1-F3 3( UTF8-tail ) /
    production("UTF8-4", 3, &[range(0xF1, 0xF3), TAIL, TAIL, TAIL]),
    //          %xF4 %x80-8F 2( UTF8-tail )
    production("UTF8-4", 3, &[only(0xF4), range(0x80, 0x8F), TAIL, TAIL]),
];

/// RFC 2279 section 2, row by row: the range of values on the left of its table, the octets on the right. The RFC prints
/// no ABNF. "The rows of the table are mutually exclusive", so each row begins at its least value; and D800..DFFF are
/// halves of UTF-16, which "must be undone" before a character is encoded.
pub const RFC2279_PRODUCTIONS: [Production; 12] = [
    // 0000 0000-0000 007F   0xxxxxxx
    production("UTF8-1", 7, &[range(0x00, 0x7F)]),
    // 0000 0080-0000 07FF   110xxxxx 10xxxxxx
    production("UTF8-2", 5, &[range(0xC2, 0xDF), TAIL]),
    // 0000 0800-0000 FFFF   1110xxxx 10xxxxxx 10xxxxxx
    production("UTF8-3", 4, &[only(0xE0), range(0xA0, 0xBF), TAIL]),
    production("UTF8-3", 4, &[range(0xE1, 0xEC), TAIL, TAIL]),
    production("UTF8-3", 4, &[only(0xED), range(0x80, 0x9F), TAIL]),
    production("UTF8-3", 4, &[range(0xEE, 0xEF), TAIL, TAIL]),
    // 0001 0000-001F FFFF   11110xxx 10xxxxxx 10xxxxxx 10xxxxxx
    production("UTF8-4", 3, &[only(0xF0), range(0x90, 0xBF), TAIL, TAIL]),
    production("UTF8-4", 3, &[range(0xF1, 0xF7), TAIL, TAIL, TAIL]),
    // 0020 0000-03FF FFFF   111110xx 10xxxxxx 10xxxxxx 10xxxxxx 10xxxxxx
    production(
        "UTF8-5",
        2,
        &[only(0xF8), range(0x88, 0xBF), TAIL, TAIL, TAIL],
    ),
    production("UTF8-5", 2, &[range(0xF9, 0xFB), TAIL, TAIL, TAIL, TAIL]),
    // 0400 0000-7FFF FFFF   1111110x 10xxxxxx ... 10xxxxxx
    production(
        "UTF8-6",
        1,
        &[only(0xFC), range(0x84, 0xBF), TAIL, TAIL, TAIL, TAIL],
    ),
    production("UTF8-6", 1, &[only(0xFD), TAIL, TAIL, TAIL, TAIL, TAIL]),
];

/// Names the fault of an ill-formed piece.
#[derive(Clone, Copy, Debug)]
pub struct Fault {
    pub kind: Kind,
    /// The piece's first byte.
    pub lead: ByteRange,
    /// The byte after a piece of one byte; `None` where the first byte is at fault whatever follows it.
    pub before: Option<ByteRange>,
}

const fn alone(kind: Kind, lead: ByteRange) -> Fault {
    Fault {
        kind,
        lead,
        before: None,
    }
}

const fn followed(kind: Kind, lead: ByteRange, next: ByteRange) -> Fault {
    Fault {
        kind,
        lead,
        before: Some(next),
    }
}

/// The faults. A piece that none of them names is the beginning of a sequence that was cut: by a byte
/// ([`Kind::Truncated`]) or by the end of the packet ([`Kind::TruncatedAtEnd`]).
pub const FAULTS: [Fault; 8] = [
    // A tail where nothing is to be continued.
    alone(Kind::StrayContinuation, range(0x80, 0xBF)),
    // Bytes that section 3 gives no meaning.
    alone(Kind::InvalidByte, range(0xF8, 0xFF)),
    // Values below the least that their length is for: 80, 800, 10000.
    alone(Kind::Overlong, range(0xC0, 0xC1)),
    followed(Kind::Overlong, only(0xE0), range(0x80, 0x9F)),
    followed(Kind::Overlong, only(0xF0), range(0x80, 0x8F)),
    // D800..DFFF.
    followed(Kind::Surrogate, only(0xED), range(0xA0, 0xBF)),
    // Values above 10FFFF.
    alone(Kind::TooLarge, range(0xF5, 0xF7)),
    followed(Kind::TooLarge, only(0xF4), range(0x90, 0xBF)),
];

/// The faults of RFC 2279, as [`FAULTS`]. No value of 31 bits is too large.
pub const RFC2279_FAULTS: [Fault; 8] = [
    // A tail where nothing is to be continued.
    alone(Kind::StrayContinuation, range(0x80, 0xBF)),
    // Section 1: "The octet values FE and FF never appear".
    alone(Kind::InvalidByte, range(0xFE, 0xFF)),
    // Values below the least that their length is for: 80, 800, 10000, 200000, 4000000.
    alone(Kind::Overlong, range(0xC0, 0xC1)),
    followed(Kind::Overlong, only(0xE0), range(0x80, 0x9F)),
    followed(Kind::Overlong, only(0xF0), range(0x80, 0x8F)),
    followed(Kind::Overlong, only(0xF8), range(0x80, 0x87)),
    followed(Kind::Overlong, only(0xFC), range(0x80, 0x83)),
    // D800..DFFF.
    followed(Kind::Surrogate, only(0xED), range(0xA0, 0xBF)),
];

#[cfg(test)]
mod tests {
    use super::*;

    /// How many bytes a range holds.
    fn size(range: ByteRange) -> u32 {
        u32::from(range.high) - u32::from(range.low) + 1
    }

    #[test]
    fn productions_hold_as_many_sequences_as_there_are_values() {
        for (grammar, values) in [(Grammar::Rfc3629, 0x11_0000), (Grammar::Rfc2279, 1 << 31)] {
            let sequences: u32 = grammar
                .productions()
                .iter()
                .map(|p| p.bytes.iter().map(|&r| size(r)).product::<u32>())
                .sum();
            assert_eq!(sequences, values - 0x800, "{grammar:?}");
        }
    }

    #[test]
    fn every_byte_begins_one_production_or_is_named_by_one_fault() {
        for grammar in Grammar::ALL {
            for byte in 0..=0xFF_u8 {
                let productions = grammar.productions().iter();
                let begins = productions.filter(|p| p.bytes[0].contains(byte));
                let named = grammar
                    .faults()
                    .iter()
                    .filter(|f| f.before.is_none() && f.lead.contains(byte));
                let count = begins.count() + named.count();
                assert_eq!(count, 1, "{grammar:?}, byte {byte:02X}");
            }
        }
    }

    /// Every byte after the second can be any tail. The tails that the second one cannot be are those of a fault.
    #[test]
    fn a_fault_after_a_lead_is_exactly_the_tails_its_production_leaves_out() {
        for (grammar, production) in Grammar::ALL
            .into_iter()
            .flat_map(|grammar| grammar.productions().iter().map(move |it| (grammar, it)))
            .filter(|(_, production)| production.bytes.len() > 1)
        {
            assert!(production.bytes[2..].iter().all(|&range| range == TAIL));
            for lead in production.bytes[0].low..=production.bytes[0].high {
                for next in 0..=0xFF_u8 {
                    let named = grammar.faults().iter().filter(|f| {
                        f.lead.contains(lead) && f.before.is_some_and(|b| b.contains(next))
                    });
                    let left_out = TAIL.contains(next) && !production.bytes[1].contains(next);
                    assert_eq!(
                        named.count(),
                        usize::from(left_out),
                        "{grammar:?}: {lead:02X} {next:02X}"
                    );
                }
            }
        }
    }

    /// In a sequence of several bytes, the first byte has a one for each of them, then a zero, then bits of the value. A
    /// byte alone has only the zero.
    #[test]
    fn the_header_of_the_first_byte_tells_how_long_a_sequence_is() {
        for grammar in Grammar::ALL {
            let mut longest = 0;
            for Production {
                bytes, lead_bits, ..
            } in grammar.productions()
            {
                let header = if bytes.len() == 1 { 0 } else { bytes.len() };
                for lead in bytes[0].low..=bytes[0].high {
                    assert_eq!(lead.leading_ones() as usize, header, "{lead:02X}");
                    assert_eq!(*lead_bits as usize, 7 - header, "{lead:02X}");
                }
                longest = longest.max(bytes.len());
            }
            assert_eq!(longest, grammar.longest(), "{grammar:?}");
        }
    }

    /// Whether a grammar has sequences of this many bytes that begin with these; every byte after them is any tail.
    fn has(grammar: Grammar, length: usize, begin: &[u8]) -> bool {
        let mut productions = grammar.productions().iter();
        productions.any(|p| {
            let mut both = p.bytes.iter().zip(begin);
            p.bytes.len() == length && both.all(|(range, &byte)| range.contains(byte))
        })
    }

    /// The first two bytes of a sequence settle whether its value is above 10FFFF: in the bytes of 110000, F4 90 80 80, all bits
    /// after those two are zeros.
    #[test]
    fn rfc_3629_has_exactly_the_sequences_of_rfc_2279_to_10ffff() {
        let (mut both, mut only_one) = (0, 0);
        for (length, lead, next) in (1..=6)
            .flat_map(|length| (0..=0xFF_u8).map(move |lead| (length, lead)))
            .flat_map(|(length, lead)| (0..=0xFF_u8).map(move |next| (length, lead, next)))
        {
            let begin = &[lead, next][..length.min(2)];
            let [new, old] = Grammar::ALL.map(|grammar| has(grammar, length, begin));
            // The value's bits in both bytes; those of the other tails come below.
            let value = match length {
                1 => u64::from(lead),
                _ => (u64::from(lead) & (0x7F >> length)) << 6 | u64::from(next & 0x3F),
            };
            let tails = 6 * length.saturating_sub(2);
            let fits = value << tails <= 0x10_FFFF;
            assert_eq!(new, old && fits, "{length} {begin:02X?}");
            both += usize::from(new);
            only_one += usize::from(new != old);
        }
        // 80 leads of one byte are tried with 256 next ones; then 1E * 40, 20 + C * 40 + 20 + 2 * 40, 30 + 3 * 40 + 10.
        let [ones, twos] = [0x80 * 0x100, 0x1E * 0x40];
        let threes = 0x20 + 0xC * 0x40 + 0x20 + 2 * 0x40;
        assert_eq!(both, ones + twos + threes + 0x30 + 3 * 0x40 + 0x10);
        // 4 bytes: 30 + 3 * 40, 5 bytes: 38 + 3 * 40, 6 bytes: 3C + 40.
        assert_eq!(only_one, 0x30 + 3 * 0x40 + 0x38 + 3 * 0x40 + 0x3C + 0x40);
    }
}
