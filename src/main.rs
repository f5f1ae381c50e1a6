//! Runegate: hardware UTF-8 decoders and validators, emitted as Verilog and checked in lockstep against a golden model.

mod bench;
mod decode;
mod doctor;
mod dut;
mod emit;
mod inputs;
mod names;
mod options;
mod origins;
mod output;
mod package;
mod prove;
mod report;
mod sim;
mod steady;
mod synth;

use clap::{Parser, Subcommand};
use std::fmt::Display;
use std::process::ExitCode;

/// Generates hardware that validates and decodes UTF-8 (RFC 3629) in a stream, and checks it.
///
/// Exit codes: 0 done and good; 1 the check failed; 2 the request could not be carried out.
#[derive(Parser)]
#[command(version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Emit(emit::Emit),
    Sim(Box<sim::Sim>),
    Decode(decode::Decode),
    Prove(prove::Prove),
    Synth(synth::Synth),
    Bench(bench::Bench),
    Doctor(doctor::Doctor),
}

/// What a command that could be carried out found.
pub enum Finding {
    Good,
    CheckFailed,
}

/// Why a request could not be carried out: what, the value, what is allowed, the remedy.
pub struct Failure(String);

impl<E: Display> From<E> for Failure {
    fn from(error: E) -> Self {
        Self(error.to_string())
    }
}

impl Failure {
    pub fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }
}

fn main() -> ExitCode {
    let command = Cli::parse().command;
    if let Err(error) = ::sim::interrupt::clean_up_on_signals() {
        output::tell(&format!(
            "warning: a run that is interrupted will leave temporary files: {error}"
        ));
    }
    let result = match command {
        Command::Emit(command) => command.run(),
        Command::Sim(command) => command.run(),
        Command::Decode(command) => command.run(),
        Command::Prove(command) => command.run(),
        Command::Synth(command) => command.run(),
        Command::Bench(command) => command.run(),
        Command::Doctor(command) => command.run(),
    };
    match result {
        Ok(Finding::Good) => ExitCode::SUCCESS,
        Ok(Finding::CheckFailed) => ExitCode::from(1),
        Err(Failure(message)) => {
            output::tell(&format!("error: {message}"));
            ExitCode::from(2)
        }
    }
}
