//! Which points were reached, and how often.

use std::collections::BTreeMap;

/// The groups that Verilator counts.
pub const LINES: &str = "lines and branches of the Verilog";
pub const TOGGLES: &str = "bits of the Verilog, there and back";

/// How often each point of each group was reached: 0 is missing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hits(BTreeMap<&'static str, BTreeMap<String, u64>>);

impl Hits {
    pub fn add(&mut self, group: &'static str, point: String, count: u64) {
        *self.0.entry(group).or_default().entry(point).or_default() += count;
    }

    /// Adds another run's.
    pub fn merge(&mut self, other: Self) {
        for (group, points) in other.0 {
            for (point, count) in points {
                self.add(group, point, count);
            }
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &str, u64)> {
        self.0.iter().flat_map(|(&group, points)| {
            let points = points.iter();
            points.map(move |(point, &count)| (group, point.as_str(), count))
        })
    }
}
