//! The package's IP for Vivado, without Vivado: Yosys reads the wrapper's attributes, and a Tcl interpreter runs the script with stubs
//! (stubs.tcl).

mod attributes;

use crate::support::{Place, done, have, output, piped, stderr, stdout, with};
use attributes::{check, pins};
use serde_json::Value;
use sim::tools::YOSYS;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output};

const CORES: [&str; 7] = [
    "decode --lanes 1",
    "decode --dense --lanes 16 --form free --user-width 7 --beat-error",
    "validate --lanes 16 --csr --beat-error",
    "validate --mode pass --lanes 8 --csr --user-width 64 --id-width 3 --verdict-width 176",
    "validate --lanes 8 --flows 5 --csr --user-width 4",
    "encode --lanes 8 --user-width 7",
    "sanitise --replace ascii --lanes 64 --form free --user-width 7",
];

/// Packages a core as `core` in the folder `package`.
fn package(arguments: &str) -> Place {
    crate::support::package(&format!("--core {arguments}"), "core")
}

fn signature(place: &Place) -> Value {
    crate::support::signature(place, "core")
}

#[test]
fn the_attributes_state_every_interface() {
    if !have(&YOSYS) {
        return;
    }
    for arguments in CORES {
        let place = package(arguments);
        let found = check(&signature(&place), &pins(&place));
        assert_eq!(found, Ok(()), "{arguments}");
        let text = std::fs::read_to_string(place.path("package/ip/core_ip.v")).expect("emitted");
        assert!(text.contains(".rst(~aresetn)"), "active low");
    }
    let place = package(CORES[3]);
    for (good, bad, said) in [
        (
            "m_axis_verdict TDATA",
            "m_axis TDATA",
            "m_axis_verdict_tdata",
        ),
        ("ACTIVE_LOW", "ACTIVE_HIGH", "the reset is"),
        ("s_axis:m_axis:", "s_axis:", "the clock is of"),
        (
            "s_axil, PROTOCOL AXI4LITE",
            "s_axil, PROTOCOL AXI4",
            "s_axil is",
        ),
        (
            "TDATA_NUM_BYTES 22",
            "TDATA_NUM_BYTES 20",
            "m_axis_verdict is",
        ),
        (
            "axis:1.0 s_axis TREADY",
            "axis:1.0 s_axis READY",
            "s_axis_tready",
        ),
    ] {
        let found = |place: &Place| check(&signature(place), &pins(place));
        let found = with(&place, "ip/core_ip.v", good, bad, found).expect_err(bad);
        assert!(found.contains(said), "{found}");
    }
}

/// Whether there is a Tcl interpreter, as [`have`] for a tool.
fn have_tcl() -> bool {
    let is_there = (Command::new("tclsh")
        .stdin(std::process::Stdio::null())
        .output())
    .is_ok();
    let is_required = std::env::var_os("RUNEGATE_REQUIRE_TOOLS").is_some();
    assert!(
        is_there || !is_required,
        "there is no tclsh; apt-get install tcl"
    );
    if !is_there {
        let _ = writeln!(std::io::stderr(), "SKIPPED: Tcl is not installed");
        return false;
    }
    let said = piped(&mut Command::new("tclsh"), b"puts [info tclversion]\n");
    assert!(stdout(&said).starts_with("8.") || stdout(&said).starts_with("9."));
    true
}

/// Runs the script with the stubs.
fn run_script(place: &Place, arguments: &[&str]) -> Output {
    let stubs = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vivado/stubs.tcl");
    output(
        Command::new("tclsh")
            .arg(stubs)
            .arg("package/ip/package_ip.tcl")
            .args(arguments)
            .current_dir(place.path("")),
    )
}

/// The properties that the script is to set of the registers' objects.
fn of_registers(signature: &Value) -> String {
    let mut text = String::new();
    for register in signature["registers"].as_array().into_iter().flatten() {
        let name = register["name"].as_str().expect("a name");
        let place = format!("core/s_axil/reg0/{name}");
        let offset = register["offset"].as_u64().expect("an address");
        let about = register["description"].as_str().expect("text");
        let _ = write!(
            text,
            "register:{place} address_offset {offset:#05x}\nregister:{place} size {}\nregister:{place} description {about}\n",
            register["bits"],
        );
        let access = match register["access"] == "read" {
            true => "read-only",
            false => "read-write",
        };
        let counter = vec![serde_json::json!({"name": name, "offset": 0, "width": 64})];
        for field in register["fields"].as_array().unwrap_or(&counter) {
            let place = format!("field:{place}/{}", field["name"].as_str().expect("a name"));
            let _ = write!(
                text,
                "{place} bit_offset {}\n{place} bit_width {}\n{place} access {access}\n",
                field["offset"], field["width"],
            );
        }
    }
    text
}

#[test]
fn the_script_packages_the_core() {
    if !have_tcl() {
        return;
    }
    for arguments in CORES {
        let place = package(arguments);
        let run = run_script(&place, &[]);
        let said = done(&run);
        let has_registers = arguments.contains("--csr");
        for (line, is_said) in [
            ("fileset:sources_1 top core_ip", true),
            ("core:core name core", true),
            ("bus:core/s_axil slave_memory_map_ref s_axil", has_registers),
            ("block:core/s_axil/reg0 range 4096", has_registers),
            (
                "called ipx::create_xgui_files ipx::update_checksums ipx::check_integrity ipx::save_core close_project",
                true,
            ),
        ] {
            assert_eq!(said.lines().any(|found| found == line), is_said, "{line}");
        }
        let is_of_register =
            |line: &&str| line.starts_with("register:") || line.starts_with("field:");
        let found: Vec<&str> = said.lines().filter(is_of_register).collect();
        assert_eq!(
            found,
            of_registers(&signature(&place)).lines().collect::<Vec<_>>()
        );
        let with_part = run_script(&place, &["xcu250-figd2104-2L-e"]);
        assert_eq!(done(&with_part), said);
    }
    let place = package(CORES[3]);
    for (file, good, bad, said) in [
        (
            "package_ip.tcl",
            "ipx::save_core",
            "ipx::store_core",
            "invalid command",
        ),
        (
            "package_ip.tcl",
            "-import_files",
            "-import",
            "has no option -import",
        ),
        (
            "package_ip.tcl",
            "usage register",
            "use register",
            "no property use",
        ),
        (
            "package_ip.tcl",
            "rtl core.v",
            "rtl cores.v",
            "there is no file",
        ),
        (
            "package_ip.tcl",
            "top core_ip [",
            "top core_vip [",
            "there is no module",
        ),
        (
            "package_ip.tcl",
            "{sticky status}",
            "{sticky status",
            "open brace",
        ),
        (
            "core_ip.v",
            "clock:1.0 aclk",
            "clock:1.0 clk",
            "not found the interface aclk",
        ),
    ] {
        let run = |place: &Place| run_script(place, &[]);
        let run = with(&place, &format!("ip/{file}"), good, bad, run);
        assert_eq!(run.status.code(), Some(1), "{bad}");
        assert!(stderr(&run).contains(said), "{bad}: {}", stderr(&run));
    }
}
