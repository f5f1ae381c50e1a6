//! Options, on the command line and in a configuration file: what is refused, and which goes first.

use crate::support::{self, BROKEN, Place, json, output, refused, refuses, stdout};

#[test]
fn numbers_of_lanes_that_no_core_has() {
    let place = Place::new();
    for lanes in ["0", "3", "65"] {
        let lanes_are = format!("lanes is {lanes}");
        for command in ["emit", "sim --engine embedded", "decode --split ladder"] {
            let arguments = format!("{command} --lanes {lanes}");
            refuses(
                &place,
                &arguments,
                &[&lanes_are, "a core has 1", "choose one"],
            );
        }
    }
    for lanes in ["-1", "abc", "1.5", "99999999999999999999999"] {
        refuses(
            &place,
            &format!("emit --lanes {lanes}"),
            &["--lanes", lanes, "choose one of 1"],
        );
    }
}

#[test]
fn names_that_no_core_has() {
    let place = Place::new();
    for (option, allowed) in [("core", "decode"), ("form", "free"), ("signature", "strip")] {
        refuses(
            &place,
            &format!("emit --{option} other"),
            &[&format!("--{option}"), "'other'", allowed],
        );
    }
    let module = |name: &str, reason: &str| {
        let run = output(&mut place.runegate(["emit", "--module", name]));
        refused(
            &run,
            &[
                &format!("{name:?}"),
                reason,
                "use letters, digits and underscores",
            ],
        );
        assert_eq!(place.files(), [""; 0]);
    };
    let long = "m".repeat(129);
    for name in ["", "9a", "a-b", "a b", "a$b", "../a", "é", "a\n"] {
        module(name, "not a simple identifier");
    }
    for name in ["module", "wire", "always_ff", "logic", "priority"] {
        module(name, "reserved word");
    }
    for name in ["clk", "rst", "m_axis_tdata"] {
        module(name, "one of the core's ports");
    }
    module(&long, "longer than 128");
}

#[test]
fn configurations_that_cannot_be_used() {
    let place = Place::new();
    let config = |text: &str, parts: &[&str]| {
        place.write("core.toml", text);
        for command in ["emit", "sim --engine embedded", "decode"] {
            refuses(&place, &format!("{command} --config core.toml"), parts);
        }
    };
    config(
        "lane = 1\n",
        &["\"core.toml\"", "`lane`", "`lanes`", "correct it"],
    );
    config("[core]\nlanes = 1\n", &["\"core.toml\"", "core", "line 2"]);
    config(
        "lanes = \"one\"\n",
        &["\"core.toml\"", "string \"one\"", "a whole number"],
    );
    config("seed = true\n", &["\"core.toml\"", "boolean `true`"]);
    config("lanes = -1\n", &["\"core.toml\"", "-1"]);
    config("lanes = 3\n", &["lanes is 3", "choose one"]);
    config(
        "form = \"loose\"\n",
        &["\"core.toml\"", "`loose`", "`axis` or `free`"],
    );
    config("module = \"reg\"\n", &["\"reg\"", "reserved word"]);
    config("lanes = 1\nlanes = 1\n", &["\"core.toml\"", "line 2"]);
    config("not toml", &["\"core.toml\"", "line 1"]);
    place.write("core.toml", b"\xFF");
    refuses(
        &place,
        "emit --config core.toml",
        &["\"core.toml\"", "valid UTF-8"],
    );
    refuses(
        &place,
        "emit --config missing.toml",
        &["\"missing.toml\"", "No such file", "name a TOML file"],
    );
    refuses(
        &place,
        "emit --config .",
        &["\".\"", "directory", "name a TOML file"],
    );
    place.write("core.toml", "engine = \"fast\"\n");
    refuses(
        &place,
        &format!("sim --config core.toml {BROKEN}"),
        &["\"fast\"", "verilator, icarus and embedded"],
    );
    place.write("core.toml", "split = \"words\"\n");
    refuses(
        &place,
        &format!("decode --config core.toml {BROKEN}"),
        &["\"words\"", "lines"],
    );
    place.write("core.toml", "idle = 2\n");
    refuses(
        &place,
        &format!("sim --config core.toml {BROKEN}"),
        &["--idle is 2", "0 to 0.99"],
    );
}

#[test]
fn a_flag_goes_before_the_configuration() {
    let place = Place::new();
    place.write(
        "core.toml",
        "module = \"from_file\"\nform = \"free\"\nsignature = \"strip\"\nlanes = 3\nseed = 7\nsplit = \"lines\"\nidle = 0.5\n\
         engine = \"embedded\"\n",
    );
    // One file serves all commands: emit takes it with the keys of a simulation in it.
    let emitted =
        json(&place.run("emit --json --config core.toml --lanes 1 --form axis --module from_flag"));
    assert_eq!(emitted["module"], "from_flag");
    assert_eq!(emitted["config"]["form"], "axis");
    assert_eq!(emitted["config"]["signature"], "strip");
    let run = |flags: &str| {
        let run = json(&place.run(&format!(
            "sim --json --config core.toml --lanes 1 {flags} {BROKEN}"
        )));
        let packets = run["packets"].as_array().expect("packets").len();
        (
            run["seed"].as_u64(),
            run["form"].clone(),
            packets,
            run["engine"].clone(),
        )
    };
    let lines = std::fs::read(BROKEN)
        .expect("test data")
        .split(|&byte| byte == b'\n')
        .count();
    assert_eq!(run(""), (Some(7), "free".into(), lines, "embedded".into()));
    assert_eq!(
        run("--seed 8 --form axis --split whole"),
        (Some(8), "axis".into(), 1, "embedded".into())
    );
}

#[test]
fn shares_and_bursts_out_of_range() {
    let place = Place::new();
    for (flags, parts) in [
        ("--idle 1", ["--idle is 1", "0 to 0.99"]),
        ("--idle -0.1", ["--idle is -0.1", "0 to 0.99"]),
        ("--stall -0.1", ["--stall is -0.1", "0 to 0.99"]),
        ("--stall NaN", ["--stall is NaN", "0 to 0.99"]),
        ("--stall inf", ["--stall is inf", "0 to 0.99"]),
        ("--late-last 1.5", ["--late-last is 1.5", "0 to 1"]),
        ("--idle-burst 0.5", ["--idle-burst is 0.5", "1 to 1000000"]),
        ("--stall-burst -2", ["--stall-burst is -2", "1 to 1000000"]),
        (
            "--stall-burst NaN",
            ["--stall-burst is NaN", "1 to 1000000"],
        ),
        ("--idle 0.9 --idle-burst 2", ["--idle 0.9", "0.667"]),
        ("--idle half", ["--idle", "write a number"]),
        ("--seed -1", ["--seed", "choose a whole number"]),
        ("--seed 1.5", ["--seed", "choose a whole number"]),
    ] {
        refuses(
            &place,
            &format!("sim --engine embedded {flags} {BROKEN}"),
            &parts,
        );
    }
}

#[test]
fn no_command_and_unknown_flags() {
    let place = Place::new();
    refuses(&place, "emit --output here", &["--output", "--help"]);
    refuses(&place, "simulate", &["simulate", "--help"]);
    let encodings = ["'utf16'", "--to", "utf32, utf16le, utf16be"];
    refuses(&place, "emit --to utf16", &encodings);
    let help = place.run("");
    assert_eq!(help.status.code(), Some(2));
    assert_eq!(stdout(&help), "");
}

#[test]
fn pauses_that_could_have_no_effect() {
    let place = Place::new();
    let refuses = |flags: &str, parts: &[&str]| {
        let arguments = format!("sim --engine embedded {flags} {BROKEN}");
        support::refuses(&place, &arguments, parts);
    };
    refuses(
        "--form free --stall 0.5",
        &["--stall 0.5", "no tready", "--form axis"],
    );
    refuses(
        "--idle-burst 5",
        &["--idle-burst 5", "--idle is 0", "share above 0"],
    );
    refuses(
        "--stall-burst 5 --stall 0",
        &["--stall-burst 5", "share above 0"],
    );
}
