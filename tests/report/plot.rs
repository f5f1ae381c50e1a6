//! Panels of a chart, as SVG: axes, lines with their points, and a legend above them.

use std::fmt::Write;

pub const WIDTH: f64 = 960.0;
pub const HEIGHT: f64 = 410.0;
/// The area in which the lines are, of either panel.
const PANEL: (f64, f64) = (380.0, 290.0);
const TOP: f64 = 60.0;
pub const LEFTS: [f64; 2] = [70.0, 560.0];

/// An axis: what is at its marks, from the lowest to the highest.
pub struct Axis {
    pub title: &'static str,
    pub marks: Vec<f64>,
    pub logarithmic: bool,
    /// Steps of room before the first mark and after the last one.
    pub room: f64,
}

/// A line; the colour tells one thing of it and the dashes another, so that either is seen without the other.
pub struct Line {
    pub name: String,
    pub colour: &'static str,
    pub dashes: &'static str,
    pub points: Vec<Point>,
}

/// Where it is, and what it says if one points at it.
pub struct Point {
    pub x: f64,
    pub y: f64,
    pub title: String,
}

impl Axis {
    /// From nothing to at least a value, in steps.
    pub fn to(title: &'static str, most: f64, step: f64) -> Self {
        let marks = (0..=(most / step).ceil() as u32).map(|mark| f64::from(mark) * step);
        Self {
            title,
            marks: marks.collect(),
            logarithmic: false,
            room: 0.0,
        }
    }

    /// Where a value is, from 0 to 1.
    fn place(&self, value: f64) -> f64 {
        let scale = |value: f64| match self.logarithmic {
            true => value.log2(),
            false => value,
        };
        let last = self.marks[self.marks.len() - 1];
        let low = scale(self.marks[0]) - self.room;
        (scale(value) - low) / (scale(last) + self.room - low)
    }
}

/// A whole chart: two panels side by side, of the same lines.
pub fn svg(panels: [(&Axis, &Axis, &[Line]); 2]) -> String {
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"13\" fill=\"#222\">\n\
         <!-- Written by `make results`. -->\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    for (left, (x, y, lines)) in LEFTS.into_iter().zip(&panels) {
        panel(&mut svg, left, x, y, lines);
    }
    legend(&mut svg, panels[0].2);
    svg + "</svg>\n"
}

fn panel(svg: &mut String, left: f64, across: &Axis, up: &Axis, lines: &[Line]) {
    let (width, height) = PANEL;
    let (right, bottom) = (left + width, TOP + height);
    let x = |value: f64| left + width * across.place(value);
    let y = |value: f64| bottom - height * up.place(value);
    for &mark in &up.marks {
        let y = y(mark);
        let _ = writeln!(
            svg,
            "<line x1=\"{left}\" y1=\"{y:.1}\" x2=\"{right}\" y2=\"{y:.1}\" stroke=\"#ddd\"/>\
             <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{mark}</text>",
            left - 8.0,
            y + 4.5
        );
    }
    for &mark in &across.marks {
        let _ = writeln!(
            svg,
            "<line x1=\"{x:.1}\" y1=\"{bottom}\" x2=\"{x:.1}\" y2=\"{}\" stroke=\"#222\"/>\
             <text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{mark}</text>",
            bottom + 5.0,
            bottom + 20.0,
            x = x(mark)
        );
    }
    let (middle, centre) = (left + width / 2.0, TOP + height / 2.0);
    let beside = left - 48.0;
    let _ = writeln!(
        svg,
        "<path d=\"M{left} {TOP}V{bottom}H{right}\" fill=\"none\" stroke=\"#222\"/>\n\
         <text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n\
         <text x=\"{beside}\" y=\"{centre}\" text-anchor=\"middle\" transform=\"rotate(-90 {beside} {centre})\">{}</text>",
        bottom + 42.0,
        across.title,
        up.title
    );
    for line in lines {
        let at = |point: &Point| format!("{:.1},{:.1}", x(point.x), y(point.y));
        let points: Vec<String> = line.points.iter().map(at).collect();
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\" stroke-dasharray=\"{}\"/>",
            points.join(" "),
            line.colour,
            line.dashes
        );
        for point in &line.points {
            let _ = writeln!(
                svg,
                "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3.5\" fill=\"{}\"><title>{}: {}</title></circle>",
                x(point.x),
                y(point.y),
                line.colour,
                line.name,
                point.title
            );
        }
    }
}

/// Above the panels, in one line.
fn legend(svg: &mut String, lines: &[Line]) {
    for (place, line) in lines.iter().enumerate() {
        let left = LEFTS[0] + 215.0 * place as f64;
        let _ = writeln!(
            svg,
            "<line x1=\"{left}\" y1=\"30\" x2=\"{}\" y2=\"30\" stroke=\"{}\" stroke-width=\"2\" stroke-dasharray=\"{}\"/>\
             <text x=\"{}\" y=\"34.5\">{}</text>",
            left + 40.0,
            line.colour,
            line.dashes,
            left + 48.0,
            line.name
        );
    }
}
