//! Where a package can be: nowhere that make would read as something else.

use crate::support::{Place, done, have, have_verilator, make, output, refused, stderr};
use sim::tools::MAKE;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// Whether real make takes a folder of this name as it is: in a variable, a prerequisite, a pattern and a recipe.
fn make_takes(place: &Place, name: &str) -> bool {
    // What a pattern in the name would match as well.
    for other in ["aXb", "ab"] {
        let folder = place.folder(other);
        std::fs::write(folder.join("file.in"), "wrong\n").expect("a file");
    }
    let folder = place.folder(name);
    std::fs::write(folder.join("file.in"), "right\n").expect("a file");
    let folder = folder.display().to_string();
    let rules = place.folder("rules");
    let text = format!(
        "FOLDER := {folder}\n.PHONY: all\nall: {folder}/file.in {folder}/file.out $(wildcard $(FOLDER)/file.in)\n\
         \t@cat {folder}/file.in $(FOLDER)/file.in $^\n\n{folder}/%.out: {folder}/%.in\n\t@cp $< $@\n"
    );
    std::fs::write(rules.join("Makefile"), text).expect("a makefile");
    let run = output(make(&rules).arg("-s"));
    let said = String::from_utf8_lossy(&run.stdout).into_owned();
    run.status.success() && !said.is_empty() && said.lines().all(|line| line == "right")
}

#[test]
fn what_make_cannot_take_is_refused() {
    let has_make = have(&MAKE);
    let (mut taken, mut stumbled) = (String::new(), String::new());
    let letters = (1..0x80_u8).map(char::from).chain(['\u{e9}']);
    for letter in letters.filter(|letter| !letter.is_ascii_alphanumeric() && *letter != '/') {
        let place = Place::new();
        let name = format!("a{letter}b");
        let run = output(&mut place.runegate(["emit", "--module", "core", "--package", &name]));
        let is_taken = run.status.success();
        if is_taken {
            taken.push(letter);
            std::fs::remove_dir_all(place.path(&name)).expect("a package");
        } else {
            refused(&run, &["in its path", "make", "--package"]);
            let named = format!("{letter:?}");
            assert!(stderr(&run).contains(&named), "{}", stderr(&run));
            assert!(place.files().is_empty(), "{letter:?}");
        }
        if has_make && !make_takes(&place, &name) {
            stumbled.push(letter);
            assert!(!is_taken, "make does not take {letter:?}");
        }
    }
    assert_eq!(taken, "!+,-.@]^_{}\u{e9}");
    // This has been tried.
    let known = "\t\n \"#$%&'()*:;<=>?\\`|";
    assert!(
        !has_make || known.chars().all(|known| stumbled.contains(known)),
        "{stumbled:?}"
    );
}

/// The path is the one that make sees: absolute, and without links.
#[test]
fn the_whole_path_counts() {
    let place = Place::new();
    let blank = place.folder("a blank");
    std::os::unix::fs::symlink(&blank, place.path("link")).expect("a link");
    let emit = |folder: &Path, package: &str| {
        let mut command = place.runegate(["emit", "--module", "core", "--package", package]);
        output(command.current_dir(folder))
    };
    let here = place.path("");
    let other = OsStr::from_bytes(b"a\xffb");
    let run = output(&mut place.runegate([OsStr::new("emit"), OsStr::new("--package"), other]));
    refused(&run, &["a\\xFFb", "not UTF-8", "--package"]);
    for (folder, package) in [(&blank, "card"), (&blank, "."), (&here, "link/card")] {
        refused(&emit(folder, package), &[&format!("{package:?}"), "' '"]);
    }
    assert_eq!(place.files(), ["a blank", "link"]);
    // A blank that the path leaves again is none of its own.
    done(&emit(&blank, "../card"));
    done(&emit(&here, "a blank/../other"));
    assert!(place.path("card/README.md").is_file() && place.path("other/README.md").is_file());
}

#[test]
fn a_bench_runs_where_a_package_can_be() {
    if !have_verilator() {
        return;
    }
    let place = Place::new();
    let name = "a!+,-.@]^_{}\u{e9}";
    done(&place.run(&format!(
        "emit --module core --form free --package {name} --quiet"
    )));
    let run = output(&mut make(&place.path(&format!("{name}/verilator"))));
    let said = String::from_utf8_lossy(&run.stdout).into_owned();
    assert!(
        run.status.success() && said.contains("\nas expected"),
        "{said}"
    );
}
