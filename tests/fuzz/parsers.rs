//! What users write by hand, or keep for long: configuration files, shards and their reports, and captures. Each is taken or refused
//! with one message, and nothing panics.

use crate::iterations;
use crate::support::{Place, done, output, refused, stderr};
use bolero::produce;
use std::ops::Range;
use std::sync::LazyLock;

/// Changes of a document: each is a place, how it is changed, and what is there afterwards.
type Changes = Vec<(u16, u8, Vec<u8>)>;

/// What documents are made of, which random bytes would rarely be.
const TOKENS: [&str; 24] = [
    "0",
    "-1",
    "1e999",
    "18446744073709551616",
    "nan",
    "true",
    "null",
    "\"\"",
    "\"decode\"",
    "\"validate\"",
    "\"3/8\"",
    "[]",
    "{}",
    "=",
    "\n",
    "\"",
    "\\",
    "[",
    "{",
    "lanes",
    "count",
    "shard",
    "core",
    "\u{0}",
];

/// How many of them are numbers.
const NUMBERS: usize = 5;

/// Where the words and the numbers of a document are.
fn words(document: &[u8]) -> Vec<Range<usize>> {
    let of_word = |byte: &u8| byte.is_ascii_alphanumeric() || b"._-".contains(byte);
    let mut words = Vec::new();
    let mut at = 0;
    for piece in document.chunk_by(|one, other| of_word(one) == of_word(other)) {
        let end = at + piece.len();
        words.extend(of_word(&piece[0]).then_some(at..end));
        at = end;
    }
    words
}

fn changed(document: &[u8], changes: &Changes) -> Vec<u8> {
    let mut changed = document.to_vec();
    let count = changes.first().map_or(0, |(at, ..)| 1 + at % 3);
    for (at, how, new) in changes.iter().take(count.into()) {
        let (at, mut words) = (usize::from(*at), words(&changed));
        let mut tokens = &TOKENS[..];
        if *how < 128 {
            words.retain(|word| changed[word.start].is_ascii_digit());
            tokens = &TOKENS[..NUMBERS];
        }
        match how / 64 {
            // Most often a number or a word becomes another.
            0..3 if !words.is_empty() => {
                let token = tokens[usize::from(*how) % tokens.len()].as_bytes();
                let word = words[at % words.len()].clone();
                changed.splice(word, token.iter().copied());
            }
            _ => {
                let at = at % (changed.len() + 1);
                let end = changed.len().min(at + usize::from(how % 16));
                changed.splice(at..end, new.iter().take(8).copied());
            }
        }
    }
    changed
}

const CONFIGURATION: &str = "core = \"validate\"\nlanes = 4\nform = \"axis\"\nmode = \"pass\"\nverdict-width = 256\n\
    counter-width = 8\nid-width = 3\nmodule = \"watcher\"\nengine = \"embedded\"\nsplit = \"lines\"\nseed = 7\nidle = 0.25\n\
    idle-burst = 3.0\nstall = 0.5\nlate-last = 0.125\nnull-beats = 0.1\n";

#[test]
fn any_configuration_file_is_read_or_refused() {
    let place = Place::new();
    let refuses = |text: &[u8]| {
        place.write("core.toml", text);
        // There is no input, so that nothing is run: what is refused is the file, or that.
        let run = place.run("sim --config core.toml missing.txt");
        refused(&run, &[]);
        stderr(&run).contains("\"missing.txt\"")
    };
    assert!(refuses(CONFIGURATION.as_bytes()), "it can be read as it is");
    let check = bolero::check!().with_generator(produce::<Changes>());
    check.with_iterations(iterations(200)).for_each(|changes| {
        refuses(&changed(CONFIGURATION.as_bytes(), changes));
    });
}

#[test]
fn any_report_is_merged_or_refused() {
    static REPORT: LazyLock<String> =
        LazyLock::new(|| {
            let place = Place::new();
            done(&place.run(
                "sim --engine embedded --stimulus classes --count 200 --quiet --report r.json",
            ));
            std::fs::read_to_string(place.path("r.json")).expect("a report")
        });
    let place = Place::new();
    let check = bolero::check!().with_generator(produce::<Changes>());
    check.with_iterations(iterations(200)).for_each(|changes| {
        place.write("r.json", changed(REPORT.as_bytes(), changes));
        let run = place.run("sim --merge r.json");
        match run.status.code() {
            // One of them tells of a mismatch.
            Some(0 | 1) => assert!(!stderr(&run).contains("panicked")),
            _ => refused(&run, &["r.json"]),
        }
    });
}

#[test]
fn any_capture_is_run_or_refused() {
    let capture = include_bytes!("../data/traffic.pcap");
    let place = Place::new();
    let check = bolero::check!().with_generator(produce::<Changes>());
    check.with_iterations(iterations(50)).for_each(|changes| {
        place.write("a.pcap", changed(capture, changes));
        let run = place.run("sim --quiet --engine embedded --line-rate 10G --pcap a.pcap");
        match run.status.code() {
            Some(0) => {
                let said = stderr(&run);
                assert!(said.is_empty() || said.starts_with("warning: the capture \"a.pcap\""));
            }
            _ => refused(&run, &["a.pcap"]),
        }
    });
}

#[test]
fn any_shard_is_run_or_refused() {
    let place = Place::new();
    let check = bolero::check!().with_generator(produce::<(u8, u32, u32, Changes)>());
    check
        .with_iterations(iterations(200))
        .for_each(|(how, number, of, changes)| {
            let (number, of) = match how % 4 {
                0 => (number % 8, of % 8),
                1 => (number % 80_000, of % 80_000),
                _ => (*number, *of),
            };
            let shard = changed(
                format!("{number}/{of}").as_bytes(),
                &match how % 2 {
                    0 => Vec::new(),
                    _ => changes.clone(),
                },
            );
            // No argument has a zero.
            let shard: Vec<u8> = shard.into_iter().filter(|&byte| byte != 0).collect();
            let shard = String::from_utf8_lossy(&shard).into_owned();
            let arguments = [
                "sim",
                "--quiet",
                "--engine",
                "embedded",
                "--stimulus",
                "random",
                "--count",
                "100",
            ];
            let mut command = place.runegate(arguments);
            let run = output(command.arg(format!("--shard={shard}")));
            match run.status.code() {
                Some(0) => assert_eq!(stderr(&run), ""),
                _ => refused(&run, &["--shard"]),
            }
        });
}
