//! UTF-16, which RFC 3629 section 3 names beside UTF-8: a scalar value in units of 16 bits, as RFC 2781 section 2.1 states it.

/// The units of a scalar value: its only one, or the first and the second of two.
pub const fn units(scalar: u32) -> (u16, Option<u16>) {
    if scalar < 0x1_0000 {
        return (scalar as u16, None);
    }
    // U' of RFC 2781: 20 bits, of which each unit has ten.
    let rest = scalar - 0x1_0000;
    let (high, low) = (0xD800 | (rest >> 10) as u16, 0xDC00 | (rest & 0x3FF) as u16);
    (high, Some(low))
}

/// Whether a unit is the first of two.
pub const fn is_high(unit: u16) -> bool {
    matches!(unit, 0xD800..=0xDBFF)
}

/// Whether a unit is the second of two.
pub const fn is_low(unit: u16) -> bool {
    matches!(unit, 0xDC00..=0xDFFF)
}

/// The scalar value of two units, as RFC 2781 section 2.2 decodes them. The first is high and the second low.
pub const fn scalar(high: u16, low: u16) -> u32 {
    debug_assert!(is_high(high) && is_low(low));
    0x1_0000 + ((high as u32 & 0x3FF) << 10 | low as u32 & 0x3FF)
}
