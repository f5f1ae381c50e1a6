//! Bugs in what tells the edges of a packet from ill-formed pieces.

/// A theorem, the core's options, what is wrong, what was right and what stands in its place.
pub const PLANTED: [(&str, &str, &str, &str, &str); 5] = [
    (
        "validate",
        "--edges open --form free --lanes 1",
        "any number of continuation bytes at the beginning is cut",
        "s7_third <= s6_cont & s7_before_second_carried;",
        "s7_third <= s6_cont & (s7_before_second_carried | s7_third);",
    ),
    (
        "validate",
        "--edges open --form free --lanes 1",
        "what the end cuts is ill-formed",
        "assign ill = alone | (open & after & ~more);",
        "assign ill = alone | (open & ~more);",
    ),
    (
        "validate",
        "--edges open --form free --lanes 1",
        "the bytes that are cut are those of the packet before, too",
        "s21_heads <= delay_heads_20_y | (s21_heads & {3{keeps_heads_x}});",
        "s21_heads <= delay_heads_20_y | s21_heads;",
    ),
    (
        "validate",
        "--edges open --form free --lanes 1",
        "a packet with cut edges is well-formed",
        "s34_well_formed <= s33_ended_fields & ~delay_wrong_33_y & ~s33_edge_is_any;",
        "s34_well_formed <= s33_ended_fields & ~delay_wrong_33_y;",
    ),
    (
        "validate",
        "--edges open --form free --lanes 1",
        "an idle clock forgets the first byte",
        "s6_before_first_carried <= (s5_valid & ~s5_last & s5_first) | (~s5_valid & s6_before_first_carried);",
        "s6_before_first_carried <= (s5_valid & ~s5_last & s5_first);",
    ),
];
