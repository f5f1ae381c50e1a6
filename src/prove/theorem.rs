//! The theorems: what each says, of which cores, and the SystemVerilog that states it.

use crate::Failure;
use hdl::config::{Config, Core, Form, Signature};

/// A theorem. Its file's first comment is its sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theorem {
    /// Of the specification itself.
    Grammar,
    /// Of a sparse decoder's pipeline.
    Decode,
    /// Of what is around it in the form `axis`.
    Stream,
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
const STREAM: &str = include_str!("../../tests/formal/stream.sv");

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
    pub const ALL: [Self; 3] = [Self::Grammar, Self::Decode, Self::Stream];

    /// All that there are of a core.
    pub fn of(config: &Config) -> Vec<Self> {
        match config.form {
            Form::Free => vec![Self::Grammar, Self::Decode],
            Form::Axis => vec![Self::Grammar, Self::Decode, Self::Stream],
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Grammar => "grammar",
            Self::Decode => "decode",
            Self::Stream => "stream",
        }
    }

    fn text(self) -> &'static str {
        match self {
            Self::Grammar => GRAMMAR,
            Self::Decode => DECODE,
            Self::Stream => STREAM,
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
        let (induction, cover, search) = match self {
            Self::Grammar => (3, 8, 16),
            Self::Decode => (6, 22, 22),
            Self::Stream => (3, 60, 60),
        };
        Depths {
            induction,
            cover,
            search,
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
            Core::Decode { .. } if self == Self::Stream && config.form == Form::Free => {
                refuse("backpressure in the form free", "choose --form axis")
            }
            Core::Decode { .. } if config.side.id + config.side.dest + config.side.user > 0 => {
                refuse(
                    "side signals",
                    "leave the widths of tid, tdest and tuser out",
                )
            }
            Core::Decode { .. } => Ok(()),
        }
    }

    /// The files, in the order in which they are read.
    pub fn files(self) -> Vec<(&'static str, String)> {
        let lemmas = match self {
            Self::Grammar | Self::Stream => &[],
            Self::Decode => &LEMMAS[..],
        };
        let files = PACKAGES.iter().chain(lemmas);
        files
            .chain(&[("theorem.sv", self.text())])
            .map(|(name, text)| (*name, placed(text)))
            .collect()
    }

    /// The definitions that they are read with.
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
            format!("UNPACK={}_unpack", config.module),
            format!("N={}", config.lanes),
            format!("STRIP=1'b{}", is(Signature::Strip)),
            format!("FLAG=1'b{}", is(Signature::Flag)),
        ];
        let flags = [
            ("AXIS", config.form == Form::Axis),
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

/// The lemmas' names for blocks, and their places in the core.
const PLACES: [(&str, &str); 6] = [
    (r"\PIECES.", r"\dut.pipeline.pieces."),
    (r"\SCALAR.", r"\dut.pipeline.scalar."),
    (r"\EVENTS.", r"\dut.pipeline.events."),
    (r"\PIPELINE.", r"\dut.pipeline."),
    (r"\FIFO.", r"\dut.fifo."),
    (r"\CREDITS.", r"\dut.credits."),
];
/// Words of the FIFO. A line about word `[#]` is one about each.
const FIFO_WORDS: usize = 32;

/// A text with its blocks' places, and its lines for every word of a memory.
fn placed(text: &str) -> String {
    let replace = |text: String, (block, place): &(&str, &str)| text.replace(block, place);
    let placed = PLACES.iter().fold(text.to_string(), replace);
    let lines = placed.lines().flat_map(|line| match line.contains("[#]") {
        true => (0..FIFO_WORDS)
            .map(|word| line.replace("[#]", &format!("[{word}]")))
            .collect(),
        false => vec![line.to_string()],
    });
    lines.map(|line| line + "\n").collect()
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
                for unplaced in PLACES.iter().map(|(block, _)| *block).chain(["[#]"]) {
                    assert!(!text.contains(unplaced), "{unplaced} in {name}");
                }
            }
        }
    }
}
