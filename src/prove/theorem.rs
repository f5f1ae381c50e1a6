//! The theorems: what each says, of which cores, and the SystemVerilog that states it.

use super::definitions::{definitions, of_grammar};
use super::text::placed;
use hdl::config::{Config, CoreName, Form, Grammar};

/// A theorem. Its file's first comment is its sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theorem {
    /// Of the specification itself.
    Grammar,
    /// Of a sparse decoder's pipeline.
    Decode,
    /// Of what is around it in the form `axis`.
    Stream,
    /// Of a validator that watches.
    Validate,
    /// Of a validator that watches and forbids classes: what its verdict says of these.
    Policy,
    /// Of a validator that watches windows: which lanes are judged.
    Positions,
    /// The same: no byte of another lane influences a verdict.
    Outside,
    /// Of an encoder: the bytes of each word, before they are packed.
    Encode,
    /// Of an encoder: the bytes of words are packed without a loss.
    Packing,
    /// Of a sanitiser: what becomes of each byte, before bytes are packed.
    Sanitise,
    /// Of a validator that drops: which packets come out of their FIFO.
    Packets,
    /// Of a validator's registers' bus: every access is answered once.
    Bus,
    /// Of its registers: what a write does, and what is read.
    Writes,
    /// Of its registers: what the counters show.
    Counters,
}

/// What every theorem rests on: the ABNF, and what it says of a window of bytes.
const PACKAGES: [(&str, &str); 3] = [
    ("rfc3629.sv", include_str!("../../tests/formal/rfc3629.sv")),
    ("rfc2781.sv", include_str!("../../tests/formal/rfc2781.sv")),
    ("window.sv", include_str!("../../tests/formal/window.sv")),
];
/// The same of RFC 2279: its table, and a longer window.
const PACKAGES_2279: [(&str, &str); 4] = [
    PACKAGES[0],
    PACKAGES[1],
    ("rfc2279.sv", include_str!("../../tests/formal/rfc2279.sv")),
    (
        "window.sv",
        include_str!("../../tests/formal/window_2279.sv"),
    ),
];
/// What the proofs about decoders, validators and sanitisers share; `stream` needs the first only, and RFC 2279's `grammar` the second.
const OF_BYTES: [(&str, &str); 11] = [
    ("beat.sv", include_str!("../../tests/formal/beat.sv")),
    ("lane.sv", include_str!("../../tests/formal/lane.sv")),
    ("claims.svh", include_str!("../../tests/formal/claims.svh")),
    ("ghost.sv", include_str!("../../tests/formal/ghost.sv")),
    (
        "contract.svh",
        include_str!("../../tests/formal/contract.svh"),
    ),
    ("slot.svh", include_str!("../../tests/formal/slot.svh")),
    ("pieces.svh", include_str!("../../tests/formal/pieces.svh")),
    ("stages.svh", include_str!("../../tests/formal/stages.svh")),
    (
        "six_octets.svh",
        include_str!("../../tests/formal/six_octets.svh"),
    ),
    (
        "six_stages.svh",
        include_str!("../../tests/formal/six_stages.svh"),
    ),
    ("units.svh", include_str!("../../tests/formal/units.svh")),
];
/// What else the proof about a policy needs: the classes as Unicode has them, and lemmas of the blocks that look for them.
const OF_POLICY: [(&str, &str); 2] = [
    ("classes.sv", include_str!("../../tests/formal/classes.sv")),
    (
        "forbidden.svh",
        include_str!("../../tests/formal/forbidden.svh"),
    ),
];
/// What else the proof about a sanitiser needs.
const OF_REPAIR: [(&str, &str); 1] =
    [("repair.svh", include_str!("../../tests/formal/repair.svh"))];
/// What the proof about an encoder needs.
const OF_WORDS: [(&str, &str); 2] = [
    (
        "contract.svh",
        include_str!("../../tests/formal/contract.svh"),
    ),
    ("pairs.svh", include_str!("../../tests/formal/pairs.svh")),
];
/// What the proof about packing needs.
const OF_PACKING: [(&str, &str); 2] = [
    OF_WORDS[0],
    (
        "packing.svh",
        include_str!("../../tests/formal/packing.svh"),
    ),
];
/// The definition of the packet FIFO's lemmas, and that of the claim about a sink that is always ready.
const PROVE: &str = "PROVE";
const STEADY: &str = "STEADY";
/// The definition of a part that leans on no other, and the depth of its induction: each lemma follows from the clock before.
pub const LEMMAS: &str = "LEMMAS";
pub const LEMMAS_DEPTH: usize = 2;
const GRAMMAR: &str = include_str!("../../tests/formal/grammar.sv");
const GRAMMAR_2279: &str = include_str!("../../tests/formal/grammar_2279.sv");
const DECODE: &str = include_str!("../../tests/formal/decode.sv");
const STREAM: &str = include_str!("../../tests/formal/stream.sv");
const VALIDATE: &str = include_str!("../../tests/formal/validate.sv");
const POLICY: &str = include_str!("../../tests/formal/policy.sv");
const POSITIONS: &str = include_str!("../../tests/formal/positions.sv");
const OUTSIDE: &str = include_str!("../../tests/formal/outside.sv");
const ENCODE: &str = include_str!("../../tests/formal/encode.sv");
const PACKING: &str = include_str!("../../tests/formal/packing.sv");
const SANITISE: &str = include_str!("../../tests/formal/sanitise.sv");
const PACKETS: &str = include_str!("../../tests/formal/packets.sv");
const REGISTERS: &str = include_str!("../../tests/formal/registers.sv");
const WRITES: &str = include_str!("../../tests/formal/writes.sv");
const COUNTERS: &str = include_str!("../../tests/formal/counters.sv");
/// What the theorems about registers share: the core and the map; and, of all but the first, the bus as its contract has it.
const OF_REGISTERS: [(&str, &str); 2] = [
    (
        "registers.svh",
        include_str!("../../tests/formal/registers.svh"),
    ),
    ("bus.svh", include_str!("../../tests/formal/bus.svh")),
];

/// What a solver has to do for a theorem. Depths are clocks.
pub struct Depths {
    /// Of the k-induction that proves it for all clocks.
    pub induction: usize,
    /// Within which every cover point is reached.
    pub cover: usize,
    /// In which a counterexample is looked for if the induction fails.
    pub search: usize,
}

/// As many lanes as are proven at once.
const FEW_LANES: usize = 8;

impl Theorem {
    const ALL: [Self; 14] = [
        Self::Grammar,
        Self::Decode,
        Self::Stream,
        Self::Validate,
        Self::Policy,
        Self::Positions,
        Self::Outside,
        Self::Encode,
        Self::Packing,
        Self::Sanitise,
        Self::Packets,
        Self::Bus,
        Self::Writes,
        Self::Counters,
    ];
    /// All about registers.
    const REGISTERS: [Self; 3] = [Self::Bus, Self::Writes, Self::Counters];

    /// The theorems of a name: `registers` has more than one. An error lists all names.
    pub fn named(name: &str) -> Result<Vec<Self>, String> {
        if name == "registers" {
            return Ok(Self::REGISTERS.to_vec());
        }
        let named = Self::ALL.into_iter().find(|theorem| theorem.name() == name);
        named.map(|theorem| vec![theorem]).ok_or_else(|| {
            let names = Self::ALL.map(Self::name).join(", ");
            format!("choose one of {names}, or registers for all whose names begin with it")
        })
    }

    /// All that there are of a core, but for packing with two lanes: it takes longer than the time limit, unless that is asked for.
    pub fn of(config: &Config) -> Vec<Self> {
        let of_it: &[Self] = match (config.core.name(), config.form) {
            (CoreName::Decode, Form::Free) => &[Self::Decode],
            (CoreName::Decode, Form::Axis) => &[Self::Decode, Self::Stream],
            (CoreName::Validate, _) if config.has_registers() => &Self::REGISTERS,
            (CoreName::Validate, _) if config.core.packet_memory(config.lanes).is_some() => {
                match Self::Packets.refusal(config) {
                    None => &[Self::Packets],
                    Some(_) => &[],
                }
            }
            (CoreName::Validate, _) if config.core.policy().has_frames => &[],
            (CoreName::Validate, _) if config.core.policy().has_window => {
                &[Self::Positions, Self::Outside]
            }
            (CoreName::Validate, _) if !config.core.policy().forbid.is_empty() => &[Self::Policy],
            (CoreName::Validate, _) => &[Self::Validate],
            (CoreName::Encode, _)
                if config.lanes == 1 && Self::Packing.refusal(config).is_none() =>
            {
                &[Self::Encode, Self::Packing]
            }
            (CoreName::Encode, _) => &[Self::Encode],
            (CoreName::Sanitise, _) => &[Self::Sanitise],
        };
        [&[Self::Grammar], of_it].concat()
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Grammar => "grammar",
            Self::Decode => "decode",
            Self::Stream => "stream",
            Self::Validate => "validate",
            Self::Policy => "policy",
            Self::Positions => "positions",
            Self::Outside => "outside",
            Self::Encode => "encode",
            Self::Packing => "packing",
            Self::Sanitise => "sanitise",
            Self::Packets => "packets",
            Self::Bus => "registers-bus",
            Self::Writes => "registers-writes",
            Self::Counters => "registers-counters",
        }
    }

    fn text(self, grammar: Grammar) -> &'static str {
        match self {
            Self::Grammar if grammar.is_2279() => GRAMMAR_2279,
            Self::Grammar => GRAMMAR,
            Self::Decode => DECODE,
            Self::Stream => STREAM,
            Self::Validate => VALIDATE,
            Self::Policy => POLICY,
            Self::Positions => POSITIONS,
            Self::Outside => OUTSIDE,
            Self::Encode => ENCODE,
            Self::Packing => PACKING,
            Self::Sanitise => SANITISE,
            Self::Packets => PACKETS,
            Self::Bus => REGISTERS,
            Self::Writes => WRITES,
            Self::Counters => COUNTERS,
        }
    }

    /// What it says of a core: the comment that its file begins with, about the core's grammar.
    pub fn sentence(self, config: &Config) -> String {
        let grammar = config.core.grammar();
        let lines = self.text(grammar).lines();
        let words: Vec<&str> = lines.map_while(|line| line.strip_prefix("// ")).collect();
        let sentence = words.join(" ").replace("Theorem: ", "");
        // The specification's own theorem is in a file of its own, and names both.
        match self.is_of_a_core() && grammar.is_2279() {
            true => sentence.replace("RFC 3629", "RFC 2279"),
            false => sentence,
        }
    }

    pub fn is_of_a_core(self) -> bool {
        self != Self::Grammar
    }

    /// The pipeline is cut by lemmas at stages 3 and 8 and at the slot, so that nothing is further from a lemma than five
    /// clocks; after the slot, it takes a clock for each doubling of the lanes to add them, and one for each bit of such a sum. In a
    /// core with a depth there are lemmas of states only, such as the slot: nothing is further from these, or from an input, than the depth.
    /// That the sink has been ready is a matter of sixteen clocks; a register is read within five.
    pub fn depths(self, config: &Config) -> Depths {
        let tree = config.lanes.ilog2() as usize;
        // A lane needs two clocks more for the longest sequence of RFC 2279.
        let more = if config.core.grammar().is_2279() {
            2
        } else {
            0
        };
        let (induction, cover, search) = match (self, config.depth) {
            (Self::Grammar, _) => (3, 8, 16),
            (Self::Decode, None) => (6, 22 + more, 22 + more),
            (Self::Decode, Some(depth)) => (depth, 8 + depth + more, 8 + depth + more),
            (Self::Stream, _) => (18, 60, 60),
            (Self::Validate | Self::Policy, None) => (8 + 2 * tree, 46 + tree, 46 + tree),
            (Self::Validate | Self::Policy, Some(depth)) => (depth, 24 + depth, 24 + depth),
            // A beat's position is known after two clocks, its bytes after three.
            (Self::Positions, _) => (8, 12, 20),
            // No lemma is about all signals between the pieces' input and the counters.
            (Self::Outside, _) => (24 + 2 * tree, 30 + 2 * tree, 46 + tree),
            // What becomes of a word is known after five clocks; its bytes reach the network a clock later for each doubling.
            (Self::Encode, _) => (7, 24 + tree, 24 + tree),
            // The network has a level for each doubling of the slots; a beat's bytes are offered once they have been in all stages.
            (Self::Packing, _) => (5 + tree, 34 + tree, 34 + tree),
            (Self::Sanitise, _) => (6, 22, 22),
            // A memory that is full has taken in all of its words.
            (Self::Packets, _) => (6, 110, 20),
            (Self::Bus | Self::Writes, _) => (8, 60, 60),
            // The solver does not get as far as a counterexample, which has a write and a read: what fails is open.
            (Self::Counters, _) => (3, 50, 6),
        };
        Depths {
            induction,
            cover,
            search,
        }
    }

    /// The files, in the order in which they are read.
    pub fn files(self, config: &Config) -> Vec<(&'static str, String)> {
        let grammar = config.core.grammar();
        let packages: &[_] = match grammar {
            Grammar::Rfc3629 => &PACKAGES,
            Grammar::Rfc2279 => &PACKAGES_2279,
        };
        let lemmas = match self {
            Self::Grammar if grammar.is_2279() => &OF_BYTES[1..2],
            Self::Grammar => &[],
            Self::Stream => &OF_BYTES[..1],
            Self::Positions => &OF_WORDS[..1],
            Self::Outside | Self::Packets => &[],
            Self::Encode => &OF_WORDS[..],
            Self::Packing => &OF_PACKING[..],
            Self::Bus => &OF_REGISTERS[..1],
            Self::Writes | Self::Counters => &OF_REGISTERS[..],
            Self::Decode | Self::Validate | Self::Policy | Self::Sanitise => &OF_BYTES[..],
        };
        let others: &[_] = match self {
            Self::Policy => &OF_POLICY,
            Self::Sanitise => &OF_REPAIR,
            _ => &[],
        };
        let files = packages.iter().chain(lemmas).chain(others);
        files
            .chain(&[("theorem.sv", self.text(grammar))])
            .map(|(name, text)| (*name, placed(text, config)))
            .collect()
    }

    /// Modules of the core, without the top's name, that it says nothing about: whatever they put out, in any clock, it holds.
    pub fn cuts(self) -> &'static [&'static str] {
        match self {
            Self::Writes => &["validate", "contract", "segment", "segment_2", "segment_3"],
            Self::Counters => &["validate", "contract"],
            Self::Encode => &["room", "verdict"],
            // The words' bytes are what the theorem `encode` is about. Verdicts only hold the source back, as they like.
            Self::Packing => &["words", "slots", "verdict", "credits_2"],
            Self::Sanitise => &["verdict"],
            Self::Positions => &["pieces", "beginning", "verdict"],
            Self::Outside => &["window"],
            _ => &[],
        }
    }

    /// The parts in which it is proven, each with definitions of its own: claims.svh says how they lean on each other. An encoder's delays
    /// are memories, which are hard to prove together with what they delay; they are proven by themselves, and the other part leans on
    /// them. What packing is about is proven in five parts, which take less time than the whole. Of a few lanes the whole is quicker; and each part takes time to read the core, so that there are no more than five.
    /// Counters are proven one by one, because all at once are far harder than each by itself.
    pub fn parts(self, config: &Config) -> Vec<Vec<String>> {
        if self == Self::Counters {
            let counters = 0..hdl::csr::map::COUNTERS;
            return counters.map(|it| vec![format!("COUNTER={it}")]).collect();
        }
        if self == Self::Encode {
            return vec![vec![LEMMAS.to_string()], vec!["REST".to_string()]];
        }
        if self == Self::Packets {
            let prove = || PROVE.to_string();
            return vec![vec![prove()], vec![prove(), STEADY.to_string()]];
        }
        if self == Self::Packing {
            let parts = ["STAGES", "PINS", "WAYS", "RING", "COUNTS"];
            return parts
                .map(|part| vec!["PART".to_string(), part.to_string()])
                .to_vec();
        }
        let lanes = FEW_LANES.max(config.lanes / 4);
        let has_parts = matches!(self, Self::Decode | Self::Validate | Self::Sanitise);
        if !has_parts || config.lanes <= lanes {
            return vec![Vec::new()];
        }
        let of_lanes = (0..config.lanes)
            .step_by(lanes)
            .map(|first| vec![format!("FIRST={first}"), format!("END={}", first + lanes)]);
        std::iter::once(vec!["BEAT".to_string()])
            .chain(of_lanes)
            .collect()
    }

    /// Whether its design begins in any state, and what is undefined may be anything.
    pub fn begins_anyhow(self) -> bool {
        self == Self::Packets
    }

    /// Whether a part leans on the claims of others.
    pub fn leans(self, part: &[String]) -> bool {
        !(part.is_empty() || part == [LEMMAS] || self == Self::Packets)
    }

    /// The definitions that they are read with.
    pub fn definitions(self, config: &Config) -> Vec<String> {
        match self.is_of_a_core() {
            true => definitions(config),
            false => of_grammar(config.core.grammar()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prove::text::PLACES;
    use hdl::config::Request;

    #[test]
    fn every_theorem_has_a_sentence_and_no_name_is_left_unplaced() {
        for (core, csr, grammar, forbid) in [
            (CoreName::Decode, None, None, None),
            (CoreName::Decode, None, Some(Grammar::Rfc2279), None),
            (CoreName::Validate, None, None, None),
            (CoreName::Validate, None, Some(Grammar::Rfc2279), None),
            (CoreName::Validate, Some(true), None, None),
            (CoreName::Validate, None, None, Some("c1,from-0300")),
            (CoreName::Encode, None, None, None),
            (CoreName::Encode, None, Some(Grammar::Rfc2279), None),
            (CoreName::Sanitise, None, None, None),
        ] {
            let request = Request {
                core: Some(core),
                csr,
                grammar,
                forbid: forbid.map(|classes| classes.parse().expect("classes")),
                ..Request::default()
            };
            let config = request.resolve().expect("it exists");
            for theorem in Theorem::of(&config) {
                let sentence = theorem.sentence(&config);
                assert!(sentence.len() > 80 && sentence.ends_with('.'), "{sentence}");
                let is_other = config.core.grammar().is_2279() && theorem.is_of_a_core();
                assert!(!is_other || !sentence.contains("RFC 3629"), "{sentence}");
                for (name, text) in theorem.files(&config) {
                    let blocks = PLACES.iter().map(|(block, _)| *block);
                    for unplaced in blocks.chain([
                        r"\PIECES.",
                        r"\REPAIR.",
                        r"\FIFO.",
                        r"\STATE_",
                        "each(",
                        "<LEVELS>",
                    ]) {
                        assert!(!text.contains(unplaced), "{unplaced} in {name}");
                    }
                }
            }
        }
    }
}
