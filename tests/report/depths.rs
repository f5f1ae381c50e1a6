//! What a core is at each depth that is measured: a table for each core, and the clocks that `--clock` chooses from.

use super::plan::{self, Core, ECP5_6, Flow, Row};
use super::table::{critical_path, luts, mhz, table};
use super::{Entry, Results, Told};
use serde_json::{Value, json};
use std::fmt::Write;

const COLUMNS: &str = "lanes | depth | on | flow | MHz | LUT4 | sites | FF | critical path";

/// The tables, in one for each core that has depths.
pub fn text(results: &Results) -> String {
    let mut text =
        "\n![Clock against latency, and flip-flops against clock](depths.svg)\n\nThe chart has single points for [other cores](#other-cores).\n".to_string();
    for name in ["decode", "validate", "pass"] {
        let is_measured = |core: &Core| core.name == name && plan::depths().contains(core);
        let rows = plan::rows().into_iter();
        let rows: Vec<Vec<String>> = rows
            .filter(|row| {
                is_measured(&row.core) && (row.core.depth.is_some() || row.flow == Flow::Default)
            })
            .filter_map(|row| cells(results, row))
            .collect();
        if rows.is_empty() {
            continue;
        }
        let title = Core::free(name, 1).title();
        let _ = write!(
            text,
            "\n**Depths of `{title}`**\n\n{}",
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
        match row.core.depth {
            Some(depth) => depth.to_string(),
            None => format!("{}, the greatest", figures.latency),
        },
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

/// Clocks in MHz that users have, and the cores of which it is said what depth is enough for each.
const ASKED: [f64; 5] = [100.0, 125.0, 200.0, 250.0, 322.0];

fn asked() -> [Core; 4] {
    [
        Core::free("decode", 1),
        Core::axis("validate", 1),
        Core::axis("validate", 8),
        Core::axis("validate", 64),
    ]
}

/// The README's table: for each core the least depth that reaches a clock, as `--clock` chooses it.
pub fn choices(results: &Results) -> String {
    let clocks = ASKED.map(|mhz| format!("{mhz} MHz"));
    let rows = asked().into_iter().map(|core| {
        let plural = if core.lanes == 1 { "" } else { "s" };
        let title = format!(
            "`{}`, {} lane{plural}, `{}`",
            core.title(),
            core.lanes,
            core.form
        );
        let cells = ASKED.map(|mhz| choice(results, core, mhz));
        [&[title], &cells[..]].concat()
    });
    table(&format!("core | {}", clocks.join(" | ")), rows)
}

fn choice(results: &Results, core: Core, mhz: f64) -> String {
    let is_of_it = |row: &Row| {
        let of_core = Core {
            depth: None,
            ..row.core
        } == core;
        of_core && row.flow == Flow::Default && row.chip.name == ECP5_6.name
    };
    let all = plan::rows().into_iter().filter(is_of_it);
    let told = all.map(|row| (row.core.depth.unwrap_or(usize::MAX), results.told(row)));
    let reaching = told.filter(|(_, told)| {
        let clock = told.clock();
        clock.is_some_and(|clock| clock.fmax_mhz.worst >= mhz)
    });
    let least = reaching.min_by_key(|(depth, _)| *depth);
    match least
        .as_ref()
        .and_then(|(depth, told)| Some((depth, told.figures()?)))
    {
        None => "–".to_string(),
        Some((depth, figures)) => {
            let name = match *depth {
                usize::MAX => "max".to_string(),
                depth => depth.to_string(),
            };
            format!("{name}: {} / {}", luts(figures), figures.ffs)
        }
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
