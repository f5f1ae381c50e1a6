//! The generator of a package: a design gets the cores that its core file describes, and a refusal is in the tool's own words.

use super::{FUSESOC, fusesoc, fusesoc_with, said, succeeds};
use crate::support::{Place, done, have, output};
use serde_json::Value;
use sim::tools::VERILATOR;
use std::process::Command;

/// The core in the page's example: its module and its options.
const VALIDATOR: (&str, &str) = ("my_validator", "--core validate --lanes 8 --csr");
const PARAMETERS: &str = "{core: validate, lanes: 8, csr: true, module: my_validator}";

/// Replaces what is there once.
fn replaced(text: &str, old: &str, new: &str) -> String {
    assert_eq!(text.matches(old).count(), 1, "{old} in {text}");
    text.replace(old, new)
}

/// The core file that the page on packages shows.
fn example() -> String {
    let page = include_str!("../../docs/src/packages.md");
    let mut blocks = page.split("\n```yaml\n").skip(1);
    let block = blocks.next().expect("an example").split("```").next();
    assert!(blocks.next().is_none(), "one example");
    block.expect("the example ends").to_string()
}

/// A folder with this core file, a top module with these cores in it, and of a package only the generator.
fn design(core_file: &str, cores: &[(&str, &str)]) -> Place {
    let place = Place::new();
    done(&place.run("emit --package package --quiet"));
    std::fs::rename(place.path("package/fusesoc"), place.path("library")).expect("moved");
    std::fs::remove_dir_all(place.path("package")).expect("removed");
    place.write("design.core", core_file);
    place.write("top.v", top(&place, cores));
    place
}

/// A module that connects every port of the cores, which are emitted into the folder `direct`.
fn top(place: &Place, cores: &[(&str, &str)]) -> String {
    let (mut pins, mut instances) = (Vec::new(), String::new());
    for (name, options) in cores {
        done(&place.run(&format!(
            "emit {options} --module {name} --out direct --quiet"
        )));
        let text = std::fs::read_to_string(place.path(&format!("direct/{name}.json")));
        let signature: Value = serde_json::from_str(&text.expect("emitted")).expect("JSON");
        let mut connections = Vec::new();
        for port in signature["ports"].as_array().expect("ports") {
            let [port_name, direction] = ["name", "direction"].map(|key| port[key].as_str());
            let (pin, direction) = (port_name.expect("text"), direction.expect("text"));
            let high = port["width"].as_u64().expect("a width") - 1;
            pins.push(format!("{direction} wire [{high}:0] {name}_{pin}"));
            connections.push(format!(".{pin}({name}_{pin})"));
        }
        let connections = connections.join(", ");
        instances += &format!("    {name} {name}_core ({connections});\n");
    }
    format!("module top ({});\n{instances}endmodule\n", pins.join(", "))
}

/// Checks that FuseSoC built the design with a core that is the one that the tool emits.
#[track_caller]
fn has_core(place: &Place, target: &str, instance: &str, module: &str) {
    let built = format!("build/design_1/{target}/src/design-{instance}_1/{module}.v");
    let read = |path: &str| std::fs::read_to_string(place.path(path)).expect("Verilog");
    assert!(
        read(&built) == read(&format!("direct/{module}.v")),
        "{built}"
    );
}

#[test]
fn the_example_on_the_page_is_a_design_that_lints() {
    if !have(&FUSESOC) || !have(&VERILATOR) {
        return;
    }
    let place = design(&example(), &[VALIDATOR]);
    succeeds(&fusesoc(&place, "design"));
    has_core(&place, "default", "utf8", VALIDATOR.0);
    let headers = place.files().into_iter();
    let headers: Vec<_> = headers
        .filter(|path| {
            path.starts_with("build/") && path.ends_with("src/design-utf8_1/my_validator_regs.h")
        })
        .collect();
    assert_eq!(headers.len(), 1, "the registers' header is there");
    // Another core than the top module was written for: the parameters reach the Verilog that is linted.
    place.write("design.core", replaced(&example(), "lanes: 8", "lanes: 4"));
    let run = fusesoc(&place, "design");
    assert_ne!(run.status.code(), Some(0));
    assert!(said(&run).contains("%Warning-WIDTH"), "{}", said(&run));
}

/// Two configurations in one design; and its second target finds nothing of the first one.
#[test]
fn a_design_has_several_cores_and_targets() {
    if !have(&FUSESOC) || !have(&VERILATOR) {
        return;
    }
    let first = ("my_decoder", "--lanes 2 --form free --beat-error");
    let second = ("my_watcher", "--core validate --flows 3");
    let text = replaced(
        &example(),
        PARAMETERS,
        "{lanes: 2, form: free, beat-error: true, module: my_decoder}\n  flows:\n    generator: runegate\n    \
         parameters: {core: validate, flows: 3, module: my_watcher}",
    );
    let text = replaced(&text, "generate: [utf8]", "generate: [utf8, flows]");
    let text = replaced(&text, "  default:", "  default: &default") + "  other: *default\n";
    let place = design(&text, &[first, second]);
    for target in ["default", "other", "default"] {
        let run = fusesoc(&place, &format!("--target {target} design"));
        succeeds(&run);
        assert!(!said(&run).contains("WARNING"), "{}", said(&run));
        has_core(&place, target, "utf8", first.0);
        has_core(&place, target, "flows", second.0);
    }
}

#[test]
fn what_the_tool_refuses_is_reported() {
    if !have(&FUSESOC) {
        return;
    }
    let place = design(&example(), &[]);
    for (parameters, parts) in [
        (
            "{lane: 8}",
            &["lane = 8", "unknown field `lane`", "`lanes`"][..],
        ),
        ("{lanes: 9}", &["lanes is 9", "choose one of those"]),
        (
            "{lanes: \"8\"}",
            &["lanes = \"8\"", "expected a whole number"],
        ),
        ("{lanes: {a: 8}}", &["lanes = {\"a\": 8}", "cannot be used"]),
        ("{csr: true}", &["csr true", "--core validate"]),
        ("{module: 1core}", &["1core"]),
    ] {
        place.write("design.core", replaced(&example(), PARAMETERS, parameters));
        let run = fusesoc(&place, "design");
        let said = said(&run);
        assert_eq!(run.status.code(), Some(1), "{said}");
        for part in parts
            .iter()
            .chain(&["error: ", "Failed to run generator 'utf8'"])
        {
            assert!(said.contains(part), "no {part:?} in: {said}");
        }
        assert!(!said.contains("Traceback"), "{said}");
    }
}

#[test]
fn what_the_generator_lacks_is_reported() {
    if !have(&FUSESOC) {
        return;
    }
    let place = design(&example(), &[]);
    let path = std::env::var_os("PATH").expect("PATH");
    let others = std::env::split_paths(&path).filter(|folder| !folder.join("runegate").exists());
    let others = std::env::join_paths(others).expect("PATH");
    let run = fusesoc_with(&place, "design", others.to_str().expect("text"));
    assert_eq!(run.status.code(), Some(1), "{}", said(&run));
    let reported = "error: the program runegate is not on PATH; ";
    assert!(said(&run).contains(reported), "{}", said(&run));
    // Without the folder of installed packages.
    let program = place.path("library/generator.py");
    let run = output(Command::new("python3").arg("-S").arg(program));
    assert_eq!(run.status.code(), Some(1), "{}", said(&run));
    assert!(
        said(&run).contains("-m pip install PyYAML"),
        "{}",
        said(&run)
    );
}
