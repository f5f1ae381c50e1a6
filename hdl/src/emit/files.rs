//! Writes a core's files, whole or not at all.

use std::io::Write;
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// The files could not be written.
#[derive(Debug, thiserror::Error)]
#[error(
    "cannot write to the output folder {folder:?}: {source}; name a folder that can be written, with --out or --package"
)]
pub struct WriteError {
    folder: PathBuf,
    source: std::io::Error,
}

/// Writes files to a folder, which is made if missing, and so are the folders in it. Every file is complete beside its place
/// before the first is moved there. Returns their paths.
pub fn write(files: &[(PathBuf, &str)], folder: &Path) -> Result<Vec<PathBuf>, WriteError> {
    let fail = |source| WriteError {
        folder: folder.to_path_buf(),
        source,
    };
    let mut ready = Vec::new();
    for (file, text) in files {
        let path = folder.join(file);
        let place = path.parent().unwrap_or(folder);
        std::fs::create_dir_all(place).map_err(fail)?;
        if path.is_dir() {
            return Err(fail(std::io::Error::other(format!("{path:?} is a folder"))));
        }
        let mut file = temporary_in(place).map_err(fail)?;
        file.write_all(text.as_bytes()).map_err(fail)?;
        ready.push((file, path));
    }
    ready
        .into_iter()
        .map(|(file, path): (NamedTempFile, PathBuf)| {
            file.persist(&path).map_err(|error| fail(error.error))?;
            Ok(path)
        })
        .collect()
}

/// A file that is to be moved to its place in the folder when it is complete. It has the permissions of any other new
/// file: temporary ones are private by default.
pub fn temporary_in(folder: &Path) -> std::io::Result<NamedTempFile> {
    use std::os::unix::fs::PermissionsExt;
    tempfile::Builder::new()
        .permissions(std::fs::Permissions::from_mode(0o666))
        .tempfile_in(folder)
        // Without the name of a file that nobody asked for.
        .map_err(|error| error.kind().into())
}
