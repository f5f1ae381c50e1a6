//! The options of a campaign: which input is made, how much of it, and which part.

use crate::exit::Failure;
use crate::file::GeneratedOptions;
use crate::inputs::SplitName;
use crate::stimulus::Resolved;
use ::sim::campaign::{Campaign, Plan, Shard};
use ::sim::grammar;
use clap::Args;
use hdl::config::Core;
use std::path::PathBuf;

/// An input that is made rather than read.
#[derive(Args)]
pub struct CampaignOptions {
    #[command(flatten)]
    pub input: GeneratedOptions,
    /// Write the shard's result to a new file, for --merge; if the file has this shard's result already, run nothing
    #[arg(long, value_name = "FILE.json", conflicts_with_all = ["events", "trace", "write"])]
    pub report: Option<PathBuf>,
    /// Run nothing; merge the reports of all shards of a stimulus
    #[arg(long, value_name = "FILE.json", num_args = 1.., conflicts_with_all = [
        "files", "stimulus", "count", "shard", "report", "engine", "split", "events", "trace", "write", "verilog",
        "netlist",
        "StimulusOptions", "Request", "config", "TrafficOptions",
    ])]
    pub merge: Vec<PathBuf>,
}

/// The most shards: beginning a random one takes time in proportion to its number.
const MOST_SHARDS: u64 = 1 << 16;

/// A shard as it is written.
fn shard(text: &str) -> Result<Shard, Failure> {
    let fail = |what: &str| {
        Failure::new(format!(
            "--shard is {text:?}, but {what}; write K/N, as in 3/8, with K from 1 to N and N up to {MOST_SHARDS}"
        ))
    };
    let numbers = text.split_once('/');
    let numbers = numbers.and_then(|(k, n)| Some((k.parse().ok()?, n.parse().ok()?)));
    let Some((number, of)) = numbers else {
        return Err(fail("that is not two whole numbers"));
    };
    if of == 0 || of > MOST_SHARDS {
        return Err(fail(&format!("a stimulus cannot be cut into {of} shards")));
    }
    if number == 0 || number > of {
        return Err(fail(&format!("there is no shard {number} of {of}")));
    }
    Ok(Shard { number, of })
}

impl CampaignOptions {
    /// What is to be run of which campaign, if of any.
    pub fn plan(
        &self,
        resolved: &Resolved,
        split: Option<&str>,
        files: &[PathBuf],
    ) -> Result<Option<Plan>, Failure> {
        let count = self.input.count;
        let shard_text = self.input.shard.as_deref();
        let Some(campaign) = resolved.stimulus else {
            let given = [
                ("count", count.is_some()),
                ("shard", shard_text.is_some()),
                ("report", self.report.is_some()),
            ];
            return match given.into_iter().find(|(_, given)| *given) {
                None => Ok(None),
                Some((name, _)) => Err(Failure::new(format!(
                    "--{name} needs a generated input; choose --stimulus windows, classes or random, or \
                     leave --{name} out"
                ))),
            };
        };
        let name = campaign.name();
        if resolved.config.core.policy().has_window && campaign != Campaign::Random {
            return Err(Failure::new(format!(
                "--stimulus {name} cannot be combined with {}; choose --stimulus random",
                match resolved.config.core.policy().has_frames {
                    true => "--frames: its bytes are no headers",
                    false => "--window: its one packet is longer than any window",
                }
            )));
        }
        if let Some(file) = files.first() {
            return Err(Failure::new(format!(
                "--stimulus {name} generates the input, but the input {file:?} is named as well; leave one of them out"
            )));
        }
        let grammar = grammar::grammar(&resolved.config);
        if campaign == Campaign::Windows && grammar.longest() as u64 > campaign.window(grammar) {
            return Err(Failure::new(format!(
                "--stimulus {name} cannot be combined with --grammar {}: a sequence has up to {} bytes, and a window only {}; choose \
                 --stimulus classes or random",
                resolved.config.core.grammar(),
                grammar.longest(),
                campaign.window(grammar)
            )));
        }
        let all = campaign.all(grammar);
        let count = count.unwrap_or(campaign.default_count(grammar));
        if count == 0 || all.is_some_and(|all| count > all) {
            let has = match all {
                Some(all) => format!("{name} has 1 to {all} windows"),
                None => format!("{name} has at least 1 byte"),
            };
            return Err(Failure::new(format!(
                "--count is {count}, but {has}; choose a number in that range"
            )));
        }
        let shard = match shard_text {
            Some(text) => shard(text)?,
            None => Shard { number: 1, of: 1 },
        };
        if shard.of > count {
            return Err(Failure::new(format!(
                "--shard {}/{} cannot be combined with --count {count}: some shards would be empty; choose fewer shards, or a larger \
                 count",
                shard.number, shard.of
            )));
        }
        let words = match resolved.config.core {
            Core::Encode { from, .. } => Some(from),
            _ => None,
        };
        if words.is_some() && campaign != Campaign::Random {
            return Err(Failure::new(format!(
                "--stimulus {name} cannot be combined with --core encode: its windows are of bytes; choose --stimulus random"
            )));
        }
        let seed = resolved.pattern.seed;
        let chosen = SplitName::parse(split)?;
        let split = match (campaign, chosen) {
            (_, SplitName::Whole) | (Campaign::Classes, SplitName::Ladder | SplitName::Random) => {
                chosen.of(resolved.config.lanes, seed)
            }
            (Campaign::Windows, _) => {
                return Err(no_split(
                    split,
                    name,
                    "a packet's end would cut windows",
                    "",
                ));
            }
            (Campaign::Classes, _) => {
                let remedy = ", or choose --split ladder or random";
                return Err(no_split(
                    split,
                    name,
                    "its line feeds are bytes of windows",
                    remedy,
                ));
            }
            (Campaign::Random, _) => {
                return Err(no_split(
                    split,
                    name,
                    "its input already consists of packets",
                    "",
                ));
            }
        };
        Ok(Some(Plan {
            campaign,
            grammar,
            forbid: resolved.config.core.policy().forbid.bits(),
            count,
            shard,
            seed,
            split,
            words,
            frames: resolved.config.core.policy().has_frames,
            ports: resolved.config.core.policy().ports,
        }))
    }
}

fn no_split(split: Option<&str>, name: &str, why: &str, instead: &str) -> Failure {
    Failure::new(format!(
        "--split {} cannot be combined with --stimulus {name}: {why}; leave it out{instead}",
        split.unwrap_or_default()
    ))
}
