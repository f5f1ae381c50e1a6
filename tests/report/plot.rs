//! Panels of a chart, as SVG: axes, lines with their points, and a legend above them.

use std::fmt::Write;

const WIDTH: f64 = 960.0;
/// The area in which the lines are, of either panel.
const PANEL: (f64, f64) = (380.0, 290.0);
const LEFTS: [f64; 2] = [70.0, 560.0];
/// From a panel's lower end to the chart's, for the marks and the title of an axis.
const BELOW: f64 = 60.0;
/// The legend: entries in a row, the distance of two entries and of two rows, and where the first row is.
const IN_A_ROW: usize = 4;
const ENTRY: (f64, f64) = (215.0, 20.0);
const LEGEND: f64 = 30.0;

/// An axis: what is at its marks, from the lowest to the highest.
pub struct Axis {
    pub title: &'static str,
    pub marks: Vec<f64>,
    pub logarithmic: bool,
    /// Steps of room before the first mark and after the last one.
    pub room: f64,
}

/// A line; the colour tells one thing of it and the dashes another, so that either is seen without the other.
#[derive(Clone)]
pub struct Line {
    pub name: String,
    pub colour: &'static str,
    pub dashes: &'static str,
    pub mark: Mark,
    pub points: Vec<Point>,
}

/// What a point looks like.
#[derive(Clone, Copy)]
pub enum Mark {
    Dot,
    Square,
    Diamond,
    Triangle,
    Cross,
}

impl Mark {
    /// As a path around a point.
    fn path(self) -> &'static str {
        match self {
            Self::Dot => "m-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0z",
            Self::Square => "m-4-4h8v8h-8z",
            Self::Diamond => "m0-5.5l5.5 5.5l-5.5 5.5l-5.5-5.5z",
            Self::Triangle => "m0-5.5l5.5 9.5h-11z",
            Self::Cross => "m-4-4l8 8m-8 0l8-8",
        }
    }
}

impl Line {
    /// Its mark at a place.
    fn mark(&self, x: f64, y: f64, title: &str) -> String {
        let (shape, colour) = (self.mark.path(), self.colour);
        format!(
            "<path d=\"M{x:.1} {y:.1}{shape}\" fill=\"{colour}\" stroke=\"{colour}\"><title>{title}</title></path>\n"
        )
    }
}

/// Where it is, and what it says if one points at it.
#[derive(Clone)]
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
    let rows = panels[0].2.len().div_ceil(IN_A_ROW);
    let top = LEGEND + 10.0 + ENTRY.1 * rows as f64;
    let height = top + PANEL.1 + BELOW;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" height=\"{height}\" \
         font-family=\"sans-serif\" font-size=\"13\" fill=\"#222\">\n\
         <!-- Written by `make results`. -->\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    for (left, (x, y, lines)) in LEFTS.into_iter().zip(&panels) {
        panel(&mut svg, (left, top), x, y, lines);
    }
    legend(&mut svg, panels[0].2);
    svg + "</svg>\n"
}

/// One panel; its upper left corner is there.
fn panel(svg: &mut String, (left, top): (f64, f64), across: &Axis, up: &Axis, lines: &[Line]) {
    let (width, height) = PANEL;
    let (right, bottom) = (left + width, top + height);
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
    let (middle, centre) = (left + width / 2.0, top + height / 2.0);
    let beside = left - 48.0;
    let _ = writeln!(
        svg,
        "<path d=\"M{left} {top}V{bottom}H{right}\" fill=\"none\" stroke=\"#222\"/>\n\
         <text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n\
         <text x=\"{beside}\" y=\"{centre}\" text-anchor=\"middle\" transform=\"rotate(-90 {beside} {centre})\">{}</text>",
        bottom + 42.0,
        across.title,
        up.title
    );
    for line in lines {
        let at = |point: &Point| format!("{:.1},{:.1}", x(point.x), y(point.y));
        let points: Vec<String> = line.points.iter().map(at).collect();
        if points.len() > 1 {
            let _ = writeln!(
                svg,
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\" stroke-dasharray=\"{}\"/>",
                points.join(" "),
                line.colour,
                line.dashes
            );
        }
        for point in &line.points {
            let title = format!("{}: {}", line.name, point.title);
            svg.push_str(&line.mark(x(point.x), y(point.y), &title));
        }
    }
}

/// Above the panels: a line as it is there, or its mark if it has one point.
fn legend(svg: &mut String, lines: &[Line]) {
    for (place, line) in lines.iter().enumerate() {
        let left = LEFTS[0] + ENTRY.0 * (place % IN_A_ROW) as f64;
        let y = LEGEND + ENTRY.1 * (place / IN_A_ROW) as f64;
        match line.points.len() {
            1 => svg.push_str(&line.mark(left + 34.0, y, &line.name)),
            _ => {
                let _ = writeln!(
                    svg,
                    "<line x1=\"{left}\" y1=\"{y}\" x2=\"{}\" y2=\"{y}\" stroke=\"{}\" stroke-width=\"2\" stroke-dasharray=\"{}\"/>",
                    left + 40.0,
                    line.colour,
                    line.dashes
                );
            }
        }
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{}\">{}</text>",
            left + 48.0,
            y + 4.5,
            line.name
        );
    }
}
