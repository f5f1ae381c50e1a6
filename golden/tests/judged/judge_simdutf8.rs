//! Judge: simdutf8, the vectorised validator.
//!
//! Shows that the verdict's `valid_up_to` and `error_len` are those of its `compat` flavour, and `well_formed` that of
//! its `basic` one. It takes its vectors only to inputs of 64 bytes and more, and hands shorter ones to `std`, so the
//! strings are put behind 63 bytes of ASCII: they begin in one block and end in the next.

use golden::{Verdict, verdict};

use crate::inputs;

const AHEAD: usize = 63;

fn agrees(ours: Verdict, input: &[u8]) {
    let (valid_up_to, error_len) = match simdutf8::compat::from_utf8(input) {
        Ok(_) => (input.len(), None),
        Err(error) => {
            let length = error.error_len().unwrap_or(0);
            let length = u8::try_from(length).expect("a subpart has at most three bytes");
            (error.valid_up_to(), Some(length))
        }
    };
    assert_eq!(ours.valid_up_to, valid_up_to as u64, "{input:02X?}");
    assert_eq!(ours.error_len, error_len, "{input:02X?}");
    let basic = simdutf8::basic::from_utf8(input);
    assert_eq!(ours.well_formed, basic.is_ok(), "{input:02X?}");
}

/// A judge of strings behind ASCII. The oracle does not see the ASCII: it moves the verdict, and nothing else.
fn agrees_behind_ascii() -> impl FnMut(&[u8]) {
    let mut input = vec![b'A'; AHEAD];
    move |packet| {
        input.truncate(AHEAD);
        input.extend_from_slice(packet);
        let mut ours = verdict(packet);
        ours.valid_up_to += AHEAD as u64;
        agrees(ours, &input);
    }
}

#[test]
fn verdict_on_every_short_string() {
    inputs::every_short_string(agrees_behind_ascii());
}

#[test]
fn verdict_on_every_edge_string() {
    inputs::every_edge_string(agrees_behind_ascii());
}

#[test]
fn verdict_on_seeded_mixes() {
    inputs::seeded_mixes(|packet| agrees(verdict(packet), packet));
}
