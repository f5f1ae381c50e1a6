//! How a command ends, as its exit code tells: it found something, or it could not be carried out.

use std::fmt::Display;

/// What a command that could be carried out found: exit code 0 or 1.
pub enum Finding {
    Good,
    CheckFailed,
}

/// Why a request could not be carried out, exit code 2: what, the value, what is allowed, the remedy.
pub struct Failure(pub String);

impl<E: Display> From<E> for Failure {
    fn from(error: E) -> Self {
        Self(error.to_string())
    }
}

impl Failure {
    pub fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }
}
