//! `runegate emit --depth list`: the depths that a core can have.

use crate::clock;
use hdl::config::{Config, ConfigError, Depth, Request, depths};
use hdl::schedule;
use serde_json::{Value, json};
use std::io::{self, Write};

/// A depth, and what the core is with it.
struct Choice {
    depth: usize,
    /// Stages without registers.
    merged: Vec<i32>,
    /// Most stages between two registers.
    levels: usize,
    /// Measured clocks in MHz, each with its FPGA.
    clocks: Vec<(String, f64)>,
}

/// All depths of the core that is asked for. The request has none of its own.
pub struct Depths {
    config: Config,
    choices: Vec<Choice>,
}

impl Depths {
    pub fn of(request: &Request) -> Result<Self, ConfigError> {
        let config = request.clone().resolve()?;
        let all = depths(config.core, config.lanes);
        if all.start() == all.end() {
            return Err(ConfigError::OnlyDepth {
                depth: Depth::List,
                core: config.core.name(),
            });
        }
        let known = clock::known(&config);
        let choice = |depth: usize| {
            let request = Request {
                depth: Some(Depth::Clocks(depth)),
                ..request.clone()
            };
            let config = request.resolve()?;
            let of_it = known.iter().filter(|(of, ..)| *of == depth);
            Ok(Choice {
                depth,
                merged: schedule::without_registers(&config),
                levels: schedule::levels(&config),
                clocks: of_it.map(|(_, fpga, mhz)| (fpga.clone(), *mhz)).collect(),
            })
        };
        let choices: Result<Vec<Choice>, _> = all.map(choice).collect();
        Ok(Self {
            choices: choices?,
            config,
        })
    }

    pub fn json(&self) -> Value {
        let choice = |choice: &Choice| {
            let clocks = choice.clocks.iter();
            let clocks = clocks.map(|(fpga, mhz)| json!({"fpga": fpga, "mhz": mhz}));
            json!({
                "depth": choice.depth,
                "lut4_levels": choice.levels,
                "stages_without_registers": choice.merged,
                "clocks": clocks.collect::<Vec<_>>(),
            })
        };
        json!({
            "core": self.config.core.name(),
            "lanes": self.config.lanes,
            "depths": self.choices.iter().map(choice).collect::<Vec<_>>(),
        })
    }

    pub fn show(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(
            out,
            "{}\ndepth  LUT4 levels  stages without registers, measured clocks",
            self.config.describe()
        )?;
        for choice in &self.choices {
            write!(
                out,
                "{:>5}  {:>11}  {}",
                choice.depth,
                choice.levels,
                ranges(&choice.merged)
            )?;
            for (fpga, mhz) in &choice.clocks {
                write!(out, "; {mhz:.0} MHz on {fpga}")?;
            }
            writeln!(out)?;
        }
        writeln!(
            out,
            "depth: clocks in the form free; LUT4 levels: most of them between two registers; clocks: the worst placement of the tools' \
             default flow"
        )
    }
}

/// Numbers in order, in ranges: "1 to 4, 6".
pub fn ranges(numbers: &[i32]) -> String {
    let runs = numbers.chunk_by(|one, next| one + 1 == *next);
    let words = runs.map(|run| match run {
        [first, .., last] => format!("{first} to {last}"),
        _ => run[0].to_string(),
    });
    match numbers.is_empty() {
        true => "none".to_string(),
        false => words.collect::<Vec<_>>().join(", "),
    }
}

#[cfg(test)]
mod tests {
    use super::ranges;

    #[test]
    fn numbers_in_a_row_are_a_range() {
        assert_eq!(ranges(&[]), "none");
        assert_eq!(ranges(&[3]), "3");
        assert_eq!(ranges(&[1, 2, 3, 5, 7, 8]), "1 to 3, 5, 7 to 8");
    }
}
