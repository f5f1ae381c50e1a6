//! The README's part: where the numbers come from, the chart, and a table for each core.

use super::plan::{self, Chip, Core, ECP5_6, ECP5_8, FLOWS, HX8K, XILINX_7};
use super::{CHART, Clock, Entry, Figures, Results, Told};
use std::array;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

pub fn text(results: &Results) -> String {
    let mut text = format!(
        "{}\n\n![Clock and throughput against lanes]({CHART})\n",
        origin(results)
    );
    for name in ["decode", "validate"] {
        let of_it = |core: &Core| core.name == name || (core.name, name) == ("dense", "decode");
        let cores: Vec<Core> = plan::cores().into_iter().filter(of_it).collect();
        let table = |columns: &str, row: fn(&Results, Core) -> Vec<String>| {
            table(columns, cores.iter().map(|&core| row(results, core)))
        };
        let _ = write!(
            text,
            "\n**Clock of `{name}`**\n\n{}\n**Area of `{name}`**\n\n{}\n<details><summary>Critical paths of \
             <code>{name}</code></summary>\n\n{}\n</details>\n",
            table(CLOCKS, clocks),
            table(AREAS, areas),
            table(CRITICAL_PATHS, critical_paths)
        );
    }
    let rows = plan::WITH_AND_WITHOUT_RAMS.map(|chip| with_rams(results, chip));
    let _ = write!(
        text,
        "\n**`{}`, {} lanes**\n\n{}",
        FLOWS.title(),
        FLOWS.lanes,
        table(WITH_RAMS, rows.into_iter())
    );
    text
}

const WITH_RAMS: &str =
    "on | latency | MHz | of the limit | Gbit/s | LUT4 | FF | carry | BRAM | critical path";

/// Of a core that has block RAMs.
fn with_rams(results: &Results, chip: Chip) -> Vec<String> {
    let told = results.told(FLOWS, chip);
    let figures = cells(&told, |figures| {
        let clock = figures.clock();
        let counts = [figures.ffs, figures.carry, figures.brams].map(|count| count.to_string());
        let [ffs, carry, brams] = counts;
        let latency = figures.latency.to_string();
        let gbit_per_s = format!("{:.1}", clock.gbit_per_s);
        [
            latency,
            mhz(clock),
            limit(clock),
            gbit_per_s,
            luts(figures),
            ffs,
            carry,
            brams,
            critical_path(clock),
        ]
    });
    [vec![chip.title.to_string()], figures].concat()
}

/// By what, and of which revision.
fn origin(results: &Results) -> String {
    let mut revisions: BTreeMap<&str, usize> = BTreeMap::new();
    let mut tools: BTreeSet<String> = BTreeSet::new();
    for Entry {
        revision, origin, ..
    } in &results.rows
    {
        *revisions.entry(revision).or_default() += 1;
        tools.insert(version(&origin.yosys));
        tools.extend(origin.nextpnr.as_deref().map(version));
    }
    let revisions = revisions.iter();
    let revisions = revisions.map(|(revision, rows)| format!("`{revision}` ({rows} rows)"));
    format!(
        "Measured at revision {} with {}. A dash is what was not measured. The chart has the form `free`.",
        revisions.collect::<Vec<_>>().join(", "),
        tools.into_iter().collect::<Vec<_>>().join(", ")
    )
}

/// Its name and number, of all that a tool says of itself.
fn version(said: &str) -> String {
    let told = match said.split_once("(Version ") {
        Some((_, version)) => version.trim_end_matches(')'),
        None => said.split(" (").next().unwrap_or(said),
    };
    told.replace("nextpnr-", "nextpnr ")
}

const CLOCKS: &str = "lanes | latency | ECP5 -6 MHz | of the limit | Gbit/s | ECP5 -8 MHz | of the limit | Gbit/s | \
                      HX8K MHz | of the limit | Gbit/s";

fn clocks(results: &Results, core: Core) -> Vec<String> {
    let latency = cells(&results.told(core, ECP5_6), |figures| {
        [figures.latency.to_string()]
    });
    let of_chips = [ECP5_6, ECP5_8, HX8K].map(|chip| {
        cells(&results.told(core, chip), |figures| {
            let clock = figures.clock();
            [mhz(clock), limit(clock), format!("{:.1}", clock.gbit_per_s)]
        })
    });
    [vec![label(core)], latency, of_chips.concat()].concat()
}

const AREAS: &str = "lanes | LUT4 a lane | ECP5 LUT4 | FF | carry | BRAM | HX8K LUT4 | FF | carry | BRAM | \
                     Xilinx 7 LUT | FF | carry | BRAM";

fn areas(results: &Results, core: Core) -> Vec<String> {
    let [ecp5, hx8k, xilinx] = [ECP5_6, HX8K, XILINX_7].map(|chip| {
        cells(&results.told(core, chip), |figures| {
            let others = [figures.ffs, figures.carry, figures.brams].map(|count| count.to_string());
            let [ffs, carry, brams] = others;
            [luts(figures), ffs, carry, brams]
        })
    });
    let a_lane = cells(&results.told(core, ECP5_6), |figures| {
        [format!("{:.1}", figures.luts as f64 / core.lanes as f64)]
    });
    [vec![label(core)], a_lane, ecp5, hx8k, xilinx].concat()
}

const CRITICAL_PATHS: &str = "lanes | ECP5 -6 | ECP5 -8 | HX8K";

fn critical_paths(results: &Results, core: Core) -> Vec<String> {
    let paths = [ECP5_6, ECP5_8, HX8K].map(|chip| {
        let told = results.told(core, chip);
        cells(&told, |figures| [critical_path(figures.clock())])
    });
    [vec![label(core)], paths.concat()].concat()
}

fn table(columns: &str, rows: impl Iterator<Item = Vec<String>>) -> String {
    let rules = "|---".repeat(columns.split(" | ").count());
    let mut text = format!("| {columns} |\n{rules}|\n");
    for cells in rows {
        let _ = writeln!(text, "| {} |", cells.join(" | "));
    }
    text
}

/// What a row is of, in a table of one core.
fn label(core: Core) -> String {
    let Core { name, lanes, form } = core;
    match (name, form) {
        ("dense", _) => format!("{lanes} `--dense`"),
        (_, "axis") => format!("{lanes} `axis`"),
        _ => lanes.to_string(),
    }
}

/// Cells of what was measured on one chip, or what there is instead.
fn cells<const N: usize>(told: &Told, of: impl FnOnce(&Figures) -> [String; N]) -> Vec<String> {
    let cells = match told {
        Told::Figures(figures) => of(figures),
        Told::Refused => array::from_fn(|place| {
            let cell = if place == 0 { "does not fit" } else { "–" };
            cell.to_string()
        }),
        Told::Missing => array::from_fn(|_| "–".to_string()),
    };
    cells.to_vec()
}

/// LUTs, and those that are memories or shift registers.
fn luts(figures: &Figures) -> String {
    match figures.lut_rams {
        0 => figures.luts.to_string(),
        rams => format!("{} + {rams}", figures.luts),
    }
}

/// Of all seeds; where there was only one, that is told.
fn mhz(clock: &Clock) -> String {
    match clock.seeds {
        1 => format!("{:.0} (1 seed)", clock.fmax_mhz.worst),
        _ => format!("{:.0}..{:.0}", clock.fmax_mhz.worst, clock.fmax_mhz.best),
    }
}

fn limit(clock: &Clock) -> String {
    format!("{:.0} % of {:.0}", clock.of_limit * 100.0, clock.limit_mhz)
}

/// From where to where, through how much.
pub fn critical_path(clock: &Clock) -> String {
    let path = &clock.critical_path;
    let harness = if path.in_harness {
        " (in the harness!)"
    } else {
        ""
    };
    format!(
        "`{}` → `{}`{harness}: {} LUT, {:.2} + {:.2} ns",
        path.from, path.to, path.cells, path.logic_ns, path.routing_ns
    )
}
