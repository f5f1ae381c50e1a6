//! Judge: bstr, whose decoder is a finite automaton of its own.
//!
//! Shows that the lossy text and the chunks are the same, and that a piece is `truncated_at_end` exactly when bstr
//! calls it incomplete.

use bstr::ByteSlice;

use crate::{inputs, pieces};

fn chunks_agree(packet: &[u8]) {
    // The trait's method by name: slices have one of their own since Rust 1.79.
    let mut theirs = ByteSlice::utf8_chunks(packet);
    for ours in pieces::chunks(packet) {
        let theirs = theirs.next().unwrap_or_else(|| {
            panic!("{packet:02X?}: bstr has no more chunks, oracle {ours:02X?}")
        });
        assert_eq!(ours.valid, theirs.valid().as_bytes(), "{packet:02X?}");
        assert_eq!(ours.invalid, theirs.invalid(), "{packet:02X?}");
        assert_eq!(ours.cut_by_end, theirs.incomplete(), "{packet:02X?}");
    }
    assert!(
        theirs.next().is_none(),
        "{packet:02X?}: bstr has more chunks"
    );
}

/// A judge of lossy text, with the buffers that both texts are written to.
fn lossy_agrees() -> impl FnMut(&[u8]) {
    let mut ours = String::new();
    let mut theirs = String::new();
    move |packet| {
        theirs.clear();
        packet.to_str_lossy_into(&mut theirs);
        pieces::lossy(packet, &mut ours);
        assert_eq!(ours, theirs, "{packet:02X?}");
    }
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
