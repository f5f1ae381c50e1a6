//! What `decode` and `sim` say of packets: verdicts and events, from files and pipes.

use crate::support::{BROKEN, MANY_SCRIPTS, Place, done, engines, json, piped};
use serde_json::{Value, json};
use std::path::Path;
use std::str::from_utf8;

/// The verdict on a packet, but for the kind, as the standard library sees it.
fn verdict(input: &str, packet: &[u8]) -> Value {
    let error = from_utf8(packet).err();
    let chunks = || packet.utf8_chunks();
    json!({
        "input": input,
        "well_formed": error.is_none(),
        "valid_up_to": error.map_or(packet.len(), |error| error.valid_up_to()),
        "error_len": error.map(|error| error.error_len().unwrap_or(0)),
        "bytes": packet.len(),
        "scalars": chunks().map(|chunk| chunk.valid().chars().count()).sum::<usize>(),
        "ill_formed": chunks().filter(|chunk| !chunk.invalid().is_empty()).count(),
        "signature": packet.starts_with(b"\xEF\xBB\xBF"),
    })
}

/// The packets' events, but for the kinds, as the standard library sees them.
fn events(packets: &[&[u8]], strip: bool) -> Vec<Value> {
    let mut events = Vec::new();
    for (index, packet) in packets.iter().enumerate() {
        let mut end = 0;
        for chunk in packet.utf8_chunks() {
            for scalar in chunk.valid().chars() {
                end += scalar.len_utf8();
                if !(strip && end == 3 && scalar == '\u{FEFF}') {
                    events.push(
                        json!({"packet": index, "offset": end - 1, "scalar": u32::from(scalar)}),
                    );
                }
            }
            let length = chunk.invalid().len();
            end += length;
            if length > 0 {
                events.push(json!({"packet": index, "offset": end - 1, "ill_formed": true, "length": length}));
            }
        }
    }
    events
}

/// Takes the kinds out of verdicts or events, and checks that they are there where they must.
fn without_kinds(mut values: Vec<Value>) -> Vec<Value> {
    for value in &mut values {
        let fields = value.as_object_mut().expect("an object");
        let kind = fields.remove("kind");
        let known = kind.as_ref().and_then(Value::as_str).is_some_and(|kind| {
            kind == "none" || golden::Kind::ALL.iter().any(|known| known.name() == kind)
        });
        let fine = match fields.get("well_formed") {
            Some(well_formed) => known && (kind == Some("none".into())) == (*well_formed == true),
            None => (known && kind != Some("none".into())) == fields.contains_key("ill_formed"),
        };
        assert!(fine, "kind {kind:?} in {fields:?}");
    }
    values
}

fn packets(run: &Value) -> Vec<Value> {
    without_kinds(run["packets"].as_array().expect("packets").clone())
}

fn lines(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).expect("a file of events");
    text.lines()
        .map(|line| serde_json::from_str(line).expect("a JSON document in each line"))
        .collect()
}

/// Of eight lanes it is five times as fast, byte by byte, as of one.
const EMBEDDED: &str = "sim --engine embedded";

/// `decode`, and `sim` with each engine.
fn commands() -> Vec<String> {
    let sims = engines()
        .into_iter()
        .map(|engine| format!("sim --engine {engine}"));
    std::iter::once("decode".to_string()).chain(sims).collect()
}

#[test]
fn verdicts_and_events_are_those_of_the_standard_library() {
    let place = Place::new();
    let signed = b"\xEF\xBB\xBFsigned\xEF\xBB\xBF";
    place.write("signed", signed);
    place.write("only", b"\xEF\xBB\xBF");
    place.write("half", b"\xEF\xBB");
    place.write("empty", "");
    let files = [MANY_SCRIPTS, "empty", BROKEN, "signed", "only", "half"];
    let contents: Vec<Vec<u8>> = files
        .iter()
        .map(|file| std::fs::read(place.path(file)).expect("an input"))
        .collect();
    let contents: Vec<&[u8]> = contents.iter().map(Vec::as_slice).collect();
    let verdicts: Vec<Value> = files
        .iter()
        .zip(&contents)
        .map(|(file, content)| verdict(file, content))
        .collect();
    for command in commands() {
        for signature in ["keep", "flag", "strip"] {
            let flags = format!(
                "--json --events events --signature {signature} --stall 0.2 --idle 0.1 --late-last 0.5"
            );
            let flags = match command.as_str() {
                "decode" => flags.split(" --stall").next().expect("flags").to_string(),
                EMBEDDED => format!("{flags} --lanes 8"),
                _ => flags,
            };
            let run = json(&place.run(&format!("{command} {flags} {}", files.join(" "))));
            assert_eq!(packets(&run), verdicts, "{command} {signature}");
            let found = without_kinds(lines(&place.path("events")));
            assert_eq!(
                found,
                events(&contents, signature == "strip"),
                "{command} {signature}"
            );
        }
    }
}

/// The rows of the table that tells what is wrong with the broken text.
fn told_of_broken() -> Vec<Value> {
    let table = include_str!("../data/README.md").lines().filter_map(|line| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let offset: u64 = cells.get(1)?.parse().ok()?;
        let length: u64 = cells.get(4)?.parse().ok()?;
        Some(json!({"packet": 0, "offset": offset, "ill_formed": true, "kind": cells[3], "length": length}))
    });
    table.collect()
}

#[test]
fn the_broken_text_is_broken_as_it_is_said_to_be() {
    let place = Place::new();
    for command in commands() {
        done(&place.run(&format!("{command} --events events {BROKEN}")));
        let mut events = lines(&place.path("events"));
        events.retain(|event| event["ill_formed"] == true);
        assert_eq!(events, told_of_broken(), "{command}");
    }
}

#[test]
fn the_json_document_has_exactly_its_fields() {
    let place = Place::new();
    let keys = |value: &Value| -> Vec<String> {
        value
            .as_object()
            .expect("an object")
            .keys()
            .cloned()
            .collect()
    };
    for command in commands() {
        let seed = if command == "decode" { "" } else { "--seed 5" };
        let run = json(&place.run(&format!("{command} --json {seed} {BROKEN}")));
        assert_eq!(
            keys(&run["packets"][0]),
            [
                "bytes",
                "error_len",
                "ill_formed",
                "input",
                "kind",
                "scalars",
                "signature",
                "valid_up_to",
                "well_formed"
            ]
        );
        assert_eq!((&run["core"], &run["lanes"]), (&"decode".into(), &1.into()));
        if let Some(engine) = command.strip_prefix("sim --engine ") {
            assert_eq!(run["engine"], engine);
            assert_eq!((&run["seed"], &run["mismatches"]), (&5.into(), &0.into()));
            let number = |value: &Value| value.as_u64().expect("a number");
            let (cycles, latency) = (number(&run["cycles"]), number(&run["latency"]));
            assert!(cycles >= 275 + latency && latency > 0, "{run}");
        }
    }
}

#[test]
fn packets_without_bytes_and_files_that_are_no_text_are_no_errors() {
    let place = Place::new();
    place.write("empty", "");
    place.write("binary", [0xFF, 0x00, 0xC3]);
    for command in commands() {
        let run = json(&place.run(&format!("{command} --json empty binary")));
        let (empty, binary) = (&run["packets"][0], &run["packets"][1]);
        assert_eq!(
            (&empty["well_formed"], &empty["kind"]),
            (&true.into(), &"none".into())
        );
        assert_eq!(
            (&empty["valid_up_to"], &empty["error_len"]),
            (&0.into(), &Value::Null)
        );
        assert_eq!(
            (&binary["kind"], &binary["error_len"]),
            (&"invalid_byte".into(), &1.into())
        );
        for dash in ["", "-"] {
            let mut command = place.runegate(format!("{command} --json {dash}").split_whitespace());
            let run = json(&piped(&mut command, b""));
            assert_eq!(packets(&run), [verdict("-", b"")]);
        }
        let cut = json(&piped(
            &mut place.runegate(format!("{command} --json").split_whitespace()),
            b"ab\xE2\x82",
        ));
        assert_eq!(
            (&cut["packets"][0]["kind"], &cut["packets"][0]["error_len"]),
            (&"truncated_at_end".into(), &0.into())
        );
    }
}

#[test]
fn each_line_is_a_packet_if_asked() {
    let place = Place::new();
    place.write("a", "one\r\n\n\u{20AC}");
    place.write("b", "");
    place.write("c", b"\xE2\x82\n\xAC\n");
    let expected: Vec<Value> = [
        ("a", &b"one\r"[..]),
        ("a", b""),
        ("a", "\u{20AC}".as_bytes()),
        ("b", b""),
        ("c", b"\xE2\x82"),
        ("c", b"\xAC"),
    ]
    .map(|(input, packet)| verdict(input, packet))
    .to_vec();
    for command in commands() {
        let run = json(&place.run(&format!("{command} --json --split lines a b c")));
        assert_eq!(packets(&run), expected, "{command}");
        assert_eq!(run["packets"][4]["kind"], "truncated_at_end");
    }
}

#[test]
fn a_pipe_is_an_input_like_any_other() {
    let place = Place::new();
    let text = std::fs::read(MANY_SCRIPTS).expect("test data");
    // More than what is read at once, with a sequence across each border.
    let long = text.repeat(80);
    let run = json(&piped(
        &mut place.runegate(["decode", "--json", MANY_SCRIPTS, "-"]),
        &long,
    ));
    assert_eq!(
        packets(&run),
        [verdict(MANY_SCRIPTS, &text), verdict("-", &long)]
    );
    // More than a pipe has.
    let long = &long[..66_000];
    for engine in engines() {
        let lanes = if engine == "embedded" { "8" } else { "1" };
        let sim = ["sim", "--json", "--engine", engine, "--lanes", lanes];
        let mut command = place.runegate(sim);
        assert_eq!(
            packets(&json(&piped(&mut command, long))),
            [verdict("-", long)]
        );
    }
}
