//! Classes of scalar values that a packet can be forbidden to have, as Unicode's own properties name them.
//!
//! The tables are those of the crate `regex-syntax`. Here they are held against the standard's ranges by hand, in `tests/policies.rs` against
//! CPython's `unicodedata`.

use regex_syntax::hir::{Class, HirKind};
use std::sync::LazyLock;

/// The classes by bit, as sets of scalar values in the notation of that crate.
const SETS: [&str; 8] = [
    r"[\x00]",
    // The control characters of ASCII but NUL, HT, LF and CR.
    r"[[\p{Cc}&&\p{ASCII}]--[\x00\t\n\r]]",
    r"[\p{Cc}--\p{ASCII}]",
    r"\p{Noncharacter_Code_Point}",
    r"\p{Bidi_Control}",
    r"\p{Co}",
    r"[\x{10000}-\x{10FFFF}]",
    r"[\x{300}-\x{10FFFF}]",
];

/// Of each scalar value its classes.
static CLASSES: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let mut classes = vec![0; 0x11_0000];
    for (bit, set) in SETS.iter().enumerate() {
        for (first, last) in ranges(set) {
            for class in &mut classes[first as usize..=last as usize] {
                *class |= 1 << bit;
            }
        }
    }
    classes
});

fn ranges(set: &str) -> Vec<(char, char)> {
    let set = regex_syntax::parse(set).expect("a set of the crate's own notation");
    match set.into_kind() {
        HirKind::Class(Class::Unicode(class)) => {
            let ranges = class.iter();
            ranges.map(|range| (range.start(), range.end())).collect()
        }
        HirKind::Literal(one) => {
            let text = str::from_utf8(&one.0).expect("a scalar value");
            text.chars().map(|one| (one, one)).collect()
        }
        other => panic!("no set of scalar values: {other:?}"),
    }
}

/// The classes of a scalar value, a bit for each: 0 NUL, 1 other control characters of ASCII but HT, LF and CR, 2 those of 80 to 9F,
/// 3 noncharacters, 4 bidirectional controls, 5 private use, 6 above FFFF, 7 from 300 on.
pub fn classes(scalar: u32) -> u8 {
    CLASSES[scalar as usize]
}

/// The newest version of Unicode that the tables know.
pub fn unicode_version() -> String {
    let known = (1..100)
        .rev()
        .find(|version| regex_syntax::parse(&format!(r"\p{{Age={version}.0}}")).is_ok());
    format!("{}.0", known.expect("the crate has tables"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As the standard writes them down: numbers by hand, not the tables.
    fn by_hand(scalar: u32) -> u8 {
        let is = [
            scalar == 0,
            (1..0x20).contains(&scalar) && ![9, 10, 13].contains(&scalar) || scalar == 0x7F,
            (0x80..0xA0).contains(&scalar),
            (0xFDD0..=0xFDEF).contains(&scalar) || scalar & 0xFFFE == 0xFFFE,
            [0x61C, 0x200E, 0x200F].contains(&scalar)
                || (0x202A..=0x202E).contains(&scalar)
                || (0x2066..=0x2069).contains(&scalar),
            (0xE000..=0xF8FF).contains(&scalar)
                || (0xF_0000..=0xF_FFFD).contains(&scalar)
                || (0x10_0000..=0x10_FFFD).contains(&scalar),
            scalar > 0xFFFF,
            scalar >= 0x300,
        ];
        (0..8).fold(0, |classes, bit| classes | u8::from(is[bit]) << bit)
    }

    #[test]
    fn the_tables_are_what_the_standard_writes() {
        for scalar in (0..=0x10_FFFF).filter_map(char::from_u32).map(u32::from) {
            assert_eq!(classes(scalar), by_hand(scalar), "{scalar:X}");
        }
    }
}
