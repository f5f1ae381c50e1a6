//! What a full verdict tells of a packet beyond [`crate::Verdict`]: how large its text is in other encodings.

use crate::oracle::Event;

/// Bits that scalar values need: the ends of ASCII, of Latin-1, of two bytes, of the Basic Multilingual Plane, and of all.
pub const WIDTHS: [u8; 5] = [7, 8, 11, 16, 21];

/// The further counts of a packet under RFC 3629.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Further {
    /// Scalar values below 80.
    pub ascii: u64,
    /// 16-bit units of the lossy text, in which each ill-formed piece is a U+FFFD.
    pub utf16_units: u64,
    /// Bits that the greatest scalar value needs at most, one of [`WIDTHS`]; 0 without one.
    pub width: u8,
}

impl Further {
    /// Takes the packet's next event.
    #[inline]
    pub fn observe(&mut self, event: Event) {
        let Event::Scalar(value) = event else {
            self.utf16_units += 1;
            return;
        };
        self.ascii += u64::from(value < 0x80);
        self.utf16_units += if value > 0xFFFF { 2 } else { 1 };
        let needs = WIDTHS.into_iter().find(|&width| value >> width == 0);
        self.width = self.width.max(needs.expect("21 bits at most"));
    }

    /// Takes the packet's next `count` events, if all of them are scalar values of one byte.
    #[inline]
    pub fn observe_ascii(&mut self, count: u64) {
        self.ascii += count;
        self.utf16_units += count;
        self.width = self.width.max(WIDTHS[0]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::events;

    fn further(packet: &[u8]) -> Further {
        let mut further = Further::default();
        events(packet).for_each(|(_, event)| further.observe(event));
        further
    }

    /// Rust's own decoder, and the ends of the classes by name.
    fn in_rust(packet: &[u8]) -> Further {
        let chars = || packet.utf8_chunks().flat_map(|chunk| chunk.valid().chars());
        let width = match chars().max() {
            None => 0,
            Some(..='\u{7f}') => 7,
            Some(..='\u{ff}') => 8,
            Some(..='\u{7ff}') => 11,
            Some(..='\u{ffff}') => 16,
            Some(_) => 21,
        };
        Further {
            ascii: chars().filter(char::is_ascii).count() as u64,
            utf16_units: String::from_utf8_lossy(packet).encode_utf16().count() as u64,
            width,
        }
    }

    #[test]
    fn the_ends_of_each_class_are_as_in_rust() {
        for end in [0x7F, 0xFF, 0x7FF, 0xD7FF, 0xFFFF, 0x10_FFFF_u32] {
            for value in [end, end + 1].into_iter().filter_map(char::from_u32) {
                for packet in [format!("{value}"), format!("a{value}\u{e9}")] {
                    assert_eq!(further(packet.as_bytes()), in_rust(packet.as_bytes()));
                }
            }
        }
        assert_eq!(further(b""), Further::default());
    }

    #[test]
    fn all_packets_of_some_bytes_are_as_in_rust() {
        const BYTES: [u8; 8] = [0x41, 0x80, 0xBF, 0xC3, 0xC4, 0xE1, 0xED, 0xF0];
        for number in 0..BYTES.len().pow(6) {
            let byte = |place| BYTES[number / BYTES.len().pow(place) % BYTES.len()];
            let packet: Vec<u8> = (0..6).map(byte).collect();
            assert_eq!(further(&packet), in_rust(&packet), "{packet:02X?}");
        }
    }
}
