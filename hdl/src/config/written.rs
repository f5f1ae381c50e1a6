//! A configuration as it is written: as options of a command line, and in words.

use super::configuration::{
    Config, Core, CoreName, Encoding, Form, Mode, OnError, Replace, SideWidths, Signature,
};
use sha2::{Digest, Sha256};
use std::fmt;

impl Config {
    /// SHA-256 of the configuration as JSON, in hexadecimal.
    pub fn hash(&self) -> String {
        let canonical = serde_json::to_string(self).expect("a configuration is plain data");
        Sha256::digest(canonical.as_bytes())
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect()
    }

    /// The options that make this core, each with its value, but for the module's name.
    pub fn options(&self) -> Vec<(&'static str, String)> {
        let mut options = vec![
            ("core", self.core.name().to_string()),
            ("lanes", self.lanes.to_string()),
            ("form", self.form.to_string()),
        ];
        match self.core {
            Core::Decode {
                signature,
                dense,
                to,
                grammar,
            } => {
                if !grammar.is_default() {
                    options.push(("grammar", grammar.to_string()));
                }
                if !to.is_default() {
                    options.push(("to", to.to_string()));
                }
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
                grammar,
                signature,
                forbid,
                edges,
                verdict,
                window,
                frames,
                ports,
                drop_bytes,
                early_bad,
            } => {
                if !grammar.is_default() {
                    options.push(("grammar", grammar.to_string()));
                }
                options.extend(flows.map(|flows| ("flows", flows.to_string())));
                options.push(("mode", mode.to_string()));
                options.extend(drop_bytes.map(|bytes| ("drop-bytes", bytes.to_string())));
                if early_bad {
                    options.push(("early-bad", early_bad.to_string()));
                }
                if !signature.is_default() {
                    options.push(("signature", signature.to_string()));
                }
                if !forbid.is_empty() {
                    options.push(("forbid", forbid.to_string()));
                }
                if !edges.is_default() {
                    options.push(("edges", edges.to_string()));
                }
                if !verdict.is_default() {
                    options.push(("verdict", verdict.to_string()));
                }
                options.push(("verdict-width", verdict_width.to_string()));
                options.push(("counter-width", counter_width.to_string()));
                if csr {
                    options.push(("csr", csr.to_string()));
                }
                if window {
                    options.push(("window", window.to_string()));
                }
                if frames {
                    options.push(("frames", frames.to_string()));
                }
                options.extend(ports.map(|ports| ("ports", ports.to_string())));
            }
            Core::Encode {
                from,
                on_error,
                grammar,
                verdict_width,
                counter_width,
            } => {
                if !grammar.is_default() {
                    options.push(("grammar", grammar.to_string()));
                }
                options.push(("from", from.to_string()));
                options.push(("on-error", on_error.to_string()));
                options.push(("verdict-width", verdict_width.to_string()));
                options.push(("counter-width", counter_width.to_string()));
            }
            Core::Sanitise {
                replace,
                signature,
                window,
                frames,
                ports,
                verdict_width,
                counter_width,
            } => {
                if window {
                    options.push(("window", window.to_string()));
                }
                if frames {
                    options.push(("frames", frames.to_string()));
                }
                options.extend(ports.map(|ports| ("ports", ports.to_string())));
                options.push(("replace", replace.to_string()));
                options.push(("signature", signature.to_string()));
                options.push(("verdict-width", verdict_width.to_string()));
                options.push(("counter-width", counter_width.to_string()));
            }
        }
        options.extend(self.depth.map(|depth| ("depth", depth.to_string())));
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
                "dense" | "csr" | "window" | "frames" | "early-bad" | "beat-error" => {
                    format!("--{name}")
                }
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
                "dense" | "window" | "frames" => name.to_string(),
                "csr" => "registers".to_string(),
                "early-bad" => "early bad".to_string(),
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
            CoreName::Encode => "encode",
            CoreName::Sanitise => "sanitise",
        })
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.write_str(match self {
            Mode::Snoop => "snoop",
            Mode::Pass => "pass",
            Mode::Drop => "drop",
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

impl fmt::Display for Encoding {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.write_str(match self {
            Encoding::Utf32 => "utf32",
            Encoding::Utf16le => "utf16le",
            Encoding::Utf16be => "utf16be",
        })
    }
}

impl fmt::Display for OnError {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.write_str(match self {
            OnError::Replace => "replace",
            OnError::Omit => "omit",
        })
    }
}

impl fmt::Display for Replace {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.write_str(match self {
            Replace::Fffd => "fffd",
            Replace::Ascii => "ascii",
        })
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.write_str(match self {
            Signature::Keep => "keep",
            Signature::Flag => "flag",
            Signature::Strip => "strip",
            Signature::Reject => "reject",
        })
    }
}
