//! Emission: a configuration becomes `NAME.v`, `NAME.json` and `NAME.f`, and the files of its registers.
//!
//! `probe` takes the modules from Rust-HDL's description, `pins` gives them the configuration's pins, `simplify` makes them what a
//! person would write, `share` keeps one of those that are alike, `print` writes them. [`replace`] keeps files of other
//! configurations; [`files`] puts ours on disk whole or not at all.

mod description;
mod error;
mod fields;
pub mod files;
mod head;
mod latency;
mod module;
mod normal;
mod pins;
mod print;
mod probe;
pub mod registers;
pub mod replace;
mod share;
mod simplify;
mod text;

use crate::config::Config;
use crate::config::ports::ports;
use crate::embedded;
use crate::sideband::fields;
use module::Module;
use rust_hdl::prelude::*;
use std::collections::BTreeMap;
use std::path::PathBuf;

pub use error::EmitError;
pub use fields::{kinds, verdict};
pub use head::RUST_HDL_VERSION;
pub use latency::{Latency, counted, latency};
pub use text::range;

/// A core as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Emitted {
    pub verilog: String,
    pub json: String,
    pub file_list: String,
    /// Files of its registers, by the ends of their names.
    pub registers: Vec<(&'static str, String)>,
}

impl Emitted {
    /// `NAME.v`, `NAME.json`, `NAME.f`, and `NAME_regs.h`, `.rs` and `.md` if it has registers.
    pub fn files(&self, module: &str) -> Vec<(PathBuf, &str)> {
        let named = |end: &str| PathBuf::from(format!("{module}{end}"));
        let mut files = vec![
            (named(".v"), self.verilog.as_str()),
            (named(".json"), &self.json),
            (named(".f"), &self.file_list),
        ];
        let registers = self.registers.iter();
        files.extend(registers.map(|(end, text)| (named(end), text.as_str())));
        files
    }
}

/// Emits a core.
pub fn emit(config: &Config) -> Result<Emitted, EmitError> {
    Ok(Emitted {
        verilog: verilog(config)?,
        json: description::json(config),
        file_list: format!("{}.v\n", config.module),
        registers: registers::files(config),
    })
}

/// The core's modules as Rust-HDL describes them.
fn described(config: &Config) -> Result<Module, EmitError> {
    let core = embedded::build(config);
    // A vector of no bits is a zero that nothing reads.
    let sideband = fields(config).width.max(1);
    let grammar = config.core.grammar();
    embedded::with_stack(move || {
        check_all(core.block()).map_err(|error| EmitError::Check(format!("{error:?}")))?;
        probe::modules(core.block(), sideband, grammar)
    })
}

/// Modules that count their stages anew, after the others' last.
const PACKING: [&str; 3] = ["Begins", "Slots", "ByteSlots"];

/// What happens in each stage, as the description says it: stages by their numbers, each with what its registers are.
pub fn stages(config: &Config) -> Result<BTreeMap<usize, Vec<String>>, EmitError> {
    fn collect(module: &Module, stages: &mut BTreeMap<usize, Vec<String>>) {
        for (stage, title) in &module.stages {
            let titles = stages.entry(*stage).or_default();
            if !titles.contains(title) {
                titles.push(title.clone());
            }
        }
        let others = module.instances.iter().map(|it| &it.module);
        for other in others.filter(|it| !PACKING.contains(&it.kind.as_str())) {
            collect(other, stages);
        }
    }
    let mut top = described(config)?;
    pins::adapt(&mut top, config);
    simplify::simplify(&mut top)?;
    let mut stages = BTreeMap::new();
    collect(&top, &mut stages);
    Ok(stages)
}

fn verilog(config: &Config) -> Result<String, EmitError> {
    let mut top = described(config)?;
    pins::adapt(&mut top, config);
    simplify::simplify(&mut top)?;
    let modules = share::share(top, &config.module);
    let table = ports(config);
    let describe = |name: &str| {
        let port = table.iter().find(|port| port.name == name)?;
        Some(port.description)
    };
    let mut text = head::header(config);
    text.push_str(&head::map(&modules));
    text.push_str("/* verilator lint_off DECLFILENAME */\n`default_nettype none\n");
    for (index, module) in modules.iter().enumerate() {
        text.push('\n');
        text.push_str(&print::print(module, &modules, &|name| {
            if index == 0 { describe(name) } else { None }
        })?);
    }
    text.push_str("\n`default_nettype wire\n/* verilator lint_on DECLFILENAME */\n");
    Ok(text)
}
