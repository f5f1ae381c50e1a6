//! `runegate sim` when the core is broken, and the waveforms it writes.

use crate::support::{
    self, BROKEN, Place, broken_core, json, output, path_after, stderr, stdout, verilog_engines,
};
use serde_json::Value;
use std::process::Command;

#[test]
fn a_mismatch_is_told_so_that_it_can_be_seen_again() {
    let place = Place::new();
    broken_core(&place, '\u{20AC}');
    let euro = 100;
    place.write("good", "nothing wrong here");
    place.write(
        "it's",
        format!("{}\u{20AC}{}", "x".repeat(euro), "y".repeat(300)),
    );
    for engine in verilog_engines() {
        let mut command = place.runegate([
            "sim",
            "--json",
            "--engine",
            engine,
            "--verilog",
            "broken core.v",
        ]);
        command.args("--seed 9 --idle 0.3 --idle-burst 4 --stall 0.25 good it's".split(' '));
        let run = output(&mut command);
        let said = stderr(&run);
        assert_eq!(run.status.code(), Some(1), "{said}");

        let document: Value =
            serde_json::from_str(stdout(&run)).expect("standard output is one JSON document");
        assert_eq!(
            (&document["mismatches"], &document["seed"]),
            (&1.into(), &9.into())
        );
        let found = &document["mismatch"];
        let pins = found["pins"].as_array().expect("pins");
        assert_eq!(pins.len(), 1, "one pin differs: {pins:?}");
        assert_eq!(pins[0]["pin"], "m_axis_tdata");
        assert_eq!(
            (&pins[0]["model"], &pins[0]["dut"]),
            (&"000020ac".into(), &"000020ad".into())
        );
        let number = |name: &str| found[name].as_u64().expect("a number");
        let (cycle, byte, offset) = (number("cycle"), number("byte"), number("offset"));
        assert_eq!((number("packet"), byte), (1, 18 + offset));
        assert!(
            offset > euro as u64 + 2,
            "the bytes have been accepted: {offset}"
        );
        assert_eq!(document["cycles"], cycle + 1);

        let place_said = format!(
            "mismatch in cycle {cycle} (byte {byte} of the run; packet 1, offset {offset}; seed 9)"
        );
        for part in [
            &place_said,
            "m_axis_tdata",
            "000020ac",
            "000020ad",
            "utf8_decode_w1_mismatch.vcd",
        ] {
            assert!(said.contains(part), "{part:?} in {said}");
        }

        let waveform =
            std::fs::read_to_string(place.path("utf8_decode_w1_mismatch.vcd")).expect("a waveform");
        for part in [
            "module inputs ",
            "module model ",
            "module dut ",
            "m_axis_tdata",
            &format!("\n#{}\n", cycle * 10),
        ] {
            assert!(waveform.contains(part), "{part:?} in the waveform");
        }
        assert!(
            waveform.contains(&format!("b{:032b} ", 0x20AC))
                && waveform.contains(&format!("b{:032b} ", 0x20AD))
        );

        // The command that is given shows the same again.
        let again = said
            .lines()
            .find_map(|line| line.trim().strip_prefix("again: "))
            .expect("a command");
        assert_eq!(found["command"], again);
        std::fs::remove_file(place.path("utf8_decode_w1_mismatch.vcd")).expect("the waveform");
        let folder = std::path::Path::new(support::RUNEGATE)
            .parent()
            .expect("a folder");
        let mut shell = Command::new("sh");
        shell
            .args(["-c", again])
            .current_dir(place.path(""))
            .env("PATH", path_after(folder));
        let run = output(shell.env("RUNEGATE_CACHE", support::SHARED_CACHE));
        assert_eq!(run.status.code(), Some(1));
        assert_eq!(stderr(&run), said);
    }
}

#[test]
fn a_mismatch_on_a_pipe_asks_for_the_same_input() {
    let place = Place::new();
    broken_core(&place, '\u{20AC}');
    for engine in verilog_engines() {
        let mut command = place.runegate(["sim", "--engine", engine, "--verilog", "broken core.v"]);
        let run = support::piped(&mut command, "price: 5 \u{20AC}".as_bytes());
        assert_eq!(run.status.code(), Some(1));
        let said = stderr(&run);
        assert!(
            said.contains("again, with the same standard input: runegate sim "),
            "{said}"
        );
        assert!(stdout(&run).contains("differ"), "{}", stdout(&run));
    }
}

#[test]
fn waveforms_have_the_format_of_their_names() {
    let place = Place::new();
    let trace = |engine: &str, file: &str| {
        let run = json(&place.run(&format!(
            "sim --json --engine {engine} --trace {file} {BROKEN}"
        )));
        assert_eq!(
            (&run["mismatches"], &run["packets"][0]["bytes"]),
            (&0.into(), &275.into())
        );
        std::fs::read(place.path(file)).expect("a waveform")
    };
    let is_vcd = |bytes: &[u8]| {
        let text = std::str::from_utf8(bytes).expect("VCD is text");
        [
            "$timescale",
            "$enddefinitions",
            "s_axis_tdata",
            "m_axis_tuser",
            "#0\n",
        ]
        .iter()
        .all(|part| text.contains(part))
    };
    // A file of that name from an earlier run is replaced.
    place.write("embedded.vcd", "x".repeat(1_000_000));
    assert!(is_vcd(&trace("embedded", "embedded.vcd")));
    for engine in verilog_engines() {
        place.write(&format!("{engine}.vcd"), "x".repeat(1_000_000));
        assert!(is_vcd(&trace(engine, &format!("{engine}.vcd"))), "{engine}");
        let fst = trace(engine, &format!("{engine}.fst"));
        // The first block of an FST file is its header, of 329 bytes.
        assert_eq!(fst[..9], [0, 0, 0, 0, 0, 0, 0, 1, 0x49], "{engine}");
        assert!(fst.len() > 1000, "{engine}");
    }
}

#[test]
fn names_that_could_get_in_the_way_do_not() {
    let place = Place::new();
    for engine in verilog_engines() {
        for module in ["dut", "runegate_bench", "Vdut"] {
            let run = json(&place.run(&format!(
                "sim --json --engine {engine} --module {module} {BROKEN}"
            )));
            assert_eq!(run["mismatches"], 0, "{engine} {module}");
        }
    }
}

#[test]
fn a_seed_makes_a_run() {
    let place = Place::new();
    place.write("text", "a seed makes a run ".repeat(30));
    let cycles = |flags: &str| {
        let arguments = format!("sim --json --engine embedded {flags} text");
        json(&place.run(&arguments))["cycles"].clone()
    };
    let first = cycles("--stall 0.3");
    assert_eq!(first, cycles("--stall 0.3 --seed 1"));
    assert_ne!(first, cycles("--stall 0.3 --seed 2"));
    assert_ne!(first, cycles("--stall 0.4"));
}
