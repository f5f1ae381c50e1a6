//! Shows an ill-formed piece in its line of a file, with a caret below it.

use crate::names::Shown;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use unicode_width::UnicodeWidthStr;

/// Bytes of a line that are shown before a piece and from its beginning on, at most.
const AROUND: usize = 40;

/// The line of a file around a piece, and a line with carets below the piece; `None` if the file is not as it was any more.
pub fn lines(file: &Path, piece: u64, length: usize) -> io::Result<Option<[String; 2]>> {
    let before = (AROUND as u64).min(piece);
    let mut file = File::open(file)?;
    file.seek(SeekFrom::Start(piece - before))?;
    let mut bytes = Vec::new();
    file.take(before + AROUND as u64).read_to_end(&mut bytes)?;
    let piece = before as usize;
    Ok((bytes.len() >= piece + length).then(|| around(&bytes, piece, length)))
}

fn around(bytes: &[u8], piece: usize, length: usize) -> [String; 2] {
    let (before, rest) = bytes.split_at(piece);
    let (ill, after) = rest.split_at(length);
    let begin = before.iter().rposition(|&byte| byte == b'\n');
    let begin = begin.map_or(0, |feed| feed + 1);
    // What is cut begins with a whole sequence.
    let whole = before[begin..].iter().position(|byte| byte & 0xC0 != 0x80);
    let before = &before[begin + whole.unwrap_or(0)..];
    let end = after.iter().position(|&byte| byte == b'\n');
    let after = &after[..end.unwrap_or(after.len())];
    // As a file's name is shown: a terminal obeys none of it.
    let readable = |bytes| Shown(Path::new(OsStr::from_bytes(bytes))).to_string();
    let [before, ill, after] = [before, ill, after].map(readable);
    let below = " ".repeat(before.width()) + &"^".repeat(ill.width());
    [format!("{before}{ill}{after}"), below]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_stands_above_its_carets() {
        for (bytes, piece, length, shown) in [
            (&b"abc\xffdef"[..], 3, 1, [r"abc\xffdef", "   ^^^^"]),
            (b"a\nb\xc3", 3, 1, [r"b\xc3", " ^^^^"]),
            ("\u{e9}\u{4e2d}\n".as_bytes(), 0, 1, [r"\xc3\xa9中", "^^^^"]),
            (
                b"\xe4\xb8\xad \xe2\x82 x\ny",
                4,
                2,
                [r"中 \xe2\x82 x", "   ^^^^^^^^"],
            ),
            (b"\xb8\xad.\x1b\x80", 4, 1, [r".\u{1b}\x80", "       ^^^^"]),
        ] {
            assert_eq!(around(bytes, piece, length), shown, "{bytes:x?}");
        }
    }
}
