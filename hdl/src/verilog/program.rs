//! A body as steps over one array of bits: the pins, registers and wires, then what is in between.
//!
//! Operands have one width, each net has one driver, and a wire is assigned before it is read, else loading panics. (Verilog would extend
//! operands in silence, and knows no order of wires.)

use super::body::{Body, Statement};
use super::expression::{Expression, Literal, Operator};
use super::step::{Memory, Operation, Place, Step, run};
use std::collections::HashMap;
use std::ops::Range;

/// A description as it runs.
#[derive(Default)]
pub struct Program {
    bits: Vec<bool>,
    nets: HashMap<String, Place>,
    /// What each register will hold.
    nexts: HashMap<String, Place>,
    memory_names: HashMap<String, usize>,
    memories: Vec<Memory>,
    /// Each register: what it holds, and what it will.
    registers: Vec<(Place, Place)>,
    assigned: Vec<Step>,
    clocked: Vec<Step>,
    /// Words that are on their way: memory, place in it, word.
    written: Vec<(usize, Range<usize>, Place)>,
    /// What an input was before.
    before: Vec<bool>,
}

impl Program {
    /// Makes room for the nets of an input.
    pub fn input(&mut self, nets: Vec<(String, usize)>) -> Place {
        let low = self.bits.len();
        for (net, width) in nets {
            let place = self.room(width);
            self.add(net, place);
        }
        let width = self.bits.len() - low;
        Place { low, width }
    }

    /// The nets of an output, one after the other.
    pub fn output(&mut self, nets: Vec<(String, usize)>) -> Place {
        let parts = nets.into_iter().map(|(net, width)| {
            let place = self.net(&net);
            assert_eq!(place.width, width, "bits assigned to {net}");
            place
        });
        let parts: Vec<Place> = parts.collect();
        let mut steps = std::mem::take(&mut self.assigned);
        let place = self.joined(&parts, &mut steps);
        self.assigned = steps;
        place
    }

    /// Takes a description, whose inputs are there.
    pub fn load(&mut self, body: &Body) {
        for register in &body.registers {
            let [now, next] = [(); 2].map(|()| self.room(register.net.width));
            self.registers.push((now, next));
            self.nexts.insert(register.net.name.clone(), next);
            self.add(register.net.name.clone(), now);
        }
        for memory in &body.memories {
            let (width, words) = (memory.net.width, memory.words);
            let name = memory.net.name.clone();
            self.memory_names.insert(name, self.memories.len());
            let words = vec![false; words * width];
            self.memories.push(Memory { width, words });
        }
        let mut steps = Vec::new();
        for statement in &body.assigned {
            let Statement::Assign {
                target: Expression::Name(net),
                value,
            } = statement
            else {
                panic!("a wire is assigned as a whole: {statement:?}");
            };
            let value = self.value(value, &mut steps);
            if let Some(wire) = body.wires.iter().find(|wire| wire.name == *net) {
                assert_eq!(value.width, wire.width, "bits assigned to {net}");
            }
            self.add(net.clone(), value);
        }
        self.assigned = steps;
        self.clocked = self.statements(&body.clocked);
    }

    /// Sets the bits of an input; whether that changes them.
    pub fn set(&mut self, place: Place, read: impl FnOnce(&mut [bool])) -> bool {
        let bits = &mut self.bits[place.low..place.end()];
        self.before.clear();
        self.before.extend_from_slice(bits);
        read(bits);
        *bits != self.before
    }

    pub fn get(&self, place: Place) -> &[bool] {
        &self.bits[place.low..place.end()]
    }

    /// Inputs that have `changed` take effect, and then a clock that has `passed`.
    pub fn run(&mut self, changed: bool, passed: bool) {
        if changed {
            self.steps(false);
        }
        if !passed {
            return;
        }
        for (now, next) in &self.registers {
            self.bits.copy_within(now.low..now.end(), next.low);
        }
        self.steps(true);
        for (memory, at, word) in self.written.drain(..) {
            // An address beyond the words is none. The word may be a register's, so these come first.
            if let Some(place) = self.memories[memory].words.get_mut(at) {
                place.copy_from_slice(&self.bits[word.low..word.end()]);
            }
        }
        for (now, next) in &self.registers {
            self.bits.copy_within(next.low..next.end(), now.low);
        }
        self.steps(false);
    }

    fn add(&mut self, net: String, place: Place) {
        let before = self.nets.insert(net.clone(), place);
        assert!(before.is_none(), "{net} is driven twice");
    }

    fn room(&mut self, width: usize) -> Place {
        let low = self.bits.len();
        self.bits.resize(low + width, false);
        Place { low, width }
    }

    fn net(&self, name: &str) -> Place {
        let place = self.nets.get(name);
        *place.unwrap_or_else(|| panic!("{name} is not there, or not yet"))
    }

    /// What is at the end of these steps in the place of an expression.
    fn value(&mut self, value: &Expression, steps: &mut Vec<Step>) -> Place {
        match value {
            Expression::Name(name) => self.net(name),
            Expression::Bits { of, low, width } => self.net(of).part(*low, *width),
            Expression::Literal(literal) => self.literal(literal),
            // All ones, which nobody should see.
            Expression::Undefined(width) => {
                let place = self.room(*width);
                self.bits[place.low..].fill(true);
                place
            }
            Expression::At(memory, address) => {
                let address = self.value(address, steps);
                let memory = self.memory_names[memory];
                let read = Operation::Read(memory, address);
                self.computed(read, self.memories[memory].width, steps)
            }
            Expression::Not(of) => {
                let of = self.value(of, steps);
                self.computed(Operation::Not(of), of.width, steps)
            }
            Expression::Reduce(reduction, of) => {
                let of = self.value(of, steps);
                self.computed(Operation::Reduce(*reduction, of), 1, steps)
            }
            Expression::Binary(left, operator, right) => {
                let [left, right] = [left, right].map(|part| self.value(part, steps));
                let is_shift = matches!(operator, Operator::ShiftLeft | Operator::ShiftRight);
                assert!(is_shift || left.width == right.width, "{value:?}");
                let width = match operator {
                    Operator::Equal | Operator::Less => 1,
                    _ => left.width,
                };
                self.computed(Operation::Binary(left, *operator, right), width, steps)
            }
            Expression::Choose(test, then, otherwise) => {
                let all = [test, then, otherwise].map(|part| self.value(part, steps));
                let [test, then, otherwise] = all;
                assert_eq!((test.width, then.width), (1, otherwise.width), "{value:?}");
                self.computed(Operation::Choose(test, then, otherwise), then.width, steps)
            }
            Expression::Concat(parts) => {
                let parts = parts.iter().rev();
                let parts: Vec<Place> = parts.map(|part| self.value(part, steps)).collect();
                self.joined(&parts, steps)
            }
            Expression::Repeat(times, of) => {
                let of = self.value(of, steps);
                self.joined(&vec![of; *times], steps)
            }
        }
    }

    fn computed(&mut self, operation: Operation, width: usize, steps: &mut Vec<Step>) -> Place {
        let to = self.room(width);
        steps.push(Step::Compute(operation, to));
        to
    }

    /// Parts in one place, the lowest first.
    fn joined(&mut self, parts: &[Place], steps: &mut Vec<Step>) -> Place {
        if let [only] = parts {
            return *only;
        }
        let to = self.room(parts.iter().map(|part| part.width).sum());
        let mut low = 0;
        for part in parts {
            steps.push(Step::Copy(*part, to.part(low, part.width)));
            low += part.width;
        }
        to
    }

    fn literal(&mut self, literal: &Literal) -> Place {
        let place = self.room(literal.width.expect("a literal has a width"));
        for (index, digit) in literal.digits.bytes().rev().enumerate() {
            let digit = (digit as char).to_digit(16).expect("hexadecimal digits");
            for bit in (0..4).filter(|bit| digit >> bit & 1 == 1) {
                let place = place.part(4 * index + bit, 1);
                self.bits[place.low] = true;
            }
        }
        place
    }

    /// What happens at a clock.
    fn statements(&mut self, statements: &[Statement]) -> Vec<Step> {
        let mut steps = Vec::new();
        for statement in statements {
            match statement {
                Statement::Assign {
                    target: Expression::At(memory, address),
                    value,
                } => {
                    let [address, value] = [&**address, value].map(|it| self.value(it, &mut steps));
                    let memory = self.memory_names[memory];
                    assert_eq!(value.width, self.memories[memory].width, "{statement:?}");
                    steps.push(Step::Write(memory, address, value));
                }
                Statement::Assign { target, value } => {
                    let value = self.value(value, &mut steps);
                    let target = self.target(target);
                    assert_eq!(target.width, value.width, "{statement:?}");
                    steps.push(Step::Copy(value, target));
                }
                Statement::If {
                    test,
                    then,
                    otherwise,
                } => {
                    let test = self.value(test, &mut steps);
                    assert_eq!(test.width, 1, "{statement:?}");
                    let [then, otherwise] = [then, otherwise].map(|it| self.statements(it));
                    steps.push(Step::If(test, then, otherwise));
                }
            }
        }
        steps
    }

    /// What a register will hold, or bits of it.
    fn target(&self, target: &Expression) -> Place {
        let next = |name: &str| {
            let next = self.nexts.get(name);
            *next.unwrap_or_else(|| panic!("{name} is no register"))
        };
        match target {
            Expression::Name(name) => next(name),
            Expression::Bits { of, low, width } => next(of).part(*low, *width),
            other => panic!("no register: {other:?}"),
        }
    }

    fn steps(&mut self, of_clock: bool) {
        let steps = if of_clock {
            &self.clocked
        } else {
            &self.assigned
        };
        run(steps, &mut self.bits, &self.memories, &mut self.written);
    }
}

#[cfg(test)]
mod tests;
