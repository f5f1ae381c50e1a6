//! The model's reader against etherparse.

use super::frames;
use crate::foreign::{Judges, OTHER, SAME, class, text};
use golden::Unjudged;
use golden::frames::{read, read_some};
use std::collections::BTreeMap;

#[test]
fn a_foreign_parser_agrees() {
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    let judges = |segments| Judges {
        segments,
        ports: None,
    };
    for frame in frames(50_000) {
        let outcome = read(&frame, true);
        if let Ok(place) = outcome.clone() {
            assert_eq!(text(&frame), Some(place));
        }
        let bytes = outcome.map(|place| place.len());
        let class_of = class(&frame, bytes, judges(true))
            .unwrap_or_else(|| panic!("{bytes:?} of {frame:02X?}"));
        *counts.entry(class_of).or_default() += 1;
        let without_tcp = read(&frame, false).map(|place| place.len());
        let expected = match class_of.contains("TCP") {
            true => (Err(Unjudged::OtherProtocol), "a segment of TCP"),
            false => (bytes, class_of),
        };
        let found = class(&frame, without_tcp, judges(false)).expect("a class");
        assert_eq!((without_tcp, found), expected, "{frame:02X?}");
    }
    let mut classes = [&SAME[..], &OTHER].concat();
    classes.sort_unstable();
    let seen: Vec<&str> = counts.keys().copied().collect();
    assert_eq!(seen, classes, "{counts:?}");
}

/// The ports are those that the parser finds, and a wrong verdict has no class.
#[test]
fn ports_are_those_of_the_parser() {
    let table: hdl::config::PortTable = "udp:514,tcp:80-81,udp:src:53".parse().expect("a table");
    let table = crate::lockstep::ports(table);
    let judges = Judges {
        segments: true,
        ports: Some(table),
    };
    let mut seen = [0; 2];
    for frame in frames(20_000) {
        let outcome = read_some(&frame, true, |ends| table.has(ends)).map(|place| place.len());
        assert!(
            class(&frame, outcome, judges).is_some(),
            "{outcome:?} of {frame:02X?}"
        );
        let wrong = match outcome {
            Ok(bytes) => [Err(Unjudged::Port), Ok(bytes + 1)],
            Err(Unjudged::Port) => [
                Ok(text(&frame).expect("a text").len()),
                Err(Unjudged::NotIp),
            ],
            Err(_) => continue,
        };
        seen[usize::from(outcome.is_ok())] += 1;
        for wrong in wrong {
            assert_eq!(
                class(&frame, wrong, judges),
                None,
                "{wrong:?} of {frame:02X?}"
            );
        }
    }
    assert!(seen.iter().all(|&count| count > 1_000), "{seen:?}");
}
