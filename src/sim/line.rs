//! `runegate sim --line-rate`: how a core has stood a line.

use super::traffic::GIGA;
use crate::clock::MEGA;
use crate::report::describe_count;
use ::sim::frames::{self, LENGTHS};
use ::sim::line::{Line, Strain};
use serde_json::{Value, json};
use std::ops::RangeInclusive;

/// The most ranges of lengths that people are shown.
const SHOWN_RANGES: usize = 16;

/// How a core has stood a line.
pub struct Stood {
    line: Line,
    strain: Strain,
    lanes: usize,
}

impl Stood {
    /// Of a run over a line, if it was one.
    pub fn of(line: Option<Line>, strain: Option<Strain>, lanes: usize) -> Option<Self> {
        let (line, strain) = line.zip(strain)?;
        Some(Self {
            line,
            strain,
            lanes,
        })
    }

    /// Whether it took each beat as soon as it was offered, and all of them in no more clocks than the line took.
    fn keeps_up(&self) -> bool {
        self.strain.lost_clocks == 0 && self.strain.beats <= self.strain.clocks
    }

    /// Bits that the core could take in a second.
    fn capacity(&self) -> u64 {
        self.lanes as u64 * 8 * self.line.hertz
    }

    /// The lengths of whole frames that come too fast for it, whatever the traffic was.
    fn too_fast(&self) -> Vec<RangeInclusive<u64>> {
        self.line.too_fast(self.lanes)
    }

    /// The same for people, and the clock that is enough.
    fn frames(&self) -> String {
        let ranges = self.too_fast();
        let of_all = format!(
            "whole frames of {} to {} bytes",
            LENGTHS.start(),
            LENGTHS.end()
        );
        if ranges.is_empty() {
            return format!("{of_all}, one after the other: it keeps up with every length");
        }
        let needed = self.line.hertz_for_all(self.lanes) as f64 / MEGA;
        format!(
            "{of_all}, one after the other: it does not keep up with {}; it would with every length from {} MHz on",
            frames::describe(&ranges, SHOWN_RANGES),
            needed.ceil()
        )
    }

    pub fn json(&self) -> Value {
        let Strain {
            clocks,
            beats,
            lost_clocks,
            most_waiting,
            longest_wait,
        } = self.strain;
        let too_fast = self.too_fast().into_iter();
        let too_fast = too_fast.map(|range| json!({"from": range.start(), "to": range.end()}));
        json!({
            "bits_per_second": self.line.bits_per_second,
            "hertz": self.line.hertz,
            "core_bits_per_second": self.capacity(),
            "clocks": clocks,
            "beats": beats,
            "lost_clocks": lost_clocks,
            "most_waiting_beats": most_waiting,
            "longest_wait_clocks": longest_wait,
            "keeps_up": self.keeps_up(),
            "frames": {
                "from": LENGTHS.start(),
                "to": LENGTHS.end(),
                "too_fast": too_fast.collect::<Value>(),
                "hertz_for_all": self.line.hertz_for_all(self.lanes),
            },
        })
    }

    /// For people.
    pub fn told(&self) -> String {
        let Strain {
            clocks,
            beats,
            lost_clocks,
            most_waiting,
            longest_wait,
        } = self.strain;
        let giga = |bits: u64| bits as f64 / GIGA;
        format!(
            "  line of {} Gbit/s, core of {} Gbit/s ({} bytes at {} MHz): {}\n    {} in {} of the line, {} lost to tready, at \
             most {} waiting, {} at the longest\n    {}\n",
            giga(self.line.bits_per_second),
            giga(self.capacity()),
            self.lanes,
            self.line.hertz as f64 / MEGA,
            if self.keeps_up() {
                "it keeps up with this traffic"
            } else {
                "it does not keep up"
            },
            describe_count(beats, "beat"),
            describe_count(clocks, "clock"),
            describe_count(lost_clocks, "clock"),
            describe_count(most_waiting, "beat"),
            describe_count(longest_wait, "clock"),
            self.frames(),
        )
    }
}
