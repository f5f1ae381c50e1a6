//! Random Ethernet frames around a text: most have their headers in order, the others a fault or two.
//!
//! What a reader has to step over looks like what it looks for: addresses, options and padding are full of EtherTypes, protocol numbers and
//! pieces of UTF-8. A reader that is at a wrong place finds another text there, and not just nothing.

mod datagram;

use rand::Rng;
use rand::seq::IndexedRandom;

/// What is wrong with a frame.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fault {
    Nothing,
    /// Not IP, or the other version of it.
    EtherType,
    /// Three or four tags.
    Tags,
    Version,
    /// An IPv4 header of less than five words.
    HeaderLength,
    /// The length in the header of IP.
    Length,
    /// A part of a datagram, or one part that is the whole.
    Fragment,
    Protocol,
    /// Five or six extension headers.
    Depth,
    /// An extension header that does not fit.
    Extension,
    /// Hop-by-hop options after another extension header.
    HopByHop,
    UdpLength,
    DataOffset,
    NoText,
    /// A frame that ends early.
    Cut,
    /// One byte near the front.
    Byte,
    /// All bytes.
    Noise,
}

/// How often each is, in percent.
const FAULTS: [(Fault, u32); 17] = [
    (Fault::Nothing, 66),
    (Fault::EtherType, 2),
    (Fault::Tags, 2),
    (Fault::Version, 1),
    (Fault::HeaderLength, 1),
    (Fault::Length, 4),
    (Fault::Fragment, 3),
    (Fault::Protocol, 3),
    (Fault::Depth, 2),
    (Fault::Extension, 2),
    (Fault::HopByHop, 2),
    (Fault::UdpLength, 3),
    (Fault::DataOffset, 2),
    (Fault::NoText, 1),
    (Fault::Cut, 3),
    (Fault::Byte, 2),
    (Fault::Noise, 1),
];

const TAGS: [u16; 3] = [0x8100, 0x88A8, 0x9100];
const IPV4: u16 = 0x0800;
const IPV6: u16 = 0x86DD;
/// ARP, the shortest and the longest length of IEEE 802.3, MACsec, what one wrong bit or byte makes of those that are read, and IP.
const OTHER_TYPES: [u16; 12] = [
    0x0806, 0, 0x05DC, 0x88E5, 0x0008, 0x0801, 0x86DC, 0xDD86, 0x9200, 0x88A9, IPV4, IPV6,
];

/// What fields that a reader ignores are made of: types and versions, protocols and lengths, whole and broken sequences.
const PIECES: [&[u8]; 18] = [
    b"\x08\x00\x45\x00",
    b"\x86\xDD\x60\x00",
    b"\x81\x00",
    b"\x88\xA8",
    b"\x91\x00",
    b"\x00\x11",
    b"\x06",
    b"\x2B\x00",
    b"\x2C\x00",
    b"\x3C\x01",
    b"\xC3\xA9",
    b"\xE2\x82\xAC",
    b"\xF0\x9F\x98\x80",
    b"\xC3",
    b"\xF0\x9F",
    b"\x80\xBF",
    b"\x00",
    b"\xFF",
];

/// Ports that random frames often have: those of syslog, HTTP and DNS, their neighbours, and the first and the last.
pub const PORTS: [u16; 10] = [0, 1, 53, 79, 80, 81, 82, 513, 514, u16::MAX];

/// A frame from its destination address on, with a text, or with as much of it as a datagram has room for. Its ports are often some of these.
pub fn frame(random: &mut impl Rng, text: &[u8], ports: &[u16]) -> Vec<u8> {
    // The second shows which of two faults a reader takes for the reason.
    let first = fault(random);
    let second = match first {
        Fault::Nothing => Fault::Nothing,
        _ => fault(random),
    };
    let is_ipv6 = match first {
        Fault::HeaderLength => false,
        Fault::Depth | Fault::Extension | Fault::HopByHop => true,
        _ => random.random(),
    };
    let is_tcp = match first {
        Fault::UdpLength => false,
        Fault::DataOffset => true,
        _ => random.random(),
    };
    let mut maker = Maker {
        random,
        faults: [first, second],
        is_ipv6,
        is_tcp,
        ports,
    };
    maker.frame(text)
}

fn fault(random: &mut impl Rng) -> Fault {
    let fault = FAULTS.choose_weighted(random, |(_, often)| *often);
    fault.expect("some are not 0").0
}

/// Makes one frame.
struct Maker<'a, R> {
    random: &'a mut R,
    faults: [Fault; 2],
    /// Which headers it has, as far as no fault changes their numbers.
    is_ipv6: bool,
    is_tcp: bool,
    /// Ports that it often has.
    ports: &'a [u16],
}

impl<R: Rng> Maker<'_, R> {
    fn frame(&mut self, text: &[u8]) -> Vec<u8> {
        let text = if self.has(Fault::NoText) { &[] } else { text };
        let mut frame = self.ethernet();
        frame.extend(match self.is_ipv6 {
            true => self.ipv6(text),
            false => self.ipv4(text),
        });
        // Padding to the shortest frame, a check sequence, or more.
        let padding = match self.random.random_range(0..10) {
            0 | 1 => 60_usize.saturating_sub(frame.len()),
            2 => 4,
            3 => self.random.random_range(1..64),
            _ => 0,
        };
        frame.extend(self.noise(padding));
        // Where the headers are, mostly.
        let near = *self.one_of(&[24, 60, 120, frame.len()]);
        let place = self.random.random_range(0..=near.min(frame.len()));
        if self.has(Fault::Byte) && place < frame.len() {
            frame[place] = self.random.random();
        }
        if self.has(Fault::Noise) {
            frame = self.noise(frame.len());
        }
        if self.has(Fault::Cut) {
            frame.truncate(place);
        }
        frame
    }

    /// Up to the type of what follows.
    fn ethernet(&mut self) -> Vec<u8> {
        let mut bytes = self.noise(12);
        let tags = match self.has(Fault::Tags) {
            true => self.random.random_range(3..=4),
            false => *self.one_of(&[0, 0, 1, 2]),
        };
        for _ in 0..tags {
            bytes.extend(self.one_of(&TAGS).to_be_bytes());
            bytes.extend(self.noise(2));
        }
        let ether_type = match (self.has(Fault::EtherType), self.is_ipv6) {
            (true, _) => *self.one_of(&OTHER_TYPES),
            (_, true) => IPV6,
            (_, false) => IPV4,
        };
        bytes.extend(ether_type.to_be_bytes());
        bytes
    }

    fn has(&self, fault: Fault) -> bool {
        self.faults.contains(&fault)
    }

    fn one_of<'b, T>(&mut self, all: &'b [T]) -> &'b T {
        all.choose(self.random).expect("there are some")
    }

    /// Bytes that look like what a reader looks for.
    fn noise(&mut self, count: usize) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(count);
        while bytes.len() < count {
            match self.random.random_bool(0.7) {
                true => bytes.extend(*self.one_of(&PIECES)),
                false => bytes.push(self.random.random()),
            }
        }
        bytes.truncate(count);
        bytes
    }
}

#[cfg(test)]
mod tests;
