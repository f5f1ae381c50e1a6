//! What people expect of any command: short options, completions, man pages, colours, groups in the help, and a caret.

use crate::support::{Place, done, have, output, refused, stderr, stdout};
use sim::tools::ICARUS;
use std::process::Command;

#[test]
fn options_that_everybody_knows_are_short() {
    let place = Place::new();
    assert_eq!(done(&place.run("emit -q -o there")), "");
    assert!(place.path("there/utf8_decode_w1.v").is_file());
    assert_eq!(
        done(&place.run("-V")),
        concat!(
            "runegate ",
            env!("CARGO_PKG_VERSION"),
            " (development build)\n"
        )
    );
}

#[test]
fn the_calls_of_tools_are_shown_if_asked_for() {
    if !have(&ICARUS) {
        return;
    }
    let place = Place::new();
    place.write("input", "text");
    let shown = place.run("sim --engine icarus -v input");
    done(&shown);
    for call in ["\"iverilog\" ", "\"vvp\" "] {
        assert!(stderr(&shown).contains(call), "{}", stderr(&shown));
    }
    let hidden = place.run("sim --engine icarus input");
    assert!(!stderr(&hidden).contains("iverilog"), "{}", stderr(&hidden));
}

#[test]
fn shells_complete_commands_options_and_names() {
    let place = Place::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let text = place.run(&format!("completions {shell}"));
        for word in ["emit", "late-last", "stimulus"] {
            assert!(done(&text).contains(word), "{shell}: {word}");
        }
    }
    let script = done(&place.run("completions bash")).to_string();
    for (before, word, after) in [
        ("sim", "--late", "--late-last"),
        ("--to", "utf16", "utf16le utf16be"),
        ("--core", "v", "validate"),
    ] {
        let asked = format!(
            "COMP_WORDS=(runegate sim {before} {word}); COMP_CWORD=3; _runegate runegate {word} {before}; echo \"${{COMPREPLY[@]}}\""
        );
        let run = output(Command::new("bash").args(["-c", &format!("{script}\n{asked}")]));
        assert_eq!(done(&run).trim(), after, "{before} {word}");
    }
    refused(&place.run("completions csh"), &["csh", "bash"]);
}

#[test]
fn every_command_has_a_page_of_the_manual() {
    let place = Place::new();
    done(&place.run("man -o pages"));
    let commands = [
        "", "-emit", "-sim", "-decode", "-prove", "-synth", "-bench", "-doctor",
    ];
    for command in commands {
        let page = std::fs::read_to_string(place.path(&format!("pages/runegate{command}.1")));
        let page = page.unwrap_or_else(|error| panic!("{command}: {error}"));
        assert!(
            page.contains(".TH ") && page.contains(".SH OPTIONS"),
            "{page}"
        );
    }
    refused(&place.run("man -o pages/runegate.1"), &["pages/runegate.1"]);
}

#[test]
fn errors_have_colours_if_these_are_wanted() {
    let place = Place::new();
    // One is clap's, the other our own.
    for wrong in ["emit --no-such", "decode missing"] {
        let plain = place.run(wrong);
        assert!(stderr(&plain).starts_with("error:"), "{}", stderr(&plain));
        for always in ["--color always", "--color=always"] {
            let run = place.run(&format!("{always} {wrong}"));
            assert_eq!(run.status.code(), Some(2));
            let said = stderr(&run);
            assert!(
                said.starts_with("\u{1b}[1m\u{1b}[31merror:\u{1b}[0m"),
                "{said:?}"
            );
        }
        let never = place.run(&format!("--color never {wrong}"));
        assert_eq!(stderr(&never), stderr(&plain));
    }
    refused(&place.run("emit --color pink"), &["pink", "auto", "never"]);
}

#[test]
fn the_help_of_sim_has_groups() {
    let place = Place::new();
    let help = place.run("sim --help");
    let mut rest = done(&help);
    for group in [
        "Options:",
        "A capture as input:",
        "Generated input:",
        "Coverage:",
        "Idles, stalls and resets:",
        "The core:",
        "Output:",
    ] {
        let at = rest.find(&format!("\n{group}\n"));
        rest =
            &rest[at.unwrap_or_else(|| panic!("{group} is not in order in {}", stdout(&help)))..];
    }
}

/// What `sim` writes to a terminal that python3 has made.
fn on_a_terminal(place: &Place, arguments: &str) -> String {
    let tool = place.runegate(arguments.split_whitespace());
    let words = std::iter::once(tool.get_program()).chain(tool.get_args());
    let script =
        "import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))";
    let run = output(
        Command::new("python3")
            .args(["-c", script])
            .args(words)
            .current_dir(place.path("."))
            .env("NO_COLOR", "1"),
    );
    done(&run).replace("\r\n", "\n")
}

#[test]
fn on_a_terminal_an_ill_formed_piece_has_carets() {
    let place = Place::new();
    place.write(
        "a.txt",
        b"first\ngr\xfcn is not UTF-8\n\xe4\xb8\xad \xe2\x82",
    );
    let whole = on_a_terminal(&place, "sim --engine embedded a.txt");
    let first = "    gr\\xfcn is not UTF-8\n      ^^^^ invalid_byte\n";
    assert!(whole.contains(first), "{whole}");
    let lines = on_a_terminal(&place, "sim --engine embedded --split lines a.txt");
    let last = "    \u{4e2d} \\xe2\\x82\n       ^^^^^^^^ truncated_at_end\n";
    assert!(lines.contains(first) && lines.contains(last), "{lines}");
    assert_eq!(lines.matches('^').count(), 12);
    // A pipe has none.
    assert!(!done(&place.run("sim --engine embedded a.txt")).contains('^'));
}
