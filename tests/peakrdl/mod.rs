//! The package's SystemRDL in PeakRDL: its C header is ours, its IP-XACT says the same, and its register model drives the core.

use crate::support::{Place, done, have, make, output, stderr, stdout, with};
use serde_json::Value;
use sim::tools::{COCOTB, ICARUS, Tool};
use std::fmt::Write;
use std::path::Path;
use std::process::{Command, Output};

const PEAKRDL: Tool = Tool {
    name: "PeakRDL",
    programs: &["peakrdl"],
    version_flag: "--version",
    purpose: "reads the SystemRDL of a package",
    install: "pip install -r scripts/requirements.txt",
    oldest: "1.5",
};

const CORES: [&str; 3] = [
    "--lanes 4 --counter-width 8",
    "--mode pass --lanes 16 --form free --user-width 64 --id-width 33 --verdict-width 176",
    "--lanes 8 --flows 1000 --user-width 4 --dest-width 9",
];

/// Packages a core with registers as `core` in the folder `package`.
fn package(arguments: &str) -> Place {
    crate::support::package(&format!("--core validate --csr {arguments}"), "core")
}

/// `peakrdl EXPORTER core.rdl`, which has nothing to warn of.
fn peakrdl(place: &Place, exporter: &str, into: &str) {
    let run = output(
        Command::new("peakrdl")
            .args(exporter.split_whitespace())
            .args(["package/registers/core.rdl", "-o", into])
            .current_dir(place.path("")),
    );
    let said = stdout(&run).to_string() + stderr(&run);
    assert!(run.status.success(), "{said}");
    assert!(!said.contains("warning"), "{said}");
}

/// The registers of the signature, with the fields of each; of a counter one of 64 bits.
fn registers(place: &Place) -> Vec<(Value, Vec<Value>)> {
    let signature = crate::support::signature(place, "core");
    let registers = signature["registers"].as_array().expect("registers");
    assert_eq!(registers.len(), 18);
    let counter =
        |name: &Value| serde_json::json!({"name": name, "offset": 0, "width": 64, "reset": 0});
    (registers.iter())
        .map(|register| {
            let fields = register["fields"].as_array().cloned();
            let fields = fields.unwrap_or_else(|| vec![counter(&register["name"])]);
            (register.clone(), fields)
        })
        .collect()
}

fn name(value: &Value) -> &str {
    value["name"].as_str().expect("a name")
}

/// A C file that compiles if the header of PeakRDL and that of the package agree.
fn assertions(place: &Place) -> String {
    let mut text =
        "#include <stddef.h>\n#include \"peakrdl.h\"\n#include \"core_regs.h\"\n".to_string();
    let mut assert = |one: String, other: String| {
        let _ = writeln!(text, "_Static_assert({one} == {other}, \"{one}\");");
    };
    for (register, fields) in registers(place) {
        let ours = format!("CORE_{}", name(&register).to_uppercase());
        let member = format!("core_regs_t, {}", name(&register));
        assert(format!("offsetof({member})"), format!("{ours}_OFFSET"));
        let size = format!("sizeof(((core_regs_t *)0)->{})", name(&register));
        assert(size, format!("{} / 8", register["bits"]));
        for field in fields {
            let end = name(&field).to_uppercase();
            let theirs = format!("CORE_REGS__{}__{end}", name(&register).to_uppercase());
            let of_ours = |what: &str, of_counter: &str| match register["bits"] == 64 {
                true => of_counter.to_string(),
                false => format!("{ours}_{end}_{what}"),
            };
            assert(format!("{theirs}_bm"), of_ours("MASK", "UINT64_MAX"));
            assert(format!("{theirs}_bp"), of_ours("SHIFT", "0"));
            assert(format!("{theirs}_reset"), of_ours("RESET", "0"));
        }
    }
    text + "_Static_assert(sizeof(core_regs_t) <= CORE_WINDOW, \"the window\");\n"
}

/// Whether a C compiler finds that the headers agree, and what it says.
fn headers_agree(place: &Place) -> (bool, String) {
    peakrdl(place, "c-header --type-style hier --std gnu11", "peakrdl.h");
    place.write("assertions.c", assertions(place));
    let run = output(
        Command::new("cc")
            .args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"])
            .args(["-I", "package/registers", "assertions.c"])
            .current_dir(place.path("")),
    );
    (run.status.success(), stderr(&run).to_string())
}

#[test]
fn the_c_header_of_peakrdl_is_ours() {
    if !have(&PEAKRDL) {
        return;
    }
    for arguments in CORES {
        let place = package(arguments);
        let (agree, said) = headers_agree(&place);
        assert!(agree, "{arguments}: {said}");
        // Theirs has nothing that is not compared.
        let theirs = std::fs::read_to_string(place.path("peakrdl.h")).expect("a header");
        let fields: usize = registers(&place)
            .iter()
            .map(|(_, fields)| fields.len())
            .sum();
        assert_eq!(theirs.matches("_bm ").count(), fields, "{arguments}");
    }
    let place = package(CORES[0]);
    for (file, good, bad) in [
        ("core.rdl", "command @ 0x014", "command @ 0x01c"),
        ("core.rdl", "enable[0:0]", "enable[1:1]"),
        (
            "core.rdl",
            "counter_width[15:8] = 0x8",
            "counter_width[15:8] = 0x9",
        ),
        (
            "core_regs.h",
            "CORE_BYTES_OFFSET 0x030u",
            "CORE_BYTES_OFFSET 0x038u",
        ),
        (
            "core_regs.h",
            "SOFT_RESET_MASK 0x00000004u",
            "SOFT_RESET_MASK 0x00000008u",
        ),
        ("core_regs.h", "ENABLE_RESET 0x1u", "ENABLE_RESET 0x0u"),
    ] {
        let (agree, said) = with(
            &place,
            &format!("registers/{file}"),
            good,
            bad,
            headers_agree,
        );
        assert!(
            !agree && said.contains("static assertion failed"),
            "{bad}: {said}"
        );
    }
}

/// What a reader is to find of each field, in SystemRDL and in IP-XACT: by the access, or the name, of its register.
const BEHAVIOURS: [(&str, &str, &str); 5] = [
    ("control", "sw=rw hw=r", "read-write"),
    (
        "command",
        "sw=rw hw=r woset singlepulse",
        "read-write oneToSet volatile",
    ),
    ("status", "sw=r hw=w stickybit hwclr", "read-only volatile"),
    ("counter", "sw=r hw=w", "read-only volatile"),
    ("constant", "sw=r hw=na", "read-only"),
];

/// What tell.py is to say of the SystemRDL, and of the IP-XACT.
fn expected(place: &Place) -> [String; 2] {
    let mut texts = [String::new(), String::new()];
    for (register, fields) in registers(place) {
        let is_named = |of: &&(&str, &str, &str)| of.0 == name(&register);
        let [.., counter, constant] = &BEHAVIOURS;
        let others = if register["bits"] == 64 {
            counter
        } else {
            constant
        };
        let behaviour = BEHAVIOURS[..3].iter().find(is_named).unwrap_or(others);
        let start = format!(
            "{} {} {}",
            name(&register),
            register["offset"],
            register["bits"]
        );
        let _ = writeln!(texts[0], "{start} 32");
        let _ = writeln!(texts[1], "{start}");
        for field in fields {
            let [low, width, reset] = ["offset", "width", "reset"].map(|key| &field[key]);
            let start = format!(" {} {low} {width} {reset}", name(&field));
            let _ = writeln!(texts[0], "{start} {}", behaviour.1);
            let _ = writeln!(texts[1], "{start} {}", behaviour.2);
        }
    }
    texts
}

fn told(place: &Place, file: &str) -> String {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/peakrdl/tell.py");
    let run = output(
        Command::new("python3")
            .arg("-B")
            .arg(script)
            .arg(place.path(file)),
    );
    done(&run).to_string()
}

#[test]
fn systemrdl_and_ip_xact_say_what_the_signature_says() {
    if !have(&PEAKRDL) {
        return;
    }
    for arguments in CORES {
        let place = package(arguments);
        peakrdl(&place, "ip-xact", "core.xml");
        let [rdl, xml] = expected(&place);
        assert_eq!(
            told(&place, "package/registers/core.rdl"),
            rdl,
            "{arguments}"
        );
        assert_eq!(told(&place, "core.xml"), xml, "{arguments}");
    }
    let place = package(CORES[0]);
    for (good, bad, lines) in [
        ("truncated @ 0x068", "truncated @ 0x080", 4),
        ("lanes[7:0] = 0x4", "lanes[7:0] = 0x5", 1),
        (
            "onwrite = woset; singlepulse; hw = r; desc = \"reset",
            "hw = r; desc = \"reset",
            1,
        ),
    ] {
        let found = |place: &Place| {
            peakrdl(place, "ip-xact", "core.xml");
            ["package/registers/core.rdl", "core.xml"].map(|file| told(place, file))
        };
        let found = with(&place, "registers/core.rdl", good, bad, found);
        for (found, expected) in found.iter().zip(expected(&place)) {
            let pairs = found.lines().zip(expected.lines());
            let differ = pairs.filter(|(found, expected)| found != expected);
            assert_eq!(differ.count(), lines, "{bad}: {found}");
        }
    }
}

/// Runs register_model.py in the package's cocotb bench, with the model that PeakRDL-python makes.
fn run_model(place: &Place) -> (Output, String) {
    peakrdl(
        place,
        "python --async --skip_test_case_generation",
        "package/cocotb",
    );
    let bench = "tests/peakrdl/register_model.py";
    let bench = Path::new(env!("CARGO_MANIFEST_DIR")).join(bench);
    let folder = place.path("package/cocotb");
    std::fs::copy(bench, folder.join("register_model.py")).expect("a copy");
    let mut command = make(&folder);
    command.arg("COCOTB_TEST_MODULES=register_model");
    let output = output(command.env("COCOTB_LOG_LEVEL", "ERROR"));
    let results = std::fs::read_to_string(folder.join("results.xml"));
    (output, results.unwrap_or_default())
}

#[test]
fn the_register_model_drives_the_core() {
    if !have(&PEAKRDL) || !have(&COCOTB) || !have(&ICARUS) {
        return;
    }
    let place = package(CORES[0]);
    let (good, results) = run_model(&place);
    assert!(good.status.success(), "{}", stdout(&good));
    assert_eq!(results.matches("<testcase").count(), 5, "{}", stdout(&good));
    assert_eq!(results.matches("<failure").count(), 0);
    for (file, good, bad, failures) in [
        ("registers/core.rdl", "bytes @ 0x030", "bytes @ 0x078", 2),
        ("registers/core.rdl", "enable[0:0]", "enable[1:1]", 2),
        (
            "rtl/core.v",
            "b_refused <= refused;",
            "b_refused <= 1'b0;",
            1,
        ),
    ] {
        let (run, results) = with(&place, file, good, bad, run_model);
        assert!(!run.status.success(), "{bad}");
        assert_eq!(results.matches("<failure").count(), failures, "{bad}");
    }
}
