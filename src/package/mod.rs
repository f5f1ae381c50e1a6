//! `runegate emit --package`: a folder that has all that a user of the core starts from.
//!
//! Every file but the Verilog is made here: from the table of ports, from a simulation ([`diagram`]), or from a text in `files/` in
//! which `@NAME@` and the like stand for what differs from core to core.

mod cards;
mod data_sheet;
mod diagram;
mod instance;

use crate::Failure;
use hdl::config::{Config, Core, Mode};
use hdl::emit::Emitted;
use hdl::ports::{Port, ports};
use std::path::PathBuf;

/// A file of the package, by its path in it.
pub type File = (PathBuf, String);

/// All files of the package.
pub fn files(config: &Config, emitted: Emitted) -> Result<Vec<File>, Failure> {
    let name = &config.module;
    let mut files = vec![
        file(&format!("rtl/{name}.v"), emitted.verilog),
        file(&format!("rtl/{name}.json"), emitted.json),
        file(&format!("rtl/{name}.f"), emitted.file_list),
    ];
    let texts = [
        (format!("{name}.core"), include_str!("files/fusesoc.core")),
        (
            "constraints/ultrascale_plus.xdc".to_string(),
            include_str!("../../constraints/ultrascale_plus.xdc"),
        ),
        (
            "constraints/intel.sdc".to_string(),
            include_str!("../../constraints/intel.sdc"),
        ),
        (
            "constraints/clock.sdc".to_string(),
            include_str!("../../constraints/clock.sdc"),
        ),
        (
            "cocotb/Makefile".to_string(),
            include_str!("files/cocotb.mk"),
        ),
        (
            "cocotb/bench.py".to_string(),
            include_str!("../../tests/cocotb/bench.py"),
        ),
        (
            "verilator/Makefile".to_string(),
            include_str!("files/verilator.mk"),
        ),
        (
            "verilator/bench.cpp".to_string(),
            include_str!("files/bench.cpp"),
        ),
        ("verilator/outputs.h".to_string(), outputs(config)),
    ];
    files.extend(
        texts
            .into_iter()
            .map(|(path, text)| file(&path, fill(config, text))),
    );
    files.extend([
        file("templates/instance.v", instance::wrapper(config, false)),
        file("templates/aclk.v", instance::wrapper(config, true)),
        file(
            &format!("templates/{name}_litex.py"),
            instance::litex(config),
        ),
    ]);
    if config.has_registers() {
        files.push(file(
            "cocotb/registers.py",
            include_str!("../../tests/cocotb/registers.py").to_string(),
        ));
        let registers = emitted.registers.into_iter();
        files.extend(registers.map(|(end, text)| file(&format!("registers/{name}{end}"), text)));
    }
    files.extend(cards::templates(config));
    let others: Vec<PathBuf> = files.iter().map(|(path, _)| path.clone()).collect();
    files.push(file("timing.svg", diagram::svg(config)?));
    files.push(file("README.md", data_sheet::text(config, &others)));
    Ok(files)
}

fn file(path: &str, text: String) -> File {
    (PathBuf::from(path), text)
}

/// What the Verilator bench looks for.
fn outputs(config: &Config) -> &'static str {
    match config.core {
        Core::Decode { .. } => include_str!("files/events.h"),
        Core::Validate { .. } => include_str!("files/verdict.h"),
    }
}

/// A text with the configuration's words in it.
fn fill(config: &Config, text: &str) -> String {
    let table = ports(config);
    let is_there = |name: &str| table.iter().any(|port| port.name == name);
    let taken = match (is_there("s_axis_tready"), is_watching(config)) {
        (false, _) => "true",
        (true, true) => "(core.s_axis_tready = 1)",
        (true, false) => "core.s_axis_tready",
    };
    let readies = ["m_axis_tready", "m_axis_verdict_tready"];
    let sinks: Vec<String> = readies
        .into_iter()
        .filter(|name| is_there(name))
        .map(|name| format!("core.{name} = 1;"))
        .collect();
    [
        ("@NAME@", config.module.clone()),
        ("@VERSION@", env!("CARGO_PKG_VERSION").to_string()),
        ("@DESCRIPTION@", config.describe()),
        ("@LANES@", config.lanes.to_string()),
        ("@TAKEN@", taken.to_string()),
        ("@SINKS@", sinks.join(" ")),
        ("@TESTS@", tests(config).to_string()),
    ]
    .into_iter()
    .fold(text.to_string(), |text, (word, value)| {
        text.replace(word, &value)
    })
}

/// The modules of the cocotb bench.
fn tests(config: &Config) -> &'static str {
    if config.has_registers() {
        "bench,registers"
    } else {
        "bench"
    }
}

/// A core that touches nothing.
fn is_watching(config: &Config) -> bool {
    matches!(
        config.core,
        Core::Validate {
            mode: Mode::Snoop,
            ..
        }
    )
}

/// Whether the port is the clock or the reset.
fn is_common(port: &Port) -> bool {
    ["clk", "rst"].contains(&port.name)
}
