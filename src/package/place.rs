//! Where a package can be: its benches are built by GNU make, which reads more in some characters of a path, and so does its shell.

use crate::exit::Failure;
use std::io;
use std::path::{Component, Path, PathBuf};

/// What breaks a rule that names such a path, or matches other paths than this one. Blanks and control characters break one, too.
const SPECIAL: &str = "\"#$%&'()*:;<=>?[\\`|~";

/// Refuses a folder whose absolute path cannot stand in a makefile as it is.
pub fn check(folder: &Path) -> Result<(), Failure> {
    let path = absolute(folder).map_err(|error| {
        Failure::new(format!(
            "cannot find where the folder {folder:?} is: {error}; name one with --package that can be reached"
        ))
    })?;
    let Some(text) = path.to_str() else {
        // cocotb writes the path into an XML file.
        return Err(Failure::new(format!(
            "the folder {folder:?} is {path:?}, which is not UTF-8: a package's benches take no such path; name another with --package"
        )));
    };
    let is_special = |letter: &char| {
        letter.is_ascii_whitespace() || letter.is_ascii_control() || SPECIAL.contains(*letter)
    };
    match text.chars().find(is_special) {
        None => Ok(()),
        Some(letter) => Err(Failure::new(format!(
            "the folder {folder:?} is {path:?}, with {letter:?} in its path: make, which builds a package's benches, takes no blanks, no \
             control characters and none of {SPECIAL}; name a folder without these with --package"
        ))),
    }
}

/// The path as make sees it: without links, as far as it exists.
fn absolute(folder: &Path) -> io::Result<PathBuf> {
    let folder = std::path::absolute(folder)?;
    let mut path = PathBuf::new();
    for component in folder.components() {
        match component {
            Component::ParentDir => {
                path.pop();
            }
            other => path.push(other),
        }
        // What is not there yet is no link; what cannot be entered is refused where files are written.
        path = path.canonicalize().unwrap_or(path);
    }
    Ok(path)
}
