//! No X comes out. AXI leaves a payload undefined while its `valid` is low, a lane without `tkeep`, and every input during a reset, and
//! many simulation models show X there. The Icarus engine drives X wherever that is so; here every core gets it, with power-up values
//! taken out of its text, from the end of a reset of one clock on.

mod dut;

use dut::{all_configs, bursts, decoder, have, often, packets, try_run, validator, verilog};
use hdl::config::{Config, Form, Mode, Signature};
use sim::engine::EngineKind;
use sim::lockstep::Outcome;
use sim::netlist::{Family, synthesise, with_cells};
use sim::stimulus::Pattern;
use sim::tools;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Idles, stalls, null beats, late ends and resets. A core of many flows takes no beat for as many clocks after each reset, so it has only
/// the first one.
fn pattern(config: &Config) -> Pattern {
    let is_soon_ready = config.core.flows().unwrap_or(1) <= 64;
    let has_bus = config.has_registers() && is_soon_ready;
    Pattern {
        seed: 41,
        idle: often(0.4),
        stall: match config.form {
            Form::Axis => bursts(0.3, 8.0),
            Form::Free => often(0.0),
        },
        late_last: 0.2,
        null_beats: 0.1,
        reset: if is_soon_ready { 0.004 } else { 0.0 },
        accesses: if has_bus { 0.3 } else { 0.0 },
    }
}

/// A text without the values that its registers and memories have when the power comes on, in whatever form they are written.
fn without_power_up(text: &str) -> String {
    let mut kept = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let code = line.trim_start();
        if let Some(statement) = code.strip_prefix("initial") {
            let end = if statement.trim_start().starts_with("begin") {
                "end"
            } else {
                ";"
            };
            let mut rest = code;
            while !rest.trim_end().ends_with(end) {
                rest = lines.next().expect("the statement ends");
            }
            continue;
        }
        match (code.starts_with("reg "), line.split_once(" = ")) {
            (true, Some((declared, _))) => kept += &format!("{declared};\n"),
            _ => kept += &format!("{line}\n"),
        }
    }
    assert!(kept.len() < text.len(), "there are power-up values");
    assert!(!kept.contains("initial"), "none of them is left");
    kept
}

/// What is undefined or wrong in a run of this Verilog on Icarus.
fn found(config: &Config, verilog: &str) -> Option<String> {
    let input = packets(40, 60);
    match try_run(config, EngineKind::Icarus, verilog, &input, pattern(config)).1 {
        Outcome::Agreed(_) => None,
        Outcome::Differed(mismatch) => Some(format!("{}\n{mismatch}", config.describe())),
    }
}

/// Runs as many configurations at once as there are processors; all that is found.
fn all_found(configs: &[Config], text: impl Fn(&Config) -> String + Sync) -> Vec<String> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut all = Vec::new();
        while let Some(config) = configs.get(next.fetch_add(1, Ordering::Relaxed)) {
            all.extend(found(config, &text(config)));
        }
        all
    };
    std::thread::scope(|scope| {
        let threads = [(); 2].map(|()| scope.spawn(work));
        let each = threads
            .into_iter()
            .map(|thread| thread.join().expect("no panic"));
        each.flatten().collect()
    })
}

#[test]
fn no_core_lets_x_out() {
    if !have(&tools::ICARUS) {
        return;
    }
    let found = all_found(&all_configs(), |config| without_power_up(&verilog(config)));
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn no_netlist_lets_x_out() {
    if !have(&tools::ICARUS) || !have(&tools::YOSYS) {
        return;
    }
    let configs = [
        decoder(1, Form::Axis, Signature::Keep),
        decoder(8, Form::Free, Signature::Strip),
        validator(1, Mode::Snoop, Form::Free),
        validator(8, Mode::Pass, Form::Axis),
    ];
    for family in Family::ALL {
        let found = all_found(&configs, |config| {
            let netlist = synthesise(family, &config.module, &verilog(config));
            let netlist = netlist.unwrap_or_else(|error| panic!("{error}"));
            let cells = with_cells(family, &config.module, &netlist);
            without_power_up(&cells.unwrap_or_else(|error| panic!("{error}")))
        });
        assert!(found.is_empty(), "{}: {}", family.name(), found.join("\n"));
    }
}
