//! What the options of a validator come to.

use super::configuration::{Core, CoreName, FRAME_LANES, Form, MAX_FLOWS, Mode, Signature};
use super::error::ConfigError;
use super::judging::{Edges, Extent};
use super::port_table::PortTable;
use super::request::Request;
use crate::layout::FULL_VERDICT_BITS;

impl Request {
    /// The core, or what cannot be.
    pub(super) fn validator(&self) -> Result<Core, ConfigError> {
        let forbid = self.forbid.unwrap_or_default();
        let mode = self.mode.unwrap_or_default();
        let grammar = self.grammar.unwrap_or_default();
        let signature = self.signature.unwrap_or_default();
        if [Signature::Flag, Signature::Strip].contains(&signature) {
            return Err(ConfigError::ValidateSignature(signature));
        }
        let (edges, verdict) = (
            self.edges.unwrap_or_default(),
            self.verdict.unwrap_or_default(),
        );
        let only_in_3629 = [
            (
                !forbid.is_empty(),
                "forbid",
                "the classes are of scalar values, which end at 10FFFF",
                "leave --forbid out",
            ),
            (
                edges == Edges::Open,
                "edges open",
                "at most three bytes are cut at a packet's beginning, as of a sequence of four",
                "leave --edges out",
            ),
            (
                verdict == Extent::Full,
                "verdict full",
                "UTF-16 and the classes of scalar values end at 10FFFF",
                "leave --verdict out",
            ),
            (
                self.flows.is_some(),
                "flows",
                "a flow keeps the three bytes before a beat, not five",
                "leave --flows out",
            ),
        ];
        for (_, option, reason, instead) in only_in_3629.into_iter().filter(|it| it.0) {
            if grammar.is_2279() {
                return Err(ConfigError::Grammar {
                    option,
                    reason,
                    instead,
                });
            }
        }
        let window = self.window.unwrap_or_default();
        let frames = self.frames.unwrap_or_default();
        let csr = self.csr.unwrap_or_default();
        let ports = self.text_of_frames()?;
        if mode == Mode::Drop && self.form == Some(Form::Free) {
            return Err(ConfigError::DropFree);
        }
        if let Some(flows) = self.flows {
            if !(1..=MAX_FLOWS).contains(&flows) {
                return Err(ConfigError::Flows(flows));
            }
            if mode.passes() {
                return Err(ConfigError::FlowsPass(mode));
            }
            let policies = [
                ("forbid", !forbid.is_empty()),
                ("signature reject", signature == Signature::Reject),
                ("edges open", edges == Edges::Open),
                ("verdict full", verdict == Extent::Full),
                ("window", window),
                ("frames", frames),
            ];
            if let Some((option, _)) = policies.into_iter().find(|(_, asked)| *asked) {
                return Err(ConfigError::FlowsPolicy(option));
            }
        }
        let least = match verdict {
            Extent::Basic => forbid.verdict_bits(),
            Extent::Full => FULL_VERDICT_BITS,
        };
        let (verdict_width, counter_width) = self.verdict_widths(least)?;
        Ok(Core::Validate {
            mode,
            verdict_width,
            counter_width,
            flows: self.flows,
            csr,
            grammar,
            signature,
            forbid,
            edges,
            verdict,
            window,
            frames,
            ports,
            drop_bytes: None,
            early_bad: self.early_bad(mode)?,
        })
    }

    /// Refuses an early word on packets that are not passed on as they come.
    fn early_bad(&self, mode: Mode) -> Result<bool, ConfigError> {
        match self.early_bad.unwrap_or_default() {
            true if mode != Mode::Pass => Err(ConfigError::EarlyBad(mode)),
            asked => Ok(asked),
        }
    }

    /// Checks what says where the text of frames is; returns the table of ports, if there is one. A table that has all ports and never
    /// changes is none.
    pub(super) fn text_of_frames(&self) -> Result<Option<PortTable>, ConfigError> {
        if self.frames.unwrap_or_default() {
            self.of_frames(self.window.unwrap_or_default())?;
        }
        if let Some(ports) = self.ports {
            self.of_ports(ports)?;
        }
        let csr = self.csr.unwrap_or_default();
        let starts_empty = csr && self.frames == Some(true) && self.mode == Some(Mode::Drop);
        // What drops packets drops none before it is known which.
        let ports = self.ports.or(starts_empty.then_some(PortTable::NONE));
        Ok(ports.filter(|ports| csr || !ports.has_all()))
    }

    /// Refuses what does not go with the payloads of frames.
    fn of_frames(&self, window: bool) -> Result<(), ConfigError> {
        let lanes = self.lanes.unwrap_or(1);
        if !FRAME_LANES.contains(&lanes) {
            return Err(ConfigError::FrameLanes(lanes));
        }
        match window {
            true => Err(ConfigError::FramesWindow),
            false => Ok(()),
        }
    }

    /// Refuses a table of ports that nothing would look at.
    fn of_ports(&self, ports: PortTable) -> Result<(), ConfigError> {
        if !self.frames.unwrap_or_default() {
            return Err(ConfigError::PortsWithoutFrames);
        }
        if ports.has_none() && !self.csr.unwrap_or_default() {
            return Err(ConfigError::PortsNone(match self.core {
                // It has no registers.
                Some(CoreName::Sanitise) => "",
                _ => "choose --csr, or ",
            }));
        }
        if ports.has_tcp() && self.edges.unwrap_or_default() != Edges::Open {
            return Err(match self.core {
                Some(CoreName::Sanitise) => ConfigError::SanitiseTcp,
                _ => ConfigError::PortsOfTcp,
            });
        }
        Ok(())
    }
}
