//! An option that does not act is an error, and no option is taken without an effect. A configuration file is shared: it may have keys
//! that do not act.

use crate::support::{BROKEN, Place, done, json, refused, refuses, stdout};
use std::collections::BTreeSet;

/// Options of the core: every command that builds one has them.
const CORE: &str = "core lanes form signature to dense grammar from on-error replace mode drop-bytes early-bad forbid edges verdict window frames ports verdict-width counter-width flows csr depth beat-error id-width dest-width user-width \
    module config";
/// The clock that a core is for, and the FPGA.
const CLOCK: &str = "clock target part speed nearest";
const OUTPUT: &str = "json quiet";
/// Every command: what it must be given besides options, and the options that act on it. How the tool talks (`--color`, `--verbose`)
/// and `--help` are of all.
const COMMANDS: [(&str, &str, &[&str]); 9] = [
    ("emit", "", &[CORE, OUTPUT, CLOCK, "out package for force"]),
    (
        "sim",
        "missing",
        &[
            CORE,
            OUTPUT,
            CLOCK,
            "engine split events write trace verilog netlist pcap line-rate stimulus count shard report merge coverage coverage-goal",
            "seed idle idle-burst stall stall-burst late-last null-beats sparse resets accesses text",
        ],
    ),
    // The lanes act on a split that depends on them.
    (
        "decode",
        "missing",
        &[OUTPUT, "signature grammar lanes config split events"],
    ),
    ("prove", "", &[CORE, OUTPUT, "timeout verilog"]),
    (
        "synth",
        "",
        &[
            CORE,
            OUTPUT,
            CLOCK,
            "flow seeds ram-registers verilog top clock-pin",
        ],
    ),
    ("bench", "", &[CORE, OUTPUT, "mib"]),
    ("doctor", "", &[OUTPUT]),
    ("completions", "bash", &[]),
    ("man", "", &[OUTPUT, "out"]),
];

/// A value that an option can have; none of a switch.
fn value(option: &str) -> &'static str {
    match option {
        "json" | "quiet" | "force" | "nearest" | "ram-registers" | "dense" | "csr"
        | "beat-error" | "window" | "frames" | "early-bad" => "",
        "core" => "validate",
        "form" => "free",
        "signature" => "strip",
        "to" | "from" => "utf16le",
        "grammar" => "rfc2279",
        "forbid" => "nul",
        "edges" => "open",
        "verdict" => "full",
        "on-error" => "omit",
        "replace" => "ascii",
        "mode" => "pass",
        "drop-bytes" => "100",
        "lanes" | "flows" | "id-width" | "dest-width" | "user-width" => "4",
        "depth" => "min",
        "verdict-width" => "168",
        "counter-width" => "8",
        "module" | "top" | "clock-pin" => "name",
        "engine" => "embedded",
        "split" => "lines",
        "netlist" | "target" => "ecp5",
        "line-rate" => "10G",
        "stimulus" => "random",
        "shard" => "1/2",
        "idle" | "stall" | "late-last" | "null-beats" | "sparse" | "resets" | "accesses" => "0.1",
        "idle-burst" | "stall-burst" | "count" | "seed" | "seeds" | "clock" | "coverage-goal"
        | "timeout" | "mib" => "2",
        "part" => "LFE5U-25F",
        "text" => "random",
        "speed" => "7",
        "flow" => "tuned",
        "for" => "corundum",
        "ports" => "udp:514",
        "config" | "events" | "write" | "trace" | "verilog" | "pcap" | "report" | "merge"
        | "coverage" | "out" | "package" => "file",
        other => panic!("an option without a value to try it with: {other}"),
    }
}

/// The long options that a command's help shows.
fn shown(place: &Place, command: &str) -> BTreeSet<String> {
    let help = place.run(&format!("{command} --help"));
    // What is further in, or after the option and its value, is a text that may mention others.
    let is_option = |line: &&str| line[..line.len().min(7)].trim_start().starts_with('-');
    let lines = done(&help).lines().filter(is_option).map(str::trim_start);
    let heads = lines.filter_map(|line| line.split("  ").next());
    let options = heads.flat_map(|head| head.split([' ', '[', '=', ',']));
    let options = options.filter_map(|word| word.strip_prefix("--"));
    let of_all = ["help", "color", "verbose", "version"];
    options
        .filter(|option| !of_all.contains(option))
        .map(str::to_string)
        .collect()
}

#[test]
fn each_command_has_the_options_that_act_on_it_and_refuses_all_others() {
    let place = Place::new();
    let acting = |of: &[&str]| -> BTreeSet<String> {
        let words = of.iter().flat_map(|words| words.split_whitespace());
        words.map(str::to_string).collect()
    };
    let all: BTreeSet<String> = COMMANDS.iter().flat_map(|(.., of)| acting(of)).collect();
    for (command, given, of) in COMMANDS {
        let acting = acting(of);
        assert_eq!(shown(&place, command), acting, "{command}");
        for option in all.difference(&acting) {
            let written = format!("--{option} {}", value(option));
            let written = written.trim_end();
            let effect = format!("{written} has no effect on {command}");
            refuses(
                &place,
                &format!("{command} {given} {written}"),
                &[&effect, "leave it out"],
            );
        }
    }
}

/// Options that act on the command, but not with what else is asked for.
#[test]
fn no_option_is_taken_without_effect() {
    let place = Place::new();
    let sim = format!("sim --engine embedded {BROKEN}");
    let decode = format!("decode {BROKEN}");
    for (arguments, option, parts) in [
        // The model alone has no lanes, but where a split depends on them.
        (
            &*decode,
            "--lanes 4",
            &["--lanes 4", "decode", "runegate sim"][..],
        ),
        (
            &*decode,
            "--split lines --lanes 4",
            &["--lanes 4", "decode"],
        ),
        (
            "prove grammar",
            "--lanes 4",
            &["--lanes 4", "grammar", "leave it out"],
        ),
        (
            "prove grammar",
            "--csr",
            &["--csr", "grammar", "leave it out"],
        ),
        (
            "prove grammar",
            "--verilog a.v",
            &["\"a.v\"", "grammar", "leave --verilog out"],
        ),
        (
            "synth --target xilinx7",
            "--seeds 3",
            &["--seeds 3", "area", "leave it out"],
        ),
        (
            "synth --target xilinx7",
            "--flow both",
            &["--flow both", "one synthesis", "leave --flow out"],
        ),
        (
            "synth --target xilinx7",
            "--flow tuned",
            &["--flow tuned", "xilinx7"],
        ),
        (
            "synth --target ultrascale+",
            "--part x",
            &["--part \"x\"", "leave --part out"],
        ),
        (
            "synth --target xilinx7",
            "--speed 6",
            &["--speed \"6\"", "leave --speed out"],
        ),
        (
            "synth --target ice40",
            "--speed 6",
            &["--speed \"6\"", "leave --speed out"],
        ),
        (
            "synth --target ice40",
            "--ram-registers",
            &["--ram-registers", "leave it out"],
        ),
        (
            "synth --verilog a.v --top a",
            "--lanes 4",
            &["--lanes", "--verilog"],
        ),
        (
            "synth --verilog a.v --top a",
            "--config a.toml",
            &["--config", "--verilog"],
        ),
        ("synth", "--clock-pin clk", &["--verilog"]),
        ("emit", "--for corundum", &["--package"]),
        ("emit --package p", "--force", &["--force", "--package"]),
        ("emit --package p", "--out o", &["--out", "--package"]),
        (
            "emit --core decode",
            "--mode pass",
            &["mode pass", "choose --core validate"],
        ),
        (
            "emit --core decode",
            "--flows 4",
            &["flows 4", "choose --core validate"],
        ),
        (
            "emit --core validate",
            "--dense",
            &["dense true", "choose --core decode"],
        ),
        (
            "emit --core validate",
            "--signature strip",
            &["signature strip", "choose --core decode"],
        ),
        (
            "emit --lanes 1",
            "--beat-error",
            &["--beat-error", "leave it out"],
        ),
        (&sim, "--line-rate 10G", &["--pcap"]),
        (&sim, "--clock 200", &["--line-rate"]),
        (&sim, "--coverage-goal 90", &["--coverage"]),
        (&sim, "--count 9", &["--count needs", "leave --count out"]),
        (&sim, "--shard 1/2", &["--shard needs", "leave --shard out"]),
        (
            &sim,
            "--report r.json",
            &["--report needs", "leave --report out"],
        ),
        (&sim, "--idle-burst 4", &["--idle-burst 4", "share above 0"]),
        (
            &sim,
            "--stall-burst 4",
            &["--stall-burst 4", "share above 0"],
        ),
        (
            &sim,
            "--form free --stall 0.1",
            &["--stall 0.1", "--form axis"],
        ),
        (
            &sim,
            "--accesses 0.1",
            &["--accesses 0.1", "leave --accesses out"],
        ),
        (
            &sim,
            "--core validate --events e",
            &["--events \"e\"", "leave it out"],
        ),
        (
            &sim,
            "--stimulus random",
            &["--stimulus random", "leave one of them out"],
        ),
        (&sim, "--verilog a.v", &["\"a.v\"", "embedded"]),
        (&sim, "--netlist ecp5", &["--netlist ecp5", "embedded"]),
        (
            "sim --stimulus random",
            "--split whole",
            &["--split whole", "consists of packets"],
        ),
        (
            "sim --stimulus random",
            "--split lines",
            &["--split lines", "consists of packets"],
        ),
        ("sim --merge r.json", "--seed 3", &["--merge", "--seed"]),
        ("sim --merge r.json", "--lanes 4", &["--merge", "--lanes"]),
        (
            "sim --merge r.json",
            "--config a.toml",
            &["--merge", "--config"],
        ),
        (
            "sim --merge r.json",
            "--engine icarus",
            &["--merge", "--engine"],
        ),
    ] {
        refuses(&place, &format!("{arguments} {option}"), parts);
    }
}

/// What is refused of `decode`, one option alone acts on with a split that depends on the lanes.
#[test]
fn lanes_act_on_splits_that_depend_on_them() {
    let place = Place::new();
    let packets = |lanes: &str| {
        let run = json(&place.run(&format!("decode --json --split ladder {lanes} {BROKEN}")));
        run["packets"].as_array().expect("packets").len()
    };
    assert!(packets("--lanes 8") < packets(""));
}

/// One file serves every command, whatever keys it has: it is none that each of them refuses.
#[test]
fn a_shared_file_may_have_keys_that_do_not_act() {
    let place = Place::new();
    place.write(
        "core.toml",
        "core = \"decode\"\nlanes = 4\nform = \"free\"\nseed = 3\nidle = 0.5\nengine = \"embedded\"\nsplit = \"lines\"\n",
    );
    let from_file = done(&place.run(&format!("decode --config core.toml {BROKEN}"))).to_string();
    let written = place.run(&format!("decode --split lines {BROKEN}"));
    assert_eq!(from_file, stdout(&written));
    done(&place.run("emit --config core.toml"));
    // It is taken: what is missing is the tool.
    let nothing = place.folder("nothing");
    for command in ["prove grammar", "synth --target xilinx7", "bench"] {
        let arguments = format!("{command} --config core.toml");
        let mut command = place.runegate(arguments.split_whitespace());
        refused(
            &command.env("PATH", &nothing).output().expect("it runs"),
            &["not installed"],
        );
    }
}
