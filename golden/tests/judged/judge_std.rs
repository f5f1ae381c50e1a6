//! Judge: Rust's standard library.
//!
//! Shows that the verdict's `well_formed`, `valid_up_to` and `error_len` are those of `std::str::Utf8Error`, that the
//! split into maximal subparts is that of `[u8]::utf8_chunks`, that the lossy text is that of
//! `String::from_utf8_lossy`, and that the verdict's counts are those of that text.

use golden::verdict;

use crate::{inputs, pieces};

fn verdict_agrees(packet: &[u8]) {
    let ours = verdict(packet);
    let (valid_up_to, error_len) = match std::str::from_utf8(packet) {
        Ok(_) => (packet.len(), None),
        Err(error) => {
            let length = error.error_len().unwrap_or(0);
            let length = u8::try_from(length).expect("a subpart has at most three bytes");
            (error.valid_up_to(), Some(length))
        }
    };
    assert_eq!(ours.valid_up_to, valid_up_to as u64, "{packet:02X?}");
    assert_eq!(ours.error_len, error_len, "{packet:02X?}");
    assert_eq!(ours.well_formed, error_len.is_none(), "{packet:02X?}");
    assert_eq!(ours.bytes, packet.len() as u64, "{packet:02X?}");
}

fn chunks_agree(packet: &[u8]) {
    let mut theirs = packet.utf8_chunks();
    for ours in pieces::chunks(packet) {
        let theirs = theirs
            .next()
            .unwrap_or_else(|| panic!("{packet:02X?}: std has no more chunks, oracle {ours:02X?}"));
        assert_eq!(ours.valid, theirs.valid().as_bytes(), "{packet:02X?}");
        assert_eq!(ours.invalid, theirs.invalid(), "{packet:02X?}");
    }
    assert!(
        theirs.next().is_none(),
        "{packet:02X?}: std has more chunks"
    );
}

/// A judge of lossy text, with the buffer that the oracle's text is written to.
fn lossy_agrees() -> impl FnMut(&[u8]) {
    let mut text = String::new();
    move |packet| {
        let ill_formed = pieces::lossy(packet, &mut text);
        assert_eq!(text, String::from_utf8_lossy(packet), "{packet:02X?}");
        let ours = verdict(packet);
        assert_eq!(ours.ill_formed, ill_formed, "{packet:02X?}");
        let pieces = text.chars().count() as u64;
        assert_eq!(ours.scalars + ours.ill_formed, pieces, "{packet:02X?}");
        assert_eq!(ours.signature, packet.starts_with(b"\xEF\xBB\xBF"));
    }
}

#[test]
fn verdict_on_every_short_string() {
    inputs::every_short_string(verdict_agrees);
}

#[test]
fn verdict_on_every_edge_string() {
    inputs::every_edge_string(verdict_agrees);
}

#[test]
fn verdict_on_seeded_mixes() {
    inputs::seeded_mixes(verdict_agrees);
}

#[test]
fn chunks_of_every_short_string() {
    inputs::every_short_string(chunks_agree);
}

#[test]
fn chunks_of_every_edge_string() {
    inputs::every_edge_string(chunks_agree);
}

#[test]
fn chunks_of_seeded_mixes() {
    inputs::seeded_mixes(chunks_agree);
}

#[test]
fn lossy_text_of_every_short_string() {
    inputs::every_short_string(lossy_agrees());
}

#[test]
fn lossy_text_of_every_edge_string() {
    inputs::every_edge_string(lossy_agrees());
}

#[test]
fn lossy_text_of_seeded_mixes() {
    inputs::seeded_mixes(lossy_agrees());
}
