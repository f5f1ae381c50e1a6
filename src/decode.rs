//! `runegate decode`: what the golden model says of bytes, without any hardware.

use crate::exit::{Failure, Finding};
use crate::given::{Given, ids};
use crate::inputs::{Inputs, SplitName, progress_bar, refuse_overlap};
use crate::judged::Judged;
use crate::options::{CoreOptions, Talk};
use crate::report::{Report, merge};
use crate::stimulus::StimulusOptions;
use ::sim::grammar::grammar;
use ::sim::observer::{Against, Saturated};
use ::sim::packets::Piece;
use clap::{Arg, Args};
use golden::{Event, Oracle, SIGNATURE, Tally};
use hdl::config::Request;
use serde::Deserialize;
use serde_json::json;
use std::path::PathBuf;

/// Decodes files with the golden model alone
///
/// Of the core's options only --signature and --grammar change the result: a stripped signature has no event.
#[derive(Args)]
#[command(mut_args(acting))]
pub struct Decode {
    /// Files, or - for standard input; each is a packet
    files: Vec<PathBuf>,
    #[command(flatten)]
    split: SplitOptions,
    /// Write one JSON line per event to a file (- is standard output)
    #[arg(long, value_name = "FILE")]
    events: Option<PathBuf>,
    #[command(flatten)]
    core: CoreOptions,
    #[command(flatten)]
    talk: Talk,
}

/// What a configuration file may say of it, too.
#[derive(Args, Default, Deserialize)]
#[serde(default)]
struct SplitOptions {
    /// How an input is split into packets: whole, lines, ladder or random, as in `sim`
    #[arg(long, value_name = "HOW")]
    split: Option<String>,
}

/// What acts on the model of a core's options; the lanes, on some splits.
const ACTING: [&str; 3] = ["signature", "grammar", "lanes"];

/// Shows an option in the help if it acts here.
fn acting(option: Arg) -> Arg {
    let id = option.get_id().as_str();
    let hides = ids::<Request>().iter().any(|other| other == id) && !ACTING.contains(&id);
    option.hide(hides)
}

/// The packet in progress.
#[derive(Default)]
struct State {
    packet: u64,
    bytes: u64,
    tally: Tally,
    strip: bool,
}

impl State {
    fn observe(&mut self, event: Event, report: &mut Report) {
        let first = self.bytes == 0;
        self.bytes += u64::from(event.length());
        if self.strip && first && event == Event::Scalar(SIGNATURE) {
            self.tally.signature_stripped();
            return;
        }
        self.tally.observe(event);
        report.event(self.packet, self.bytes - 1, event);
    }
}

impl Decode {
    pub fn run(self, given: &Given) -> Result<Finding, Failure> {
        let file = self.core.file()?;
        let SplitOptions { split } = file.under(given)?;
        let split = split.as_deref();
        let by_lanes = [SplitName::Ladder, SplitName::Random].contains(&SplitName::parse(split)?);
        let why = format!(
            "on {}, which runs no core; leave it out, or run one with `runegate sim`",
            given.command
        );
        given.refuse_all::<Request>(&ACTING[..2 + usize::from(by_lanes)], &why)?;
        let config = file.under::<Request>(given)?.resolve()?;
        let seed = file.options::<StimulusOptions>()?.seed();
        let read = self.files.iter().chain(&self.core.config);
        refuse_overlap(
            &read.map(PathBuf::as_path).collect::<Vec<_>>(),
            &[("events", self.events.as_deref())],
        )?;
        let inputs = Inputs::open(&self.files, split, config.lanes, 1, seed)?;
        let bar = progress_bar(self.talk, inputs.total);
        let (mut packets, origins) = inputs.packets();
        let mut report = Report::new(Some(origins), self.talk, self.events.as_deref(), true)?;
        let mut oracle = Oracle::of(grammar(&config));
        let mut state = State {
            strip: config.core.strips(),
            ..State::default()
        };
        let mut piece = Piece::default();
        let cannot_read = |error| Failure::new(format!("cannot read the input: {error}"));
        while packets.next(&mut piece).map_err(cannot_read)? {
            for &byte in &piece.bytes {
                let pushed = oracle.push(byte);
                for event in [pushed.before, pushed.here].into_iter().flatten() {
                    state.observe(event, &mut report);
                }
            }
            if piece.ends {
                if let Some(event) = oracle.finish() {
                    state.observe(event, &mut report);
                }
                let verdict = state.tally.finish();
                if config.core.policy().rejects {
                    report.against(Against {
                        bad: !verdict.well_formed || verdict.signature,
                        ..Against::default()
                    });
                }
                report.packet(state.packet, Judged::Bytes(verdict), Saturated::default());
                state.packet += 1;
                state.bytes = 0;
            }
            bar.inc(piece.bytes.len() as u64);
        }
        bar.finish_and_clear();
        let mut run = json!({ "command": "decode" });
        merge(&mut run, &json!(config));
        report.finish(&run, "")?;
        Ok(Finding::Good)
    }
}
