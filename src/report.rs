//! What a run tells of its packets: verdicts for people or as JSON, and events as JSON lines.
//!
//! Nothing is kept in memory that grows with the input: verdicts and events go to temporary files, and to their places
//! when the run has come to its end.

use crate::caret;
use crate::exit::Failure;
use crate::judged::Judged;
use crate::options::Talk;
use crate::origins::{Origin, Origins};
use crate::run_file::RunFile;
use ::sim::observer::{Against, Counted, Saturated};
use golden::{Event, Kind, Verdict, encode};
use hdl::config::Classes;
use hdl::layout::REASONS;
use serde::Serialize;
use serde_json::Value;
use std::io::{self, BufWriter, IsTerminal, Seek, Write};
use std::path::Path;
use tempfile::SpooledTempFile;

/// Verdicts that people are shown one by one.
pub const SHOWN: u64 = 20;
/// Bytes of verdicts that are kept in memory.
const IN_MEMORY: usize = 1 << 20;

/// One element of `packets[]`.
#[derive(Serialize)]
struct Packet<'a> {
    #[serde(flatten)]
    origin: Origin<'a>,
    #[serde(flatten)]
    verdict: Judged,
    /// The counters that tell less than there was.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    saturated: Vec<&'static str>,
    #[serde(flatten)]
    policy: Option<Policy>,
}

/// What a core with a policy says of a packet.
#[derive(Serialize)]
struct Policy {
    bad: bool,
    /// The forbidden classes that it has.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    forbidden: Vec<&'static str>,
    /// The bytes up to the end of the first such scalar value, and whether there were more.
    #[serde(skip_serializing_if = "Option::is_none")]
    forbidden_end: Option<u64>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    forbidden_end_saturated: bool,
    /// With open edges: the bytes before the first boundary, and of the sequence that the end cuts.
    #[serde(skip_serializing_if = "Option::is_none")]
    head_bytes: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tail_bytes: Option<u8>,
    /// Why the packet is not judged, if it is not.
    #[serde(skip_serializing_if = "Option::is_none")]
    unjudged: Option<&'static str>,
    #[serde(flatten)]
    further: Option<Further>,
}

/// What a full verdict has more.
#[derive(Serialize)]
struct Further {
    ascii: u64,
    utf16_units: u64,
    /// Bits that the greatest scalar value needs at most.
    width: u8,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    ascii_saturated: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    utf16_units_saturated: bool,
}

impl Further {
    fn describe(&self) -> String {
        format!(
            "; {} ASCII, {} UTF-16 units, {} bits",
            self.ascii, self.utf16_units, self.width
        )
    }

    fn of(counted: Counted) -> Self {
        Self {
            ascii: counted.counts.ascii,
            utf16_units: counted.counts.utf16_units,
            width: counted.counts.width,
            ascii_saturated: counted.ascii_saturated,
            utf16_units_saturated: counted.utf16_units_saturated,
        }
    }
}

impl Policy {
    fn of(against: Against) -> Self {
        Self {
            bad: against.bad,
            forbidden: Classes::from(against.forbidden)
                .each()
                .map(|(_, name, _)| name)
                .collect(),
            forbidden_end: (against.forbidden != 0).then_some(against.forbidden_end),
            forbidden_end_saturated: against.saturated,
            head_bytes: against.edges.map(|edges| edges.head),
            tail_bytes: against.edges.map(|edges| edges.tail),
            unjudged: against.unjudged.map(|code| {
                let known = REASONS.get(usize::from(code));
                known.copied().unwrap_or("unknown")
            }),
            further: against.further.map(Further::of),
        }
    }

    /// The same for people: what the edges have cut, and whether the packet is against the policy.
    fn describe(&self, verdict: &Judged) -> String {
        let cut = match (self.head_bytes.unwrap_or(0), self.tail_bytes.unwrap_or(0)) {
            (0, 0) => String::new(),
            (head, tail) => format!("; cut: {head} at its beginning, {tail} at its end"),
        };
        let further = self.further.as_ref().map(Further::describe);
        cut + &further.unwrap_or_default() + &self.describe_bad(verdict)
    }

    fn describe_bad(&self, verdict: &Judged) -> String {
        match self.forbidden_end {
            Some(end) => {
                let more = if self.forbidden_end_saturated {
                    " or more"
                } else {
                    ""
                };
                let classes = self.forbidden.join(", ");
                format!(
                    "; bad: it has {classes}, the first in byte {}{more}",
                    end - 1
                )
            }
            None if self.bad && verdict.is_faultless() => "; bad: it has a signature".to_string(),
            None => String::new(),
        }
    }
}

/// Collects what is told of packets.
pub struct Report {
    /// Without it the packets are only counted.
    origins: Option<Box<dyn Origins>>,
    talk: Talk,
    /// The elements of `packets[]`, or the lines for people.
    packets: BufWriter<SpooledTempFile>,
    events: Option<RunFile>,
    /// Ill-formed pieces are shown in their lines: on a terminal, as long as it is known where packets begin.
    shows_pieces: bool,
    /// How many packets there were, and how many of them ill-formed.
    pub count: u64,
    pub ill_formed: u64,
    /// What a policy says of the next packet.
    against: Option<Against>,
    /// The first error of writing: the callbacks of a run cannot return it.
    failed: Option<io::Error>,
}

impl Report {
    /// `are_whole` says that positions are those of whole packets, and not of a window.
    pub fn new(
        origins: Option<Box<dyn Origins>>,
        talk: Talk,
        events: Option<&Path>,
        are_whole: bool,
    ) -> Result<Self, Failure> {
        Ok(Self {
            origins,
            talk,
            packets: BufWriter::new(SpooledTempFile::new(IN_MEMORY)),
            events: events
                .map(|path| RunFile::create(path, "events"))
                .transpose()?,
            shows_pieces: are_whole && io::stdout().is_terminal(),
            count: 0,
            ill_formed: 0,
            against: None,
            failed: None,
        })
    }

    pub fn event(&mut self, packet: u64, offset: u64, event: Event) {
        if let Some(events) = &mut self.events {
            events.write(|out| write_event(out, packet, offset, event));
        }
    }

    pub fn against(&mut self, against: Against) {
        self.against = Some(against);
    }

    pub fn packet(&mut self, packet: u64, verdict: Judged, saturated: Saturated) {
        self.count += 1;
        self.ill_formed += u64::from(!verdict.is_faultless());
        if let Err(error) = self.write_packet(packet, verdict, saturated) {
            self.failed.get_or_insert(error);
        }
    }

    fn write_packet(
        &mut self,
        packet: u64,
        verdict: Judged,
        saturated: Saturated,
    ) -> io::Result<()> {
        let Some(origins) = &mut self.origins else {
            return Ok(());
        };
        let unjudged = self.against.as_ref().and_then(|against| against.unjudged);
        let origin = origins.of(packet, &verdict, unjudged);
        if self.talk.json {
            if packet > 0 {
                self.packets.write_all(b",")?;
            }
            let element = Packet {
                origin,
                verdict,
                saturated: names(saturated, &verdict),
                policy: self.against.take().map(Policy::of),
            };
            serde_json::to_writer(&mut self.packets, &element)?;
        } else if packet < SHOWN {
            let policy = self.against.take().map(Policy::of);
            if let Some(why) = policy.as_ref().and_then(|policy| policy.unjudged) {
                return writeln!(self.packets, "  {origin}: not judged ({why})");
            }
            let policy = policy.map(|policy| policy.describe(&verdict));
            writeln!(
                self.packets,
                "  {origin}: {}{}",
                describe(&verdict, &names(saturated, &verdict)),
                policy.unwrap_or_default()
            )?;
            self.shows_pieces &= !(saturated.bytes || saturated.valid_up_to);
            if self.shows_pieces
                && let Judged::Bytes(verdict) = verdict
                && let Some([line, below]) = piece(&origin, &verdict)
            {
                let kind = verdict.kind.name();
                writeln!(self.packets, "    {line}\n    {below} {kind}")?;
            }
        }
        Ok(())
    }

    /// Whether writing has failed.
    fn check(&mut self) -> Result<(), Failure> {
        match self.failed.take() {
            Some(error) => Err(Failure::new(format!(
                "cannot write the run's results: {error}; make room, or name another place"
            ))),
            None => Ok(()),
        }
    }

    /// Writes everything to its place: `run` is the rest of the JSON document, or `lines` what people are told last.
    pub fn finish(mut self, run: &Value, lines: &str) -> Result<(), Failure> {
        self.check()?;
        if let Some(events) = self.events.take() {
            events.finish()?;
        }
        let mut packets = self
            .packets
            .into_inner()
            .map_err(|error| error.into_error())?;
        packets.rewind()?;
        let Self {
            talk,
            count,
            ill_formed,
            origins,
            ..
        } = self;
        talk.print(|mut out| {
            if talk.json && origins.is_none() {
                return writeln!(out, "{run}");
            }
            if talk.json {
                // The document's other fields come first, then the packets, which are not in memory.
                let mut text = serde_json::to_string(run)?;
                text.pop();
                write!(out, "{text},\"packets\":[")?;
                io::copy(&mut packets, &mut out)?;
                return writeln!(out, "]}}");
            }
            io::copy(&mut packets, &mut out)?;
            if count > SHOWN && origins.is_some() {
                writeln!(out, "  ... and {} more packets", count - SHOWN)?;
            }
            if count > 1 {
                writeln!(out, "  {count} packets, {ill_formed} of them ill-formed")?;
            }
            write!(out, "{lines}")
        })
    }
}

/// The line of the first ill-formed piece, and carets below it; `None` if there is none, or its file cannot be read again.
fn piece(origin: &Origin, verdict: &Verdict) -> Option<[String; 2]> {
    let (file, start) = origin.place()?;
    let length = match verdict.error_len? {
        // Cut by the packet's end.
        0 => (verdict.bytes - verdict.valid_up_to) as usize,
        length => usize::from(length),
    };
    caret::lines(file, start + verdict.valid_up_to, length).ok()?
}

/// The counters of a verdict that have saturated.
fn names(saturated: Saturated, of: &Judged) -> Vec<&'static str> {
    let Saturated {
        bytes,
        valid_up_to,
        scalars,
        ill_formed,
    } = saturated;
    [
        ("bytes", bytes),
        ("valid_up_to", valid_up_to),
        match of {
            Judged::Bytes(_) => ("scalars", scalars),
            Judged::Words { .. } => ("words", scalars),
        },
        ("ill_formed", ill_formed),
    ]
    .into_iter()
    .filter_map(|(name, saturated)| saturated.then_some(name))
    .collect()
}

/// So many things.
pub fn describe_count(count: u64, thing: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {thing}{plural}")
}

/// A verdict in one line.
fn describe(verdict: &Judged, saturated: &[&str]) -> String {
    let saturated = if saturated.is_empty() {
        String::new()
    } else {
        format!(
            " (saturated, the true count is higher: {})",
            saturated.join(", ")
        )
    };
    let verdict = match verdict {
        Judged::Bytes(verdict) => verdict,
        Judged::Words { verdict, .. } => return describe_words(verdict) + &saturated,
    };
    let signature = if verdict.signature { ", signature" } else { "" };
    let bytes = describe_count(verdict.bytes, "byte");
    let scalars = describe_count(verdict.scalars, "scalar value");
    if verdict.kind == Kind::None {
        let edges = if verdict.well_formed {
            ""
        } else {
            " but for its edges"
        };
        return format!("well-formed{edges}, {bytes}, {scalars}{signature}{saturated}");
    }
    format!(
        "ill-formed from byte {} ({}), {bytes}, {scalars}, {}{signature}{saturated}",
        verdict.valid_up_to,
        verdict.kind.name(),
        describe_count(verdict.ill_formed, "ill-formed piece")
    )
}

/// The same of words.
fn describe_words(verdict: &encode::Verdict) -> String {
    let words = describe_count(verdict.words, "word");
    let bytes = describe_count(verdict.bytes, "byte");
    if verdict.well_formed {
        return format!("well-formed, {words}, {bytes}");
    }
    format!(
        "ill-formed from word {} ({}), {words}, {bytes}, {}",
        verdict.valid_up_to,
        verdict.kind.name(),
        describe_count(verdict.ill_formed, "ill-formed word")
    )
}

/// An event as a line of JSON.
fn write_event(out: &mut dyn Write, packet: u64, offset: u64, event: Event) -> io::Result<()> {
    // Names of kinds are plain words, so that nothing here needs escaping.
    match event {
        Event::Scalar(value) => writeln!(
            out,
            r#"{{"packet":{packet},"offset":{offset},"scalar":{value}}}"#
        ),
        Event::IllFormed { kind, length } => writeln!(
            out,
            r#"{{"packet":{packet},"offset":{offset},"ill_formed":true,"kind":"{}","length":{length}}}"#,
            kind.name()
        ),
    }
}

/// Adds the fields of one JSON object to another.
pub fn merge(object: &mut Value, more: &Value) {
    if let (Some(object), Some(more)) = (object.as_object_mut(), more.as_object()) {
        object.extend(more.clone());
    }
}
