//! The result of a shard: what was run, how it ended, and how much came out. It is a file that `--merge` adds up, and the JSON
//! document of a campaign.

use super::disturb::Disturbed;
use super::registers::Registers;
use super::written::Written;
use crate::exit::{Failure, Finding};
use crate::judged::Judged;
use crate::report::Report;
use ::sim::campaign::census::Census;
use ::sim::campaign::{Campaign, Plan, Shard};
use ::sim::grammar;
use ::sim::observer::{Against, Saturated, Sink};
use ::sim::packets::Split;
use golden::{Event, Grammar, SIGNATURE, Verdict, encode};
use hdl::config::Config;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::Path;

/// What the shards of one campaign have in common.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct Run {
    pub command: String,
    /// This program's version.
    pub runegate: String,
    pub stimulus: Campaign,
    /// Windows of all shards.
    pub count: u64,
    pub seed: u64,
    pub engine: String,
    pub engine_version: String,
    /// The arguments that run it, but for the shard.
    pub arguments: String,
    /// Of the Verilog that was run, or that the embedded engine's description is emitted as.
    pub verilog_hash: String,
    pub config_sha256: String,
    pub config: Value,
}

impl Run {
    /// The first thing in which another one differs.
    pub fn difference(&self, other: &Self) -> Option<String> {
        let value = |run| serde_json::to_value(run).expect("plain data");
        let (one, other) = (value(self), value(other));
        let mut fields = other.as_object().expect("an object").iter();
        let (name, value) = fields.find(|(name, value)| one[*name] != **value)?;
        Some(format!("its {name} is {value}, and not {}", one[name]))
    }

    /// What bytes were to the core. A configuration states it only if it is not RFC 3629's.
    fn grammar(&self) -> serde_json::Result<Grammar> {
        let stated = self.config.get("grammar");
        let stated = stated.map(hdl::config::Grammar::deserialize).transpose()?;
        Ok(grammar::grammar_of(stated.unwrap_or_default()))
    }
}

/// Which windows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Span {
    #[serde(flatten)]
    pub shard: Shard,
    pub first_window: u64,
    pub windows: u64,
}

impl Span {
    pub fn of(shard: Shard, count: u64) -> Self {
        let windows = shard.windows(count);
        Self {
            shard,
            first_window: windows.start,
            windows: windows.end - windows.start,
        }
    }
}

/// How it ended, and how much came out.
#[derive(Clone, Default, Serialize, Deserialize)]
pub struct Totals {
    pub cycles: u64,
    /// Bytes that the core accepted.
    pub bytes: u64,
    /// In mid-run, and random accesses to the registers.
    #[serde(default)]
    pub resets: u64,
    #[serde(default)]
    pub accesses: u64,
    pub mismatches: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mismatch: Option<Value>,
    pub packet_count: u64,
    pub ill_formed_packets: u64,
    /// Packets whose verdict has a counter that tells less than there was.
    pub saturated_packets: u64,
    /// As the packets' verdicts say.
    pub scalars: u64,
    pub ill_formed: u64,
    /// What a decoder put out; of a stream that is one packet, the pieces that begin in the shard's own windows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pieces: Option<Census>,
    pub seconds: f64,
}

impl Totals {
    pub fn disturbed(&self) -> Disturbed {
        Disturbed {
            resets: self.resets,
            accesses: self.accesses,
        }
    }

    pub fn add(&mut self, other: &Self) {
        self.cycles += other.cycles;
        self.bytes += other.bytes;
        self.resets += other.resets;
        self.accesses += other.accesses;
        self.mismatches += other.mismatches;
        self.packet_count += other.packet_count;
        self.ill_formed_packets += other.ill_formed_packets;
        self.saturated_packets += other.saturated_packets;
        self.scalars += other.scalars;
        self.ill_formed += other.ill_formed;
        match (&mut self.pieces, &other.pieces) {
            (Some(pieces), Some(more)) => pieces.add(more),
            (pieces, more) => *pieces = pieces.take().or_else(|| more.clone()),
        }
        self.seconds += other.seconds;
    }
}

/// The result of a shard.
#[derive(Clone, Serialize, Deserialize)]
pub struct ShardReport {
    #[serde(flatten)]
    pub run: Run,
    pub shard: Span,
    #[serde(flatten)]
    pub totals: Totals,
}

impl ShardReport {
    pub fn finding(&self) -> Finding {
        match self.totals.mismatches {
            0 => Finding::Good,
            _ => Finding::CheckFailed,
        }
    }

    /// The document, with what only its readers want to know.
    pub fn json(&self) -> Value {
        let mut document = serde_json::to_value(self).expect("plain data");
        let rate = |amount: u64| (amount as f64 / self.totals.seconds).round();
        document["bytes_per_second"] = rate(self.totals.bytes).into();
        document["windows_per_second"] = rate(self.shard.windows).into();
        document
    }

    /// Reads a report. What is no whole report is refused.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        let read = || {
            let kind = std::fs::metadata(path)?.file_type();
            // A device may have no end.
            match kind.is_file() || kind.is_dir() {
                true => std::fs::read(path),
                false => Err(std::io::Error::other("it is not a regular file")),
            }
        };
        let text = read().map_err(|error| {
            Failure::new(format!(
                "cannot read the report {path:?}: {error}; name a file that can be read"
            ))
        })?;
        let fail = |what: String| {
            Failure::new(format!(
                "{path:?} is not a complete report of a shard: {what}; move it away, and run the shard again with --report"
            ))
        };
        let report: Self =
            serde_json::from_slice(&text).map_err(|error| fail(error.to_string()))?;
        let Self { run, shard, totals } = &report;
        let Shard { number, of } = shard.shard;
        if number == 0 || number > of || *shard != Span::of(shard.shard, run.count) {
            return Err(fail(format!(
                "{} windows from {} on are not shard {number}/{of} of {}",
                shard.windows, shard.first_window, run.count
            )));
        }
        let grammar = run.grammar().map_err(|error| fail(error.to_string()))?;
        let bytes = shard.windows + run.stimulus.window(grammar) - 1;
        if totals.mismatches == 0 && totals.bytes != bytes {
            return Err(fail(format!("it has {} bytes of {bytes}", totals.bytes)));
        }
        Ok(report)
    }

    /// The report of just this shard from an earlier run, if there is something at its place.
    pub fn earlier(path: &Path, run: &Run, shard: &Span) -> Result<Option<Self>, Failure> {
        if !path.exists() && !path.is_symlink() {
            return Ok(None);
        }
        let report = Self::read(path)?;
        let difference = run.difference(&report.run).or_else(|| {
            let Shard { number, of } = report.shard.shard;
            (report.shard != *shard).then(|| format!("its shard is {number}/{of}"))
        });
        match difference {
            None => Ok(Some(report)),
            Some(difference) => Err(Failure::new(format!(
                "--report {path:?} already exists and is of another run: {difference}; move it away, or name another file"
            ))),
        }
    }
}

/// Counts what comes out, and passes it on.
pub struct Counter<'a> {
    pub totals: Totals,
    pub registers: Registers,
    pub written: Option<Written>,
    report: &'a mut Report,
    /// Pieces that begin here or further on in a packet are the next shard's.
    own: u64,
    /// What the pieces are counted by.
    grammar: Grammar,
    /// A signature comes out without an event.
    strip: bool,
    /// Bytes of a lane of its input.
    word_bytes: u64,
}

impl<'a> Counter<'a> {
    pub fn new(
        config: &Config,
        plan: Option<&Plan>,
        written: Option<Written>,
        report: &'a mut Report,
    ) -> Self {
        let one_packet =
            |plan: &&Plan| plan.split == Split::Whole && plan.campaign != Campaign::Random;
        let windows = plan.filter(one_packet).map(Plan::windows);
        Self {
            totals: Totals::default(),
            registers: Registers::default(),
            written,
            report,
            own: windows.map_or(u64::MAX, |windows| windows.end - windows.start),
            grammar: grammar::grammar(config),
            strip: config.core.strips(),
            word_bytes: config.core.input_bits() as u64 / 8,
        }
    }

    #[inline]
    fn observe(&mut self, begins: u64, event: Event) {
        if begins < self.own {
            let pieces = &mut self.totals.pieces;
            let pieces = pieces.get_or_insert_with(|| Census::of(self.grammar));
            pieces.observe(event);
        }
    }
}

impl Sink for Counter<'_> {
    #[inline]
    fn event(&mut self, packet: u64, offset: u64, event: Event) {
        self.observe(offset + 1 - u64::from(event.length()), event);
        self.report.event(packet, offset, event);
    }

    fn packet(&mut self, packet: u64, verdict: Verdict, saturated: Saturated) {
        if self.strip && verdict.signature {
            self.observe(0, Event::Scalar(SIGNATURE));
        }
        let totals = &mut self.totals;
        totals.packet_count += 1;
        totals.ill_formed_packets += u64::from(!verdict.well_formed);
        totals.saturated_packets += u64::from(saturated != Saturated::default());
        totals.scalars += verdict.scalars;
        totals.ill_formed += verdict.ill_formed;
        self.report
            .packet(packet, Judged::Bytes(verdict), saturated);
    }

    fn against(&mut self, _packet: u64, against: Against) {
        self.report.against(against);
    }

    fn encoded(&mut self, packet: u64, verdict: encode::Verdict, saturated: Saturated) {
        let totals = &mut self.totals;
        totals.packet_count += 1;
        totals.ill_formed_packets += u64::from(!verdict.well_formed);
        totals.saturated_packets += u64::from(saturated != Saturated::default());
        totals.scalars += verdict.words - verdict.ill_formed;
        totals.ill_formed += verdict.ill_formed;
        let width = self.word_bytes;
        self.report
            .packet(packet, Judged::Words { verdict, width }, saturated);
    }

    fn read(&mut self, address: u32, data: u32) {
        self.registers.read(address, data);
    }

    fn clocks(&mut self, inputs: &[u32], outputs: &[u32]) {
        if let Some(written) = &mut self.written {
            written.clocks(inputs, outputs);
        }
    }
}
