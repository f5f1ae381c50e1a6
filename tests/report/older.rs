//! What was measured before the Verilog changed: it is shown, until it is measured anew, but never as what the cores are now.

use super::plan::{self, Row};
use super::table::{critical_path, luts, mhz, table};
use super::{Entry, Results, Told};

const COLUMNS: &str = "row | on | flow | MHz | LUT | sites | critical path | measured";

/// Where and of what a measurement was made that does not say what the row is now.
pub fn origin(entry: &Entry, why: &str) -> String {
    format!("measured at revision `{}`, {why}", entry.revision)
}

/// Of all rows in the plan: how many are current, how many are older, and how many are not measured.
pub fn counts(results: &Results) -> [usize; 3] {
    let mut counts = [0; 3];
    for row in plan::rows() {
        let place = match results.of(row) {
            Some(entry) if results.older(row, entry).is_none() => 0,
            Some(_) => 1,
            None => 2,
        };
        counts[place] += 1;
    }
    counts
}

/// The older rows in one table, or nothing if there are none.
pub fn text(results: &Results) -> String {
    let row = |row: Row| {
        let entry = results.of(row)?;
        let why = results.older(row, entry)?;
        Some(cells(row, entry, &origin(entry, why)))
    };
    let rows: Vec<Vec<String>> = plan::rows().into_iter().filter_map(row).collect();
    if rows.is_empty() {
        return String::new();
    }
    format!(
        "\n<details><summary>What was measured before and is not what the cores are now ({} rows)</summary>\n\n{}\n</details>\n",
        rows.len(),
        table(COLUMNS, rows.into_iter())
    )
}

fn cells(row: Row, entry: &Entry, origin: &str) -> Vec<String> {
    let flow = if row.chip.has_clock() {
        row.flow.name()
    } else {
        "–"
    };
    let depth = row.core.depth.map(|depth| format!(", depth {depth}"));
    let title = format!(
        "`{}`, {} lanes, `{}`{}",
        row.core.title(),
        row.core.lanes,
        row.core.form,
        depth.unwrap_or_default()
    );
    let told = entry.told();
    let figures = match &told {
        Told::Refused => ["does not fit", "–", "–", "–"].map(str::to_string),
        Told::Missing => ["–"; 4].map(str::to_string),
        Told::Figures(figures) => {
            let clock = figures.clock.as_ref();
            let or_none = |text: Option<String>| text.unwrap_or("–".to_string());
            [
                or_none(clock.map(mhz)),
                luts(figures),
                or_none(figures.sites.map(|sites| sites.to_string())),
                or_none(clock.map(critical_path)),
            ]
        }
    };
    let of = [title, row.chip.title.to_string(), flow.to_string()];
    [&of[..], &figures[..], &[origin.to_string()]].concat()
}
