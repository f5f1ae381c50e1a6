//! The vectors in `tests/vectors`, written from the standards: what the oracle says of them, and what every engine's DUT
//! puts out.

use crate::dut::vectors::{Vector, vectors};
use crate::dut::{configs, engines, everything, name, oracle, run, shallow};
use golden::Event;
use hdl::config::{Core, Signature};
use sim::engine::EngineKind;
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

/// What the DUT put out, for each vector as a packet of its own, of every core.
#[test]
fn every_dut_puts_the_vectors_events_out() {
    let vectors = vectors();
    let packets: Vec<Vec<u8>> = vectors.iter().map(Vector::bytes).collect();
    let stated: Vec<(u64, u64, Event)> = vectors
        .iter()
        .enumerate()
        .flat_map(|(index, vector)| {
            let events = vector.events().into_iter();
            events.map(move |(at, event)| (index as u64, at, event))
        })
        .collect();
    let often = |share| Pauses { share, burst: None };
    let pattern = Pattern {
        seed: 3629,
        idle: often(0.2),
        stall: often(0.2),
        ..Default::default()
    };
    // Of the smallest depth `alignment` has them in the quick set.
    let shallow = if everything() { shallow() } else { Vec::new() };
    let configs = [configs(), shallow].concat();
    for (index, kind) in engines().into_iter().enumerate() {
        // In a quick run each is on Verilator and on one of the other two.
        let is_asked =
            |at: usize| everything() || kind == EngineKind::Verilator || at % 2 == index % 2;
        let configs = configs.iter().enumerate();
        for (_, config) in configs.filter(|&(at, _)| is_asked(at)) {
            let expected = oracle(config, &packets);
            let (output, _) = run(config, kind, &packets, pattern);
            assert!(output == expected, "{}", name(config, kind));
            // The oracle has been compared with the vectors above, but for what is told of them here.
            if let Core::Decode { signature, .. } = config.core
                && signature != Signature::Strip
            {
                assert_eq!(output.events, stated, "{}", name(config, kind));
            }
        }
    }
}
