//! The datagram of a frame: IP, and UDP or TCP in it.

use super::{Fault, Maker};
use rand::Rng;
use rand::seq::IndexedRandom;

const UDP: u8 = 17;
const TCP: u8 = 6;
/// ICMP, IGMP, IPv4 and IPv6 in IP, security, mobility, UDP-Lite, no header at all, and IPv6's extension headers, which IPv4 has not.
const OTHER_PROTOCOLS: [u8; 14] = [1, 2, 4, 41, 50, 51, 58, 59, 135, 136, 0, 43, 44, 60];

const HOP_BY_HOP: u8 = 0;
const FRAGMENT: u8 = 44;
/// Routing, fragment, and destination options.
const EXTENSIONS: [u8; 3] = [43, FRAGMENT, 60];

/// What the lengths in the headers of IP can state.
const LONGEST: usize = u16::MAX as usize;

impl<R: Rng> Maker<'_, R> {
    pub(super) fn ipv4(&mut self, text: &[u8]) -> Vec<u8> {
        let words = self.random.random_range(0..=15).max(5);
        let mut bytes = self.noise(4 * words);
        let segment = self.segment(LONGEST - bytes.len(), text);
        let stated = match self.has(Fault::HeaderLength) {
            true => self.random.random_range(0..5),
            false => words as u8,
        };
        bytes[0] = self.version(4) << 4 | stated;
        let length = self.length(bytes.len() + segment.len());
        set(&mut bytes, 2, length);
        let (more, offset) = self.part();
        // "Don't fragment" and the bit before it are anything.
        let flags = u16::from(bytes[6] & 0xC0) << 8;
        set(&mut bytes, 6, flags | more << 13 | offset);
        bytes[9] = self.protocol();
        bytes.extend(segment);
        bytes
    }

    pub(super) fn ipv6(&mut self, text: &[u8]) -> Vec<u8> {
        let (first, chain) = self.chain();
        let segment = self.segment(LONGEST - chain.len(), text);
        let mut bytes = self.noise(40);
        bytes[0] = self.version(6) << 4 | bytes[0] & 0xF;
        let length = match self.has(Fault::Extension) && self.random.random() {
            true => self.random.random_range(1..chain.len()) as u16,
            false => self.length(chain.len() + segment.len()),
        };
        set(&mut bytes, 4, length);
        bytes[6] = first;
        bytes.extend(chain);
        bytes.extend(segment);
        bytes
    }

    /// IPv6's extension headers, and the number of the first; without any, that of the protocol.
    fn chain(&mut self) -> (u8, Vec<u8>) {
        let fewest = match () {
            _ if self.has(Fault::Depth) => self.random.random_range(5..=6),
            _ if self.has(Fault::HopByHop) => 2,
            _ if self.has(Fault::Fragment) || self.has(Fault::Extension) => 1,
            _ => 0,
        };
        let count = *self.one_of(&[0, 0, 1, 2, 3, 4]).max(&fewest);
        let mut numbers: Vec<u8> = (0..count).map(|_| *self.one_of(&EXTENSIONS)).collect();
        if count > 0 && self.random.random_bool(0.3) {
            numbers[0] = HOP_BY_HOP;
        }
        if self.has(Fault::Fragment) {
            numbers[self.random.random_range(0..count)] = FRAGMENT;
        }
        if self.has(Fault::HopByHop) {
            numbers[self.random.random_range(1..count)] = HOP_BY_HOP;
        }
        // From the last to the first: each has the number of the next.
        let mut next = self.protocol();
        let mut headers = Vec::new();
        for number in numbers.into_iter().rev() {
            headers.push(self.extension(number, next));
            next = number;
        }
        headers.reverse();
        (next, headers.concat())
    }

    fn extension(&mut self, number: u8, next: u8) -> Vec<u8> {
        let units = match self.random.random_range(0..16) {
            _ if number == FRAGMENT => 0,
            0 => self.random.random(),
            it => it % 4,
        };
        let mut bytes = self.noise(8 * (usize::from(units) + 1));
        bytes[0] = next;
        if number == FRAGMENT {
            let (more, offset) = self.part();
            let reserved = u16::from(bytes[3] & 0b110);
            set(&mut bytes, 2, offset << 3 | reserved | more);
        } else {
            bytes[1] = match self.has(Fault::Extension) {
                true => self.random.random_range(units..=u8::MAX),
                false => units,
            };
        }
        bytes
    }

    /// UDP or TCP, and what comes after UDP's text, in a number of bytes at most.
    fn segment(&mut self, room: usize, text: &[u8]) -> Vec<u8> {
        let words = match self.is_tcp {
            true => self.random.random_range(0..=15).max(5),
            false => 2,
        };
        let mut bytes = self.noise(4 * words);
        for at in [0, 2] {
            if let Some(&port) = self.ports.choose(self.random)
                && self.random.random_bool(0.7)
            {
                set(&mut bytes, at, port);
            }
        }
        bytes.extend(&text[..text.len().min(room - bytes.len())]);
        match self.is_tcp {
            true => self.tcp(words, &mut bytes),
            false => self.udp(room, &mut bytes),
        }
        bytes
    }

    fn udp(&mut self, room: usize, bytes: &mut Vec<u8>) {
        let right = bytes.len();
        let after = *self.one_of(&[0, 0, 0, 1, 3, 8, 40]);
        bytes.extend(self.noise(after.min(room - right)));
        let length = match self.random.random_range(0..3) {
            _ if !self.has(Fault::UdpLength) => right,
            0 => self.random.random_range(0..=8),
            1 => bytes.len() + self.random.random_range(0..=8),
            _ => self.random.random_range(8..=LONGEST),
        };
        set(bytes, 4, length.min(LONGEST) as u16);
    }

    fn tcp(&mut self, words: usize, bytes: &mut Vec<u8>) {
        let mut stated = words;
        if self.has(Fault::DataOffset) {
            stated = self.random.random_range(0..=15);
            // A longer text would have room for any header.
            bytes.truncate(4 * words + self.random.random_range(0..=40));
        }
        bytes[12] = (stated as u8) << 4 | bytes[12] & 0xF;
    }

    fn version(&mut self, right: u8) -> u8 {
        match self.has(Fault::Version) {
            true => self.random.random_range(0..16),
            false => right,
        }
    }

    /// A length, wrong by a little or by a lot.
    fn length(&mut self, right: usize) -> u16 {
        let length = match self.random.random_range(0..5) {
            _ if !self.has(Fault::Length) => right,
            0 => 0,
            1 => self.random.random_range(0..64),
            2 => right - self.random.random_range(1..=8),
            3 => right + self.random.random_range(1..=8),
            _ => self.random.random_range(0..=LONGEST),
        };
        length.min(LONGEST) as u16
    }

    /// Whether more parts of a datagram follow, and where this one begins in it.
    fn part(&mut self) -> (u16, u16) {
        if !self.has(Fault::Fragment) {
            return (0, 0);
        }
        let offset = 1 << self.random.random_range(0..13);
        *self.one_of(&[(0, 0), (1, 0), (1, offset), (0, offset)])
    }

    fn protocol(&mut self) -> u8 {
        match (self.has(Fault::Protocol), self.is_tcp) {
            (true, _) => *self.one_of(&OTHER_PROTOCOLS),
            (_, true) => TCP,
            (_, false) => UDP,
        }
    }
}

/// A field of two bytes.
fn set(bytes: &mut [u8], at: usize, value: u16) {
    bytes[at..at + 2].copy_from_slice(&value.to_be_bytes());
}
