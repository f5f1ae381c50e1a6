//! `runegate sim --pcap`: real traffic, and what became of its frames and flows.

use super::agreement::Agreement;
use crate::clock::MEGA;
use crate::exit::Failure;
use crate::origins::{Origin, Origins};
use crate::report::{SHOWN, describe_count};
use crate::steady::{Steady, remedy};
use crate::stimulus::Resolved;
use crate::{judged, names, output};
use ::sim::line::Line;
use ::sim::traffic::{Captured, Cut, Ended, Flow, Packet, Refused, Table, Traffic, Whole};
use clap::Args;
use hdl::config::Config;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::fmt::Write;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Input from a network.
#[derive(Args)]
pub struct TrafficOptions {
    /// Take the input from a capture (pcap or pcapng; - for standard input): each UDP payload is a packet, and so are the reassembled
    /// bytes of each direction of a TCP connection; with --flows the core gets the fragments as they were captured, with --window whole
    /// frames, each with the window of its payload
    #[arg(long, value_name = "FILE")]
    pub pcap: Option<PathBuf>,
    /// Offer the beats when Ethernet of this rate would deliver them, with back-to-back frames: 100G, 2.5G, 100M. The core's clock is
    /// --clock, or else 250 MHz
    #[arg(long, value_name = "RATE", requires = "pcap", value_parser = rate)]
    pub line_rate: Option<u64>,
}

/// The clock of the shells that packages are made for.
const HERTZ: u64 = 250_000_000;
pub const GIGA: f64 = 1e9;

/// A rate as it is written, in bits per second.
fn rate(text: &str) -> Result<u64, String> {
    let unit = |name: &str, unit: f64| Some(text.strip_suffix(name)?.parse::<f64>().ok()? * unit);
    let rate = unit("M", MEGA)
        .or_else(|| unit("G", GIGA))
        .or_else(|| unit("T", 1e12));
    let rate = rate.filter(|rate| (MEGA..=1e13).contains(rate));
    rate.map(|rate| rate.round() as u64)
        .ok_or_else(|| "write a rate from 1M to 10T, as in 10G, 25G, 100G or 2.5G".to_string())
}

impl TrafficOptions {
    /// The line that the bytes come over, if one was asked for; and the core's clock in Hz, if one was.
    pub fn line(&self, resolved: &Resolved, clock: Option<u64>) -> Result<Option<Line>, Failure> {
        let Some(bits_per_second) = self.line_rate else {
            return Ok(None);
        };
        let pattern = &resolved.pattern;
        let given = [
            ("idle", pattern.idle.share),
            ("late-last", pattern.late_last),
            ("null-beats", pattern.null_beats),
        ];
        if let Some((name, share)) = given.into_iter().find(|(_, share)| *share > 0.0) {
            return Err(Failure::new(format!(
                "--{name} {share} cannot be combined with --line-rate, which sets the times of the beats; leave one of them out"
            )));
        }
        Ok(Some(Line {
            bits_per_second,
            hertz: clock.unwrap_or(HERTZ),
        }))
    }

    /// Reads the capture, if there is one. There cannot be another input then.
    pub fn open(&self, other: Option<String>, config: &Config) -> Result<Option<Capture>, Failure> {
        let Some(path) = &self.pcap else {
            return Ok(None);
        };
        if let Some(other) = other {
            return Err(Failure::new(format!(
                "--pcap {path:?} is the input and defines its packets, but {other} is given as well; leave one of \
                 them out"
            )));
        }
        Capture::read(path, config).map(Some)
    }

    /// The arguments that pace the same beats again.
    pub fn arguments(&self, clock: Option<u64>) -> [(&'static str, Option<String>); 2] {
        let rate = self
            .line_rate
            .map(|rate| format!("{}G", rate as f64 / GIGA));
        // Without a line it has chosen the depth, which is in the command as such.
        let clock = clock.filter(|_| rate.is_some());
        let clock = clock.map(|clock| (clock as f64 / MEGA).to_string());
        [("line-rate", rate), ("clock", clock)]
    }
}

/// A capture that has been read, and what the core says of it.
pub struct Capture {
    path: PathBuf,
    traffic: Traffic,
    judged: Rc<RefCell<Vec<Judged>>>,
    /// What became of its messages in the table of a core with flows.
    table: Option<Table>,
    /// Of a core that reads headers: its verdicts compared with a parser that is not ours.
    agreement: Option<Rc<RefCell<Agreement>>>,
}

/// What the core said of a flow's packets.
#[derive(Clone, Copy, Default)]
struct Judged {
    packets: u64,
    ill_formed: u64,
}

impl Capture {
    fn read(path: &Path, config: &Config) -> Result<Self, Failure> {
        let policy = config.core.policy();
        let fail = |what: String, remedy: &str| {
            Failure::new(format!("cannot use the capture {path:?}: {what}; {remedy}"))
        };
        let mut file = Vec::new();
        let read = match path.as_os_str() == "-" {
            true => std::io::stdin().read_to_end(&mut file).map(drop),
            false => File::open(path)
                .and_then(Steady::new)
                .and_then(|mut steady| steady.read_to_end(&mut file).map(drop)),
        };
        read.map_err(|error| fail(error.to_string(), remedy(&error)))?;
        let read = match policy.has_window {
            true => Traffic::read_whole(&file, policy.has_open_edges),
            false => Traffic::read(&file),
        };
        let traffic = read
            .map_err(|error| fail(error.to_string(), "name a capture of Ethernet or IP frames"))?;
        let judged = vec![Judged::default(); traffic.flows.len()];
        let whole = traffic.whole.as_ref().filter(|_| policy.has_frames);
        let agreement = whole.map(|whole| Agreement::new(whole.frames(), config));
        let capture = Self {
            path: path.to_path_buf(),
            judged: Rc::new(RefCell::new(judged)),
            table: None,
            agreement: agreement.map(|it| Rc::new(RefCell::new(it))),
            traffic,
        };
        if capture.traffic.frames.used == 0 {
            let (what, remedy) = match policy.has_window {
                true => ("whole frame", "name a capture of whole frames of Ethernet"),
                false => ("payload", "name a capture with payloads of UDP or TCP"),
            };
            let told = format!("it has no {what} for a core: {}", capture.frames());
            return Err(fail(told, remedy));
        }
        // It is no note: what the run says is of a part of the file only.
        if capture.traffic.cut.is_some() {
            output::tell(&format!(
                "warning: the capture {path:?}, {}",
                capture.frames()
            ));
        }
        Ok(capture)
    }

    /// Its packets over a line, if there is one, and where they come from: fragments for a core with flows.
    pub fn packets(
        &mut self,
        line: Option<Line>,
        flows: Option<usize>,
    ) -> (Captured, Box<dyn Origins>) {
        let packets = match flows {
            Some(flows) => self.traffic.interleaved(flows, line),
            None => self.traffic.packets(line),
        };
        self.table = packets.table.clone();
        let flows = self.traffic.flows.iter();
        let origins = CaptureOrigins {
            input: self.path.clone(),
            flows: flows.map(|flow| flow.key.to_string()).collect(),
            packets: packets.packets.clone(),
            judged: self.judged.clone(),
            agreement: self.agreement.clone(),
        };
        (packets, Box::new(origins))
    }

    /// What became of its frames.
    fn frames(&self) -> String {
        let frames = &self.traffic.frames;
        let mut told = format!(
            "{}: {} used",
            describe_count(frames.total(), "frame"),
            frames.used
        );
        for (why, count) in frames.skipped() {
            told += &format!(", {count} {}", why.describe());
        }
        if let Some(agreement) = &self.agreement {
            told += &agreement.borrow().told();
        } else if let Some(Whole { texts, .. }) = &self.traffic.whole {
            told += &format!("; {} with a text", texts.used);
            for (why, count) in texts.skipped() {
                told += &format!(", {count} {}", why.describe());
            }
        }
        if let Some(Cut { at, bytes }) = self.traffic.cut {
            told += &format!(
                "; it is cut or damaged at byte {at}, and the {bytes} bytes from there on are not used"
            );
        }
        told
    }

    /// The error, if that parser contradicts the core.
    pub fn wrong(&self) -> Option<String> {
        self.agreement.as_ref().and_then(|it| it.borrow().wrong())
    }

    /// The capture and its flows, after the run, for the JSON document.
    pub fn json(&self) -> Value {
        let judged = self.judged.borrow();
        let flows = self.traffic.flows.iter().zip(judged.iter()).enumerate();
        let flows = flows.map(|(index, (flow, judged))| {
            let mut element = json!(flow);
            element["packets"] = judged.packets.into();
            element["ill_formed_packets"] = judged.ill_formed.into();
            element["well_formed"] = (judged.packets > 0)
                .then_some(judged.ill_formed == 0)
                .into();
            if let Some(table) = &self.table {
                let Refused { messages, bytes } = table.refused[index];
                element["refused_messages"] = messages.into();
                element["refused_bytes"] = bytes.into();
            }
            element
        });
        let flows: Value = flows.collect();
        let mut capture = json!(self.traffic.frames);
        if let Some(agreement) = &self.agreement {
            capture["etherparse"] = agreement.borrow().json();
        } else if let Some(Whole { texts, .. }) = &self.traffic.whole {
            capture["texts"] = json!(texts);
        }
        capture["file"] = names::json(&self.path).into();
        capture["cut"] = self.traffic.cut.as_ref().map_or(
            Value::Null,
            |Cut { at, bytes }| json!({"at": at, "bytes": bytes}),
        );
        let mut document = json!({"capture": capture, "flows": flows});
        if let Some(table) = &self.table {
            let Refused { messages, bytes } = table.refused();
            document["table"] = json!({
                "flows": table.flows,
                "most_open": table.most_open,
                "refused_messages": messages,
                "refused_bytes": bytes,
            });
        }
        document
    }

    /// The same for people.
    pub fn lines(&self) -> String {
        let judged = self.judged.borrow();
        let mut lines = format!("  {}, {}\n", names::Shown(&self.path), self.frames());
        let flows = self.traffic.flows.iter().zip(judged.iter()).enumerate();
        for (index, (flow, judged)) in flows.take(SHOWN as usize) {
            let table = self.table.as_ref();
            let refused = table.map_or(Refused::default(), |table| table.refused[index]);
            let told = match self.agreement.is_some() && judged.packets == 0 {
                true => "no packet judged".to_string(),
                false => describe(flow, judged, refused),
            };
            lines += &format!("  {}: {told}\n", flow.key);
        }
        let more = self.traffic.flows.len().saturating_sub(SHOWN as usize);
        if more > 0 {
            lines += &format!("  ... and {} more\n", describe_count(more as u64, "flow"));
        }
        if let Some(table) = &self.table {
            let refused = match table.refused() {
                Refused { messages: 0, .. } => "none refused".to_string(),
                some => format!(
                    "{} refused because no entry was free",
                    describe_refused(some)
                ),
            };
            lines += &format!(
                "  table of {}: at most {} open, {refused}\n",
                describe_count(table.flows as u64, "flow"),
                describe_count(table.most_open as u64, "message"),
            );
        }
        lines
    }
}

fn describe_refused(Refused { messages, bytes }: Refused) -> String {
    format!(
        "{} ({})",
        describe_count(messages, "message"),
        describe_count(bytes, "byte")
    )
}

/// A flow in one line.
fn describe(flow: &Flow, judged: &Judged, refused: Refused) -> String {
    let mut told = match (judged.packets, judged.ill_formed) {
        (0, _) => "no packet".to_string(),
        (packets, 0) => format!("{}, well-formed", describe_count(packets, "packet")),
        (packets, bad) => format!("{}, {bad} ill-formed", describe_count(packets, "packet")),
    };
    if refused.messages > 0 {
        told += &format!(", {} refused", describe_refused(refused));
    }
    told += match flow.ended {
        None => "",
        Some(Ended::Fin) => ", ended by FIN",
        Some(Ended::Rst) => ", ended by RST",
        Some(Ended::Syn) => ", ended by another connection",
        Some(Ended::Capture) => ", open when the capture ended",
        Some(Ended::Gap) => ", ended at a gap that nothing filled",
    };
    let bytes = [("repeated", flow.repeated_bytes), ("lost", flow.lost_bytes)];
    for (what, count) in bytes.into_iter().filter(|(_, count)| *count > 0) {
        // Writing to a String does not fail.
        let _ = write!(told, ", {} {what}", describe_count(count, "byte"));
    }
    told
}

/// Tells which flow and frame a packet came from, and counts the verdicts of each flow.
struct CaptureOrigins {
    input: PathBuf,
    flows: Vec<String>,
    packets: Vec<Packet>,
    judged: Rc<RefCell<Vec<Judged>>>,
    agreement: Option<Rc<RefCell<Agreement>>>,
}

impl Origins for CaptureOrigins {
    fn of(&mut self, packet: u64, verdict: &judged::Judged, unjudged: Option<u8>) -> Origin<'_> {
        let index = packet;
        let packet = self.packets[packet as usize];
        if let (Some(agreement), judged::Judged::Bytes(verdict)) = (&self.agreement, verdict) {
            (agreement.borrow_mut()).judge(index, packet.frame, verdict, unjudged);
        }
        let flow = match (packet.flow, unjudged) {
            (Some(flow), None) => flow,
            (Some(flow), Some(_)) => {
                return Origin::captured(&self.input, &self.flows[flow], packet);
            }
            (None, _) => return Origin::captured(&self.input, "without a text", packet),
        };
        let judged = &mut self.judged.borrow_mut()[flow];
        judged.packets += 1;
        judged.ill_formed += u64::from(!verdict.is_faultless());
        Origin::captured(&self.input, &self.flows[flow], packet)
    }
}
