//! Inputs that cannot be read and places that cannot be written: exit code 2, no result, one message that says what is
//! wrong and what to do, and nothing left behind.

use crate::support::{
    self, BROKEN, Place, as_nobody, done, output, refused, refuses, set_mode, stderr,
};

#[test]
fn inputs_that_cannot_be_read() {
    let place = Place::new();
    place.folder("folder");
    for command in ["decode", "sim --engine embedded"] {
        let refuses = |rest: &str, parts: &[&str]| {
            refuses(&place, &format!("{command} --events events {rest}"), parts);
        };
        refuses(
            "missing",
            &[
                "\"missing\"",
                "No such file",
                "name a file that can be read",
            ],
        );
        refuses(
            "folder",
            &["\"folder\"", "is a directory", "name the files in it"],
        );
        refuses(&format!("{BROKEN} missing"), &["\"missing\""]);
        refuses("- -", &["- is named more than once", "name it once"]);
        refuses(
            &format!("--split words {BROKEN}"),
            &["--split", "\"words\"", "whole", "lines"],
        );
    }
}

#[test]
fn words_that_would_be_cut() {
    let place = Place::new();
    place.write("seven", "1234567");
    let command = "sim --engine embedded --core encode --write out";
    let parts = ["\"seven\"", "3 bytes of 4", "add the 1", "or cut these off"];
    refuses(&place, &format!("{command} seven"), &parts);
    let parts = ["--split lines", "--core encode", "leave it out"];
    refuses(&place, &format!("{command} --split lines seven"), &parts);
}

#[test]
fn what_sanitise_cannot_do() {
    let place = Place::new();
    for (arguments, parts) in [
        ("--form free", &["up to three bytes", "--replace ascii"][..]),
        (
            "--replace ascii --signature strip",
            &["keeps its length", "--replace fffd"],
        ),
        ("--signature flag", &["no place for a flag", "choose keep"]),
        (
            "--lanes 32",
            &["at most 16 lanes", "choose --replace ascii"],
        ),
        ("--depth 7", &["depth is 7", "no other depth"]),
        ("--mode pass", &["mode pass", "--core validate"]),
        ("--on-error omit", &["on-error omit", "--core encode"]),
        ("--replace latin1", &["latin1", "fffd", "ascii"]),
    ] {
        refuses(&place, &format!("emit --core sanitise {arguments}"), parts);
    }
    let parts = ["replace ascii", "--core sanitise"];
    refuses(&place, "emit --core validate --replace ascii", &parts);
    let parts = ["--events", "puts out bytes", "--core decode"];
    refuses(&place, "sim --core sanitise --events e -", &parts);
}

#[test]
fn what_rfc2279_cannot_do() {
    let place = Place::new();
    for (arguments, parts) in [
        ("--to utf16le", &["ends at 10FFFF", "--to utf32"][..]),
        ("--core validate --flows 4", &["leave --flows out"]),
        (
            "--core encode --from utf16be",
            &["ends at 10FFFF", "--from utf32"],
        ),
        (
            "--core encode --lanes 16",
            &[
                "--grammar rfc2279",
                "--lanes 16",
                "six bytes a word",
                "at most 8 lanes",
                "choose --lanes 8",
                "more than one core",
                "--grammar rfc3629",
            ],
        ),
        // No other grammar has as many either.
        (
            "--core encode --lanes 32",
            &[
                "--grammar rfc2279",
                "at most 8 lanes",
                "or use more than one core\n",
            ],
        ),
        ("--core sanitise", &["RFC 3629", "--core decode"]),
    ] {
        refuses(
            &place,
            &format!("emit --grammar rfc2279 {arguments}"),
            parts,
        );
    }
    let parts = ["rfc2277", "rfc3629", "rfc2279"];
    refuses(&place, "emit --grammar rfc2277", &parts);
}

#[test]
fn an_input_that_fails_while_it_is_read() {
    let place = Place::new();
    // The first page of a process's memory: it can be opened, and not read.
    for command in ["decode", "sim --engine embedded"] {
        let arguments = format!("{command} --events events {BROKEN} /proc/self/mem");
        refuses(&place, &arguments, &["\"/proc/self/mem\"", "name a file"]);
    }
}

#[test]
fn files_and_folders_without_permission() {
    let place = Place::new();
    set_mode(&place.write("secret", "text"), 0o000);
    set_mode(&place.folder("closed"), 0o555);
    let refuses = |arguments: &str, parts: &[&str]| {
        let command = place.runegate(arguments.split_whitespace());
        let run = output(&mut as_nobody(&place, &command));
        refused(&run, parts);
        assert!(
            !stderr(&run).contains(".tmp"),
            "no name that the user did not give"
        );
        assert!(
            place
                .files()
                .iter()
                .all(|file| !file.starts_with("closed/"))
        );
    };
    let denied = "ermission denied";
    refuses("decode secret", &["\"secret\"", denied, "that can be read"]);
    refuses(
        "emit --config secret",
        &["\"secret\"", denied, "that can be read"],
    );
    refuses("emit --out closed", &["\"closed\"", denied, "--out"]);
    refuses(
        "emit --out closed/new",
        &["\"closed/new\"", denied, "--out"],
    );
    let written = "that can be written";
    refuses(
        "decode --events closed/events runegate",
        &["\"closed/events\"", denied, written],
    );
    refuses(
        "sim --engine embedded --trace closed/trace.vcd runegate",
        &["\"closed/trace.vcd\"", denied, written],
    );
}

#[test]
fn output_folders_that_cannot_be_written() {
    let place = Place::new();
    place.write("file", "");
    place.folder("out/utf8_decode_w1.v");
    place.folder("json/utf8_decode_w1.json");
    for out in ["file", "file/below", "/proc/below"] {
        let remedy = "name a folder that can be written, with --out";
        refuses(
            &place,
            &format!("emit --out {out}"),
            &[&format!("{out:?}"), remedy],
        );
    }
    refuses(
        &place,
        "emit --out out",
        &["\"out\"", "utf8_decode_w1.v", "--out"],
    );
    refuses(
        &place,
        "emit --out json",
        &["\"json\"", "utf8_decode_w1.json", "--out"],
    );
    // What was there before is still whole.
    let mut earlier = place.runegate(["emit", "--out", "json", "--module", "other"]);
    done(&output(&mut earlier));
}

#[test]
fn engines_traces_and_verilog_that_do_not_fit() {
    let place = Place::new();
    place.folder("folder.vcd");
    let sim = |flags: &str, parts: &[&str]| {
        refuses(
            &place,
            &format!("sim --events events {flags} {BROKEN}"),
            parts,
        );
    };
    sim(
        "--engine modelsim",
        &["\"modelsim\"", "verilator, icarus and embedded"],
    );
    sim(
        "--engine embedded --trace run.ghw",
        &["\"run.ghw\"", ".vcd or .fst"],
    );
    sim(
        "--engine embedded --trace run",
        &["\"run\"", ".vcd or .fst"],
    );
    sim(
        "--engine embedded --trace run.fst",
        &["\"run.fst\"", "no FST", ".vcd", "verilator"],
    );
    sim(
        "--engine embedded --verilog a.v",
        &["\"a.v\"", "embedded", "--engine verilator"],
    );
    for engine in support::engines() {
        let engine = format!("--engine {engine}");
        sim(
            &format!("{engine} --trace missing/run.vcd"),
            &["\"missing/run.vcd\"", "No such file", "that can be written"],
        );
        sim(
            &format!("{engine} --trace folder.vcd"),
            &["\"folder.vcd\"", "irectory"],
        );
    }
    for engine in support::verilog_engines() {
        let engine = format!("--engine {engine}");
        sim(
            &format!("{engine} --verilog missing.v"),
            &["\"missing.v\"", "No such file", "that can be read"],
        );
        place.write("other.v", "module other; endmodule\n");
        sim(
            &format!("{engine} --verilog other.v --trace run.vcd"),
            &["failed", "utf8_decode_w1", "runegate doctor"],
        );
    }
}

#[test]
fn events_that_cannot_be_written() {
    let place = Place::new();
    place.folder("folder");
    for command in ["decode", "sim --engine embedded --trace run.vcd"] {
        refuses(
            &place,
            &format!("{command} --events missing/events {BROKEN}"),
            &["\"missing/events\"", "\"missing\"", "that can be written"],
        );
        refuses(
            &place,
            &format!("{command} --events folder {BROKEN}"),
            &["\"folder\"", "is a directory", "that can be written"],
        );
    }
}

#[test]
fn outputs_that_would_overwrite_an_input_or_each_other() {
    let place = Place::new();
    let input = place.write("input", "text");
    let refuses = |arguments: &str, parts: &[&str]| refuses(&place, arguments, parts);
    for command in ["decode", "sim --engine embedded"] {
        let arguments = format!("{command} --events ./input input");
        refuses(
            &arguments,
            &["--events \"./input\"", "read by this run", "another file"],
        );
    }
    refuses(
        "sim --engine embedded --trace x.vcd --events ./x.vcd input",
        &["--trace \"x.vcd\"", "--events names too"],
    );
    assert_eq!(std::fs::read(input).expect("the input"), b"text");
}

/// A link stays a link: the events go where it leads, which may be a terminal or the tool's own standard output.
#[test]
fn events_through_a_link() {
    let place = Place::new();
    let target = place.write(
        "target",
        "what was there before, and is longer than what comes",
    );
    std::os::unix::fs::symlink(&target, place.path("link")).expect("a link");
    place.write("input", "a");
    done(&place.run("decode --quiet --events link input"));
    assert!(place.path("link").is_symlink());
    let events = std::fs::read_to_string(target).expect("the events");
    assert_eq!(events, "{\"packet\":0,\"offset\":0,\"scalar\":97}\n");
}
