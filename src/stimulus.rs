//! The options of a simulation's stimulus: pauses, resets and accesses, all random choices from one seed.

use crate::exit::Failure;
use ::sim::campaign::Campaign;
use ::sim::stimulus::{Pattern, Pauses};
use ::sim::texts::Texts;
use clap::Args;
use golden::Window;
use hdl::config::{Config, CoreName, Form};
use serde::de::Error;
use serde::{Deserialize, Deserializer};

/// The stimulus of a simulation.
#[derive(Args, Clone, Default, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct StimulusOptions {
    /// Seed of all random choices [default: 1]
    #[arg(long, allow_negative_numbers = true, value_parser = seed)]
    pub seed: Option<u64>,
    /// Share of clocks in which the source offers no beat: 0 to 0.99 [default: 0; --stimulus random: 0.1]
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true, value_parser = number)]
    pub idle: Option<f64>,
    /// Mean length of an idle in clocks, 1 or more [default: each clock is drawn independently]
    #[arg(long, value_name = "CLOCKS", allow_negative_numbers = true, value_parser = number)]
    pub idle_burst: Option<f64>,
    /// Share of clocks in which the sink is not ready: 0 to 0.99 [default: 0; --stimulus random: 0.3, in bursts of 20]
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true, value_parser = number)]
    pub stall: Option<f64>,
    /// Mean length of a stall in clocks, 1 or more [default: each clock is drawn independently]
    #[arg(long, value_name = "CLOCKS", allow_negative_numbers = true, value_parser = number)]
    pub stall_burst: Option<f64>,
    /// Share of packets whose tlast comes in an additional beat without bytes: 0 to 1 [default: 0; --stimulus random: 0.1]
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true, value_parser = number)]
    pub late_last: Option<f64>,
    /// Share of null beats (no bytes, no tlast): 0 to 0.99 [default: 0; --stimulus random: 0.05]
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true, value_parser = number)]
    pub null_beats: Option<f64>,
    /// encode: share of beats whose words are in random lanes: 0 to 1 [default: 0; --stimulus random: 0.3]
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true, value_parser = number)]
    pub sparse: Option<f64>,
    /// Share of clocks in which a reset of one or several clocks begins during the run, sometimes soon followed by another: 0 to 0.5
    /// [default: 0; --stimulus random: 0.001, less with --flows, 0 with --events and --write]
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true, value_parser = number)]
    pub resets: Option<f64>,
    /// With --window: where each packet's text is: FIRST..END, the positions of its first byte and of the byte after its last one, or random
    /// [default: 0..65535; --stimulus: random]
    #[arg(long, value_name = "FIRST..END", allow_negative_numbers = true, value_parser = texts)]
    #[serde(deserialize_with = "read_texts")]
    pub text: Option<Texts>,
    /// With --csr: share of clocks in which a random access to the registers begins, if none is in progress: snapshots, clears,
    /// soft resets, enable on and off, byte strobes, unmapped addresses: 0 to 1 [default: 0; --stimulus random: 0.05, 0 with
    /// --events and --write]
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true, value_parser = number)]
    pub accesses: Option<f64>,
}

fn seed(text: &str) -> Result<u64, String> {
    text.parse()
        .map_err(|_| format!("choose a whole number from 0 to {}", u64::MAX))
}

/// The positions of each packet's text, or `random`.
fn texts(text: &str) -> Result<Texts, String> {
    let window = || {
        let (first, end) = text.split_once("..")?;
        let position = |digits: &str| digits.parse().ok();
        let (first, end) = (position(first)?, position(end)?);
        Some(Texts::At(Window { first, end }))
    };
    match text {
        "random" => Ok(Texts::Random),
        _ => window().ok_or_else(|| {
            format!(
                "choose two positions from 0 to {}, as in 42..1500, or random",
                u16::MAX
            )
        }),
    }
}

fn read_texts<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Texts>, D::Error> {
    let text = String::deserialize(deserializer)?;
    texts(&text).map(Some).map_err(D::Error::custom)
}

fn number(text: &str) -> Result<f64, String> {
    text.parse()
        .map_err(|_| "write a number, as in 0.25".to_string())
}

/// What may happen to the core in mid-run, as it was asked for: shares of clocks.
#[derive(Clone, Copy)]
pub struct Disturbances {
    pub resets: Option<f64>,
    pub accesses: Option<f64>,
}

/// A simulation's options, from the command line and the file.
pub struct Resolved {
    pub config: Config,
    /// Without resets and accesses, until it is known what the input is.
    pub pattern: Pattern,
    pub disturbances: Disturbances,
    /// The campaign, if there is one.
    pub stimulus: Option<Campaign>,
}

/// What a random campaign has, if it is not asked for something else: a bit of all that may happen to a core. (Resets and accesses are
/// in `sim/disturb.rs`.)
mod random {
    pub const IDLE: f64 = 0.1;
    /// Long enough, now and then, to fill a FIFO.
    pub const STALL: f64 = 0.3;
    pub const STALL_BURST: f64 = 20.0;
    pub const LATE_LAST: f64 = 0.1;
    pub const NULL_BEATS: f64 = 0.05;
    pub const SPARSE: f64 = 0.3;
}

impl StimulusOptions {
    pub fn seed(&self) -> u64 {
        self.seed.unwrap_or(1)
    }

    /// Where each packet's text is; of a core with windows.
    fn texts(&self, config: &Config, stimulus: Option<Campaign>) -> Result<Texts, Failure> {
        let whole = Window {
            first: 0,
            end: u16::MAX,
        };
        match self.text {
            Some(_) if !config.core.policy().takes_windows() => Err(Failure::new(
                "--text says where the text of each packet is, but this core judges whole packets; leave it out, or give --window"
                    .to_string(),
            )),
            Some(texts) => Ok(texts),
            None if stimulus.is_some() => Ok(Texts::Random),
            None => Ok(Texts::At(whole)),
        }
    }

    /// The share of beats with words in random lanes: of a core that takes words.
    fn sparse(&self, config: &Config, default: Option<f64>) -> Result<f64, Failure> {
        let takes_words = config.core.name() == CoreName::Encode;
        match self.sparse {
            Some(share) if !takes_words => Err(Failure::new(format!(
                "--sparse {share} needs a core that takes words in any lanes, but {} takes bytes in the lowest; leave it out, or choose \
                 --core encode",
                config.core.name()
            ))),
            asked => share(
                "sparse",
                asked.or(default.filter(|_| takes_words)),
                0.0..=1.0,
            ),
        }
    }

    /// Everything that a simulation needs to know but its inputs; `stimulus` is the campaign, if there is one.
    pub fn resolve(&self, config: Config, stimulus: Option<Campaign>) -> Result<Resolved, Failure> {
        let of = |share: f64| {
            let is_random = stimulus == Some(Campaign::Random);
            is_random.then_some(share)
        };
        let (stall, stall_burst) = match (self.stall, of(random::STALL)) {
            (None, Some(share)) if config.form == Form::Axis => {
                (Some(share), self.stall_burst.or(Some(random::STALL_BURST)))
            }
            _ => (self.stall, self.stall_burst),
        };
        let pattern = Pattern {
            seed: self.seed(),
            idle: pauses("idle", self.idle.or(of(random::IDLE)), self.idle_burst)?,
            stall: pauses("stall", stall, stall_burst)?,
            late_last: share(
                "late-last",
                self.late_last.or(of(random::LATE_LAST)),
                0.0..=1.0,
            )?,
            null_beats: share(
                "null-beats",
                self.null_beats.or(of(random::NULL_BEATS)),
                0.0..=MOST_PAUSES,
            )?,
            sparse: self.sparse(&config, of(random::SPARSE))?,
            reset: 0.0,
            accesses: 0.0,
            texts: self.texts(&config, stimulus)?,
        };
        let asked = |name: &str, given: Option<f64>, most: f64| {
            given.map(|_| share(name, given, 0.0..=most)).transpose()
        };
        let disturbances = Disturbances {
            resets: asked("resets", self.resets, MOST_RESETS)?,
            accesses: asked("accesses", self.accesses, 1.0)?,
        };
        if config.form == Form::Free && pattern.stall.share > 0.0 {
            return Err(Failure::new(format!(
                "--stall {} needs a sink that can stall, but --form free has no tready; choose --form axis",
                pattern.stall.share
            )));
        }
        Ok(Resolved {
            config,
            pattern,
            disturbances,
            stimulus,
        })
    }
}

/// The largest share of pauses: with more, a run would hardly come to its end.
const MOST_PAUSES: f64 = 0.99;
/// The largest share of resets: with more, hardly a beat would be taken between two.
const MOST_RESETS: f64 = 0.5;

fn pauses(name: &str, given: Option<f64>, burst: Option<f64>) -> Result<Pauses, Failure> {
    let share = share(name, given, 0.0..=MOST_PAUSES)?;
    if let Some(burst) = burst {
        // A pause of this mean length cannot be so rare that the rest of the clocks are fewer than one at a time.
        if !(1.0..=1e6).contains(&burst) {
            return Err(Failure::new(format!(
                "--{name}-burst is {burst}, but a pause has 1 to 1000000 clocks; choose a mean in that range"
            )));
        }
        if share == 0.0 {
            return Err(Failure::new(format!(
                "--{name}-burst {burst} sets the length of the pauses, but --{name} is 0, so there are none; give --{name} a \
                 share above 0"
            )));
        }
        if share > burst / (burst + 1.0) {
            return Err(Failure::new(format!(
                "--{name} {share} cannot be combined with --{name}-burst {burst}: pauses of {burst} clocks with one clock \
                 between take a share of {:.3}; choose longer bursts or a smaller share",
                burst / (burst + 1.0)
            )));
        }
    }
    Ok(Pauses { share, burst })
}

fn share(
    name: &str,
    given: Option<f64>,
    allowed: std::ops::RangeInclusive<f64>,
) -> Result<f64, Failure> {
    let share = given.unwrap_or(0.0);
    if allowed.contains(&share) {
        return Ok(share);
    }
    Err(Failure::new(format!(
        "--{name} is {share}, but a share is from {} to {}; choose one in that range",
        allowed.start(),
        allowed.end()
    )))
}
