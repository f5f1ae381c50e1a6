//! `runegate emit`: a core as Verilog, by itself or with all that a user starts from.

use crate::clock::{ClockOptions, Reached};
use crate::depths::{Depths, ranges};
use crate::exit::{Failure, Finding};
use crate::given::Given;
use crate::options::{CoreOptions, Talk};
use crate::package::shell::Shell;
use crate::{names, output, package};
use clap::Args;
use hdl::config::flags::named;
use hdl::config::{Depth, Request};
use serde_json::json;
use std::path::PathBuf;

/// Writes a core as NAME.v, NAME.json (ports, latency, configuration) and NAME.f (file list), or as a whole package
#[derive(Args)]
pub struct Emit {
    #[command(flatten)]
    core: CoreOptions,
    #[command(flatten, next_help_heading = "The clock")]
    clock: ClockOptions,
    #[command(flatten)]
    talk: Talk,
    /// The folder to write to; created if missing
    #[arg(short, long, default_value = ".", value_name = "DIR")]
    out: PathBuf,
    /// Write a package to this folder instead: the Verilog with a data sheet, constraints, benches for cocotb and Verilator, a FuseSoC
    /// core, and instantiation templates for plain Verilog, VHDL, Corundum, OpenNIC, LiteX and taxi
    #[arg(long, value_name = "DIR", conflicts_with = "out")]
    package: Option<PathBuf>,
    /// Write the package for this shell: corundum, opennic, litex or taxi. Implies --core validate, sets the widths and lanes that the
    /// shell needs, and writes no other template
    #[arg(long = "for", value_name = "SHELL", hide_possible_values = true, value_parser = named::<Shell>())]
    shell: Option<Shell>,
    /// Replace files of other configurations, and files that runegate did not write
    #[arg(long, conflicts_with = "package")]
    force: bool,
}

impl Emit {
    pub fn run(self, given: &Given) -> Result<Finding, Failure> {
        let mut request = self.core.request(given)?;
        if let Some(shell) = self.shell {
            request = shell.complete(request)?;
            if self.package.is_none() {
                return Err(Failure::new(format!(
                    "--for {} writes a package, but no folder is named for it; add --package DIR",
                    shell.name()
                )));
            }
        }
        if request.depth == Some(Depth::List) {
            let depth = None;
            return self.list(&Request { depth, ..request }, given);
        }
        let (request, reached) = self.clock.complete(request, None)?;
        let config = request.resolve()?;
        if let Some(folder) = &self.package {
            package::place::check(folder)?;
        }
        let emitted = hdl::emit::emit(&config)?;
        if package::cards::drops_all_text(&config) {
            self.talk.note(package::cards::DROPS_ALL_TEXT);
        }
        if self.shell.is_some() && package::cards::drops_frames(&config) {
            self.talk.note(package::cards::DROPS_FRAMES);
        }
        let files = match &self.package {
            None => {
                let files = emitted.files(&config.module);
                if !self.force {
                    hdl::emit::replace::check(&files, &self.out, &config)?;
                }
                hdl::emit::files::write(&files, &self.out)?
            }
            Some(folder) => {
                // Whose files these are cannot be told, and a package of another core would be left in parts.
                if std::fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some()) {
                    return Err(Failure::new(format!(
                        "the folder {folder:?} is not empty; a package is written to a new or an empty one: name another with \
                         --package, or empty it"
                    )));
                }
                if self.shell.is_none() {
                    for (shell, why) in package::cards::left_out(&config) {
                        self.talk
                            .note(&format!("there is no template for {shell}: {why}"));
                    }
                }
                let files = package::files(&config, emitted, self.shell)?;
                output::write(&files, folder)?
            }
        };
        let latency = hdl::emit::latency(&config);
        let merged = hdl::schedule::without_registers(&config);
        self.talk.print(|out| {
            if self.talk.json {
                let document = json!({
                    "module": config.module,
                    "config": config,
                    "config_sha256": config.hash(),
                    "latency": latency.main(),
                    "verdict_latency": latency.verdict,
                    "stages_without_registers": merged,
                    "clock": reached.as_ref().map(Reached::json),
                    "files": names::all_json(&files),
                });
                return writeln!(out, "{document}");
            }
            writeln!(
                out,
                "{}: {}; latency {latency} clocks, a beat in every clock",
                config.module,
                config.describe()
            )?;
            if !merged.is_empty() {
                writeln!(out, "  stages without registers: {}", ranges(&merged))?;
            }
            if let Some(reached) = &reached {
                writeln!(out, "  {reached}")?;
            }
            write!(out, "{}", names::lines(&files))
        })?;
        Ok(Finding::Good)
    }

    /// Shows the depths that the core can have, and writes nothing else.
    fn list(&self, request: &Request, given: &Given) -> Result<Finding, Failure> {
        for id in [
            "out", "package", "shell", "force", "clock", "target", "part", "speed", "nearest",
        ] {
            given.refuse(id, "on --depth list, which writes no core; leave it out")?;
        }
        let depths = Depths::of(request)?;
        self.talk.print(|out| match self.talk.json {
            true => writeln!(out, "{}", depths.json()),
            false => depths.show(out),
        })?;
        Ok(Finding::Good)
    }
}
