//! The ways in which a core is synthesised, placed and routed: tuned for it, and as the tools do it by themselves.

use super::target::Target;
use crate::exit::Failure;

/// Options of Yosys and nextpnr.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// Those that have been found best for these cores.
    Tuned,
    /// None that a family's tools do not have by themselves.
    Default,
}

impl Flow {
    pub const ALL: [Self; 2] = [Self::Tuned, Self::Default];

    pub fn name(self) -> &'static str {
        match self {
            Self::Tuned => "tuned",
            Self::Default => "default",
        }
    }
}

/// The flows of `--flow`; without one, all that there are.
#[derive(Clone, Copy)]
pub struct Asked(Option<Flow>);

impl Asked {
    pub fn parse(name: &str) -> Result<Self, String> {
        if name == "both" {
            return Ok(Self(None));
        }
        let named = Flow::ALL.into_iter().find(|flow| flow.name() == name);
        let flow = named.ok_or("choose tuned, default or both")?;
        Ok(Self(Some(flow)))
    }

    pub fn of(self, target: Target) -> Result<Vec<Flow>, Failure> {
        let flows = target.flows();
        match self.0 {
            None => Ok(flows.to_vec()),
            Some(flow) if flows.contains(&flow) => Ok(vec![flow]),
            Some(flow) => Err(Failure::new(format!(
                "--flow {} cannot be combined with --target {}, which has only one synthesis; leave --flow out",
                flow.name(),
                target.name()
            ))),
        }
    }
}
