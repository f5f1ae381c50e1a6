//! The bytes of a packet that are judged, if only some are: those of its window.
//!
//! RFC 3629 knows only streams of octets; on a wire such a stream is the payload of a frame. Whoever knows the frame says where.

use std::ops::Range;

/// The window of a packet: the positions of its first byte, and of the one after its last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    pub first: u16,
    pub end: u16,
}

impl Window {
    /// Of the bytes that are at these positions of the packet, those that are in the window. Both ends are in the range, or it is empty.
    pub fn of(self, positions: Range<u64>) -> Range<u64> {
        let first = positions.start.max(self.first.into()).min(positions.end);
        let end = positions.end.min(self.end.into());
        first..end.max(first)
    }
}

/// Why a packet is not judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unjudged {
    /// It has no window.
    NoWindow,
    /// The frame has neither IPv4 nor IPv6, or ends before that is known.
    NotIp,
    /// IP has neither UDP nor TCP, or has TCP, which this core does not judge.
    OtherProtocol,
    /// It is a part of a datagram. Only the first part has a UDP or TCP header, and a text may go on in the next.
    IpFragment,
    /// A header is cut, or a length or version in it cannot be.
    Malformed,
    /// It has more tags or extension headers than are read.
    TooDeep,
    /// All is well, but its ports are not judged.
    Port,
    /// All is well, but there is no text.
    NoPayload,
}

impl Unjudged {
    /// In the order of their codes.
    pub const ALL: [Self; 8] = [
        Self::NoWindow,
        Self::NotIp,
        Self::OtherProtocol,
        Self::IpFragment,
        Self::Malformed,
        Self::TooDeep,
        Self::Port,
        Self::NoPayload,
    ];

    /// The code in a verdict. 0 is that of a judged packet.
    pub fn code(self) -> u8 {
        match self {
            Self::NoWindow => 1,
            Self::NotIp => 2,
            Self::OtherProtocol => 3,
            Self::IpFragment => 4,
            Self::Malformed => 5,
            Self::TooDeep => 6,
            Self::Port => 7,
            Self::NoPayload => 8,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Byte by byte, by the positions' own comparison.
    #[test]
    fn a_byte_is_in_the_window_by_its_position() {
        let places = [0, 1, 2, 3, 7, 8, 9, 65_534, 65_535];
        for (first, end) in places.iter().flat_map(|&it| places.map(|end| (it, end))) {
            let window = Window { first, end };
            for from in [0, 1, 6, 65_530, 65_536, 70_000] {
                let inside = window.of(from..from + 8);
                for position in from..from + 8 {
                    let is_inside = position >= u64::from(first) && position < u64::from(end);
                    assert_eq!(
                        inside.contains(&position),
                        is_inside,
                        "{window:?} {position}"
                    );
                }
                assert!(from <= inside.start && inside.end <= from + 8);
            }
        }
    }
}
