//! Where each field of the output streams lies: the contract that users build against.
//!
//! # Events
//! Per lane `i` of a beat: `m_axis_tdata[32*i +: 32]` is the scalar value, or U+FFFD for an ill-formed piece, or 0 where no
//! event is; `m_axis_tkeep[4*i +: 4]` is all ones where an event is; `m_axis_tuser[5*i +: 5]` is `{length, kind}`, 0
//! unless ill-formed (with RFC 2279's grammar `m_axis_tuser[6*i +: 6]`). The bit above all lanes is the packet's signature flag; above
//! that is the `tuser` that came with the bytes, if the configuration has one.
//!
//! # Verdicts
//! `m_axis_verdict_tdata` is five words of 32 bits ([`VERDICT`]): `bytes`, `valid_up_to`, `scalars`, `ill_formed`, and a word of
//! flags. With `--forbid` there is a sixth word, `forbidden_end`; with `--verdict full` also `ascii` and `utf16_units`. A wider bus is filled with zeros.

use serde::Serialize;

/// Bits of a scalar value, and of the longer values of RFC 2279.
pub const SCALAR_BITS: usize = 21;
pub const LONG_SCALAR_BITS: usize = 31;
/// Bits of a kind, at bit 0 of a lane's part of `tuser`.
pub const KIND_BITS: usize = 3;
/// Bits of a maximal subpart's length in bytes, above the kind: 1 to 3, or 1 to 5 in RFC 2279.
pub const LENGTH_BITS: usize = 2;
pub const LONG_LENGTH_BITS: usize = 3;
/// Bits of a lane's part of `tuser`.
pub const USER_BITS: usize = KIND_BITS + LENGTH_BITS;
pub const LONG_USER_BITS: usize = KIND_BITS + LONG_LENGTH_BITS;
/// What a lossy decoder writes for an ill-formed piece.
pub const REPLACEMENT: u32 = 0xFFFD;

/// The kinds of ill-formed pieces, by code (0 to 7).
pub const KINDS: [&str; 8] = [
    "none",
    "stray_continuation",
    "invalid_byte",
    "overlong",
    "surrogate",
    "too_large",
    "truncated",
    "truncated_at_end",
];

/// The classes of scalar values that a packet can be forbidden to have, by the bit of `forbidden`: their names, and what is in them.
pub const CLASSES: [(&str, &str); 8] = [
    ("nul", "U+0000"),
    (
        "control",
        "U+0001 to U+001F but HT, LF and CR; DEL (U+007F)",
    ),
    ("c1", "U+0080 to U+009F"),
    (
        "noncharacter",
        "U+FDD0 to U+FDEF, and the last two of each plane",
    ),
    (
        "bidi",
        "bidirectional controls: U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069",
    ),
    (
        "private",
        "private use: U+E000 to U+F8FF, U+F0000 to U+FFFFD, U+100000 to U+10FFFD",
    ),
    ("supplementary", "U+10000 and above: four bytes"),
    ("from-0300", "U+0300 and above: text below it is in NFC"),
];

/// The version of Unicode that the classes are of. A test compares it with that of the tables that the model has.
pub const UNICODE: &str = "16.0";

/// Bits of how many bytes a packet's edge has cut: at most three.
pub const EDGE_BITS: usize = 2;
/// Bits that the greatest scalar value of a packet needs at most, by the code of its class; the first is of no scalar value.
pub const WIDTHS: [usize; 6] = [0, 7, 8, 11, 16, SCALAR_BITS];

/// Bits of a verdict, with `--forbid`, and with `--verdict full`.
pub const VERDICT_BITS: usize = 160;
pub const FORBID_VERDICT_BITS: usize = 192;
pub const FULL_VERDICT_BITS: usize = 256;
/// Bits of the words after the first five.
pub const FURTHER_BITS: usize = FULL_VERDICT_BITS - VERDICT_BITS;
/// Bits of a verdict's counter, unless the configuration has fewer; each has a word.
pub const COUNTER_BITS: usize = 32;

/// Bits of a flow's number inside a core; `tid` may have fewer.
pub const FLOW_BITS: usize = 16;
/// Bits of what comes with a beat of a flow beside its bytes, the low ones of `tuser`: `more`, `open`, `forget`.
pub const COMMAND_BITS: usize = 3;
/// Bits of where a packet's text is, the low ones of `tuser` with `--window`: whether it has any, and the positions of its first byte and
/// of the byte after its last one.
pub const WINDOW_BITS: usize = 1 + 2 * PLACE_BITS;
/// Bits of such a position.
pub const PLACE_BITS: usize = 16;
/// Why a packet is not judged, by the code in its verdict; the first is of one that is.
pub const REASONS: [&str; 9] = [
    "none",
    "no_window",
    "not_ip",
    "other_protocol",
    "ip_fragment",
    "malformed",
    "too_deep",
    "port",
    "no_payload",
];
/// The codes of those that a frame's headers give.
pub mod reason {
    pub const NOT_IP: u64 = 2;
    pub const IP_FRAGMENT: u64 = 4;
    pub const MALFORMED: u64 = 5;
    pub const TOO_DEEP: u64 = 6;
    pub const PORT: u64 = 7;
    pub const NO_PAYLOAD: u64 = 8;
}
/// Bits of such a code.
pub const REASON_BITS: usize = 4;
/// Bits of the register bus's addresses: the registers have a window of 4 KiB.
pub const ADDRESS_BITS: usize = 12;
/// Bits of an entry of a table of ports: its first port and its last, then whether it is of UDP, of TCP, of the source and of the destination.
/// And those of the table, with one above all entries that says that all ports are judged.
pub const PORT_BITS: usize = 36;
pub const PORTS_BITS: usize = 16 * PORT_BITS + 1;

/// A field of a vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Field {
    pub name: &'static str,
    pub offset: usize,
    pub width: usize,
}

const fn field(name: &'static str, offset: usize, width: usize) -> Field {
    Field {
        name,
        offset,
        width,
    }
}

/// The fields of a verdict. A saturated counter shows all ones.
pub const VERDICT: [Field; 25] = [
    field("bytes", 0, COUNTER_BITS),
    field("valid_up_to", 32, COUNTER_BITS),
    field("scalars", 64, COUNTER_BITS),
    field("ill_formed", 96, COUNTER_BITS),
    field("well_formed", 128, 1),
    field("signature", 129, 1),
    // With a window only: the packet is not judged.
    field("unjudged", 130, 1),
    // With a policy only.
    field("bad", 131, 1),
    field("kind", 132, KIND_BITS),
    // With `--verdict full` only, as all about ASCII, units and the width class.
    field("ascii_saturated", 135, 1),
    // Its highest bit is set only in RFC 2279.
    field("error_len", 136, LONG_LENGTH_BITS),
    field("utf16_units_saturated", 139, 1),
    // With `--edges open` only: bytes before the first boundary, and of the sequence that the end cuts.
    field("head_bytes", 140, EDGE_BITS),
    field("tail_bytes", 142, EDGE_BITS),
    // Of a packet that is not judged, why: see REASONS. Its edges have cut nothing.
    field("reason", 140, REASON_BITS),
    field("bytes_saturated", 144, 1),
    field("valid_up_to_saturated", 145, 1),
    field("scalars_saturated", 146, 1),
    field("ill_formed_saturated", 147, 1),
    // With `--forbid` only, all three.
    field("forbidden_end_saturated", 148, 1),
    // The class of the greatest scalar value: see WIDTHS.
    field("width_class", 149, 3),
    field("forbidden", 152, CLASSES.len()),
    field("forbidden_end", 160, COUNTER_BITS),
    field("ascii", 192, COUNTER_BITS),
    field("utf16_units", 224, COUNTER_BITS),
];

/// Bits of a number of words of the memory in which packets wait.
pub const FILL_BITS: usize = 17;
