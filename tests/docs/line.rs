//! The table of the lengths of frames with which a core keeps up.

use super::blocks::rows;
use sim::frames::describe;
use sim::line::Line;
use std::ops::RangeInclusive;

/// Lanes, and Gbit/s.
const CORES: [(usize, u64); 5] = [(8, 10), (64, 100), (128, 100), (128, 200), (128, 400)];
/// In MHz.
const CLOCKS: [f64; 3] = [250.0, 322.265625, 391.0];
/// Ranges that are named.
const NAMED: usize = 3;

fn lengths(ranges: &[RangeInclusive<u64>]) -> String {
    match ranges {
        [] => "none".to_string(),
        _ => describe(ranges, NAMED),
    }
}

pub fn table() -> String {
    let clocks = CLOCKS.map(|megahertz| format!("too fast at {megahertz} MHz"));
    let head = [
        "lanes",
        "Gbit/s",
        &clocks[0],
        &clocks[1],
        &clocks[2],
        "every length from",
    ];
    let lines = CORES.map(|(lanes, gigabits)| {
        let line = |megahertz: f64| Line {
            bits_per_second: gigabits * 1_000_000_000,
            hertz: (megahertz * 1e6) as u64,
        };
        let [one, two, three] = CLOCKS.map(|clock| lengths(&line(clock).too_fast(lanes)));
        let enough = (line(0.0).hertz_for_all(lanes) as f64 / 1e6).ceil();
        let [lanes, gigabits] = [lanes as u64, gigabits].map(|number| number.to_string());
        [lanes, gigabits, one, two, three, format!("{enough} MHz")]
    });
    rows(head, lines)
}
