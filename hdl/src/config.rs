//! What a core is: its configuration, and the names and defaults of its parts.

use crate::emit::names::refuse_module_name;
use crate::ports::ports;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fmt;

/// Which core.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Core {
    /// Bytes in, one event per piece out.
    #[default]
    Decode,
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

/// A core's whole configuration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Config {
    pub core: Core,
    pub lanes: usize,
    pub form: Form,
    pub signature: Signature,
    pub module: String,
}

/// A configuration that cannot be built.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum ConfigError {
    #[error("lanes is {0}, but a core has {choices} bytes per beat; choose one of those", choices = choices())]
    Lanes(usize),
    #[error(
        "the module name {name:?} cannot be used: {reason}; use letters, digits and underscores, beginning with a \
         letter or an underscore, and no reserved word"
    )]
    Module { name: String, reason: &'static str },
}

/// The numbers of lanes, as they are told to people.
pub fn choices() -> String {
    let all: Vec<String> = LANES.iter().map(usize::to_string).collect();
    all.join(", ")
}

impl Config {
    /// Checks a configuration. Without a name the module is called after its core and lanes.
    pub fn new(
        core: Core,
        lanes: usize,
        form: Form,
        signature: Signature,
        module: Option<String>,
    ) -> Result<Self, ConfigError> {
        if !LANES.contains(&lanes) {
            return Err(ConfigError::Lanes(lanes));
        }
        let config = Self {
            core,
            lanes,
            form,
            signature,
            module: module.unwrap_or_else(|| format!("utf8_{core}_w{lanes}")),
        };
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

    /// SHA-256 of the configuration as JSON, in hexadecimal.
    pub fn hash(&self) -> String {
        let canonical = serde_json::to_string(self).expect("a configuration is plain data");
        Sha256::digest(canonical.as_bytes())
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect()
    }

    /// The command line that makes this core.
    pub fn command(&self) -> String {
        format!(
            "runegate emit --core {} --lanes {} --form {} --signature {} --module {}",
            self.core, self.lanes, self.form, self.signature, self.module
        )
    }
}

impl fmt::Display for Core {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.write_str(match self {
            Core::Decode => "decode",
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
