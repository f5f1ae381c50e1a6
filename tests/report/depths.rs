//! What a core is at each depth that is measured: a table for each core, and the clocks that `--clock` chooses from.

use super::plan::{self, Core, Flow, Row};
use super::table::{critical_path, luts, mhz, table};
use super::{Entry, Results, Told};
use serde_json::{Value, json};
use std::fmt::Write;

const COLUMNS: &str = "lanes | depth | on | flow | MHz | LUT4 | sites | FF | critical path";

/// The tables, in one for each core that has depths.
pub fn text(results: &Results) -> String {
    let mut text = String::new();
    for name in ["decode", "validate", "pass"] {
        let of_it = |row: &Row| row.core.name == name && row.core.depth.is_some();
        let rows: Vec<Vec<String>> = (plan::rows().into_iter())
            .filter(of_it)
            .filter_map(|row| cells(results, row))
            .collect();
        if rows.is_empty() {
            continue;
        }
        let title = Core::free(name, 1).title();
        let _ = write!(
            text,
            "\n**`{title}` at depths below the greatest**\n\n{}",
            table(COLUMNS, rows.into_iter())
        );
    }
    text
}

fn cells(results: &Results, row: Row) -> Option<Vec<String>> {
    let told = results.told(row);
    let figures = told.figures()?;
    let clock = figures.clock();
    let form = match row.core.form {
        "axis" => " `axis`",
        _ => "",
    };
    Some(vec![
        format!("{}{form}", row.core.lanes),
        row.core.depth?.to_string(),
        row.chip.title.to_string(),
        row.flow.name().to_string(),
        mhz(clock),
        luts(figures),
        figures.sites?.to_string(),
        figures.ffs.to_string(),
        critical_path(clock),
    ])
}

/// The rows of the default flow that are measured of the cores as they are: one line of JSON each.
pub fn clocks(results: &Results) -> String {
    let is_of_a_depth = |row: &Row| {
        row.flow == Flow::Default
            && row.chip.has_clock()
            && ["decode", "validate", "pass"].contains(&row.core.name)
    };
    let rows = plan::rows().into_iter().filter(is_of_a_depth);
    let lines: Vec<String> = rows
        .filter_map(|row| line(results, row))
        .map(|line| line.to_string())
        .collect();
    match lines.is_empty() {
        true => "[]\n".to_string(),
        false => format!("[\n{}\n]\n", lines.join(",\n")),
    }
}

fn line(results: &Results, row: Row) -> Option<Value> {
    let entry: &Entry = results.of(row)?;
    let Told::Figures(figures) = results.told(row) else {
        return None;
    };
    let super::Outcome::Result(result) = &entry.outcome else {
        return None;
    };
    let clock = figures.clock();
    Some(json!({
        "core": row.core.request(),
        "target": result["target"],
        "part": result["part"],
        "speed": result["speed"],
        "mhz": (clock.fmax_mhz.worst * 10.0).floor() / 10.0,
        "seeds": clock.seeds,
        "luts": figures.luts,
        "ffs": figures.ffs,
    }))
}
