//! What is a piece, and what becomes of it: the configuration of [`super::sequence`].

use crate::primitives::fanout::Clearing;

/// A signature ends at a packet's third byte: in lane 2, or in lane 0 of the third or second beat.
pub(super) const SIGNATURE_LANE: usize = 2;

/// What is a piece, and what becomes of it.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// Signatures are left out.
    pub strip: bool,
    /// The third byte of four gives a UTF-16 unit by itself.
    pub is_utf16: bool,
    /// Sequences have up to six bytes, as in RFC 2279.
    pub is_2279: bool,
    /// What a packet's beginning and its end cut is not ill-formed.
    pub opens: bool,
    /// The lanes are those of a window: the lowest may be without a byte, or all of them.
    pub has_window: bool,
    /// How a reset clears the lanes of what leaves.
    pub clearing: Clearing,
}

impl Rules {
    /// Those of RFC 3629, for packets that begin and end between sequences.
    pub fn plain(clearing: Clearing) -> Self {
        Self {
            strip: false,
            is_utf16: false,
            is_2279: false,
            opens: false,
            has_window: false,
            clearing,
        }
    }
}
