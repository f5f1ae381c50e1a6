//! Options that several commands share, on the command line and in a configuration file.

use crate::exit::Failure;
use crate::output;
use ::sim::campaign::Campaign;
use ::sim::stimulus::{Pattern, Pauses};
use clap::Args;
use hdl::config::{
    COUNTER_WIDTHS, Config, CoreName, Form, LANES, MAX_FLOWS, MAX_SIDE_WIDTH, MAX_VERDICT_WIDTH,
    Mode, Request, Signature, list,
};
use hdl::layout::VERDICT_BITS;
use serde::Deserialize;
use serde::de::{DeserializeOwned, IntoDeserializer, value::Error};
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
#[derive(Args, Clone, Default)]
#[command(next_help_heading = "The core")]
pub struct CoreOptions {
    /// The core: decode (one event per piece) or validate (one verdict per packet) [default: decode]
    #[arg(long, value_parser = by_name::<CoreName>)]
    pub core: Option<CoreName>,
    /// Bytes per beat: 1, 2, 4, 8, 16, 32 or 64 [default: 1]
    #[arg(long, allow_negative_numbers = true, value_parser = lanes)]
    pub lanes: Option<usize>,
    /// axis (AXI4-Stream, with tready) or free (a beat in every clock, no tready) [default: axis]
    #[arg(long, value_parser = by_name::<Form>)]
    pub form: Option<Form>,
    /// decode: handling of a signature (BOM, EF BB BF) at the beginning of a packet: keep, flag or strip [default: keep]
    #[arg(long, value_parser = by_name::<Signature>)]
    pub signature: Option<Signature>,
    /// decode: pack the events into the low lanes, across beats [default: false]
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true", value_parser = truth)]
    pub dense: Option<bool>,
    /// validate: snoop (monitor a stream) or pass (forward the packets, and set tuser[0] in the last beat of an ill-formed one)
    /// [default: snoop]
    #[arg(long, value_parser = by_name::<Mode>)]
    pub mode: Option<Mode>,
    /// validate: width of m_axis_verdict_tdata in bits, a multiple of 8 [default: 160]
    #[arg(long, value_name = "BITS", allow_negative_numbers = true, value_parser = verdict_width)]
    pub verdict_width: Option<usize>,
    /// validate: width of each counter in a verdict, in bits: 8, 16, 24 or 32; the counters saturate [default: 32]
    #[arg(long, value_name = "BITS", allow_negative_numbers = true, value_parser = counter_width)]
    pub counter_width: Option<usize>,
    /// validate: number of interleaved flows, selected by s_axis_tid, whose messages may span packets: 1 to 4096 [default: none;
    /// packets do not interleave]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = flows)]
    pub flows: Option<usize>,
    /// validate: add registers on an AXI4-Lite bus: identification, control, 64-bit counters [default: false]
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true", value_parser = truth)]
    pub csr: Option<bool>,
    /// Add the pin beat_error: it reports an accepted beat whose tkeep has a hole, or is partial without tlast [default: false]
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true", value_parser = truth)]
    pub beat_error: Option<bool>,
    /// Width of tid in bits, 0 to 64; 0 omits the pins [default: 0; with --flows: as many as the flow numbers need]
    #[arg(long, value_name = "BITS", allow_negative_numbers = true, value_parser = side_width)]
    pub id_width: Option<usize>,
    /// Width of tdest in bits, 0 to 64; 0 omits the pins [default: 0]
    #[arg(long, value_name = "BITS", allow_negative_numbers = true, value_parser = side_width)]
    pub dest_width: Option<usize>,
    /// Width of the sideband in tuser, in bits, 0 to 64 [default: 0]
    #[arg(long, value_name = "BITS", allow_negative_numbers = true, value_parser = side_width)]
    pub user_width: Option<usize>,
    /// The Verilog module's name [default: utf8_CORE_wLANES with a word for each option that differs from its default,
    /// as in utf8_decode_free_w8]
    #[arg(long)]
    pub module: Option<String>,
    /// Read options from a TOML file with the same keys; the command line has precedence
    #[arg(long, value_name = "FILE.toml")]
    pub config: Option<PathBuf>,
}

/// The stimulus of a simulation.
#[derive(Args, Clone, Default)]
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
    /// Share of clocks in which a reset of one or several clocks begins during the run, sometimes soon followed by another: 0 to 0.5
    /// [default: 0; --stimulus random: 0.001, less with --flows, 0 with --events]
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true, value_parser = number)]
    pub resets: Option<f64>,
    /// With --csr: share of clocks in which a random access to the registers begins, if none is in progress: snapshots, clears,
    /// soft resets, enable on and off, byte strobes, unmapped addresses: 0 to 1 [default: 0; --stimulus random: 0.05, 0 with
    /// --events]
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true, value_parser = number)]
    pub accesses: Option<f64>,
}

/// A configuration file: the flags' names are its keys.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct File {
    core: Option<CoreName>,
    lanes: Option<usize>,
    form: Option<Form>,
    signature: Option<Signature>,
    dense: Option<bool>,
    mode: Option<Mode>,
    verdict_width: Option<usize>,
    counter_width: Option<usize>,
    flows: Option<usize>,
    csr: Option<bool>,
    beat_error: Option<bool>,
    id_width: Option<usize>,
    dest_width: Option<usize>,
    user_width: Option<usize>,
    module: Option<String>,
    engine: Option<String>,
    split: Option<String>,
    stimulus: Option<Campaign>,
    count: Option<u64>,
    shard: Option<String>,
    seed: Option<u64>,
    idle: Option<f64>,
    idle_burst: Option<f64>,
    stall: Option<f64>,
    stall_burst: Option<f64>,
    late_last: Option<f64>,
    null_beats: Option<f64>,
    resets: Option<f64>,
    accesses: Option<f64>,
}

/// The value of an enum with this name.
pub fn by_name<T: DeserializeOwned>(name: &str) -> Result<T, String> {
    let name: serde::de::value::StrDeserializer<Error> = name.into_deserializer();
    T::deserialize(name).map_err(|error| error.to_string())
}

/// Clap's own parsers do not say what is allowed.
fn lanes(text: &str) -> Result<usize, String> {
    text.parse()
        .map_err(|_| format!("choose one of {}", list(&LANES)))
}

fn truth(text: &str) -> Result<bool, String> {
    text.parse().map_err(|_| "choose true or false".to_string())
}

fn verdict_width(text: &str) -> Result<usize, String> {
    text.parse()
        .map_err(|_| format!("choose a multiple of 8 from {VERDICT_BITS} to {MAX_VERDICT_WIDTH}"))
}

/// A number of flows as it is written.
fn flows(text: &str) -> Result<usize, String> {
    let number = text.parse().ok();
    number.ok_or_else(|| format!("choose a whole number from 1 to {MAX_FLOWS}"))
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

fn counter_width(text: &str) -> Result<usize, String> {
    text.parse()
        .map_err(|_| format!("choose one of {}", list(&COUNTER_WIDTHS)))
}

fn side_width(text: &str) -> Result<usize, String> {
    text.parse()
        .map_err(|_| format!("choose a whole number from 0 to {MAX_SIDE_WIDTH}"))
}

fn seed(text: &str) -> Result<u64, String> {
    text.parse()
        .map_err(|_| format!("choose a whole number from 0 to {}", u64::MAX))
}

fn number(text: &str) -> Result<f64, String> {
    text.parse()
        .map_err(|_| "write a number, as in 0.25".to_string())
}

impl CoreOptions {
    fn file(&self) -> Result<File, Failure> {
        let Some(path) = &self.config else {
            return Ok(File::default());
        };
        let text = std::fs::read_to_string(path).map_err(|error| {
            Failure::new(format!(
                "cannot read the configuration {path:?}: {error}; name a TOML file that can be read"
            ))
        })?;
        toml::from_str(&text).map_err(|error| {
            Failure::new(format!(
                "the configuration {path:?} cannot be used: {}; its keys are flags without their dashes: correct it, or \
                 leave the key out",
                in_words(error.to_string().trim_end())
            ))
        })
    }

    /// The core's configuration, from the command line and the file.
    pub fn resolve(&self) -> Result<Config, Failure> {
        Ok(self.request()?.resolve()?)
    }

    /// What the command line and the file ask for.
    pub fn request(&self) -> Result<Request, Failure> {
        Ok(self.request_with(&self.file()?))
    }

    fn request_with(&self, file: &File) -> Request {
        Request {
            core: self.core.or(file.core),
            lanes: self.lanes.or(file.lanes),
            form: self.form.or(file.form),
            signature: self.signature.or(file.signature),
            dense: self.dense.or(file.dense),
            mode: self.mode.or(file.mode),
            verdict_width: self.verdict_width.or(file.verdict_width),
            counter_width: self.counter_width.or(file.counter_width),
            flows: self.flows.or(file.flows),
            csr: self.csr.or(file.csr),
            beat_error: self.beat_error.or(file.beat_error),
            id_width: self.id_width.or(file.id_width),
            dest_width: self.dest_width.or(file.dest_width),
            user_width: self.user_width.or(file.user_width),
            module: self.module.clone().or_else(|| file.module.clone()),
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
    pub engine: Option<String>,
    pub split: Option<String>,
    /// The campaign, if there is one.
    pub stimulus: Option<Campaign>,
    pub count: Option<u64>,
    pub shard: Option<String>,
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
}

impl StimulusOptions {
    /// Everything that a simulation needs to know but its inputs. `campaign` is the one that the command line names.
    pub fn resolve(
        &self,
        core: &CoreOptions,
        campaign: Option<Campaign>,
    ) -> Result<Resolved, Failure> {
        let file = core.file()?;
        let config = core.request_with(&file).resolve()?;
        let stimulus = campaign.or(file.stimulus);
        let of = |share: f64| {
            let is_random = stimulus == Some(Campaign::Random);
            is_random.then_some(share)
        };
        let stall = self.stall.or(file.stall);
        let stall_burst = self.stall_burst.or(file.stall_burst);
        let (stall, stall_burst) = match (stall, of(random::STALL)) {
            (None, Some(share)) if config.form == Form::Axis => {
                (Some(share), stall_burst.or(Some(random::STALL_BURST)))
            }
            _ => (stall, stall_burst),
        };
        let pattern = Pattern {
            seed: self.seed.or(file.seed).unwrap_or(1),
            idle: pauses(
                "idle",
                self.idle.or(file.idle).or(of(random::IDLE)),
                self.idle_burst.or(file.idle_burst),
            )?,
            stall: pauses("stall", stall, stall_burst)?,
            late_last: share(
                "late-last",
                self.late_last.or(file.late_last).or(of(random::LATE_LAST)),
                0.0..=1.0,
            )?,
            null_beats: share(
                "null-beats",
                self.null_beats
                    .or(file.null_beats)
                    .or(of(random::NULL_BEATS)),
                0.0..=MOST_PAUSES,
            )?,
            reset: 0.0,
            accesses: 0.0,
        };
        let asked = |name: &str, given: Option<f64>, most: f64| {
            given.map(|_| share(name, given, 0.0..=most)).transpose()
        };
        let disturbances = Disturbances {
            resets: asked("resets", self.resets.or(file.resets), MOST_RESETS)?,
            accesses: asked("accesses", self.accesses.or(file.accesses), 1.0)?,
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
            engine: file.engine,
            split: file.split,
            stimulus,
            count: file.count,
            shard: file.shard,
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
