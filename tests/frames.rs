//! Whole Ethernet frames, of which only the payload is judged: every pin over the stall matrix, and frames built header by header, of which
//! the text is known, against Rust's own decoder.

use crate::dut::matrix::stall_matrix;
use crate::dut::{Output, built, everything, fastest, framed, oracle, run};
use golden::Kind;
use hdl::config::{Config, CoreName, Edges, Form, Request};
use hdl::layout::REASONS;
use sim::stimulus::Pattern;

fn is_as_expected(config: &Config, packets: &[Vec<u8>], output: &Output) -> bool {
    *output == oracle(config, packets)
}

#[test]
fn every_engine_agrees_over_the_stall_matrix() {
    stall_matrix(&framed(), 37, is_as_expected);
}

/// What may be any byte in a header: one that would be an error in a text.
const ANY: u8 = 0xFF;
pub const UDP: u8 = 17;
pub const TCP: u8 = 6;

/// Ethernet, tags, and the type of what follows.
pub fn ethernet(tags: usize, ether_type: u16) -> Vec<u8> {
    let mut frame = vec![ANY; 12];
    for tag in [0x88A8_u16, 0x8100, 0x9100]
        .iter()
        .skip(2 - tags)
        .take(tags)
    {
        frame.extend(tag.to_be_bytes());
        frame.extend([ANY; 2]);
    }
    frame.extend(ether_type.to_be_bytes());
    frame
}

/// IPv4 with `options` words of options.
pub fn ipv4(options: usize, protocol: u8, payload: &[u8]) -> Vec<u8> {
    let length = 20 + 4 * options;
    let mut header = vec![ANY; length];
    header[0] = 0x40 | (length / 4) as u8;
    header[2..4].copy_from_slice(&((length + payload.len()) as u16).to_be_bytes());
    // Do not fragment.
    header[6..8].copy_from_slice(&[0x40, 0]);
    header[9] = protocol;
    [header, payload.to_vec()].concat()
}

/// IPv6 with extension headers: the number of each and its length in eights, without the first.
pub fn ipv6(extensions: &[(u8, u8)], protocol: u8, payload: &[u8]) -> Vec<u8> {
    let nexts = extensions.iter().map(|&(number, _)| number);
    let mut nexts = nexts.chain([protocol]);
    let mut header = vec![ANY; 40];
    header[0] = 0x6F;
    header[6] = nexts.next().expect("there is a protocol");
    let mut rest = Vec::new();
    for (&(number, length), next) in extensions.iter().zip(nexts) {
        let mut extension = vec![ANY; 8 * (usize::from(length) + 1)];
        (extension[0], extension[1]) = (next, length);
        if number == 44 {
            // It has no length; the offset is 0, but for the reserved bits.
            extension.resize(8, ANY);
            (extension[1], extension[2], extension[3]) = (ANY, 0, 6);
        }
        rest.extend(extension);
    }
    rest.extend_from_slice(payload);
    header[4..6].copy_from_slice(&(rest.len() as u16).to_be_bytes());
    [header, rest].concat()
}

/// UDP, and bytes after what its length says.
pub fn udp(text: &[u8], after: usize) -> Vec<u8> {
    let mut header = vec![ANY; 8];
    header[4..6].copy_from_slice(&((8 + text.len()) as u16).to_be_bytes());
    [header, text.to_vec(), vec![ANY; after]].concat()
}

/// TCP with `options` words of options.
pub fn tcp(options: usize, text: &[u8]) -> Vec<u8> {
    let mut header = vec![ANY; 20 + 4 * options];
    header[12] = ((5 + options) as u8) << 4 | 0xF;
    [header, text.to_vec()].concat()
}

/// Texts of some lengths, well-formed and not.
const TEXTS: [&[u8]; 5] = [
    b"a",
    "caf\u{e9} \u{20ac}".as_bytes(),
    "\u{feff}\u{1f600}\u{1f600}\u{1f600}\u{1f600}".as_bytes(),
    b"\xEF\xBB",
    b"abcdefgh\xC3\xA9\xE2\x82-",
];

/// A frame with its text, and where its transport header is.
struct Made {
    frame: Vec<u8>,
    text: &'static [u8],
    is_tcp: bool,
    header: usize,
}

impl Made {
    /// Puts Ethernet's header, the datagram and padding together.
    fn of(
        link: Vec<u8>,
        ip: Vec<u8>,
        (protocol, payload, text): (u8, Vec<u8>, &'static [u8]),
        padding: usize,
    ) -> Self {
        Self {
            header: link.len() + ip.len() - payload.len(),
            frame: [link, ip, vec![ANY; padding]].concat(),
            text,
            is_tcp: protocol == TCP,
        }
    }
}

/// Every combination of headers that is judged, around each text in turn; with open edges TCP, too.
fn combinations(takes_segments: bool) -> Vec<Made> {
    let mut all = Vec::new();
    let mut texts = TEXTS.into_iter().cycle();
    let chains: [&[(u8, u8)]; 8] = [
        &[],
        &[(0, 0)],
        &[(43, 1)],
        &[(44, 3)],
        &[(0, 2), (60, 0)],
        &[(0, 0), (43, 0), (44, 0)],
        &[(60, 0), (60, 3), (44, 0), (60, 9)],
        &[(0, 255), (60, 200), (43, 0), (44, 255)],
    ];
    for tags in 0..3 {
        for segments in 0..if takes_segments { 12 } else { 1 } {
            let mut transport = || {
                let text = texts.next().expect("they go round");
                match segments {
                    0 => (UDP, udp(text, tags), text),
                    _ => (TCP, tcp(segments - 1, text), text),
                }
            };
            for options in 0..11 {
                let upper = transport();
                let ip = ipv4(options, upper.0, &upper.1);
                all.push(Made::of(ethernet(tags, 0x0800), ip, upper, options));
            }
            for chain in chains {
                let upper = transport();
                let ip = ipv6(chain, upper.0, &upper.1);
                all.push(Made::of(ethernet(tags, 0x86DD), ip, upper, 0));
            }
        }
    }
    all
}

fn core(lanes: usize, edges: Edges) -> Config {
    built(asked(lanes, edges))
}

fn asked(lanes: usize, edges: Edges) -> Request {
    Request {
        core: Some(CoreName::Validate),
        lanes: Some(lanes),
        form: Some(Form::Free),
        frames: Some(true),
        edges: Some(edges),
        ..Request::default()
    }
}

#[test]
fn the_text_of_every_combination_of_headers_is_judged() {
    for lanes in [8, 16, 32, 64] {
        for edges in [Edges::Closed, Edges::Open] {
            let is_open = edges == Edges::Open;
            let all = combinations(is_open);
            let packets: Vec<Vec<u8>> = all.iter().map(|made| made.frame.clone()).collect();
            let (output, _) = run(&core(lanes, edges), fastest(), &packets, Pattern::default());
            assert_eq!(output.verdicts.len(), all.len());
            for (made, (verdict, _)) in all.iter().zip(&output.verdicts) {
                let Made { frame, text, .. } = made;
                let error = str::from_utf8(text).err();
                // With open edges what the end cuts is no error.
                let fault = error.filter(|error| !is_open || error.error_len().is_some());
                let at = format!("{lanes} lanes, {text:02X?} in {frame:02X?}");
                assert_eq!(verdict.bytes, text.len() as u64, "{at}");
                assert_eq!(verdict.well_formed, error.is_none(), "{at}");
                assert_eq!(verdict.kind != Kind::None, fault.is_some(), "{at}");
                if error.is_none() || fault.is_some() {
                    let up_to = error.map_or(text.len(), |error| error.valid_up_to());
                    assert_eq!(verdict.valid_up_to, up_to as u64, "{at}");
                }
            }
        }
    }
}

/// A table with each sort of entry. [`is_in_table`] says the same by hand.
const TABLE: &str = "udp:514,tcp:80-81,udp:src:0-52,udp:dst:60000-65535,tcp:dst:7,tcp:src:8-9";

fn is_in_table(is_tcp: bool, source: u16, destination: u16) -> bool {
    match is_tcp {
        false => source == 514 || destination == 514 || source <= 52 || destination >= 60_000,
        true => {
            let http = [80, 81];
            let either = http.contains(&source) || http.contains(&destination);
            either || destination == 7 || source == 8 || source == 9
        }
    }
}

/// With each combination of headers, so that the ports are in every word of a beat.
#[test]
fn only_ports_of_the_table_are_judged() {
    let borders = [
        0, 6, 7, 8, 9, 10, 52, 53, 79, 80, 81, 82, 513, 514, 515, 770, 59_999, 60_000, 65_535,
    ];
    for lanes in [8, 16, 32, 64] {
        let table = Request {
            ports: Some(TABLE.parse().expect("a table")),
            ..asked(lanes, Edges::Open)
        };
        let pairs = borders
            .iter()
            .flat_map(|&one| borders.map(|other| (one, other)));
        let pairs: Vec<(u16, u16)> = pairs.collect();
        let all = combinations(true);
        let mut expected = Vec::new();
        let mut packets = Vec::new();
        for (at, made) in all.into_iter().enumerate() {
            let (source, destination) = pairs[at * 7 % pairs.len()];
            let mut frame = made.frame;
            let ports = [source.to_be_bytes(), destination.to_be_bytes()].concat();
            frame[made.header..][..4].copy_from_slice(&ports);
            packets.push(frame);
            let is_judged = is_in_table(made.is_tcp, source, destination);
            expected.push((is_judged, made.text.len() as u64));
        }
        let (output, _) = run(&built(table), fastest(), &packets, Pattern::default());
        assert_eq!(output.verdicts.len(), packets.len());
        let verdicts = output.verdicts.iter().zip(&output.against);
        for ((packet, (judged, bytes)), ((verdict, _), against)) in
            packets.iter().zip(&expected).zip(verdicts)
        {
            let at = format!("{lanes} lanes, {packet:02X?}");
            assert_eq!(against.unjudged, (!judged).then_some(7), "{at}");
            assert_eq!(verdict.bytes, if *judged { *bytes } else { 0 }, "{at}");
        }
        assert!(expected.iter().any(|it| it.0) && expected.iter().any(|it| !it.0));
    }
}

/// Why each of these frames has no text.
fn without_text() -> Vec<(&'static str, Vec<u8>)> {
    let text = || udp(b"text", 0);
    let plain = |payload: &[u8]| [ethernet(0, 0x0800), ipv4(0, UDP, payload)].concat();
    let changed = |at: usize, to: u8| {
        let mut frame = plain(&text());
        frame[at] = to;
        frame
    };
    let chain = |extensions: &[(u8, u8)], protocol| {
        [ethernet(1, 0x86DD), ipv6(extensions, protocol, &text())].concat()
    };
    let mut no_length = chain(&[], UDP);
    no_length[22..24].fill(0);
    let mut all = vec![
        ("not_ip", ethernet(0, 0x0806)),
        ("not_ip", vec![ANY; 100]),
        ("not_ip", vec![]),
        ("too_deep", [ethernet(2, 0x8100), vec![0; 60]].concat()),
        ("other_protocol", changed(23, 1)),
        ("other_protocol", changed(23, 43)),
        ("other_protocol", changed(23, 0)),
        (
            "other_protocol",
            [ethernet(0, 0x0800), ipv4(0, TCP, &tcp(0, b"text"))].concat(),
        ),
        ("malformed", changed(14, 0x44)),
        ("malformed", changed(14, 0x65)),
        ("malformed", changed(16, 1)),
        ("malformed", changed(17, 19)),
        ("ip_fragment", changed(20, 0x20)),
        ("ip_fragment", changed(20, 0x10)),
        ("ip_fragment", changed(21, 1)),
        ("malformed", changed(39, 7)),
        ("malformed", changed(39, 13)),
        ("malformed", changed(38, 0x80)),
        ("malformed", no_length),
        ("no_payload", plain(&udp(b"", 4))),
        ("other_protocol", chain(&[(60, 0), (0, 0)], UDP)),
        ("other_protocol", chain(&[(60, 0)], 59)),
        ("other_protocol", chain(&[], 51)),
        (
            "too_deep",
            chain(&[(0, 0), (60, 0), (60, 0), (60, 0), (60, 0)], UDP),
        ),
    ];
    // Each ends with a beat, before the word with its next length.
    all.push((
        "malformed",
        [ethernet(0, 0x0800), ipv4(7, UDP, &[ANY; 2])].concat(),
    ));
    all.push((
        "malformed",
        [ethernet(2, 0x86DD), ipv6(&[], 60, &[UDP, 0])].concat(),
    ));
    let mut too_long = chain(&[(60, 0)], UDP);
    too_long[18 + 41] = 2;
    all.push(("malformed", too_long));
    for (at, bit) in [(2, 1), (3, 8), (3, 1)] {
        let mut part = chain(&[(0, 0), (44, 0)], UDP);
        part[18 + 48 + at] |= bit;
        all.push(("ip_fragment", part));
    }
    all
}

#[test]
fn what_has_no_text_is_not_judged_and_says_why() {
    for lanes in [8, 16, 32, 64] {
        let all = without_text();
        let packets: Vec<Vec<u8>> = all.iter().map(|(_, frame)| frame.clone()).collect();
        let (output, _) = run(
            &core(lanes, Edges::Closed),
            fastest(),
            &packets,
            Pattern::default(),
        );
        assert_eq!(output.verdicts.len(), all.len());
        let verdicts = output.verdicts.iter().zip(&output.against);
        for ((why, frame), ((verdict, _), against)) in all.iter().zip(verdicts) {
            let at = format!("{lanes} lanes, {frame:02X?}");
            let reason = against.unjudged.map(|code| REASONS[usize::from(code)]);
            assert_eq!(reason, Some(*why), "{at}");
            assert!(
                verdict.well_formed && verdict.bytes == 0,
                "{at}: {verdict:?}"
            );
        }
    }
}

/// A frame that ends anywhere: nothing of it is judged unless all is there that IP says.
#[test]
fn a_frame_that_is_cut_is_not_judged() {
    let text = b"\xFFabcdefghijklmnop";
    let frames = [
        [
            ethernet(2, 0x0800),
            ipv4(3, UDP, &udp(text, 2)),
            vec![ANY; 5],
        ]
        .concat(),
        [
            ethernet(0, 0x86DD),
            ipv6(&[(0, 0), (44, 0)], UDP, &udp(text, 0)),
        ]
        .concat(),
        [ethernet(1, 0x86DD), ipv6(&[], UDP, &udp(text, 0))].concat(),
    ];
    let padding = [5, 0, 0];
    for lanes in if everything() {
        vec![8, 16, 32, 64]
    } else {
        vec![8, 64]
    } {
        for (frame, padding) in frames.iter().zip(padding) {
            let packets: Vec<Vec<u8>> =
                (0..=frame.len()).map(|end| frame[..end].to_vec()).collect();
            let config = core(lanes, Edges::Closed);
            let (output, _) = run(&config, fastest(), &packets, Pattern::default());
            let verdicts = output.verdicts.iter().zip(&output.against);
            for (packet, ((verdict, _), against)) in packets.iter().zip(verdicts) {
                let is_whole = packet.len() + padding >= frame.len();
                let bytes = if is_whole { text.len() as u64 } else { 0 };
                let at = format!("{lanes} lanes, {} of {}", packet.len(), frame.len());
                assert_eq!(verdict.bytes, bytes, "{at}");
                assert_eq!(verdict.well_formed, !is_whole, "{at}");
                assert_eq!(against.unjudged.is_none(), is_whole, "{at}");
            }
        }
    }
}
