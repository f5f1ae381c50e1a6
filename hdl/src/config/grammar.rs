//! Which sequences of bytes are well-formed, and what follows from that for the widths of a core's fields.

use crate::layout::{KIND_BITS, LENGTH_BITS, LONG_LENGTH_BITS, LONG_SCALAR_BITS, SCALAR_BITS};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The grammar of the bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Grammar {
    /// UTF-8: one to four bytes, up to 10FFFF.
    #[default]
    Rfc3629,
    /// What UTF-8 was before: one to six bytes, up to 7FFFFFFF. Overlong forms and surrogates are refused all the same.
    Rfc2279,
}

impl Grammar {
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }

    pub const fn is_2279(self) -> bool {
        matches!(self, Grammar::Rfc2279)
    }

    /// The most bytes of an unfinished sequence.
    pub const fn most_waiting(self) -> usize {
        if self.is_2279() { 5 } else { 3 }
    }

    /// Bits of a scalar value.
    pub const fn scalar_bits(self) -> usize {
        if self.is_2279() {
            LONG_SCALAR_BITS
        } else {
            SCALAR_BITS
        }
    }

    /// Bits of the length of an ill-formed piece.
    pub const fn length_bits(self) -> usize {
        if self.is_2279() {
            LONG_LENGTH_BITS
        } else {
            LENGTH_BITS
        }
    }

    /// Bits of a lane's part of a decoder's `m_axis_tuser`.
    pub const fn user_bits(self) -> usize {
        KIND_BITS + self.length_bits()
    }
}

impl fmt::Display for Grammar {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.write_str(match self {
            Grammar::Rfc3629 => "rfc3629",
            Grammar::Rfc2279 => "rfc2279",
        })
    }
}
