//! Bugs in which lanes of a window are judged, and in what keeps the others from a verdict.

/// A theorem, the core's options, what is wrong, what was right and what stands in its place.
pub const PLANTED: [(&str, &str, &str, &str, &str); 5] = [
    (
        "positions",
        "--form free --lanes 2",
        "the beat with the window's end is judged as a whole",
        "({2{s3_end_is_here_of_group}} & s3_below_end)",
        "{2{s3_end_is_here_of_group}}",
    ),
    (
        "positions",
        "--form free --lanes 2",
        "a packet takes the window of the one before if it has none",
        ".loads(s0_begins)",
        ".loads(s0_begins & window[0])",
    ),
    (
        "positions",
        "--form free --lanes 2",
        "a null beat is counted",
        "wire comes = valid & (last | keep[0]);",
        "wire comes = valid;",
    ),
    (
        "outside",
        "--form free --lanes 1",
        "a byte beside the window is ill-formed",
        "s12_ill <= s11_ill & s11_present;",
        "s12_ill <= s11_ill;",
    ),
    (
        "outside",
        "--form free --lanes 2",
        "a leading byte beside the window takes the next one",
        "s1_lead_cd <= planes_y[15:14] & planes_y[13:12] & ~planes_y[11:10] & s0_present;",
        "s1_lead_cd <= planes_y[15:14] & planes_y[13:12] & ~planes_y[11:10];",
    ),
];
