//! Judges of UTF-16: `std`, and encoding_rs in both octet orders, each of every scalar value.

use encoding_rs::{UTF_16BE, UTF_16LE};
use golden::utf16::units;

#[test]
fn every_scalar_value_has_the_units_of_std() {
    for scalar in '\0'..=char::MAX {
        let mut buffer = [0; 2];
        let theirs = scalar.encode_utf16(&mut buffer);
        let (first, second) = units(scalar.into());
        let ours = [Some(first), second].into_iter().flatten();
        assert!(ours.eq(theirs.iter().copied()), "{scalar:?}");
    }
}

#[test]
fn the_units_of_every_scalar_value_are_read_as_they_were() {
    let text: String = ('\0'..=char::MAX).collect();
    let units: Vec<u16> = (text.chars())
        .flat_map(|scalar| {
            let (first, second) = units(scalar.into());
            [Some(first), second]
        })
        .flatten()
        .collect();
    let little: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
    let big: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
    for (encoding, octets) in [(UTF_16LE, &little), (UTF_16BE, &big)] {
        let theirs = encoding.decode_without_bom_handling_and_without_replacement(octets);
        assert!(
            theirs.as_deref() == Some(text.as_str()),
            "{}",
            encoding.name()
        );
    }
}
