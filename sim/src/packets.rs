//! Where packets come from: files, pipes and bytes in memory, read in pieces so that their length does not matter.

use crate::line::Line;
use golden::Window;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::VecDeque;
use std::io::{self, Read};

/// Bytes of a packet in order. `ends` tells that the packet ends with them; a packet may end with no byte at all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Piece {
    pub bytes: Vec<u8>,
    pub ends: bool,
    /// Of a piece that comes over a [line](Packets::line): where on the wire its last byte ends.
    pub arrived: u64,
    /// Where the packet's text is, if it has one and the core judges a window of each.
    pub window: Option<Window>,
    /// Of a [fragment](Packets::are_fragments): the core's flow, and whether a message begins with it.
    pub flow: u64,
    pub begins: bool,
}

/// A source of packets, one piece at a time.
pub trait Packets {
    /// Replaces `piece` by the next one; false if there is none.
    fn next(&mut self, piece: &mut Piece) -> io::Result<bool>;

    /// The line that they come over, if there is one: then a beat is offered when it has come, and not before.
    fn line(&self) -> Option<Line> {
        None
    }

    /// Whether each piece is a fragment of a flow, and the last one of its message if it `ends`: for a core that has flows.
    fn are_fragments(&self) -> bool {
        false
    }
}

/// How an input becomes packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Split {
    /// The whole input is one packet.
    Whole,
    /// Each line is one, without its line feed. What follows the last line feed is one if it is not empty; an input
    /// without any byte is one empty packet.
    Lines,
    /// Packets of every length from 0 to `4 * lanes`, one that is much longer, many of one byte, and round again. The last
    /// one has what is left.
    Ladder { lanes: usize },
    /// Packets of 0 to `4 * lanes + 12` bytes, by the seed. The last one has what is left.
    Random { lanes: usize, seed: u64 },
}

impl Split {
    /// The length of a packet by its place, if that decides.
    fn rung(self, place: usize) -> Option<usize> {
        let lanes = match self {
            Self::Whole | Self::Lines => return None,
            Self::Ladder { lanes } => lanes,
            Self::Random { lanes, seed } => {
                // One generator for each packet, so that nothing has to be carried from one to the next.
                let mut random = Xoshiro256PlusPlus::seed_from_u64(seed ^ (place as u64) << 32);
                return Some(random.random_range(0..=4 * lanes + 12));
            }
        };
        Some(match place % (4 * lanes + 2 + SINGLES) {
            length if length <= 4 * lanes => length,
            length if length == 4 * lanes + 1 => 64 * lanes + 1,
            _ => 1,
        })
    }
}

/// Packets of one byte in a round of the ladder.
const SINGLES: usize = 64;

/// Bytes that are read at once.
const CHUNK: usize = 64 << 10;

/// The packets of one input.
pub struct Reader<R> {
    input: R,
    split: Split,
    chunk: Vec<u8>,
    at: usize,
    /// The input has been read to its end.
    exhausted: bool,
    /// A packet has begun that has not ended.
    open: bool,
    /// Packets of the input that have ended.
    ended: usize,
    /// Bytes of the packet in progress that are still to come, if its length is known.
    left: Option<usize>,
    finished: bool,
}

impl<R: Read> Reader<R> {
    pub fn new(input: R, split: Split) -> Self {
        Self {
            input,
            split,
            chunk: Vec::new(),
            at: 0,
            exhausted: false,
            open: false,
            ended: 0,
            left: split.rung(0),
            finished: false,
        }
    }

    /// Reads on; afterwards the chunk has a byte, or the input is exhausted.
    fn refill(&mut self) -> io::Result<()> {
        self.chunk.clear();
        self.at = 0;
        (&mut self.input)
            .take(CHUNK as u64)
            .read_to_end(&mut self.chunk)?;
        self.exhausted = self.chunk.len() < CHUNK;
        Ok(())
    }

    /// The length of the rest of the packet in the chunk, if it ends there, and of what separates it from the next.
    fn end_of_packet(&self) -> Option<(usize, usize)> {
        let rest = &self.chunk[self.at..];
        match self.split {
            Split::Whole => None,
            Split::Lines => Some((rest.iter().position(|&byte| byte == b'\n')?, 1)),
            // No packet begins behind the input's end, but for the first.
            Split::Ladder { .. } | Split::Random { .. } if rest.is_empty() && self.ended > 0 => {
                None
            }
            Split::Ladder { .. } | Split::Random { .. } => {
                Some((self.left.filter(|&left| left <= rest.len())?, 0))
            }
        }
    }
}

impl<R: Read> Packets for Reader<R> {
    fn next(&mut self, piece: &mut Piece) -> io::Result<bool> {
        piece.bytes.clear();
        piece.ends = false;
        if self.finished {
            return Ok(false);
        }
        if self.at == self.chunk.len() && !self.exhausted {
            self.refill()?;
        }
        if let Some((length, separator)) = self.end_of_packet() {
            piece
                .bytes
                .extend_from_slice(&self.chunk[self.at..][..length]);
            piece.ends = true;
            self.at += length + separator;
            self.open = false;
            self.ended += 1;
            self.left = self.split.rung(self.ended);
            return Ok(true);
        }
        piece.bytes.extend_from_slice(&self.chunk[self.at..]);
        self.at = self.chunk.len();
        self.left = self.left.map(|left| left - piece.bytes.len());
        self.open |= !piece.bytes.is_empty();
        if self.exhausted {
            self.finished = true;
            piece.ends = self.open || self.ended == 0;
            return Ok(piece.ends);
        }
        Ok(true)
    }
}

/// Inputs one after another.
pub struct Chain<'a> {
    inputs: VecDeque<Box<dyn Packets + 'a>>,
}

impl<'a> Chain<'a> {
    pub fn new(inputs: impl IntoIterator<Item = Box<dyn Packets + 'a>>) -> Self {
        Self {
            inputs: inputs.into_iter().collect(),
        }
    }
}

impl Packets for Chain<'_> {
    fn next(&mut self, piece: &mut Piece) -> io::Result<bool> {
        while let Some(input) = self.inputs.front_mut() {
            if input.next(piece)? {
                return Ok(true);
            }
            self.inputs.pop_front();
        }
        Ok(false)
    }
}

/// Packets that are in memory.
pub struct InMemory<'a> {
    packets: std::slice::Iter<'a, Vec<u8>>,
}

impl<'a> InMemory<'a> {
    pub fn new(packets: &'a [Vec<u8>]) -> Self {
        Self {
            packets: packets.iter(),
        }
    }
}

impl Packets for InMemory<'_> {
    fn next(&mut self, piece: &mut Piece) -> io::Result<bool> {
        let Some(packet) = self.packets.next() else {
            return Ok(false);
        };
        piece.bytes.clear();
        piece.bytes.extend_from_slice(packet);
        piece.ends = true;
        Ok(true)
    }
}

/// Fragments of flows that are in memory.
pub struct InFragments {
    pieces: std::vec::IntoIter<Piece>,
}

impl InFragments {
    pub fn new(pieces: Vec<Piece>) -> Self {
        Self {
            pieces: pieces.into_iter(),
        }
    }
}

impl Packets for InFragments {
    fn next(&mut self, piece: &mut Piece) -> io::Result<bool> {
        let next = self.pieces.next();
        let is_one = next.is_some();
        *piece = next.unwrap_or_default();
        Ok(is_one)
    }

    fn are_fragments(&self) -> bool {
        true
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// The packets of a source, whole.
    pub fn all(source: &mut dyn Packets) -> Vec<Vec<u8>> {
        let mut piece = Piece::default();
        let mut packets = vec![Vec::new()];
        while source.next(&mut piece).unwrap() {
            packets.last_mut().unwrap().extend(&piece.bytes);
            if piece.ends {
                packets.push(Vec::new());
            }
        }
        assert_eq!(packets.pop(), Some(Vec::new()), "every packet ends");
        packets
    }

    fn split(input: &[u8], split: Split) -> Vec<Vec<u8>> {
        all(&mut Reader::new(input, split))
    }

    #[test]
    fn an_input_is_one_packet_even_if_empty() {
        assert_eq!(split(b"", Split::Whole), [b""]);
        assert_eq!(split(b"a\nb\n", Split::Whole), [b"a\nb\n"]);
        for length in [CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK] {
            let input = vec![7; length];
            assert_eq!(split(&input, Split::Whole), [input.as_slice()]);
        }
    }

    #[test]
    fn a_ladder_has_every_length_until_the_input_ends() {
        assert_eq!(split(b"", Split::Ladder { lanes: 1 }), [b""]);
        for (lanes, length) in [
            (1, 1),
            (1, 3),
            (2, 36),
            (1, 4000),
            (8, CHUNK),
            (64, 3 * CHUNK + 1),
        ] {
            let input: Vec<u8> = (0..length).map(|at| (at % 251) as u8).collect();
            let packets = split(&input, Split::Ladder { lanes });
            assert_eq!(packets.concat(), input);
            let mut round = (0..=4 * lanes).collect::<Vec<_>>();
            round.push(64 * lanes + 1);
            round.extend([1; 64]);
            let lengths: Vec<usize> = packets.iter().map(Vec::len).collect();
            let (last, whole) = lengths.split_last().unwrap();
            assert!(whole.iter().eq(round.iter().cycle().take(whole.len())));
            let rung = round[whole.len() % round.len()];
            assert!((1..=rung).contains(last), "{last} bytes are left of {rung}");
        }
    }

    #[test]
    fn random_packets_have_every_length() {
        for (lanes, longest) in [(1, 16), (64, 268)] {
            let input: Vec<u8> = (0..8 * CHUNK).map(|at| (at % 251) as u8).collect();
            let packets = |seed| split(&input, Split::Random { lanes, seed });
            assert_eq!(packets(5).concat(), input);
            assert_eq!(packets(5), packets(5));
            assert_ne!(packets(5)[..20], packets(6)[..20]);
            let lengths: Vec<usize> = packets(5).iter().map(Vec::len).collect();
            assert_eq!(lengths.iter().max(), Some(&longest));
            for length in 0..=longest {
                assert!(lengths.contains(&length), "{length}");
            }
        }
    }

    #[test]
    fn lines_are_packets_without_their_line_feeds() {
        assert_eq!(split(b"", Split::Lines), [b""]);
        assert_eq!(split(b"\n", Split::Lines), [b""]);
        assert_eq!(split(b"a\r\n\nb", Split::Lines), [&b"a\r"[..], b"", b"b"]);
        assert_eq!(split(b"a\nb\n", Split::Lines), [b"a", b"b"]);
        for length in [CHUNK - 1, CHUNK, CHUNK + 1] {
            let mut input = vec![7; length];
            input.push(b'\n');
            assert_eq!(split(&input, Split::Lines), [&input[..length]]);
            input.push(8);
            assert_eq!(split(&input, Split::Lines), [&input[..length], &[8]]);
        }
    }
}
