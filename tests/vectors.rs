//! The vectors in `tests/vectors`, written from the standards: what the oracle says of them, and what every engine's DUT
//! puts out.

mod dut;

use dut::{FORMS, SIGNATURES, config, engines, oracle, run};
use golden::{Event, Kind};
use hdl::config::Signature;
use serde::Deserialize;
use sim::stimulus::{Pattern, Pauses};
use std::collections::BTreeSet;
use std::path::Path;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    vector: Vec<Vector>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Vector {
    name: String,
    source: String,
    bytes: String,
    events: Vec<String>,
}

impl Vector {
    fn bytes(&self) -> Vec<u8> {
        self.bytes
            .split_whitespace()
            .map(|byte| u8::from_str_radix(byte, 16).unwrap_or_else(|_| panic!("{}: {byte}", self.name)))
            .collect()
    }

    /// `OFFSET:U+HEX` or `OFFSET:KIND/LENGTH`.
    fn events(&self) -> Vec<(u64, Event)> {
        let parse = |text: &String| {
            let (offset, event) = text.split_once(':')?;
            let event = match event.strip_prefix("U+") {
                Some(scalar) => Event::Scalar(u32::from_str_radix(scalar, 16).ok()?),
                None => {
                    let (name, length) = event.split_once('/')?;
                    Event::IllFormed {
                        kind: Kind::ALL.into_iter().find(|kind| kind.name() == name)?,
                        length: length.parse().ok()?,
                    }
                }
            };
            Some((offset.parse().ok()?, event))
        };
        let events = self.events.iter().map(|text| {
            parse(text).unwrap_or_else(|| panic!("{}: {text:?} is no event", self.name))
        });
        events.collect()
    }
}

fn vectors() -> Vec<Vector> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors");
    let mut vectors = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the vectors are there") {
        let path = entry.expect("a folder's entry").path();
        if path.extension().is_some_and(|extension| extension == "toml") {
            let text = std::fs::read_to_string(&path).expect("a file that can be read");
            let file: File = toml::from_str(&text).unwrap_or_else(|error| panic!("{path:?}: {error}"));
            vectors.extend(file.vector);
        }
    }
    vectors
}

#[test]
fn names_are_unique_and_sources_stated() {
    let vectors = vectors();
    let names: BTreeSet<&str> = vectors.iter().map(|vector| vector.name.as_str()).collect();
    assert_eq!(names.len(), vectors.len());
    assert!(vectors.iter().all(|vector| !vector.source.is_empty()));
    assert!(vectors.len() >= 400, "{} vectors", vectors.len());
}

#[test]
fn vectors_cover_every_kind_and_length() {
    let seen: BTreeSet<(u8, u8)> = vectors()
        .iter()
        .flat_map(Vector::events)
        .map(|(_, event)| match event {
            Event::Scalar(_) => (0, event.length()),
            Event::IllFormed { kind, length } => (kind.code(), length),
        })
        .collect();
    let possible = [
        (0, 1), (0, 2), (0, 3), (0, 4), (1, 1), (2, 1), (3, 1), (4, 1), (5, 1),
        (6, 1), (6, 2), (6, 3), (7, 1), (7, 2), (7, 3),
    ];
    assert_eq!(seen, possible.into());
}

#[test]
fn the_oracle_agrees_with_the_standards() {
    for vector in vectors() {
        let said: Vec<(u64, Event)> = golden::events(&vector.bytes())
            .map(|(offset, event)| (offset as u64, event))
            .collect();
        assert_eq!(said, vector.events(), "{} ({})", vector.name, vector.source);
    }
}

/// Events as the DUT put them out, for each vector as a packet of its own, on every engine and in every form.
#[test]
fn every_dut_puts_the_vectors_events_out() {
    let vectors = vectors();
    let packets: Vec<Vec<u8>> = vectors.iter().map(Vector::bytes).collect();
    let mut expected = oracle(&packets);
    expected.events.clear();
    for (index, vector) in vectors.iter().enumerate() {
        let events = vector.events().into_iter();
        expected.events.extend(events.map(|(at, event)| (index as u64, at, event)));
    }
    let pattern = Pattern {
        seed: 3629,
        idle: Pauses { share: 0.2, burst: None },
        stall: Pauses { share: 0.2, burst: None },
        ..Default::default()
    };
    for kind in engines() {
        for form in FORMS {
            for signature in SIGNATURES {
                let (mut output, _) = run(&config(form, signature), kind, &packets, pattern);
                if signature == Signature::Strip {
                    // A stripped signature has no event; its packet's verdict and the other offsets tell of it.
                    let stripped = |packet: u64| {
                        let bytes = &packets[packet as usize];
                        bytes.starts_with(&[0xEF, 0xBB, 0xBF])
                    };
                    let missing: Vec<_> = (expected.events.iter())
                        .filter(|(packet, offset, _)| *offset == 2 && stripped(*packet))
                        .copied()
                        .collect();
                    assert!(missing.iter().all(|&(_, _, event)| event == Event::Scalar(0xFEFF)));
                    assert!(missing.iter().all(|event| !output.events.contains(event)));
                    output.events.extend(missing);
                    output.events.sort_by_key(|&(packet, offset, _)| (packet, offset));
                }
                assert_eq!(output.events, expected.events, "{} {form} {signature}", kind.name());
                assert_eq!(output.verdicts, expected.verdicts, "{} {form} {signature}", kind.name());
            }
        }
    }
}
