//! What was aimed at, beside what came out: the table of `constraints/README.md`.

use super::plan::{
    Chip, Core, DROPS, ECP5_6, ECP5_6_RAM, ECP5_8, ECP5_8_RAM, FLOWS, Flow, HX8K, RFC2279, UTF16,
    WIDEST,
};
use super::table::critical_path;
use super::{Clock, Figures, Results, Told, older};
use std::fmt::Write;

/// A number that a core is to reach on a chip.
struct Aim {
    core: Core,
    chip: Chip,
    flow: Flow,
    what: What,
}

#[derive(Clone, Copy)]
enum What {
    /// At least, in MHz, with the worst seed.
    Clock(f64),
    /// At most.
    Lut4(usize),
    /// At most.
    Lut4PerLane(f64),
    /// At most, of the device's places for LUTs.
    Sites(usize),
    /// At most.
    FlipFlops(usize),
    /// At least this part of the clock of one lane.
    OfOneLane(f64),
}

fn aims() -> Vec<Aim> {
    use Flow::{Default, Tuned};
    use What::*;
    let aim = |core, chip, what| Aim {
        core,
        chip,
        flow: Tuned,
        what,
    };
    let mut aims = vec![
        aim(Core::free("decode", 1), ECP5_6, Clock(375.0)),
        aim(Core::free("decode", 1), ECP5_6, Lut4(120)),
        aim(Core::free("decode", 1), HX8K, Clock(300.0)),
        aim(Core::axis("decode", 1), ECP5_6, Clock(330.0)),
        aim(Core::axis("decode", 1), ECP5_6, Sites(310)),
        aim(Core::free("decode", 64), ECP5_6, Clock(340.0)),
        aim(Core::free("decode", 64), ECP5_6, Lut4(5830)),
        aim(Core::free("decode", 64), ECP5_6, FlipFlops(20_210)),
        aim(Core::free("decode", 64), ECP5_6, OfOneLane(0.8)),
        aim(Core::free("dense", 16), ECP5_6, Clock(270.0)),
        // As fast as with scalar values, and not larger.
        aim(UTF16, ECP5_6, Clock(308.0)),
        aim(UTF16, ECP5_6, Lut4(5827)),
        aim(UTF16, ECP5_6, FlipFlops(20_209)),
        aim(Core::free("dense-utf16", 16), ECP5_6, Clock(270.0)),
        aim(Core::axis("encode", 8), ECP5_6, Clock(280.0)),
        aim(Core::axis("sanitise", 8), ECP5_6, Clock(280.0)),
        aim(Core::free("ascii", 64), ECP5_6, Clock(300.0)),
        // One and a half of `validate`.
        aim(Core::free("ascii", 64), ECP5_6, Lut4(6399)),
        // Of `decode` with as many lanes 0.95 of the clock, which is 359 MHz, and 1.35 of the LUTs, which are 746.
        aim(RFC2279, ECP5_6, Clock(341.0)),
        aim(RFC2279, ECP5_6, Lut4(1007)),
        // Of `validate` with as many lanes 0.95 of the clock, which is 339 MHz, and 1.25 and 1.6 of the LUTs, which are 4266.
        aim(Core::free("forbid", 64), ECP5_6, Clock(322.0)),
        aim(Core::free("forbid", 64), ECP5_6, Lut4(5332)),
        aim(Core::free("forbid-all", 64), ECP5_6, Clock(322.0)),
        aim(Core::free("forbid-all", 64), ECP5_6, Lut4(6825)),
        aim(Core::free("validate", 64), ECP5_6, Clock(340.0)),
        aim(Core::free("validate", 64), ECP5_6, Lut4(4000)),
        aim(Core::free("validate", 64), ECP5_6, FlipFlops(9500)),
        aim(Core::free("validate", 64), ECP5_8, Clock(430.0)),
        aim(Core::free("validate", 64), ECP5_6, OfOneLane(0.8)),
        // 400 Gbit/s.
        aim(WIDEST, ECP5_8, Clock(391.0)),
        aim(WIDEST, ECP5_8, Lut4(8300)),
        aim(WIDEST, ECP5_8, FlipFlops(19_000)),
        // 100 Gbit/s.
        aim(FLOWS, ECP5_6, Clock(195.3)),
        aim(FLOWS, ECP5_6_RAM, Clock(195.3)),
        aim(DROPS[0], ECP5_6_RAM, Clock(300.0)),
        aim(DROPS[1], ECP5_6_RAM, Clock(250.0)),
        aim(DROPS[2], ECP5_8_RAM, Clock(250.0)),
    ];
    let by_default = |aim: Aim| Aim {
        flow: Default,
        ..aim
    };
    aims.extend([
        by_default(aim(Core::axis("decode", 1), ECP5_6, Clock(330.0))),
        by_default(aim(Core::free("decode", 64), ECP5_6, Clock(290.0))),
        by_default(aim(Core::free("validate", 64), ECP5_6, Clock(290.0))),
        by_default(aim(Core::axis("encode", 8), ECP5_6, Clock(280.0))),
        by_default(aim(Core::axis("sanitise", 8), ECP5_6, Clock(280.0))),
        by_default(aim(Core::free("ascii", 64), ECP5_6, Clock(300.0))),
        by_default(aim(Core::free("dense", 16), ECP5_6, Clock(270.0))),
        by_default(aim(Core::free("dense-utf16", 16), ECP5_6, Clock(270.0))),
        by_default(aim(WIDEST, ECP5_8, Clock(391.0))),
        by_default(aim(DROPS[0], ECP5_6_RAM, Clock(300.0))),
        by_default(aim(DROPS[1], ECP5_6_RAM, Clock(250.0))),
    ]);
    // Of what is aimed at with a depth: in both flows.
    let mut deep = |core: Core, depth, chip, whats: &[What]| {
        for (flow, what) in Flow::ALL
            .into_iter()
            .flat_map(|flow| whats.iter().map(move |&what| (flow, what)))
        {
            let core = core.with_depth(depth);
            aims.push(Aim {
                core,
                chip,
                flow,
                what,
            });
        }
    };
    let of_low = [Clock(200.0), Lut4(100), FlipFlops(110)];
    deep(Core::free("decode", 1), 4, ECP5_6, &of_low);
    deep(Core::free("decode", 1), 4, HX8K, &[Clock(180.0)]);
    let of_six = [Clock(250.0), Lut4(100), FlipFlops(165)];
    deep(Core::free("decode", 1), 6, ECP5_6, &of_six);
    let of_low = [Clock(200.0), Sites(385), FlipFlops(600)];
    deep(Core::axis("validate", 1), 7, ECP5_6, &of_low);
    let of_low = [Clock(200.0), Lut4PerLane(100.0), FlipFlops(960)];
    deep(Core::axis("validate", 8), 10, ECP5_6, &of_low);
    let of_long_frames = [Clock(195.3), Lut4(3700), FlipFlops(5500)];
    deep(Core::axis("validate", 64), 15, ECP5_6, &of_long_frames);
    deep(Core::axis("validate", 64), 15, ECP5_8, &[Clock(250.0)]);
    let of_every_frame = [Clock(322.0), Lut4(3900), FlipFlops(7500)];
    deep(Core::axis("validate", 64), 20, ECP5_8, &of_every_frame);
    let of_low = [Clock(195.3), Lut4(5500), FlipFlops(10_000)];
    deep(Core::free("decode", 64), 8, ECP5_6, &of_low);
    let of_low = [Clock(195.3), Lut4(4500), FlipFlops(9000)];
    deep(Core::free("pass", 64), 22, ECP5_6, &of_low);
    aims
}

pub fn text(results: &Results) -> String {
    let mut text = String::from(
        "| core | on | flow | aim | measured | met | critical path, if not |\n|---|---|---|---|---|---|---|\n",
    );
    for aim in aims() {
        let Core { lanes, form, .. } = aim.core;
        let name = aim.core.title();
        let depth = aim.core.depth.map(|depth| format!(", depth {depth}"));
        let cells = [
            format!(
                "`{name}`, {lanes} lane{}, `{form}`{}",
                if lanes == 1 { "" } else { "s" },
                depth.unwrap_or_default()
            ),
            aim.chip.title.to_string(),
            aim.flow.name().to_string(),
            aim.what.to_string(),
        ];
        let [measured, met, path] = aim.judged(results);
        let _ = writeln!(
            text,
            "| {} | {measured} | {met} | {path} |",
            cells.join(" | ")
        );
    }
    text
}

impl Aim {
    /// What was measured, whether it is met, and the critical path of a clock that is not.
    fn judged(&self, results: &Results) -> [String; 3] {
        let known = |core: Core| {
            let row = self.chip.row(core, self.flow);
            let entry = results.of(row);
            let why =
                entry.and_then(|entry| Some(older::origin(entry, results.older(row, entry)?)));
            (entry.map_or(Told::Missing, |entry| entry.told()), why)
        };
        let (told, why) = known(self.core);
        let (one, why_of_one) = known(Core {
            lanes: 1,
            ..self.core
        });
        let judged = told
            .figures()
            .and_then(|figures| self.what.judged(self.core, figures, one.clock()));
        let Some((measured, met)) = judged else {
            return ["not measured", "?", ""].map(str::to_string);
        };
        let is_clock = matches!(self.what, What::Clock(_) | What::OfOneLane(_));
        let path = told.clock().filter(|_| is_clock && !met).map(critical_path);
        let met = if met { "yes" } else { "no" };
        let older = match self.what {
            What::OfOneLane(_) => why.or(why_of_one),
            _ => why,
        };
        let older = older.map_or(String::new(), |older| format!(" ({older})"));
        let measured = measured + &older;
        [measured, met.to_string(), path.unwrap_or_default()]
    }
}

impl What {
    /// `one` is the clock of the same core with one lane.
    fn judged(&self, core: Core, figures: &Figures, one: Option<&Clock>) -> Option<(String, bool)> {
        let clock = figures.clock.as_ref();
        Some(match *self {
            Self::Clock(least) => {
                let (mhz, seeds) = (clock?.fmax_mhz.worst, clock?.seeds);
                let alone = if seeds == 1 { " (1 seed)" } else { "" };
                (format!("{mhz:.1} MHz{alone}"), mhz >= least)
            }
            Self::Lut4(most) => (format!("{} LUT4", figures.luts), figures.luts <= most),
            Self::Lut4PerLane(most) => {
                let each = figures.luts as f64 / core.lanes as f64;
                (format!("{each:.1} LUT4 a lane"), each <= most)
            }
            Self::Sites(most) => {
                let sites = figures.sites?;
                (format!("{sites} sites"), sites <= most)
            }
            Self::FlipFlops(most) => (format!("{} FF", figures.ffs), figures.ffs <= most),
            Self::OfOneLane(least) => {
                let part = clock?.fmax_mhz.worst / one?.fmax_mhz.worst;
                (format!("{part:.3} of the clock of 1 lane"), part >= least)
            }
        })
    }
}

impl std::fmt::Display for What {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Self::Clock(least) => write!(f, "at least {least} MHz"),
            Self::Lut4(most) => write!(f, "at most {most} LUT4"),
            Self::Lut4PerLane(most) => write!(f, "at most {most} LUT4 a lane"),
            Self::Sites(most) => write!(f, "at most {most} sites"),
            Self::FlipFlops(most) => write!(f, "at most {most} FF"),
            Self::OfOneLane(least) => write!(f, "at least {least} of the clock of 1 lane"),
        }
    }
}
