//! What a core is: its configuration, and the names and defaults of its parts.

use crate::default_name::{default_name, id_width_of};
use crate::emit::names::refuse_module_name;
use crate::flows::table::FLOW_BITS;
use crate::layout::{COUNTER_BITS, VERDICT_BITS};
use crate::ports::ports;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fmt;

/// Which core, and what only that core has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "core", rename_all = "kebab-case")]
pub enum Core {
    /// Bytes in, one event per piece out.
    Decode {
        signature: Signature,
        /// The events are packed: contiguous, in the low lanes, across beats.
        dense: bool,
    },
    /// Bytes in, one verdict per packet out.
    Validate {
        mode: Mode,
        /// Bits of `m_axis_verdict_tdata`.
        verdict_width: usize,
        /// Bits of each counter; they saturate.
        counter_width: usize,
        /// Beats of so many flows interleave; without, the stream is one of whole packets.
        #[serde(skip_serializing_if = "Option::is_none")]
        flows: Option<usize>,
        /// It has registers, on an AXI4-Lite bus.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        csr: bool,
    },
}

/// A core by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CoreName {
    #[default]
    Decode,
    Validate,
}

/// What `validate` does with the packets themselves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// It watches the stream between a source and a sink, and touches nothing.
    #[default]
    Snoop,
    /// They pass through it, and a bad one leaves with `tuser[0]` in its last beat.
    Pass,
}

/// How the core takes part in flow control.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    /// AXI4-Stream with backpressure.
    #[default]
    Axis,
    /// Free-running: no `tready`, a beat in every clock.
    Free,
}

/// What happens to a signature, EF BB BF at the beginning of a packet (RFC 3629 section 6).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Signature {
    /// It is a U+FEFF like any other.
    #[default]
    Keep,
    /// It is sent, and flagged.
    Flag,
    /// It is not sent; the packet's first beat is flagged.
    Strip,
}

/// Bytes per beat that a core can have.
pub const LANES: [usize; 7] = [1, 2, 4, 8, 16, 32, 64];
/// Bits that a verdict's counter can have.
pub const COUNTER_WIDTHS: [usize; 4] = [8, 16, 24, 32];
/// The most flows.
pub const MAX_FLOWS: usize = 4096;
/// The widest `tid`, `tdest` and `tuser`.
pub const MAX_SIDE_WIDTH: usize = 64;
/// The widest `m_axis_verdict_tdata`.
pub const MAX_VERDICT_WIDTH: usize = 1024;

/// Bits of the signals that a stream carries beside its bytes; 0 leaves the pin out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SideWidths {
    #[serde(rename = "id_width")]
    pub id: usize,
    #[serde(rename = "dest_width")]
    pub dest: usize,
    #[serde(rename = "user_width")]
    pub user: usize,
}

/// A core's whole configuration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Config {
    #[serde(flatten)]
    pub core: Core,
    pub lanes: usize,
    pub form: Form,
    #[serde(flatten)]
    pub side: SideWidths,
    /// A pin tells of beats that break the contract.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub beat_error: bool,
    pub module: String,
}

/// What somebody asks for; what is left out has its default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Request {
    pub core: Option<CoreName>,
    pub lanes: Option<usize>,
    pub form: Option<Form>,
    pub signature: Option<Signature>,
    pub dense: Option<bool>,
    pub mode: Option<Mode>,
    pub verdict_width: Option<usize>,
    pub counter_width: Option<usize>,
    pub flows: Option<usize>,
    pub csr: Option<bool>,
    pub beat_error: Option<bool>,
    pub id_width: Option<usize>,
    pub dest_width: Option<usize>,
    pub user_width: Option<usize>,
    pub module: Option<String>,
}

/// A configuration that cannot be built.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum ConfigError {
    #[error("lanes is {0}, but a core has {choices} bytes per beat; choose one of those", choices = list(&LANES))]
    Lanes(usize),
    #[error(
        "{option} {value} is not for the core {core}: {reason}; leave it out, or choose --core {other}"
    )]
    NotForCore {
        option: &'static str,
        value: String,
        core: CoreName,
        reason: &'static str,
        other: CoreName,
    },
    #[error(
        "verdict-width is {0}, but a verdict has {VERDICT_BITS} bits and its bus is made of whole bytes, {MAX_VERDICT_WIDTH} \
         bits at most; choose a multiple of 8 from {VERDICT_BITS} to {MAX_VERDICT_WIDTH}"
    )]
    VerdictWidth(usize),
    #[error(
        "flows is {0}, but a core has a table of 1 to {MAX_FLOWS} flows; choose a number in that range"
    )]
    Flows(usize),
    #[error(
        "--flows cannot be combined with --mode pass: a verdict is known only after a message's last packet, when earlier packets have left; choose --mode snoop"
    )]
    FlowsPass,
    #[error(
        "id-width is {width}, but s_axis_tid selects one of {flows} flows; choose {least} to {FLOW_BITS} bits, or leave it out"
    )]
    FlowId {
        width: usize,
        flows: usize,
        least: usize,
    },
    #[error(
        "--beat-error needs two lanes or more: with one lane every tkeep is legal; leave it out"
    )]
    BeatErrorOfOneLane,
    #[error(
        "--beat-error cannot be combined with --flows: m_axis_flow reports each refused beat; leave it out"
    )]
    BeatErrorOfFlows,
    #[error("counter-width is {0}, but a counter has {choices} bits; choose one of those", choices = list(&COUNTER_WIDTHS))]
    CounterWidth(usize),
    #[error(
        "{option} is {width}, but a width is from 0 (no such pin) to {MAX_SIDE_WIDTH} bits; choose one in that range"
    )]
    SideWidth { option: &'static str, width: usize },
    #[error(
        "the module name {name:?} cannot be used: {reason}; use letters, digits and underscores, beginning with a \
         letter or an underscore, and no reserved word"
    )]
    Module { name: String, reason: &'static str },
}

/// Numbers, as they are told to people.
pub fn list(numbers: &[usize]) -> String {
    let all: Vec<String> = numbers.iter().map(usize::to_string).collect();
    all.join(", ")
}

impl Request {
    /// Checks it.
    pub fn resolve(self) -> Result<Config, ConfigError> {
        let lanes = self.lanes.unwrap_or(1);
        if !LANES.contains(&lanes) {
            return Err(ConfigError::Lanes(lanes));
        }
        let core = match self.core.unwrap_or_default() {
            CoreName::Decode => self.decode()?,
            CoreName::Validate => self.validate()?,
        };
        let mut config = Config {
            core,
            lanes,
            form: self.form.unwrap_or_default(),
            side: self.side(core)?,
            beat_error: self.beat_error(core, lanes)?,
            module: String::new(),
        };
        config.module = self.module.unwrap_or_else(|| default_name(&config));
        let is_port = ports(&config).iter().any(|port| port.name == config.module);
        let reason = refuse_module_name(&config.module)
            .or(is_port.then_some("it is the name of one of the core's ports"));
        match reason {
            None => Ok(config),
            Some(reason) => Err(ConfigError::Module {
                name: config.module,
                reason,
            }),
        }
    }

    fn decode(&self) -> Result<Core, ConfigError> {
        let refuse = |option, value: Option<String>, reason| match value {
            None => Ok(()),
            Some(value) => Err(ConfigError::NotForCore {
                option,
                value,
                core: CoreName::Decode,
                reason,
                other: CoreName::Validate,
            }),
        };
        refuse(
            "mode",
            self.mode.map(|mode| mode.to_string()),
            "its events take the place of the packet",
        )?;
        let no_verdict = "it puts out events, and no verdict";
        let text = |width: Option<usize>| width.map(|width| width.to_string());
        refuse("verdict-width", text(self.verdict_width), no_verdict)?;
        refuse("counter-width", text(self.counter_width), no_verdict)?;
        refuse("flows", text(self.flows), no_verdict)?;
        refuse(
            "csr",
            self.csr.map(|csr| csr.to_string()),
            "its registers count verdicts, and it has none",
        )?;
        Ok(Core::Decode {
            signature: self.signature.unwrap_or_default(),
            dense: self.dense.unwrap_or_default(),
        })
    }

    fn validate(&self) -> Result<Core, ConfigError> {
        let refuse = |option, value: Option<String>, reason| match value {
            None => Ok(()),
            Some(value) => Err(ConfigError::NotForCore {
                option,
                value,
                core: CoreName::Validate,
                reason,
                other: CoreName::Decode,
            }),
        };
        refuse(
            "dense",
            self.dense.map(|dense| dense.to_string()),
            "it puts out no events that could be packed",
        )?;
        refuse(
            "signature",
            self.signature.map(|signature| signature.to_string()),
            "its verdict always tells of a signature, and the packet is never changed",
        )?;
        let verdict_width = self.verdict_width.unwrap_or(VERDICT_BITS);
        let allowed = (VERDICT_BITS..=MAX_VERDICT_WIDTH).contains(&verdict_width);
        if !allowed || !verdict_width.is_multiple_of(8) {
            return Err(ConfigError::VerdictWidth(verdict_width));
        }
        let counter_width = self.counter_width.unwrap_or(COUNTER_BITS);
        if !COUNTER_WIDTHS.contains(&counter_width) {
            return Err(ConfigError::CounterWidth(counter_width));
        }
        let mode = self.mode.unwrap_or_default();
        if let Some(flows) = self.flows {
            if !(1..=MAX_FLOWS).contains(&flows) {
                return Err(ConfigError::Flows(flows));
            }
            if mode == Mode::Pass {
                return Err(ConfigError::FlowsPass);
            }
        }
        Ok(Core::Validate {
            mode,
            verdict_width,
            counter_width,
            flows: self.flows,
            csr: self.csr.unwrap_or_default(),
        })
    }

    fn beat_error(&self, core: Core, lanes: usize) -> Result<bool, ConfigError> {
        match self.beat_error.unwrap_or_default() {
            true if core.flows().is_some() => Err(ConfigError::BeatErrorOfFlows),
            true if lanes == 1 => Err(ConfigError::BeatErrorOfOneLane),
            asked => Ok(asked),
        }
    }

    fn side(&self, core: Core) -> Result<SideWidths, ConfigError> {
        let width = |option, width: Option<usize>| {
            let width = width.unwrap_or_default();
            if width <= MAX_SIDE_WIDTH {
                Ok(width)
            } else {
                Err(ConfigError::SideWidth { option, width })
            }
        };
        // Of flows, tid is the number.
        let id = match core.flows() {
            None => width("id-width", self.id_width)?,
            Some(flows) => {
                let least = id_width_of(flows);
                let width = self.id_width.unwrap_or(least);
                if !(least..=FLOW_BITS).contains(&width) {
                    return Err(ConfigError::FlowId {
                        width,
                        flows,
                        least,
                    });
                }
                width
            }
        };
        Ok(SideWidths {
            id,
            dest: width("dest-width", self.dest_width)?,
            user: width("user-width", self.user_width)?,
        })
    }
}

impl Core {
    pub const fn name(&self) -> CoreName {
        match self {
            Core::Decode { .. } => CoreName::Decode,
            Core::Validate { .. } => CoreName::Validate,
        }
    }

    /// How many flows interleave, if any do.
    pub const fn flows(&self) -> Option<usize> {
        match *self {
            Core::Decode { .. } => None,
            Core::Validate { flows, .. } => flows,
        }
    }
}

impl Config {
    /// SHA-256 of the configuration as JSON, in hexadecimal.
    pub fn hash(&self) -> String {
        let canonical = serde_json::to_string(self).expect("a configuration is plain data");
        Sha256::digest(canonical.as_bytes())
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect()
    }

    /// Whether it has registers.
    pub const fn has_registers(&self) -> bool {
        matches!(self.core, Core::Validate { csr: true, .. })
    }

    /// The options that make this core, each with its value, but for the module's name.
    pub fn options(&self) -> Vec<(&'static str, String)> {
        let mut options = vec![
            ("core", self.core.name().to_string()),
            ("lanes", self.lanes.to_string()),
            ("form", self.form.to_string()),
        ];
        match self.core {
            Core::Decode { signature, dense } => {
                options.push(("signature", signature.to_string()));
                if dense {
                    options.push(("dense", dense.to_string()));
                }
            }
            Core::Validate {
                mode,
                verdict_width,
                counter_width,
                flows,
                csr,
            } => {
                options.extend(flows.map(|flows| ("flows", flows.to_string())));
                options.push(("mode", mode.to_string()));
                options.push(("verdict-width", verdict_width.to_string()));
                options.push(("counter-width", counter_width.to_string()));
                if csr {
                    options.push(("csr", csr.to_string()));
                }
            }
        }
        let SideWidths { id, dest, user } = self.side;
        for (name, width) in [("id-width", id), ("dest-width", dest), ("user-width", user)] {
            if width > 0 {
                options.push((name, width.to_string()));
            }
        }
        if self.beat_error {
            options.push(("beat-error", self.beat_error.to_string()));
        }
        options
    }

    /// The same as they are written on a command line, with the module's name.
    pub fn arguments(&self) -> String {
        let mut words: Vec<String> = (self.options().into_iter())
            .map(|(name, value)| match name {
                "dense" | "csr" | "beat-error" => format!("--{name}"),
                _ => format!("--{name} {value}"),
            })
            .collect();
        words.push(format!("--module {}", self.module));
        words.join(" ")
    }

    /// The command line that makes this core.
    pub fn command(&self) -> String {
        format!("runegate emit {}", self.arguments())
    }

    /// The core in words: what sets it apart, without its name.
    pub fn describe(&self) -> String {
        let words: Vec<String> = (self.options().into_iter())
            .map(|(name, value)| match name {
                "core" | "form" => value,
                "dense" => "dense".to_string(),
                "csr" => "registers".to_string(),
                "beat-error" => "beat error".to_string(),
                _ => format!("{} {value}", name.replace('-', " ")),
            })
            .collect();
        words.join(", ")
    }
}

impl fmt::Display for CoreName {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.write_str(match self {
            CoreName::Decode => "decode",
            CoreName::Validate => "validate",
        })
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.write_str(match self {
            Mode::Snoop => "snoop",
            Mode::Pass => "pass",
        })
    }
}

impl fmt::Display for Form {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.write_str(match self {
            Form::Axis => "axis",
            Form::Free => "free",
        })
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.write_str(match self {
            Signature::Keep => "keep",
            Signature::Flag => "flag",
            Signature::Strip => "strip",
        })
    }
}
