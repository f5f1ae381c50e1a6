//! Faults of the machine: disks that are full, inputs that change, names that a terminal obeys. Exit code 2, the file named, and
//! nothing left that is not complete.
//!
//! A full disk needs root to make one. Here a limit on the size of files stands for it, which a shell sets for anyone: a write
//! beyond it fails (with "File too large") as it does on a full disk, after a part of the file has been written.

use crate::support::{
    self, Place, broken_core, done, engines, json, output, refused, refuses, stderr, stdout,
};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The command in a shell that lets no file become longer than some blocks of 512 bytes.
fn limited(command: &Command, blocks: u64) -> Command {
    let mut shell = Command::new("sh");
    let script = format!(r#"trap '' XFSZ; ulimit -f {blocks}; exec "$0" "$@""#);
    shell
        .args(["-c", &script])
        .arg(command.get_program())
        .args(command.get_args());
    if let Some(folder) = command.get_current_dir() {
        shell.current_dir(folder);
    }
    shell.envs(
        command
            .get_envs()
            .filter_map(|(name, value)| Some((name, value?))),
    );
    shell
}

/// So many bytes, of every value.
fn bytes(count: u32) -> Vec<u8> {
    let bytes = (0..count).map(|index| (index.wrapping_mul(2_654_435_761) >> 24) as u8);
    bytes.collect()
}

#[test]
fn a_waveform_that_does_not_fit_is_an_error() {
    let place = Place::new();
    for (engine, format) in engines()
        .into_iter()
        .flat_map(|engine| [(engine, "vcd"), (engine, "fst")])
        .filter(|pair| *pair != ("embedded", "fst"))
    {
        // Enough for a waveform that is larger than all else that an engine writes, such as the program of Icarus.
        place.write("input", bytes(if format == "fst" { 30_000 } else { 3_000 }));
        let name = format!("{engine}.{format}");
        let trace = place.path(&name);
        let arguments = format!("sim --engine {engine} --trace {name} --events events input");
        let command = || place.runegate(arguments.split_whitespace());
        let before = place.files();
        // The first builds what the second must not write.
        done(&output(&mut command()));
        let whole = std::fs::read(&trace).expect("a waveform");
        assert_eq!(
            place.files().len(),
            before.len() + 2,
            "{name}: and nothing else"
        );
        std::fs::remove_file(place.path("events")).expect("the events");
        for earlier in [true, false] {
            let start = Instant::now();
            let run = output(&mut limited(&command(), whole.len() as u64 / 1024));
            let quoted = format!("{name:?}");
            refused(&run, &["cannot write the trace", &quoted, "make room"]);
            assert!(
                start.elapsed() < Duration::from_secs(60),
                "{name}: it does not hang"
            );
            let mut expected = before.clone();
            if earlier {
                assert!(
                    std::fs::read(&trace).expect("it is there") == whole,
                    "{name}: the earlier one"
                );
                std::fs::remove_file(&trace).expect("it is there");
                continue;
            }
            expected.sort();
            assert_eq!(place.files(), expected, "{name}: no part is left");
        }
    }
}

/// A device that is always full, through a link: it is written in place, and stays.
#[test]
fn a_full_device_is_named() {
    let place = Place::new();
    place.write("input", bytes(3_000));
    symlink("/dev/full", place.path("full.vcd")).expect("a link");
    symlink("/dev/full", place.path("full.fst")).expect("a link");
    symlink("/dev/null", place.path("null.vcd")).expect("a link");
    for engine in engines() {
        let sim = format!("sim --engine {engine} input --trace");
        refuses(
            &place,
            &format!("{sim} full.vcd"),
            &["\"full.vcd\"", "No space left on device", "make room"],
        );
        done(&place.run(&format!("{sim} null.vcd")));
        if engine != "embedded" {
            refuses(
                &place,
                &format!("{sim} full.fst"),
                &["\"full.fst\"", "regular file", ".vcd"],
            );
        }
    }
    for command in ["decode", "sim --engine embedded"] {
        let arguments = format!("{command} --events full.vcd input");
        refuses(
            &place,
            &arguments,
            &["cannot write", "No space left on device", "make room"],
        );
    }
    for device in ["full.vcd", "full.fst", "null.vcd"] {
        assert!(place.path(device).is_symlink(), "{device}");
    }
}

/// A waveform is whole whatever the run finds; through a link it replaces what the link leads to.
#[test]
fn a_waveform_of_a_mismatch_is_whole() {
    let place = Place::new();
    broken_core(&place, 'b');
    place.write("input", "abc");
    symlink("target", place.path("link.vcd")).expect("a link");
    for engine in support::verilog_engines() {
        place.write("target", "what was there before");
        let mut command = place.runegate(["sim", "--engine", engine, "--verilog", "broken core.v"]);
        let run = output(command.args(["--trace", "link.vcd", "input"]));
        assert_eq!(run.status.code(), Some(1), "{}", stderr(&run));
        let text = std::fs::read_to_string(place.path("target")).expect("a waveform");
        assert!(
            text.contains("$enddefinitions") && text.ends_with('\n'),
            "{engine}"
        );
        assert!(place.path("link.vcd").is_symlink());
    }
}

/// An input that is longer or shorter when it is read than when it was opened. The first input is a pipe, which holds the run until
/// the second has changed.
#[test]
fn an_input_that_changes_during_the_run() {
    let place = Place::new();
    let pipe = place.path("pipe");
    let made = Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo").success());
    let lengths = [101, 99, 0, 100];
    for command in ["decode", "sim --engine embedded"] {
        for length in lengths {
            let input = place.write("input", [b'a'; 100]);
            let arguments = format!("{command} --events events pipe input");
            let mut command = place.runegate(arguments.split_whitespace());
            command.stdout(Stdio::piped()).stderr(Stdio::piped());
            let before = place.files();
            let run = command.spawn().expect("the tool runs");
            let writer = std::fs::OpenOptions::new().write(true).open(&pipe);
            let writer = writer.expect("the tool reads it");
            wait_until_open(run.id(), &input);
            if length != 100 {
                std::fs::write(&input, vec![b'a'; length]).expect("a file");
            }
            drop(writer);
            let run = run.wait_with_output().expect("the tool ends");
            if length == 100 {
                done(&run);
                std::fs::remove_file(place.path("events")).expect("the events");
            } else {
                refused(&run, &["\"input\"", "changed during the run", "copy it"]);
                refused(&run, &["100 bytes", &format!("{length} now")]);
                assert_eq!(place.files(), before, "{arguments}, {length} bytes");
            }
        }
    }
}

/// Waits until a process has a file open.
fn wait_until_open(process: u32, file: &Path) {
    let file = file.canonicalize().expect("a file");
    let start = Instant::now();
    loop {
        let open = std::fs::read_dir(format!("/proc/{process}/fd"));
        let mut open = open.expect("the process").flatten();
        if open.any(|entry| std::fs::read_link(entry.path()).is_ok_and(|path| path == file)) {
            return;
        }
        assert!(
            start.elapsed() < Duration::from_secs(60),
            "it does not open {file:?}"
        );
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// A file that the system makes as it is read has no size.
#[test]
fn a_file_without_a_size_is_read() {
    let place = Place::new();
    let run = json(&place.run("decode --json /proc/self/cmdline"));
    let bytes = run["packets"][0]["bytes"].as_u64();
    assert!(bytes > Some(20), "{run}");
}

/// A file whose name is these bytes.
fn file(place: &Place, name: &[u8], content: &[u8]) -> PathBuf {
    let path = place.path(".").join(OsStr::from_bytes(name));
    std::fs::write(&path, content).expect("a file");
    PathBuf::from(OsStr::from_bytes(name))
}

#[test]
fn a_terminal_obeys_no_file_name() {
    let place = Place::new();
    let evil = file(&place, b"a\x1b]0;title\x07\r\xff.txt", b"text");
    let run = |arguments: &[&str], input: &Path| {
        output(&mut place.runegate(arguments.iter().map(OsStr::new).chain([input.as_os_str()])))
    };
    let missing = PathBuf::from(OsStr::from_bytes(b"missing\x1b[2J\xff"));
    let runs = [
        run(&["decode"], &evil),
        run(&["sim", "--engine", "embedded"], &evil),
        run(&["decode"], &missing),
        run(&["sim", "--pcap"], &missing),
        run(&["sim", "--engine", "verilator", "--verilog"], &missing),
        run(&["emit", "--config"], &missing),
        run(&["emit", "--out"], &evil),
        run(&["emit", "--out"], &missing),
    ];
    for run in &runs {
        for said in [stdout(run), stderr(run)] {
            let plain = |c: char| c == '\n' || !c.is_control();
            assert!(said.chars().all(plain), "{said:?}");
        }
    }
    let shown = r"a\u{1b}]0;title\u{7}\r\xff.txt: well-formed";
    for run in &runs[..2] {
        assert!(done(run).contains(shown), "{}", stdout(run));
    }
    assert!(done(&runs[7]).contains(r"missing\u{1b}[2J\xff/utf8_decode_w1.v"));
}

#[test]
fn names_that_are_not_utf8_differ_in_json() {
    let place = Place::new();
    let names = [
        &b"x\xff"[..],
        b"x\xfe",
        "x\u{FFFD}".as_bytes(),
        b"x\xc3\xa9",
    ];
    let files: Vec<PathBuf> = names
        .iter()
        .map(|name| file(&place, name, b"text"))
        .collect();
    let expected = [
        "x\u{FFFD}ff",
        "x\u{FFFD}fe",
        "x\u{FFFD}ef\u{FFFD}bf\u{FFFD}bd",
        "xé",
    ];
    for command in [
        &["decode", "--json"][..],
        &["sim", "--json", "--engine", "embedded"],
    ] {
        let mut command = place.runegate(command);
        let document = json(&output(command.args(&files)));
        let told: Vec<_> = (0..4)
            .map(|packet| document["packets"][packet]["input"].clone())
            .collect();
        assert_eq!(told, expected);
    }
    let mut emit = place.runegate(["emit", "--json", "--out"]);
    let document = json(&output(emit.arg(OsStr::from_bytes(b"out\xff"))));
    assert_eq!(document["files"][0], "out\u{FFFD}ff/utf8_decode_w1.v");
}
