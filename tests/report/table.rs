//! The tables of docs/src/results.md: where the numbers come from, the chart, and a table for each core.

use super::plan::{self, Chip, Core, ECP5_6, ECP5_8, FLOWS, Flow, HX8K, XILINX_7};
use super::{Clock, Figures, Range, Results, Told, depths, older};
use std::array;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

pub fn text(results: &Results) -> String {
    let mut text = format!(
        "{}\n\n![Clock and throughput against lanes](results.svg)\n",
        origin(results)
    );
    for name in ["decode", "validate", "encode", "sanitise"] {
        let of_it = |core: &Core| core.title().split(' ').next() == Some(name);
        let cores: Vec<Core> = plan::cores().into_iter().filter(of_it).collect();
        let table = |columns: &str, row: fn(&Results, Core, Flow) -> Vec<String>| {
            let rows = cores.iter().flat_map(|&core| {
                Flow::ALL.map(|flow| {
                    let label = [label(core), flow.name().to_string()].to_vec();
                    [label, row(results, core, flow)].concat()
                })
            });
            table(columns, rows.filter(|cells| has_numbers(&cells[2..])))
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
    for core in [FLOWS].into_iter().chain(plan::DROPS) {
        let rows = plan::with_rams().into_iter().filter(|(it, _)| *it == core);
        let rows = rows
            .flat_map(|(core, chip)| Flow::ALL.map(|flow| with_rams(results, core, chip, flow)));
        let _ = write!(
            text,
            "\n**`{}`, {} lanes**\n\n{}",
            core.title(),
            core.lanes,
            table(WITH_RAMS, rows.filter(|cells| has_numbers(&cells[2..])))
        );
    }
    text + &depths::text(results) + &older::text(results)
}

const WITH_RAMS: &str = "on | flow | latency | MHz | of the limit | Gbit/s | LUT4 | sites | FF | carry | BRAM | critical path";

/// Of a core that has block RAMs.
fn with_rams(results: &Results, core: Core, chip: Chip, flow: Flow) -> Vec<String> {
    let told = results.told(chip.row(core, flow));
    let figures = cells(&told, |figures| {
        let clock = figures.clock();
        let [luts, sites, ffs, carry, brams] = area(figures);
        let latency = figures.latency.to_string();
        let gbit_per_s = format!("{:.1}", clock.gbit_per_s);
        [
            latency,
            mhz(clock),
            limit(clock),
            gbit_per_s,
            luts,
            sites,
            ffs,
            carry,
            brams,
            critical_path(clock),
        ]
    });
    let label = [chip.title, flow.name()].map(str::to_string);
    [label.to_vec(), figures].concat()
}

/// By what, of which revision, and how much of it is of the cores as they are.
fn origin(results: &Results) -> String {
    let mut revisions: BTreeMap<&str, usize> = BTreeMap::new();
    let mut tools: BTreeSet<String> = BTreeSet::new();
    for row in plan::rows() {
        let entry = results.of(row);
        let Some(entry) = entry.filter(|entry| results.older(row, entry).is_none()) else {
            continue;
        };
        *revisions.entry(&entry.revision).or_default() += 1;
        tools.insert(version(&entry.origin.yosys));
        tools.extend(entry.origin.nextpnr.as_deref().map(version));
    }
    let [current, older, missing] = older::counts(results);
    let mut text = format!(
        "{current} of {} rows are measured",
        current + older + missing
    );
    if current > 0 {
        let revisions = revisions.iter();
        let revisions = revisions.map(|(revision, rows)| format!("`{revision}` ({rows} rows)"));
        let _ = write!(
            text,
            ", at revision {} with {}",
            revisions.collect::<Vec<_>>().join(", "),
            tools.into_iter().collect::<Vec<_>>().join(", ")
        );
    }
    if older > 0 {
        let _ = write!(
            text,
            "; {older} were measured before the cores or the commands changed, and are in the table at the end"
        );
    }
    if missing > 0 {
        let _ = write!(text, "; {missing} are not measured yet");
    }
    text + ". A dash is what is not measured of the cores as they are; a line of dashes is left out. The chart has the form `free` and the tuned flow."
}

/// Its name and number, of all that a tool says of itself.
fn version(said: &str) -> String {
    let told = match said.split_once("(Version ") {
        Some((_, version)) => version.trim_end_matches(')'),
        None => said.split(" (").next().unwrap_or(said),
    };
    told.replace("nextpnr-", "nextpnr ")
}

const CLOCKS: &str = "lanes | flow | seeds | latency | ECP5 -6 MHz | of the limit | Gbit/s | ECP5 -8 MHz | of the limit | Gbit/s | \
                      HX8K MHz | of the limit | Gbit/s";

fn clocks(results: &Results, core: Core, flow: Flow) -> Vec<String> {
    let seeds_and_latency = cells(&results.told(ECP5_6.row(core, flow)), |figures| {
        [
            figures.clock().seeds.to_string(),
            figures.latency.to_string(),
        ]
    });
    let of_chips = [ECP5_6, ECP5_8, HX8K].map(|chip| {
        cells(&results.told(chip.row(core, flow)), |figures| {
            let clock = figures.clock();
            [mhz(clock), limit(clock), format!("{:.1}", clock.gbit_per_s)]
        })
    });
    [seeds_and_latency, of_chips.concat()].concat()
}

const AREAS: &str = "lanes | flow | LUT4 a lane | ECP5 LUT4 | sites | FF | carry | BRAM | HX8K LUT4 | sites | FF | carry | BRAM | \
                     Xilinx 7 LUT | sites | FF | carry | BRAM";

fn areas(results: &Results, core: Core, flow: Flow) -> Vec<String> {
    let of_chips =
        [ECP5_6, HX8K, XILINX_7].map(|chip| cells(&results.told(chip.row(core, flow)), area));
    let a_lane = cells(&results.told(ECP5_6.row(core, flow)), |figures| {
        [format!("{:.1}", figures.luts as f64 / core.lanes as f64)]
    });
    [a_lane, of_chips.concat()].concat()
}

/// LUTs, their sites, registers, carries and block RAMs.
fn area(figures: &Figures) -> [String; 5] {
    let sites = figures.sites.expect("what is measured now has its sites");
    let [sites, ffs, carry, brams] =
        [sites, figures.ffs, figures.carry, figures.brams].map(|count| count.to_string());
    [luts(figures), sites, ffs, carry, brams]
}

const CRITICAL_PATHS: &str = "lanes | flow | ECP5 -6 | ECP5 -8 | HX8K";

fn critical_paths(results: &Results, core: Core, flow: Flow) -> Vec<String> {
    let paths = [ECP5_6, ECP5_8, HX8K].map(|chip| {
        let told = results.told(chip.row(core, flow));
        cells(&told, |figures| [critical_path(figures.clock())])
    });
    paths.concat()
}

pub fn table(columns: &str, rows: impl Iterator<Item = Vec<String>>) -> String {
    let rules = "|---".repeat(columns.split(" | ").count());
    let mut text = format!("| {columns} |\n{rules}|\n");
    for cells in rows {
        let _ = writeln!(text, "| {} |", cells.join(" | "));
    }
    text
}

/// Whether anything of a line is measured.
fn has_numbers(cells: &[String]) -> bool {
    cells.iter().any(|cell| cell != "–")
}

/// What a row is of, in a table of one core.
fn label(core: Core) -> String {
    let options = core.title().split_once(' ').map(|(_, options)| options);
    let form = (core.form == "axis").then_some(core.form);
    let marks = options.into_iter().chain(form);
    marks.fold(core.lanes.to_string(), |label, mark| {
        format!("{label} `{mark}`")
    })
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
pub fn luts(figures: &Figures) -> String {
    match figures.lut_rams {
        0 => figures.luts.to_string(),
        rams => format!("{} + {rams}", figures.luts),
    }
}

/// Worst, median and best of the seeds; where there was only one, it says so.
pub fn mhz(clock: &Clock) -> String {
    let Range {
        worst,
        median,
        best,
    } = clock.fmax_mhz;
    match (clock.seeds, median) {
        (1, _) => format!("{worst:.0} (1 seed)"),
        (_, Some(median)) => format!("{worst:.0} / {median:.0} / {best:.0}"),
        (_, None) => format!("{worst:.0}..{best:.0}"),
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
