//! Judge: encoding_rs, the decoder of Firefox and of the WHATWG Encoding Standard's author.
//!
//! Shows that the lossy text is what a browser shows, and that the decoder without replacement reports the same
//! pieces of the same length, when it is given one byte at a time as the hardware is.

use encoding_rs::{DecoderResult, UTF_8};
use golden::{Event, events, verdict};

use crate::{inputs, pieces};

/// A judge of lossy text, with the buffer that the oracle's text is written to.
fn lossy_agrees() -> impl FnMut(&[u8]) {
    let mut text = String::new();
    move |packet| {
        let (theirs, had_errors) = UTF_8.decode_without_bom_handling(packet);
        pieces::lossy(packet, &mut text);
        assert_eq!(text, theirs, "{packet:02X?}");
        assert_eq!(verdict(packet).well_formed, !had_errors, "{packet:02X?}");
    }
}

/// The offset of the last byte, and the length, of each ill-formed piece that the decoder reports when the packet
/// comes byte by byte.
fn malformed_byte_by_byte(packet: &[u8]) -> Vec<(usize, u8)> {
    let mut decoder = UTF_8.new_decoder_without_bom_handling();
    let mut found = Vec::new();
    let mut scratch = [0; 16];
    // One call more than there are bytes: the last says that there are no more.
    for index in 0..=packet.len() {
        let last = index == packet.len();
        let mut source = &packet[index..packet.len().min(index + 1)];
        loop {
            let (result, read, _) =
                decoder.decode_to_utf8_without_replacement(source, &mut scratch, last);
            source = &source[read..];
            match result {
                DecoderResult::InputEmpty => break,
                // The decoder has read `beyond` bytes after the piece.
                DecoderResult::Malformed(length, beyond) => {
                    let taken = packet.len().min(index + 1) - source.len();
                    found.push((taken - usize::from(beyond) - 1, length));
                }
                DecoderResult::OutputFull => panic!("{packet:02X?}: one byte filled the buffer"),
            }
        }
    }
    found
}

fn malformed_agrees(packet: &[u8]) {
    let ours = events(packet).filter_map(|(last, event)| match event {
        Event::Scalar(_) => None,
        Event::IllFormed { length, .. } => Some((last, length)),
    });
    let theirs = malformed_byte_by_byte(packet);
    assert!(
        ours.clone().eq(theirs.iter().copied()),
        "{packet:02X?}: oracle {:?}, encoding_rs {theirs:?}",
        ours.collect::<Vec<_>>()
    );
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

#[test]
fn pieces_of_every_edge_string() {
    inputs::every_edge_string(malformed_agrees);
}

#[test]
fn pieces_of_seeded_mixes() {
    inputs::seeded_mixes(malformed_agrees);
}
