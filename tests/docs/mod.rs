//! The README and the pages: what they show runs and prints what is shown, their tables are what the code says, their links lead
//! somewhere, and the README stays one page.
//!
//! `RUNEGATE_DOCS=write make test-docs` writes the tables anew.

mod blocks;
mod line;

use crate::support::{Place, RUNEGATE, SHARED_CACHE, output};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// The README, and what else is read as a page.
fn pages() -> Vec<PathBuf> {
    let folder = std::fs::read_dir(Path::new(ROOT).join("docs/src")).expect("the pages");
    let files = folder.map(|entry| entry.expect("an entry").path());
    let pages = files.filter(|path| path.extension().is_some_and(|end| end == "md"));
    let others = [
        "README.md",
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
        "constraints/README.md",
    ];
    let reasons = std::fs::read_dir(Path::new(ROOT).join("docs/adr")).expect("the decisions");
    let mut all: Vec<PathBuf> = pages.collect();
    all.extend(others.map(|name| Path::new(ROOT).join(name)));
    all.extend(reasons.map(|entry| entry.expect("an entry").path()));
    all.sort();
    all
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{path:?}: {error}"))
}

/// A text's parts: those that are not in fenced blocks, and the blocks with their languages.
fn parts(text: &str) -> (String, Vec<(String, String)>) {
    let (mut prose, mut blocks) = (String::new(), Vec::<(String, String)>::new());
    let mut inside = false;
    for line in text.lines() {
        match (line.strip_prefix("```"), inside) {
            (Some(_), true) => inside = false,
            (Some(language), false) => {
                inside = true;
                blocks.push((language.to_string(), String::new()));
            }
            (None, true) => {
                let (_, block) = blocks.last_mut().expect("a block");
                *block += &format!("{line}\n");
            }
            (None, false) => prose += &format!("{line}\n"),
        }
    }
    (prose, blocks)
}

#[test]
fn the_readme_is_a_page() {
    let text = read(&Path::new(ROOT).join("README.md"));
    assert!(
        text.lines().count() <= 150,
        "{} lines",
        text.lines().count()
    );
    for line in text.lines() {
        assert!(line.chars().count() <= 120, "{line}");
    }
}

#[test]
fn tables_are_what_the_code_says() {
    let writes = std::env::var("RUNEGATE_DOCS").is_ok_and(|word| word == "write");
    let mut seen = BTreeSet::new();
    for path in pages() {
        let old = read(&path);
        let mut new = String::new();
        let mut rest = old.as_str();
        while let Some((before, block)) = rest.split_once("<!-- generated: ") {
            let (name, block) = block.split_once(" -->\n").expect("the mark ends");
            let (_, after) = block
                .split_once("<!-- /generated -->")
                .expect("the block ends");
            let table = blocks::table(name);
            new += &format!("{before}<!-- generated: {name} -->\n{table}<!-- /generated -->");
            seen.insert(name.to_string());
            rest = after;
        }
        new += rest;
        if writes && new != old {
            std::fs::write(&path, new).expect("the page is written");
        } else {
            assert!(
                new == old,
                "{path:?} is not what the code says: RUNEGATE_DOCS=write make test-docs writes it anew"
            );
        }
    }
    assert_eq!(
        seen,
        blocks::NAMES.map(str::to_string).into(),
        "every table is somewhere"
    );
}

/// Commands are run in a folder in which `tests` is the repository's, one after the other.
#[test]
fn what_is_shown_runs_and_prints_what_is_shown() {
    let program = Path::new(RUNEGATE).parent().expect("a folder");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(program.to_path_buf()).chain(std::env::split_paths(&path));
    let path = std::env::join_paths(folders).expect("PATH");
    let mut shown = 0;
    for page in pages() {
        let place = Place::new();
        std::os::unix::fs::symlink(Path::new(ROOT).join("tests"), place.path("tests"))
            .expect("a link");
        for (language, block) in parts(&read(&page)).1 {
            if language != "console" {
                // Its lines are those of `make test-cli_pcap`, which knows what the counters have to be.
                let is_compared_there = block.contains("--pcap tests/data/flows.pcap");
                assert!(
                    is_compared_there || !block.contains("$ runegate"),
                    "{page:?} shows what is not run:\n{block}"
                );
                continue;
            }
            let commands = block
                .split_inclusive('\n')
                .filter_map(|line| line.strip_prefix("$ "));
            let mut printed = String::new();
            for command in commands {
                let run = output(
                    Command::new("sh")
                        .args(["-c", &format!("exec 2>&1\n{command}")])
                        .current_dir(place.path("."))
                        .env("PATH", &path)
                        .env("RUNEGATE_CACHE", SHARED_CACHE),
                );
                printed += &format!("$ {command}{}", String::from_utf8_lossy(&run.stdout));
                shown += 1;
            }
            assert!(
                printed == block,
                "{page:?} shows\n{block}but it is\n{printed}"
            );
        }
    }
    assert!(shown >= 8, "{shown} commands");
}

/// What a heading's link is called, as GitHub and mdBook have it.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().to_lowercase().replace(' ', "-");
    let is_kept = |c: &char| c.is_alphanumeric() || "-_".contains(*c);
    kept.chars().filter(is_kept).collect()
}

fn anchors(page: &Path) -> BTreeSet<String> {
    let (prose, _) = parts(&read(page));
    let headings = prose.lines().filter(|line| line.starts_with('#'));
    headings
        .map(|line| anchor(line.trim_start_matches('#')))
        .collect()
}

#[test]
fn links_lead_somewhere() {
    let mut seen = 0;
    for page in pages() {
        let (prose, _) = parts(&read(&page));
        for rest in prose.split("](").skip(1) {
            let (target, _) = rest.split_once(')').expect("the link ends");
            if target.contains("://") {
                continue;
            }
            let (file, heading) = target.split_once('#').unwrap_or((target, ""));
            let to = match file {
                "" => page.clone(),
                _ => page.parent().expect("a folder").join(file),
            };
            assert!(to.exists(), "{page:?}: {target} is not there");
            let known = heading.is_empty() || anchors(&to).contains(heading);
            assert!(known, "{page:?}: {target} is no heading");
            seen += 1;
        }
    }
    assert!(seen > 30, "{seen} links");
    // mdBook shows what its summary names, and nothing else.
    let summary = read(&Path::new(ROOT).join("docs/src/SUMMARY.md"));
    for page in pages() {
        let name = page.file_name().expect("a name").to_string_lossy();
        let is_named = !page.starts_with(Path::new(ROOT).join("docs/src"))
            || name == "SUMMARY.md"
            || summary.contains(&format!("]({name})"));
        assert!(is_named, "{name} is not in the summary");
    }
}
