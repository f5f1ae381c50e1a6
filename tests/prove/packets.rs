//! Bugs in the FIFO in which packets wait.

/// A theorem, the core's options, what is wrong, what was right and what stands in its place.
pub const PLANTED: [(&str, &str, &str, &str, &str); 4] = [
    (
        "packets",
        "--lanes 1",
        "a bad packet is handed to the reader",
        "whole_1 <= push & ~released & (left[5] | (beat[9] & ~side));",
        "whole_1 <= push & ~released & (left[5] | beat[9]);",
    ),
    (
        "packets",
        "--lanes 1",
        "the words of a dropped packet stay taken",
        "stays_1 <= push & beat[9] & (left[5] | ~side);",
        "stays_1 <= push & beat[9];",
    ),
    (
        "packets",
        "--lanes 1",
        "what is too long is handed over again with its last beat",
        "released <= push ? ((released | left[5]) & ~beat[9]) : released;",
        "released <= push ? (left[5] & ~left[4]) : released;",
    ),
    (
        "packets",
        "--lanes 1",
        "the reader takes a beat for which there is no room",
        "assign reads = stock[5] & enough;",
        "assign reads = stock[5];",
    ),
];
