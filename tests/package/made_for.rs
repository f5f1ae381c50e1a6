//! `emit --for SHELL`: a package whose core fits the shell, and that has its template only.

use crate::support::{Place, have, json, output, refuses, stderr};
use serde_json::Value;
use sim::tools::VERILATOR;
use std::path::Path;

/// What a package for a shell has: the core's configuration, its templates, and one of its files.
fn package(arguments: &str) -> (Place, Value, Vec<String>) {
    let place = Place::new();
    let run = place.run(&format!(
        "emit {arguments} --module core --package card --json"
    ));
    let report = json(&run);
    assert_eq!(stderr(&run), "", "nothing is missed");
    let templates = place.files().into_iter();
    let templates =
        templates.filter_map(|path| Some(path.strip_prefix("card/templates/")?.to_string()));
    let templates = templates.collect();
    (place, report["config"].clone(), templates)
}

#[test]
fn a_shell_sets_what_its_template_needs() {
    // What is asked for; lanes, tuser, tid and tdest.
    for (arguments, shape) in [
        ("--for corundum", [64, 0, 0, 0]),
        ("--for corundum --lanes 8", [8, 0, 0, 0]),
        ("--for corundum --lanes 16 --form free --csr", [16, 0, 0, 0]),
        // A mark and a time stamp of 96 bits: no port alone has room for them.
        ("--for corundum --mode pass", [64, 64, 33, 0]),
        ("--for corundum --mode pass --user-width 1", [64, 1, 64, 32]),
        ("--for corundum --mode pass --id-width 0", [64, 64, 0, 33]),
        (
            "--for corundum --mode pass --dest-width 64 --csr",
            [64, 33, 0, 64],
        ),
        ("--for opennic", [64, 0, 0, 0]),
        (
            "--for opennic --core validate --mode pass --lanes 64",
            [64, 49, 0, 0],
        ),
        ("--for opennic --mode pass --user-width 48", [64, 48, 1, 0]),
        ("--for litex", [1, 0, 0, 0]),
        (
            "--for litex --mode pass --lanes 4 --user-width 3",
            [4, 3, 0, 0],
        ),
        ("--for taxi --csr", [1, 0, 0, 0]),
        // A mark of a bad frame.
        ("--for taxi --mode pass --lanes 2", [2, 1, 0, 0]),
        ("--for taxi --mode pass --user-width 0", [1, 0, 0, 0]),
    ] {
        let (place, config, templates) = package(arguments);
        assert_eq!(config["core"], "validate");
        let mode = if arguments.contains("pass") {
            "pass"
        } else {
            "snoop"
        };
        assert_eq!(config["mode"], mode, "{arguments}");
        let told =
            ["lanes", "user_width", "id_width", "dest_width"].map(|key| config[key].as_u64());
        assert_eq!(told, shape.map(Some), "{arguments}");
        let shell = arguments.split(' ').nth(1).expect("a shell");
        let template = match shell {
            "litex" => "core_litex.py".to_string(),
            "taxi" => "taxi.sv".to_string(),
            shell => format!("{shell}.v"),
        };
        assert_eq!(templates, [template.as_str()], "{arguments}");
        let sheet = std::fs::read_to_string(place.path("card/README.md")).expect("a data sheet");
        assert!(!sheet.contains("no template"), "{arguments}");
        is_said_first(&place, &template, &sheet);
    }
}

/// What is judged stands first in the template, and in its row of the data sheet.
fn is_said_first(place: &Place, template: &str, sheet: &str) {
    if ["corundum.v", "opennic.v"].contains(&template) {
        let judged = "// Of each Ethernet frame the payload of UDP, and of each TCP segment, is judged; a frame without one passes unmarked.";
        let text = std::fs::read_to_string(place.path(&format!("card/templates/{template}")));
        assert_eq!(text.expect("a template").lines().next(), Some(judged));
        assert!(sheet.contains("only their payloads are judged"), "{sheet}");
        return;
    }
    let judged = "**Whole frames are judged, headers included: of 29,759 real Ethernet frames, 55 are well-formed.**";
    let text = std::fs::read_to_string(place.path(&format!("card/templates/{template}")));
    let text = text.expect("a template");
    let first = text.lines().next().expect("a line");
    assert!(
        first == format!("// {judged}") || first == format!("# {judged}"),
        "{first}"
    );
    let row = format!("\n| `templates/{template}` | {judged} ");
    assert!(sheet.contains(&row), "{row} in {sheet}");
}

#[test]
fn what_contradicts_a_shell_is_refused() {
    let place = Place::new();
    place.write("decoder.toml", "core = \"decode\"\n");
    for (arguments, parts) in [
        (
            "--for corundum --core decode",
            &["--core decode", "--for corundum"][..],
        ),
        ("--for taxi --core decode", &["--core decode", "--for taxi"]),
        (
            "--for litex --config decoder.toml",
            &["--core decode", "--for litex"],
        ),
        ("--for opennic --dense", &["--dense true", "--for opennic"]),
        (
            "--for litex --signature strip",
            &["--signature strip", "--for litex"],
        ),
        (
            "--for corundum --flows 4",
            &["--flows 4", "--for corundum", "number"],
        ),
        ("--for opennic --flows 4", &["--flows 4", "--for opennic"]),
        (
            "--for corundum --lanes 32",
            &["--lanes 32", "--for corundum", "64, 8, 16"],
        ),
        (
            "--for opennic --lanes 8",
            &["--lanes 8", "--for opennic", "lanes: 64"],
        ),
        (
            "--for corundum --user-width 97",
            &["--user-width 97", "--for corundum"],
        ),
        (
            "--for corundum --user-width 9",
            &["--user-width 9", "--for corundum", "snoop"],
        ),
        (
            "--for opennic --id-width 1",
            &["--id-width 1", "--for opennic", "snoop"],
        ),
        (
            "--for opennic --mode pass --form free",
            &["--form free", "--for opennic", "tready"],
        ),
        (
            "--for corundum --mode pass --user-width 9 --id-width 9 --dest-width 9",
            &[
                "--user-width 9",
                "--id-width 9",
                "--dest-width 9",
                "--for corundum",
                "97 bits",
            ],
        ),
        (
            "--for opennic --mode pass --user-width 0",
            &[
                "--user-width 0",
                "--id-width 49",
                "--for opennic",
                "49 bits",
            ],
        ),
        ("--for vivado", &["vivado", "corundum"]),
    ] {
        refuses(&place, &format!("emit {arguments} --package card"), parts);
    }
    refuses(
        &place,
        "emit --for corundum",
        &["--for corundum", "--package DIR"],
    );
    // A folder would not help.
    refuses(
        &place,
        "emit --for corundum --core decode",
        &["--core decode"],
    );
}

/// Of frames nearly all are dropped if their headers are judged.
#[test]
fn a_shell_that_would_drop_all_frames_warns() {
    let place = Place::new();
    let noted = |options: &str| -> bool {
        let arguments = format!(
            "emit --for taxi --mode drop {options} --package p{}",
            options.len()
        );
        let run = place.run(&arguments);
        assert_eq!(run.status.code(), Some(0), "{}", stderr(&run));
        stderr(&run)
            .contains("nearly all are dropped, for their headers are judged, too; add --frames")
    };
    assert!(noted(""));
    assert!(!noted("--lanes 8 --frames"));
}

/// The path into OpenNIC's first register of the reset is exempt where Vivado reads it, by the name that the template has.
#[test]
fn opennic_has_its_constraint() {
    let (place, ..) = package("--for opennic");
    let read = |file: &str| std::fs::read_to_string(place.path(file)).expect("a file");
    let constraint = read("card/constraints/opennic.xdc");
    let lines: Vec<&str> = constraint
        .lines()
        .filter(|line| !line.starts_with('#'))
        .collect();
    let [line] = lines[..] else {
        panic!("one constraint: {constraint}");
    };
    let register = line
        .strip_prefix("set_false_path -to [get_pins -hier -filter {NAME =~ *")
        .and_then(|line| line.strip_suffix("_reg/D}]"));
    let register = register.unwrap_or_else(|| panic!("{line}"));
    let template = read("card/templates/opennic.v");
    assert!(
        template.contains(&format!("    {register} <= aresetn;\n")),
        "{template}"
    );
    assert!(!template.contains("set_false_path") && template.contains("constraints/opennic.xdc"));
    assert!(read("card/README.md").contains("`constraints/opennic.xdc`"));
    // Only of OpenNIC.
    for other in ["--for corundum", "--for litex"] {
        let (place, ..) = package(other);
        assert!(
            !place.path("card/constraints/opennic.xdc").exists(),
            "{other}"
        );
    }
}

#[test]
fn corundum_says_what_to_remove() {
    let (place, ..) = package("--for corundum");
    let template = std::fs::read_to_string(place.path("card/templates/corundum.v"));
    let line = "assign s_axis_sync_rx_tready = m_axis_sync_rx_tready;";
    let template = template.expect("a template");
    let comment = template
        .lines()
        .find(|text| text.contains(line))
        .expect("it is said");
    assert!(comment.starts_with("// "), "{comment}");
}

/// The widths that are set are those that elaboration asks for, and what is split is joined again: no bit is left over.
#[test]
fn what_passes_fits() {
    if !have(&VERILATOR) {
        return;
    }
    let shells = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/shells");
    for (arguments, shell, top, lanes) in [
        (
            "--for corundum --mode pass",
            "corundum",
            "mqnic_app_block",
            64,
        ),
        (
            "--for corundum --mode pass --lanes 8 --user-width 30",
            "corundum",
            "mqnic_app_block",
            8,
        ),
        ("--for opennic --mode pass", "opennic", "p2p_250mhz", 64),
        (
            "--for opennic --mode drop --ports udp:514",
            "opennic",
            "p2p_250mhz",
            64,
        ),
    ] {
        let (place, ..) = package(arguments);
        let run = output(
            super::lint(top)
                .arg("-DHAS_BAD")
                .arg(format!("-DTEMPLATE=core_{shell}_rx"))
                .arg(format!("-DLANES={lanes}"))
                .arg(place.path(&format!("card/templates/{shell}.v")))
                .arg(place.path("card/rtl/core.v"))
                .arg(shells.join(format!("{shell}.v"))),
        );
        let said = String::from_utf8_lossy(&run.stderr).into_owned();
        assert!(
            run.status.success() && said.is_empty(),
            "{arguments}: {said}"
        );
    }
}
