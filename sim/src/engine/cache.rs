//! What external tools make: verilated cores and netlists, each built once for its content.
//!
//! An entry is a folder named by the hash of everything that goes into it. It is built beside its place and moved there in
//! one step, so two runs at once never see half of one: the first to finish wins, and the other uses it. Threads of one run
//! wait for each other instead.

use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Where builds are kept, instead of `runegate` in the user's cache folder.
pub const CACHE_VARIABLE: &str = "RUNEGATE_CACHE";

/// The cache cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CacheError {
    #[error(
        "the build cache {path:?} cannot be used: {source}; set {CACHE_VARIABLE} to a folder that can be written"
    )]
    Unusable {
        path: PathBuf,
        source: std::io::Error,
    },
    #[error(
        "no place for the build cache: neither XDG_CACHE_HOME nor HOME is set; set {CACHE_VARIABLE} to a folder that can be written"
    )]
    Nowhere,
    #[error("the cached build {path:?} is broken ({reason}); remove that folder and run again")]
    Broken { path: PathBuf, reason: String },
}

/// The hash of all parts, in hexadecimal.
pub fn key(parts: &[&str]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    hexadecimal(hash)
}

fn hexadecimal(hash: Sha256) -> String {
    hash.finalize()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// The cache's folder, which is made if missing.
fn root() -> Result<PathBuf, CacheError> {
    let set = |name| {
        std::env::var_os(name)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    let root = set(CACHE_VARIABLE)
        .or_else(|| Some(set("XDG_CACHE_HOME")?.join("runegate")))
        .or_else(|| Some(set("HOME")?.join(".cache").join("runegate")))
        .ok_or(CacheError::Nowhere)?;
    std::fs::create_dir_all(&root).map_err(|source| CacheError::Unusable {
        path: root.clone(),
        source,
    })?;
    Ok(root)
}

/// Whether there is such an entry.
pub fn holds(key: &str) -> Result<bool, CacheError> {
    Ok(root()?.join(key).exists())
}

/// The file of an entry, which has this name. If it is missing, `build` makes it in an empty folder and returns its path.
pub fn file<E: From<CacheError>>(
    key: &str,
    name: &str,
    build: impl FnOnce(&Path) -> Result<PathBuf, E>,
) -> Result<PathBuf, E> {
    let root = root()?;
    let entry = root.join(key);
    // Two threads that want the same would do the same work; if one fails or panics, the other tries it.
    let turn = turn(&entry);
    let _turn = turn.lock().unwrap_or_else(PoisonError::into_inner);
    if entry.exists() {
        return Ok(check(&entry, name)?);
    }
    let unusable = |source| CacheError::Unusable {
        path: root.clone(),
        source,
    };
    // The name of a temporary folder helps nobody.
    let unnamed = |error: std::io::Error| unusable(error.kind().into());
    remove_stale(&root);
    let work = tempfile::Builder::new()
        .prefix("building-")
        .tempdir_in(&root)
        .map_err(unnamed)?;
    let built = build(work.path())?;
    let ready = tempfile::Builder::new()
        .prefix("ready-")
        .tempdir_in(&root)
        .map_err(unnamed)?;
    let file = ready.path().join(name);
    std::fs::copy(&built, &file).map_err(unusable)?;
    let checksum = checksum(&file).map_err(unusable)?;
    std::fs::write(ready.path().join(checksum_name(name)), checksum).map_err(unusable)?;
    match std::fs::rename(ready.path(), &entry) {
        // The folder has moved: nothing is left to clean up.
        Ok(()) => drop(ready.keep()),
        Err(_) if entry.exists() => {}
        Err(source) => return Err(unusable(source).into()),
    }
    Ok(check(&entry, name)?)
}

/// What a thread of this process holds while it builds an entry.
fn turn(entry: &Path) -> Arc<Mutex<()>> {
    static TURNS: Mutex<BTreeMap<PathBuf, Arc<Mutex<()>>>> = Mutex::new(BTreeMap::new());
    let mut turns = TURNS.lock().unwrap_or_else(PoisonError::into_inner);
    Arc::clone(turns.entry(entry.to_path_buf()).or_default())
}

/// Removes what runs that were killed while they built have left, once it is a day old. That is housekeeping: if it fails,
/// nothing is lost.
fn remove_stale(root: &Path) {
    const DAY: Duration = Duration::from_secs(24 * 60 * 60);
    for entry in std::fs::read_dir(root).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let age = entry
            .metadata()
            .and_then(|data| data.modified())
            .map(|time| time.elapsed());
        let is_stale = matches!(age, Ok(Ok(age)) if age > DAY);
        if is_stale && (name.starts_with("building-") || name.starts_with("ready-")) {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

/// The entry's file, if it is what was built.
fn check(entry: &Path, name: &str) -> Result<PathBuf, CacheError> {
    let broken = |reason: String| CacheError::Broken {
        path: entry.to_path_buf(),
        reason,
    };
    let file = entry.join(name);
    let beside = checksum_name(name);
    let expected = std::fs::read_to_string(entry.join(&beside))
        .map_err(|error| broken(format!("{beside}: {error}")))?;
    let found = checksum(&file).map_err(|error| broken(format!("{name}: {error}")))?;
    if found != expected {
        return Err(broken(format!("{name} has changed since it was built")));
    }
    Ok(file)
}

fn checksum_name(name: &str) -> String {
    format!("{name}.sha256")
}

fn checksum(path: &Path) -> std::io::Result<String> {
    let mut hash = Sha256::new();
    hash.update(std::fs::read(path)?);
    Ok(hexadecimal(hash))
}
