//! A configuration file. Its keys are the flags of [`Request`], of a simulation and its input, each stated where the flag is: one file
//! serves all commands, and each takes of it what acts on it.

use crate::exit::Failure;
use crate::given::{Given, ids};
use crate::stimulus::StimulusOptions;
use ::sim::campaign::Campaign;
use clap::Args;
use hdl::config::Request;
use hdl::config::flags::named;
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// How a simulation reads and runs its input.
#[derive(Args, Default, Deserialize)]
#[serde(default)]
pub struct RunOptions {
    /// verilator, icarus or embedded [default: verilator, or embedded without Verilator]
    #[arg(long)]
    pub engine: Option<String>,
    /// whole (each input is a packet), lines (each line is a packet, without its line feed), ladder (packets of 0, 1, 2 ... 4 * LANES
    /// bytes, a long one, 64 of one byte, repeated) or random (packets of 0 to 4 * LANES + 12 bytes) [default: whole]
    #[arg(long, value_name = "HOW")]
    pub split: Option<String>,
}

/// An input that is made rather than read.
#[derive(Args, Default, Deserialize)]
#[serde(default)]
pub struct GeneratedOptions {
    /// Generate the input: windows (all 2^32 windows of four bytes, in one packet; not with --grammar rfc2279), classes (all windows of
    /// six of the grammar's byte classes, of seven with --grammar rfc2279) or random (packets biased to the grammar's boundaries)
    #[arg(long, value_name = "NAME", hide_possible_values = true, value_parser = named::<Campaign>())]
    pub stimulus: Option<Campaign>,
    /// Run only the stimulus's first N windows, or N random bytes; 2^24 means 16777216 [default: all; random: 2^20]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = count)]
    pub count: Option<u64>,
    /// Run only the Kth of N equal parts of the stimulus; for windows and classes, including the bytes that complete its last window
    #[arg(long, value_name = "K/N", allow_hyphen_values = true)]
    pub shard: Option<String>,
}

/// A count as it is written: a whole number, or a power of two.
fn count(text: &str) -> Result<u64, String> {
    let number = match text.split_once('^') {
        Some(("2", exponent)) => exponent.parse().ok().and_then(|e| 1_u64.checked_shl(e)),
        Some(_) => None,
        None => text.parse().ok(),
    };
    number.ok_or_else(|| {
        "choose a whole number, as in 1000000, or a power of two, as in 2^24".to_string()
    })
}

/// A file that has been read, or none.
pub struct File {
    path: PathBuf,
    text: String,
}

impl File {
    pub fn read(path: Option<&Path>) -> Result<Self, Failure> {
        let Some(path) = path else {
            let (path, text) = Default::default();
            return Ok(Self { path, text });
        };
        let text = std::fs::read_to_string(path).map_err(|error| {
            Failure::new(format!(
                "cannot read the configuration {path:?}: {error}; name a TOML file that can be read"
            ))
        })?;
        let file = Self {
            path: path.to_path_buf(),
            text,
        };
        file.options::<BTreeMap<Key, IgnoredAny>>()?;
        // A command refuses a value even if only others use it.
        file.options::<Request>()?;
        file.options::<RunOptions>()?;
        file.options::<GeneratedOptions>()?;
        file.options::<StimulusOptions>()?;
        Ok(file)
    }

    /// A group of options, of the file alone.
    pub fn options<T: DeserializeOwned>(&self) -> Result<T, Failure> {
        toml::from_str(&self.text).map_err(|error| self.fail(&error))
    }

    /// The same under those of the command line, which have precedence.
    pub fn under<T: Args + DeserializeOwned>(&self, given: &Given) -> Result<T, Failure> {
        let mut options: T = self.options()?;
        options.update_from_arg_matches(given.matches)?;
        Ok(options)
    }

    fn fail(&self, error: &toml::de::Error) -> Failure {
        Failure::new(format!(
            "the configuration {:?} cannot be used: {}; its keys are flags without their dashes: correct it, or leave the key out",
            self.path,
            in_words(error.to_string().trim_end())
        ))
    }
}

/// A key that is some option's.
#[derive(PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "String")]
struct Key(String);

impl TryFrom<String> for Key {
    type Error = String;

    fn try_from(key: String) -> Result<Self, String> {
        let ids = [
            ids::<Request>(),
            ids::<RunOptions>(),
            ids::<GeneratedOptions>(),
            ids::<StimulusOptions>(),
        ];
        let keys = ids.concat().join("`, `").replace('_', "-");
        match keys.split("`, `").any(|known| known == key) {
            true => Ok(Self(key)),
            false => Err(format!("unknown field `{key}`, expected one of `{keys}`")),
        }
    }
}

/// What a parser says, without the names of Rust's types.
fn in_words(said: &str) -> String {
    let types = [
        ("usize", "a whole number, 0 or more"),
        ("u64", "a whole number, 0 or more"),
        ("f64", "a number"),
        ("a boolean", "true or false"),
    ];
    types
        .into_iter()
        .fold(said.to_string(), |said, (name, words)| {
            said.replace(&format!("expected {name}"), &format!("expected {words}"))
        })
}
