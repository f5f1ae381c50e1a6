//! The charts: clock and throughput against lanes, and clock against depth and flip-flops against clock.

use super::peers::{PEERS, Peers};
use super::plan::{self, Chip, Core, ECP5_6, ECP5_8, Flow};
use super::plot::{Axis, Line, Mark, Point, svg};
use super::{Clock, Figures, Results};
use hdl::config::LANES;

const BLUE: &str = "#1f5fbf";
const ORANGE: &str = "#c2570c";
const GREY: &str = "#666";
const DASHED: &str = "7 4";
const SOLID: &str = "none";

/// Of the cores in the form `free` on both speed grades of ECP5, by the tuned flow.
pub fn of_lanes(results: &Results) -> String {
    let lines = |of: fn(&Clock) -> f64| -> Vec<Line> {
        [
            ("decode", ECP5_8, BLUE, DASHED),
            ("decode", ECP5_6, BLUE, SOLID),
            ("validate", ECP5_8, ORANGE, DASHED),
            ("validate", ECP5_6, ORANGE, SOLID),
        ]
        .map(|(core, chip, colour, dashes)| {
            let point = |lanes| {
                let told = results.told(chip.row(Core::free(core, lanes), Flow::Tuned));
                let y = of(told.clock()?);
                Some(Point {
                    x: lanes as f64,
                    y,
                    title: format!("{lanes} lanes, {y:.1}"),
                })
            };
            Line {
                name: format!("{core}, {}", chip.title),
                colour,
                dashes,
                mark: Mark::Dot,
                points: LANES.into_iter().filter_map(point).collect(),
            }
        })
        .into()
    };
    let mhz = lines(|clock| clock.fmax_mhz.worst);
    let gbit = lines(|clock| clock.gbit_per_s);
    let lanes = Axis {
        title: "lanes (bytes per clock)",
        marks: LANES.map(|lanes| lanes as f64).to_vec(),
        logarithmic: true,
        room: 0.5,
    };
    let throughput = Axis {
        title: "throughput, Gbit/s",
        marks: (0..=8).map(|power| f64::from(1 << power)).collect(),
        logarithmic: true,
        room: 0.0,
    };
    svg([
        (&lanes, &Axis::to("clock, MHz", highest(&mhz), 100.0), &mhz),
        (&lanes, &throughput, &gbit),
    ])
}

/// Of the cores whose depths are measured most, and of the decoders of others, on ECP5 -6, by the default flow.
pub fn of_depths(results: &Results, peers: &Peers) -> String {
    let lines = |x: fn(&Figures) -> f64, y: fn(&Figures) -> f64| -> Vec<Line> {
        [
            (Core::free("decode", 1), BLUE, SOLID),
            (Core::axis("validate", 1), ORANGE, SOLID),
            (Core::axis("validate", 8), ORANGE, DASHED),
        ]
        .map(|(core, colour, dashes)| line(results, core, [x, y], colour, dashes))
        .into()
    };
    let depth = |figures: &Figures| figures.latency as f64;
    let clock = |figures: &Figures| figures.clock().fmax_mhz.worst;
    let ffs = |figures: &Figures| figures.ffs as f64;
    let [apart_of_depth, apart_of_clock] = of_peers(peers);
    let of_depth = [lines(depth, clock), apart_of_depth].concat();
    let of_clock = [lines(clock, ffs), apart_of_clock].concat();
    let most_clocks = highest(&of_depth);
    svg([
        (
            &Axis::to("latency, clocks", 30.0, 5.0),
            &Axis::to("clock, MHz", most_clocks, 100.0),
            &of_depth,
        ),
        (
            &Axis::to("clock, MHz", most_clocks, 100.0),
            &Axis::to("flip-flops", highest(&of_clock), 250.0),
            &of_clock,
        ),
    ])
}

/// Points of the decoders of others: clock against latency, and flip-flops against clock.
fn of_peers(peers: &Peers) -> [Vec<Line>; 2] {
    let marks = [Mark::Square, Mark::Diamond, Mark::Triangle, Mark::Cross];
    let points = PEERS.into_iter().zip(marks).map(|(peer, mark)| {
        let figures = peers.of(peer, ECP5_6, Flow::Default);
        let (mhz, ffs) = (figures.clock().worst, figures.ffs as f64);
        let latency = peer.latency as f64;
        [(latency, mhz), (mhz, ffs)].map(|(x, y)| Line {
            name: peer.name.to_string(),
            colour: GREY,
            dashes: SOLID,
            mark,
            points: vec![Point {
                x,
                y,
                title: format!("latency {latency}, {mhz:.1} MHz, {ffs} FF"),
            }],
        })
    });
    let (of_depth, of_clock) = points.map(|[left, right]| (left, right)).unzip();
    [of_depth, of_clock]
}

/// A core at each of its depths that is measured, the lowest first, and then at its greatest.
fn line(
    results: &Results,
    core: Core,
    [x, y]: [fn(&Figures) -> f64; 2],
    colour: &'static str,
    dashes: &'static str,
) -> Line {
    let of_core = |other: &Core| {
        let at_the_greatest = Core {
            depth: None,
            ..*other
        };
        other.depth.is_some() && at_the_greatest == core
    };
    let all = plan::depths().into_iter().filter(of_core).chain([core]);
    let chip: Chip = ECP5_6;
    let point = |core: Core| {
        let told = results.told(chip.row(core, Flow::Default));
        let figures = told.figures()?;
        let title = format!(
            "depth {}, {:.1} MHz, {} FF",
            figures.latency,
            figures.clock().fmax_mhz.worst,
            figures.ffs
        );
        Some(Point {
            x: x(figures),
            y: y(figures),
            title,
        })
    };
    let plural = if core.lanes == 1 { "" } else { "s" };
    Line {
        name: format!("{}, {} lane{plural}", core.name, core.lanes),
        colour,
        dashes,
        mark: Mark::Dot,
        points: all.filter_map(point).collect(),
    }
}

/// The highest point, but no less than a chart that is not flat.
fn highest(lines: &[Line]) -> f64 {
    let points = lines.iter().flat_map(|line| &line.points);
    points.map(|point| point.y).fold(400.0, f64::max)
}
