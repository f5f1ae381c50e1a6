//! The configuration of a core, and what is allowed.

use super::classes::Classes;
use super::grammar::Grammar;
use super::judging::{Edges, Extent};
use super::port_table::PortTable;
use serde::{Deserialize, Serialize};

/// Which core, and what only that core has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "core", rename_all = "kebab-case")]
pub enum Core {
    /// Bytes in, one event per piece out.
    Decode {
        signature: Signature,
        /// The events are packed: contiguous, in the low lanes, across beats.
        dense: bool,
        /// What a scalar value is put out as.
        #[serde(skip_serializing_if = "Encoding::is_default")]
        to: Encoding,
        #[serde(skip_serializing_if = "Grammar::is_default")]
        grammar: Grammar,
    },
    /// Bytes in, one verdict per packet out.
    Validate {
        mode: Mode,
        /// Bits of `m_axis_verdict_tdata`.
        verdict_width: usize,
        /// Bits of each counter; they saturate.
        counter_width: usize,
        /// The number of interleaved flows. Without it packets do not interleave.
        #[serde(skip_serializing_if = "Option::is_none")]
        flows: Option<usize>,
        /// It has registers, on an AXI4-Lite bus.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        csr: bool,
        #[serde(skip_serializing_if = "Grammar::is_default")]
        grammar: Grammar,
        /// It is kept, or its packet is rejected.
        #[serde(skip_serializing_if = "Signature::is_default")]
        signature: Signature,
        /// Scalar values that make a packet bad.
        #[serde(skip_serializing_if = "Classes::is_empty")]
        forbid: Classes,
        #[serde(skip_serializing_if = "Edges::is_default")]
        edges: Edges,
        #[serde(skip_serializing_if = "Extent::is_default")]
        verdict: Extent,
        /// Only the bytes of a window of each packet are judged.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        window: bool,
        /// Its packets are Ethernet frames, and only their payloads are judged.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        frames: bool,
        /// Only packets with a port of this table are judged. With registers it can be written.
        #[serde(skip_serializing_if = "Option::is_none")]
        ports: Option<PortTable>,
        /// In drop mode: bytes of the longest packet that can be dropped, whole beats.
        #[serde(skip_serializing_if = "Option::is_none")]
        drop_bytes: Option<usize>,
        /// In pass mode: each beat tells whether an ill-formed piece has ended.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        early_bad: bool,
    },
    /// Words in, bytes out, and one verdict per packet.
    Encode {
        /// What the words are.
        from: Encoding,
        on_error: OnError,
        #[serde(skip_serializing_if = "Grammar::is_default")]
        grammar: Grammar,
        /// Bits of `m_axis_verdict_tdata`, and of each counter.
        verdict_width: usize,
        counter_width: usize,
    },
    /// Bytes in, well-formed bytes out, and one verdict per packet.
    Sanitise {
        replace: Replace,
        /// It is kept or stripped, or its packet is rejected.
        signature: Signature,
        /// Only the bytes of a window of each packet are repaired.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        window: bool,
        /// Its packets are Ethernet frames, and only their payloads are repaired.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        frames: bool,
        /// Only packets with a port of this table are repaired.
        #[serde(skip_serializing_if = "Option::is_none")]
        ports: Option<PortTable>,
        /// Bits of `m_axis_verdict_tdata`, and of each counter.
        verdict_width: usize,
        counter_width: usize,
    },
}

/// A core by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CoreName {
    #[default]
    Decode,
    Validate,
    Encode,
    Sanitise,
}

/// What `validate` does with the packets themselves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// It watches the stream between a source and a sink, and touches nothing.
    #[default]
    Snoop,
    /// They pass through it, and a bad one leaves with `tuser[0]` in its last beat.
    Pass,
    /// They pass through it, each when all of it is there, and a bad one does not leave.
    Drop,
}

/// How the core takes part in flow control.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    /// AXI4-Stream with backpressure.
    #[default]
    Axis,
    /// Free-running: no `tready`, a beat in every clock.
    Free,
}

/// What happens to a signature, EF BB BF at the beginning of a packet (RFC 3629 section 6).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Signature {
    /// It is a U+FEFF like any other.
    #[default]
    Keep,
    /// It is sent, and flagged.
    Flag,
    /// It is not sent; the packet's first beat is flagged.
    Strip,
    /// It is sent, and its packet is bad. RFC 3629 has no such rule: it is stricter.
    Reject,
}

/// What a scalar value is put out as, or comes as. In a lane of UTF-16 the unit's first octet is in the low byte.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Encoding {
    /// Itself, in 32 bits.
    #[default]
    Utf32,
    /// One or two units of 16 bits, the low octet first.
    Utf16le,
    /// The same, the high octet first.
    Utf16be,
}

/// What an ill-formed word becomes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OnError {
    /// U+FFFD: EF BF BD.
    #[default]
    Replace,
    /// Nothing.
    Omit,
}

/// What an ill-formed piece becomes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Replace {
    /// U+FFFD: EF BF BD, whatever its length.
    #[default]
    Fffd,
    /// A question mark, 3F, for each of its bytes.
    Ascii,
}

/// Bytes per beat that a core can have.
pub const LANES: [usize; 8] = [1, 2, 4, 8, 16, 32, 64, 128];
/// The most of them with `--dense`, `--flows` and `--csr`: their own pipelines count up to as many.
pub const MAX_LANES_OF_OPTIONS: usize = 64;
/// The most words per beat of `encode`, and bytes of `sanitise --replace fffd`: the network that moves their bytes has four times as many
/// lanes.
pub const MAX_LANES_OF_ENCODE: usize = 16;
/// The same of RFC 2279, where it has eight times as many.
pub const MAX_LANES_OF_LONG_ENCODE: usize = 8;
/// Bits that a verdict's counter can have.
pub const COUNTER_WIDTHS: [usize; 4] = [8, 16, 24, 32];
/// The most flows.
pub const MAX_FLOWS: usize = 4096;
/// Lanes of a core that reads the headers of frames.
pub const FRAME_LANES: [usize; 4] = [8, 16, 32, 64];
/// The widest `tid`, `tdest` and `tuser`.
pub const MAX_SIDE_WIDTH: usize = 64;
/// The widest `m_axis_verdict_tdata`.
pub const MAX_VERDICT_WIDTH: usize = 1024;

/// Bits of the signals that a stream carries beside its bytes; 0 leaves the pin out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SideWidths {
    #[serde(rename = "id_width")]
    pub id: usize,
    #[serde(rename = "dest_width")]
    pub dest: usize,
    #[serde(rename = "user_width")]
    pub user: usize,
}

/// A core's whole configuration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Config {
    #[serde(flatten)]
    pub core: Core,
    pub lanes: usize,
    pub form: Form,
    #[serde(flatten)]
    pub side: SideWidths,
    /// Clocks to the events or the verdict, without a FIFO. `None`: the greatest of [`super::depths`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<usize>,
    /// The pin `beat_error` reports beats that break the contract.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub beat_error: bool,
    pub module: String,
}

impl Core {
    pub const fn name(&self) -> CoreName {
        match self {
            Core::Decode { .. } => CoreName::Decode,
            Core::Validate { .. } => CoreName::Validate,
            Core::Encode { .. } => CoreName::Encode,
            Core::Sanitise { .. } => CoreName::Sanitise,
        }
    }

    /// Whether it does not send a signature.
    pub const fn strips(&self) -> bool {
        matches!(
            self,
            Core::Decode {
                signature: Signature::Strip,
                ..
            } | Core::Sanitise {
                signature: Signature::Strip,
                ..
            }
        )
    }

    /// What a decoder puts out.
    pub const fn to(&self) -> Encoding {
        match *self {
            Core::Decode { to, .. } => to,
            _ => Encoding::Utf32,
        }
    }

    /// Which sequences are well-formed.
    pub const fn grammar(&self) -> Grammar {
        match *self {
            Core::Decode { grammar, .. }
            | Core::Validate { grammar, .. }
            | Core::Encode { grammar, .. } => grammar,
            Core::Sanitise { .. } => Grammar::Rfc3629,
        }
    }

    /// Bits of a verdict's bus and of its counters, if the core gives verdicts.
    pub const fn verdict(&self) -> Option<(usize, usize)> {
        match *self {
            Core::Decode { .. } => None,
            Core::Validate {
                verdict_width,
                counter_width,
                ..
            }
            | Core::Encode {
                verdict_width,
                counter_width,
                ..
            }
            | Core::Sanitise {
                verdict_width,
                counter_width,
                ..
            } => Some((verdict_width, counter_width)),
        }
    }

    /// Bits of a lane's part of `s_axis_tdata`: a byte, or a word.
    pub const fn input_bits(&self) -> usize {
        match *self {
            Core::Encode { from, .. } => from.bits(),
            _ => 8,
        }
    }

    /// Whether all stages after the pieces have registers at every depth: others count on the clocks of these.
    pub const fn keeps_later_stages(&self) -> bool {
        match *self {
            Core::Decode { dense, .. } => dense,
            Core::Validate { csr, flows, .. } => csr || flows.is_some(),
            Core::Encode { .. } | Core::Sanitise { .. } => true,
        }
    }

    /// How many flows interleave, if any do.
    pub const fn flows(&self) -> Option<usize> {
        match *self {
            Core::Validate { flows, .. } => flows,
            _ => None,
        }
    }
}

impl Signature {
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

impl Encoding {
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }

    pub const fn is_utf16(self) -> bool {
        matches!(self, Encoding::Utf16le | Encoding::Utf16be)
    }

    /// Bits of a lane's part of `tdata`.
    pub const fn bits(self) -> usize {
        if self.is_utf16() { 16 } else { 32 }
    }
}

impl Config {
    /// Whether it has registers.
    pub const fn has_registers(&self) -> bool {
        matches!(self.core, Core::Validate { csr: true, .. })
    }
}
