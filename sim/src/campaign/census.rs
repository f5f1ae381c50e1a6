//! How many pieces of each sort there are, and how many there must be.

use golden::grammar::{ByteRange, FAULTS, PRODUCTIONS};
use golden::{Event, Kind};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// Sorts of pieces: scalar values by their length in bytes, then ill-formed ones by their kind.
const SORTS: usize = 4 + Kind::ALL.len() - 1;

/// How many pieces of each sort there are.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "BTreeMap<String, u64>", try_from = "BTreeMap<String, u64>")]
pub struct Census([u64; SORTS]);

fn scalars_of(length: usize) -> usize {
    length - 1
}

fn ill_formed(kind: Kind) -> usize {
    3 + usize::from(kind.code())
}

/// The sorts' names, in order.
fn names() -> impl Iterator<Item = String> {
    let scalars = (1..=4).map(|length| format!("scalars_of_{length}"));
    scalars.chain(Kind::ALL[1..].iter().map(|kind| kind.name().to_string()))
}

impl Census {
    #[inline]
    pub fn observe(&mut self, event: Event) {
        self.0[match event {
            Event::Scalar(_) => scalars_of(event.length().into()),
            Event::IllFormed { kind, .. } => ill_formed(kind),
        }] += 1;
    }

    /// Adds another one's pieces.
    pub fn add(&mut self, other: &Self) {
        for (count, more) in self.0.iter_mut().zip(other.0) {
            *count += more;
        }
    }

    /// Each sort by name.
    pub fn counts(&self) -> impl Iterator<Item = (String, u64)> {
        names().zip(self.0)
    }

    /// The pieces that begin in the windows of four bytes, each window once, in so many shards: counted from the grammar as
    /// it stands in the RFC, without decoding anything. Only stray continuations are not quite certain: those that a shard
    /// begins with may belong to a sequence that began in the shard before.
    pub fn of_all_windows(shards: u64) -> Vec<(String, RangeInclusive<u64>)> {
        let size = |range: ByteRange| u64::from(range.high - range.low) + 1;
        let tails = FAULTS
            .iter()
            .find(|fault| fault.kind == Kind::StrayContinuation);
        let tails = tails.map_or(0, |fault| size(fault.lead));
        // The windows that begin with so many bytes given.
        let windows = |given: usize| 256_u64.pow(4 - given as u32);
        let mut counts = [0; SORTS];
        let mut consumed = 0;
        for production in PRODUCTIONS {
            let mut beginnings = 1;
            for (at, &range) in production.bytes.iter().enumerate() {
                if at > 0 {
                    // Cut by a byte that is no tail. A tail that does not fit is a fault's.
                    let cut = beginnings * (256 - tails) * windows(at + 1);
                    counts[ill_formed(Kind::Truncated)] += cut;
                    consumed += (at as u64 - 1) * cut;
                }
                beginnings *= size(range);
            }
            let length = production.bytes.len();
            counts[scalars_of(length)] += beginnings * windows(length);
            consumed += (length as u64 - 1) * beginnings * windows(length);
        }
        let named = FAULTS
            .iter()
            .filter(|fault| fault.kind != Kind::StrayContinuation);
        for fault in named {
            counts[ill_formed(fault.kind)] += match fault.before {
                None => size(fault.lead) * windows(1),
                Some(before) => size(fault.lead) * size(before) * windows(2),
            };
        }
        let stray = ill_formed(Kind::StrayContinuation);
        counts[stray] = tails * windows(1) - consumed;
        let ranges = counts.into_iter().enumerate().map(|(sort, count)| {
            let uncertain = if sort == stray { 3 * (shards - 1) } else { 0 };
            count..=count + uncertain
        });
        names().zip(ranges).collect()
    }
}

impl From<Census> for BTreeMap<String, u64> {
    fn from(census: Census) -> Self {
        census.counts().collect()
    }
}

impl TryFrom<BTreeMap<String, u64>> for Census {
    type Error = String;

    fn try_from(mut counts: BTreeMap<String, u64>) -> Result<Self, String> {
        let mut census = Self::default();
        for (name, count) in names().zip(&mut census.0) {
            *count = counts
                .remove(&name)
                .ok_or_else(|| format!("no count of {name}"))?;
        }
        match counts.into_keys().next() {
            None => Ok(census),
            Some(name) => Err(format!("{name} is no sort of pieces")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::campaign::classes::CLASSES;

    /// The oracle's piece at the beginning of each window of four classes, as often as there are such bytes.
    #[test]
    fn the_numbers_from_the_grammar_are_those_of_the_oracle() {
        let mut census = Census::default();
        let mut consumed = 0;
        let size = |class: ByteRange| u64::from(class.high - class.low) + 1;
        for window in 0..CLASSES.len().pow(4) {
            let class = |at: u32| CLASSES[window / CLASSES.len().pow(at) % CLASSES.len()];
            let classes = [0, 1, 2, 3].map(class);
            let many: u64 = classes.map(size).iter().product();
            let bytes = classes.map(|class| class.low);
            let (_, event) = golden::events(&bytes).next().expect("a piece");
            let mut one = Census::default();
            one.observe(event);
            for (count, one) in census.0.iter_mut().zip(one.0) {
                *count += one * many;
            }
            consumed += (u64::from(event.length()) - 1) * many;
        }
        // A window that begins with a tail does not show whether that is stray.
        census.0[ill_formed(Kind::StrayContinuation)] -= consumed;
        for ((name, count), (_, range)) in census.counts().zip(Census::of_all_windows(1)) {
            assert_eq!(range, count..=count, "{name}");
        }
    }

    #[test]
    fn a_census_is_written_by_name_and_read_again() {
        let mut census = Census::default();
        for event in [Event::Scalar(0x10_FFFF), Event::Scalar(0), Event::Scalar(1)] {
            census.observe(event);
        }
        let kind = Kind::TruncatedAtEnd;
        census.observe(Event::IllFormed { kind, length: 3 });
        let text = serde_json::to_string(&census).unwrap();
        for part in [
            "\"scalars_of_1\":2",
            "\"scalars_of_4\":1",
            "\"truncated_at_end\":1",
        ] {
            assert!(text.contains(part), "{text}");
        }
        assert_eq!(serde_json::from_str::<Census>(&text).unwrap(), census);
        for broken in [text.replace("overlong", "overling"), "{}".to_string()] {
            assert!(serde_json::from_str::<Census>(&broken).is_err());
        }
    }
}
