//! The capture that is in the repository: how it is made, and what is in it.

use super::files::pcap;
use super::frames::{
    ACK, FIN, IPV4, IPV6, SYN, UDP, answer, datagram, ethernet, extension, ipv4, ipv6, segment,
    tagged, udp,
};
use crate::support::{Place, done, json, output};
use serde_json::json;

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/traffic.pcap");

/// A few datagrams, and a connection whose text was cut within a character, reordered, and sent twice in part.
fn traffic() -> Vec<u8> {
    let six = ipv6(0, &extension(UDP, &udp(4000, 514, "Καλημέρα".as_bytes())));
    let greeting = "Grüße, 世界".as_bytes();
    let text = "HTTP/1.1 200 OK\r\n\r\nНаука, 科学, विज्ञान\n".as_bytes();
    let (first, rest) = text.split_at(20);
    let (second, third) = rest.split_at(9);
    let arp = [&[0, 1, 8, 0, 6, 4, 0, 1][..], &[0; 20]].concat();
    pcap(&[
        ethernet(0x0806, &arp),
        datagram(514, greeting),
        datagram(514, b"caf\xE9"),
        tagged(&datagram(514, "naïve".as_bytes()), 0x8100, 7),
        tagged(&tagged(&ethernet(IPV6, &six), 0x8100, 30), 0x88A8, 20),
        segment(0x1000, SYN, ""),
        answer(0xFFFF_FFF0, SYN | ACK, ""),
        segment(0x1001, ACK, ""),
        segment(0x1001, ACK, "GET /\r\n\r\n"),
        answer(0xFFFF_FFF1, ACK, first),
        answer(14, ACK, third),
        ethernet(IPV4, &ipv4(1, &[8, 0, 0xF7, 0xFF, 0, 0, 0, 0])),
        answer(5, ACK, second),
        answer(5, ACK, second),
        answer(14 + third.len() as u32, ACK | FIN, ""),
        segment(0x100A, ACK | FIN, ""),
    ])
}

#[test]
fn the_capture_in_the_repository_is_made_here() {
    let made = traffic();
    if std::env::var_os("RUNEGATE_WRITE_DATA").is_some() {
        std::fs::write(PATH, &made).expect("a place for the capture");
    }
    let found = std::fs::read(PATH).expect("the capture");
    assert!(found == made, "RUNEGATE_WRITE_DATA=1 writes it anew");
}

#[test]
fn it_has_what_is_said_of_it() {
    let place = Place::new();
    let run = json(&place.run(&format!("sim --engine embedded --json --pcap {PATH}")));
    assert_eq!(
        run["capture"],
        json!({
            "file": PATH,
            "cut": null,
            "frames": 16,
            "used": 8,
            "skipped": {"not_ip": 1, "other_protocol": 1, "no_payload": 5, "repeated": 1},
        })
    );
    let flows = run["flows"].as_array().expect("flows");
    let verdicts: Vec<_> = flows.iter().map(|flow| &flow["well_formed"]).collect();
    assert_eq!(verdicts, [false, true, true, true, true]);
    assert_eq!(run["packets"].as_array().expect("packets").len(), 6);
}

#[test]
fn the_page_of_captures_shows_what_is_printed() {
    let place = Place::new();
    let command = "sim --core validate --lanes 64 --pcap tests/data/traffic.pcap --line-rate 100G --engine embedded";
    let page = include_str!("../../docs/src/captures.md");
    let (_, shown) = page
        .split_once(&format!("$ runegate {command}\n"))
        .expect("the command");
    let (shown, _) = shown.split_once("```").expect("its output");
    let mut run = place.runegate(command.split(' '));
    let run = output(run.current_dir(env!("CARGO_MANIFEST_DIR")));
    assert_eq!(shown, done(&run));
}
