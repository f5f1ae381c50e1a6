//! Whether an FST file is complete.
//!
//! The library that writes FST for Verilator and for vvp does not look at the result of a write. A file that did not fit on its
//! disk is recognised by its blocks: each begins with its kind and its length, and the file is complete if the last one ends
//! where the file does, and header, geometry and hierarchy are among them.

use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::path::Path;

const HEADER: u8 = 0;
const GEOMETRY: u8 = 3;
/// Hierarchies: compressed by gzip, and by LZ4 once and twice.
const HIERARCHY_GZIP: u8 = 4;
const HIERARCHY_LZ4: [u8; 2] = [6, 7];
/// A block that was begun and not completed.
const UNFINISHED: u8 = 255;

/// Refuses a file that is not complete; the error says why.
pub fn check(path: &Path) -> Result<(), String> {
    let kinds = match blocks(path) {
        Ok(kinds) => kinds,
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => {
            return Err("it was truncated while it was written".to_string());
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {
            return Err("it could not be started".to_string());
        }
        Err(error) => return Err(error.to_string()),
    };
    let has_hierarchy = |kind| kind == HIERARCHY_GZIP || HIERARCHY_LZ4.contains(&kind);
    let is_complete = kinds.first() == Some(&HEADER)
        && kinds.contains(&GEOMETRY)
        && kinds.iter().any(|kind| has_hierarchy(*kind))
        && !kinds.contains(&UNFINISHED);
    match is_complete {
        true => Ok(()),
        false => Err("it lacks a part that could not be written".to_string()),
    }
}

/// The kinds of all blocks. A file that does not end with a block ends too early.
fn blocks(path: &Path) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    let end = file.metadata()?.len();
    let mut kinds = Vec::new();
    let mut at = 0;
    while at < end {
        let kind = bytes::<1>(&mut file, at)?[0];
        let length = u64::from_be_bytes(bytes(&mut file, at + 1)?);
        // The length counts itself, but not the kind.
        let next = at.checked_add(1).and_then(|at| at.checked_add(length));
        let next = next.filter(|next| length >= 8 && *next <= end);
        let next = next.ok_or(ErrorKind::UnexpectedEof)?;
        if kind == HIERARCHY_GZIP {
            // gzip ends with the length of what it has compressed, which the block has, too.
            let expected = u64::from_be_bytes(bytes(&mut file, at + 9)?);
            let found = u32::from_le_bytes(bytes(&mut file, next - 4)?);
            if u64::from(found) != expected & u64::from(u32::MAX) {
                return Err(ErrorKind::UnexpectedEof.into());
            }
        }
        kinds.push(kind);
        at = next;
    }
    Ok(kinds)
}

fn bytes<const N: usize>(file: &mut File, at: u64) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    file.seek(SeekFrom::Start(at))?;
    file.read_exact(&mut bytes)?;
    Ok(bytes)
}
