//! What makes a packet bad, beyond what is ill-formed.

use super::classes::Classes;
use super::configuration::{Core, Signature};

/// What makes a packet bad, beyond what is ill-formed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Policy {
    /// A scalar value of these classes.
    pub forbid: Classes,
    /// A signature at its beginning.
    pub rejects: bool,
}

impl Policy {
    /// Whether there is any.
    pub fn is_some(self) -> bool {
        self.rejects || !self.forbid.is_empty()
    }
}

impl Core {
    /// What makes a packet bad, beyond what is ill-formed.
    pub fn policy(&self) -> Policy {
        match *self {
            Core::Decode { signature, .. } | Core::Sanitise { signature, .. } => Policy {
                rejects: signature == Signature::Reject,
                ..Policy::default()
            },
            Core::Validate {
                signature, forbid, ..
            } => Policy {
                rejects: signature == Signature::Reject,
                forbid,
            },
            Core::Encode { .. } => Policy::default(),
        }
    }

    /// Bits of a verdict, without what fills its bus.
    pub fn verdict_bits(&self) -> usize {
        self.policy().forbid.verdict_bits()
    }
}
