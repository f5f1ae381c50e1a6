//! `--flows`: a capture's own fragments, as they come, to a core whose flows interleave.

use super::files::pcap;
use super::frames::{ACK, FIN, IPV4, RST, SYN, TCP, datagram, ethernet, ipv4, segment, tcp};
use super::{Told, told_by};
use crate::support::{Place, done, engines, json};
use serde_json::{Value, json};

/// Cores that other tests build, too.
const FIVE: &str = "--core validate --lanes 8 --flows 5 --counter-width 16 --id-width 4 --dest-width 3 --user-width 33";
const TWO: &str = "--core validate --lanes 8 --flows 2 --form free --counter-width 16";

fn told(options: &str, frames: &[Vec<u8>]) -> Told {
    let place = Place::new();
    place.write("a.pcap", pcap(frames));
    Told(json(
        &place.run(&format!("sim --json --pcap a.pcap {options}")),
    ))
}

fn embedded(core: &str, frames: &[Vec<u8>]) -> Told {
    told(&format!("--engine embedded {core}"), frames)
}

/// A segment to port 80 from this one.
fn of(port: u16, sequence: u32, flags: u8, payload: impl AsRef<[u8]>) -> Vec<u8> {
    let segment = tcp(port, 80, sequence, flags, payload.as_ref());
    ethernet(IPV4, &ipv4(TCP, &segment))
}

/// What connections say. All but the third are well-formed.
const SAID: [&[u8]; 4] = [
    "Ἀρχὴ, начало, 開始, 🙂".as_bytes(),
    "naïve café — Ω≈ç√∫".as_bytes(),
    b"caf\xE9 au lait, and what is behind it",
    "विज्ञान, Наука, 科学".as_bytes(),
];
/// Bytes of their segments: no sequence of two to four bytes is safe from their borders.
const CUT: [usize; 4] = [1, 7, 8, 9];

/// The connections' segments in turn, a datagram behind each round; what the core is to say of them, in the order of their ends.
fn connections() -> (Vec<Vec<u8>>, Vec<Vec<u8>>) {
    let mut frames: Vec<_> = (1..=4).map(|port| of(port, 99, SYN, "")).collect();
    let mut ended = Vec::new();
    let mut at = [0; 4];
    for round in 0.. {
        for connection in 0..4 {
            let (port, said) = (connection as u16 + 1, SAID[connection]);
            let from = at[connection];
            if from > said.len() {
                continue;
            }
            let to = said.len().min(from + CUT[connection]);
            let sequence = |offset: usize| 100 + offset as u32;
            // The last segment says that it is, or a frame of its own does.
            let ends = to == said.len();
            let own = ends && connection % 2 == 0;
            let flags = if ends && !own { FIN | ACK } else { ACK };
            frames.push(of(port, sequence(from), flags, &said[from..to]));
            if own {
                frames.push(of(port, sequence(to), FIN | ACK, ""));
            }
            at[connection] = to;
            if ends {
                ended.push(said.to_vec());
                at[connection] += 1;
            }
        }
        if at.iter().zip(SAID).all(|(&at, said)| at > said.len()) {
            return (frames, ended);
        }
        // Its first byte would go on with what a connection has begun.
        let datagram_says = [&b"\x80\xBF"[..round % 3], b"datagram"].concat();
        frames.push(datagram(514, &datagram_says));
        ended.push(datagram_says);
    }
    unreachable!("the connections end");
}

#[test]
fn connections_interleave_as_they_were_captured() {
    let (frames, ended) = connections();
    for engine in engines() {
        let told = told(&format!("--engine {engine} {FIVE}"), &frames);
        told.has_packets(&ended);
        assert_eq!(
            told.0["table"],
            json!({"flows": 5, "most_open": 5, "refused_messages": 0, "refused_bytes": 0}),
            "{engine}"
        );
        for (flow, said) in SAID.iter().enumerate() {
            let well_formed = std::str::from_utf8(said).is_ok();
            let fields = json!({"packets": 1, "well_formed": well_formed, "refused_messages": 0, "ended": "fin"});
            told.has_flow(flow, fields);
        }
    }
}

#[test]
fn pauses_and_beats_without_bytes_change_nothing() {
    let (frames, ended) = connections();
    for options in [
        "--idle 0.5 --idle-burst 5 --late-last 1",
        "--stall 0.4 --null-beats 0.5",
    ] {
        embedded(&format!("{FIVE} {options}"), &frames).has_packets(&ended);
    }
}

#[test]
fn segments_in_any_order_are_the_fragments_of_what_they_say() {
    let frames = [
        segment(0, SYN, ""),
        of(1, 1, ACK, "🙂"),
        segment(8, ACK, "€"),
        segment(4, ACK, "xд€"),
        datagram(514, "between"),
        segment(1, ACK, &"ящ".as_bytes()[..3]),
        segment(3, ACK, "again"),
        of(1, 5, RST, ""),
        segment(11, FIN, ""),
    ];
    // What came first counts.
    let said = b"\xD1\x8F\xD1x\xD0\xB4\xE2\xE2\x82\xAC";
    let told = embedded(FIVE, &frames);
    told.has_packets(&["between".as_bytes(), "🙂".as_bytes(), said])
        .has_frames(5, &[("no_payload", 3), ("repeated", 1)]);
    told.has_flow(0, json!({"repeated_bytes": 7, "ended": "fin"}))
        .has_flow(1, json!({"ended": "rst"}));
    // The frames of their last bytes, as of one packet after another.
    let whole = told_by("validate", &pcap(&frames));
    assert_eq!(told.0["packets"], whole.0["packets"]);
}

/// Messages that begin while both entries are taken.
fn too_many() -> Vec<Vec<u8>> {
    vec![
        of(1, 1, ACK, b"one \xC3"),
        of(2, 1, ACK, b"two \xE2\x82"),
        of(3, 1, ACK, "three"),
        datagram(514, "lost"),
        of(1, 6, FIN, b"\xBC"),
        // There is an entry again: for these, but not for what is behind three's beginning.
        datagram(514, b"\x82\xAC"),
        of(3, 6, ACK, "more of three"),
        of(4, 1, ACK, "four"),
        of(3, 19, FIN, ""),
        datagram(514, "lost too"),
        of(2, 7, FIN, b"\xAC"),
        datagram(514, "told"),
    ]
}

#[test]
fn what_finds_no_entry_is_refused_and_nothing_else() {
    let told = embedded(TWO, &too_many());
    told.has_packets(&[
        "one ü".as_bytes(),
        b"\x82\xAC",
        "two €".as_bytes(),
        b"told",
        b"four",
    ]);
    assert_eq!(
        told.0["table"],
        json!({"flows": 2, "most_open": 2, "refused_messages": 3, "refused_bytes": 30})
    );
    let refused = |messages, bytes, packets| json!({"refused_messages": messages, "refused_bytes": bytes, "packets": packets});
    told.has_flow(0, refused(0, 0, 1))
        .has_flow(1, refused(0, 0, 1))
        .has_flow(2, refused(1, 18, 0))
        .has_flow(2, json!({"well_formed": null, "ended": "fin"}))
        .has_flow(3, refused(2, 12, 2))
        .has_flow(4, refused(0, 0, 1));
    // With room, nothing is refused.
    let roomy = embedded(FIVE, &too_many());
    assert_eq!(roomy.0["table"]["refused_messages"], 0);
    assert_eq!(roomy.0["packets"].as_array().map(Vec::len), Some(8));
}

#[test]
fn people_are_told_of_the_table() {
    let place = Place::new();
    place.write("a.pcap", pcap(&too_many()));
    let run = place.run(&format!("sim --engine embedded --pcap a.pcap {TWO}"));
    for part in [
        "frame 5, tcp 10.0.0.1:1 > 10.0.0.2:80: well-formed, 6 bytes",
        "tcp 10.0.0.1:3 > 10.0.0.2:80: no packet, 1 message (18 bytes) refused, ended by FIN",
        "2 packets, 1 ill-formed, 2 messages (12 bytes) refused\n",
        "table of 2 flows: at most 2 messages open, 3 messages (30 bytes) refused because no entry was free\n",
    ] {
        assert!(done(&run).contains(part), "{part:?} in {}", done(&run));
    }
}

#[test]
fn an_entry_serves_one_message_after_another() {
    let messages = 40;
    let said = |index: usize| [&b"\xF0\x9F"[..], &vec![b'a'; index], b"\x99\x82"].concat();
    let mut frames = Vec::new();
    for index in 0..messages {
        let (port, text) = (index as u16 + 1, said(index));
        frames.push(of(port, 1, ACK, &text[..2]));
        frames.push(of(port, 3, FIN, &text[2..]));
        frames.push(datagram(514, b"\x99\x82"));
    }
    let expected: Vec<_> = (0..messages)
        .flat_map(|index| [said(index), b"\x99\x82".to_vec()])
        .collect();
    for core in [TWO, FIVE] {
        let told = embedded(core, &frames);
        told.has_packets(&expected);
        assert_eq!(told.0["table"]["most_open"], 1);
    }
}

fn line(told: &Told) -> &Value {
    &told.0["line"]
}

/// 12.5 Gbit/s are to eight lanes what 100 Gbit/s are to 64.
#[test]
fn a_line_of_many_flows_loses_no_clock() {
    let mut frames = Vec::new();
    for sequence in 0..6_u32 {
        for port in 1..=4 {
            let text = "я".repeat(700);
            frames.push(of(port, 1 + 1400 * sequence, ACK, text));
            frames.extend((0..4).map(|_| datagram(514, "Ω")));
        }
    }
    let told = embedded(&format!("{FIVE} --line-rate 12.5G"), &frames);
    assert_eq!(
        (
            &line(&told)["lost_clocks"],
            &line(&told)["keeps_up"],
            &line(&told)["longest_wait_clocks"]
        ),
        (&0.into(), &true.into(), &0.into()),
        "{}",
        line(&told)
    );
    // 175 beats of each segment, one of each datagram, and one for the end of each connection.
    assert_eq!(line(&told)["beats"], 24 * 175 + 24 * 4 + 4);
    // 14 + 20 + 20 bytes before a segment's 1400 and 24 around it; the shortest frame is 84. The ends are as if one said each.
    let bytes = 24 * (54 + 1400 + 24) + (24 * 4 + 4) * 84_u64;
    let clocks = line(&told)["clocks"].as_u64().expect("clocks");
    assert_eq!(clocks, (bytes * 8 * 250).div_ceil(12_500));
    // One lane does not stand it.
    let narrow = "--core validate --lanes 1 --flows 5 --line-rate 12.5G";
    let narrow = embedded(narrow, &frames[..2]);
    assert_eq!(line(&narrow)["keeps_up"], false, "{}", line(&narrow));
}

/// A table is forgotten entry by entry after a reset, and no link is up before.
#[test]
fn the_line_begins_when_the_core_is_ready() {
    let frames = [datagram(514, "0123456789")];
    let of_flows = |flows: usize| {
        let core = format!("--core validate --lanes 1 --flows {flows} --line-rate 1G");
        let told = embedded(&core, &frames);
        let cycles = told.0["cycles"].as_u64().expect("cycles");
        (line(&told).clone(), cycles)
    };
    let (few, short) = of_flows(1);
    let (many, long) = of_flows(300);
    assert_eq!(few, many);
    assert_eq!(
        (&few["lost_clocks"], &few["keeps_up"]),
        (&0.into(), &true.into())
    );
    assert_eq!(long - short, 299);
}

#[test]
fn what_is_refused_takes_its_time_on_the_wire() {
    let clocks = |core: &str| {
        let told = embedded(&format!("{core} --line-rate 1G"), &too_many());
        line(&told)["clocks"].as_u64().expect("clocks")
    };
    assert_eq!(clocks(TWO), clocks(FIVE));
}
