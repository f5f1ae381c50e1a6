//! What a test has shown, for others to read.

use serde::Serialize;
use std::path::PathBuf;

/// Keeps a document in the folder `RUNEGATE_EVIDENCE`, or in `target/evidence`, whole or not at all.
pub fn keep(name: &str, document: &impl Serialize) {
    let folder = std::env::var_os("RUNEGATE_EVIDENCE").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("target/evidence"),
        PathBuf::from,
    );
    std::fs::create_dir_all(&folder).expect("a folder");
    let mut file = tempfile::NamedTempFile::new_in(&folder).expect("a file");
    serde_json::to_writer_pretty(&mut file, document).expect("a document");
    file.persist(folder.join(name)).expect("its place");
}
