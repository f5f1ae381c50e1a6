//! Captures: any file is read or refused, and segments in any order give the bytes that came first.

use crate::files::{self, Order, pcap, pcapng};
use crate::frames::{ACK, SYN, datagram, segment};
use crate::iterations;
use bolero::produce;
use sim::packets::{Packets, Piece};
use sim::traffic::{Captured, Traffic};
use std::collections::HashSet;

/// Changes of a file: each is a place, how it is changed, and a number.
type Changes = Vec<(u16, u8, u32)>;

fn changed(file: &[u8], changes: &Changes) -> Vec<u8> {
    let mut file = file.to_vec();
    for &(at, how, number) in changes.iter().take(4) {
        let at = usize::from(at) % (file.len() + 1);
        let end = |length: usize| file.len().min(at + length);
        let word = number.to_le_bytes();
        match how {
            // A byte or a word becomes another, most often one at a border.
            0..96 => file.splice(at..end(1), [word[0]]).for_each(drop),
            96..160 => file
                .splice(at..end(1), [[0, 1, 0x7F, 0xFF][at % 4]])
                .for_each(drop),
            160..192 => file.splice(at..end(4), word).for_each(drop),
            192..224 => file
                .splice(at..end(usize::from(word[0])), [])
                .for_each(drop),
            224..240 => file.splice(at..at, word).for_each(drop),
            _ => file.truncate(at),
        }
    }
    file
}

/// Everything that must hold of fragments that share a table of flows.
fn check_entries(mut captured: Captured, bytes: usize, ends: usize) {
    let table = captured.table.clone().expect("a table");
    let refused = table.refused();
    assert_eq!(
        captured.packets.len() + refused.messages as usize,
        ends,
        "each message is offered whole, or refused whole"
    );
    assert_eq!(captured.bytes + refused.bytes, bytes as u64);
    let mut open = HashSet::new();
    let (mut piece, mut wire, mut read, mut ended, mut most) = (Piece::default(), 0, 0, 0, 0);
    while captured
        .next(&mut piece)
        .expect("nothing is read that could fail")
    {
        assert!(piece.flow < table.flows as u64);
        assert_eq!(
            open.insert(piece.flow),
            piece.begins,
            "one has it at a time"
        );
        most = most.max(open.len());
        if piece.ends {
            open.remove(&piece.flow);
            ended += 1;
        }
        assert!(piece.arrived >= wire + u64::from(piece.bytes.is_empty()));
        assert!(piece.arrived >= piece.bytes.len() as u64);
        wire = piece.arrived;
        read += piece.bytes.len() as u64;
    }
    assert_eq!((read, ended), (captured.bytes, captured.packets.len()));
    assert_eq!((open.len(), most), (0, table.most_open));
}

/// Everything that must hold of what was read.
fn check(mut traffic: Traffic) {
    let fragments = traffic.fragments.iter();
    let bytes: usize = fragments
        .clone()
        .map(|fragment| fragment.payload.len())
        .sum();
    let ends = fragments.filter(|fragment| !fragment.more).count();
    assert!(traffic.frames.used <= traffic.frames.total());
    for flows in [1, 2, 4096] {
        check_entries(traffic.clone().interleaved(flows, None), bytes, ends);
    }
    let mut captured = traffic.packets(None);
    assert_eq!(
        (captured.bytes, captured.packets.len()),
        (bytes as u64, ends)
    );
    let (mut piece, mut wire, mut read, mut ended) = (Piece::default(), 0, 0, 0);
    while captured
        .next(&mut piece)
        .expect("nothing is read that could fail")
    {
        assert!(!piece.bytes.is_empty() && piece.arrived >= wire);
        assert!(piece.arrived >= piece.bytes.len() as u64);
        wire = piece.arrived;
        read += piece.bytes.len();
        ended += usize::from(piece.ends);
    }
    assert_eq!((read, ended), (bytes, ends));
}

#[test]
fn any_capture_is_read_or_refused() {
    let mut frames = vec![
        datagram(514, "a"),
        segment(0, SYN, ""),
        segment(4, ACK, "def"),
    ];
    frames.extend([
        segment(1, ACK, "abcd"),
        segment(7, ACK, "g"),
        segment(9, ACK, "gap"),
    ]);
    let captures = [
        include_bytes!("../data/traffic.pcap").to_vec(),
        pcap(&frames),
        files::pcap_of(Order::Big, true, files::ETHERNET, &frames),
        pcapng(Order::Little, &frames),
        pcapng(Order::Big, &frames),
    ];
    for capture in &captures {
        let traffic = Traffic::read(capture).expect("a capture");
        assert_eq!(traffic.cut, None);
        check(traffic);
    }
    let run = bolero::check!().with_generator(produce::<(u8, Changes)>());
    run.with_iterations(iterations(5000))
        .for_each(|(which, changes)| {
            let capture = &captures[usize::from(*which) % captures.len()];
            if let Ok(traffic) = Traffic::read(&changed(capture, changes)) {
                check(traffic);
            }
        });
}

#[test]
fn the_bytes_that_came_first_count_in_any_order() {
    let run = bolero::check!().with_generator(produce::<(u32, Vec<(u8, u8)>)>());
    run.with_iterations(iterations(2000))
        .for_each(|(first, segments)| {
            let mut frames = vec![segment(first.wrapping_sub(1), SYN, "")];
            // What came first at each place; the bytes of a segment tell which it was.
            let mut came: [Option<u8>; 512] = [None; 512];
            for (index, &(begin, length)) in segments.iter().enumerate() {
                let (begin, length) = (usize::from(begin % 64), usize::from(length % 32));
                let payload = vec![index as u8; length];
                frames.push(segment(first.wrapping_add(begin as u32), ACK, &payload));
                for place in &mut came[begin..begin + length] {
                    place.get_or_insert(index as u8);
                }
            }
            let expected: Vec<u8> = came.iter().map_while(|byte| *byte).collect();
            let traffic = Traffic::read(&pcap(&frames)).expect("a capture");
            assert_eq!(traffic.frames.total(), frames.len() as u64);
            let delivered = traffic
                .fragments
                .iter()
                .flat_map(|fragment| &fragment.payload);
            assert!(delivered.eq(&expected));
            let flow = &traffic.flows[0];
            let sent: usize = segments
                .iter()
                .map(|segment| usize::from(segment.1 % 32))
                .sum();
            assert_eq!(
                sent as u64,
                expected.len() as u64 + flow.repeated_bytes + flow.lost_bytes
            );
            check(traffic);
        });
}
