//! Fragments of flows, one after another in the order in which they come: each becomes full beats, and a last one.

use crate::beats::{Beats, FlowBeat, MORE, OPEN, low};
use crate::packets::{Packets, Piece};
use rand::Rng;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::io;

/// Cuts fragments into beats.
pub struct Fragments {
    lanes: usize,
    late_last: f64,
    /// The fragment in progress, if there is one, and how many of its bytes have been cut.
    piece: Option<Piece>,
    at: usize,
    /// Its `tlast` comes in a beat of its own, if its bytes fill those before.
    late: bool,
}

impl Fragments {
    pub fn new(lanes: usize, late_last: f64) -> Self {
        Self {
            lanes,
            late_last,
            piece: None,
            at: 0,
            late: false,
        }
    }

    /// The fragment that the next beat is of.
    fn read(
        &mut self,
        packets: &mut dyn Packets,
        random: &mut Xoshiro256PlusPlus,
    ) -> io::Result<Option<Piece>> {
        if let Some(piece) = self.piece.take() {
            return Ok(Some(piece));
        }
        let mut piece = Piece::default();
        if !packets.next(&mut piece)? {
            return Ok(None);
        }
        self.at = 0;
        self.late = self.late_last > 0.0 && random.random_bool(self.late_last);
        Ok(Some(piece))
    }
}

impl Beats for Fragments {
    fn next(
        &mut self,
        packets: &mut dyn Packets,
        random: &mut Xoshiro256PlusPlus,
    ) -> io::Result<Option<FlowBeat>> {
        let Some(piece) = self.read(packets, random)? else {
            return Ok(None);
        };
        let left = &piece.bytes[self.at..];
        let count = left.len().min(self.lanes);
        let behind = left.len() - count;
        // Only a full beat can be followed by a last one without any byte.
        let last = behind == 0 && !(self.late && count == self.lanes);
        let mut command = if piece.ends { 0 } else { MORE };
        if piece.begins && self.at == 0 {
            command |= OPEN;
        }
        let beat = FlowBeat {
            flow: piece.flow,
            bytes: left[..count].to_vec(),
            keep: low(count),
            last,
            command,
            is_packets: true,
            ends: last && piece.ends,
            arrived: piece.arrived - behind as u64,
        };
        self.at += count;
        self.piece = (!last).then_some(piece);
        Ok(Some(beat))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packets::InFragments;
    use rand::SeedableRng;

    fn piece(flow: u64, bytes: &str, begins: bool, ends: bool, arrived: u64) -> Piece {
        Piece {
            bytes: bytes.into(),
            begins,
            ends,
            flow,
            arrived,
            ..Piece::default()
        }
    }

    /// The beats of pieces: the flow, the bytes, whether it is the last, the command, where it ends on the wire.
    fn beats(late_last: f64, pieces: Vec<Piece>) -> Vec<(u64, String, bool, u8, u64)> {
        let mut packets = InFragments::new(pieces);
        let mut fragments = Fragments::new(4, late_last);
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut beats = Vec::new();
        while let Some(beat) = fragments.next(&mut packets, &mut random).unwrap() {
            assert_eq!(beat.keep, (1 << beat.bytes.len()) - 1);
            assert_eq!(beat.ends, beat.last && beat.command & MORE == 0);
            let bytes = String::from_utf8(beat.bytes).unwrap();
            beats.push((beat.flow, bytes, beat.last, beat.command, beat.arrived));
        }
        beats
    }

    #[test]
    fn fragments_are_cut_in_their_order() {
        let pieces = vec![
            piece(3, "abcdefghij", true, false, 100),
            piece(1, "xyzw", true, true, 200),
            piece(3, "k", false, false, 300),
            piece(3, "", false, true, 384),
        ];
        let cut = [
            (3, "abcd", false, OPEN | MORE, 94),
            (3, "efgh", false, MORE, 98),
            (3, "ij", true, MORE, 100),
            (1, "xyzw", true, OPEN, 200),
            (3, "k", true, MORE, 300),
            (3, "", true, 0, 384),
        ];
        let cut = cut.map(|(flow, bytes, last, command, arrived)| {
            (flow, bytes.to_string(), last, command, arrived)
        });
        assert_eq!(beats(0.0, pieces.clone()), cut);
        // Only one that fills its beats has room for a late end.
        let mut late = cut.to_vec();
        late[3].2 = false;
        late.insert(4, (1, String::new(), true, 0, 200));
        assert_eq!(beats(1.0, pieces), late);
    }
}
