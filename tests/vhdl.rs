//! The template for VHDL has the core's pins, and is VHDL.
//!
//! With `RUNEGATE_VHDL=all`, as `make evidence` has it, GHDL analyses it and elaborates it with an entity in the place of the core; and
//! what GHDL makes of it as Verilog is linted with the core's own.

use crate::support::{Place, have, output, package};
use sim::tools::{Tool, VERILATOR};
use std::process::{Command, Output};

const GHDL: Tool = Tool {
    name: "GHDL",
    programs: &["ghdl"],
    version_flag: "--version",
    purpose: "reads the VHDL of a package",
    install: "apt-get install ghdl",
    oldest: "2.0",
};

/// Every kind of port there is.
const CORES: [&str; 8] = [
    "--core decode --lanes 1",
    "--core decode --dense --lanes 4 --form free --user-width 7 --beat-error",
    "--core validate --lanes 2",
    "--core validate --mode pass --lanes 4 --form free --user-width 64",
    "--core validate --mode pass --lanes 8 --csr --user-width 64 --id-width 33 --dest-width 1 --beat-error",
    "--core validate --lanes 8 --flows 5 --csr --user-width 4",
    "--core encode --from utf16le --lanes 2 --beat-error",
    "--core sanitise --lanes 2 --beat-error",
];

/// Names of modules, and whether VHDL takes them as they are.
const NAMES: [(&str, bool); 14] = [
    ("core", true),
    ("structure", true),
    ("a_1_b", true),
    ("a__b", false),
    ("_a", false),
    ("a_", false),
    ("Core", false),
    ("CLK", false),
    ("entity", false),
    ("inherit", false),
    ("restrict_guarantee", false),
    ("std_logic", false),
    ("error", false),
    ("rising_edge", false),
];

fn read(place: &Place, file: &str) -> String {
    std::fs::read_to_string(place.path(&format!("package/{file}"))).expect("a file of the package")
}

/// The ports that the description in JSON has, each as VHDL declares it.
fn declarations(place: &Place, module: &str) -> Vec<String> {
    let signature = crate::support::signature(place, module);
    let ports = signature["ports"].as_array().expect("ports").iter();
    ports
        .map(|port| {
            let name = port["name"].as_str().expect("a name");
            let way = port["direction"]
                .as_str()
                .expect("a direction")
                .replace("put", "");
            match port["width"].as_u64().expect("a width") {
                1 => format!("{name} : {way} std_logic"),
                width => format!("{name} : {way} std_logic_vector({} downto 0)", width - 1),
            }
        })
        .collect()
}

/// The lines of a list in parentheses that begins after this line, without separators.
fn list<'a>(text: &'a str, first: &str) -> Vec<&'a str> {
    let (_, rest) = text
        .split_once(&format!("{first}\n"))
        .unwrap_or_else(|| panic!("{first} in {text}"));
    let lines = rest
        .lines()
        .map(str::trim)
        .skip_while(|line| *line == "port (");
    lines
        .take_while(|line| *line != ");")
        .map(|line| line.trim_end_matches([';', ',']))
        .collect()
}

#[test]
fn the_ports_are_those_of_the_verilog() {
    let judges = has_ghdl();
    for arguments in CORES {
        let place = package(arguments, "core");
        let text = read(&place, "templates/instance.vhd");
        let expected = declarations(&place, "core");
        assert_eq!(list(&text, "    component core"), expected, "{arguments}");
        assert_eq!(list(&text, "entity core_vhdl is"), expected, "{arguments}");
        let names = expected
            .iter()
            .map(|line| line.split_once(' ').expect("a name").0);
        let map: Vec<String> = names.map(|name| format!("{name} => {name}")).collect();
        assert_eq!(list(&text, "        port map ("), map, "{arguments}");
        if judges {
            ghdl_takes(&place, "core", true);
        }
    }
}

#[test]
fn a_name_that_vhdl_does_not_take_is_an_extended_identifier() {
    let judges = has_ghdl();
    for (module, is_plain) in NAMES {
        let place = package("--core validate --csr", module);
        let text = read(&place, "templates/instance.vhd");
        let name = identifier(module, is_plain);
        for line in [format!("    component {name}\n"), format!(" : {name}\n")] {
            assert_eq!(text.matches(&line).count(), 1, "{line}{text}");
        }
        if judges {
            ghdl_takes(&place, module, is_plain);
        }
    }
}

fn identifier(name: &str, is_plain: bool) -> String {
    if is_plain {
        name.to_string()
    } else {
        format!("\\{name}\\")
    }
}

/// Runs GHDL, which succeeds and warns of nothing.
fn ghdl(place: &Place, words: &[&str]) -> Output {
    let run = output(Command::new("ghdl").args(words).current_dir(place.path("")));
    let said = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success() && said.is_empty(), "{words:?}: {said}");
    run
}

/// Whether GHDL judges, too.
fn has_ghdl() -> bool {
    let is_asked = std::env::var("RUNEGATE_VHDL").is_ok_and(|value| value == "all");
    assert!(
        !is_asked || have(&GHDL) && have(&VERILATOR),
        "GHDL and Verilator are needed"
    );
    is_asked
}

/// GHDL elaborates the package's VHDL, and gives Verilog that fits the core.
fn ghdl_takes(place: &Place, module: &str, is_plain: bool) {
    let core = identifier(module, is_plain);
    let text = read(place, "templates/instance.vhd");
    let entity = text
        .lines()
        .find_map(|line| line.strip_prefix("entity ")?.strip_suffix(" is"))
        .expect("an entity");
    // In the place of the Verilog.
    place.write(
        "box.vhd",
        format!(
            "library ieee;\nuse ieee.std_logic_1164.all;\nentity {core} is\n    port ({});\nend entity;\n\
             architecture empty of {core} is\nbegin\nend architecture;\n",
            declarations(place, module).join("; ")
        ),
    );
    for standard in ["--std=93", "--std=08"] {
        let folder = place.folder(standard.trim_start_matches('-'));
        let folder = format!("--workdir={}", folder.display());
        for file in ["box.vhd", "package/templates/instance.vhd"] {
            ghdl(place, &["-a", standard, &folder, file]);
        }
        ghdl(
            place,
            &["-r", standard, "--syn-binding", &folder, entity, "--no-run"],
        );
    }
    let verilog = ghdl(
        place,
        &[
            "--synth",
            "--std=08",
            "-Wno-binding",
            "--out=verilog",
            "package/templates/instance.vhd",
            "-e",
            entity,
        ],
    );
    // GHDL 2.0 writes an extended identifier as VHDL has it; Verilog takes all of these names as they are.
    let verilog = String::from_utf8_lossy(&verilog.stdout).replace('\\', "");
    // The empty module of the core comes first.
    let start = verilog
        .find(&format!("module {module}_vhdl"))
        .expect("a module");
    place.write("instance.v", &verilog[start..]);
    let run = output(
        Command::new("verilator")
            .args(["--lint-only", "-Wall", "-Wno-DECLFILENAME", "instance.v"])
            .arg(format!("package/rtl/{module}.v"))
            .current_dir(place.path("")),
    );
    let said = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success() && said.is_empty(), "{module}: {said}");
}
