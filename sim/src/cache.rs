//! What external tools make: verilated cores and netlists, each built once for its content.
//!
//! An entry is a folder named by the hash of everything that goes into it. It is built beside its place and moved there in
//! one step, so two runs at once never see half of one: the first to finish wins, and the other uses it. Threads of one run
//! wait for each other instead.
//!
//! Entries are code that this program loads. Folders are made for this user alone, and nothing is used that is another user's
//! or that others can write to. A digest beside each file shows whether it is what was built; if not, it is built again.

use crate::interrupt::Folder;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs::{self, DirBuilder, Metadata, Permissions};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
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
    #[error(
        "{path:?} in the build cache belongs to user {owner}, but this is user {user}, and code from the cache is run; set \
         {CACHE_VARIABLE} to a folder of your own"
    )]
    NotOwn {
        path: PathBuf,
        owner: u32,
        user: u32,
    },
    #[error(
        "{path:?} in the build cache can be written by other users (mode {mode:04o}), and code from the cache is run; remove it \
         and run again, or set {CACHE_VARIABLE} to a folder that only you can write (mode 0700)"
    )]
    Open { path: PathBuf, mode: u32 },
    #[error(
        "the build {key} in the build cache is not usable: {reason}; see `runegate doctor` for the tools"
    )]
    Broken { key: String, reason: String },
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
    let unusable = |source| CacheError::Unusable {
        path: root.clone(),
        source,
    };
    let mut builder = DirBuilder::new();
    let made = builder.recursive(true).mode(0o700).create(&root);
    made.map_err(unusable)?;
    own(&root, &fs::metadata(&root).map_err(unusable)?)?;
    Ok(root)
}

/// Refuses what is another user's, or what others can write to.
fn own(path: &Path, data: &Metadata) -> Result<(), CacheError> {
    const OTHERS: u32 = 0o022;
    let path = path.to_path_buf();
    // SAFETY: it takes nothing and cannot fail.
    let (owner, user) = (data.uid(), unsafe { libc::geteuid() });
    if owner != user {
        return Err(CacheError::NotOwn { path, owner, user });
    }
    let mode = data.mode() & 0o7777;
    if mode & OTHERS != 0 {
        return Err(CacheError::Open { path, mode });
    }
    Ok(())
}

/// Whether there is such an entry.
pub fn holds(key: &str) -> Result<bool, CacheError> {
    Ok(root()?.join(key).exists())
}

/// The file of an entry, which has this name. If it is missing or not what was built, `build` makes it in an empty folder and
/// returns its path.
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
    if let Some(file) = stored(&entry, key, name)? {
        return Ok(file);
    }
    let unusable = |source| CacheError::Unusable {
        path: root.clone(),
        source,
    };
    discard(key)?;
    remove_stale(&root);
    let work = Folder::new("building-", &root).map_err(unusable)?;
    let built = build(work.path())?;
    let ready = Folder::new("ready-", &root).map_err(unusable)?;
    let file = ready.path().join(name);
    fs::copy(&built, &file).map_err(unusable)?;
    let content = fs::read(&file).map_err(unusable)?;
    let beside = ready.path().join(digest_name(name));
    fs::write(&beside, digest(key, &content)).map_err(unusable)?;
    for file in [&file, &beside] {
        fs::set_permissions(file, Permissions::from_mode(0o600)).map_err(unusable)?;
    }
    match ready.rename(&entry) {
        Ok(()) => {}
        // Another run was faster.
        Err(_) if entry.exists() => {}
        Err(source) => return Err(unusable(source).into()),
    }
    let broken = || CacheError::Broken {
        key: key.to_string(),
        reason: "it changed as soon as it was built".to_string(),
    };
    Ok(stored(&entry, key, name)?.ok_or_else(broken)?)
}

/// Removes an entry, if there is one: it is of no use.
pub fn discard(key: &str) -> Result<(), CacheError> {
    let entry = root()?.join(key);
    match fs::remove_dir_all(&entry) {
        Err(source) if source.kind() != std::io::ErrorKind::NotFound => Err(CacheError::Unusable {
            path: entry,
            source,
        }),
        _ => Ok(()),
    }
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
    for entry in fs::read_dir(root).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let age = entry
            .metadata()
            .and_then(|data| data.modified())
            .map(|time| time.elapsed());
        let is_stale = matches!(age, Ok(Ok(age)) if age > DAY);
        if is_stale && (name.starts_with("building-") || name.starts_with("ready-")) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// The entry's file, if it is what was built for this key.
fn stored(entry: &Path, key: &str, name: &str) -> Result<Option<PathBuf>, CacheError> {
    let (file, beside) = (entry.join(name), entry.join(digest_name(name)));
    for path in [entry, &file, &beside] {
        match fs::metadata(path) {
            Ok(data) => own(path, &data)?,
            Err(_) => return Ok(None),
        }
    }
    let (Ok(content), Ok(expected)) = (fs::read(&file), fs::read_to_string(&beside)) else {
        return Ok(None);
    };
    Ok((digest(key, &content) == expected).then_some(file))
}

fn digest_name(name: &str) -> String {
    format!("{name}.digest")
}

/// The digest of a file's content as that of an entry: a file that has come from another entry has another one.
fn digest(key: &str, content: &[u8]) -> String {
    let mut hash = Sha256::new();
    hash.update(key);
    hash.update(content);
    hexadecimal(hash)
}
