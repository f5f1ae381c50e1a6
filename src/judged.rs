//! What is said of a packet, whatever it is of.

use golden::{Kind, Verdict, encode};
use serde::Serialize;

/// The verdict on a packet of bytes, or of words.
#[derive(Clone, Copy, Serialize)]
#[serde(untagged)]
pub enum Judged {
    Bytes(Verdict),
    Words {
        #[serde(flatten)]
        verdict: encode::Verdict,
        /// Bytes of a word.
        #[serde(skip)]
        width: u64,
    },
}

impl Judged {
    /// Whether it has nothing ill-formed, but for what its edges may cut.
    pub fn is_faultless(&self) -> bool {
        match self {
            Self::Bytes(verdict) => verdict.kind == Kind::None,
            Self::Words { verdict, .. } => verdict.well_formed,
        }
    }

    /// Bytes of the packet in its input.
    pub fn input_bytes(&self) -> u64 {
        match self {
            Self::Bytes(verdict) => verdict.bytes,
            Self::Words { verdict, width } => verdict.words * width,
        }
    }
}
