//! The command line as shells complete it and as `man` shows it.

use crate::exit::{Failure, Finding};
use crate::options::Talk;
use crate::{names, output};
use clap::{Args, Command};
use clap_complete::Shell;
use serde_json::json;
use std::path::PathBuf;

/// Writes a shell's completion script to standard output
///
/// For bash: runegate completions bash > ~/.local/share/bash-completion/completions/runegate
#[derive(Args)]
pub struct Completions {
    shell: Shell,
}

impl Completions {
    pub fn run(self, mut cli: Command) -> Result<Finding, Failure> {
        let mut text = Vec::new();
        clap_complete::generate(self.shell, &mut cli, "runegate", &mut text);
        output::print(|out| out.write_all(&text))?;
        Ok(Finding::Good)
    }
}

/// Writes man pages, one for each command, as runegate.1, runegate-emit.1 and so on
#[derive(Args)]
pub struct Man {
    /// The folder to write to; created if missing
    #[arg(short, long, default_value = ".", value_name = "DIR")]
    out: PathBuf,
    #[command(flatten)]
    talk: Talk,
}

impl Man {
    pub fn run(self, cli: Command) -> Result<Finding, Failure> {
        let mut cli = cli.disable_help_subcommand(true);
        cli.build();
        let commands = std::iter::once(&cli).chain(cli.get_subcommands());
        let pages = commands.map(page).collect::<Result<Vec<_>, _>>()?;
        let written = output::write(&pages, &self.out)?;
        self.talk.print(|out| {
            if self.talk.json {
                return writeln!(out, "{}", json!({ "files": names::all_json(&written) }));
            }
            write!(out, "{}", names::lines(&written))
        })?;
        Ok(Finding::Good)
    }
}

/// The file and the text of a command's page.
fn page(command: &Command) -> Result<(PathBuf, String), Failure> {
    let page = clap_mangen::Man::new(command.clone());
    let mut text = Vec::new();
    page.render(&mut text)?;
    Ok((page.get_filename().into(), String::from_utf8(text)?))
}
