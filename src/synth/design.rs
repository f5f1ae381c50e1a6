//! What is measured: one of our cores, or a module of somebody else.

use crate::dut;
use crate::exit::Failure;
use ::sim::netlist::{Source, yosys_json_of};
use hdl::config::Config;
use hdl::config::ports::{Direction, ports};
use serde::Serialize;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The module of a core of ours, whatever it is called elsewhere: no cell of a device has this name.
const MODULE: &str = "runegate_core";

/// A pin of a design, and its width in bits.
pub struct Pin {
    pub name: String,
    pub direction: Direction,
    pub width: usize,
}

pub struct Design {
    pub subject: Subject,
    texts: Vec<Text>,
    /// The top module.
    pub module: String,
    pub clock: String,
    /// All but the clock.
    pub pins: Vec<Pin>,
}

struct Text {
    text: String,
    system_verilog: bool,
}

/// What a result says that it is of.
#[derive(Clone, Serialize)]
#[serde(untagged)]
pub enum Subject {
    Core {
        #[serde(flatten)]
        config: Box<Config>,
        /// Clocks from a beat to what comes of it.
        latency: Option<usize>,
        verdict_latency: Option<usize>,
    },
    Module {
        /// The files; what is not UTF-8 of a name is replaced.
        verilog: Vec<String>,
        top: String,
        clock_pin: String,
    },
}

impl Design {
    pub fn core(config: Config) -> Result<Self, Failure> {
        let pins = ports(&config).into_iter().filter(|pin| pin.name != "clk");
        let pins = pins.map(|pin| Pin {
            name: pin.name.to_string(),
            direction: pin.direction,
            width: pin.width,
        });
        let named = Config {
            module: MODULE.to_string(),
            ..config.clone()
        };
        let latency = hdl::emit::latency(&config);
        Ok(Self {
            texts: vec![Text {
                text: hdl::emit::emit(&named)?.verilog,
                system_verilog: false,
            }],
            module: named.module,
            clock: "clk".to_string(),
            pins: pins.collect(),
            subject: Subject::Core {
                latency: latency.main(),
                verdict_latency: latency.verdict,
                config: Box::new(config),
            },
        })
    }

    /// The module `top` of these files; its pins are what Yosys finds.
    pub fn module(files: &[PathBuf], top: &str, clock: &str) -> Result<Self, Failure> {
        if !is_name(top) {
            return Err(Failure::new(format!(
                "--top {top:?} is not a module name: use letters, digits, _ and $, not beginning with a digit"
            )));
        }
        let text = |path: &PathBuf| {
            Ok(Text {
                text: dut::read(path)?,
                system_verilog: path.extension().is_some_and(|extension| extension == "sv"),
            })
        };
        let mut design = Self {
            texts: files.iter().map(text).collect::<Result<_, Failure>>()?,
            module: top.to_string(),
            clock: clock.to_string(),
            pins: Vec::new(),
            subject: Subject::Module {
                verilog: files
                    .iter()
                    .map(|file| file.to_string_lossy().into_owned())
                    .collect(),
                top: top.to_string(),
                clock_pin: clock.to_string(),
            },
        };
        design.pins = design.found_pins(&files[0])?;
        Ok(design)
    }

    /// The design's own texts, and another.
    pub fn sources<'a>(&'a self, harness: &'a str) -> Vec<Source<'a>> {
        let own = self.texts.iter().map(|text| Source {
            text: &text.text,
            system_verilog: text.system_verilog,
        });
        let harness = (!harness.is_empty()).then_some(Source::verilog(harness));
        own.chain(harness).collect()
    }

    pub fn is_core(&self) -> bool {
        matches!(self.subject, Subject::Core { .. })
    }

    /// Bytes that it takes in a clock, if that is known.
    pub fn bytes(&self) -> Option<usize> {
        match &self.subject {
            Subject::Core { config, .. } => Some(config.lanes),
            Subject::Module { .. } => None,
        }
    }

    fn found_pins(&self, file: &Path) -> Result<Vec<Pin>, Failure> {
        let commands = format!("hierarchy -top {}; proc", self.module);
        let document: Value = serde_json::from_str(&yosys_json_of(&self.sources(""), &commands)?)?;
        let Some(ports) = document["modules"][&self.module]["ports"].as_object() else {
            return Err(Failure::new(format!(
                "Yosys finds no ports of the module {:?} in {file:?}; name a module with a clock by --top",
                self.module
            )));
        };
        let mut pins = Vec::new();
        let mut inputs = Vec::new();
        for (name, port) in ports {
            if !is_name(name) {
                return Err(Failure::new(format!(
                    "the port {name:?} of {:?} cannot be connected: a name has letters, digits, _ and $; put a module around it",
                    self.module
                )));
            }
            let direction = match port["direction"].as_str() {
                Some("input") => Direction::Input,
                Some("output") => Direction::Output,
                _ => {
                    return Err(Failure::new(format!(
                        "the port {name:?} of {:?} is an inout: only inputs and outputs can be measured; put a module around it",
                        self.module
                    )));
                }
            };
            let width = port["bits"].as_array().map_or(0, Vec::len);
            if direction == Direction::Input && width == 1 {
                inputs.push(name.as_str());
            }
            pins.push(Pin {
                name: name.clone(),
                direction,
                width,
            });
        }
        if !inputs.contains(&self.clock.as_str()) {
            return Err(Failure::new(format!(
                "--clock-pin {:?} is not a 1-bit input of {:?}; choose one of {}",
                self.clock,
                self.module,
                inputs.join(", ")
            )));
        }
        pins.retain(|pin| pin.name != self.clock);
        if !(pins.iter()).any(|pin| pin.direction == Direction::Output) {
            return Err(Failure::new(format!(
                "the module {:?} has no output, so synthesis would remove all of it; choose another --top",
                self.module
            )));
        }
        Ok(pins)
    }
}

/// Whether it is a name that Verilog takes as it stands.
fn is_name(name: &str) -> bool {
    let mut letters = name.chars();
    let first = |letter: char| letter.is_ascii_alphabetic() || letter == '_';
    letters.next().is_some_and(first)
        && letters.all(|letter| first(letter) || letter.is_ascii_digit() || letter == '$')
}
