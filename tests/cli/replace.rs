//! `emit` replaces files of its own configuration, and no others unless `--force` says so.

use crate::support::{Place, done, refused};
use std::collections::BTreeMap;

const ONE: &str = "emit --core validate --csr --module core";
const OTHER: &str = "emit --core validate --csr --module core --counter-width 8";
const ENDS: [&str; 6] = [".v", ".json", ".f", "_regs.h", "_regs.rs", "_regs.md"];

/// Every file with its content.
fn contents(place: &Place) -> BTreeMap<String, String> {
    let files = place.files().into_iter();
    let read = |file: String| {
        let text = std::fs::read_to_string(place.path(&file)).ok()?;
        Some((file, text))
    };
    files.filter_map(read).collect()
}

/// Refuses, and leaves everything as it was.
#[track_caller]
fn keeps(place: &Place, arguments: &str, parts: &[&str]) {
    let before = contents(place);
    refused(&place.run(arguments), parts);
    assert_eq!(contents(place), before, "{arguments}");
}

#[test]
fn the_same_configuration_is_emitted_again() {
    let place = Place::new();
    done(&place.run(ONE));
    let first = contents(&place);
    assert_eq!(first.len(), ENDS.len());
    // As an earlier version may have written them: other words, and the same configuration in the head.
    for (file, text) in &first {
        let text = match file.as_str() {
            "core.f" => text.clone(),
            _ => {
                text.replace("runegate 0.1.0", "runegate 0.0.9")
                    .replace("clocks", "clks")
                    + "\n"
            }
        };
        assert!(file == "core.f" || text != first[file], "{file}");
        place.write(file, text);
    }
    done(&place.run(ONE));
    assert_eq!(contents(&place), first);
    // The name is no part of a configuration: a file that was renamed is still of this one.
    std::fs::rename(place.path("core.v"), place.path("renamed.v")).expect("renamed");
    done(&place.run("emit --core validate --csr --module renamed"));
}

/// Whichever of its files is there, and no file is written before all are looked at.
#[test]
fn another_configuration_is_kept() {
    let place = Place::new();
    done(&place.run(ONE));
    let written = contents(&place);
    for end in ENDS {
        let place = Place::new();
        let file = format!("core{end}");
        place.write(&file, &written[&file]);
        if end == ".f" {
            // It is the same of every core of this name.
            done(&place.run(OTHER));
            continue;
        }
        let parts = [
            &format!("\"./{file}\" is of another configuration"),
            "--counter-width 32 --csr --module core` made it",
            "--counter-width 8 --csr --module core` would replace it",
            "--force",
        ];
        keeps(&place, OTHER, &parts);
    }
    done(&place.run(&format!("{OTHER} --force")));
    for (file, text) in contents(&place) {
        let is_list = file == "core.f";
        assert!(is_list || text.contains("--counter-width 8"), "{file}");
    }
}

#[test]
fn what_somebody_else_wrote_is_kept() {
    let place = Place::new();
    for end in ENDS {
        let file = format!("core{end}");
        place.write(&file, "core.v\nmine.v\n");
        let parts = [
            &format!("\"./{file}\" has no header"),
            "--module core`",
            "--force",
        ];
        keeps(&place, ONE, &parts);
        assert_eq!(place.files(), [file.as_str()]);
        std::fs::remove_file(place.path(&file)).expect("it was kept");
    }
    // A head without its hash is none; nor is what leads nowhere a file of ours.
    place.write("core.v", "// Command: runegate emit --module core\n");
    keeps(&place, ONE, &["\"./core.v\" has no header"]);
    std::fs::remove_file(place.path("core.v")).expect("it was there");
    std::os::unix::fs::symlink("nowhere", place.path("core.v")).expect("a link");
    keeps(&place, ONE, &["\"./core.v\" has no header"]);
    assert!(place.path("core.v").is_symlink());
    done(&place.run(&format!("{ONE} --force")));
    assert_eq!(place.files().len(), ENDS.len());
}

/// Two cores that share an option's default name no file.
#[test]
fn defaults_of_two_configurations_do_not_meet() {
    let place = Place::new();
    for arguments in ["", "--form free", "--user-width 3", "--signature flag"] {
        done(&place.run(&format!("emit {arguments}")));
    }
    assert_eq!(place.files().len(), 4 * 3);
}

/// A package has no files that can be told apart one by one.
#[test]
fn a_package_is_never_forced() {
    let place = Place::new();
    refused(
        &place.run("emit --package package --force"),
        &["--package", "--force"],
    );
    assert!(place.files().is_empty());
}
