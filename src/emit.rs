//! `runegate emit`: a core as Verilog.

use crate::options::{CoreOptions, Talk};
use crate::output::print;
use crate::{Failure, Finding};
use clap::Args;
use serde_json::json;
use std::path::PathBuf;

/// Writes NAME.v, NAME.json (ports, latency, configuration) and NAME.f of a core
#[derive(Args)]
pub struct Emit {
    #[command(flatten)]
    core: CoreOptions,
    #[command(flatten)]
    talk: Talk,
    /// The folder to write to; it is made if missing
    #[arg(long, default_value = ".", value_name = "DIR")]
    out: PathBuf,
}

impl Emit {
    pub fn run(self) -> Result<Finding, Failure> {
        let config = self.core.resolve()?;
        let emitted = hdl::emit::emit(&config)?;
        let files = hdl::emit::files::write(&emitted, &config.module, &self.out)?;
        let latency = hdl::emit::latency(&config);
        print(|out| {
            if self.talk.json {
                let document = json!({
                    "module": config.module,
                    "config": config,
                    "config_sha256": config.hash(),
                    "latency": latency.main(),
                    "verdict_latency": latency.verdict,
                    "files": files,
                });
                return writeln!(out, "{document}");
            }
            writeln!(
                out,
                "{}: {}; latency {latency} clocks, a beat in every clock",
                config.module,
                config.describe()
            )?;
            for file in &files {
                writeln!(out, "  {}", file.display())?;
            }
            Ok(())
        })?;
        Ok(Finding::Good)
    }
}
