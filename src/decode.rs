//! `runegate decode`: what the golden model says of bytes, without any hardware.

use crate::exit::{Failure, Finding};
use crate::inputs::{Inputs, progress_bar, refuse_overlap};
use crate::options::{CoreOptions, Resolved, StimulusOptions, Talk};
use crate::report::{Report, merge};
use ::sim::observer::Saturated;
use ::sim::packets::Piece;
use clap::Args;
use golden::{Event, Oracle, SIGNATURE, Tally};
use hdl::config::{Core, Signature};
use serde_json::json;
use std::path::PathBuf;

/// Decodes files with the golden model alone
///
/// Of the core's options only --signature changes the result: a stripped signature has no event.
#[derive(Args)]
pub struct Decode {
    /// Files, or - for standard input; each is a packet
    files: Vec<PathBuf>,
    /// How an input is split into packets: whole, lines, ladder or random, as in `sim`
    #[arg(long, value_name = "HOW")]
    split: Option<String>,
    /// Write one JSON line per event to a file
    #[arg(long, value_name = "FILE")]
    events: Option<PathBuf>,
    #[command(flatten)]
    core: CoreOptions,
    #[command(flatten)]
    talk: Talk,
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
    pub fn run(self) -> Result<Finding, Failure> {
        let Resolved {
            config,
            pattern,
            split,
            ..
        } = StimulusOptions::default().resolve(&self.core, None)?;
        let read = self.files.iter().chain(&self.core.config);
        refuse_overlap(
            &read.map(PathBuf::as_path).collect::<Vec<_>>(),
            &[("events", self.events.as_deref())],
        )?;
        let inputs = Inputs::open(
            &self.files,
            self.split.as_deref().or(split.as_deref()),
            config.lanes,
            pattern.seed,
        )?;
        let bar = progress_bar(self.talk, inputs.total);
        let (mut packets, origins) = inputs.packets();
        let mut report = Report::new(Some(origins), self.talk, self.events.as_deref())?;
        let mut oracle = Oracle::new();
        let mut state = State {
            strip: matches!(
                config.core,
                Core::Decode {
                    signature: Signature::Strip,
                    ..
                }
            ),
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
                report.packet(state.packet, state.tally.finish(), Saturated::default());
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
