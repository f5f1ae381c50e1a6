//! Compiles the grammar's data into the automaton that the oracle walks.
//!
//! The productions and the faults are the patterns of a nondeterministic automaton: a set of them is alive after each
//! byte. Subset construction (each set of live patterns becomes a state) makes it deterministic, and a dense table of
//! state x byte makes a step one look-up, so that the oracle is fast enough to be asked about every byte of a long run.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::grammar::{FAULTS, PRODUCTIONS, TAIL_BITS};
use crate::kind::Kind;

/// The compiled grammar, shared by all oracles.
pub(crate) static TABLE: LazyLock<Table> = LazyLock::new(Table::compile);

/// A byte that is settled at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Settled {
    Nothing,
    /// A sequence ends here.
    Scalar,
    /// The byte is ill-formed by itself.
    IllFormed(Kind),
}

/// What a byte does in a state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub next: u8,
    /// The bits of this byte that belong to the scalar value.
    pub mask: u8,
    /// How many they are: earlier bits move up by so many.
    pub shift: u8,
    /// Whether this byte continues the sequence in progress; if not, its bits are the value's first.
    pub continues: bool,
    /// The piece that this byte cuts: its kind and length.
    pub before: Option<(Kind, u8)>,
    pub settled: Settled,
}

/// A pattern that the bytes since the last piece still match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Live {
    /// The production with this index.
    Production(usize),
    /// The fault with this index, waiting for the byte after its lead.
    Fault(usize),
}

/// The bytes since the last piece: how many, and what they match, in the order of the grammar.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Subset {
    length: u8,
    live: Vec<Live>,
}

pub(crate) struct Table {
    /// For each state, what each byte does.
    steps: Vec<[Step; 256]>,
    /// For each state, the length of the unfinished piece.
    lengths: Vec<u8>,
}

impl Table {
    /// The state between pieces.
    pub const START: u8 = 0;

    #[inline]
    pub fn step(&self, state: u8, byte: u8) -> Step {
        self.steps[usize::from(state)][usize::from(byte)]
    }

    #[inline]
    pub fn open_length(&self, state: u8) -> u8 {
        self.lengths[usize::from(state)]
    }

    fn compile() -> Self {
        let mut builder = Builder::new();
        let mut steps = Vec::new();
        // Building a row may find new subsets at the end of the list; the walk ends when none is left without a row.
        while let Some(subset) = builder.subsets.get(steps.len()).cloned() {
            let row: Vec<Step> = (0..=0xFF).map(|byte| builder.step(&subset, byte)).collect();
            steps.push(row.try_into().expect("a row has 256 steps"));
        }
        let lengths = builder.subsets.iter().map(|s| s.length).collect();
        Self { steps, lengths }
    }
}

/// The subsets found so far; a subset's index is its state.
struct Builder {
    subsets: Vec<Subset>,
    states: HashMap<Subset, u8>,
}

impl Builder {
    fn new() -> Self {
        let mut builder = Self {
            subsets: Vec::new(),
            states: HashMap::new(),
        };
        let start = builder.state(start());
        assert_eq!(start, Table::START);
        builder
    }

    fn state(&mut self, subset: Subset) -> u8 {
        if let Some(&state) = self.states.get(&subset) {
            return state;
        }
        let state = u8::try_from(self.subsets.len()).expect("the grammar has few states");
        self.states.insert(subset.clone(), state);
        self.subsets.push(subset);
        state
    }

    /// What `byte` does after the bytes that `subset` stands for.
    fn step(&mut self, subset: &Subset, byte: u8) -> Step {
        match self.advance(subset, byte) {
            Some(step) => step,
            // The byte cannot continue: the piece before it ends, and the byte is looked at again as a first one.
            None if subset.length > 0 => Step {
                before: Some((cut_kind(subset, byte), subset.length)),
                ..self.step(&start(), byte)
            },
            None => Step {
                next: Table::START,
                mask: 0,
                shift: 0,
                continues: false,
                before: None,
                settled: Settled::IllFormed(lone_kind(byte)),
            },
        }
    }

    /// The step if `byte` continues (or, at the start, begins) a production.
    fn advance(&mut self, subset: &Subset, byte: u8) -> Option<Step> {
        let position = usize::from(subset.length);
        let matched: Vec<usize> = subset
            .live
            .iter()
            .filter_map(|&live| match live {
                Live::Production(index) => PRODUCTIONS[index].bytes[position]
                    .contains(byte)
                    .then_some(index),
                Live::Fault(_) => None,
            })
            .collect();
        let &first = matched.first()?;
        let ends = PRODUCTIONS[first].bytes.len() == position + 1;
        let bits = match position {
            0 => PRODUCTIONS[first].lead_bits,
            _ => TAIL_BITS,
        };
        // The grammar is unambiguous, which is what makes the split of a packet into pieces the only one.
        for &other in &matched {
            assert_eq!(PRODUCTIONS[other].bytes.len() == position + 1, ends);
            assert_eq!(PRODUCTIONS[other].lead_bits, PRODUCTIONS[first].lead_bits);
        }
        let next = if ends {
            Table::START
        } else {
            let productions = matched.into_iter().map(Live::Production);
            // A fault waits for the byte right after its lead, and no longer.
            let faults = (0..FAULTS.len())
                .filter(|&f| position == 0 && FAULTS[f].before.is_some())
                .filter(|&f| FAULTS[f].lead.contains(byte))
                .map(Live::Fault);
            self.state(Subset {
                length: subset.length + 1,
                live: productions.chain(faults).collect(),
            })
        };
        Some(Step {
            next,
            mask: u8::try_from((1_u32 << bits) - 1).expect("a byte has at most seven scalar bits"),
            shift: u8::try_from(bits).expect("a byte has at most seven scalar bits"),
            continues: position > 0,
            before: None,
            settled: if ends {
                Settled::Scalar
            } else {
                Settled::Nothing
            },
        })
    }
}

/// Before the first byte of a piece every production is possible.
fn start() -> Subset {
    Subset {
        length: 0,
        live: (0..PRODUCTIONS.len()).map(Live::Production).collect(),
    }
}

/// The kind of an unfinished piece that `byte` cuts.
fn cut_kind(subset: &Subset, byte: u8) -> Kind {
    subset
        .live
        .iter()
        .find_map(|&live| match live {
            Live::Fault(index) => FAULTS[index]
                .before
                .is_some_and(|before| before.contains(byte))
                .then_some(FAULTS[index].kind),
            Live::Production(_) => None,
        })
        .unwrap_or(Kind::Truncated)
}

/// The kind of a byte that begins nothing.
fn lone_kind(byte: u8) -> Kind {
    FAULTS
        .iter()
        .find(|fault| fault.before.is_none() && fault.lead.contains(byte))
        .map(|fault| fault.kind)
        .expect("a byte that begins no production has a fault of its own")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One state between pieces, and one for each proper prefix of each production but the one-byte one: 1 + 1*1 +
    /// 4*2 + 3*3. Fewer would mean that two productions were taken for one, more that one was split.
    #[test]
    fn has_a_state_for_each_proper_prefix_of_a_production() {
        assert_eq!(TABLE.steps.len(), 19);
        assert_eq!(TABLE.lengths.len(), 19);
        assert_eq!(TABLE.lengths[usize::from(Table::START)], 0);
        assert!(TABLE.lengths[1..].iter().all(|l| (1..=3).contains(l)));
    }
}
