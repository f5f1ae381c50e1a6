//! Adds up the reports of all shards, and says what a campaign has shown.

use super::shard::{ShardReport, Span};
use crate::exit::{Failure, Finding};
use crate::options::Talk;
use crate::output::tell;
use ::sim::campaign::census::Census;
use ::sim::campaign::{Campaign, Shard, windows::WINDOWS};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// `runegate sim --merge`.
pub fn run(paths: &[PathBuf], talk: Talk) -> Result<Finding, Failure> {
    let mut shards: Vec<(&Path, ShardReport)> = Vec::new();
    for path in paths {
        shards.push((path, ShardReport::read(path)?));
    }
    shards.sort_by_key(|(_, report)| report.shard.shard);
    let Some(((first_path, first), others)) = shards.split_first() else {
        return Err(Failure::new(
            "no report to merge; name all reports of a campaign",
        ));
    };
    for (path, report) in others {
        if let Some(difference) = first.run.difference(&report.run) {
            return Err(Failure::new(format!(
                "{path:?} is not of the same campaign as {first_path:?}: {difference}; name the reports of one campaign"
            )));
        }
    }
    complete(&shards)?;
    let mut total = first.clone();
    for (path, report) in &shards {
        if let Some(mismatch) = &report.totals.mismatch {
            let Shard { number, of } = report.shard.shard;
            let (cycle, command) = (&mismatch["cycle"], &mismatch["command"]);
            tell(&format!(
                "{path:?}: mismatch of shard {number}/{of} in cycle {cycle}\n  again: {}",
                command.as_str().unwrap_or_default()
            ));
        }
    }
    for (_, report) in others {
        total.totals.add(&report.totals);
    }
    total.shard = Span::of(Shard { number: 1, of: 1 }, total.run.count);
    conclude(&total, shards.len() as u64).print(talk)
}

/// Refuses shards, in order, that are not each of a campaign's once.
fn complete(shards: &[(&Path, ShardReport)]) -> Result<(), Failure> {
    for pair in shards.windows(2) {
        let [(one_path, one), (other_path, other)] = pair else {
            continue;
        };
        let (one, other) = (one.shard.shard, other.shard.shard);
        if one == other {
            return Err(Failure::new(format!(
                "{one_path:?} and {other_path:?} are both shard {}/{}; name each shard once",
                one.number, one.of
            )));
        }
    }
    let of = shards.iter().map(|(_, report)| report.shard.shard.of).max();
    let of = of.unwrap_or_default();
    if let Some((path, report)) = shards
        .iter()
        .find(|(_, report)| report.shard.shard.of != of)
    {
        let Shard { number, of: its } = report.shard.shard;
        return Err(Failure::new(format!(
            "{path:?} is shard {number}/{its}, which overlaps with shards of {of}; name shards with the same N"
        )));
    }
    let there = |number: &u64| {
        shards
            .iter()
            .any(|(_, report)| report.shard.shard.number == *number)
    };
    let missing: Vec<u64> = (1..=of).filter(|number| !there(number)).collect();
    match missing[..] {
        [] => Ok(()),
        [number, ..] => Err(Failure::new(format!(
            "{} of {of} shards are missing, the first is {number}/{of}; run them with --shard and --report, and name their \
             reports too",
            missing.len()
        ))),
    }
}

/// What a campaign, or a shard of it, has shown.
pub struct Conclusion {
    pub json: Value,
    pub lines: String,
    pub finding: Finding,
}

impl Conclusion {
    /// Tells it where nothing has been run.
    pub fn print(self, talk: Talk) -> Result<Finding, Failure> {
        let Self { json, lines, .. } = &self;
        talk.print(|out| match talk.json {
            true => writeln!(out, "{json}"),
            false => write!(out, "{lines}"),
        })?;
        Ok(self.finding)
    }
}

/// Concludes from the result of a run, or of so many that were added up.
pub fn conclude(report: &ShardReport, runs: u64) -> Conclusion {
    let mut json = report.json();
    json["runs"] = runs.into();
    let ShardReport { run, shard, totals } = report;
    let Span {
        shard: Shard { number, of },
        windows,
        ..
    } = shard;
    let what = match (of, runs) {
        (1, 1) => String::new(),
        (1, _) => format!(", {runs} shards"),
        _ => format!(", shard {number}/{of}"),
    };
    let (all, unit) = match run.stimulus {
        Campaign::Random => (String::new(), "bytes"),
        _ => (format!("{windows} windows, "), "windows"),
    };
    let mut lines = format!(
        "{}{what}, on {} ({}), seed {}: {}\n  {all}{} bytes in {} clocks, ",
        run.stimulus.name(),
        run.engine,
        run.engine_version,
        run.seed,
        run.arguments,
        totals.bytes,
        totals.cycles
    );
    lines += &match totals.mismatches {
        0 => "every output equal to the model's at every clock: 0 mismatches\n".to_string(),
        runs => format!("the core and the model differ: {runs} mismatches\n"),
    };
    lines += &format!(
        "  {:.1} s of runs, {:.1} million {unit} a second\n",
        totals.seconds,
        *windows as f64 / totals.seconds / 1e6
    );
    lines += &totals.disturbed().line();
    let mut finding = report.finding();
    let all_windows = run.stimulus == Campaign::Windows && *windows == WINDOWS;
    if let (true, 0) = (all_windows, totals.mismatches) {
        lines += "  these are all 2^32 windows of four bytes\n";
        // What a reset drops has no event.
        if let (Some(_), 1..) = (&totals.pieces, totals.resets) {
            lines += "  but resets dropped some: the pieces are not compared with the grammar\n";
        } else if let Some(pieces) = &totals.pieces {
            let wrong = unexpected(pieces, runs);
            json["pieces_as_the_grammar_says"] = wrong.is_empty().into();
            if wrong.is_empty() {
                lines += "  and the number of pieces of each sort is the one that follows from RFC 3629's grammar\n";
            } else {
                lines += &format!("  but these numbers of pieces are wrong:\n{wrong}");
                finding = Finding::CheckFailed;
            }
        }
    }
    Conclusion {
        json,
        lines,
        finding,
    }
}

/// The sorts of RFC 3629's pieces of which there are not as many as the windows of four bytes have, a line for each.
fn unexpected(pieces: &Census, shards: u64) -> String {
    let expected = Census::of_all_windows(shards).into_iter();
    let wrong = pieces
        .counts()
        .zip(expected)
        .filter(|((_, count), (_, range))| !range.contains(count));
    let line =
        |((name, count), (_, range)): ((String, u64), (_, std::ops::RangeInclusive<u64>))| {
            format!(
                "    {name}: {count}, but {} by the grammar\n",
                range.start()
            )
        };
    wrong.map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_census_that_is_off_by_one_is_told() {
        let text: serde_json::Map<String, Value> = Census::of_all_windows(1)
            .into_iter()
            .map(|(name, range)| (name, (*range.start()).into()))
            .collect();
        let census =
            |text| serde_json::from_value::<Census>(Value::Object(text)).expect("a census");
        assert_eq!(unexpected(&census(text.clone()), 1), "");
        for name in text.keys() {
            let mut text = text.clone();
            text[name] = (text[name].as_u64().expect("a count") + 1).into();
            assert!(unexpected(&census(text.clone()), 1).contains(name));
            let seams = unexpected(&census(text), 2);
            assert_eq!(seams.is_empty(), name == "stray_continuation", "{seams}");
        }
    }
}
