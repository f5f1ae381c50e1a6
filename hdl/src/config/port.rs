//! A pin.

use serde::Serialize;

/// Direction of a pin, seen from the core.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    Input,
    Output,
}

/// A pin: its width in bits, and what it means.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Port {
    pub name: &'static str,
    pub direction: Direction,
    pub width: usize,
    pub description: &'static str,
}

impl Port {
    /// 32-bit words that the pin takes in a frame (see [`crate::embedded`]).
    pub fn words(&self) -> usize {
        self.width.div_ceil(32)
    }
}

pub(super) const fn input(name: &'static str, width: usize, description: &'static str) -> Port {
    Port {
        name,
        direction: Direction::Input,
        width,
        description,
    }
}

pub(super) const fn output(name: &'static str, width: usize, description: &'static str) -> Port {
    Port {
        name,
        direction: Direction::Output,
        width,
        description,
    }
}
