//! Compiles a grammar's data into the automaton that the oracle walks.
//!
//! The productions and the faults are the patterns of a nondeterministic automaton: a set of them is alive after each
//! byte. Subset construction (each set of live patterns becomes a state) makes it deterministic, and a dense table of
//! state x byte makes a step one look-up, so that the oracle is fast enough to be asked about every byte of a long run.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::grammar::{Fault, Grammar, Production, TAIL_BITS};
use crate::kind::Kind;

/// The compiled grammars, each shared by all oracles that walk it.
static RFC3629: LazyLock<Table> = LazyLock::new(|| Table::compile(Grammar::Rfc3629));
static RFC2279: LazyLock<Table> = LazyLock::new(|| Table::compile(Grammar::Rfc2279));

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

    /// The table of a grammar, which is compiled at the first call.
    pub fn of(grammar: Grammar) -> &'static Self {
        match grammar {
            Grammar::Rfc3629 => &RFC3629,
            Grammar::Rfc2279 => &RFC2279,
        }
    }

    fn compile(grammar: Grammar) -> Self {
        let mut builder = Builder::new(grammar);
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
    productions: &'static [Production],
    faults: &'static [Fault],
    subsets: Vec<Subset>,
    states: HashMap<Subset, u8>,
}

impl Builder {
    fn new(grammar: Grammar) -> Self {
        let mut builder = Self {
            productions: grammar.productions(),
            faults: grammar.faults(),
            subsets: Vec::new(),
            states: HashMap::new(),
        };
        let start = builder.start();
        let start = builder.state(start);
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
                before: Some((self.cut_kind(subset, byte), subset.length)),
                ..self.step(&self.start(), byte)
            },
            None => Step {
                next: Table::START,
                mask: 0,
                shift: 0,
                continues: false,
                before: None,
                settled: Settled::IllFormed(self.lone_kind(byte)),
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
                Live::Production(index) => self.productions[index].bytes[position]
                    .contains(byte)
                    .then_some(index),
                Live::Fault(_) => None,
            })
            .collect();
        let &first = matched.first()?;
        let ends = self.productions[first].bytes.len() == position + 1;
        let bits = match position {
            0 => self.productions[first].lead_bits,
            _ => TAIL_BITS,
        };
        // The grammar is unambiguous, which is what makes the split of a packet into pieces the only one.
        for &other in &matched {
            assert_eq!(self.productions[other].bytes.len() == position + 1, ends);
            assert_eq!(
                self.productions[other].lead_bits,
                self.productions[first].lead_bits
            );
        }
        let next = if ends {
            Table::START
        } else {
            let productions = matched.into_iter().map(Live::Production);
            // A fault waits for the byte right after its lead, and no longer.
            let faults = (0..self.faults.len())
                .filter(|&f| position == 0 && self.faults[f].before.is_some())
                .filter(|&f| self.faults[f].lead.contains(byte))
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

    /// Before the first byte of a piece every production is possible.
    fn start(&self) -> Subset {
        Subset {
            length: 0,
            live: (0..self.productions.len()).map(Live::Production).collect(),
        }
    }

    /// The kind of an unfinished piece that `byte` cuts.
    fn cut_kind(&self, subset: &Subset, byte: u8) -> Kind {
        subset
            .live
            .iter()
            .find_map(|&live| match live {
                Live::Fault(index) => self.faults[index]
                    .before
                    .is_some_and(|before| before.contains(byte))
                    .then_some(self.faults[index].kind),
                Live::Production(_) => None,
            })
            .unwrap_or(Kind::Truncated)
    }

    /// The kind of a byte that begins nothing.
    fn lone_kind(&self, byte: u8) -> Kind {
        self.faults
            .iter()
            .find(|fault| fault.before.is_none() && fault.lead.contains(byte))
            .map(|fault| fault.kind)
            .expect("a byte that begins no production has a fault of its own")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One state between pieces, and one for each proper prefix of each production but the one-byte one: 1 + 1*1 +
    /// 4*2 + 3*3, and in RFC 2279 1 + 1*1 + 4*2 + 2*3 + 2*4 + 2*5. Fewer would mean that two productions were taken for
    /// one, more that one was split.
    #[test]
    fn has_a_state_for_each_proper_prefix_of_a_production() {
        for (grammar, states, longest) in [(Grammar::Rfc3629, 19, 3), (Grammar::Rfc2279, 34, 5)] {
            let Table { steps, lengths } = Table::of(grammar);
            assert_eq!(steps.len(), states, "{grammar:?}");
            assert_eq!(lengths.len(), states, "{grammar:?}");
            assert_eq!(lengths[usize::from(Table::START)], 0, "{grammar:?}");
            let mut prefixes = lengths[1..].to_vec();
            prefixes.sort();
            prefixes.dedup();
            assert!(prefixes.into_iter().eq(1..=longest), "{grammar:?}");
        }
    }
}
