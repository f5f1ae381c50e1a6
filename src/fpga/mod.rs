//! Which FPGA: its family, the part and the speed grade.

pub mod flow;
pub mod target;

use self::target::{Part, Target};
use crate::exit::Failure;
use clap::Args;

/// The FPGA that a command is asked for.
#[derive(Args)]
pub struct FpgaOptions {
    /// The FPGA's family: ecp5, ice40, xilinx7 or ultrascale+ [default of synth: ecp5]
    #[arg(long, value_parser = target)]
    pub target: Option<Target>,
    /// The FPGA part [default: LFE5U-85F, HX8K]
    #[arg(long)]
    pub part: Option<String>,
    /// The speed grade, for ECP5: 6, 7 or 8 [default: 6]
    #[arg(long)]
    pub speed: Option<String>,
}

/// The one that is meant.
pub struct Fpga {
    pub target: Target,
    /// None of a family that no open tool places.
    pub part: Option<&'static Part>,
    /// None if the part has no choice.
    pub speed: Option<String>,
}

fn target(name: &str) -> Result<Target, String> {
    let names = Target::ALL.map(Target::name).join(", ");
    Target::ALL
        .into_iter()
        .find(|target| target.name() == name)
        .ok_or(format!("choose one of {names}"))
}

impl FpgaOptions {
    /// With this family if none is named.
    pub fn or(&self, target: Target) -> Result<Fpga, Failure> {
        let target = self.target.unwrap_or(target);
        let part = self.part(target)?;
        let speed = self.speed(target, part)?;
        Ok(Fpga {
            target,
            part,
            speed,
        })
    }

    fn part(&self, target: Target) -> Result<Option<&'static Part>, Failure> {
        let parts = target.parts();
        let Some(wanted) = &self.part else {
            return Ok(parts.first());
        };
        let named = |part: &&Part| part.name.eq_ignore_ascii_case(wanted);
        let names: Vec<&str> = parts.iter().map(|part| part.name).collect();
        match (parts.iter().find(named), names.is_empty()) {
            (Some(part), _) => Ok(Some(part)),
            (None, true) => Err(Failure::new(format!(
                "--part {wanted:?} has no effect: for {} only the area is reported, which does not depend on the part; leave --part out",
                target.name()
            ))),
            (None, false) => Err(Failure::new(format!(
                "--part {wanted:?} is not a part of {}; choose one of {}",
                target.name(),
                names.join(", ")
            ))),
        }
    }

    fn speed(&self, target: Target, part: Option<&Part>) -> Result<Option<String>, Failure> {
        let speeds = part.map_or(&[][..], |part| part.speeds);
        let Some(wanted) = &self.speed else {
            return Ok(speeds.first().map(|speed| speed.to_string()));
        };
        if speeds.contains(&wanted.as_str()) {
            return Ok(Some(wanted.clone()));
        }
        let remedy = match speeds.is_empty() {
            true => "leave --speed out".to_string(),
            false => format!("choose one of {}", speeds.join(", ")),
        };
        Err(Failure::new(format!(
            "--speed {wanted:?} is not a speed grade of {}; {remedy}",
            part.map_or(target.name(), |part| part.name)
        )))
    }
}

impl std::fmt::Display for Fpga {
    fn fmt(&self, out: &mut std::fmt::Formatter) -> std::fmt::Result {
        let name = self.part.map_or(self.target.name(), |part| part.name);
        match &self.speed {
            Some(speed) => write!(out, "{name} -{speed}"),
            None => out.write_str(name),
        }
    }
}
