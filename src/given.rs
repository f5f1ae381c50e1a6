//! A command's line as it was written.

use crate::exit::Failure;
use clap::parser::ValueSource;
use clap::{ArgMatches, Args, Command};

/// A command by its name, and what it was given.
pub struct Given<'a> {
    pub command: &'a str,
    pub matches: &'a ArgMatches,
}

impl Given<'_> {
    /// An option with its value, if it is on the command line.
    pub fn written(&self, id: &str) -> Option<String> {
        let source = self.matches.value_source(id);
        source.filter(|source| *source == ValueSource::CommandLine)?;
        let mut values = self.matches.get_raw(id).into_iter().flatten();
        // A switch is written without a value.
        let value = values.next().filter(|value| *value != "true");
        let value = value.map_or(String::new(), |value| format!(" {}", value.display()));
        Some(format!("--{}{value}", id.replace('_', "-")))
    }

    /// Refuses an option that would have no effect here: `why` says on what, the reason, and the remedy.
    pub fn refuse(&self, id: &str, why: &str) -> Result<(), Failure> {
        match self.written(id) {
            None => Ok(()),
            Some(written) => Err(Failure::new(format!("{written} has no effect {why}"))),
        }
    }

    /// Refuses all of a group, but for those that act.
    pub fn refuse_all<T: Args>(&self, acting: &[&str], why: &str) -> Result<(), Failure> {
        let mut ids = ids::<T>().into_iter();
        ids.try_for_each(|id| match acting.contains(&id.as_str()) {
            true => Ok(()),
            false => self.refuse(&id, why),
        })
    }
}

/// The names of a group of options.
pub fn ids<T: Args>() -> Vec<String> {
    let group = T::augment_args(Command::default());
    let ids = group
        .get_arguments()
        .map(|option| option.get_id().to_string());
    ids.collect()
}
