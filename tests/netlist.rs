//! What synthesis makes of the cores is the cores: netlists of two FPGA families, simulated with the vendors' cells, put out
//! the same at every pin and clock as the cycle model.

use crate::dut::vectors::{Vector, vectors};
use crate::dut::{
    built, bursts, decoder, dense, encoder, everything, have, often, packets_for, sanitiser,
    to_utf16, try_run, validator, verilog,
};
use hdl::config::{Config, CoreName, Encoding, Form, Mode, OnError, Replace, Request, Signature};
use sim::engine::EngineKind;
use sim::lockstep::Outcome;
use sim::netlist::{Family, synthesise, with_cells};
use sim::stimulus::Pattern;
use sim::tools;

/// The vectors and random packets, with everything in the run that there is: idles, stalls, late ends, resets.
fn run(family: Family, config: &Config, kind: EngineKind, netlist: &str) -> Outcome {
    let text = with_cells(family, &config.module, netlist).unwrap_or_else(|e| panic!("{e}"));
    let mut input = packets_for(config, 31, 60);
    if config.core.name() != CoreName::Encode {
        input.extend(vectors().iter().map(Vector::bytes));
    }
    let pattern = Pattern {
        seed: 32,
        idle: often(0.2),
        stall: bursts(0.3, 20.0),
        late_last: 0.2,
        null_beats: 0.1,
        sparse: 0.0,
        reset: 0.001,
        accesses: 0.0,
        texts: sim::texts::Texts::Random,
    };
    try_run(config, kind, &text, &input, pattern).1
}

fn gates(family: Family, config: &Config) -> String {
    synthesise(family, &config.module, &verilog(config)).unwrap_or_else(|error| panic!("{error}"))
}

fn have_all() -> bool {
    have(&tools::YOSYS) && have(&tools::ICARUS) && have(&tools::VERILATOR)
}

fn plain_validator(mode: Mode, form: Form) -> Config {
    built(Request {
        core: Some(CoreName::Validate),
        mode: Some(mode),
        form: Some(form),
        ..Default::default()
    })
}

/// The byte decoder on this engine; Icarus, which need not build them, runs the others. Those that `undefined` compares with the model, too,
/// without power-up values, are not in the quick set.
fn netlists_agree(family: Family, engine: EngineKind) {
    if !have_all() {
        return;
    }
    let all = [
        (decoder(1, Form::Axis, Signature::Keep), engine),
        (dense(2, Form::Axis, Signature::Flag), EngineKind::Icarus),
        (plain_validator(Mode::Pass, Form::Axis), EngineKind::Icarus),
        (
            to_utf16(Encoding::Utf16be, 2, Form::Axis, Signature::Keep, false),
            EngineKind::Icarus,
        ),
        (
            encoder(Encoding::Utf16le, 1, OnError::Omit),
            EngineKind::Icarus,
        ),
        (
            sanitiser(Replace::Ascii, 2, Form::Free, Signature::Keep),
            EngineKind::Icarus,
        ),
    ];
    // The last two take longest, and the families differ by no more than their cells.
    let most = match family {
        Family::Ice40 if !everything() => all.len() - 2,
        _ => all.len(),
    };
    let more = [
        decoder(1, Form::Free, Signature::Strip),
        decoder(8, Form::Axis, Signature::Flag),
        validator(1, Mode::Snoop, Form::Free),
    ];
    let more = more.into_iter().filter(|_| everything());
    let more = more.map(|config| (config, EngineKind::Icarus));
    for (config, kind) in all.into_iter().take(most).chain(more) {
        let netlist = gates(family, &config);
        if let Outcome::Differed(mismatch) = run(family, &config, kind, &netlist) {
            let name = crate::dut::name(&config, kind);
            panic!("{}, {name}\n{mismatch}", family.name());
        }
    }
}

#[test]
fn ecp5_netlists_agree_with_the_model() {
    netlists_agree(Family::Ecp5, EngineKind::Verilator);
}

#[test]
fn ice40_netlists_agree_with_the_model() {
    netlists_agree(Family::Ice40, EngineKind::Icarus);
}

/// One bit in the table of one LUT. Of a few LUTs, for some entries of some tables are out of reach.
#[test]
fn a_broken_netlist_is_found() {
    if !have_all() {
        return;
    }
    let config = decoder(1, Form::Axis, Signature::Keep);
    for (family, table) in [
        (Family::Ecp5, ".INIT(16'h"),
        (Family::Ice40, ".LUT_INIT(16'h"),
    ] {
        let netlist = gates(family, &config);
        let tables: Vec<usize> = netlist.match_indices(table).map(|(at, _)| at).collect();
        let is_found = |at: &usize| {
            let digit = at + table.len() + 3;
            let value = u8::from_str_radix(&netlist[digit..=digit], 16).expect("a digit");
            let mut broken = netlist.clone();
            broken.replace_range(digit..=digit, &format!("{:x}", value ^ 1));
            let outcome = run(family, &config, EngineKind::Icarus, &broken);
            matches!(outcome, Outcome::Differed(_))
        };
        let found = tables
            .iter()
            .step_by(tables.len() / 3)
            .filter(|at| is_found(at));
        assert_eq!(found.take(2).count(), 2, "{}", family.name());
    }
}
