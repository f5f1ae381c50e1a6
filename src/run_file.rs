//! A file that a run writes as it goes on, and that is at its place only when the run has come to its end.

use crate::exit::Failure;
use ::sim::interrupt::Unfinished;
use std::fs::File;
use std::io::{self, BufWriter, ErrorKind, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// What a run writes.
pub struct RunFile {
    /// In errors.
    what: &'static str,
    path: PathBuf,
    place: Place,
    /// The first error of writing: the callbacks of a run cannot return it.
    failed: Option<io::Error>,
}

/// Beside the file's place until it is complete, or straight to what is no file.
enum Place {
    Beside(BufWriter<NamedTempFile>, Unfinished),
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
        let new = |place| Self {
            what,
            path: path.to_path_buf(),
            place,
            failed: None,
        };
        // Opened anew, a file that is standard output would be cut, and written from its beginning by both.
        if let Some(file) = standard_output(path) {
            return Ok(new(Place::Direct(BufWriter::new(file))));
        }
        // A link stays a link, and what it leads to, a terminal, a pipe or a file, is written in place.
        if path.is_symlink() || (path.exists() && !path.is_file()) {
            let file = File::options()
                .write(true)
                .create(true)
                .truncate(true)
                .open(path);
            let file = file.map_err(|error| fail(&error.to_string()))?;
            return Ok(new(Place::Direct(BufWriter::new(file))));
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
        // What takes the place of a file is as open to others as that.
        if let Ok(earlier) = path.metadata() {
            let same = file.as_file().set_permissions(earlier.permissions());
            same.map_err(|error| fail(&error.to_string()))?;
        }
        Ok(new(Place::Beside(BufWriter::new(file), unfinished)))
    }

    /// Writes more, unless that has failed before. A reader that has gone away wants no more of it, which is no error.
    pub fn write(&mut self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) {
        if self.failed.is_some() {
            return;
        }
        let out: &mut dyn Write = match &mut self.place {
            Place::Beside(file, ..) => file,
            Place::Direct(file) => file,
        };
        self.failed = write(out).err();
    }

    pub fn finish(self) -> Result<(), Failure> {
        let Self {
            what,
            path,
            place,
            failed,
        } = self;
        let done = match (failed, place) {
            (Some(error), _) => Err(error),
            (None, Place::Direct(mut file)) => file.flush(),
            (None, Place::Beside(file, _unfinished)) => file
                .into_inner()
                .map_err(|error| error.into_error())
                .and_then(|file| file.persist(&path).map_err(|error| error.error))
                .map(drop),
        };
        match done {
            Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(Failure::new(format!(
                "cannot write the {what} to {path:?}: {error}; make room, or name another place"
            ))),
            _ => Ok(()),
        }
    }
}

/// Standard output, if the path is `-`, or leads there.
fn standard_output(path: &Path) -> Option<File> {
    let out = File::from(io::stdout().as_fd().try_clone_to_owned().ok()?);
    if path.as_os_str() == "-" {
        return Some(out);
    }
    let [own, other] = [out.metadata().ok()?, path.metadata().ok()?].map(|it| (it.dev(), it.ino()));
    (own == other).then_some(out)
}
