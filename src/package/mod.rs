//! `runegate emit --package`: a folder that has all that a user of the core starts from.
//!
//! Every file but the Verilog is made here: from the table of ports, from a simulation ([`diagram`]), or from a text in `files/` in
//! which `@NAME@` and the like stand for what differs from core to core.

pub mod cards;
mod data_sheet;
mod diagram;
mod frame;
mod instance;
mod ip;
pub mod place;
mod rdl;
pub mod shell;
mod taxi;
mod text;
mod vhdl;

use crate::exit::Failure;
use hdl::config::{Config, Core};
use hdl::emit::Emitted;
use shell::Shell;
use std::path::PathBuf;
use text::{File, file, fill, has_cocotb, modules};

/// All files of the package; for a shell, of the templates only that shell's.
pub fn files(config: &Config, emitted: Emitted, only: Option<Shell>) -> Result<Vec<File>, Failure> {
    let name = &config.module;
    let mut files = vec![
        file(&format!("rtl/{name}.v"), emitted.verilog),
        file(&format!("rtl/{name}.json"), emitted.json),
        file(&format!("rtl/{name}.f"), emitted.file_list),
    ];
    let texts = [
        (format!("{name}.core"), include_str!("files/fusesoc.core")),
        (
            "fusesoc/generator.core".to_string(),
            include_str!("files/generator.core"),
        ),
        (
            "fusesoc/generator.py".to_string(),
            include_str!("files/generator.py"),
        ),
        ("Bender.yml".to_string(), include_str!("files/bender.yml")),
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
        ("verilator/bench.cpp".to_string(), bench(config)),
        ("verilator/outputs.h".to_string(), outputs(config)),
    ];
    files.extend(
        texts
            .into_iter()
            .map(|(path, text)| file(&path, fill(config, text))),
    );
    if only.is_none() {
        files.extend([
            file("templates/instance.v", instance::wrapper(config, false)),
            file("templates/aclk.v", instance::wrapper(config, true)),
            file(&format!("ip/{name}_ip.v"), ip::wrapper(config)),
            file("ip/package_ip.tcl", ip::script(config)),
            file("templates/instance.vhd", vhdl::template(config)),
        ]);
    }
    let litex = file(
        &format!("templates/{name}_litex.py"),
        cards::judged(config, "#") + &instance::litex(config),
    );
    let taxi = file("templates/taxi.sv", taxi::template(config));
    let shells = [(Shell::Litex, vec![litex]), (Shell::Taxi, vec![taxi])]
        .into_iter()
        .chain(cards::templates(config));
    for (_, template) in shells.filter(|(shell, _)| only.is_none_or(|only| only == *shell)) {
        files.extend(template);
    }
    let modules = modules(config).into_iter();
    files.extend(modules.map(|(name, text)| file(&format!("cocotb/{name}.py"), text.to_string())));
    if config.has_registers() {
        let registers = emitted.registers.into_iter();
        files.extend(registers.map(|(end, text)| file(&format!("registers/{name}{end}"), text)));
        files.push(file(&format!("registers/{name}.rdl"), rdl::text(config)));
    }
    files.retain(|(path, _)| has_cocotb(config) || !path.starts_with("cocotb"));
    let others: Vec<PathBuf> = files.iter().map(|(path, _)| path.clone()).collect();
    files.push(file("timing.svg", diagram::svg(config)?));
    files.push(file("README.md", data_sheet::text(config, &others, only)));
    Ok(files)
}

/// The Verilator bench.
fn bench(config: &Config) -> &'static str {
    match config.core {
        Core::Encode { .. } => include_str!("files/words.cpp"),
        Core::Validate { flows: Some(_), .. } => include_str!("files/flows.cpp"),
        _ => include_str!("files/bench.cpp"),
    }
}

/// What it looks for.
fn outputs(config: &Config) -> &'static str {
    match config.core {
        Core::Decode { .. } => include_str!("files/events.h"),
        Core::Encode { .. } => include_str!("files/words.h"),
        Core::Sanitise { .. } => include_str!("files/repaired.h"),
        Core::Validate { flows: None, .. } => include_str!("files/verdict.h"),
        Core::Validate { flows: Some(_), .. } => include_str!("files/flows.h"),
    }
}
