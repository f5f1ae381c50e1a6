//! A package does what its data sheet says: every file is there, benches run, templates fit their shells.

mod grammar;
mod made_for;
mod place;

use crate::support::{Place, done, have, have_litex, json, make, output, refused, stderr};
use sim::tools::{CXX, ICARUS, VERILATOR};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// Cores with every template there is, and those that have fewer.
const CORES: [&str; 15] = [
    "--core decode --lanes 1",
    "--core decode --dense --lanes 16 --form free --user-width 7 --beat-error",
    "--core validate --lanes 64",
    "--core validate --lanes 2 --form free --id-width 4",
    "--core validate --mode pass --lanes 64 --user-width 64 --id-width 42",
    "--core validate --mode pass --lanes 64 --form free --user-width 64",
    "--core validate --mode pass --lanes 8",
    "--core validate --lanes 64 --csr --beat-error",
    "--core validate --mode pass --lanes 8 --csr --user-width 64 --id-width 33 --beat-error",
    "--core validate --lanes 8 --flows 5 --csr --user-width 4",
    "--core encode --lanes 8 --user-width 7",
    "--core encode --from utf16be --lanes 2 --on-error omit --beat-error",
    "--core sanitise --signature strip --lanes 2 --user-width 7",
    "--core sanitise --replace ascii --frames --lanes 8 --beat-error",
    "--core decode --grammar rfc2279 --lanes 2 --user-width 7",
];
const WITH_CORUNDUM: [usize; 5] = [2, 3, 4, 7, 8];
const WITH_OPENNIC: [usize; 3] = [2, 4, 7];

/// Packages a core as `core` in the folder `package`.
fn package(arguments: &str) -> Place {
    crate::support::package(arguments, "core")
}

/// The package of one of the cores: every test only reads it, so it is made once.
fn of_core(index: usize) -> &'static Place {
    static PLACES: [OnceLock<Place>; CORES.len()] = [const { OnceLock::new() }; CORES.len()];
    PLACES[index].get_or_init(|| package(CORES[index]))
}

fn read(place: &Place, file: &str) -> String {
    let path = place.path(&format!("package/{file}"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path:?}: {error}"))
}

/// The command that lints a design with this top, without its warnings about pins left open and about file names.
fn lint(top: &str) -> Command {
    let mut lint = Command::new("verilator");
    lint.args([
        "--lint-only",
        "-Wall",
        "-Wno-PINCONNECTEMPTY",
        "-Wno-DECLFILENAME",
    ]);
    lint.args(["--top-module", top]);
    lint
}

/// Runs a command, which succeeds and warns of nothing.
fn is_silent(command: &mut Command) {
    let output = output(command);
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    assert!(
        output.status.success() && said.is_empty(),
        "{command:?}:\n{said}"
    );
}

#[test]
fn the_data_sheet_tells_of_every_file_and_port() {
    for (index, arguments) in CORES.into_iter().enumerate() {
        let place = of_core(index);
        let sheet = read(place, "README.md");
        let is_file = |path: &&String| place.path(path).is_file();
        for file in place.files().iter().filter(is_file) {
            let file = file
                .strip_prefix("package/")
                .expect("all is in the package");
            let is_told = file == "README.md" || sheet.contains(file);
            assert!(is_told, "{file} of {arguments}");
        }
        let signature = crate::support::signature(place, "core");
        for port in signature["ports"].as_array().expect("ports") {
            let cells = format!(
                "| `{}` | {} |",
                port["name"].as_str().expect("a name"),
                port["width"]
            );
            assert!(sheet.contains(&cells), "{cells} of {arguments}");
            let name = port["name"].as_str().expect("a name");
            // A bus that rests has no waves.
            if name.starts_with("s_axil_") {
                continue;
            }
            let label = format!(">{name}</text>");
            assert!(
                read(place, "timing.svg").contains(&label),
                "{name} of {arguments}"
            );
        }
    }
}

#[test]
fn the_tool_tells_of_every_file() {
    let place = Place::new();
    let report = json(&place.run("emit --core validate --lanes 64 --package card --json"));
    let told: Vec<&str> = (report["files"].as_array().expect("files").iter())
        .map(|file| file.as_str().expect("a path"))
        .collect();
    let there = place.files();
    let there: Vec<&String> = there
        .iter()
        .filter(|path| place.path(path).is_file())
        .collect();
    assert_eq!(told.len(), there.len());
    assert!(
        there.iter().all(|path| told.contains(&path.as_str())),
        "{told:?}"
    );
}

/// The diagram is that of a simulation: the first event is where the latency says.
#[test]
fn the_diagram_is_of_the_core() {
    let lanes_1 = read(of_core(0), "timing.svg");
    // The text's bytes and scalar values of both packets, and the U+FFFD of the second one, of one lane; no beat twice.
    for (value, times) in [("C3", 2), ("\u{2026}0E9", 2), ("FF", 1), ("\u{2026}FFD", 1)] {
        let label = format!(">{value}</text>");
        assert_eq!(lanes_1.matches(&label).count(), times, "{value}");
    }
    // Bytes of units, of two lanes: those of both packets, and the last one of the second, in which the ill-formed unit is omitted.
    let encoded = read(of_core(11), "timing.svg");
    for (value, times) in [("A9C3", 2), ("82E2", 2), ("41AC", 2), ("0041", 1)] {
        let label = format!(">{value}</text>");
        assert_eq!(encoded.matches(&label).count(), times, "{value}");
    }
    // A flow whose message is ill-formed, and none else, is said to be so with each of its beats.
    let flows = read(of_core(9), "timing.svg");
    for (value, times) in [("01", 2), ("00", 2), ("\u{2026}00C", 1), ("\u{2026}00D", 1)] {
        let label = format!(">{value}</text>");
        assert_eq!(flows.matches(&label).count(), times, "{value}");
    }
}

/// An encoder's kinds are the model's, in the description and in the data sheet, and its verdict counts words.
#[test]
fn an_encoder_has_its_own_kinds_and_verdict() {
    use golden::encode::Fault;
    for (index, faults) in [
        (10, vec![Fault::None, Fault::Surrogate, Fault::TooLarge]),
        (
            11,
            vec![
                Fault::None,
                Fault::UnpairedLow,
                Fault::UnpairedHigh,
                Fault::UnpairedHighAtEnd,
            ],
        ),
    ] {
        let place = of_core(index);
        let signature = crate::support::signature(place, "core");
        let stated = signature["kinds"].as_array().expect("kinds").iter();
        let stated: Vec<Option<&str>> = stated.map(|kind| kind.as_str()).collect();
        let mut expected = [None; 8];
        for fault in &faults {
            expected[usize::from(fault.code())] = Some(fault.name());
        }
        assert_eq!(stated, expected);
        let rows = faults.iter();
        let rows = rows.map(|fault| format!("| {} | `{}` |\n", fault.code(), fault.name()));
        let sheet = read(place, "README.md");
        let table = format!("| code | kind |\n|---|---|\n{}\n", rows.collect::<String>());
        assert!(sheet.contains(&table), "{table} in {sheet}");
        let comment = faults
            .iter()
            .map(|fault| format!("{} {}", fault.code(), fault.name()));
        let comment = format!("// Kinds:   {}\n", comment.collect::<Vec<_>>().join(", "));
        assert!(read(place, "rtl/core.v").contains(&comment), "{comment}");
        let fields = signature["verdict"].as_array().expect("fields").iter();
        let names: Vec<&str> = fields
            .map(|field| field["name"].as_str().expect("a name"))
            .collect();
        assert_eq!(
            names,
            [
                "bytes",
                "valid_up_to",
                "words",
                "ill_formed",
                "well_formed",
                "kind",
                "bytes_saturated",
                "valid_up_to_saturated",
                "words_saturated",
                "ill_formed_saturated",
            ]
        );
        assert!(sheet.contains("| 95:64 | `words` |\n"), "{sheet}");
    }
}

#[test]
fn the_templates_are_silent_in_their_shells() {
    if !have(&VERILATOR) || !have(&ICARUS) {
        return;
    }
    for (index, arguments) in CORES.into_iter().enumerate() {
        let place = of_core(index);
        let shells = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/shells");
        let signature = crate::support::signature(place, "core");
        let lanes = &signature["config"]["lanes"];
        let passes = signature["config"]["mode"] == "pass";
        let mut templates = vec![
            ("core_instance", "instance.v", None),
            ("core_aclk", "aclk.v", None),
            ("core_ip", "../ip/core_ip.v", None),
        ];
        if WITH_CORUNDUM.contains(&index) {
            templates.push(("core_corundum_rx", "corundum.v", None));
            templates.push((
                "core_corundum_rx",
                "corundum.v",
                Some(("mqnic_app_block", "corundum.v")),
            ));
        }
        if WITH_OPENNIC.contains(&index) {
            templates.push((
                "core_opennic_rx",
                "opennic.v",
                Some(("p2p_250mhz", "opennic.v")),
            ));
        }
        let there = place.files();
        for (shell, indices) in [
            ("corundum.v", &WITH_CORUNDUM[..]),
            ("opennic.v", &WITH_OPENNIC),
        ] {
            let is_there = there.contains(&format!("package/templates/{shell}"));
            assert_eq!(is_there, indices.contains(&index), "{shell} of {arguments}");
        }
        for (template, file, shell) in templates {
            let mut files: Vec<PathBuf> = vec![
                place.path(&format!("package/templates/{file}")),
                place.path("package/rtl/core.v"),
            ];
            files.extend(shell.map(|(_, file)| shells.join(file)));
            let top = shell.map_or(template, |(module, _)| module);
            let mut defines = vec![format!("-DTEMPLATE={template}"), format!("-DLANES={lanes}")];
            if passes {
                defines.push("-DHAS_BAD".to_string());
            }
            if signature["registers"].is_array() {
                defines.push("-DHAS_REGISTERS".to_string());
            }
            if signature["config"]["beat_error"] == true {
                defines.push("-DHAS_BEAT_ERROR".to_string());
            }
            is_silent(lint(top).args(&defines).args(&files));
            is_silent(
                Command::new("iverilog")
                    .args(["-g2005", "-Wall", "-s", top, "-o", "/dev/null"])
                    .args(&defines)
                    .args(&files),
            );
        }
    }
}

/// A template that is not there is missed in words: on standard error, and in the data sheet.
#[test]
fn what_a_shell_would_take_is_told() {
    for (arguments, shell, parts) in [
        ("--lanes 8", "OpenNIC", ["64 lanes", "--lanes 64"]),
        (
            "--mode pass --lanes 64",
            "Corundum",
            ["1 bit or more", "in tuser"],
        ),
        (
            "--mode pass --lanes 64 --form free --user-width 64",
            "Corundum",
            ["tready", "--form axis"],
        ),
        (
            "--mode pass --lanes 64 --user-width 40 --id-width 8",
            "OpenNIC",
            ["49 bits or more", "room for 48"],
        ),
    ] {
        let place = Place::new();
        let run = place.run(&format!(
            "emit --core validate {arguments} --module core --package package"
        ));
        done(&run);
        let start = format!("here is no template for {shell}: ");
        for text in [stderr(&run).to_string(), read(&place, "README.md")] {
            let lines = text.lines().filter_map(|line| line.split_once(&start));
            let why: Vec<&str> = lines.map(|(_, why)| why).collect();
            assert_eq!(why.len(), 1, "{text}");
            assert!(parts.iter().all(|part| why[0].contains(part)), "{why:?}");
        }
    }
    let all = "--core validate --lanes 64 --module core --package package";
    let run = Place::new().run(&format!("emit {all}"));
    assert_eq!(stderr(&run), "", "there are all templates");
}

/// OpenNIC's reset is of another clock: it reaches the core from the second of two registers.
#[test]
fn the_reset_of_opennic_is_synchronised() {
    if !have(&ICARUS) {
        return;
    }
    let place = package("--core validate --lanes 64");
    let bench = "module bench;\n    reg aclk = 0, aresetn = 0;\n    integer clock;\n\
                 core_opennic_rx box (.aclk(aclk), .aresetn(aresetn));\n    initial begin\n        \
                 for (clock = 0; clock < 20; clock = clock + 1) begin\n            \
                 #1 aresetn = (clock >= 4) & (clock < 10);\n            #4 aclk = 1;\n            \
                 #1 $display(\"%0d %b\", clock, box.core.rst);\n            #4 aclk = 0;\n        end\n    end\nendmodule\n";
    place.write("bench.v", bench);
    let run = output(
        Command::new("iverilog")
            .args(["-g2005", "-s", "bench", "-o"])
            .arg(place.path("bench"))
            .arg(place.path("bench.v"))
            .arg(place.path("package/templates/opennic.v"))
            .arg(place.path("package/rtl/core.v")),
    );
    assert!(run.status.success());
    let run = output(Command::new("vvp").arg("-n").arg(place.path("bench")));
    let said = String::from_utf8_lossy(&run.stdout).into_owned();
    let expected: String = (0..20)
        .map(|clock| format!("{clock} {}\n", u8::from(!(5..11).contains(&clock))))
        .collect();
    assert_eq!(said, expected);
}

/// Narrower than the sidebands: elaboration stops, and says why.
#[test]
fn a_core_that_is_too_narrow_for_its_shell_is_refused() {
    if !have(&ICARUS) {
        return;
    }
    let place = package("--core validate --mode pass --lanes 8 --user-width 20");
    let shells = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/shells");
    let output = output(
        Command::new("iverilog")
            .args(["-g2005", "-s", "mqnic_app_block", "-o", "/dev/null"])
            .args(["-DTEMPLATE=core_corundum_rx", "-DLANES=8"])
            .arg(shells.join("corundum.v"))
            .arg(place.path("package/templates/corundum.v"))
            .arg(place.path("package/rtl/core.v")),
    );
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success());
    assert!(said.contains("core_needs_wider_sidebands"), "{said}");
}

/// In LiteX itself; tests/litex simulates it.
#[test]
fn the_litex_template_connects_every_port() {
    if !have_litex() {
        return;
    }
    let packages = (0..CORES.len()).map(|index| of_core(index).path("package"));
    let template = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/litex/template.py");
    let output = output(
        Command::new("python3")
            .arg("-B")
            .arg(template)
            .args(packages),
    );
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    assert_eq!(said.trim(), "as the signatures say");
}

#[test]
fn the_verilator_bench_runs_and_sees_a_defect() {
    if !have(&VERILATOR) || !have(&CXX) {
        return;
    }
    // Of the first bench, which the others take Verilator's own library from: it takes longer to compile than they.
    let mut first: Option<Place> = None;
    let mut run = |place: Place| {
        // Optimised, it takes twice as long to compile, and there is little to run.
        let mut make = make(&place.path("package/verilator"));
        make.args(["OPT_FAST=-O0", "OPT_GLOBAL=-O0"]);
        if let Some(first) = &first {
            let of_library = |file: &&String| {
                let name = file.strip_prefix("package/verilator/obj_dir/verilated");
                name.is_some_and(|name| name.ends_with(".o"))
            };
            let files = first.files();
            let library = files.iter().filter(of_library);
            let library: Vec<String> = library
                .map(|file| first.path(file).display().to_string())
                .collect();
            let library = format!("LOADLIBES={}", library.join(" "));
            make.args(["VM_GLOBAL_FAST=", "VM_GLOBAL_SLOW=", &library]);
        }
        let output = output(&mut make);
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        first.get_or_insert(place);
        (output.status.success(), said)
    };
    for arguments in [
        "--core decode --lanes 1 --form free",
        "--core decode --dense --lanes 4",
        "--core decode --depth min --lanes 2 --id-width 3",
        "--core validate --mode pass --lanes 8 --id-width 3 --counter-width 8",
        "--core validate --lanes 2 --flows 5 --csr --user-width 64",
        "--core encode --lanes 8 --id-width 3",
        "--core encode --from utf16be --lanes 2 --on-error omit --counter-width 8",
        "--core encode --grammar rfc2279 --lanes 2",
    ] {
        let (is_good, said) = run(package(arguments));
        assert!(
            is_good && said.contains("\nas expected"),
            "{arguments}:\n{said}"
        );
    }
    for (arguments, good, bad) in [
        (
            "--core decode --lanes 1",
            "s8_consumed <= delay_second_7_y |",
            "s8_consumed <= ",
        ),
        (
            "--core validate --lanes 1 --flows 2",
            "s4_ends <= takes & s3_last & ~delay_more_3_y & ",
            "s4_ends <= takes & s3_last & ",
        ),
        (
            "--core encode --lanes 2",
            "s4_kind_0 <= s3_ill & s3_too_large;",
            "s4_kind_0 <= s3_ill;",
        ),
        (
            "--core encode --from utf16le --lanes 2",
            "s3_carried <= s2_high[1] & ~s2_last;",
            "s3_carried <= 1'b0;",
        ),
    ] {
        let place = package(arguments);
        let path = place.path("package/rtl/core.v");
        let text = std::fs::read_to_string(&path).expect("emitted");
        assert_eq!(text.matches(good).count(), 1, "{good}");
        std::fs::write(&path, text.replace(good, bad)).expect("written");
        let (is_good, said) = run(place);
        assert!(!is_good && said.contains("NOT as expected"), "{said}");
    }
}

#[test]
fn a_package_is_written_whole_or_not_at_all() {
    let place = Place::new();
    refused(
        &place.run("emit --package a --out b"),
        &["--package", "--out"],
    );
    place.write("taken", "");
    refused(&place.run("emit --package taken"), &["taken", "folder"]);
    place.folder("used/README.md");
    refused(&place.run("emit --package used"), &["used", "not empty"]);
    let files = place.files();
    let written = files.iter().filter(|path| place.path(path).is_file());
    assert_eq!(written.collect::<Vec<_>>(), ["taken"]);
}
