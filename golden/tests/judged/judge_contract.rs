//! Judge: the contract itself, whatever UTF-8 is.
//!
//! Shows that pieces cover a packet without gap or overlap, that no byte has two events, that an event waits for the
//! next byte only while its sequence is open, and that neither a finished nor a dropped packet leaves a trace in the
//! next.

use golden::{Event, Grammar, Oracle, Pushed, events_of};

use crate::{inputs, inputs_rfc2279};

/// Pushes the packet, holds every push against the rules, and returns the events.
fn push_all(oracle: &mut Oracle, packet: &[u8]) -> Vec<(usize, Event)> {
    let mut events = Vec::new();
    for (index, &byte) in packet.iter().enumerate() {
        let was_open = oracle.is_open();
        let Pushed { before, here } = oracle.push(byte);
        if let Some(event) = before {
            assert!(was_open, "{packet:02X?}: nothing waited before {index}");
            assert!(
                matches!(event, Event::IllFormed { .. }),
                "{packet:02X?}: a scalar waited before {index}"
            );
            events.push((index - 1, event));
        }
        assert_eq!(
            here.is_none(),
            oracle.is_open(),
            "{packet:02X?}: byte {index} is either settled or open"
        );
        if let Some(event) = here {
            events.push((index, event));
        }
    }
    let was_open = oracle.is_open();
    let end = oracle.finish();
    assert_eq!(end.is_some(), was_open, "{packet:02X?}: the end");
    assert!(!oracle.is_open(), "{packet:02X?}: open after the end");
    events.extend(end.map(|event| (packet.len() - 1, event)));
    events
}

/// A judge that uses one oracle for all packets, and drops the first half of each before it pushes the whole.
fn keeps_the_contract(grammar: Grammar) -> impl FnMut(&[u8]) {
    let mut oracle = Oracle::of(grammar);
    let longest_piece = match grammar {
        Grammar::Rfc3629 => 3,
        Grammar::Rfc2279 => 5,
    };
    move |packet| {
        for &byte in &packet[..packet.len() / 2] {
            oracle.push(byte);
        }
        oracle.reset();
        let pushed = push_all(&mut oracle, packet);
        assert!(
            events_of(grammar, packet).eq(pushed.iter().copied()),
            "{packet:02X?}"
        );
        let mut begin = 0;
        for (last, event) in pushed {
            let length = event.length();
            assert_eq!(last + 1, begin + usize::from(length), "{packet:02X?}");
            if let Event::IllFormed { .. } = event {
                assert!((1..=longest_piece).contains(&length), "{packet:02X?}");
            }
            begin = last + 1;
        }
        assert_eq!(begin, packet.len(), "{packet:02X?}: bytes without an event");
    }
}

#[test]
fn every_short_string() {
    inputs::every_short_string(keeps_the_contract(Grammar::Rfc3629));
}

#[test]
fn every_edge_string() {
    inputs::every_edge_string(keeps_the_contract(Grammar::Rfc3629));
}

#[test]
fn seeded_mixes() {
    inputs::seeded_mixes(keeps_the_contract(Grammar::Rfc3629));
}

#[test]
fn every_short_string_in_rfc2279() {
    inputs::every_short_string(keeps_the_contract(Grammar::Rfc2279));
}

#[test]
fn every_edge_string_in_rfc2279() {
    inputs_rfc2279::every_edge_string(keeps_the_contract(Grammar::Rfc2279));
}

#[test]
fn seeded_mixes_in_rfc2279() {
    inputs_rfc2279::seeded_mixes(200_000, keeps_the_contract(Grammar::Rfc2279));
}
