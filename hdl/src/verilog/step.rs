//! The steps of a program, which are done with places of one array of bits.

use super::expression::{Operator, Reduction};
use std::ops::Range;

/// Some of the bits.
#[derive(Clone, Copy)]
pub struct Place {
    pub low: usize,
    pub width: usize,
}

impl Place {
    pub fn part(self, low: usize, width: usize) -> Self {
        assert!(low + width <= self.width, "bits beyond a net's");
        let low = self.low + low;
        Self { low, width }
    }

    pub fn end(self) -> usize {
        self.low + self.width
    }
}

/// What is done with bits.
pub enum Step {
    /// A result, into a place above its operands.
    Compute(Operation, Place),
    Copy(Place, Place),
    /// To a memory's address, a word: when the clock has passed.
    Write(usize, Place, Place),
    If(Place, Vec<Step>, Vec<Step>),
}

pub enum Operation {
    Not(Place),
    Reduce(Reduction, Place),
    Binary(Place, Operator, Place),
    Choose(Place, Place, Place),
    /// The word of a memory at an address.
    Read(usize, Place),
}

/// Words, one after the other.
pub struct Memory {
    pub width: usize,
    pub words: Vec<bool>,
}

impl Memory {
    /// Where the word of an address lies.
    fn word(&self, address: &[bool]) -> Range<usize> {
        let low = self.width * number(address);
        low..low + self.width
    }
}

/// A number of up to 64 bits.
pub fn number(bits: &[bool]) -> usize {
    assert!(bits.len() <= 64, "{} bits as a number", bits.len());
    bits.iter()
        .rev()
        .fold(0, |number, &bit| number << 1 | usize::from(bit))
}

/// Does steps, one after the other. What is `written` is on its way: memory, place in it, word.
pub fn run(
    steps: &[Step],
    bits: &mut [bool],
    memories: &[Memory],
    written: &mut Vec<(usize, Range<usize>, Place)>,
) {
    for step in steps {
        match step {
            Step::Compute(operation, to) => {
                let (operands, result) = bits.split_at_mut(to.low);
                compute(operation, operands, memories, &mut result[..to.width]);
            }
            Step::Copy(from, to) => bits.copy_within(from.low..from.end(), to.low),
            Step::Write(memory, address, word) => {
                let at = memories[*memory].word(&bits[address.low..address.end()]);
                written.push((*memory, at, *word));
            }
            Step::If(test, then, otherwise) => {
                let steps = if bits[test.low] { then } else { otherwise };
                run(steps, bits, memories, written);
            }
        }
    }
}

fn compute(operation: &Operation, bits: &[bool], memories: &[Memory], result: &mut [bool]) {
    let at = |place: &Place| &bits[place.low..place.end()];
    match operation {
        Operation::Not(of) => each(result, at(of), at(of), |a, _| !a),
        Operation::Reduce(reduction, of) => {
            let mut bits = at(of).iter().copied();
            result[0] = match reduction {
                Reduction::Any => bits.any(|bit| bit),
                Reduction::All => bits.all(|bit| bit),
                Reduction::Odd => bits.fold(false, |odd, bit| odd ^ bit),
            };
        }
        Operation::Choose(test, then, otherwise) => {
            let chosen = if bits[test.low] { then } else { otherwise };
            result.copy_from_slice(at(chosen));
        }
        Operation::Read(memory, address) => {
            let memory = &memories[*memory];
            match memory.words.get(memory.word(at(address))) {
                Some(word) => result.copy_from_slice(word),
                None => result.fill(true),
            }
        }
        Operation::Binary(left, operator, right) => binary(at(left), *operator, at(right), result),
    }
}

fn each(result: &mut [bool], left: &[bool], right: &[bool], of: impl Fn(bool, bool) -> bool) {
    for ((result, &left), &right) in result.iter_mut().zip(left).zip(right) {
        *result = of(left, right);
    }
}

fn binary(left: &[bool], operator: Operator, right: &[bool], result: &mut [bool]) {
    match operator {
        Operator::And => each(result, left, right, |a, b| a & b),
        Operator::Or => each(result, left, right, |a, b| a | b),
        Operator::Xor => each(result, left, right, |a, b| a ^ b),
        Operator::Equal => result[0] = left == right,
        Operator::Less => result[0] = left.iter().rev().lt(right.iter().rev()),
        Operator::Add => {
            let mut carry = false;
            for ((result, &a), &b) in result.iter_mut().zip(left).zip(right) {
                *result = a ^ b ^ carry;
                carry = (a & b) | (carry & (a | b));
            }
        }
        Operator::Sub => {
            let mut borrow = false;
            for ((result, &a), &b) in result.iter_mut().zip(left).zip(right) {
                *result = a ^ b ^ borrow;
                borrow = (!a & (b | borrow)) | (b & borrow);
            }
        }
        Operator::ShiftLeft | Operator::ShiftRight => {
            let by = number(right).min(left.len());
            let rest = left.len() - by;
            result.fill(false);
            match operator {
                Operator::ShiftLeft => result[by..].copy_from_slice(&left[..rest]),
                _ => result[..rest].copy_from_slice(&left[by..]),
            }
        }
        other => panic!("no description has {other:?} yet"),
    }
}
