//! Where each field of the output stream lies: the contract that users build against.
//!
//! Per lane `i` of a beat: `m_axis_tdata[32*i +: 32]` is the scalar value, or U+FFFD for an ill-formed piece, or 0 where no
//! event is; `m_axis_tkeep[4*i +: 4]` is all ones where an event is; `m_axis_tuser[5*i +: 5]` is `{length, kind}`, 0
//! unless ill-formed. The top bit of `m_axis_tuser` is the packet's signature flag.

/// Bits of a scalar value.
pub const SCALAR_BITS: usize = 21;
/// Bits of a kind, at bit 0 of a lane's part of `tuser`.
pub const KIND_BITS: usize = 3;
/// Bits of a maximal subpart's length in bytes (1..3), above the kind.
pub const LENGTH_BITS: usize = 2;
/// Bits of a lane's part of `tuser`.
pub const USER_BITS: usize = KIND_BITS + LENGTH_BITS;
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
