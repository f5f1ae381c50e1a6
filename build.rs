//! Sets what `--version` prints: in a release with the commit that it was built from, if that is known.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let version = env("CARGO_PKG_VERSION");
    // Not in other builds: every commit would make the tests' build anew.
    let commit = match env("PROFILE").as_str() {
        "release" => commit(),
        _ => Some("development build".to_string()),
    };
    let version = match commit {
        Some(commit) => format!("{version} ({commit})"),
        None => version,
    };
    println!("cargo::rustc-env=RUNEGATE_VERSION={version}");
}

fn env(name: &str) -> String {
    std::env::var(name).expect("Cargo sets it")
}

/// The first twelve digits of the commit: what git says of a clone, or what Cargo has put into a package.
fn commit() -> Option<String> {
    let packed = Path::new(".cargo_vcs_info.json");
    let hash = match std::fs::read_to_string(packed) {
        Ok(text) => text.split('"').find(|word| is_hash(word))?.to_string(),
        Err(_) => {
            // What git writes at every commit and every change of the branch.
            println!(
                "cargo::rerun-if-changed={}",
                git(&["rev-parse", "--git-path", "logs/HEAD"])?
            );
            git(&["rev-parse", "HEAD"])?
        }
    };
    Some(hash[..12].to_string())
}

fn is_hash(word: &str) -> bool {
    word.len() == 40 && word.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// What git says, if this is the top of a clone of Runegate's and not a folder in another project's.
fn git(arguments: &[&str]) -> Option<String> {
    if !Path::new(".git").exists() {
        return None;
    }
    let output = Command::new("git").args(arguments).output().ok()?;
    let said = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| said.trim().to_string())
}
