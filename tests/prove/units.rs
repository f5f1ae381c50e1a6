//! Bugs in decoders that put out UTF-16.

/// A theorem, the core's options, what is wrong, what was right and what stands in its place.
pub const PLANTED: [(&str, &str, &str, &str, &str); 7] = [
    (
        "decode",
        "--to utf16le",
        "nothing is borrowed from bit 18 of a scalar value below 20000",
        "s8_for_8 <= s7_borrows | (",
        "s8_for_8 <= (",
    ),
    (
        "decode",
        "--to utf16le",
        "a first unit is shown though the fourth byte does not come",
        "wire every_scalar_x = scalar & ~ill;",
        "wire every_scalar_x = scalar;",
    ),
    (
        "decode",
        "--to utf16be --form free",
        "the octets of a unit have the order of the other encoding",
        "assign m_axis_tdata = {pipeline_events_out_scalars[7:0], pipeline_events_out_scalars[15:8]};",
        "assign m_axis_tdata = pipeline_events_out_scalars;",
    ),
    (
        "decode",
        "--to utf16le --lanes 8 --form free --signature strip",
        "the third of four bytes has no unit",
        "s8_gives_unit <= s7_third | ",
        "s8_gives_unit <= (s7_third & ~s7_open) | ",
    ),
    (
        "decode",
        "--to utf16le --depth 3",
        "one is borrowed from bit 19 whatever bit 18 is",
        "wire s8_for_9 = (s7_borrows & ~s8_first_carried) | ",
        "wire s8_for_9 = s7_borrows | ",
    ),
    (
        "decode",
        "--to utf16le --depth 3 --signature strip",
        "the third of four bytes has no unit",
        "wire s8_gives_unit = s6_third | ",
        "wire s8_gives_unit = (s6_third & ~s7_open) | ",
    ),
    (
        "stream",
        "--to utf16be",
        "a beat leaves though the sink does not take it",
        "wire leaves = filled[0] & ready;",
        "wire leaves = filled[0];",
    ),
];
