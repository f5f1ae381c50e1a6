//! Compares a core's verdicts on captured frames with a parser of headers and a decoder that are not ours: etherparse, and Rust's.

use golden::{Unjudged, Verdict};
use hdl::config::{Config, Core};
use hdl::layout::COUNTER_BITS;
use serde_json::{Value, json};
use sim::foreign::{Judges, OTHER, class, text};
use sim::lockstep::ports;
use std::collections::BTreeMap;

/// The frames, and how many of them are in each class.
pub struct Agreement {
    frames: Vec<Vec<u8>>,
    judges: Judges,
    /// The most that a counter can say.
    most: u64,
    /// Text is as Rust has it. RFC 2279 has longer sequences.
    is_3629: bool,
    counts: BTreeMap<&'static str, u64>,
    /// The number of the first frame on which they contradict each other, from 1 on, and how many such frames there are.
    disagrees: Option<(u64, u64)>,
}

impl Agreement {
    /// Before the run.
    pub fn new(frames: Vec<Vec<u8>>, config: &Config) -> Self {
        let policy = config.core.policy();
        let width = match config.core {
            Core::Validate { counter_width, .. } => counter_width,
            _ => COUNTER_BITS,
        };
        Self {
            most: (1 << width) - 1,
            is_3629: !config.core.grammar().is_2279(),
            frames,
            judges: Judges {
                segments: policy.has_open_edges,
                ports: policy.ports.map(ports),
            },
            counts: BTreeMap::new(),
            disagrees: None,
        }
    }

    /// Compares the verdict on a packet. `number` is that of the frame in the capture.
    pub fn judge(&mut self, packet: u64, number: u64, verdict: &Verdict, unjudged: Option<u8>) {
        let frame = &self.frames[packet as usize];
        let why = |code: u8| Unjudged::ALL.into_iter().find(|why| why.code() == code);
        let outcome = match unjudged {
            // A counter that is full says "or more".
            None if verdict.bytes == self.most => text(frame).map(|place| Ok(place.len())),
            None => Some(Ok(verdict.bytes as usize)),
            Some(code) => why(code).map(Err),
        };
        let decoded =
            |place| !self.is_3629 || str::from_utf8(&frame[place]).is_ok() == verdict.well_formed;
        let class = outcome
            .filter(|outcome| outcome.is_err() || text(frame).is_some_and(decoded))
            .and_then(|outcome| class(frame, outcome, self.judges));
        match class {
            Some(class) => *self.counts.entry(class).or_default() += 1,
            None => self.disagrees.get_or_insert((number, 0)).1 += 1,
        }
    }

    /// The classes in which they agree, or in which they may differ.
    fn classes(&self, may_differ: bool) -> impl Iterator<Item = (&'static str, u64)> {
        let counts = self.counts.iter().map(|(&class, &count)| (class, count));
        counts.filter(move |(class, _)| OTHER.contains(class) == may_differ)
    }

    /// The counts, for the summary.
    pub fn told(&self) -> String {
        if self.counts.is_empty() {
            return String::new();
        }
        let [same, other] = [false, true].map(|may_differ| {
            let all: Vec<_> = self.classes(may_differ).collect();
            let words = all.iter().map(|(class, count)| format!("{class}: {count}"));
            let total: u64 = all.iter().map(|(_, count)| count).sum();
            (total, words.collect::<Vec<_>>().join(", "))
        });
        let mut told = format!("; etherparse reads {} the same way ({})", same.0, same.1);
        if other.0 > 0 {
            told += &format!(", and {} in another ({})", other.0, other.1);
        }
        told
    }

    /// The error, if they contradict each other.
    pub fn wrong(&self) -> Option<String> {
        let (first, count) = self.disagrees?;
        Some(format!(
            "the core and etherparse (or Rust's decoder) disagree on {count} of the frames, of which frame {first} is the first; this is \
             a defect of Runegate, please report it with the capture"
        ))
    }

    pub fn json(&self) -> Value {
        let classes = |may_differ| self.classes(may_differ).collect::<BTreeMap<_, _>>();
        json!({
            "same": classes(false),
            "other": classes(true),
            "disagree": self.disagrees.map_or(0, |(_, count)| count),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use golden::verdict;
    use hdl::config::{CoreName, Grammar, Request};

    const FRAME: &[u8] = b"\x02\x00\x00\x00\x00\x01\x02\x00\x00\x00\x00\x02\x08\x00\
        \x45\x00\x00\x1F\x00\x00\x40\x00\x40\x11\x66\xCC\x0A\x00\x00\x01\x0A\x00\x00\x02\
        \x02\x02\xC0\x00\x00\x0B\x00\x00\xE2\x82\xAC";

    fn after(verdicts: &[(&[u8], Option<u8>)]) -> Agreement {
        under(Grammar::Rfc3629, FRAME, verdicts)
    }

    fn under(grammar: Grammar, frame: &[u8], verdicts: &[(&[u8], Option<u8>)]) -> Agreement {
        let request = Request {
            grammar: Some(grammar),
            core: Some(CoreName::Validate),
            lanes: Some(8),
            frames: Some(true),
            ..Request::default()
        };
        let config = request.resolve().expect("it exists");
        let frames = vec![frame.to_vec(); verdicts.len()];
        let mut agreement = Agreement::new(frames, &config);
        for (packet, (text, unjudged)) in (0..).zip(verdicts) {
            agreement.judge(packet, packet + 1, &verdict(text), *unjudged);
        }
        agreement
    }

    /// Rust's decoder knows no sequence of RFC 2279 above 10FFFF.
    #[test]
    fn longer_sequences_are_no_disagreement() {
        let frame = [&FRAME[..FRAME.len() - 3], b"\xC3\xA9\xFF"].concat();
        let good: (&[u8], _) = (b"abc", None);
        assert_eq!(under(Grammar::Rfc2279, &frame, &[good]).wrong(), None);
        assert!(under(Grammar::Rfc3629, &frame, &[good]).wrong().is_some());
    }

    #[test]
    fn each_wrong_verdict_is_a_disagreement() {
        let right: (&[u8], _) = (b"\xE2\x82\xAC", None);
        assert_eq!(after(&[right]).wrong(), None);
        // Another length, another verdict, and no text for three reasons, the last of which no code has.
        let all: [(&[u8], Option<u8>); 5] = [
            (b"\xE2\x82", None),
            (b"\xE2\x82.", None),
            (b"", Some(8)),
            (b"", Some(2)),
            (b"", Some(9)),
        ];
        for wrong in all {
            let said = after(&[right, wrong, right]);
            let told = said.wrong().expect("it is wrong");
            assert!(told.contains("1 of the frames, of which frame 2"), "{told}");
            assert_eq!(said.json()["same"]["a text in UDP"], 2);
        }
    }
}
