//! What is emitted: the text itself, and what other tools say of it.

use crate::dut::{
    all_configs, decoder, everything, flows, have, validator, widest, with_registers,
};
use hdl::config::{Config, Form, Mode, Signature};
use hdl::emit::{Emitted, emit};
use serde_json::Value;
use sim::tools;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;
use tempfile::TempDir;

/// Configurations, what they give, and its Verilog's file.
type All = Vec<(Config, Emitted, PathBuf)>;

/// All configurations, emitted once into a folder.
fn emitted() -> &'static All {
    static ALL: LazyLock<(TempDir, All)> = LazyLock::new(|| {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let emit_one = |config: Config| {
            let text = emit(&config).expect("it can be emitted");
            crate::dut::keep(&config, &text.verilog);
            let files = hdl::emit::files::write(&text.files(&config.module), folder.path())
                .expect("written");
            (config, text, files[0].clone())
        };
        let all = all_configs().into_iter().map(emit_one).collect();
        (folder, all)
    });
    &ALL.1
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&[&output.stdout[..], &output.stderr[..]].concat()).into_owned()
}

/// The whole text of some cores, so that a change of the description or of the emitter is seen in a review.
#[test]
fn the_text_is_as_it_was_reviewed() {
    for (name, config) in [
        ("axis_keep", decoder(1, Form::Axis, Signature::Keep)),
        ("free_strip", decoder(1, Form::Free, Signature::Strip)),
        ("snoop", validator(1, Mode::Snoop, Form::Free)),
    ] {
        let Emitted {
            verilog,
            json,
            file_list,
            registers,
        } = emit(&config).expect("it can be emitted");
        insta::assert_snapshot!(format!("{name}.v"), verilog);
        insta::assert_snapshot!(format!("{name}.json"), json);
        assert_eq!(file_list, format!("{}.v\n", config.module));
        assert!(registers.is_empty());
    }
}

/// The same of what programs are written with.
#[test]
fn the_registers_are_as_they_were_reviewed() {
    let config = with_registers(1, Mode::Snoop, Form::Axis);
    for (end, text) in emit(&config).expect("it can be emitted").registers {
        insta::assert_snapshot!(format!("csr{end}"), text);
    }
    let flows = emit(&flows(2, 4, Form::Axis)).expect("it can be emitted");
    let document = flows.registers.iter().find(|(end, _)| *end == "_regs.md");
    let (_, text) = document.expect("it has one");
    insta::assert_snapshot!("csr_of_flows.md", text);
}

#[test]
fn the_text_is_ascii_reproducible_and_tidy() {
    let all = emitted();
    for (config, text, _) in all {
        if config.lanes == 2 {
            assert_eq!(emit(config).as_ref().ok(), Some(text), "emitted twice");
        }
        let verilog = &text.verilog;
        assert!(verilog.is_ascii());
        assert!(
            verilog.lines().all(|line| line == line.trim_end()),
            "no trailing spaces"
        );
        assert!(
            !verilog.contains('$'),
            "no identifier needs quoting in a constraints file"
        );
        assert!(
            verilog.contains("`default_nettype none") && verilog.contains("`default_nettype wire")
        );
        assert!(verilog.starts_with("// SPDX-License-Identifier: MIT OR Apache-2.0\n"));
        // What does not fit on a line of the header goes on in the next.
        let header = verilog.replace("\n//          ", " ");
        assert!(header.contains(&format!("// Command: {}\n", config.command())));
        let widest = verilog.lines().max_by_key(|line| line.len());
        assert!(widest.is_some_and(|line| line.len() <= 140), "{widest:?}");
        assert!(verilog.contains(&config.hash()));
        for line in verilog.lines().filter(|line| line.starts_with("module ")) {
            let name = line.trim_start_matches("module ").trim_end_matches(" (");
            let own = name == config.module || name.starts_with(&format!("{}_", config.module));
            assert!(own, "{name}: two configurations must be able to coexist");
        }
    }
}

/// Whether a comment says more than the name that it stands beside.
fn says_more(comment: &str, names: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        let words = text.split(|letter: char| !letter.is_alphanumeric());
        let words = words.filter(|word| !word.is_empty());
        words.map(str::to_lowercase).collect()
    };
    let names = words(names);
    words(comment).iter().any(|word| !names.contains(word))
}

/// A register shares the comment of those above it, as in the description.
#[test]
fn every_module_and_every_register_has_a_comment() {
    let mut without = std::collections::BTreeSet::new();
    let all = emitted().iter().map(|(config, ..)| config.clone());
    for config in all.chain(widest()) {
        let verilog = crate::dut::verilog(&config);
        let lines: Vec<&str> = verilog.lines().collect();
        let (mut module, mut comment) = ("", "");
        let mut registers = 0;
        for (index, line) in lines.iter().enumerate() {
            let words = line.trim_start();
            if let Some(words) = words.strip_prefix("// ") {
                comment = words;
            } else if let Some(name) = line.strip_prefix("module ") {
                let above = index.checked_sub(1).map(|above| lines[above]);
                if !above.is_some_and(|it| it.starts_with("// ")) || !says_more(comment, name) {
                    without.insert(line.to_string());
                }
                (module, comment) = (name.trim_start_matches(&config.module), "");
            } else if words.starts_with("reg ") || words.starts_with("output reg ") {
                let (names, beside) = words.split_once(" // ").unwrap_or((words, comment));
                comment = beside;
                if !says_more(comment, names) {
                    without.insert(format!("{module} {words}"));
                }
                registers += 1;
            } else if words.starts_with("input wire")
                || words.starts_with("wire ")
                || words.is_empty()
            {
                comment = "";
            }
        }
        assert!(registers > 20, "{}: {registers}", config.module);
    }
    assert!(without.is_empty(), "without a comment: {without:#?}");
}

/// What a reader has before him. (Lines and modules at most, lines with a comment at least.)
#[test]
fn the_text_is_no_longer_than_a_reader_can_hold() {
    for (config, most_lines, most_modules, least_comments) in [
        (decoder(1, Form::Axis, Signature::Keep), 800, 12, 90),
        (validator(64, Mode::Snoop, Form::Axis), 3000, 45, 200),
        (decoder(64, Form::Axis, Signature::Keep), 3000, 40, 150),
        (flows(64, 1024, Form::Axis), 6000, 100, 400),
    ] {
        let verilog = emit(&config).expect("it can be emitted").verilog;
        let count = |is: &dyn Fn(&str) -> bool| verilog.lines().filter(|line| is(line)).count();
        let lines = verilog.lines().count();
        let modules = count(&|line| line.starts_with("module "));
        let body = verilog
            .split_once("`default_nettype none")
            .expect("a header")
            .1;
        let comments = body.lines().filter(|line| line.contains("//")).count();
        println!(
            "{}: {lines} lines, {modules} modules, {comments} comments",
            config.module
        );
        assert!(lines <= most_lines, "{}: {lines} lines", config.module);
        assert!(modules <= most_modules, "{}: {modules}", config.module);
        assert!(comments >= least_comments, "{}: {comments}", config.module);
    }
}

#[test]
fn the_signature_file_states_the_core() {
    let all = emitted();
    for (config, text, _) in all {
        let json: Value = serde_json::from_str(&text.json).expect("JSON");
        assert_eq!(json["module"], config.module);
        let latency = hdl::emit::latency(config);
        assert_eq!(json["latency"], serde_json::json!(latency.main()));
        assert_eq!(
            json.get("verdict_latency").and_then(Value::as_u64),
            latency.verdict.map(|clocks| clocks as u64)
        );
        assert_eq!(json["initiation_interval"], 1);
        assert_eq!(json["config"]["form"], config.form.to_string());
        assert_eq!(json["config_sha256"], config.hash());
        let ports = json["ports"].as_array().expect("ports");
        for port in ports {
            let name = port["name"].as_str().expect("a name");
            let width = port["width"].as_u64().expect("a width");
            let direction = port["direction"].as_str().expect("a direction");
            let range = if width == 1 {
                String::new()
            } else {
                format!("[{}:0] ", width - 1)
            };
            let declared = format!("    {direction} wire {range}{name}");
            assert!(text.verilog.contains(&declared), "{declared}");
        }
        let count = text
            .verilog
            .split(");")
            .next()
            .unwrap_or_default()
            .matches("put wire")
            .count();
        assert_eq!(count, ports.len());
    }
}

/// A tool says nothing at all about any configuration.
fn assert_silent(program: &str, arguments: &[&str]) {
    let all = emitted();
    for (config, _, file) in all {
        let output = Command::new(program)
            .args(arguments)
            .arg(file)
            .output()
            .expect("it runs");
        let said = said(&output);
        assert!(
            output.status.success() && said.is_empty(),
            "{}: {said}",
            config.module
        );
    }
}

#[test]
fn verilator_has_no_warning() {
    if have(&tools::VERILATOR) {
        assert_silent("verilator", &["--lint-only", "-Wall"]);
    }
}

#[test]
fn icarus_has_no_warning() {
    if have(&tools::ICARUS) {
        assert_silent("iverilog", &["-g2005", "-Wall", "-t", "null"]);
    }
}

/// What Yosys says of a configuration after these commands; none is a warning.
fn yosys(config: &Config, file: &Path, commands: &str) {
    let (folder, module) = (file.parent().expect("a folder"), &config.module);
    let script = format!(
        "read_verilog {module}.v; hierarchy -check -top {module}; proc; check -assert; {commands}"
    );
    // A Yosys of WebAssembly has a /tmp of its own, and sees ours only from inside.
    let output = Command::new(tools::YOSYS.program())
        .current_dir(folder)
        .args(["-q", "-p", &script])
        .output()
        .expect("Yosys runs");
    let said = said(&output);
    assert!(output.status.success(), "{}: {said}", config.module);
    assert!(!said.contains("Warning"), "{}: {said}", config.module);
}

/// No latch, and no path from an input to an output that has no register in it.
#[test]
fn yosys_finds_no_latch_and_no_path_through() {
    if !have(&tools::YOSYS) {
        return;
    }
    // Wider ones are the same description, and take Yosys long.
    let all = emitted().iter();
    for (config, _, file) in all.filter(|(config, ..)| config.lanes <= 8) {
        let latches = "select -assert-none t:$dlatch t:$adlatch t:$dlatchsr";
        let paths = "flatten; select -assert-none i:* %co*:-$dff o:* %i";
        yosys(config, file, &format!("{latches}; {paths}"));
    }
}

#[test]
fn yosys_synthesises_it() {
    if !have(&tools::YOSYS) {
        return;
    }
    let all = emitted();
    // The wide ones take Yosys minutes and have nothing that these do not; those of two lanes have little, and so has each of one lane
    // that its neighbours in the list do not have.
    let (most, step) = if everything() { (2, 1) } else { (1, 3) };
    let narrow = all.iter().filter(|(config, ..)| config.lanes <= most);
    for (config, _, file) in narrow.step_by(step) {
        let synthesis = "synth_ecp5 -nowidelut; select -assert-none t:*LATCH*; select -assert-min 100 t:TRELLIS_FF";
        yosys(config, file, synthesis);
    }
}

/// All configurations in one design: no module of one is another's.
#[test]
fn configurations_coexist() {
    if !have(&tools::ICARUS) {
        return;
    }
    let all = emitted();
    let files = all.iter().map(|(_, _, file)| file);
    let output = Command::new("iverilog")
        .args(["-g2005", "-Wall", "-t", "null"])
        .args(files)
        .output()
        .expect("iverilog runs");
    assert!(
        output.status.success() && said(&output).is_empty(),
        "{}",
        said(&output)
    );
}
