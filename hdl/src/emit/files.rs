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
/// before the first is moved there. Returns their paths. Folders that were made for files that could not be written are gone again.
pub fn write(files: &[(PathBuf, &str)], folder: &Path) -> Result<Vec<PathBuf>, WriteError> {
    let mut made = Vec::new();
    write_making(files, folder, &mut made).map_err(|source| {
        for folder in made.iter().rev() {
            // One that is not empty, or gone, is somebody's.
            let _ = std::fs::remove_dir(folder);
        }
        WriteError {
            folder: folder.to_path_buf(),
            source,
        }
    })
}

/// The same; `made` are the folders that were not there before.
fn write_making(
    files: &[(PathBuf, &str)],
    folder: &Path,
    made: &mut Vec<PathBuf>,
) -> std::io::Result<Vec<PathBuf>> {
    let mut ready = Vec::new();
    for (file, text) in files {
        let path = folder.join(file);
        let place = path.parent().unwrap_or(folder);
        let missing: Vec<&Path> = (place.ancestors())
            .take_while(|place| !place.as_os_str().is_empty() && !place.exists())
            .collect();
        for place in missing.into_iter().rev() {
            match std::fs::create_dir(place) {
                Ok(()) => made.push(place.to_path_buf()),
                // `..` leads back to one, or somebody else has made it meanwhile.
                Err(_) if place.is_dir() => {}
                Err(error) => return Err(error),
            }
        }
        if path.is_dir() {
            return Err(std::io::Error::other(format!("{path:?} is a folder")));
        }
        let mut file = temporary_in(place)?;
        file.write_all(text.as_bytes())?;
        ready.push((file, path));
    }
    ready
        .into_iter()
        .map(|(file, path): (NamedTempFile, PathBuf)| {
            file.persist(&path).map_err(|error| error.error)?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_of_files_that_cannot_be_written_are_gone_again() {
        let place = tempfile::tempdir().expect("a temporary folder");
        let there = place.path().join("there");
        std::fs::create_dir(&there).expect("a folder");
        // The second asks for a folder in the first one's place.
        let files = [(PathBuf::from("a/b"), "text"), (PathBuf::from("a/b/c"), "")];
        let error = write(&files, &there.join("new/folder")).expect_err("they cannot be");
        assert!(error.to_string().contains("new/folder"), "{error}");
        let left = std::fs::read_dir(&there).expect("it is there still");
        assert_eq!(left.count(), 0);
        let paths = write(&files[..1], &there.join("new")).expect("it can be");
        assert_eq!(paths, [there.join("new/a/b")]);
        let back = there.join("other/../back");
        let paths = write(&files[..1], &back).expect("it can be");
        assert_eq!(paths, [back.join("a/b")]);
    }
}
