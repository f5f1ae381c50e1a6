//! Bugs in the packing of an encoder's bytes.

/// A theorem, the core's options, what is wrong, what was right and what stands in its place.
pub const PLANTED: [(&str, &str, &str, &str, &str); 5] = [
    (
        "packing",
        "--lanes 1",
        "bytes that reach into the next round of the ring are written into this one",
        "wire [4:0] round_0 = then ? next_round : this_round;",
        "wire [4:0] round_0 = this_round;",
    ),
    (
        "packing",
        "--lanes 1",
        "a packet's end is lost if its last word has four bytes",
        "ends_late <= ends;",
        "ends_late <= ends & (completes != 3'h4);",
    ),
    (
        "packing",
        "--lanes 1",
        "bytes of a word swap their places",
        "ranks_1_2 <= (ranks_0_2 & stays_0) | came_ranks_0_2;",
        "ranks_1_2 <= ranks_0_2;",
    ),
    (
        "packing",
        "--lanes 1",
        "a beat leaves the ring twice if another comes in that clock",
        "waiting <= waiting + less + {7'h0, none_leaves_x_0};",
        "waiting <= waiting + less + {7'h0, none_leaves_x_0 | came};",
    ),
    (
        "packing",
        "--lanes 1",
        "a packet's empty last beat has a byte",
        "keep_next <= ~tag[1] | tag[0];",
        "keep_next <= 1'b1;",
    ),
];
