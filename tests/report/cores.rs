//! The README's table: one row for each core that a reader is likely to want.

use super::plan::{Chip, Core, ECP5_6, ECP5_6_RAM, FLOWS, Flow, UTF16};
use super::table::{luts, table};
use super::{Results, Told};

const COLUMNS: &str = "core | latency | LUT4 | FF | MHz | measured";

pub fn text(results: &Results) -> String {
    let cores = [
        Core::free("decode", 1),
        Core::axis("decode", 1),
        Core::free("decode", 64),
        UTF16,
        Core::free("dense", 16),
        Core::free("validate", 1),
        Core::free("validate", 64),
        Core::axis("encode", 8),
        Core::free("ascii", 64),
    ];
    let rows = cores.into_iter().map(|core| (core, ECP5_6));
    let rows = rows.chain([(FLOWS, ECP5_6_RAM)]);
    table(
        COLUMNS,
        rows.filter_map(|(core, chip)| cells(results, core, chip)),
    )
}

/// What was measured last, even if the core has changed since; `None` if nothing was.
fn cells(results: &Results, core: Core, chip: Chip) -> Option<Vec<String>> {
    let row = chip.row(core, Flow::Tuned);
    let entry = results.of(row)?;
    let Told::Figures(figures) = entry.told() else {
        panic!("{} fits", row.command());
    };
    let plural = if core.lanes == 1 { "" } else { "s" };
    let age = match results.older(row, entry) {
        Some(_) => ", older",
        None => "",
    };
    Some(vec![
        format!(
            "`{}`, {} lane{plural}, `{}`",
            core.title(),
            core.lanes,
            core.form
        ),
        figures.latency.to_string(),
        luts(&figures),
        figures.ffs.to_string(),
        format!("{:.0}", figures.clock().fmax_mhz.worst),
        format!("`{}`{age}", &entry.revision[..7]),
    ])
}
