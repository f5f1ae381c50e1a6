//! What a scalar value is outside UTF-8: a word of 32 bits, or units of 16 bits.

/// How words stand for scalar values: those that `decode` puts out, or those that `encode` takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// A scalar value is a word of 32 bits.
    Utf32,
    /// A scalar value is one unit of 16 bits, or two. `decode` puts the first of two in the lane of the third byte.
    Utf16 {
        /// The first byte of a lane's two has the unit's high octet.
        high_first: bool,
    },
}

impl Encoding {
    /// Bytes of a word.
    pub const fn word_bytes(self) -> usize {
        match self {
            Self::Utf32 => 4,
            Self::Utf16 { .. } => 2,
        }
    }
}
