//! Packets that begin and end within a sequence, and full verdicts. Every pin over the stall matrix, and what is said of packets against
//! Rust's own decoder.

use crate::dut::matrix::stall_matrix;
use crate::dut::{EVERY_CLASS, Output, built, everything, fastest, oracle, run};
use golden::{Edges as Cut, Further};
use hdl::config::{Config, CoreName, Depth, Edges, Extent, Form, Mode, Request, Signature};
use sim::observer::Counted;
use sim::stimulus::Pattern;

/// A validator; with a full verdict unless the request has another, and with open edges.
fn open(lanes: usize, mode: Mode, form: Form, request: Request) -> Config {
    built(Request {
        core: Some(CoreName::Validate),
        mode: Some(mode),
        lanes: Some(lanes),
        form: Some(form),
        edges: request.edges.or(Some(Edges::Open)),
        verdict: request.verdict.or(Some(Extent::Full)),
        ..request
    })
}

/// Cores of every sort; in a quick run a few.
fn cores() -> Vec<Config> {
    use Form::{Axis, Free};
    use Mode::{Pass, Snoop};
    let request = Request::default;
    let narrow = || Request {
        counter_width: Some(8),
        ..request()
    };
    let basic = || Request {
        verdict: Some(Extent::Basic),
        ..request()
    };
    let closed = || Request {
        edges: Some(Edges::Closed),
        user_width: Some(3),
        ..request()
    };
    let registers = || Request {
        csr: Some(true),
        ..request()
    };
    let shallow = || Request {
        depth: Some(Depth::Min),
        forbid: Some(EVERY_CLASS.parse().expect("classes")),
        signature: Some(Signature::Reject),
        ..request()
    };
    let mut all = vec![
        open(1, Snoop, Free, narrow()),
        open(2, Pass, Axis, basic()),
        open(8, Pass, Axis, shallow()),
    ];
    if everything() {
        all.extend([
            open(1, Pass, Axis, registers()),
            open(2, Snoop, Free, shallow()),
            open(4, Snoop, Axis, closed()),
            open(4, Pass, Free, narrow()),
            open(8, Snoop, Axis, request()),
            open(16, Pass, Free, closed()),
            open(32, Snoop, Free, basic()),
            open(64, Pass, Axis, registers()),
            open(128, Snoop, Free, narrow()),
        ]);
    }
    all
}

fn is_as_expected(config: &Config, packets: &[Vec<u8>], output: &Output) -> bool {
    *output == oracle(config, packets)
}

#[test]
fn every_engine_agrees_over_the_stall_matrix() {
    stall_matrix(&cores(), 43, is_as_expected);
}

/// What Rust's own decoder says of a packet: the bytes that its edges cut, where an error is between them, and the counts of the text.
fn in_rust(packet: &[u8]) -> (Cut, Option<usize>, Further) {
    let head = packet
        .iter()
        .take(3)
        .take_while(|byte| (0x80..0xC0).contains(*byte));
    let (head, rest) = packet.split_at(head.count());
    let last = rest
        .utf8_chunks()
        .last()
        .map_or(&[][..], |chunk| chunk.invalid());
    let is_cut = str::from_utf8(last).is_err_and(|error| error.error_len().is_none());
    let (text, tail) = rest.split_at(rest.len() - if is_cut { last.len() } else { 0 });
    let error = str::from_utf8(text).err();
    let error = error.map(|error| head.len() + error.valid_up_to());
    let chars = || text.utf8_chunks().flat_map(|chunk| chunk.valid().chars());
    let width = chars().max().map_or(0, |greatest| match greatest {
        ..='\u{7f}' => 7,
        ..='\u{ff}' => 8,
        ..='\u{7ff}' => 11,
        ..='\u{ffff}' => 16,
        _ => 21,
    });
    let cut = Cut {
        head: head.len() as u8,
        tail: tail.len() as u8,
    };
    let further = Further {
        ascii: chars().filter(char::is_ascii).count() as u64,
        utf16_units: String::from_utf8_lossy(text).encode_utf16().count() as u64,
        width,
    };
    (cut, error, further)
}

/// Each packet of a few bytes, at the ends of the ranges that the grammar distinguishes.
#[test]
fn all_short_packets_are_as_rust_says() {
    const BYTES: [u8; 12] = [
        0x41, 0x80, 0x8F, 0x90, 0xBF, 0xC3, 0xC4, 0xE1, 0xED, 0xF0, 0xF4, 0xFF,
    ];
    let longest = if everything() { 5 } else { 4 };
    let packets: Vec<Vec<u8>> = (0..=longest)
        .flat_map(|length| {
            (0..BYTES.len().pow(length)).map(move |number| {
                let byte = |place| BYTES[number / BYTES.len().pow(place) % BYTES.len()];
                (0..length).map(byte).collect()
            })
        })
        .collect();
    for lanes in [1, 2, 4, 8] {
        let config = open(lanes, Mode::Snoop, Form::Free, Request::default());
        let (output, _) = run(&config, fastest(), &packets, Pattern::default());
        assert_eq!(output.against.len(), packets.len());
        for ((packet, against), (verdict, _)) in
            packets.iter().zip(&output.against).zip(&output.verdicts)
        {
            let (cut, error, further) = in_rust(packet);
            assert_eq!(against.edges, Some(cut), "{packet:02X?}, {lanes} lanes");
            assert_eq!(against.bad, error.is_some(), "{packet:02X?}, {lanes} lanes");
            let up_to = error.unwrap_or(packet.len());
            assert_eq!(verdict.valid_up_to, up_to as u64, "{packet:02X?}");
            assert_eq!(verdict.well_formed, str::from_utf8(packet).is_ok());
            let counted = Counted {
                counts: further,
                ..Counted::default()
            };
            assert_eq!(
                against.further,
                Some(counted),
                "{packet:02X?}, {lanes} lanes"
            );
        }
    }
}

/// The further counts around the place where a counter of 8 bits saturates: of one unit a scalar value, and of two.
#[test]
fn the_further_counts_say_that_they_have_saturated() {
    let narrow = Request {
        counter_width: Some(8),
        ..Request::default()
    };
    let config = open(2, Mode::Snoop, Form::Free, narrow);
    let packets: Vec<Vec<u8>> = (253..259)
        .flat_map(|count| {
            [
                vec![b'a'; count],
                "\u{1f600}".repeat(count / 2).into_bytes(),
            ]
        })
        .collect();
    let (output, _) = run(&config, fastest(), &packets, Pattern::default());
    assert!(is_as_expected(&config, &packets, &output));
    let counted = || output.against.iter().filter_map(|against| against.further);
    assert!(counted().any(|it| it.ascii_saturated && it.utf16_units_saturated));
    assert!(counted().any(|it| !it.ascii_saturated && it.utf16_units_saturated));
}
