//! The grammar's productions, read from right to left: what bytes a value has.

use crate::grammar::{Grammar, PRODUCTIONS, Production, RFC2279_PRODUCTIONS, TAIL_BITS};

/// Bytes of the longest sequence of any grammar.
pub const LONGEST: usize = Grammar::Rfc2279.longest();

/// A production: its values, and the bits that its bytes have besides theirs.
#[derive(Clone, Copy)]
pub struct Row {
    first: u32,
    last: u32,
    headers: [u8; LONGEST],
    length: u8,
}

/// The productions in the order of their values.
const RFC3629: [Row; PRODUCTIONS.len()] = rows(&PRODUCTIONS);
const RFC2279: [Row; RFC2279_PRODUCTIONS.len()] = rows(&RFC2279_PRODUCTIONS);

/// The rows of a grammar.
pub const fn of(grammar: Grammar) -> &'static [Row] {
    match grammar {
        Grammar::Rfc3629 => &RFC3629,
        Grammar::Rfc2279 => &RFC2279,
    }
}

const fn rows<const COUNT: usize>(productions: &[Production; COUNT]) -> [Row; COUNT] {
    let mut rows = [Row {
        first: 0,
        last: 0,
        headers: [0; LONGEST],
        length: 0,
    }; COUNT];
    let mut index = 0;
    while index < COUNT {
        rows[index] = row(&productions[index]);
        index += 1;
    }
    rows
}

/// Only the first two ranges of a production are narrower than the bits that they leave to the value, so its values are all
/// those from its first sequence's to its last one's.
const fn row(production: &Production) -> Row {
    let (mut first, mut last) = (0, 0);
    let mut headers = [0; LONGEST];
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

/// The bytes of a value, and how many they are; none if no row has it.
#[inline]
pub fn sequence(rows: &[Row], value: u32) -> Option<([u8; LONGEST], u8)> {
    let row = rows
        .iter()
        .find(|row| row.first <= value && value <= row.last)?;
    let mut bytes = row.headers;
    // RFC 3629 section 3: the lowest-order bit of the number goes to the lowest-order position of the last octet.
    let mut rest = value;
    for byte in bytes[1..usize::from(row.length)].iter_mut().rev() {
        *byte |= (rest & ((1 << TAIL_BITS) - 1)) as u8;
        rest >>= TAIL_BITS;
    }
    bytes[0] |= rest as u8;
    Some((bytes, row.length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rows_are_the_values_in_order() {
        for (grammar, greatest) in [
            (Grammar::Rfc3629, 0x10_FFFF),
            (Grammar::Rfc2279, 0x7FFF_FFFF),
        ] {
            let ranges: Vec<_> = of(grammar)
                .iter()
                .map(|row| (row.first, row.last))
                .collect();
            assert_eq!(ranges[0].0, 0, "{grammar:?}");
            for pair in ranges.windows(2) {
                let gap = if pair[0].1 == 0xD7FF { 0x800 } else { 0 };
                assert_eq!(pair[1].0, pair[0].1 + 1 + gap, "{grammar:?}");
            }
            let last = ranges.last().map(|range| range.1);
            assert_eq!(last, Some(greatest), "{grammar:?}");
        }
    }
}
