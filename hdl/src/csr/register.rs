//! What a register is, and its fields.

use crate::config::Config;
use serde::Serialize;

/// What a register does with accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Access {
    /// It is only read; a write is an error.
    Read,
    /// It keeps what is written.
    ReadWrite,
    /// Each bit that is written as one does something, once; all read as zero.
    Command,
}

impl Access {
    /// As the documents have it.
    pub const fn name(self) -> &'static str {
        match self {
            Access::Read => "read",
            Access::ReadWrite => "read, write",
            Access::Command => "write 1",
        }
    }
}

/// Bits of a register.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    pub name: &'static str,
    /// The lowest bit.
    pub low: usize,
    /// Bits, at least 1.
    pub width: usize,
    /// What it reads as after a reset; for ever, unless the description says what changes it.
    pub reset: fn(&Config) -> u32,
    pub description: &'static str,
}

/// What a register holds.
#[derive(Clone, Copy, Debug)]
pub enum Content {
    /// 32 bits; what no field has reads as zero, and writes to it do nothing.
    Fields(&'static [Field]),
    /// 64 bits of the last snapshot, the lower word at the lower address. The counters are numbered in the map's order.
    Counter,
}

/// A register.
#[derive(Clone, Copy, Debug)]
pub struct Register {
    pub name: &'static str,
    /// Its address in bytes, a multiple of 4; of a counter a multiple of 8.
    pub offset: usize,
    pub access: Access,
    pub content: Content,
    pub description: &'static str,
}

impl Register {
    /// Its 32-bit words.
    pub const fn words(&self) -> usize {
        match self.content {
            Content::Fields(_) => 1,
            Content::Counter => 2,
        }
    }

    pub const fn fields(&self) -> &'static [Field] {
        match self.content {
            Content::Fields(fields) => fields,
            Content::Counter => &[],
        }
    }

    /// Whether a write can change a field: of `forbid` those of the classes that the core finds, which are set after a reset.
    pub fn is_written(&self, field: &Field, config: &Config) -> bool {
        self.access != Access::Read && (self.name != "forbid" || (field.reset)(config) != 0)
    }

    /// What it reads as after a reset.
    pub fn reset(&self, config: &Config) -> u32 {
        let fields = self.fields().iter();
        fields.fold(0, |word, field| word | (field.reset)(config) << field.low)
    }
}

pub(super) const fn field(
    name: &'static str,
    low: usize,
    width: usize,
    reset: fn(&Config) -> u32,
    description: &'static str,
) -> Field {
    Field {
        name,
        low,
        width,
        reset,
        description,
    }
}

pub(super) const fn counter(
    name: &'static str,
    offset: usize,
    description: &'static str,
) -> Register {
    Register {
        name,
        offset,
        access: Access::Read,
        content: Content::Counter,
        description,
    }
}
