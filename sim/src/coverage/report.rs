//! What is covered, what is missing, and what is waived with which reason; as a table, and as JSON.

use super::hits::Hits;
use super::waivers::{Waivers, split_bit};
use hdl::config::Config;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// The coverage of a configuration.
#[derive(Debug, Serialize)]
pub struct Report {
    pub groups: Vec<GroupReport>,
}

/// The coverage of a group of points.
#[derive(Debug, Serialize)]
pub struct GroupReport {
    pub name: &'static str,
    pub points: usize,
    pub hit: usize,
    pub missing: Vec<String>,
    pub waived: Vec<Waived>,
    /// Points that are waived and were reached.
    pub stale: Vec<String>,
}

/// A point that cannot be reached.
#[derive(Debug, Serialize)]
pub struct Waived {
    pub point: String,
    pub reason: &'static str,
}

impl Report {
    /// With the [`super::constants`] of its Verilog, which cannot be reached.
    pub fn new(config: &Config, hits: &Hits, constants: &BTreeSet<String>) -> Self {
        let waivers = Waivers::new(config, constants);
        let mut groups: Vec<GroupReport> = Vec::new();
        for (name, point, count) in hits.iter() {
            if groups.last().is_none_or(|group| group.name != name) {
                groups.push(GroupReport::new(name));
            }
            let Some(group) = groups.last_mut() else {
                continue;
            };
            group.add(point, count, waivers.reason(name, point));
        }
        Self { groups }
    }

    /// The share of the points that is covered, in percent; those that are waived do not count.
    pub fn percent(&self) -> f64 {
        let (hit, wanted) = self.sums();
        percent(hit, wanted)
    }

    /// Whether at least so many percent are covered.
    pub fn reaches(&self, goal: f64) -> bool {
        let (hit, wanted) = self.sums();
        100.0 * hit as f64 >= goal * wanted as f64
    }

    fn sums(&self) -> (usize, usize) {
        let sum = |count: fn(&GroupReport) -> usize| self.groups.iter().map(count).sum();
        (sum(|group| group.hit), sum(GroupReport::wanted))
    }

    pub fn is_complete(&self) -> bool {
        self.reaches(100.0) && !self.has_stale()
    }

    /// Whether a waiver is wrong.
    pub fn has_stale(&self) -> bool {
        self.groups.iter().any(|group| !group.stale.is_empty())
    }
}

impl GroupReport {
    fn new(name: &'static str) -> Self {
        Self {
            name,
            points: 0,
            hit: 0,
            missing: Vec::new(),
            waived: Vec::new(),
            stale: Vec::new(),
        }
    }

    fn add(&mut self, point: &str, count: u64, reason: Option<&'static str>) {
        let point = point.to_string();
        self.points += 1;
        match (count, reason) {
            (0, None) => self.missing.push(point),
            (0, Some(reason)) => self.waived.push(Waived { point, reason }),
            (_, None) => self.hit += 1,
            (_, Some(_)) => {
                self.hit += 1;
                self.stale.push(point);
            }
        }
    }

    /// Points that are to be reached.
    fn wanted(&self) -> usize {
        self.points - self.waived.len()
    }

    pub fn percent(&self) -> f64 {
        percent(self.hit, self.wanted())
    }
}

/// Rounded down to tenths, so that only what is complete shows 100.
fn percent(hit: usize, wanted: usize) -> f64 {
    match wanted {
        0 => 100.0,
        _ => (1000 * hit / wanted) as f64 / 10.0,
    }
}

/// Names that a table shows of each group.
const SHOWN: usize = 200;

impl fmt::Display for Report {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        writeln!(
            out,
            "  {:<52} {:>7} {:>7} {:>7} {:>8} {:>8}",
            "coverage", "points", "hit", "waived", "missing", "percent"
        )?;
        for group in &self.groups {
            writeln!(
                out,
                "  {:<52} {:>7} {:>7} {:>7} {:>8} {:>8.1}",
                group.name,
                group.points,
                group.hit,
                group.waived.len(),
                group.missing.len(),
                group.percent()
            )?;
        }
        for group in &self.groups {
            list(out, "missing", group.name, &group.missing)?;
            list(
                out,
                "waived, and reached nevertheless",
                group.name,
                &group.stale,
            )?;
        }
        Ok(())
    }
}

fn list(out: &mut fmt::Formatter, what: &str, group: &str, points: &[String]) -> fmt::Result {
    if points.is_empty() {
        return Ok(());
    }
    let names = with_ranges(points);
    let shown = &names[..names.len().min(SHOWN)];
    write!(out, "  {what}, {group}: {}", shown.join("; "))?;
    match names.len() - shown.len() {
        0 => writeln!(out),
        more => writeln!(out, "; and {more} more"),
    }
}

/// The names, those of a signal's bits as one.
fn with_ranges(points: &[String]) -> Vec<String> {
    let mut signals: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
    for point in points {
        let (name, bit) = split_bit(point);
        signals.entry(name).or_default().extend(bit);
    }
    let named = |(name, bits): (&str, BTreeSet<usize>)| {
        let mut ranges: Vec<(usize, usize)> = Vec::new();
        for bit in bits {
            match ranges.last_mut() {
                Some((_, high)) if *high + 1 == bit => *high = bit,
                _ => ranges.push((bit, bit)),
            }
        }
        let range = |(low, high): (usize, usize)| match low == high {
            true => low.to_string(),
            false => format!("{high}:{low}"),
        };
        let ranges: Vec<String> = ranges.into_iter().map(range).collect();
        match ranges.is_empty() {
            true => name.to_string(),
            false => format!("{name}[{}]", ranges.join(", ")),
        }
    };
    signals.into_iter().map(named).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_of_a_signal_are_named_together() {
        let points = ["m.a[10]", "m.a[2]", "m.a[3]", "m.b", "idle clocks 3"];
        let names = with_ranges(&points.map(str::to_string));
        assert_eq!(names, ["idle clocks 3", "m.a[3:2, 10]", "m.b"]);
    }
}
