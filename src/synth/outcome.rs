//! What a run has measured, as JSON and as text.

use super::area::{Area, Registers};
use super::design::Subject;
use super::timing::{CriticalPath, Placed};
use serde::Serialize;
use std::io::{self, Write};

/// One element of `results[]`.
#[derive(Serialize)]
pub struct Outcome {
    #[serde(flatten)]
    pub subject: Subject,
    pub target: &'static str,
    pub part: Option<&'static str>,
    pub speed: Option<String>,
    pub flow: &'static str,
    /// Yosys's command.
    pub synthesis: &'static str,
    #[serde(flatten)]
    pub area: Area,
    /// Of a core.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub registers: Option<Registers>,
    #[serde(flatten)]
    pub clock: Option<Clock>,
}

#[derive(Serialize)]
pub struct Clock {
    /// nextpnr's options; empty: its defaults.
    placing: &'static str,
    seeds: u32,
    fmax_mhz: Range,
    /// The worst of the reference.
    limit_mhz: f64,
    /// Of the worst clock to the limit.
    of_limit: f64,
    /// Of bytes, at the worst clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    gbit_per_s: Option<f64>,
    /// Of the worst placement.
    critical_path: CriticalPath,
    /// Bits that `--ram-registers` has moved.
    #[serde(skip_serializing_if = "Option::is_none")]
    ram_registers: Option<usize>,
}

/// Over the seeds.
#[derive(Serialize)]
struct Range {
    worst: f64,
    median: f64,
    best: f64,
}

impl Clock {
    /// Of the design's placements and the reference's, each slowest first.
    pub fn of(
        placing: &'static str,
        bytes: Option<usize>,
        core: &[Placed],
        limit: &[Placed],
        ram_registers: Option<usize>,
    ) -> Self {
        let clocks: Vec<f64> = core.iter().map(|placed| placed.mhz).collect();
        let worst = clocks[0];
        let limit_mhz = limit[0].mhz;
        Self {
            placing,
            seeds: core.len() as u32,
            fmax_mhz: Range {
                worst,
                median: median(&clocks),
                best: clocks[clocks.len() - 1],
            },
            limit_mhz,
            of_limit: worst / limit_mhz,
            gbit_per_s: bytes.map(|bytes| worst * 8.0 * bytes as f64 / 1000.0),
            critical_path: core[0].critical_path.clone(),
            ram_registers,
        }
    }
}

/// Of values in order; the mean of the middle two if there are two.
fn median(sorted: &[f64]) -> f64 {
    let middle = sorted.len() / 2;
    match sorted.len() % 2 {
        0 => (sorted[middle - 1] + sorted[middle]) / 2.0,
        _ => sorted[middle],
    }
}

/// The results of one design in its flows.
pub fn show(outcomes: &[Outcome], out: &mut dyn Write) -> io::Result<()> {
    for (place, outcome) in outcomes.iter().enumerate() {
        if place == 0 {
            outcome.show_subject(out)?;
        }
        outcome.show_flow(out)?;
    }
    Ok(())
}

impl Outcome {
    /// Whether no register is gone for no known reason.
    pub fn is_explained(&self) -> bool {
        self.registers
            .is_none_or(|registers| registers.unexplained == 0)
    }

    fn show_subject(&self, out: &mut dyn Write) -> io::Result<()> {
        match &self.subject {
            Subject::Core { config, .. } => {
                let latency = hdl::emit::latency(config);
                write!(out, "{}, latency {latency} clocks", config.describe())?;
            }
            Subject::Module { verilog, top, .. } => {
                let files: Vec<String> = verilog.iter().map(|file| format!("{file:?}")).collect();
                write!(out, "{top} of {}", files.join(", "))?;
            }
        }
        let speed = self.speed.as_ref();
        let speed = speed.map_or(String::new(), |speed| format!(" -{speed}"));
        writeln!(out, ", on {}{speed}", self.part.unwrap_or(self.target))
    }

    fn show_flow(&self, out: &mut dyn Write) -> io::Result<()> {
        write!(out, " {} flow: {}", self.flow, self.synthesis)?;
        match self.clock.as_ref().map(|clock| clock.placing) {
            None => writeln!(out)?,
            Some("") => writeln!(out, ", nextpnr's own placer and router")?,
            Some(placing) => writeln!(out, ", {placing}")?,
        }
        let Area {
            luts,
            carry,
            ffs,
            brams,
            lut_rams,
            sites,
        } = self.area;
        writeln!(
            out,
            "  area      {luts} LUT, {carry} carry, {ffs} FF, {brams} block RAM, {lut_rams} memories or shift registers of LUTs; \
             {sites} LUT sites"
        )?;
        if let Some(Registers {
            described,
            needed,
            unexplained,
        }) = self.registers
        {
            writeln!(
                out,
                "  registers {described} described, {needed} needed (the others are unread, constant, equal, or in a memory), \
                 {unexplained} of them missing without a reason"
            )?;
        }
        match &self.clock {
            Some(clock) => clock.show(out),
            None => writeln!(
                out,
                "  clock     unknown: no open tool has the timing of this part"
            ),
        }
    }
}

impl Clock {
    fn show(&self, out: &mut dyn Write) -> io::Result<()> {
        let Range {
            worst,
            median,
            best,
        } = self.fmax_mhz;
        write!(
            out,
            "  clock     {worst:.1} MHz, the worst of {} seeds (median {median:.1}, best {best:.1})",
            self.seeds
        )?;
        match self.gbit_per_s {
            Some(gbit_per_s) => writeln!(out, ": {gbit_per_s:.2} Gbit/s")?,
            None => writeln!(out)?,
        }
        writeln!(
            out,
            "  limit     {:.1} MHz, one LUT between registers: the core reaches {:.0} % of it",
            self.limit_mhz,
            self.of_limit * 100.0
        )?;
        if let Some(bits) = self.ram_registers {
            writeln!(
                out,
                "  RAM       {bits} register bits are in block RAMs; Yosys had left them in the fabric"
            )?;
        }
        let path = &self.critical_path;
        let harness = if path.in_harness {
            " (in the harness!)"
        } else {
            ""
        };
        writeln!(
            out,
            "  critical  {} -> {}{harness}: {} LUT or carry, {:.2} ns of logic, {:.2} ns of routing",
            path.from, path.to, path.cells, path.logic_ns, path.routing_ns
        )
    }
}

#[cfg(test)]
mod tests {
    use super::median;

    #[test]
    fn the_median_is_in_the_middle() {
        assert_eq!(median(&[3.0]), 3.0);
        assert_eq!(median(&[3.0, 5.0]), 4.0);
        assert_eq!(median(&[3.0, 4.0, 9.0]), 4.0);
        assert_eq!(median(&[1.0, 2.0, 4.0, 9.0]), 3.0);
    }
}
