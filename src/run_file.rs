//! A file that a run writes as it goes on, and that is at its place only when the run has come to its end.

use crate::exit::Failure;
use ::sim::interrupt::Unfinished;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// What a run writes.
pub struct RunFile {
    /// In errors.
    what: &'static str,
    place: Place,
}

/// Beside the file's place until it is complete, or straight to what is no file.
enum Place {
    Beside(BufWriter<NamedTempFile>, PathBuf, Unfinished),
    Direct(BufWriter<File>),
}

impl RunFile {
    pub fn create(path: &Path, what: &'static str) -> Result<Self, Failure> {
        let fail = |reason: &str| {
            Failure::new(format!(
                "cannot write the {what} to {path:?}: {reason}; name a file that can be written"
            ))
        };
        if path.is_dir() {
            return Err(fail("it is a directory"));
        }
        // A link stays a link, and what it leads to, a terminal, a pipe or a file, is written in place.
        if path.is_symlink() || (path.exists() && !path.is_file()) {
            let file = File::options()
                .write(true)
                .create(true)
                .truncate(true)
                .open(path);
            let file = file.map_err(|error| fail(&error.to_string()))?;
            let place = Place::Direct(BufWriter::new(file));
            return Ok(Self { what, place });
        }
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        if !folder.is_dir() {
            return Err(fail(&format!("there is no directory {folder:?}")));
        }
        let made = Unfinished::make(|| hdl::emit::files::temporary_in(folder));
        let (file, unfinished) = made.map_err(|error| fail(&error.to_string()))?;
        let path = path.to_path_buf();
        let place = Place::Beside(BufWriter::new(file), path, unfinished);
        Ok(Self { what, place })
    }

    pub fn out(&mut self) -> &mut dyn Write {
        match &mut self.place {
            Place::Beside(file, ..) => file,
            Place::Direct(file) => file,
        }
    }

    pub fn finish(self) -> Result<(), Failure> {
        let what = self.what;
        match self.place {
            Place::Direct(mut file) => file.flush().map_err(|error| {
                Failure::new(format!(
                    "cannot write the {what}: {error}; make room, or name another place"
                ))
            })?,
            Place::Beside(file, path, _unfinished) => {
                let file = file.into_inner().map_err(|error| error.into_error())?;
                file.persist(&path).map_err(|error| {
                    Failure::new(format!(
                        "cannot write the {what} to {path:?}: {}; name a file that can be written",
                        error.error
                    ))
                })?;
            }
        }
        Ok(())
    }
}
