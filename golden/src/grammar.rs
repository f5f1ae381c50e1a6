//! What UTF-8 is, as data.
//!
//! This file exists so that the truth the hardware is judged by can be read beside the standard and compared line
//! by line: RFC 3629 section 4 as it is printed there (the same ranges as Unicode 16, Table 3-7), and the names of
//! the faults. Nothing here computes anything, so nothing here can share a mistake with the hardware.

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

/// One alternative of the ABNF: the sequences whose bytes lie in `bytes`, one range for each byte.
#[derive(Clone, Copy, Debug)]
pub struct Production {
    /// The rule of the RFC that this alternative belongs to.
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

/// How many low bits of every byte after the first belong to the scalar value: `10xxxxxx` (RFC 3629 section 3).
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

#[cfg(test)]
mod tests {
    use super::*;

    /// How many bytes a range holds.
    fn size(range: ByteRange) -> u32 {
        u32::from(range.high) - u32::from(range.low) + 1
    }

    #[test]
    fn productions_hold_as_many_sequences_as_there_are_scalar_values() {
        let sequences: u32 = PRODUCTIONS
            .iter()
            .map(|p| p.bytes.iter().map(|&r| size(r)).product::<u32>())
            .sum();
        assert_eq!(sequences, 0x11_0000 - 0x800);
    }

    #[test]
    fn every_byte_begins_one_production_or_is_named_by_one_fault() {
        for byte in 0..=0xFF_u8 {
            let begins = PRODUCTIONS.iter().filter(|p| p.bytes[0].contains(byte));
            let named = FAULTS
                .iter()
                .filter(|f| f.before.is_none() && f.lead.contains(byte));
            assert_eq!(begins.count() + named.count(), 1, "byte {byte:02X}");
        }
    }

    #[test]
    fn a_fault_after_a_lead_is_exactly_the_tails_its_production_leaves_out() {
        for production in PRODUCTIONS.iter().filter(|p| p.bytes.len() > 1) {
            for lead in production.bytes[0].low..=production.bytes[0].high {
                for next in 0..=0xFF_u8 {
                    let named = FAULTS.iter().filter(|f| {
                        f.lead.contains(lead) && f.before.is_some_and(|b| b.contains(next))
                    });
                    let left_out = TAIL.contains(next) && !production.bytes[1].contains(next);
                    assert_eq!(
                        named.count(),
                        usize::from(left_out),
                        "{lead:02X} {next:02X}"
                    );
                }
            }
        }
    }
}
