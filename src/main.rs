//! Runegate: hardware UTF-8 decoders and validators, emitted as Verilog and checked in lockstep against a golden model.

mod bench;
mod caret;
mod clock;
mod decode;
mod depths;
mod doctor;
mod dut;
mod emit;
mod exit;
mod file;
mod fpga;
mod given;
mod help;
mod inputs;
mod judged;
mod names;
mod options;
mod origins;
mod output;
mod package;
mod prove;
mod report;
mod run_file;
mod sim;
mod steady;
mod stimulus;
mod synth;

use self::exit::{Failure, Finding};
use self::given::Given;
use self::options::TALK;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ColorChoice, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::process::ExitCode;

/// Generates hardware that validates and decodes UTF-8 (RFC 3629) in a stream, and checks it.
///
/// Exit codes: 0 success; 1 a check failed; 2 the request could not be carried out.
#[derive(Parser)]
#[command(version = env!("RUNEGATE_VERSION"), max_term_width = 100)]
struct Cli {
    /// Colours in help, errors and warnings: auto (on a terminal), always or never
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", hide_possible_values = true, help_heading = TALK)]
    color: ColorChoice,
    /// Write each call of an external tool to standard error
    #[arg(short, long, global = true, help_heading = TALK)]
    verbose: bool,
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
    Completions(help::Completions),
    Man(help::Man),
}

/// Finds --color by itself: clap's errors about the rest of the command line need it, too.
fn color(arguments: impl Iterator<Item = OsString>) -> ColorChoice {
    let words: Vec<OsString> = arguments.collect();
    let written = words.iter().enumerate().find_map(|(at, word)| {
        let word = word.to_str()?;
        match word.strip_prefix("--color") {
            Some("") => words.get(at + 1)?.to_str(),
            Some(value) => value.strip_prefix('='),
            None => None,
        }
    });
    let choice = written.and_then(|name| ColorChoice::from_str(name, true).ok());
    choice.unwrap_or_default()
}

/// What is wrong with an option that only other commands have.
fn foreign(error: &clap::Error) -> Option<String> {
    let option = match (error.kind(), error.get(ContextKind::InvalidArg)?) {
        (ErrorKind::UnknownArgument, ContextValue::String(option)) => option,
        _ => return None,
    };
    let cli = Cli::command();
    let has = |command: &&clap::Command| {
        let mut longs = command.get_arguments().filter_map(Arg::get_long);
        longs.any(|long| option.strip_prefix("--") == Some(long))
    };
    let others: Vec<&str> = (cli.get_subcommands().filter(has))
        .map(clap::Command::get_name)
        .collect();
    let mut words = std::env::args();
    let command = words.find(|word| cli.find_subcommand(word).is_some())?;
    let written = words.find(|word| word.split('=').next() == Some(option))?;
    let value = words
        .next()
        .filter(|value| written == *option && !value.starts_with('-'));
    let value = value.map_or(String::new(), |value| format!(" {value}"));
    (!others.is_empty()).then(|| {
        format!(
            "{written}{value} has no effect on {command}: it is an option of {}; leave it out",
            others.join(", ")
        )
    })
}

fn fail(message: &str) -> ExitCode {
    output::tell(&format!("error: {message}"));
    ExitCode::from(2)
}

fn main() -> ExitCode {
    let color = color(std::env::args_os());
    output::color(color);
    let matches = match Cli::command().color(color).try_get_matches() {
        Ok(matches) => matches,
        Err(error) => match foreign(&error) {
            None => error.exit(),
            Some(message) => return fail(&message),
        },
    };
    let Cli {
        command, verbose, ..
    } = Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    if verbose {
        ::sim::interrupt::show_calls();
    }
    if let Err(error) = ::sim::interrupt::clean_up_on_signals() {
        output::tell(&format!(
            "warning: a run that is interrupted will leave temporary files: {error}"
        ));
    }
    let (name, matches) = matches.subcommand().expect("clap demands a command");
    let given = &Given {
        command: name,
        matches,
    };
    let result = match command {
        Command::Emit(command) => command.run(given),
        Command::Sim(command) => command.run(given),
        Command::Decode(command) => command.run(given),
        Command::Prove(command) => command.run(given),
        Command::Synth(command) => command.run(given),
        Command::Bench(command) => command.run(given),
        Command::Doctor(command) => command.run(),
        Command::Completions(command) => command.run(Cli::command()),
        Command::Man(command) => command.run(Cli::command()),
    };
    match result {
        Ok(Finding::Good) => ExitCode::SUCCESS,
        Ok(Finding::CheckFailed) => ExitCode::from(1),
        Err(Failure(message)) => fail(&message),
    }
}
