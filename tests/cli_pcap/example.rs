//! The example of docs/src/captures.md: a capture of a thousand connections at once, at the rate of a line, and what the registers say of it.

use super::files::pcap;
use super::frames::{ACK, FIN, IPV4, TCP, datagram, ethernet, ipv4, tcp};
use crate::support::{Place, done, json, output};
use serde_json::json;
use std::str::from_utf8;

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/flows.pcap");
const TEXT: &str = include_str!("../data/many_scripts.txt");

/// Connections that are open at the same time, each a flow of two segments.
const CONNECTIONS: usize = 1000;
/// What breaks a text: each kind of an ill-formed piece, and a signature, which breaks nothing.
const BREAKS: [&[u8]; 8] = [
    b"\x80",
    b"\xFF",
    b"\xC0\xAF",
    b"\xED\xA0\x80",
    b"\xF4\x90\x80\x80",
    b"\xE2\x82",
    b"\xF0\x9F\x98",
    b"\xEF\xBB\xBF",
];

/// What a connection sends: some text, and in one of ten something that may break it, in the middle or at the end.
fn message(connection: usize) -> Vec<u8> {
    let letters = TEXT.chars().skip(3 * connection).take(12 + connection % 8);
    let mut bytes = letters.collect::<String>().into_bytes();
    if connection % 10 == 3 {
        let at = if connection % 20 == 3 {
            bytes.len() / 2
        } else {
            bytes.len()
        };
        let piece = BREAKS[connection / 10 % BREAKS.len()];
        bytes.splice(at..at, piece.iter().copied());
    }
    bytes
}

/// What is asked of UDP's servers: every fourth one in another encoding.
fn question(number: usize) -> &'static [u8] {
    match number % 4 {
        0 => b"caf\xE9?",
        1 => "¿qué?".as_bytes(),
        2 => "何?".as_bytes(),
        _ => b"what?",
    }
}

/// A segment of a connection that has sent so many bytes of its message before.
fn segment(connection: usize, before: usize, flags: u8, payload: &[u8]) -> Vec<u8> {
    // Some sequence numbers wrap.
    let sequence = 0xFFFF_F800_u32.wrapping_add((4 * connection + before) as u32);
    let port = 10_000 + connection as u16;
    ethernet(IPV4, &ipv4(TCP, &tcp(port, 443, sequence, flags, payload)))
}

/// First the first half of every connection's message, then, in another order, the others; between them datagrams. Some halves come
/// in parts, the last one first, and some come twice.
fn traffic() -> Vec<u8> {
    let mut frames = Vec::new();
    let mut turns = 0..;
    for (step, first_half) in [(1, true), (7, false)] {
        for turn in 0..CONNECTIONS {
            if let Some(number) = turns.next().filter(|number| number % 40 == 0) {
                frames.push(datagram(
                    5000 + number as u16 / 40 % 16,
                    question(number / 40),
                ));
            }
            let connection = turn * step % CONNECTIONS;
            let message = message(connection);
            let half = message.len() / 2;
            if first_half {
                frames.push(segment(connection, 0, ACK, &message[..half]));
                continue;
            }
            let middle = half + half / 2;
            let last = segment(connection, middle, ACK | FIN, &message[middle..]);
            let others = segment(connection, half, ACK, &message[half..middle]);
            let all = segment(connection, half, ACK | FIN, &message[half..]);
            match connection % 50 {
                49 => frames.extend([last, others]),
                24 => frames.extend([all.clone(), all]),
                _ => frames.push(all),
            }
        }
    }
    pcap(&frames)
}

#[test]
fn the_capture_of_flows_is_made_here() {
    let made = traffic();
    if std::env::var_os("RUNEGATE_WRITE_DATA").is_some() {
        std::fs::write(PATH, &made).expect("a place for the capture");
    }
    let found = std::fs::read(PATH).expect("the capture");
    assert!(found == made, "RUNEGATE_WRITE_DATA=1 writes it anew");
}

/// What the counters have in the end is what the standard library says of the messages, and docs/src/captures.md shows it.
#[test]
fn a_thousand_connections_are_judged_and_counted() {
    let command = "sim --core validate --lanes 64 --form free --flows 1024 --csr --pcap tests/data/flows.pcap --line-rate 100G --clock 155";
    let place = Place::new();
    let run = |more: &str| {
        let command = format!("{command}{more}");
        let mut run = place.runegate(command.split(' '));
        output(run.current_dir(env!("CARGO_MANIFEST_DIR")))
    };
    let report = json(&run(" --json"));

    let questions = (0..2 * CONNECTIONS / 40).map(|number| question(number).to_vec());
    let messages: Vec<Vec<u8>> = (0..CONNECTIONS).map(message).chain(questions).collect();
    let count = |of: &dyn Fn(&[u8]) -> usize| messages.iter().map(|it| of(it)).sum::<usize>();
    let chunks = |message: &[u8], of: &dyn Fn(std::str::Utf8Chunk) -> usize| {
        message.utf8_chunks().map(of).sum::<usize>()
    };
    let registers = &report["registers"];
    assert_eq!(registers["packets"], messages.len());
    assert_eq!(
        registers["bad_packets"],
        count(&|it| from_utf8(it).is_err().into())
    );
    assert_eq!(registers["bytes"], count(&|it| it.len()));
    assert_eq!(
        registers["scalars"],
        count(&|it| chunks(it, &|chunk| chunk.valid().chars().count()))
    );
    let kinds = golden::Kind::ALL[1..].iter();
    let ill_formed = kinds.map(|kind| registers[kind.name()].as_u64().expect("a counter"));
    let ill_formed: Vec<u64> = ill_formed.collect();
    assert!(ill_formed.iter().all(|&count| count > 0), "{ill_formed:?}");
    assert_eq!(
        ill_formed.iter().sum::<u64>() as usize,
        count(&|it| chunks(it, &|chunk| (!chunk.invalid().is_empty()).into()))
    );
    assert_eq!(
        report["packets"].as_array().map(Vec::len),
        Some(messages.len())
    );
    assert_eq!(report["table"]["refused_messages"], 0);
    assert_eq!(report["line"]["keeps_up"], true);
    assert_eq!(report["line"]["lost_clocks"], 0);
    assert_eq!(report["mismatches"], json!(0));

    let page = include_str!("../../docs/src/captures.md");
    let (_, shown) = page
        .split_once(&format!("$ runegate {command}\n"))
        .expect("the command");
    let (shown, _) = shown.split_once("```").expect("its output");
    let told = run("");
    // Whoever reads it may have another Verilator.
    let others = |text: &str| {
        let lines = text.lines().filter(|line| !line.contains(", seed 1:"));
        lines.map(str::to_string).collect::<Vec<_>>()
    };
    let (shown, told) = (others(shown), others(done(&told)));
    assert!(told.ends_with(&shown), "{told:#?}");
}
