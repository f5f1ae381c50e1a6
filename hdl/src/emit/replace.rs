//! Which files an emission may replace: those of the same configuration.
//!
//! Every emitted file but the file list has in its head the command that makes it, which ends with the module's name, and the SHA-256 of
//! its configuration. That hash covers the module's name, too. So a file is of the same configuration as the one to be emitted if
//! its hash is that of the latter under the name that stands in the file's own head; which version of the tool wrote it does not
//! matter. A file without such a head, or a file list that differs, is somebody else's.

use crate::config::Config;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Bytes in which a file's head is looked for.
const HEAD: usize = 1 << 14;

/// A file that is not to be replaced.
#[derive(Debug, thiserror::Error)]
pub enum ReplaceError {
    #[error(
        "{path:?} is of another configuration: `{theirs}` made it, and `{ours}` would replace it; choose another name with --module or \
         another folder with --out, or replace it with --force"
    )]
    Another {
        path: PathBuf,
        theirs: String,
        ours: String,
    },
    #[error(
        "{path:?} has no header of runegate, and `{ours}` would replace it; move it away, choose another name with --module or \
         another folder with --out, or replace it with --force"
    )]
    Foreign { path: PathBuf, ours: String },
}

/// Refuses to write these files to a folder if one of them would replace a file of another configuration, or somebody else's.
pub fn check(
    files: &[(PathBuf, &str)],
    folder: &Path,
    config: &Config,
) -> Result<(), ReplaceError> {
    for (file, text) in files {
        let path = folder.join(file);
        // What cannot be written at all, a folder among them, is refused where files are written.
        let is_there = path.symlink_metadata().is_ok_and(|file| !file.is_dir());
        if !is_there || path.is_dir() {
            continue;
        }
        let ours = config.command();
        let there = path.is_file().then(|| start(&path, text.len())).flatten();
        let Some(there) = there else {
            return Err(ReplaceError::Foreign { path, ours });
        };
        if there == text.as_bytes() {
            continue;
        }
        match Head::of(&String::from_utf8_lossy(&there)) {
            Some(head) if head.is_of(config) => {}
            Some(Head { command, .. }) => {
                return Err(ReplaceError::Another {
                    path,
                    theirs: command,
                    ours,
                });
            }
            None => return Err(ReplaceError::Foreign { path, ours }),
        }
    }
    Ok(())
}

/// The first bytes of a file: its head, and enough to see whether it is equal to a text of this length.
fn start(path: &Path, length: usize) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let most = HEAD.max(length + 1);
    let file = File::open(path).ok()?;
    file.take(most as u64).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

/// What an emitted file says of itself.
struct Head {
    /// `runegate emit ... --module NAME`.
    command: String,
    module: String,
    hash: String,
}

impl Head {
    fn of(text: &str) -> Option<Self> {
        const START: &str = "runegate emit ";
        // A header's lines go on in further ones.
        let text = &text.replace("\n//          ", " ");
        let command = &text[text.find(START)?..];
        // A comment, a JSON string, or code in Markdown.
        let command = &command[..command.find(['\n', '"', '`'])?];
        let (_, module) = command.rsplit_once(" --module ")?;
        let (_, rest) = text.split_once("sha256")?;
        let hash = rest.trim_start_matches(['"', ':', ' ', '`']);
        let end = hash.find(|letter: char| !letter.is_ascii_hexdigit());
        let hash = &hash[..end.unwrap_or(hash.len())];
        (hash.len() == 64).then(|| Self {
            command: command.to_string(),
            module: module.to_string(),
            hash: hash.to_string(),
        })
    }

    fn is_of(&self, config: &Config) -> bool {
        let renamed = Config {
            module: self.module.clone(),
            ..config.clone()
        };
        renamed.hash() == self.hash
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{CoreName, Request};
    use crate::emit::emit;

    fn core(lanes: usize, module: &str) -> Config {
        let request = Request {
            core: Some(CoreName::Validate),
            lanes: Some(lanes),
            csr: Some(true),
            module: Some(module.to_string()),
            ..Request::default()
        };
        request.resolve().expect("it can be built")
    }

    #[test]
    fn every_file_but_the_list_has_a_head() {
        let config = core(1, "core");
        let emitted = emit(&config).expect("it can be emitted");
        let files = emitted.files("core");
        assert_eq!(files.len(), 6);
        for (path, text) in files {
            if path.ends_with("core.f") {
                assert!(Head::of(text).is_none());
                continue;
            }
            let head = Head::of(text).unwrap_or_else(|| panic!("{path:?} has no head"));
            assert!(head.command == config.command(), "{}", head.command);
            // The module's name is no part of what is compared.
            assert!(head.is_of(&config) && head.is_of(&core(1, "other")));
            assert!(!head.is_of(&core(2, "core")), "{path:?}");
        }
    }
}
