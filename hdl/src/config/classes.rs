//! Classes of scalar values, which a packet can be forbidden to have.

use crate::layout::{CLASSES, FORBID_VERDICT_BITS, VERDICT_BITS};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Classes of scalar values, a bit for each of [`CLASSES`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Classes(u8);

impl Classes {
    pub const NONE: Self = Self(0);

    pub fn is_empty(&self) -> bool {
        self.0 == 0
    }

    /// Whether the class of this bit is one of them.
    pub fn has(self, class: usize) -> bool {
        self.0 >> class & 1 == 1
    }

    pub fn bits(self) -> u8 {
        self.0
    }

    /// Of each class its bit, its name and what is in it.
    pub fn each(self) -> impl Iterator<Item = (usize, &'static str, &'static str)> {
        let all = CLASSES.into_iter().enumerate();
        let all = all.map(|(bit, (name, scalar_values))| (bit, name, scalar_values));
        all.filter(move |(bit, ..)| self.has(*bit))
    }

    /// Bits of a verdict about them.
    pub fn verdict_bits(self) -> usize {
        if self.is_empty() {
            VERDICT_BITS
        } else {
            FORBID_VERDICT_BITS
        }
    }
}

impl From<u8> for Classes {
    fn from(bits: u8) -> Self {
        Self(bits)
    }
}

impl FromStr for Classes {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut classes = 0;
        for word in text.split(',') {
            let class = CLASSES.iter().position(|(name, _)| *name == word);
            let class = class.ok_or_else(|| {
                format!(
                    "{word:?} is no class; choose some of {}, with commas between them",
                    CLASSES.map(|(name, _)| name).join(", ")
                )
            })?;
            classes |= 1 << class;
        }
        Ok(Self(classes))
    }
}

impl TryFrom<String> for Classes {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<Classes> for String {
    fn from(classes: Classes) -> Self {
        classes.to_string()
    }
}

impl fmt::Display for Classes {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let names: Vec<&str> = self.each().map(|(_, name, _)| name).collect();
        out.write_str(&names.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_read_as_they_are_written() {
        for bits in 1..=u8::MAX {
            let classes = Classes(bits);
            assert_eq!(classes.to_string().parse(), Ok(classes));
        }
        for wrong in ["", "nul,", "NUL", "nul control", "8"] {
            let error = wrong.parse::<Classes>().expect_err(wrong);
            assert!(error.contains("supplementary"), "{error}");
        }
    }
}
