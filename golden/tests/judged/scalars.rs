//! Judge: every scalar value, and nothing but scalar values.
//!
//! Shows that each of the 1,112,064 scalar values, encoded by `std`, is one event with that value on its last byte, and
//! that no other string of up to three bytes is taken for a scalar value. That none of four bytes is, follows from the
//! count of the grammar's sequences in the unit tests and from the other judges' edges.

use golden::{Event, Oracle, Pushed, events};

use crate::inputs;

#[test]
fn every_scalar_value_is_one_event_on_its_last_byte() {
    let mut oracle = Oracle::new();
    let mut count = 0;
    for scalar in '\0'..=char::MAX {
        let mut buffer = [0; 4];
        let encoded = scalar.encode_utf8(&mut buffer).as_bytes();
        let (last, unfinished) = encoded.split_last().expect("a sequence has a byte");
        for &byte in unfinished {
            assert_eq!(oracle.push(byte), Pushed::default(), "{encoded:02X?}");
        }
        let event = Event::Scalar(u32::from(scalar));
        let settled = Pushed {
            before: None,
            here: Some(event),
        };
        assert_eq!(oracle.push(*last), settled, "{encoded:02X?}");
        assert_eq!(usize::from(event.length()), encoded.len());
        count += 1;
    }
    assert_eq!(oracle.finish(), None);
    assert_eq!(count, 0x11_0000 - 0x800);
}

#[test]
fn no_other_short_string_is_a_scalar_value() {
    let mut count = 0;
    inputs::every_short_string(|packet| {
        let mut events = events(packet);
        if let (Some((_, Event::Scalar(_))), None) = (events.next(), events.next()) {
            count += 1;
        }
    });
    // The Basic Multilingual Plane without its surrogates.
    assert_eq!(count, 0x1_0000 - 0x800);
}
