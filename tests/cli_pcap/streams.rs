//! Connections of TCP: what order their bytes come out in, where they end, and which of two bytes counts.

use super::files::pcap;
use super::frames::{ACK, FIN, RST, SYN, answer, datagram, segment};
use super::{Told, told, told_by};
use serde_json::json;

const TEXT: &str = "Ἀρχὴ, начало, 開始";

/// The text in pieces of so many bytes, each with its sequence number.
fn pieces(first: u32, length: usize) -> Vec<(u32, &'static [u8])> {
    let pieces = TEXT.as_bytes().chunks(length).enumerate();
    pieces
        .map(|(index, piece)| (first.wrapping_add((index * length) as u32), piece))
        .collect()
}

fn connection(frames: &[Vec<u8>]) -> Told {
    told(&pcap(frames))
}

#[test]
fn segments_in_any_order_are_one_text() {
    for core in ["decode", "validate"] {
        for first in [1, 0xFFFF_FFF8, u32::MAX] {
            let mut segments: Vec<_> = pieces(first, 5)
                .into_iter()
                .map(|(at, piece)| segment(at, ACK, piece))
                .collect();
            let count = segments.len() as u64;
            segments.reverse();
            segments.swap(0, 2);
            let syn = segment(first.wrapping_sub(1), SYN, "");
            let fin = segment(first.wrapping_add(TEXT.len() as u32), FIN | ACK, "");
            // The end, too, comes before what is before it.
            let frames = [vec![syn, fin], segments].concat();
            let told = told_by(core, &pcap(&frames));
            told.has_packets(&[TEXT])
                .has_frames(count, &[("no_payload", 2)]);
            told.has_flow(0, json!({"ended": "fin", "packets": 1, "well_formed": true, "lost_bytes": 0, "repeated_bytes": 0}));
        }
    }
}

#[test]
fn without_a_syn_the_first_byte_that_is_seen_is_the_first() {
    let [a, b, c, ..] = pieces(100, 8)[..] else {
        panic!()
    };
    let frames = [
        segment(99, ACK, ""),
        segment(b.0, ACK, b.1),
        segment(a.0, ACK, a.1),
        // Half of it is before the first byte.
        segment(b.0 - 1, ACK, [b"?", b.1].concat()),
        segment(c.0, ACK, c.1),
    ];
    let told = connection(&frames);
    told.has_packets(&[&TEXT.as_bytes()[8..24]]);
    told.has_frames(
        2,
        &[("no_payload", 1), ("repeated", 1), ("before_start", 1)],
    );
    told.has_flow(
        0,
        json!({"ended": "capture", "lost_bytes": 9, "repeated_bytes": 8}),
    );
}

#[test]
fn the_bytes_that_came_first_count() {
    let frames = [
        segment(0, SYN, ""),
        segment(3, 0, "CD"),
        segment(7, 0, "GH"),
        // Begins within one that is held.
        segment(4, 0, "xE"),
        // Around all that are held: new are A, B, F and I.
        segment(1, 0, "ABxxxFxxI"),
        // Once more, and with what follows.
        segment(1, 0, "zz"),
        segment(9, 0, "zJ"),
    ];
    let told = connection(&frames);
    told.has_packets(&["ABCDEFGHIJ"])
        .has_frames(5, &[("no_payload", 1), ("repeated", 1)]);
    told.has_flow(0, json!({"repeated_bytes": 9, "lost_bytes": 0}));
    let capture = pcap(&frames);
    let place = crate::support::Place::new();
    place.write("a.pcap", &capture);
    crate::support::json(&place.run("sim --engine embedded --json --events e --pcap a.pcap"));
    let events = std::fs::read_to_string(place.path("e")).expect("events");
    let scalars: String = events
        .lines()
        .map(|line| {
            let event: serde_json::Value = serde_json::from_str(line).expect("an event");
            let scalar = event["scalar"].as_u64().expect("a scalar value");
            char::from_u32(scalar as u32).expect("a scalar value")
        })
        .collect();
    assert_eq!(scalars, "ABCDEFGHIJ");
}

#[test]
fn a_gap_that_nothing_fills_ends_the_flow() {
    let gap = |last: Vec<u8>, fields: serde_json::Value, skipped: &[(&str, u64)]| {
        let frames = [
            segment(0, SYN, ""),
            segment(1, 0, "abc"),
            segment(5, 0, "ef"),
            segment(7, 0, "gh"),
            last,
        ];
        let told = connection(&frames);
        told.has_packets(&["abc"]).has_frames(1, skipped);
        told.has_flow(0, json!({"ended": "gap", "packets": 1}))
            .has_flow(0, fields);
    };
    let two = ("behind_gap", 2);
    gap(
        segment(9, FIN, ""),
        json!({"lost_bytes": 4}),
        &[("no_payload", 2), two],
    );
    gap(
        segment(9, RST, ""),
        json!({"lost_bytes": 4}),
        &[("no_payload", 2), two],
    );
    gap(
        segment(70, SYN, ""),
        json!({"lost_bytes": 4}),
        &[("no_payload", 2), two],
    );
    gap(
        segment(9, 0, "ij"),
        json!({"lost_bytes": 6}),
        &[("no_payload", 1), ("behind_gap", 3)],
    );
    // Nothing is behind this gap but the end.
    let told = connection(&[segment(1, 0, "abc"), segment(5, FIN, "")]);
    told.has_flow(0, json!({"ended": "gap", "lost_bytes": 0}));
    // A flow whose first byte never came has no packet.
    let told = connection(&[datagram(1, "a"), segment(0, SYN, ""), segment(2, 0, "b")]);
    told.has_packets(&["a"]);
    told.has_flow(
        1,
        json!({"ended": "gap", "packets": 0, "well_formed": null, "lost_bytes": 1}),
    );
}

#[test]
fn what_comes_after_the_end_is_not_used() {
    let fin = connection(&[
        segment(1, FIN, "abc"),
        segment(4, 0, "d"),
        segment(1, 0, "ab"),
        segment(4, RST, ""),
    ]);
    fin.has_packets(&["abc"]);
    fin.has_frames(1, &[("no_payload", 1), ("repeated", 1), ("after_end", 1)]);
    fin.has_flow(
        0,
        json!({"ended": "fin", "lost_bytes": 1, "repeated_bytes": 2}),
    );
    // What was held behind the end that a FIN says afterwards.
    let late = connection(&[
        segment(1, 0, "a"),
        segment(3, 0, "cdef"),
        segment(2, FIN, "b"),
    ]);
    late.has_packets(&["ab"]).has_frames(2, &[("after_end", 1)]);
    // A RST ends it at once, whatever it carries.
    let rst = connection(&[
        segment(1, 0, "abc"),
        segment(4, RST, "why"),
        segment(4, 0, "d"),
    ]);
    rst.has_packets(&["abc"]).has_frames(1, &[("after_end", 2)]);
    rst.has_flow(0, json!({"ended": "rst", "lost_bytes": 4}));
}

#[test]
fn a_syn_with_another_number_is_another_connection() {
    let frames = [
        segment(0, SYN, ""),
        segment(1, 0, "old"),
        segment(0, SYN, ""),
        segment(5000, SYN, "new"),
        segment(5004, 0, "er"),
        segment(5006, FIN, ""),
        segment(9000, SYN, "newest"),
    ];
    let told = connection(&frames);
    told.has_packets(&["old", "newer", "newest"])
        .has_frames(4, &[("no_payload", 3)]);
    for (flow, ended) in ["syn", "fin", "capture"].into_iter().enumerate() {
        told.has_flow(flow, json!({"ended": ended, "source": "10.0.0.1:5000"}));
    }
}

#[test]
fn directions_are_flows_of_their_own_and_packets_where_they_end() {
    let frames = [
        segment(1, 0, "question"),
        answer(1, 0, "ans"),
        datagram(514, "between"),
        answer(4, FIN, "wer"),
        segment(9, FIN, "?"),
    ];
    let told = connection(&frames);
    told.has_packets(&["between", "answer", "question?"])
        .has_frames(5, &[]);
    let packets = told.0["packets"].as_array().expect("packets");
    let places: Vec<_> = packets
        .iter()
        .map(|packet| (&packet["flow"], &packet["frame"]))
        .collect();
    assert_eq!(
        places,
        [
            (&json!(2), &json!(3)),
            (&json!(1), &json!(4)),
            (&json!(0), &json!(5))
        ]
    );
}
