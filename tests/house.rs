//! The arrows between the crates, and what the hardware and the model that judges it each state of their common contract.

use crate::dut::{configs, droppers, framed, widest, windowed};

use crate::modules::{Crate, literals};
use golden::Kind;
use golden::cycle::Latencies;
use hdl::config::ports::{Direction, ports};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

fn metadata() -> Value {
    // Of this platform only: the packages of others need not have been downloaded.
    let rustc = Command::new("rustc")
        .arg("-vV")
        .output()
        .expect("rustc runs");
    let version = String::from_utf8_lossy(&rustc.stdout).into_owned();
    let host = version
        .lines()
        .find_map(|line| line.strip_prefix("host: "))
        .expect("rustc tells its host");
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked", "--offline"])
        .args(["--filter-platform", host])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    serde_json::from_slice(&output.stdout).expect("cargo metadata is JSON")
}

/// Every package that a package reaches by dependencies of any kind, its own name included.
fn reaches(metadata: &Value, name: &str) -> BTreeSet<String> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
    let names: BTreeMap<String, String> = metadata["packages"]
        .as_array()
        .expect("packages")
        .iter()
        .map(|package| (text(&package["id"]), text(&package["name"])))
        .collect();
    let edges: BTreeMap<String, Vec<String>> = metadata["resolve"]["nodes"]
        .as_array()
        .expect("nodes")
        .iter()
        .map(|node| {
            let dependencies = node["dependencies"].as_array().expect("dependencies");
            (text(&node["id"]), dependencies.iter().map(text).collect())
        })
        .collect();
    let mut open: Vec<&String> = names
        .iter()
        .filter(|(_, n)| *n == name)
        .map(|(id, _)| id)
        .collect();
    assert_eq!(open.len(), 1, "one package {name}");
    let mut seen = BTreeSet::new();
    while let Some(id) = open.pop() {
        if seen.insert(id) {
            open.extend(&edges[id]);
        }
    }
    seen.into_iter().map(|id| names[id].clone()).collect()
}

#[test]
fn hardware_and_model_never_see_each_other() {
    let metadata = metadata();
    let hdl = reaches(&metadata, "runegate-hdl");
    let golden = reaches(&metadata, "runegate-golden");
    let ours = [
        "runegate",
        "runegate-sim",
        "runegate-hdl",
        "runegate-golden",
    ];
    let seen = |all: &BTreeSet<String>| {
        ours.into_iter()
            .filter(|name| all.contains(*name))
            .collect::<Vec<_>>()
    };
    assert_eq!(seen(&hdl), ["runegate-hdl"], "hdl imports nothing of ours");
    assert_eq!(
        seen(&golden),
        ["runegate-golden"],
        "golden imports nothing of ours"
    );
    assert!(hdl.contains("rust-hdl-core"));
    assert!(!golden.contains("rust-hdl-core"));
    assert_eq!(seen(&reaches(&metadata, "runegate-sim")), ours[1..]);
}

/// A file can be read once those that it imports have been read: there is no circle. Those of `hdl` and its macros are still to be
/// opened.
#[test]
fn no_modules_import_each_other() {
    for root in [
        "golden/src/lib.rs",
        "hdl/src/lib.rs",
        "sim/src/lib.rs",
        "src/main.rs",
    ] {
        let circles = Crate::read(root).circles();
        assert!(circles.is_empty(), "{root}: {circles:#?}");
    }
}

#[test]
fn the_pinned_rust_hdl_is_the_one_that_is_named() {
    let metadata = metadata();
    let packages = metadata["packages"].as_array().expect("packages");
    let versions: Vec<&Value> = packages
        .iter()
        .filter(|package| package["name"] == "rust-hdl-core")
        .map(|package| &package["version"])
        .collect();
    assert_eq!(versions, [hdl::emit::RUST_HDL_VERSION]);
}

#[test]
fn the_readme_states_the_oldest_rust() {
    let stated = concat!("need Rust ", env!("CARGO_PKG_RUST_VERSION"));
    assert!(include_str!("../README.md").contains(stated), "{stated}");
}

#[test]
fn both_sides_state_the_same_kinds() {
    let model: Vec<&str> = Kind::ALL.iter().map(|kind| kind.name()).collect();
    assert_eq!(model, hdl::layout::KINDS);
    for (code, kind) in Kind::ALL.into_iter().enumerate() {
        assert_eq!(usize::from(kind.code()), code);
    }
}

#[test]
fn both_sides_state_the_same_pins_and_latency() {
    for config in configs()
        .into_iter()
        .chain(widest())
        .chain(windowed())
        .chain(framed())
        .chain(droppers())
    {
        let model = sim::lockstep::model(&config);
        let pins = |direction| {
            ports(&config)
                .into_iter()
                .filter(|port| port.name != "clk" && port.direction == direction)
                .map(|port| (port.name, port.width))
                .collect::<Vec<_>>()
        };
        let stated = |pins: Vec<golden::cycle::Pin>| {
            pins.into_iter()
                .map(|pin| (pin.name, pin.width))
                .collect::<Vec<_>>()
        };
        assert_eq!(pins(Direction::Input), stated(model.input_pins()));
        assert_eq!(pins(Direction::Output), stated(model.output_pins()));
        let Latencies { stream, verdict } = sim::lockstep::setup(&config).latencies();
        let latency = hdl::emit::latency(&config);
        assert_eq!((latency.stream, latency.verdict), (stream, verdict));
    }
}

/// rustfmt leaves the bodies of macros alone: a block of stages has one signal a line, short lines, and a
/// title for each stage. No file of the hardware is long.
#[test]
fn the_hardware_is_laid_out_to_be_read() {
    let mut blocks = 0;
    let mut wrong = Vec::new();
    let mut folders = ["hdl/src", "hdl/macros/src"]
        .map(std::path::PathBuf::from)
        .to_vec();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder of the sources") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = std::fs::read_to_string(&path).expect("a source");
            if text.lines().count() > 350 {
                wrong.push(format!("{}: more than one sitting", path.display()));
            }
            let mut is_inside = false;
            for (index, line) in text.lines().enumerate() {
                let place = format!("{}:{}", path.display(), index + 1);
                if line.starts_with("stages! {") {
                    (is_inside, blocks) = (true, blocks + 1);
                } else if line == "}" {
                    is_inside = false;
                }
                let is_comment = line.trim_start().starts_with("//");
                if is_inside && !is_comment && (line.len() > 100 || line.matches(';').count() > 1) {
                    wrong.push(place.clone());
                }
                if is_inside && line.trim_start().starts_with("stage ") && !line.contains('"') {
                    wrong.push(format!("{place}: a stage without a title"));
                }
                if line.ends_with(' ') || line.contains('\t') {
                    wrong.push(place);
                }
            }
        }
    }
    assert!(blocks > 15, "{blocks} blocks");
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The files of a folder, and of those in it.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{folder:?}: {error}"));
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let files = paths.flat_map(|path| match path.is_dir() {
        true => files(&path),
        false => vec![path],
    });
    files.collect()
}

/// Words of a text that its readers stumble over. A plain text has others in their place: "reported" or "named", a number, and "after".
fn riddles(text: &str) -> Vec<&str> {
    let words = ["told", "so many", "behind"];
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let whole = |(at, word): (usize, &str)| {
        let before = text[..at].chars().next_back();
        let after = text[at + word.len()..].chars().next();
        !before.is_some_and(is_name) && !after.is_some_and(is_name)
    };
    let lower = text.to_ascii_lowercase();
    let found = words.into_iter().filter(|word| {
        let mut places = lower.match_indices(word);
        places.any(whole)
    });
    found.collect()
}

/// A string without the names that are filled in.
fn without_names(literal: &str) -> String {
    let parts = literal.split('{').enumerate();
    let parts = parts.map(|(index, part)| match part.split_once('}') {
        Some((_, rest)) if index > 0 => rest,
        _ => part,
    });
    parts.collect()
}

#[test]
fn what_users_read_is_in_plain_words() {
    let mut texts = Vec::new();
    let place = tempfile::tempdir().expect("a temporary folder");
    // The second is of a core that has nearly all that a core can have.
    for arguments in [
        "man --out man",
        "emit --core validate --lanes 2 --flows 4 --csr --user-width 3 --package package",
    ] {
        let mut runegate = Command::new(env!("CARGO_BIN_EXE_runegate"));
        runegate.args(arguments.split_whitespace());
        let output = runegate.current_dir(place.path()).output();
        assert!(output.expect("it runs").status.success(), "{arguments}");
    }
    let made = files(place.path()).into_iter();
    texts.extend(made.map(|path| (path, false)));
    texts.extend(
        files(Path::new("docs/src"))
            .into_iter()
            .map(|path| (path, false)),
    );
    texts.push((PathBuf::from("README.md"), false));
    for folder in ["src", "sim/src", "golden/src", "hdl/src/config"] {
        let sources = files(Path::new(folder)).into_iter();
        texts.extend(
            sources
                .filter(|path| path.extension().is_some_and(|end| end == "rs"))
                .map(|path| (path, true)),
        );
    }
    assert!(texts.len() > 150, "{} texts", texts.len());
    let mut wrong = Vec::new();
    for (path, is_source) in texts {
        // A picture is no text.
        let Ok(text) = std::fs::read_to_string(&path) else {
            continue;
        };
        let lines: Vec<String> = match is_source {
            true => literals(&text)
                .iter()
                .map(|literal| without_names(literal))
                .collect(),
            false => text.lines().map(str::to_string).collect(),
        };
        for line in lines {
            let found = riddles(&line);
            if !found.is_empty() {
                wrong.push(format!("{}: {found:?} in {line:?}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
