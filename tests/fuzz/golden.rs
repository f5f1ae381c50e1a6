//! The oracle and the packets, on any bytes.

use crate::{biased, iterations};
use golden::{Event, Kind, Oracle, Verdict, events, verdict};
use sim::packets::{Packets, Piece, Reader, Split};
use std::io::{self, Read};

/// The verdict that Rust's own decoder gives, but for the kind, which it has no word for.
fn by_std(bytes: &[u8], kind: Kind) -> Verdict {
    let error = std::str::from_utf8(bytes).err();
    let chunks = bytes.utf8_chunks();
    Verdict {
        well_formed: error.is_none(),
        valid_up_to: error.map_or(bytes.len(), |error| error.valid_up_to()) as u64,
        error_len: error.map(|error| error.error_len().unwrap_or(0) as u8),
        kind,
        bytes: bytes.len() as u64,
        scalars: chunks
            .clone()
            .map(|chunk| chunk.valid().chars().count() as u64)
            .sum(),
        ill_formed: chunks.filter(|chunk| !chunk.invalid().is_empty()).count() as u64,
        signature: bytes.starts_with(b"\xEF\xBB\xBF"),
    }
}

#[test]
fn the_oracle_says_what_rust_says() {
    bolero::check!()
        .with_iterations(iterations(100_000))
        .for_each(|bytes: &[u8]| {
            for bytes in [bytes, &biased(bytes)] {
                let verdict = verdict(bytes);
                assert_eq!(verdict, by_std(bytes, verdict.kind));
                assert_eq!(verdict.kind == Kind::None, verdict.well_formed);
                let mut end = 0;
                let text: String = events(bytes)
                    .map(|(at, event)| {
                        end += usize::from(event.length());
                        assert_eq!(at + 1, end, "pieces follow one another");
                        match event {
                            Event::Scalar(value) => char::from_u32(value).expect("a scalar value"),
                            Event::IllFormed { .. } => char::REPLACEMENT_CHARACTER,
                        }
                    })
                    .collect();
                assert_eq!(end, bytes.len());
                assert_eq!(text, String::from_utf8_lossy(bytes));
                // Pushed byte by byte, with its state copied in between, it says the same.
                let (mut oracle, mut pushed) = (Oracle::new(), Vec::new());
                for (at, &byte) in bytes.iter().enumerate() {
                    oracle = oracle.clone();
                    let settled = oracle.push(byte);
                    pushed.extend(settled.before.map(|event| (at - 1, event)));
                    pushed.extend(settled.here.map(|event| (at, event)));
                }
                pushed.extend(oracle.finish().map(|event| (bytes.len() - 1, event)));
                assert!(events(bytes).eq(pushed));
            }
        });
}

/// A reader that gives as few bytes at a time as it is told.
struct Cut<'a> {
    bytes: &'a [u8],
    cuts: std::iter::Cycle<std::slice::Iter<'a, u8>>,
}

impl Read for Cut<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let most = self.cuts.next().map_or(1, |&cut| usize::from(cut) + 1);
        let count = most.min(self.bytes.len()).min(out.len());
        let (now, later) = self.bytes.split_at(count);
        out[..count].copy_from_slice(now);
        self.bytes = later;
        Ok(count)
    }
}

/// All packets of an input.
fn packets(input: impl Read, split: Split) -> Vec<Vec<u8>> {
    let mut reader = Reader::new(input, split);
    let (mut packets, mut packet, mut piece) = (Vec::new(), Vec::new(), Piece::default());
    while reader.next(&mut piece).expect("memory can be read") {
        packet.extend_from_slice(&piece.bytes);
        if piece.ends {
            packets.push(std::mem::take(&mut packet));
        }
    }
    assert!(packet.is_empty(), "every packet ends");
    packets
}

/// The lengths of a ladder's packets.
fn rungs(lanes: usize) -> impl Iterator<Item = usize> {
    let singles = std::iter::repeat_n(1, 64);
    let round = (0..=4 * lanes).chain([64 * lanes + 1]).chain(singles);
    round.collect::<Vec<_>>().into_iter().cycle()
}

#[test]
fn packets_are_the_same_however_the_input_is_cut() {
    let input = bolero::produce::<(Vec<u8>, Vec<u8>, u8, u8, u64)>();
    let check = bolero::check!().with_generator(input);
    check
        .with_iterations(iterations(10_000))
        .for_each(|(bytes, cuts, lanes, long, seed)| {
            let lanes = 1 << (lanes % 7);
            let newline = |&byte: &u8| if byte.is_multiple_of(8) { b'\n' } else { byte };
            let mut lines: Vec<u8> = bytes.iter().map(newline).collect();
            if *long < 4 {
                // More than is read at once.
                lines = lines.repeat(70_000 / lines.len().max(1) + 1);
            }
            let splits = [
                Split::Whole,
                Split::Lines,
                Split::Ladder { lanes },
                Split::Random { lanes, seed: *seed },
            ];
            for split in splits {
                let cut = Cut {
                    bytes: &lines,
                    cuts: cuts.iter().cycle(),
                };
                let packets = packets(cut, split);
                assert_eq!(packets, self::packets(&lines[..], split), "{split:?}");
                let separator: &[u8] = if split == Split::Lines { b"\n" } else { b"" };
                let mut joined = packets.join(separator);
                if split == Split::Lines && lines.ends_with(b"\n") {
                    joined.push(b'\n');
                }
                assert_eq!(joined, lines, "{split:?}");
                if let (Split::Ladder { lanes }, Some((last, all))) = (split, packets.split_last())
                {
                    let mut rungs = rungs(lanes);
                    let is_rung = |packet: &Vec<u8>| rungs.next() == Some(packet.len());
                    assert!(all.iter().all(is_rung));
                    assert!(rungs.next() >= Some(last.len()));
                }
            }
        });
}
