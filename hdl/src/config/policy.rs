//! What makes a packet bad: beyond what is ill-formed, and what of that does not.

use super::classes::Classes;
use super::configuration::{Core, Signature};
use super::judging::{Edges, Extent};
use crate::layout::FULL_VERDICT_BITS;

/// What makes a packet bad: beyond what is ill-formed, and what of that does not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Policy {
    /// A scalar value of these classes.
    pub forbid: Classes,
    /// A signature at its beginning.
    pub rejects: bool,
    /// What its beginning and its end cut is no error.
    pub has_open_edges: bool,
    /// The verdict tells all that there is, which says whether a packet is bad, too.
    pub is_full: bool,
}

impl Policy {
    /// Whether the verdict says that a packet is bad, besides that it is ill-formed.
    pub fn is_some(self) -> bool {
        self.rejects || self.has_open_edges || self.is_full || !self.forbid.is_empty()
    }
}

impl Core {
    /// What makes a packet bad.
    pub fn policy(&self) -> Policy {
        match *self {
            Core::Decode { signature, .. } | Core::Sanitise { signature, .. } => Policy {
                rejects: signature == Signature::Reject,
                ..Policy::default()
            },
            Core::Validate {
                signature,
                forbid,
                edges,
                verdict,
                ..
            } => Policy {
                rejects: signature == Signature::Reject,
                forbid,
                has_open_edges: edges == Edges::Open,
                is_full: verdict == Extent::Full,
            },
            Core::Encode { .. } => Policy::default(),
        }
    }

    /// Bits of a verdict, without what fills its bus.
    pub fn verdict_bits(&self) -> usize {
        let policy = self.policy();
        match policy.is_full {
            true => FULL_VERDICT_BITS,
            false => policy.forbid.verdict_bits(),
        }
    }
}
