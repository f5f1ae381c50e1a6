//! The untimed truth of the sanitiser: bytes in, well-formed UTF-8 out.
//!
//! The pieces of a packet are the oracle's. A well-formed one stays as it is, an ill-formed one is replaced.
//!
//! ```
//! use golden::{Replace, sanitise};
//!
//! let packet = b"\xEF\xBB\xBFA\xF0\x9F";
//! assert_eq!(sanitise(Replace::Ascii, false, packet), b"\xEF\xBB\xBFA??");
//! assert_eq!(sanitise(Replace::Fffd, false, packet), b"\xEF\xBB\xBFA\xEF\xBF\xBD");
//! assert_eq!(sanitise(Replace::Fffd, true, packet), b"A\xEF\xBF\xBD");
//! ```

use crate::oracle::{Event, events};
use crate::verdict::SIGNATURE;

/// What replaces an ill-formed piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replace {
    /// A question mark (3F) for each of its bytes: the packet keeps its length.
    Ascii,
    /// One U+FFFD, the bytes EF BF BD, in the place of its last byte.
    Fffd,
}

/// What becomes of one byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// The byte itself.
    Stays,
    /// Nothing.
    Goes,
    /// 3F.
    QuestionMark,
    /// EF BF BD.
    Replacement,
}

impl Fate {
    /// The bytes that are put out for `byte`.
    #[inline]
    pub fn bytes(self, byte: &u8) -> &[u8] {
        match self {
            Self::Stays => std::slice::from_ref(byte),
            Self::Goes => b"",
            Self::QuestionMark => b"?",
            Self::Replacement => "\u{FFFD}".as_bytes(),
        }
    }
}

/// Says what becomes of each byte, one piece after another.
#[derive(Clone, Debug)]
pub struct Sanitiser {
    replace: Replace,
    /// A signature at the beginning of a packet is left out.
    strips: bool,
    /// The packet has had no piece yet.
    begins: bool,
}

impl Sanitiser {
    /// A sanitiser at the start of a packet. Panics if it is to strip signatures from a packet that keeps its length.
    pub fn new(replace: Replace, strips: bool) -> Self {
        assert!(
            !strips || replace == Replace::Fffd,
            "only with U+FFFD can a signature be left out"
        );
        Self {
            replace,
            strips,
            begins: true,
        }
    }

    /// The fates of the bytes of the packet's next piece, in order.
    #[inline]
    pub fn fates(&mut self, event: Event) -> impl Iterator<Item = Fate> + use<> {
        let begins = std::mem::replace(&mut self.begins, false);
        let strips = self.strips && begins;
        let (others, last) = match (event, self.replace) {
            (Event::Scalar(SIGNATURE), _) if strips => (Fate::Goes, Fate::Goes),
            (Event::Scalar(_), _) => (Fate::Stays, Fate::Stays),
            (_, Replace::Ascii) => (Fate::QuestionMark, Fate::QuestionMark),
            (_, Replace::Fffd) => (Fate::Goes, Fate::Replacement),
        };
        let others = std::iter::repeat_n(others, usize::from(event.length()) - 1);
        others.chain(std::iter::once(last))
    }

    /// The next piece is the first of a packet.
    #[inline]
    pub fn begin_packet(&mut self) {
        self.begins = true;
    }
}

/// The bytes that are put out for a whole packet, each with the offset of the packet's byte in whose place it comes.
pub fn bytes(replace: Replace, strips: bool, packet: &[u8]) -> impl Iterator<Item = (usize, u8)> {
    let mut sanitiser = Sanitiser::new(replace, strips);
    let mut offset = 0;
    let places = events(packet).flat_map(move |(_, event)| {
        let fates = sanitiser.fates(event);
        let places = (offset..).zip(fates);
        offset += usize::from(event.length());
        places
    });
    places.flat_map(|(offset, fate)| {
        let bytes = fate.bytes(&packet[offset]);
        bytes.iter().map(move |&byte| (offset, byte))
    })
}

/// The bytes that are put out for a whole packet.
pub fn sanitise(replace: Replace, strips: bool, packet: &[u8]) -> Vec<u8> {
    let bytes = bytes(replace, strips, packet);
    bytes.map(|(_, byte)| byte).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_comes_in_the_place_of_the_one_that_it_replaces() {
        // A, a piece of three bytes, a sequence of two, and a piece that the end cuts.
        let packet = b"A\xF1\x80\x80\xC3\xA9\xE1\x80";
        let ascii: Vec<_> = (0..).zip(*b"A???\xC3\xA9??").collect();
        assert!(bytes(Replace::Ascii, false, packet).eq(ascii));
        let offsets = [0, 3, 3, 3, 4, 5, 7, 7, 7];
        let fffd = offsets
            .into_iter()
            .zip(*b"A\xEF\xBF\xBD\xC3\xA9\xEF\xBF\xBD");
        assert!(bytes(Replace::Fffd, false, packet).eq(fffd));
    }

    #[test]
    fn only_the_signature_at_the_start_is_left_out() {
        let strip = |packet: &[u8]| sanitise(Replace::Fffd, true, packet);
        assert_eq!(strip(b""), b"");
        assert_eq!(strip(b"\xEF\xBB\xBF"), b"");
        assert_eq!(strip(b"\xEF\xBB\xBF\xEF\xBB\xBF"), b"\xEF\xBB\xBF");
        assert_eq!(strip(b"A\xEF\xBB\xBF"), b"A\xEF\xBB\xBF");
        assert_eq!(strip(b"\xFF\xEF\xBB\xBF"), b"\xEF\xBF\xBD\xEF\xBB\xBF");
        assert_eq!(strip(b"\xEF\xBB"), b"\xEF\xBF\xBD");
    }

    #[test]
    fn the_first_piece_of_each_packet_can_be_a_signature() {
        let mut sanitiser = Sanitiser::new(Replace::Fffd, true);
        let mut goes = || {
            let fates = sanitiser.fates(Event::Scalar(SIGNATURE));
            sanitiser.begin_packet();
            fates.eq([Fate::Goes; 3])
        };
        assert!(goes());
        assert!(goes());
    }
}
