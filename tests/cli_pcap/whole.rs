//! `--window`: whole frames, each with the window of its payload, to a core that judges only that.

use super::Told;
use super::files::pcap;
use super::frames::{
    ACK, IPV4, IPV6, UDP, datagram, ethernet, extension, ipv4, ipv6, segment, tagged, udp,
};
use crate::support::{Place, json, refused};
use serde_json::{Value, json};
use std::iter::repeat_n;
use std::str::from_utf8;

/// Frames of UDP, and their payloads: text of every length around some beats, some of it cut, and what is none.
fn texts() -> Vec<(Vec<u8>, Vec<u8>)> {
    let said = "caf\u{e9} \u{20ac} \u{1f600} \u{65e5}\u{672c}".as_bytes();
    let others = [b"\xFF".to_vec(), b"a\xC0\xAF".to_vec(), vec![b'x'; 300]];
    let payloads = (1..=said.len()).map(|end| said[..end].to_vec());
    let framed = |(index, payload): (usize, Vec<u8>)| {
        let datagram = udp(4000, 514, &payload);
        let frame = match index % 4 {
            0 => ethernet(IPV4, &ipv4(UDP, &datagram)),
            1 => tagged(&ethernet(IPV4, &ipv4(UDP, &datagram)), 0x8100, 7),
            2 => ethernet(IPV6, &ipv6(UDP, &datagram)),
            _ => ethernet(IPV6, &ipv6(0, &extension(UDP, &datagram))),
        };
        (frame, payload)
    };
    payloads.chain(others).enumerate().map(framed).collect()
}

fn told(options: &str, frames: &[Vec<u8>]) -> Told {
    let place = Place::new();
    place.write("a.pcap", pcap(frames));
    let core = "--core validate --window --lanes 8 --engine embedded";
    Told(json(
        &place.run(&format!("sim --json --pcap a.pcap {core} {options}")),
    ))
}

fn packets(told: &Told) -> &[Value] {
    told.0["packets"].as_array().expect("packets")
}

#[test]
fn only_the_payload_of_a_frame_is_judged() {
    let texts = texts();
    let mut fragment = ipv4(UDP, &udp(4000, 514, b"\xFF"));
    fragment[6] = 0x20;
    let others = [
        ethernet(0x88CC, &[0xFF; 28]),
        segment(1, ACK, b"\xFFtext"),
        ethernet(IPV4, &fragment),
        datagram(514, b""),
    ];
    let frames = texts.iter().map(|(frame, _)| frame).chain(&others);
    let frames: Vec<Vec<u8>> = frames.cloned().collect();
    let told = told("", &frames);
    let said = packets(&told).iter().map(|packet| {
        let number = |name: &str| packet[name].as_u64().expect(name);
        let is_judged = packet.get("unjudged").is_none();
        let is_well_formed = packet["well_formed"] == true;
        let [bytes, up_to] = ["bytes", "valid_up_to"].map(number);
        (is_judged, bytes, is_well_formed, up_to)
    });
    let expected = texts.iter().map(|(_, payload)| {
        let error = from_utf8(payload).err();
        let up_to = error.map_or(payload.len(), |error| error.valid_up_to());
        (true, payload.len() as u64, error.is_none(), up_to as u64)
    });
    let expected = expected.chain(repeat_n((false, 0, true, 0), others.len()));
    assert_eq!(said.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
    told.has_frames(frames.len() as u64, &[]);
    let reasons = json!({"not_ip": 1, "ip_fragment": 1, "no_payload": 1, "segment": 1});
    assert_eq!(told.0["capture"]["texts"]["skipped"], reasons);
    assert_eq!(told.0["capture"]["texts"]["used"], texts.len());
}

/// The summary compares a core that reads headers with etherparse, which reads more: MACsec, and three tags.
#[test]
fn another_parser_says_what_the_core_says() {
    let mut fragment = ipv4(UDP, &udp(4000, 514, b"\xFF"));
    fragment[6] = 0x20;
    let three = (0..3).fold(datagram(514, b"text"), |frame, _| tagged(&frame, 0x8100, 7));
    let mut macsec = datagram(514, b"text");
    macsec.splice(12..12, [0x88, 0xE5, 0, 0, 0, 0, 0, 1]);
    let frames = [
        datagram(514, b"text"),
        datagram(80, b"\xFF"),
        datagram(514, b""),
        segment(1, ACK, b"text"),
        ethernet(0x88CC, &[0xFF; 28]),
        ethernet(IPV4, &fragment),
        three,
        macsec,
    ];
    let place = Place::new();
    place.write("a.pcap", pcap(&frames));
    let core = "--core validate --frames --lanes 8 --engine embedded --pcap a.pcap";
    let read = |options: &str| {
        let told = json(&place.run(&format!("sim --json {core} {options}")));
        told["capture"]["etherparse"].clone()
    };
    let other = json!({"a third tag": 1, "MACsec": 1});
    let closed = json!({"a text in UDP": 2, "UDP without a text": 1, "a segment of TCP": 1, "not IP": 1, "a fragment": 1});
    assert_eq!(
        read(""),
        json!({"same": closed, "other": other, "disagree": 0})
    );
    let ports = json!({"a text in UDP": 1, "another port": 1, "UDP without a text": 1, "a text in TCP": 1, "not IP": 1, "a fragment": 1});
    assert_eq!(
        read("--edges open --ports udp:514,tcp:0-65535 --counter-width 8"),
        json!({"same": ports, "other": other, "disagree": 0})
    );
    let run = place.run(&format!("sim {core}"));
    let said = String::from_utf8_lossy(&run.stdout);
    assert!(
        said.contains("etherparse reads 6 the same way (")
            && said.contains("and 2 in another (MACsec: 1, a third tag: 1)"),
        "{said}"
    );
}

/// With open edges each segment is judged by itself: what its ends cut is no error.
#[test]
fn with_open_edges_segments_are_judged_one_by_one() {
    let text = "caf\u{e9} \u{20ac}".as_bytes();
    let parts = [&text[..4], &text[4..7], &text[7..], b"a\xFFb"];
    let frames: Vec<Vec<u8>> = (1..)
        .zip(parts)
        .map(|(at, part)| segment(at, ACK, part))
        .collect();
    let told = told("--edges open", &frames);
    let said = packets(&told)
        .iter()
        .map(|packet| (packet["bytes"].as_u64(), packet["bad"] == true));
    let expected = parts.map(|part| (Some(part.len() as u64), part.contains(&0xFF)));
    assert_eq!(said.collect::<Vec<_>>(), expected);
}

#[test]
fn positions_that_the_frames_say_cannot_be_given_too() {
    let place = Place::new();
    place.write("a.pcap", pcap(&[datagram(514, b"text")]));
    let run = place.run("sim --core validate --window --text 3..4 --pcap a.pcap");
    refused(
        &run,
        &[
            "--text 3..4 cannot be combined with --pcap",
            "leave one of them out",
        ],
    );
}
