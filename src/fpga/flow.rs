//! The ways in which a core is synthesised, placed and routed: tuned for it, and as the tools do it by themselves.

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

/// The flows that `--flow` asks for.
#[derive(Clone, Copy)]
pub enum Asked {
    One(Flow),
    Both,
}

impl Asked {
    pub fn parse(name: &str) -> Result<Self, String> {
        if name == "both" {
            return Ok(Self::Both);
        }
        let named = Flow::ALL.into_iter().find(|flow| flow.name() == name);
        let flow = named.ok_or("choose tuned, default or both")?;
        Ok(Self::One(flow))
    }
}
