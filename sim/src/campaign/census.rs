//! How many pieces of each sort there are, and how many there must be.

use golden::grammar::{ByteRange, FAULTS, PRODUCTIONS};
use golden::{Event, Grammar, Kind};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// How many pieces of each sort there are: scalar values by their length in bytes, then ill-formed ones by their kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "BTreeMap<String, u64>", try_from = "BTreeMap<String, u64>")]
pub struct Census {
    /// The longest scalar value's bytes.
    longest: usize,
    counts: Vec<u64>,
}

/// The sorts' names, in order.
fn names(longest: usize) -> impl Iterator<Item = String> {
    let scalars = (1..=longest).map(scalars_of);
    scalars.chain(Kind::ALL[1..].iter().map(|kind| kind.name().to_string()))
}

fn scalars_of(length: usize) -> String {
    format!("scalars_of_{length}")
}

impl Census {
    /// None yet, of a grammar.
    pub fn of(grammar: Grammar) -> Self {
        let longest = grammar.longest();
        Self {
            longest,
            counts: vec![0; names(longest).count()],
        }
    }

    fn scalars(&mut self, length: usize) -> &mut u64 {
        &mut self.counts[..self.longest][length - 1]
    }

    fn ill_formed(&mut self, kind: Kind) -> &mut u64 {
        &mut self.counts[self.longest..][usize::from(kind.code()) - 1]
    }

    #[inline]
    pub fn observe(&mut self, event: Event) {
        *match event {
            Event::Scalar(_) => self.scalars(event.length().into()),
            Event::IllFormed { kind, .. } => self.ill_formed(kind),
        } += 1;
    }

    /// Adds another one's pieces, of the same grammar.
    pub fn add(&mut self, other: &Self) {
        for (count, more) in self.counts.iter_mut().zip(&other.counts) {
            *count += more;
        }
    }

    /// Each sort by name.
    pub fn counts(&self) -> impl Iterator<Item = (String, u64)> {
        names(self.longest).zip(self.counts.iter().copied())
    }

    /// How many pieces of each sort begin in the windows of four bytes, if each window comes once. They are of RFC 3629, and counted
    /// from the grammar as it stands there, without decoding anything. With more than one shard the number of stray continuations is
    /// a range: the bytes that a shard begins with may belong to a sequence of the shard before.
    pub fn of_all_windows(shards: u64) -> Vec<(String, RangeInclusive<u64>)> {
        let size = |range: ByteRange| u64::from(range.high - range.low) + 1;
        let tails = FAULTS
            .iter()
            .find(|fault| fault.kind == Kind::StrayContinuation);
        let tails = tails.map_or(0, |fault| size(fault.lead));
        // The windows that begin with so many bytes given.
        let windows = |given: usize| 256_u64.pow(4 - given as u32);
        let mut census = Self::of(Grammar::Rfc3629);
        let mut consumed = 0;
        for production in PRODUCTIONS {
            let mut beginnings = 1;
            for (at, &range) in production.bytes.iter().enumerate() {
                if at > 0 {
                    // Cut by a byte that is no tail. A tail that does not fit is a fault's.
                    let cut = beginnings * (256 - tails) * windows(at + 1);
                    *census.ill_formed(Kind::Truncated) += cut;
                    consumed += (at as u64 - 1) * cut;
                }
                beginnings *= size(range);
            }
            let length = production.bytes.len();
            *census.scalars(length) += beginnings * windows(length);
            consumed += (length as u64 - 1) * beginnings * windows(length);
        }
        let named = FAULTS
            .iter()
            .filter(|fault| fault.kind != Kind::StrayContinuation);
        for fault in named {
            *census.ill_formed(fault.kind) += match fault.before {
                None => size(fault.lead) * windows(1),
                Some(before) => size(fault.lead) * size(before) * windows(2),
            };
        }
        *census.ill_formed(Kind::StrayContinuation) = tails * windows(1) - consumed;
        let longest_rest = Grammar::Rfc3629.longest() as u64 - 1;
        let ranges = census.counts().map(|(name, count)| {
            let uncertain = match name == Kind::StrayContinuation.name() {
                true => longest_rest * (shards - 1),
                false => 0,
            };
            (name, count..=count + uncertain)
        });
        ranges.collect()
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
        let is_of = |grammar: &Grammar| counts.contains_key(&scalars_of(grammar.longest()));
        let grammar = Grammar::ALL.into_iter().rfind(is_of).unwrap_or_default();
        let mut census = Self::of(grammar);
        for (name, count) in names(census.longest).zip(&mut census.counts) {
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
    use crate::campaign::classes::classes;

    /// The oracle's piece at the beginning of each window of four classes, as often as there are such bytes.
    #[test]
    fn the_numbers_from_the_grammar_are_those_of_the_oracle() {
        let all = classes(Grammar::Rfc3629);
        let mut census = Census::of(Grammar::Rfc3629);
        let mut consumed = 0;
        let size = |class: ByteRange| u64::from(class.high - class.low) + 1;
        for window in 0..all.len().pow(4) {
            let class = |at: u32| all[window / all.len().pow(at) % all.len()];
            let classes = [0, 1, 2, 3].map(class);
            let many: u64 = classes.map(size).iter().product();
            let bytes = classes.map(|class| class.low);
            let (_, event) = golden::events(&bytes).next().expect("a piece");
            let mut one = Census::of(Grammar::Rfc3629);
            one.observe(event);
            for (count, one) in census.counts.iter_mut().zip(one.counts) {
                *count += one * many;
            }
            consumed += (u64::from(event.length()) - 1) * many;
        }
        // A window that begins with a tail does not show whether that is stray.
        *census.ill_formed(Kind::StrayContinuation) -= consumed;
        for ((name, count), (_, range)) in census.counts().zip(Census::of_all_windows(1)) {
            assert_eq!(range, count..=count, "{name}");
        }
    }

    #[test]
    fn a_census_is_written_by_name_and_read_again() {
        let mut census = Census::of(Grammar::Rfc3629);
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
        assert!(!text.contains("scalars_of_5"), "{text}");
        assert_eq!(serde_json::from_str::<Census>(&text).unwrap(), census);
        let stranger = text.replace("\"truncated\"", "\"scalars_of_5\":0,\"truncated\"");
        for broken in [
            text.replace("overlong", "overling"),
            "{}".to_string(),
            stranger,
        ] {
            assert!(serde_json::from_str::<Census>(&broken).is_err());
        }
    }

    #[test]
    fn sequences_of_five_and_six_bytes_have_sorts_of_their_own() {
        let mut census = Census::of(Grammar::Rfc2279);
        for value in [0x1F_FFFF, 0x20_0000, 0x3FF_FFFF, 0x400_0000] {
            census.observe(Event::Scalar(value));
        }
        let kind = Kind::StrayContinuation;
        census.observe(Event::IllFormed { kind, length: 1 });
        let text = serde_json::to_string(&census).unwrap();
        for part in [
            "\"scalars_of_4\":1",
            "\"scalars_of_5\":2",
            "\"scalars_of_6\":1",
            "\"stray_continuation\":1",
        ] {
            assert!(text.contains(part), "{text}");
        }
        assert_eq!(serde_json::from_str::<Census>(&text).unwrap(), census);
        let short = text.replace("\"scalars_of_5\":2,", "");
        assert!(serde_json::from_str::<Census>(&short).is_err());
    }
}
