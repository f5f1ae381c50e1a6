//! Why a core could not be emitted.

/// A core could not be emitted.
#[derive(Debug, thiserror::Error)]
pub enum EmitError {
    #[error(
        "Rust-HDL refuses the description: {0}; this is a defect of Runegate, please report it"
    )]
    Check(String),
    #[error("the emitter does not know {0:?}; this is a defect of Runegate, please report it")]
    Unknown(String),
}

impl EmitError {
    pub fn unknown(what: &str) -> Self {
        Self::Unknown(what.to_string())
    }
}
