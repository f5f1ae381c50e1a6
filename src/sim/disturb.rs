//! `--resets` and `--accesses`: what happens to a core in mid-run, and what a run can then report.

use crate::exit::Failure;
use crate::report;
use crate::stimulus::{Disturbances, Resolved};
use ::sim::campaign::Campaign;
use ::sim::stimulus::Pattern;
use hdl::config::Config;
use serde_json::{Value, json};

/// The share of clocks in which a reset begins, if a random campaign is not given one: of a thousand clocks the core loses what
/// it does in about 50.
const RESETS: f64 = 0.001;
/// The share of clocks in which an access begins, if a random campaign of a core with registers is not given one.
const ACCESSES: f64 = 0.05;
/// Resets to expect while a core with flows forgets them, one in a clock: with more it would hardly ever be ready.
const MOST_WHILE_FORGETTING: f64 = 2.0;

/// Gives the run its resets and accesses: those that were asked for, or those that a random campaign has by itself, if it does not
/// number packets.
pub fn settle(resolved: &mut Resolved, numbers_packets: bool) -> Result<(), Failure> {
    let Resolved {
        config,
        pattern,
        stimulus,
        disturbances: Disturbances { resets, accesses },
        ..
    } = resolved;
    let has_some = *stimulus == Some(Campaign::Random) && !numbers_packets;
    if let (Some(share), false) = (
        accesses.filter(|share| *share > 0.0),
        config.has_registers(),
    ) {
        return Err(Failure::new(format!(
            "--accesses {share} needs registers, but this core has none; choose --core validate --csr, or leave --accesses out"
        )));
    }
    let flows = config.core.flows().unwrap_or(0) as f64;
    let most = MOST_WHILE_FORGETTING / flows.max(1.0);
    if let Some(share) = resets.filter(|share| *share > most) {
        return Err(Failure::new(format!(
            "--resets {share} cannot be combined with --flows {flows}: after a reset the core forgets one flow in a clock, and the next \
             reset would nearly always come before it is ready; choose a share up to {most}"
        )));
    }
    let by_default = |share: f64| if has_some { share } else { 0.0 };
    // Not more than one reset in ten times as many clocks as forgetting takes, to a millionth.
    let spared = (1e6 / (1.0 / RESETS + 10.0 * flows)).round() / 1e6;
    pattern.reset = resets.unwrap_or_else(|| by_default(spared));
    let of_registers = if config.has_registers() {
        ACCESSES
    } else {
        0.0
    };
    pattern.accesses = accesses.unwrap_or_else(|| by_default(of_registers));
    Ok(())
}

/// Whether packets may be dropped, so that what comes out is not one verdict for each packet.
pub fn drops(pattern: &Pattern) -> bool {
    pattern.reset > 0.0 || pattern.accesses > 0.0
}

/// Refuses what needs one verdict for each packet, or each packet's own events.
pub fn refuse(pattern: &Pattern, needs: &[(&str, bool)]) -> Result<(), Failure> {
    let Some((option, _)) = needs.iter().find(|(_, given)| *given) else {
        return Ok(());
    };
    let needs_it = match *option {
        "write" => "writes all of each packet",
        _ => "numbers each packet",
    };
    let shares = [("resets", pattern.reset), ("accesses", pattern.accesses)];
    match shares.into_iter().find(|(_, share)| *share > 0.0) {
        None => Ok(()),
        Some((name, share)) => Err(Failure::new(format!(
            "--{option} cannot be combined with --{name} {share}: {name} make the core drop packets, but --{option} {needs_it}; \
             choose --{name} 0, or leave --{option} out"
        ))),
    }
}

/// How often the core was disturbed.
#[derive(Clone, Copy, Default)]
pub struct Disturbed {
    pub resets: u64,
    pub accesses: u64,
}

impl Disturbed {
    /// The fields of the JSON document.
    pub fn json(self, config: &Config) -> Value {
        let mut json = json!({"resets": self.resets});
        if config.has_registers() {
            json["accesses"] = self.accesses.into();
        }
        json
    }

    /// A line for people, if there is anything to report.
    pub fn line(self) -> String {
        let counts = [(self.resets, "reset"), (self.accesses, "access")];
        let counted: Vec<String> = counts
            .into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, thing)| match (count, thing) {
                (count, "access") if count != 1 => format!("{count} accesses to the registers"),
                (count, "access") => format!("{count} access to the registers"),
                _ => report::describe_count(count, thing),
            })
            .collect();
        match counted.is_empty() {
            true => String::new(),
            false => format!(
                "  {} during the run; the packets that these dropped are not in the totals\n",
                counted.join(" and ")
            ),
        }
    }
}
