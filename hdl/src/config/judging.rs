//! How a validator judges: where packets may begin and end, and how much a verdict tells.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Where a packet may begin and end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Edges {
    /// Between sequences.
    #[default]
    Closed,
    /// Within a sequence, too: what is cut there is no error.
    Open,
}

/// What a verdict tells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Extent {
    /// Five words, and one more with forbidden classes.
    #[default]
    Basic,
    /// All eight words.
    Full,
}

impl Extent {
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

impl fmt::Display for Extent {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.write_str(match self {
            Extent::Basic => "basic",
            Extent::Full => "full",
        })
    }
}

impl Edges {
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

impl fmt::Display for Edges {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.write_str(match self {
            Edges::Closed => "closed",
            Edges::Open => "open",
        })
    }
}
