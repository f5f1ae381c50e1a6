//! Options that several commands share.

use crate::exit::Failure;
use crate::file::File;
use crate::given::Given;
use crate::output;
use clap::Args;
use hdl::config::{Config, Request};
use std::io::{self, Write};
use std::path::PathBuf;

/// The heading of the options that say how a command talks.
pub const TALK: &str = "Output";

/// How a command talks.
#[derive(Args, Clone, Copy)]
#[command(next_help_heading = TALK)]
pub struct Talk {
    /// Write one JSON document to standard output, and everything else to standard error
    #[arg(long)]
    pub json: bool,
    /// Write no notes and no progress, and nothing to standard output except the --json document
    #[arg(short, long)]
    pub quiet: bool,
}

impl Talk {
    /// Tells the user something that is not the result.
    pub fn note(&self, text: &str) {
        if !self.quiet {
            output::tell(text);
        }
    }

    /// Writes the result to standard output, if anyone wants it.
    pub fn print(
        &self,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        if self.quiet && !self.json {
            return Ok(());
        }
        output::print(write)
    }
}

/// Which core.
#[derive(Args)]
#[command(next_help_heading = "The core")]
pub struct CoreOptions {
    // They are read with the file: see [`Self::request`].
    #[command(flatten)]
    _request: Request,
    /// Read options from a TOML file with the same keys; the command line has precedence
    #[arg(long, value_name = "FILE.toml")]
    pub config: Option<PathBuf>,
}

impl CoreOptions {
    pub fn file(&self) -> Result<File, Failure> {
        File::read(self.config.as_deref())
    }

    /// What the command line and the file ask for.
    pub fn request(&self, given: &Given) -> Result<Request, Failure> {
        self.file()?.under(given)
    }

    /// The core's configuration, from both.
    pub fn resolve(&self, given: &Given) -> Result<Config, Failure> {
        Ok(self.request(given)?.resolve()?)
    }
}

/// Refuses what does not know flows.
pub fn refuse_flows(config: &Config, option: &str, why: &str) -> Result<(), Failure> {
    match config.core.flows() {
        None => Ok(()),
        Some(flows) => Err(Failure::new(format!(
            "{option} cannot be combined with --flows {flows}: {why}; leave one of them out"
        ))),
    }
}
