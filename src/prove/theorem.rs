//! The theorems: what each says, of which cores, and the SystemVerilog that states it.

use crate::Failure;
use hdl::config::{Config, Core, Form, Signature};

/// A theorem. Its file's first comment is its sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theorem {
    /// Of the specification itself.
    Grammar,
    /// Of a sparse, free-running decoder.
    Decode,
}

/// What every theorem rests on: the ABNF, and what it says of a window of bytes.
const PACKAGES: [(&str, &str); 2] = [
    ("rfc3629.sv", include_str!("../../tests/formal/rfc3629.sv")),
    ("window.sv", include_str!("../../tests/formal/window.sv")),
];
/// What the proofs about cores share.
const LEMMAS: [(&str, &str); 4] = [
    ("ghost.sv", include_str!("../../tests/formal/ghost.sv")),
    (
        "contract.svh",
        include_str!("../../tests/formal/contract.svh"),
    ),
    ("pieces.svh", include_str!("../../tests/formal/pieces.svh")),
    ("stages.svh", include_str!("../../tests/formal/stages.svh")),
];
const GRAMMAR: &str = include_str!("../../tests/formal/grammar.sv");
const DECODE: &str = include_str!("../../tests/formal/decode.sv");

/// What a solver has to do for a theorem. Depths are clocks.
pub struct Depths {
    /// Of the k-induction that proves it for all clocks.
    pub induction: usize,
    /// Within which every cover point is reached.
    pub cover: usize,
    /// In which a counterexample is looked for if the induction fails.
    pub search: usize,
}

impl Theorem {
    pub const ALL: [Self; 2] = [Self::Grammar, Self::Decode];

    pub fn name(self) -> &'static str {
        match self {
            Self::Grammar => "grammar",
            Self::Decode => "decode",
        }
    }

    fn text(self) -> &'static str {
        match self {
            Self::Grammar => GRAMMAR,
            Self::Decode => DECODE,
        }
    }

    /// What it says: the comment that its file begins with.
    pub fn sentence(self) -> String {
        let lines = self.text().lines();
        let words: Vec<&str> = lines.map_while(|line| line.strip_prefix("// ")).collect();
        words.join(" ").replace("Theorem: ", "")
    }

    pub fn is_of_a_core(self) -> bool {
        self != Self::Grammar
    }

    /// The pipeline is cut by lemmas at stages 3 and 8 and at the slot, so that nothing is further from a lemma than five clocks.
    pub fn depths(self) -> Depths {
        match self {
            Self::Grammar => Depths {
                induction: 3,
                cover: 8,
                search: 16,
            },
            Self::Decode => Depths {
                induction: 6,
                cover: 22,
                search: 22,
            },
        }
    }

    /// Refuses a core that it says nothing about.
    pub fn check(self, config: &Config) -> Result<(), Failure> {
        if !self.is_of_a_core() {
            return Ok(());
        }
        let refuse = |what: &str, remedy: &str| {
            Err(Failure::new(format!(
                "there is no proof of {what} (this is {}); {remedy}",
                config.describe()
            )))
        };
        match config.core {
            Core::Validate { .. } => refuse("a validator", "choose --core decode"),
            Core::Decode { dense: true, .. } => refuse(
                "a dense decoder",
                "leave --dense out, or run the lockstep: runegate sim",
            ),
            Core::Decode { .. } if config.form == Form::Axis => refuse(
                "the form axis",
                "choose --form free: the pipeline in it is the same, and the lockstep runs it: runegate sim",
            ),
            Core::Decode { .. } if config.side.id + config.side.dest + config.side.user > 0 => {
                refuse(
                    "side signals",
                    "leave the widths of tid, tdest and tuser out",
                )
            }
            Core::Decode { .. } => Ok(()),
        }
    }

    /// The files, in the order in which they are read, and the definitions that they are read with.
    pub fn files(self) -> Vec<(&'static str, String)> {
        let lemmas = if self.is_of_a_core() {
            &LEMMAS[..]
        } else {
            &[]
        };
        let mut files: Vec<(&str, String)> = PACKAGES
            .iter()
            .chain(lemmas)
            .map(|(name, text)| (*name, placed(text)))
            .collect();
        files.push(("theorem.sv", placed(self.text())));
        files
    }

    pub fn definitions(self, config: &Config) -> Vec<String> {
        let Core::Decode { signature, .. } = config.core else {
            return Vec::new();
        };
        if !self.is_of_a_core() {
            return Vec::new();
        }
        let is = |wanted| u8::from(signature == wanted);
        let mut definitions = vec![
            format!("DUT={}", config.module),
            format!("N={}", config.lanes),
            format!("STRIP=1'b{}", is(Signature::Strip)),
            format!("FLAG=1'b{}", is(Signature::Flag)),
        ];
        let flags = [
            ("WIDE", config.lanes > 1),
            ("SIGNATURE", signature != Signature::Keep),
            ("PENDING", signature == Signature::Strip),
        ];
        definitions.extend(
            flags
                .iter()
                .filter(|(_, set)| *set)
                .map(|(name, _)| name.to_string()),
        );
        definitions
    }
}

/// The lemmas' names for blocks, as places in the core.
fn placed(text: &str) -> String {
    text.replace(r"\PIECES.", r"\dut.pipeline.pieces.")
        .replace(r"\SCALAR.", r"\dut.pipeline.scalar.")
        .replace(r"\EVENTS.", r"\dut.pipeline.events.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_theorem_has_a_sentence_and_no_name_is_left_unplaced() {
        for theorem in Theorem::ALL {
            let sentence = theorem.sentence();
            assert!(sentence.len() > 80 && sentence.ends_with('.'), "{sentence}");
            for (name, text) in theorem.files() {
                for block in [r"\PIECES", r"\SCALAR", r"\EVENTS"] {
                    assert!(!text.contains(block), "{block} in {name}");
                }
            }
        }
    }
}
