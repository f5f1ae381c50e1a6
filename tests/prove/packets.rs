//! Bugs in the FIFO in which packets wait.

/// A theorem, the core's options, what is wrong, what was right and what stands in its place.
pub const PLANTED: [(&str, &str, &str, &str, &str); 6] = [
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
        "a beat is read again when the sink takes one of two that wait",
        "read_address <= reads ? (read_address + 5'h1) : read_address;",
        "read_address <= (reads & ~full) ? (read_address + 5'h1) : read_address;",
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
