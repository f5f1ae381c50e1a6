//! Where results go: standard output and standard error, either of which may be gone, and new files.

use crate::exit::Failure;
use clap::ColorChoice;
use clap::builder::styling::{AnsiColor, Styles};
use serde_json::Value;
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Writes the result to standard output. A reader that has gone away wants no more of it, which is no error.
pub fn print(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    let mut out = BufWriter::new(io::stdout().lock());
    match write(&mut out).and_then(|()| out.flush()) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        Err(error) => Err(Failure::new(format!(
            "cannot write the result to standard output: {error}; make room, or send it to another place"
        ))),
    }
}

/// Sets for the whole process whether errors and warnings have colours.
pub fn color(choice: ColorChoice) {
    match choice {
        ColorChoice::Auto => anstream::ColorChoice::Auto,
        ColorChoice::Always => anstream::ColorChoice::Always,
        ColorChoice::Never => anstream::ColorChoice::Never,
    }
    .write_global();
}

/// Writes a line that is not the result to standard error. If nobody can read it, nobody can be told.
pub fn tell(text: &str) {
    // Its first word looks as it does in clap's own errors.
    let looks = Styles::styled();
    let heads = [
        ("error:", *looks.get_error()),
        ("warning:", AnsiColor::Yellow.on_default().bold()),
    ];
    let mut out = anstream::stderr().lock();
    for (head, look) in heads {
        if let Some(rest) = text.strip_prefix(head) {
            let _ = writeln!(out, "{look}{head}{look:#}{rest}");
            return;
        }
    }
    let _ = writeln!(out, "{text}");
}

/// Writes files to a folder, all of them or none; returns their paths.
pub fn write(files: &[(PathBuf, String)], folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let files = files
        .iter()
        .map(|(path, text)| (path.clone(), text.as_str()));
    let files: Vec<(PathBuf, &str)> = files.collect();
    Ok(hdl::emit::files::write(&files, folder)?)
}

/// A JSON document that a run leaves in a file: whole, and at a place where nothing was.
pub struct NewFile<'a> {
    pub path: &'a Path,
    /// What it is.
    pub what: &'static str,
}

impl NewFile<'_> {
    /// Refuses a place that it cannot be written to, before anything is run.
    pub fn check(&self) -> Result<(), Failure> {
        if self.path.exists() || self.path.is_symlink() {
            return Err(self.fail(&ErrorKind::AlreadyExists.into()));
        }
        let file = hdl::emit::files::temporary_in(self.folder());
        file.map(drop).map_err(|error| self.fail(&error))
    }

    pub fn write(&self, document: &Value) -> Result<(), Failure> {
        let fail = |error| self.fail(&error);
        let mut file = hdl::emit::files::temporary_in(self.folder()).map_err(fail)?;
        writeln!(file, "{document:#}").map_err(fail)?;
        file.persist_noclobber(self.path)
            .map_err(|error| fail(error.error))?;
        Ok(())
    }

    fn folder(&self) -> &Path {
        let folder = self.path.parent();
        let folder = folder.filter(|folder| !folder.as_os_str().is_empty());
        folder.unwrap_or(Path::new("."))
    }

    fn fail(&self, error: &io::Error) -> Failure {
        let Self { path, what } = self;
        let why = match error.kind() {
            ErrorKind::AlreadyExists => "something else is there already".to_string(),
            ErrorKind::NotFound => format!("there is no directory {:?}", self.folder()),
            _ => error.to_string(),
        };
        Failure::new(format!(
            "cannot write the {what} {path:?}: {why}; name a new file in a folder that can be written"
        ))
    }
}
