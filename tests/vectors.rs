//! The vectors in `tests/vectors`, written from the standards: what the oracle says of them, and what every engine's DUT
//! puts out.

mod dut;

use dut::vectors::{Vector, vectors};
use dut::{configs, engines, name, oracle, run};
use golden::Event;
use hdl::config::Signature;
use sim::stimulus::{Pattern, Pauses};
use std::collections::BTreeSet;

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
        (0, 1),
        (0, 2),
        (0, 3),
        (0, 4),
        (1, 1),
        (2, 1),
        (3, 1),
        (4, 1),
        (5, 1),
        (6, 1),
        (6, 2),
        (6, 3),
        (7, 1),
        (7, 2),
        (7, 3),
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
        expected
            .events
            .extend(events.map(|(at, event)| (index as u64, at, event)));
    }
    let pattern = Pattern {
        seed: 3629,
        idle: Pauses {
            share: 0.2,
            burst: None,
        },
        stall: Pauses {
            share: 0.2,
            burst: None,
        },
        ..Default::default()
    };
    for kind in engines() {
        for config in configs() {
            let (mut output, _) = run(&config, kind, &packets, pattern);
            if config.signature == Signature::Strip {
                // A stripped signature has no event; its packet's verdict and the other offsets tell of it.
                let stripped =
                    |packet: u64| packets[packet as usize].starts_with(&[0xEF, 0xBB, 0xBF]);
                let missing: Vec<_> = (expected.events.iter())
                    .filter(|(packet, offset, _)| *offset == 2 && stripped(*packet))
                    .copied()
                    .collect();
                assert!(
                    missing
                        .iter()
                        .all(|&(_, _, event)| event == Event::Scalar(0xFEFF))
                );
                assert!(missing.iter().all(|event| !output.events.contains(event)));
                output.events.extend(missing);
                output
                    .events
                    .sort_by_key(|&(packet, offset, _)| (packet, offset));
            }
            assert_eq!(output.events, expected.events, "{}", name(&config, kind));
            assert_eq!(
                output.verdicts,
                expected.verdicts,
                "{}",
                name(&config, kind)
            );
        }
    }
}
