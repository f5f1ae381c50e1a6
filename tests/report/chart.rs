//! The chart: clock and throughput against lanes, of the cores in the form `free` on both speed grades of ECP5, by the tuned flow.

use super::Results;
use super::plan::{Chip, Core, ECP5_6, ECP5_8, Flow};
use hdl::config::LANES;
use std::fmt::Write;

const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 410.0;
/// The area in which the lines are, of either panel.
const PANEL: (f64, f64) = (380.0, 290.0);
const TOP: f64 = 60.0;
const LEFTS: [f64; 2] = [70.0, 560.0];

/// What a line is of. The colour tells the core, the dashes the speed grade, so either is seen without the other.
struct Series {
    core: &'static str,
    chip: Chip,
    colour: &'static str,
    dashes: &'static str,
}

const fn series(
    core: &'static str,
    chip: Chip,
    colour: &'static str,
    dashes: &'static str,
) -> Series {
    Series {
        core,
        chip,
        colour,
        dashes,
    }
}

const ALL: [Series; 4] = [
    series("decode", ECP5_8, "#1f5fbf", "7 4"),
    series("decode", ECP5_6, "#1f5fbf", "none"),
    series("validate", ECP5_8, "#c2570c", "7 4"),
    series("validate", ECP5_6, "#c2570c", "none"),
];

/// A vertical axis: what is at its marks, from the lowest to the highest, and where a value is between 0 and 1.
struct Axis {
    title: &'static str,
    marks: Vec<f64>,
    logarithmic: bool,
}

impl Axis {
    fn place(&self, value: f64) -> f64 {
        let scale = |value: f64| {
            if self.logarithmic {
                value.log2()
            } else {
                value
            }
        };
        let (low, high) = (
            scale(self.marks[0]),
            scale(self.marks[self.marks.len() - 1]),
        );
        (scale(value) - low) / (high - low)
    }
}

pub fn svg(results: &Results) -> String {
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"13\" fill=\"#222\">\n\
         <!-- Written by `make results`. -->\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    let mhz = lines(results, |worst, _| worst);
    let gbit = lines(results, |_, gbit| gbit);
    let highest = mhz
        .iter()
        .flatten()
        .map(|point| point.1)
        .fold(400.0, f64::max);
    let hundreds = (0..=(highest / 100.0).ceil() as u32).map(|mark| f64::from(mark) * 100.0);
    let clock = Axis {
        title: "clock, MHz",
        marks: hundreds.collect(),
        logarithmic: false,
    };
    let throughput = Axis {
        title: "throughput, Gbit/s",
        marks: (0..=8).map(|power| f64::from(1 << power)).collect(),
        logarithmic: true,
    };
    panel(&mut svg, LEFTS[0], &clock, &mhz);
    panel(&mut svg, LEFTS[1], &throughput, &gbit);
    legend(&mut svg);
    svg + "</svg>\n"
}

/// The points of each line: lanes, and what `of` makes of the worst clock and the throughput.
fn lines(results: &Results, of: fn(f64, f64) -> f64) -> [Vec<(usize, f64)>; 4] {
    ALL.map(|series| {
        let point = |lanes| {
            let core = Core::free(series.core, lanes);
            let told = results.told(series.chip.row(core, Flow::Tuned));
            let clock = told.clock()?;
            Some((lanes, of(clock.fmax_mhz.worst, clock.gbit_per_s)))
        };
        LANES.into_iter().filter_map(point).collect()
    })
}

fn panel(svg: &mut String, left: f64, axis: &Axis, lines: &[Vec<(usize, f64)>; 4]) {
    let (width, height) = PANEL;
    let (right, bottom) = (left + width, TOP + height);
    let last = LANES[LANES.len() - 1] as f64;
    // Half a step of room at either side.
    let steps = last.log2() + 1.0;
    let x = |lanes: usize| left + width * ((lanes as f64).log2() + 0.5) / steps;
    let y = |value: f64| bottom - height * axis.place(value);
    for &mark in &axis.marks {
        let y = y(mark);
        let _ = writeln!(
            svg,
            "<line x1=\"{left}\" y1=\"{y:.1}\" x2=\"{right}\" y2=\"{y:.1}\" stroke=\"#ddd\"/>\
             <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{mark}</text>",
            left - 8.0,
            y + 4.5
        );
    }
    for lanes in LANES {
        let _ = writeln!(
            svg,
            "<line x1=\"{x:.1}\" y1=\"{bottom}\" x2=\"{x:.1}\" y2=\"{}\" stroke=\"#222\"/>\
             <text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{lanes}</text>",
            bottom + 5.0,
            bottom + 20.0,
            x = x(lanes)
        );
    }
    let (middle, centre) = (left + width / 2.0, TOP + height / 2.0);
    let beside = left - 48.0;
    let _ = writeln!(
        svg,
        "<path d=\"M{left} {TOP}V{bottom}H{right}\" fill=\"none\" stroke=\"#222\"/>\n\
         <text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">lanes (bytes per clock)</text>\n\
         <text x=\"{beside}\" y=\"{centre}\" text-anchor=\"middle\" transform=\"rotate(-90 {beside} {centre})\">{}</text>",
        bottom + 42.0,
        axis.title
    );
    for (
        Series {
            colour,
            dashes,
            core,
            chip,
        },
        points,
    ) in ALL.iter().zip(lines)
    {
        let at = |&(lanes, value): &(usize, f64)| format!("{:.1},{:.1}", x(lanes), y(value));
        let line: Vec<String> = points.iter().map(at).collect();
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" stroke-dasharray=\"{dashes}\"/>",
            line.join(" ")
        );
        for &(lanes, value) in points {
            let _ = writeln!(
                svg,
                "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3.5\" fill=\"{colour}\"><title>{core}, {lanes} lanes, {}: {value:.1}</title></circle>",
                x(lanes),
                y(value),
                chip.title
            );
        }
    }
}

/// Above the panels, in one line.
fn legend(svg: &mut String) {
    for (
        place,
        Series {
            core,
            chip,
            colour,
            dashes,
        },
    ) in ALL.iter().enumerate()
    {
        let left = LEFTS[0] + 215.0 * place as f64;
        let _ = writeln!(
            svg,
            "<line x1=\"{left}\" y1=\"30\" x2=\"{}\" y2=\"30\" stroke=\"{colour}\" stroke-width=\"2\" stroke-dasharray=\"{dashes}\"/>\
             <text x=\"{}\" y=\"34.5\">{core}, {}</text>",
            left + 40.0,
            left + 48.0,
            chip.title
        );
    }
}
