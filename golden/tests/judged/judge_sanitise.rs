//! Judges of the sanitiser: `std` and encoding_rs.
//!
//! Shows that U+FFFD is where `String::from_utf8_lossy` and a browser put it, that there is a question mark for each byte
//! of the ill-formed chunks of `[u8]::utf8_chunks`, that a signature is left out where encoding_rs removes one, and that
//! what comes out is well-formed and not too long.

use encoding_rs::UTF_8;
use golden::{Replace, sanitise};

use crate::inputs;

fn fffd_agrees(packet: &[u8]) {
    let ours = sanitise(Replace::Fffd, false, packet);
    let theirs = String::from_utf8_lossy(packet);
    assert_eq!(ours, theirs.as_bytes(), "{packet:02X?}");
    assert!(std::str::from_utf8(&ours).is_ok(), "{packet:02X?}");
    assert!(ours.len() <= 3 * packet.len(), "{packet:02X?}");
    let (theirs, _) = UTF_8.decode_without_bom_handling(packet);
    assert_eq!(ours, theirs.as_bytes(), "{packet:02X?}");
}

fn strip_agrees(packet: &[u8]) {
    let ours = sanitise(Replace::Fffd, true, packet);
    let (theirs, _) = UTF_8.decode_with_bom_removal(packet);
    assert_eq!(ours, theirs.as_bytes(), "{packet:02X?}");
}

/// A judge of question marks, with the buffer that its text is written to.
fn ascii_agrees() -> impl FnMut(&[u8]) {
    let mut theirs = Vec::new();
    move |packet| {
        let ours = sanitise(Replace::Ascii, false, packet);
        theirs.clear();
        for chunk in packet.utf8_chunks() {
            theirs.extend_from_slice(chunk.valid().as_bytes());
            theirs.resize(theirs.len() + chunk.invalid().len(), b'?');
        }
        assert_eq!(ours, theirs, "{packet:02X?}");
        assert!(std::str::from_utf8(&ours).is_ok(), "{packet:02X?}");
        assert_eq!(ours.len(), packet.len(), "{packet:02X?}");
    }
}

#[test]
fn fffd_in_every_short_string() {
    inputs::every_short_string(fffd_agrees);
}

#[test]
fn fffd_in_every_edge_string() {
    inputs::every_edge_string(fffd_agrees);
}

#[test]
fn fffd_in_seeded_mixes() {
    inputs::seeded_mixes(fffd_agrees);
}

#[test]
fn no_signature_in_every_short_string() {
    inputs::every_short_string(strip_agrees);
}

/// With a signature ahead, and with two.
#[test]
fn no_signature_in_seeded_mixes() {
    inputs::seeded_mixes(|packet| {
        strip_agrees(packet);
        let with_signature = [b"\xEF\xBB\xBF", packet].concat();
        strip_agrees(&with_signature);
        strip_agrees(&[b"\xEF\xBB\xBF", &with_signature[..]].concat());
    });
}

#[test]
fn question_marks_in_every_short_string() {
    inputs::every_short_string(ascii_agrees());
}

#[test]
fn question_marks_in_every_edge_string() {
    inputs::every_edge_string(ascii_agrees());
}

#[test]
fn question_marks_in_seeded_mixes() {
    inputs::seeded_mixes(ascii_agrees());
}
