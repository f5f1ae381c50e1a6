//! Captures and frames that are not what they say, and options that do not go together.

use super::files::{self, Order, enhanced, interface, pcap, pcap_of, pcapng, record, section};
use super::frames::{
    IPV4, IPV6, TCP, UDP, datagram, ethernet, extension, ipv4, ipv6, segment, tcp, udp,
};
use super::told;
use crate::support::{BROKEN, Place, done, refuses, stderr};
use serde_json::json;

#[test]
fn files_that_are_no_captures() {
    let place = Place::new();
    let refuses = |content: &[u8], parts: &[&str]| {
        place.write("a.pcap", content);
        refuses(
            &place,
            "sim --pcap a.pcap",
            &[&["\"a.pcap\""], parts].concat(),
        );
    };
    let begins = ["A1B2C3D4", "0A0D0D0A", "name a capture"];
    refuses(b"", &[&["begins with nothing"], &begins[..]].concat());
    refuses(b"\xD4\xC3", &[&["begins with D4C3"], &begins[..]].concat());
    refuses(
        b"Hello, world",
        &[&["begins with 48656C6C"], &begins[..]].concat(),
    );
    let frames = [datagram(1, "a")];
    refuses(&pcap(&frames)[..23], &["header is cut", "name a capture"]);
    refuses(
        &pcapng(Order::Big, &frames)[..27],
        &["header is cut", "name a capture"],
    );
    refuses(
        &pcapng(Order::Big, &frames)[..4],
        &["header is cut", "name a capture"],
    );
    for link in [105, 127] {
        let parts = [
            &format!("link type is {link}"),
            "1 (Ethernet)",
            "276 (Linux cooked 2)",
            "name a capture",
        ];
        refuses(&pcap_of(Order::Big, true, link, &frames), &parts);
        let file = [
            section(Order::Little),
            interface(Order::Little, link as u16, 0, &[]),
        ]
        .concat();
        refuses(&file, &parts);
    }
}

#[test]
fn captures_with_nothing_for_a_core() {
    let place = Place::new();
    place.write(
        "a.pcap",
        pcap(&[ethernet(0x88CC, b"neighbours"), segment(1, 0, "")]),
    );
    let parts = [
        "\"a.pcap\"",
        "no payload for a core",
        "2 frames: 0 used, 1 not IP, 1 without payload",
        "name a capture with",
    ];
    refuses(&place, "sim --pcap a.pcap", &parts);
    place.write("a.pcap", pcap::<&[u8]>(&[]));
    refuses(&place, "sim --pcap a.pcap", &["0 frames: 0 used; name"]);
    place.write("a.pcap", &pcap(&[datagram(1, "a")])[..24 + 16 + 5]);
    let parts = [
        "0 frames: 0 used; it is cut or damaged at byte 24",
        "21 bytes",
    ];
    refuses(&place, "sim --pcap a.pcap", &parts);
    refuses(
        &place,
        "sim --pcap missing",
        &[
            "\"missing\"",
            "No such file",
            "name a file that can be read",
        ],
    );
    refuses(
        &place,
        "sim --pcap .",
        &["\".\"", "directory", "name a file that can be read"],
    );
}

#[test]
fn options_that_do_not_go_together() {
    let place = Place::new();
    place.write("a.pcap", pcap(&[datagram(1, "a")]));
    let with = |options: &str, parts: &[&str]| {
        refuses(&place, &format!("sim --pcap a.pcap {options}"), parts)
    };
    with(
        BROKEN,
        &["--pcap \"a.pcap\"", "the input", "leave one of them out"],
    );
    with(
        "--split lines",
        &["--pcap", "--split lines", "leave one of them out"],
    );
    with(
        "--stimulus classes --count 9",
        &["--pcap", "--stimulus classes", "leave one of them out"],
    );
    with("--count 9", &["--count", "leave --count out"]);
    with("--merge a.json", &["--merge", "--pcap"]);
    with(
        "--events a.pcap",
        &["--events", "a.pcap", "is read by this run"],
    );
    place.write("core.toml", "split = \"ladder\"\n");
    with("--config core.toml", &["--pcap", "--split ladder"]);
    for rate in ["100", "G", "0G", "-1G", "nanG", "infT", "100g", "11T", ""] {
        let parts = ["--line-rate", "1M to 10T", "as in 10G"];
        let run = crate::support::output(&mut place.runegate([
            "sim",
            "--pcap",
            "a.pcap",
            &format!("--line-rate={rate}"),
        ]));
        crate::support::refused(&run, &parts);
    }
    for clock in ["0", "-1", "nan", "fast", "10001"] {
        with(
            &format!("--line-rate 1G --clock {clock}"),
            &["--clock", "0.001 to 10000"],
        );
    }
    with("--clock 250", &["--clock", "--line-rate"]);
    for pause in ["--idle 0.5", "--late-last 0.5", "--null-beats 0.5"] {
        with(
            &format!("--line-rate 1G {pause}"),
            &[pause, "--line-rate", "leave one of them out"],
        );
    }
    refuses(
        &place,
        &format!("sim --line-rate 1G {BROKEN}"),
        &["--line-rate", "--pcap"],
    );
}

#[test]
fn a_capture_that_is_cut_is_used_up_to_there() {
    let place = Place::new();
    let frames = [
        datagram(1, "whole"),
        datagram(2, b"\xFF"),
        datagram(3, "cut"),
    ];
    for whole in [
        pcap(&frames),
        pcapng(Order::Little, &frames),
        pcapng(Order::Big, &frames),
    ] {
        let length = whole.len();
        let told_of = |file: &[u8]| {
            place.write("a.pcap", file);
            let run = place.run("sim --engine embedded --json --quiet --pcap a.pcap");
            let told = super::Told(serde_json::from_str(done(&run)).expect("JSON"));
            (told, stderr(&run).to_string())
        };
        assert_eq!(told_of(&whole).1, "");
        for cut in [1, 5, 60] {
            let (told, warning) = told_of(&whole[..length - cut]);
            told.has_packets(&[&b"whole"[..], b"\xFF"])
                .has_frames(2, &[]);
            let at = told.0["capture"]["cut"]["at"].as_u64().expect("a place");
            let rest = told.0["capture"]["cut"]["bytes"]
                .as_u64()
                .expect("a length");
            assert_eq!(at + rest, (length - cut) as u64);
            let said = format!(
                "2 frames: 2 used; it is cut or damaged at byte {at}, and the {rest} bytes from there on are not used"
            );
            assert!(
                warning.starts_with("warning: ") && warning.contains(&said),
                "{warning}"
            );
        }
    }
    // A length that leads out of the file is the same.
    let mut file = pcap(&frames);
    let third = file.len() - 60 - 16;
    file[third + 8..third + 12].copy_from_slice(&u32::MAX.to_le_bytes());
    let told = told(&file);
    told.has_frames(2, &[]);
    assert_eq!(told.0["capture"]["cut"]["at"], third);
}

/// A frame whose packet has another byte at a place.
fn with_byte(packet: &[u8], at: usize, byte: u8) -> Vec<u8> {
    let protocol = if packet[0] >> 4 == 6 { IPV6 } else { IPV4 };
    let mut packet = packet.to_vec();
    packet[at] = byte;
    ethernet(protocol, &packet)
}

#[test]
fn frames_that_are_not_what_they_say() {
    let four = ipv4(UDP, &udp(1, 2, b"abcdefghijklmnopqrst"));
    let six = ipv6(UDP, &udp(1, 2, b"abcdefghijklmnopqrst"));
    let stream = ipv4(TCP, &tcp(1, 2, 0, 0, b"abcdefghijklmnopqrst"));
    let malformed = [
        // The total length: behind the frame, within the header, and within UDP's.
        with_byte(&four, 2, 1),
        with_byte(&four, 3, 19),
        with_byte(&four, 3, 27),
        with_byte(&four, 3, 0),
        // The header length, too small and behind the packet; another version than the frame says.
        with_byte(&four, 0, 0x44),
        with_byte(&four, 0, 0x4F),
        with_byte(&four, 0, 0x65),
        // UDP's length: behind the packet, within its header, and none.
        with_byte(&four, 25, 29),
        with_byte(&four, 25, 7),
        with_byte(&four, 25, 0),
        with_byte(&six, 4, 1),
        with_byte(&six, 5, 5),
        with_byte(&six, 45, 29),
        // TCP's header, too small and behind the packet.
        with_byte(&stream, 32, 0x40),
        with_byte(&stream, 32, 0xF0),
        // An extension header behind the packet.
        with_byte(&ipv6(0, &extension(UDP, &udp(1, 2, b"a"))), 41, 9),
        // No header at all.
        ethernet(IPV4, &[])[..14].to_vec(),
        vec![0; 13],
        vec![],
    ];
    for frame in malformed {
        let told = told(&pcap(&[datagram(1, "a"), frame.clone()]));
        assert_eq!(
            told.0["capture"]["skipped"],
            json!({"malformed": 1}),
            "{frame:02X?}"
        );
        told.has_packets(&["a"]);
    }
}

#[test]
fn what_is_shorter_than_its_frame_is_used_as_it_says() {
    // Trailers and padding are no payload.
    let long = [&datagram(1, "abc")[..], &[b'x'; 40]].concat();
    let mut short = ipv4(UDP, &udp(1, 2, b"abcxx"));
    short[25] = 11;
    told(&pcap(&[long, ethernet(IPV4, &short)])).has_packets(&["abc", "abc"]);
    // IPv6 states no length for as much as there is.
    let six = ipv6(UDP, &udp(1, 2, b"abc"));
    told(&pcap(&[with_byte(&six, 5, 0)])).has_packets(&["abc"]);
}

#[test]
fn frames_that_were_captured_in_part() {
    let long = datagram(1, "x".repeat(100));
    let padded = datagram(1, "abc");
    let mut file = pcap::<&[u8]>(&[]);
    record(&mut file, Order::Little, false, 0, long.len(), &long[..96]);
    record(&mut file, Order::Little, false, 1, long.len(), &long[..13]);
    record(&mut file, Order::Little, false, 2, long.len(), &[]);
    // Of this one only padding is missing.
    record(
        &mut file,
        Order::Little,
        false,
        3,
        padded.len(),
        &padded[..45],
    );
    told(&file)
        .has_packets(&["abc"])
        .has_frames(1, &[("cut_short", 3)]);

    let mut file = section(Order::Little);
    file.extend(interface(Order::Little, files::ETHERNET as u16, 96, &[]));
    file.extend(enhanced(Order::Little, 0, 0, long.len(), &long[..96]));
    // A simple packet says by its interface how much of it there is.
    let length = (long.len() as u32).to_le_bytes();
    file.extend(files::block(
        Order::Little,
        3,
        &[&length, &long[..96]].concat(),
    ));
    file.extend(enhanced(Order::Little, 0, 0, padded.len(), &padded));
    told(&file)
        .has_packets(&["abc"])
        .has_frames(1, &[("cut_short", 2)]);

    // A frame of 4 GiB is none, and takes no time on a line.
    let mut file = pcap(&[datagram(1, "abc")]);
    record(&mut file, Order::Little, false, 1, u32::MAX as usize, &long);
    told(&file)
        .has_packets(&["abc"])
        .has_frames(1, &[("unreadable", 1)]);

    // In a connection it is a gap.
    let mut file = pcap(&[segment(1, 0, "abc")]);
    let lost = segment(4, 0, "d".repeat(100));
    record(&mut file, Order::Little, false, 1, lost.len(), &lost[..96]);
    let last = segment(104, 0, "e");
    record(&mut file, Order::Little, false, 2, last.len(), &last);
    let told = told(&file);
    told.has_packets(&["abc"])
        .has_frames(1, &[("cut_short", 1), ("behind_gap", 1)]);
}

#[test]
fn frames_that_are_something_else_are_counted_by_what_they_are() {
    let mut fragment = ipv4(UDP, &udp(1, 2, b"abc"));
    fragment[6] = 0x20;
    let mut later = ipv4(UDP, b"not a header of UDP");
    later[7] = 9;
    let of_six = [&[UDP, 0, 0, 1, 0, 0, 0, 1], &udp(1, 2, b"abc")[..]].concat();
    let frames = [
        ethernet(IPV4, &fragment),
        ethernet(IPV4, &later),
        ethernet(IPV6, &ipv6(44, &of_six)),
        ethernet(IPV4, &ipv4(1, &[8, 0, 0, 0, 0, 0, 0, 0])),
        ethernet(IPV6, &ipv6(58, &[135, 0, 0, 0, 0, 0, 0, 0])),
        ethernet(IPV4, &ipv4(47, b"a tunnel")),
        ethernet(0x0806, &[&[0, 1, 8, 0, 6, 4, 0, 1][..], &[0; 20]].concat()),
        // The length of IEEE 802.3 in the place of a protocol.
        ethernet(38, &[0x42, 0x42, 3]),
        datagram(1, ""),
        segment(1, 0, ""),
        datagram(1, "a"),
    ];
    let told = told(&pcap(&frames));
    let skipped = [
        ("ip_fragment", 3),
        ("other_protocol", 3),
        ("not_ip", 2),
        ("no_payload", 2),
    ];
    told.has_packets(&["a"]).has_frames(1, &skipped);
}
