//! Bugs in encoders.

/// A theorem, the core's options, what is wrong, what was right and what stands in its place.
pub const PLANTED: [(&str, &str, &str, &str, &str); 12] = [
    (
        "encode",
        "--from utf32 --lanes 1",
        "110000 has four bytes",
        "s2_over <= s1_b20 & s1_planes_1_to_f;",
        "s2_over <= s1_b20 & s1_planes_1_to_f & s1_any_15_12;",
    ),
    (
        "encode",
        "--from utf32 --lanes 1",
        "a surrogate has three bytes",
        "s2_surrogate <= s1_is_dxxx & s1_b11 & ~s1_planes_1_to_f & ~s1_b20;",
        "s2_surrogate <= s1_is_dxxx & s1_b11 & ~s1_planes_1_to_f & ~s1_b20 & s1_b7;",
    ),
    (
        "encode",
        "--from utf32 --lanes 1",
        "100000 to 10FFFF have three bytes",
        "s2_from_10000 <= s1_planes_1_to_f | s1_b20;",
        "s2_from_10000 <= s1_planes_1_to_f;",
    ),
    (
        "encode",
        "--from utf32 --lanes 1 --on-error omit",
        "the first of three bytes has bit 4 set",
        "s1_is_3 <= ~has_4;",
        "s1_is_3 <= 1'b1;",
    ),
    (
        "encode",
        "--from utf32 --lanes 1",
        "bit 17 of the second of four bytes is that of three",
        "s1_three_5 <= scalars[17] | ~has_4;",
        "s1_three_5 <= scalars[17];",
    ),
    (
        "encode",
        "--from utf32 --lanes 1",
        "the bytes of U+FFFD are those of U+FFFC",
        "replacement = 21'hfffd;",
        "replacement = 21'hfffc;",
    ),
    (
        "encode",
        "--from utf32 --lanes 1 --on-error omit",
        "an ill-formed word has a byte",
        "s4_has_1 <= s3_present & ~s3_ill;",
        "s4_has_1 <= s3_present;",
    ),
    (
        "encode",
        "--from utf32 --lanes 1",
        "the scalar values come a clock late, after a wait of fifteen words",
        "from <= at + 4'h6;",
        "from <= at + 4'h5;",
    ),
    (
        "encode",
        "--from utf16le --lanes 1",
        "the first unit of a pair is forgotten in an idle between two beats",
        "end else if (s2_valid) begin\n            s3_carried <= s2_high & ~s2_last;",
        "end else begin\n            s3_carried <= s2_high & ~s2_last & s2_valid;",
    ),
    (
        "encode",
        "--from utf16be --lanes 2",
        "a first unit that waits does not see the second one in the next beat",
        "wire [1:0] ahead_pair_y = {s3_pair[0] & ahead_pair_same_packet, ",
        "wire [1:0] ahead_pair_y = {1'b0, ",
    ),
    (
        "encode",
        "--from utf16le --lanes 1",
        "a pair reaches into the next packet",
        "s3_carried <= s2_high & ~s2_last;",
        "s3_carried <= s2_high;",
    ),
    (
        "encode",
        "--from utf16le --lanes 1",
        "nothing is carried from bit 8 of a first unit to bit 9",
        "wire of_high_x_9 = s1_data[9] ^ (s1_data[8] & s1_data[7] & s1_data[6]);",
        "wire of_high_x_9 = s1_data[9];",
    ),
];
