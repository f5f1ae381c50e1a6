//! What a package's core file says is what FuseSoC does: each target, the constraints of each tool, and what a design that depends on the
//! core gets. The generator is in `generator.rs`.

mod generator;

use crate::support::{Place, RUNEGATE, have, output, path_after};
use sim::tools::{COCOTB, ICARUS, Tool, VERILATOR};
use std::path::Path;
use std::process::Output;

const FUSESOC: Tool = Tool {
    name: "FuseSoC",
    programs: &["fusesoc"],
    version_flag: "--version",
    purpose: "runs the core file of a package",
    install: "pip install -r scripts/requirements.txt",
    oldest: "2.4",
};

/// Packages a core as `core` in the folder `package`.
fn package(arguments: &str) -> Place {
    crate::support::package(&format!("--core {arguments}"), "core")
}

/// `fusesoc run`, as a user without a home calls it, who has the tool: all that it writes is in the place.
fn fusesoc(place: &Place, arguments: &str) -> Output {
    let folder = Path::new(RUNEGATE).parent().expect("a folder");
    fusesoc_with(place, arguments, &path_after(folder))
}

/// The same with this PATH.
fn fusesoc_with(place: &Place, arguments: &str, path: &str) -> Output {
    let mut command = std::process::Command::new("fusesoc");
    command
        .args(["--cores-root", ".", "run"])
        .args(arguments.split_whitespace())
        .current_dir(place.path(""))
        .env("PATH", path)
        .env("HOME", "");
    for folder in ["XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"] {
        command.env(folder, place.folder("xdg"));
    }
    for own in ["MAKEFLAGS", "MFLAGS", "MAKELEVEL", "FUSESOC_CORES"] {
        command.env_remove(own);
    }
    output(command.env("COCOTB_LOG_LEVEL", "ERROR"))
}

fn said(output: &Output) -> String {
    let both = [output.stdout.clone(), output.stderr.clone()].concat();
    String::from_utf8_lossy(&both).into_owned()
}

#[track_caller]
fn succeeds(output: &Output) {
    assert_eq!(output.status.code(), Some(0), "{}", said(output));
}

/// Replaces a part of the core that is there once.
fn break_core(place: &Place, good: &str, bad: &str) {
    let path = place.path("package/rtl/core.v");
    let text = std::fs::read_to_string(&path).expect("emitted");
    assert_eq!(text.matches(good).count(), 1, "{good}");
    std::fs::write(&path, text.replace(good, bad)).expect("written");
}

/// The files that FuseSoC has written for a target, and that a user's tool reads, by the ends of their names.
fn project(place: &Place, folder: &str, end: &str) -> String {
    let files = place.files().into_iter();
    let of_project = files.filter(|path| path.starts_with(folder) && path.ends_with(end));
    let texts: Vec<String> = of_project
        .map(|path| std::fs::read_to_string(place.path(&path)).expect("text"))
        .collect();
    assert!(!texts.is_empty(), "no {end} in {folder}");
    texts.concat()
}

#[test]
fn without_a_target_the_core_is_linted() {
    if !have(&FUSESOC) || !have(&VERILATOR) {
        return;
    }
    let place = package("decode --lanes 1");
    succeeds(&fusesoc(&place, "core"));
    succeeds(&fusesoc(&place, "--target lint core"));
    let path = place.path("package/rtl/core.v");
    let text = std::fs::read_to_string(&path).expect("emitted");
    let end = text.rfind("endmodule").expect("a module");
    let (before, after) = text.split_at(end);
    let unread = format!("{before}    wire nobody_reads_it;\n{after}");
    std::fs::write(&path, unread).expect("written");
    let run = fusesoc(&place, "core");
    assert_ne!(run.status.code(), Some(0));
    assert!(said(&run).contains("nobody_reads_it"), "{}", said(&run));
}

#[test]
fn the_sim_target_runs_the_bench_and_sees_a_defect() {
    if !have(&FUSESOC) || !have(&COCOTB) || !have(&ICARUS) {
        return;
    }
    let place = package("decode --lanes 1");
    let results = "build/runegate__core_0.1.0/sim/cocotb/results.xml";
    let results = place.path(&results.replace("0.1.0", env!("CARGO_PKG_VERSION")));
    let run = || {
        let run = fusesoc(&place, "--target sim core");
        let results = std::fs::read_to_string(&results).expect("results");
        let tests = results.matches("<testcase").count();
        assert_eq!(tests, 5, "{}", said(&run));
        (run, results.matches("<failure").count())
    };
    let (good, failures) = run();
    succeeds(&good);
    assert_eq!(failures, 0);
    break_core(
        &place,
        "s8_third_up <= s7_third | s7_fourth;",
        "s8_third_up <= s7_third;",
    );
    let (bad, failures) = run();
    assert_ne!(bad.status.code(), Some(0), "{}", said(&bad));
    assert!(failures > 0);
}

/// Every module of the bench is there, also of a core that has the most of them.
#[test]
fn the_sim_target_has_the_whole_bench() {
    if !have(&FUSESOC) {
        return;
    }
    let place = package("validate --lanes 1 --flows 2 --csr");
    succeeds(&fusesoc(&place, "--setup --target sim core"));
    let mut compared = 0;
    for file in place.files() {
        let Some(within) = file.strip_prefix("package/") else {
            continue;
        };
        let is_bench =
            within.starts_with("cocotb/") || ["rtl/core.v", "rtl/core.json"].contains(&within);
        if !is_bench {
            continue;
        }
        let work = format!(
            "build/runegate__core_{}/sim/{within}",
            env!("CARGO_PKG_VERSION")
        );
        let copied = std::fs::read(place.path(&work)).unwrap_or_default();
        assert_eq!(
            copied,
            std::fs::read(place.path(&file)).expect("a file"),
            "{work}"
        );
        compared += 1;
    }
    assert_eq!(compared, 7);
}

#[test]
fn each_tool_has_its_constraints() {
    if !have(&FUSESOC) {
        return;
    }
    let place = package("decode --lanes 1");
    let all = ["ultrascale_plus.xdc", "intel.sdc", "clock.sdc"];
    for (target, command, constraints) in [
        ("vivado", "read_xdc {", all[0]),
        ("quartus", "SDC_FILE ", all[1]),
        ("diamond", "-format SDC ", all[2]),
    ] {
        succeeds(&fusesoc(
            &place,
            &format!("--setup --target {target} --build-root {target} core"),
        ));
        let project = project(&place, target, ".tcl");
        for file in all {
            let lines = project.lines().filter(|line| line.contains(file));
            let lines: Vec<&str> = lines.collect();
            assert_eq!(
                lines.len(),
                usize::from(file == constraints),
                "{target}: {lines:?}"
            );
            assert!(lines.iter().all(|line| line.contains(command)), "{lines:?}");
        }
    }
}

/// A design that has the core in it gets the Verilog, and neither the bench nor the constraints of a core that is the top.
#[test]
fn a_design_that_depends_on_the_core_gets_its_verilog() {
    if !have(&FUSESOC) || !have(&VERILATOR) {
        return;
    }
    let place = package("decode --lanes 1");
    place.write(
        "design.core",
        "CAPI=2:\nname: ::design:1\nfilesets:\n  rtl:\n    files: [package/templates/instance.v]\n    \
         file_type: verilogSource-2005\n    depend: [runegate::core]\ntargets:\n  default:\n    filesets: [rtl]\n    \
         toplevel: core_instance\n    flow: lint\n    flow_options: {tool: verilator, verilator_options: [-Wall, -Wno-DECLFILENAME]}\n",
    );
    succeeds(&fusesoc(&place, "design"));
    let project = project(&place, "build/design_1", ".vc");
    assert!(project.contains("rtl/core.v"), "{project}");
    for other in [".xdc", ".sdc", ".py"] {
        let files = place.files().into_iter();
        let mut built = files.filter(|path| path.starts_with("build/design_1"));
        assert!(!built.any(|path| path.ends_with(other)), "{other}");
    }
}
