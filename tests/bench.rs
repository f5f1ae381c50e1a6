//! `runegate bench` compares the CPU time of both sides. How fast either is here is no matter of a test.

use crate::support::{Place, have, json};
use sim::tools;

#[test]
fn the_ratio_is_of_cpu_time() {
    if !have(&tools::VERILATOR) {
        return;
    }
    let document = json(&Place::new().run("bench --mib 1 --lanes 8 --form free --json --quiet"));
    assert_eq!(document["command"], "bench");
    let rate = |name: &str| {
        let rate = document[name].as_f64();
        rate.filter(|rate| *rate > 0.0)
            .unwrap_or_else(|| panic!("{name} in {document}"))
    };
    let of = |unit: &str| ["bare", "checked"].map(|side| rate(&format!("{side}_bytes_per_{unit}")));
    let [bare, checked] = of("cpu_second");
    let [bare_on_the_wall, checked_on_the_wall] = of("second");
    let near = |a: f64, b: f64| (a / b - 1.0).abs() < 1e-9;
    assert!(near(rate("ratio"), checked / bare));
    // Two clocks never agree to the last digit.
    assert!(!near(bare, bare_on_the_wall) && !near(checked, checked_on_the_wall));
}
