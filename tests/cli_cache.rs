//! The cache of verilated cores: broken, not usable, and used by several runs at once.

mod support;

use std::path::Path;
use std::process::{Command, Stdio};
use support::{BROKEN, Place, as_nobody, have_verilator, json, output, refused, stderr};

/// `runegate sim` on Verilator with a cache of its own.
fn with_cache(place: &Place, cache: &Path) -> Command {
    let arguments = format!("sim --json --engine verilator {BROKEN}");
    let mut command = place.runegate(arguments.split_whitespace());
    command.env("RUNEGATE_CACHE", cache);
    command
}

#[test]
fn a_broken_cache_is_told_of_and_left_alone() {
    if !have_verilator() {
        return;
    }
    let place = Place::new();
    let cache = place.path("cache");
    let verilate = || output(&mut with_cache(&place, &cache));
    assert_eq!(json(&verilate())["mismatches"], 0);
    let built = place.files();
    // Beside it there is Verilator's own library, compiled.
    assert_eq!(built.len(), 7, "two entries of two files: {built:?}");
    let library = built.iter().find(|name| name.ends_with("/core.so"));
    let folder = library.expect("a build").trim_end_matches("/core.so");
    let library = place.path(&format!("{folder}/core.so"));
    let checksum = place.path(&format!("{folder}/core.so.sha256"));
    let (whole, sum) = (
        std::fs::read(&library).expect("a build"),
        std::fs::read(&checksum).expect("its checksum"),
    );
    let refuses = |reason: &str| {
        refused(
            &verilate(),
            &["cached build", folder, reason, "remove that folder"],
        )
    };

    std::fs::write(&library, &whole[..whole.len() / 2]).expect("half a build");
    refuses("has changed");
    std::fs::write(&library, [&whole[..], b"\0"].concat()).expect("a longer build");
    refuses("has changed");
    std::fs::remove_file(&library).expect("the build");
    refuses("core.so: No such file");
    std::fs::write(&library, &whole).expect("the build");
    std::fs::remove_file(&checksum).expect("the checksum");
    refuses("core.so.sha256: No such file");
    std::fs::write(&checksum, &sum).expect("the checksum");
    assert_eq!(json(&verilate())["mismatches"], 0);

    // What the message says helps.
    std::fs::remove_file(&checksum).expect("the checksum");
    std::fs::remove_dir_all(place.path(folder)).expect("the entry");
    assert_eq!(json(&verilate())["mismatches"], 0);
    assert_eq!(place.files(), built);
}

#[test]
fn a_cache_that_cannot_be_used() {
    if !have_verilator() {
        return;
    }
    let place = Place::new();
    let file = place.write("file", "");
    let parts = [
        "build cache",
        "set RUNEGATE_CACHE to a folder that can be written",
    ];
    for cache in [&file, &file.join("below")] {
        let run = output(&mut with_cache(&place, cache));
        refused(&run, &parts);
        assert!(
            stderr(&run).contains(cache.to_str().expect("text")),
            "{}",
            stderr(&run)
        );
    }
    let mut nowhere = with_cache(&place, &file);
    nowhere
        .env_remove("RUNEGATE_CACHE")
        .env_remove("XDG_CACHE_HOME")
        .env_remove("HOME");
    refused(
        &output(&mut nowhere),
        &["neither XDG_CACHE_HOME nor HOME", parts[1]],
    );

    let closed = place.folder("closed");
    support::set_mode(&closed, 0o555);
    let run = output(&mut as_nobody(&place, &with_cache(&place, &closed)));
    refused(&run, &["closed", "ermission denied", parts[0], parts[1]]);
    assert!(
        !stderr(&run).contains("building-"),
        "no name that the user did not give"
    );
}

#[test]
fn runs_at_once_share_an_empty_cache() {
    if !have_verilator() {
        return;
    }
    let place = Place::new();
    let cache = place.path("cache");
    let runs: Vec<_> = (0..3)
        .map(|_| {
            let mut command = with_cache(&place, &cache);
            command.stdout(Stdio::piped()).stderr(Stdio::piped());
            command.spawn().expect("the tool runs")
        })
        .collect();
    for run in runs {
        let run = run.wait_with_output().expect("the tool ends");
        assert_eq!(json(&run)["mismatches"], 0);
        assert_eq!(stderr(&run), "");
    }
    let entries: Vec<String> = place
        .files()
        .into_iter()
        .filter(|name| name.matches('/').count() == 1)
        .collect();
    assert_eq!(entries.len(), 2, "the core and the library: {entries:?}");
    for entry in entries {
        let key = entry.trim_start_matches("cache/");
        assert!(
            key.len() == 64 && key.bytes().all(|byte| byte.is_ascii_hexdigit()),
            "{key}"
        );
    }
}
