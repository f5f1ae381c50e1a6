//! Cores of different sorts over the same stalls, idles, null beats, late ends and resets.

use super::{Output, bursts, engines, everything, name, often, packets_for, run};
use hdl::config::{Config, Form};
use sim::engine::EngineKind;
use sim::stimulus::{Pattern, Pauses};

pub const STALLS: [Pauses; 4] = [often(0.0), often(0.3), often(0.9), bursts(0.5, 40.0)];

/// Runs each core on each engine over the cases, and asks of those without a reset whether what came out is right. Engines other than
/// Verilator take wide cores slowly: in a quick run they have one in `step` of the cases.
pub fn stall_matrix(
    cores: &[Config],
    step: usize,
    is_right: impl Fn(&Config, &[Vec<u8>], &Output) -> bool,
) {
    let cases = STALLS
        .into_iter()
        .flat_map(|stall| [(0.0, 0.0), (0.5, 0.0), (0.5, 0.01)].map(|it| (stall, it)));
    for kind in engines() {
        let (count, step) = match kind {
            EngineKind::Verilator => (200, 1),
            _ => (20, step),
        };
        let all = cores.iter().flat_map(|config| {
            // Without a tready nothing stalls.
            let step = if config.form == Form::Free { 4 } else { 1 };
            let cases = cases.clone().step_by(step);
            cases.map(move |case| (config, case))
        });
        let step = if everything() { 1 } else { step };
        for (seed, (config, (stall, (null_beats, reset)))) in (1..).zip(all).step_by(step) {
            let packets = packets_for(config, seed, count);
            let pattern = Pattern {
                seed,
                idle: often(0.1),
                stall,
                late_last: null_beats / 2.0,
                null_beats,
                sparse: 0.0,
                reset,
                accesses: 0.0,
                texts: sim::texts::Texts::Random,
            };
            let (output, _) = run(config, kind, &packets, pattern);
            if reset == 0.0 {
                let name = name(config, kind);
                assert!(is_right(config, &packets, &output), "{name} {pattern:?}");
            }
        }
    }
}
