//! Bugs in the FIFO in which packets wait.

/// A theorem, the core's options, what is wrong, what was right and what stands in its place.
pub const PLANTED: [(&str, &str, &str, &str, &str); 7] = [
    (
        "packets",
        "--lanes 1",
        "a bad packet is handed to the reader",
        "good_1 <= push & beat[9] & ~side & ~released;",
        "good_1 <= push & beat[9] & ~released;",
    ),
    (
        "packets",
        "--lanes 1",
        "the words of a dropped packet stay taken",
        "stays_1 <= push & beat[9] & (size_carry_2 | ~side);",
        "stays_1 <= push & beat[9];",
    ),
    (
        "packets",
        "--lanes 1",
        "what is too long is handed over again with its last beat",
        "released <= push ? ((released | size_carry_2) & ~beat[9]) : released;",
        "released <= push ? (size_carry_2 & ~released) : released;",
    ),
    (
        "packets",
        "--lanes 1",
        "a beat comes out again when the sink takes one of two that wait",
        "if (reads) read <= clash ? 11'hx : words[read_address];",
        "if (reads & ~full) read <= clash ? 11'hx : words[read_address];",
    ),
    (
        "packets",
        "--lanes 1",
        "a count is full a beat early: a packet is too long with one beat fewer",
        "? ((size_digit_0 == 3'h6) &",
        "? ((size_digit_0 == 3'h5) &",
    ),
    (
        "packets",
        "--lanes 1",
        "a beat is given twice",
        "wire gives = stock[5] & (~gave | stock_before[5]) & tokens_free[1];",
        "wire gives = stock[5] & tokens_free[1];",
    ),
    (
        "packets",
        "--lanes 1",
        "a beat waits although it could be read",
        "wire gives = stock[5] & (~gave | stock_before[5]) & tokens_free[1];",
        "wire gives = stock[5] & ~gave & tokens_free[1];",
    ),
];
