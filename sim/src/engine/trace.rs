//! A waveform on its way to its place: it comes there whole, or not at all.
//!
//! An engine writes to a folder beside the place. [`TraceFile::finish`] moves the file when it is complete; without that, and
//! when the run is interrupted, folder and file are removed.

use super::dut::{EngineError, Trace, TraceFormat};
use super::fst;
use crate::interrupt::Folder;
use std::fs;
use std::path::{Path, PathBuf};

/// A waveform that is not complete.
#[derive(Debug)]
pub struct TraceFile {
    pub format: TraceFormat,
    /// As the user has named it.
    path: PathBuf,
    /// Where an engine writes it.
    at: PathBuf,
    /// The folder that it is written in, and where it is moved from there; `None` if `path` is a terminal, a pipe or another
    /// device, which can only be written in place.
    moves: Option<(Folder, PathBuf)>,
}

const MAKE_ROOM: &str = "make room, or name another place";
const WRITABLE: &str = "name a file that can be written";

impl TraceFile {
    /// Refuses a place that cannot be written.
    pub fn create(trace: &Trace) -> Result<Self, EngineError> {
        let Trace { path, format } = trace;
        let format = *format;
        let fail = |error: std::io::Error| fails(path, &error.to_string(), WRITABLE);
        // A link stays a link: what it leads to is replaced.
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.clone());
        let exists = target.exists();
        if exists || target.is_symlink() {
            let mut options = fs::OpenOptions::new();
            options.write(true).open(&target).map_err(fail)?;
        }
        if exists && !target.is_file() {
            if format == TraceFormat::Fst {
                let remedy = "name a regular file, or a .vcd file";
                return Err(fails(path, "FST needs a regular file", remedy));
            }
            return Ok(Self {
                format,
                path: path.clone(),
                at: target,
                moves: None,
            });
        }
        let place = target.parent();
        let place = place.filter(|folder| !folder.as_os_str().is_empty());
        let folder = Folder::new(".trace-", place.unwrap_or(Path::new("."))).map_err(fail)?;
        Ok(Self {
            format,
            path: path.clone(),
            at: folder.path().join(match format {
                TraceFormat::Vcd => "trace.vcd",
                TraceFormat::Fst => "trace.fst",
            }),
            moves: Some((folder, target)),
        })
    }

    /// Where an engine writes it.
    pub fn at(&self) -> &Path {
        &self.at
    }

    /// Writing has failed.
    pub fn failed(&self, error: &std::io::Error) -> EngineError {
        fails(&self.path, &error.to_string(), MAKE_ROOM)
    }

    /// Moves the file, which is complete now, to its place.
    pub fn finish(self) -> Result<(), EngineError> {
        if self.format == TraceFormat::Fst {
            fst::check(&self.at).map_err(|reason| fails(&self.path, &reason, MAKE_ROOM))?;
        }
        if let Some((_folder, target)) = &self.moves {
            fs::rename(&self.at, target).map_err(|error| self.failed(&error))?;
        }
        Ok(())
    }
}

fn fails(path: &Path, reason: &str, remedy: &'static str) -> EngineError {
    EngineError::Trace {
        path: path.to_path_buf(),
        reason: reason.to_string(),
        remedy,
    }
}
