//! Why a frame gives the core nothing, and how many there are of each sort.

use serde::{Serialize, Serializer};

/// Why a frame is not used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Skipped {
    NotIp,
    OtherProtocol,
    IpFragment,
    CutShort,
    Malformed,
    Unreadable,
    UnknownLink,
    NoPayload,
    Repeated,
    BeforeStart,
    BehindGap,
    AfterEnd,
    NotEthernet,
    Segment,
}

impl Skipped {
    pub const ALL: [Self; 14] = [
        Self::NotIp,
        Self::OtherProtocol,
        Self::IpFragment,
        Self::CutShort,
        Self::Malformed,
        Self::Unreadable,
        Self::UnknownLink,
        Self::NoPayload,
        Self::Repeated,
        Self::BeforeStart,
        Self::BehindGap,
        Self::AfterEnd,
        Self::NotEthernet,
        Self::Segment,
    ];

    /// In a JSON document.
    pub const fn name(self) -> &'static str {
        match self {
            Self::NotIp => "not_ip",
            Self::OtherProtocol => "other_protocol",
            Self::IpFragment => "ip_fragment",
            Self::CutShort => "cut_short",
            Self::Malformed => "malformed",
            Self::Unreadable => "unreadable",
            Self::UnknownLink => "unknown_link",
            Self::NoPayload => "no_payload",
            Self::Repeated => "repeated",
            Self::BeforeStart => "before_start",
            Self::BehindGap => "behind_gap",
            Self::AfterEnd => "after_end",
            Self::NotEthernet => "not_ethernet",
            Self::Segment => "segment",
        }
    }

    /// For people: what such frames are.
    pub const fn describe(self) -> &'static str {
        match self {
            Self::NotIp => "not IP",
            Self::OtherProtocol => "neither UDP nor TCP",
            Self::IpFragment => "of fragmented IP packets",
            Self::CutShort => "cut short by the capture's snap length",
            Self::Malformed => "with an invalid header or length",
            Self::Unreadable => {
                "in a record of an unknown interface, of an invalid length, or of an obsolete type"
            }
            Self::UnknownLink => "of an interface whose link type is not known",
            Self::NoPayload => "without payload",
            Self::Repeated => "retransmitted",
            Self::BeforeStart => "of bytes before the first captured byte of their flow",
            Self::BehindGap => "after a gap in their flow that nothing filled",
            Self::AfterEnd => "after the end of their flow",
            Self::NotEthernet => "of another link than Ethernet",
            Self::Segment => "of TCP, whose segments are judged with --edges open",
        }
    }
}

/// What became of a capture's frames: each is counted once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frames {
    pub used: u64,
    skipped: [u64; Skipped::ALL.len()],
}

impl Frames {
    pub fn skip(&mut self, why: Skipped) {
        self.skipped[why as usize] += 1;
    }

    /// How many were skipped for each reason that there was.
    pub fn skipped(&self) -> impl Iterator<Item = (Skipped, u64)> {
        let counts = Skipped::ALL.into_iter().zip(self.skipped);
        counts.filter(|(_, count)| *count > 0)
    }

    pub fn total(&self) -> u64 {
        self.used + self.skipped.iter().sum::<u64>()
    }
}

impl Serialize for Frames {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let reasons = self
            .skipped()
            .map(|(why, count)| (why.name().to_string(), count.into()));
        let skipped: serde_json::Map<_, _> = reasons.collect();
        let document = serde_json::json!({
            "frames": self.total(),
            "used": self.used,
            "skipped": skipped,
        });
        document.serialize(serializer)
    }
}
