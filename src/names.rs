//! File names, which may be any bytes, as people and scripts are shown them.

use std::fmt::{self, Display, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// A name for people: a terminal obeys none of its characters, and what is not UTF-8 is shown as bytes.
pub struct Shown<'a>(pub &'a Path);

impl Display for Shown<'_> {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        for chunk in self.0.as_os_str().as_bytes().utf8_chunks() {
            for character in chunk.valid().chars() {
                match is_plain(character) {
                    true => out.write_char(character)?,
                    false => write!(out, "{}", character.escape_default())?,
                }
            }
            write_bytes(out, r"\x", chunk.invalid())?;
        }
        Ok(())
    }
}

/// Whether a character does nothing but show itself: no control, and none that changes lines or the direction of writing.
fn is_plain(character: char) -> bool {
    const LINES_AND_DIRECTIONS: [std::ops::RangeInclusive<char>; 4] = [
        '\u{061C}'..='\u{061C}',
        '\u{200E}'..='\u{200F}',
        '\u{2028}'..='\u{202E}',
        '\u{2066}'..='\u{2069}',
    ];
    let changes = |range: &std::ops::RangeInclusive<char>| range.contains(&character);
    !character.is_control() && !LINES_AND_DIRECTIONS.iter().any(changes)
}

/// What stands for a byte that JSON cannot have: this and two hexadecimal digits.
const ESCAPE: &str = "\u{FFFD}";

/// A name for JSON. One that is UTF-8 stays as it is; in others U+FFFD and two hexadecimal digits stand for each byte that is not
/// part of UTF-8. So they do for the bytes of U+FFFD itself: two different names are two different strings.
pub fn json(path: &Path) -> String {
    let mut text = String::new();
    for chunk in path.as_os_str().as_bytes().utf8_chunks() {
        let mut parts = chunk.valid().split(ESCAPE);
        text += parts.next().unwrap_or_default();
        for part in parts {
            // Writing to a String does not fail.
            let _ = write_bytes(&mut text, ESCAPE, ESCAPE.as_bytes());
            text += part;
        }
        let _ = write_bytes(&mut text, ESCAPE, chunk.invalid());
    }
    text
}

/// The names of files that were written, for JSON.
pub fn all_json(files: &[PathBuf]) -> Vec<String> {
    files.iter().map(|file| json(file)).collect()
}

/// The same for people, a line each.
pub fn lines(files: &[PathBuf]) -> String {
    let lines = files.iter().map(|file| format!("  {}\n", Shown(file)));
    lines.collect()
}

/// A name as a shell takes it; what a terminal would obey is written as `$'\x1b'`, which bash and zsh know.
pub fn quoted(path: &Path) -> String {
    let bytes = path.as_os_str().as_bytes();
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_./+,@%:".contains(byte);
    if !bytes.is_empty() && bytes.iter().all(plain) {
        return String::from_utf8_lossy(bytes).into_owned();
    }
    if let Ok(text) = std::str::from_utf8(bytes)
        && text.chars().all(is_plain)
    {
        return format!("'{}'", text.replace('\'', r"'\''"));
    }
    let escaped = bytes.iter().map(|&byte| match byte {
        b'\'' | b'\\' => format!("\\{}", char::from(byte)),
        b' '..=b'~' => char::from(byte).to_string(),
        _ => format!("\\x{byte:02x}"),
    });
    format!("$'{}'", escaped.collect::<String>())
}

fn write_bytes(out: &mut impl Write, before: &str, bytes: &[u8]) -> fmt::Result {
    bytes
        .iter()
        .try_for_each(|byte| write!(out, "{before}{byte:02x}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::ffi::OsStr;

    fn path(bytes: &[u8]) -> &Path {
        Path::new(OsStr::from_bytes(bytes))
    }

    #[test]
    fn names_of_utf8_are_the_same_in_json() {
        for name in ["a b.txt", "Grüße/世界", r"back\slash", "esc\u{1b}[31m"] {
            assert_eq!(json(Path::new(name)), name);
        }
        assert_eq!(json(path(b"caf\xE9.txt")), "caf\u{FFFD}e9.txt");
    }

    /// Every string of up to three of these, which include what the escape is made of.
    #[test]
    fn different_names_are_different_in_json() {
        let parts: [&[u8]; 7] = [
            b"",
            b"\xFF",
            b"\xEF",
            b"\xBF\xBD",
            "\u{FFFD}".as_bytes(),
            b"ff",
            b"ef",
        ];
        let (mut names, mut texts) = (BTreeSet::new(), BTreeSet::new());
        for a in parts {
            for b in parts {
                for c in parts {
                    let name = [a, b, c].concat();
                    texts.insert(json(path(&name)));
                    names.insert(name);
                }
            }
        }
        assert_eq!(names.len(), texts.len());
    }

    #[test]
    fn a_terminal_obeys_no_name() {
        let name = path(b"a\x1b[2J\r\n\xC2\x9B \xFF\xE2\x80\xAE");
        let shown = Shown(name).to_string();
        assert_eq!(shown, r"a\u{1b}[2J\r\n\u{9b} \xff\u{202e}");
        assert_eq!(
            quoted(name),
            r"$'a\x1b[2J\x0d\x0a\xc2\x9b \xff\xe2\x80\xae'"
        );
        assert_eq!(Shown(Path::new("Grüße.txt")).to_string(), "Grüße.txt");
        assert_eq!(quoted(Path::new("it's")), r"'it'\''s'");
    }
}
