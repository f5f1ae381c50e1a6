//! The LiteX template of a package in an SoC of the real LiteX, simulated: its streams and its registers on the SoC's bus, against
//! CPython's decoder.

use crate::support::{Place, have, have_litex, make, output};
use sim::tools::{COCOTB, ICARUS};
use std::path::Path;
use std::process::{Command, Output};

/// Packages a core as `core` in the folder `package`.
fn package(arguments: &str) -> Place {
    crate::support::package(&format!("--core {arguments}"), "core")
}

/// Builds the SoC with the package's template and runs its bench; returns how many tests there were, and how many failed.
fn simulate(place: &Place) -> (usize, usize, Output) {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let soc = place.folder("soc");
    let package = place.path("package");
    let built = output(
        Command::new("python3")
            .args(["-B".as_ref(), tests.join("litex/soc.py").as_os_str()])
            .arg(&package)
            .current_dir(&soc),
    );
    let said = String::from_utf8_lossy(&built.stderr);
    assert!(built.status.success(), "{said}");
    let benches = format!("{0}/litex:{0}/cocotb", tests.display());
    let run = output(
        make(&soc)
            .arg("-f")
            .arg(tests.join("litex/Makefile"))
            .arg(format!("PACKAGE={}", package.display()))
            .env("PYTHONPATH", benches)
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .env("COCOTB_LOG_LEVEL", "ERROR"),
    );
    let results = std::fs::read_to_string(soc.join("results.xml")).unwrap_or_default();
    let count = |word| results.matches(word).count();
    (count("<testcase"), count("<failure"), run)
}

/// Without and with idles and stalls; with registers there is one more.
const TESTS: usize = 2;

#[track_caller]
fn is_as_cpython_decodes_it(place: &Place, core: &str) {
    let (ran, failed, run) = simulate(place);
    let said = String::from_utf8_lossy(&run.stdout);
    let tests = TESTS + usize::from(core.contains("--csr"));
    assert_eq!((ran, failed), (tests, 0), "{core}:\n{said}");
    assert!(run.status.success(), "{core}:\n{said}");
}

#[test]
fn an_soc_gives_what_cpython_decodes() {
    if !have_litex() || !have(&COCOTB) || !have(&ICARUS) {
        return;
    }
    for core in [
        "decode --lanes 2",
        "validate --lanes 2 --form free --id-width 3",
        "validate --mode pass --lanes 1 --csr --user-width 3 --id-width 3",
        "encode --from utf16le --lanes 2 --id-width 3",
    ] {
        is_as_cpython_decodes_it(&package(core), core);
    }
}

/// A pin of the template that is connected to another signal of the same width is seen, on the stream and on the bus.
#[test]
fn a_wrong_connection_is_seen() {
    if !have_litex() || !have(&COCOTB) || !have(&ICARUS) {
        return;
    }
    let core = "validate --lanes 1 --csr";
    let place = package(core);
    is_as_cpython_decodes_it(&place, core);
    let path = place.path("package/templates/core_litex.py");
    let text = std::fs::read_to_string(&path).expect("a template");
    for (good, bad) in [
        (
            "i_s_axis_tready=watched.ready",
            "i_s_axis_tready=watched.valid",
        ),
        ("=self.registers.ar.addr", "=self.registers.aw.addr"),
    ] {
        assert_eq!(text.matches(good).count(), 1, "{good}");
        std::fs::write(&path, text.replace(good, bad)).expect("written");
        let (ran, failed, run) = simulate(&place);
        let said = String::from_utf8_lossy(&run.stdout);
        assert!(ran == TESTS + 1 && failed > 0, "{bad}:\n{said}");
        assert!(!run.status.success(), "{bad}");
    }
}
