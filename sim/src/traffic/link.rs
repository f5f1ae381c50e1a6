//! Link types: what a captured frame begins with, and where its network protocol is.

use etherparse::EtherType;

/// A link type that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Link {
    /// BSD's loopback: the address family, in the byte order of whoever captured it.
    Null,
    Ethernet,
    /// No link header.
    Raw,
    /// OpenBSD's loopback.
    Loop,
    /// Linux's "any" interface, of the first and the second sort.
    LinuxSll,
    LinuxSll2,
}

/// Their numbers and names, as files and people write them. Raw IP has one number for each system that it came from.
const LINKS: [(i32, Link, &str); 10] = [
    (0, Link::Null, "null"),
    (1, Link::Ethernet, "Ethernet"),
    (12, Link::Raw, "raw IP"),
    (14, Link::Raw, "raw IP"),
    (101, Link::Raw, "raw IP"),
    (108, Link::Loop, "loopback"),
    (113, Link::LinuxSll, "Linux cooked"),
    (228, Link::Raw, "raw IPv4"),
    (229, Link::Raw, "raw IPv6"),
    (276, Link::LinuxSll2, "Linux cooked 2"),
];

/// Bytes of an Ethernet header.
pub const ETHERNET_HEADER: usize = 14;

impl Link {
    pub fn of(number: i32) -> Option<Self> {
        let found = LINKS.iter().find(|link| link.0 == number);
        found.map(|link| link.1)
    }

    /// All of them, for people.
    pub fn known() -> String {
        LINKS
            .map(|(number, _, name)| format!("{number} ({name})"))
            .join(", ")
    }

    /// The bytes before what is in a frame on Ethernet, too.
    pub fn header(self) -> usize {
        match self {
            Self::Raw => 0,
            Self::Null | Self::Loop => 4,
            Self::Ethernet => ETHERNET_HEADER,
            Self::LinuxSll => 16,
            Self::LinuxSll2 => 20,
        }
    }

    /// The network protocol and what is behind the header; `None` if the frame is too short to tell.
    pub fn open(self, frame: &[u8]) -> Option<(EtherType, &[u8])> {
        let (header, rest) = frame.split_at_checked(self.header())?;
        let ether_type = |at: usize| {
            Some(EtherType(u16::from_be_bytes([
                *header.get(at)?,
                *header.get(at + 1)?,
            ])))
        };
        let protocol = match self {
            Self::Ethernet => ether_type(12)?,
            Self::LinuxSll => ether_type(14)?,
            Self::LinuxSll2 => ether_type(0)?,
            Self::Raw => match rest.first()? >> 4 {
                4 => EtherType::IPV4,
                6 => EtherType::IPV6,
                _ => EtherType(0),
            },
            Self::Null | Self::Loop => family(*header.first_chunk()?),
        };
        Some((protocol, rest))
    }
}

/// The protocol of an address family. Its byte order does not matter: each is less than 256.
fn family(bytes: [u8; 4]) -> EtherType {
    match u32::from_le_bytes(bytes).min(u32::from_be_bytes(bytes)) {
        2 => EtherType::IPV4,
        // Each BSD has its own for IPv6.
        24 | 28 | 30 => EtherType::IPV6,
        _ => EtherType(0),
    }
}
