//! A stream of outputs: when it moves, and the fields of a verdict.

use crate::frame::Frame;
use golden::{Edges, Further};
use hdl::config::{Config, Policy};
use hdl::layout::{Field, VERDICT, WIDTHS};

/// Which counts of a verdict have saturated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Saturated {
    pub bytes: bool,
    pub valid_up_to: bool,
    pub scalars: bool,
    pub ill_formed: bool,
}

/// When a stream moves.
pub(crate) struct Stream {
    /// Where `tvalid` is among the outputs, and `tready` among the inputs if the stream has one.
    valid_at: usize,
    ready_at: Option<usize>,
}

impl Stream {
    pub fn of(config: &Config, prefix: &str) -> Option<Self> {
        Some(Self {
            valid_at: Frame::outputs(config).find(&format!("{prefix}_tvalid"))?,
            ready_at: Frame::inputs(config).find(&format!("{prefix}_tready")),
        })
    }

    #[inline]
    pub fn moves(&self, inputs: &[u32], outputs: &[u32]) -> bool {
        outputs[self.valid_at] != 0 && self.ready_at.is_none_or(|at| inputs[at] != 0)
    }
}

/// A field of the words of a verdict.
pub(crate) fn field(words: &[u32], name: &str) -> u32 {
    let field = VERDICT.iter().find(|field| field.name == name);
    let &Field { offset, width, .. } = field.expect("a verdict's field");
    // No field lies across two words.
    words[offset / 32] >> (offset % 32) & u32::MAX >> (32 - width)
}

/// The further counts of a full verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counted {
    pub counts: Further,
    /// Those that did not fit their counters.
    pub ascii_saturated: bool,
    pub utf16_units_saturated: bool,
}

/// Those of a verdict.
fn counted(words: &[u32]) -> Counted {
    let is_set = |name| field(words, name) != 0;
    Counted {
        counts: Further {
            ascii: field(words, "ascii").into(),
            utf16_units: field(words, "utf16_units").into(),
            width: WIDTHS[field(words, "width_class") as usize] as u8,
        },
        ascii_saturated: is_set("ascii_saturated"),
        utf16_units_saturated: is_set("utf16_units_saturated"),
    }
}

/// What a core with a policy says of a packet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Against {
    /// It is ill-formed, or against the policy.
    pub bad: bool,
    /// The forbidden classes that it has, a bit for each, and the bytes up to the end of the first such scalar value.
    pub forbidden: u8,
    pub forbidden_end: u64,
    /// The end did not fit its counter.
    pub saturated: bool,
    /// With open edges: what they have cut.
    pub edges: Option<Edges>,
    /// With windows: why the packet is not judged, if it is not.
    pub unjudged: Option<u8>,
    /// Of a full verdict.
    pub further: Option<Counted>,
}

/// What a verdict has of it.
pub(crate) fn against(words: &[u32], policy: Policy) -> Against {
    let is_unjudged = policy.has_window && field(words, "unjudged") != 0;
    let against = Against {
        bad: field(words, "bad") != 0,
        unjudged: is_unjudged.then(|| field(words, "reason") as u8),
        // The bits of `head_bytes` and `tail_bytes` are then the reason.
        edges: (policy.has_open_edges && !is_unjudged).then(|| Edges {
            head: field(words, "head_bytes") as u8,
            tail: field(words, "tail_bytes") as u8,
        }),
        further: policy.is_full.then(|| counted(words)),
        ..Against::default()
    };
    // Without forbidden classes a verdict may have only five words.
    if policy.forbid.is_empty() {
        return against;
    }
    Against {
        forbidden: field(words, "forbidden") as u8,
        forbidden_end: field(words, "forbidden_end").into(),
        saturated: field(words, "forbidden_end_saturated") != 0,
        ..against
    }
}

/// Which of its counts have saturated.
pub(crate) fn saturated(words: &[u32]) -> Saturated {
    let is_set = |name| field(words, name) != 0;
    Saturated {
        bytes: is_set("bytes_saturated"),
        valid_up_to: is_set("valid_up_to_saturated"),
        scalars: is_set("scalars_saturated"),
        ill_formed: is_set("ill_formed_saturated"),
    }
}
