//! `sim --write`: the octets that the hardware sent, in a file.

use crate::support::{self, BROKEN, MANY_SCRIPTS, Place, done, refused, refuses};
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;

/// What a lossy decoder makes of the files, as text.
fn lossy(files: &[&str]) -> String {
    let bytes: Vec<u8> = (files.iter())
        .flat_map(|file| std::fs::read(file).expect("a file"))
        .collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

fn utf16(text: &str, octets: fn(u16) -> [u8; 2]) -> Vec<u8> {
    text.encode_utf16().flat_map(octets).collect()
}

#[test]
fn what_a_decoder_sends_is_the_lossy_text_in_its_encoding() {
    let place = Place::new();
    // Some of each script, from its lines' beginnings.
    let all = std::fs::read_to_string(MANY_SCRIPTS).expect("test data");
    let some = all
        .lines()
        .map(|line| line.chars().take(12).collect::<String>());
    place.write("scripts", some.collect::<Vec<_>>().join("\n"));
    let scripts = place.path("scripts");
    let scripts = scripts.to_str().expect("a path in UTF-8");
    let text = lossy(&[scripts, BROKEN]);
    let utf32: Vec<u8> = text
        .chars()
        .flat_map(|scalar| u32::from(scalar).to_le_bytes())
        .collect();
    let [little, big] = [u16::to_le_bytes, u16::to_be_bytes].map(|octets| utf16(&text, octets));
    for (number, (core, expected)) in [
        ("--to utf16le", &little),
        (
            "--to utf16le --lanes 4 --idle 0.3 --stall 0.4 --null-beats 0.2",
            &little,
        ),
        ("--to utf16be --lanes 8 --dense --stall 0.3", &big),
        ("--to utf16be --lanes 2 --form free --depth min", &big),
        ("--lanes 8", &utf32),
    ]
    .into_iter()
    .enumerate()
    {
        let file = number.to_string();
        done(&place.run(&format!(
            "sim --engine embedded {core} --write {file} scripts {BROKEN}"
        )));
        let written = std::fs::read(place.path(&file)).expect("what it has sent");
        assert!(written == *expected, "{core}");
    }
}

/// The core's words, whatever their values: no text is made of them.
#[test]
fn what_a_decoder_of_rfc_2279_sends_are_words_of_31_bits() {
    let place = Place::new();
    let packet = b"\xFD\xBF\xBF\xBF\xBF\xBFA\xF8\x88\x80\x80\x80\xFE";
    std::fs::write(place.path("in"), packet).expect("a file");
    for core in ["", "--lanes 8 --dense --stall 0.3"] {
        done(&place.run(&format!(
            "sim --engine embedded --grammar rfc2279 {core} --write out in"
        )));
        let written = std::fs::read(place.path("out")).expect("what it has sent");
        let words = [0x7FFF_FFFF, 0x41, 0x20_0000, 0xFFFD_u32];
        assert_eq!(written, words.map(u32::to_le_bytes).concat(), "{core}");
        std::fs::remove_file(place.path("out")).expect("the file");
    }
}

#[test]
fn what_a_sanitiser_sends_is_the_repaired_text() {
    let place = Place::new();
    let text = lossy(&[BROKEN]);
    let bytes = std::fs::read(BROKEN).expect("a file");
    let marks =
        |chunk: std::str::Utf8Chunk| chunk.valid().to_string() + &"?".repeat(chunk.invalid().len());
    let ascii: String = bytes.utf8_chunks().map(marks).collect();
    for (number, (core, expected)) in [
        ("", &text),
        ("--lanes 2 --signature strip --idle 0.3 --stall 0.4", &text),
        (
            "--replace ascii --lanes 4 --form free --null-beats 0.2",
            &ascii,
        ),
    ]
    .into_iter()
    .enumerate()
    {
        let file = number.to_string();
        done(&place.run(&format!(
            "sim --engine embedded --core sanitise {core} --write {file} {BROKEN}"
        )));
        let written = std::fs::read(place.path(&file)).expect("what it has sent");
        assert!(written == expected.as_bytes(), "{core}");
    }
}

#[test]
fn what_passes_is_written_as_it_came() {
    let place = Place::new();
    let core = "--core validate --mode pass --lanes 2 --stall 0.3";
    done(&place.run(&format!(
        "sim --engine embedded {core} --write passed {BROKEN}"
    )));
    let [passed, came] =
        [place.path("passed"), BROKEN.into()].map(|file| std::fs::read(file).expect("a file"));
    assert_eq!(passed, came);
}

/// The file is the hardware's, and not the model's.
#[test]
fn a_bug_in_the_core_is_in_what_is_written() {
    let place = Place::new();
    let core = "--to utf16le --form free --module core";
    done(&place.run(&format!("emit {core} --out . --quiet")));
    let verilog = std::fs::read_to_string(place.path("core.v")).expect("Verilog");
    let wrong = verilog.replace("s8_for_7 <= (", "s8_for_7 <= ~(");
    assert_ne!(wrong, verilog);
    place.write("wrong.v", wrong);
    place.write("text", "a\u{10FFFF}b");
    for engine in support::verilog_engines() {
        let run = |verilog: &str| {
            let file = format!("{engine}_{verilog}");
            let run = place.run(&format!(
                "sim --engine {engine} {core} --verilog {verilog} --write {file} text"
            ));
            let written = std::fs::read(place.path(&file)).expect("what it has sent");
            (run.status.code(), written)
        };
        assert_eq!(
            run("core.v"),
            (Some(0), utf16("a\u{10FFFF}b", u16::to_le_bytes))
        );
        // What the core has sent until it went wrong.
        assert_eq!(run("wrong.v"), (Some(1), utf16("a", u16::to_le_bytes)));
    }
}

/// Standard output is one place, whoever writes there and whatever was there before; and a file stays as private as it was.
#[test]
fn what_was_at_the_place_is_respected() {
    let place = Place::new();
    place.write("text", "h\u{e9}");
    let octets = utf16("h\u{e9}", u16::to_le_bytes);
    for to in ["-", "/dev/stdout"] {
        let shown = place.write("shown", "before");
        let file = std::fs::File::options()
            .append(true)
            .open(&shown)
            .expect("a file");
        let arguments = format!("sim --engine embedded --to utf16le --write {to} text");
        let mut command = place.runegate(arguments.split_whitespace());
        assert!(
            command
                .stdout(file)
                .status()
                .expect("the tool runs")
                .success()
        );
        let shown = std::fs::read(shown).expect("what was shown");
        assert!(
            shown.starts_with(&[b"before", &octets[..]].concat()),
            "{to}"
        );
        assert!(shown.ends_with(b"0 mismatches\n"), "{to}");
    }
    let private = place.write("private", "before");
    std::fs::set_permissions(&private, Permissions::from_mode(0o600)).expect("its owner's");
    done(&place.run("sim --engine embedded --to utf16le --write private text"));
    assert_eq!(std::fs::read(&private).expect("a file"), octets);
    let mode = private.metadata().expect("a file").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn what_cannot_be_written_is_refused() {
    refused(
        &Place::new().run(&format!("sim --engine embedded --write /dev/full {BROKEN}")),
        &["octets", "/dev/full", "make room"],
    );
    for (options, said) in [
        (
            "--core validate",
            &["--write", "only watches a stream", "--mode pass"][..],
        ),
        (
            "--resets 0.1",
            &["--write", "--resets 0.1", "writes all of each packet"],
        ),
        (
            "--events ./octets",
            &["--events", "--write", "another file"],
        ),
        ("--write", &["cannot be used multiple times"]),
    ] {
        let place = Place::new();
        refuses(
            &place,
            &format!("sim --write octets {options} {BROKEN}"),
            said,
        );
    }
}
