//! A block by itself, for its own tests: in Rust-HDL's simulator, and its [`Body`] as Verilog would run it.

use crate::embedded::settle;
use crate::primitives::wires::from_bits;
use crate::verilog::{self, Body, Expression, Literal, Operator, Reduction, Statement};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256StarStar;
use rust_hdl::prelude::*;
use std::collections::HashMap;

/// A block with its description, and the values of the description's nets, the lowest bit first.
pub struct Bench<T> {
    pub block: T,
    body: Body,
    values: HashMap<String, Vec<bool>>,
}

impl<T: Block> Bench<T> {
    pub fn new(mut block: T) -> Self {
        block.connect_all();
        block.hdl();
        let body = verilog::take().1.expect("a block with a body");
        let registers = body.registers.iter().map(|register| &register.net);
        let values = registers.map(|net| (net.name.clone(), vec![false; net.width]));
        Self {
            values: values.collect(),
            block,
            body,
        }
    }

    /// Sets an input of the description.
    pub fn set(&mut self, input: &str, width: usize, value: u128) {
        let bits = (0..width).map(|bit| value >> bit & 1 == 1);
        self.values.insert(input.to_string(), bits.collect());
    }

    /// An output of the description.
    pub fn get(&self, output: &str) -> u64 {
        let bits = self.values[output].iter().rev();
        bits.fold(0, |value, &bit| value << 1 | u64::from(bit))
    }

    /// The inputs take effect.
    pub fn settle(&mut self) {
        settle(&mut self.block).expect("it settles");
        for statement in &self.body.assigned {
            let (target, value) = self.assigned(statement);
            self.values.insert(target, value);
        }
    }

    /// A clock passes, which `drive` brings to the block.
    pub fn clock(&mut self, drive: impl Fn(&mut T, Clock)) {
        let clocked = self.body.clocked.iter();
        let next: Vec<_> = clocked.map(|statement| self.assigned(statement)).collect();
        self.values.extend(next);
        for clk in [true, false] {
            drive(&mut self.block, Clock { clk });
            settle(&mut self.block).expect("it settles");
        }
    }

    fn assigned(&self, statement: &Statement) -> (String, Vec<bool>) {
        match statement {
            Statement::Assign {
                target: Expression::Name(target),
                value,
            } => (target.clone(), self.value(value)),
            other => panic!("this is not for a bench: {other:?}"),
        }
    }

    fn value(&self, value: &Expression) -> Vec<bool> {
        match value {
            Expression::Name(name) => self.values[name].clone(),
            Expression::Literal(literal @ Literal { width, .. }) => {
                let number = literal.value().expect("a short literal");
                (0..width.expect("a width"))
                    .map(|bit| number >> bit & 1 == 1)
                    .collect()
            }
            Expression::Bits { of, low, width } => self.values[of][*low..low + width].to_vec(),
            Expression::Not(of) => self.value(of).into_iter().map(|bit| !bit).collect(),
            Expression::Concat(parts) => parts
                .iter()
                .rev()
                .flat_map(|part| self.value(part))
                .collect(),
            Expression::Reduce(Reduction::Odd, of) => {
                vec![self.value(of).iter().fold(false, |a, b| a ^ b)]
            }
            Expression::Binary(left, operator, right) => {
                let (left, right) = (self.value(left), self.value(right));
                assert_eq!(left.len(), right.len(), "operands of one width");
                let pairs = left.into_iter().zip(right);
                let join = |(a, b): (bool, bool)| match operator {
                    Operator::And => a & b,
                    Operator::Or => a | b,
                    Operator::Xor => a ^ b,
                    other => panic!("this is not for a bench: {other:?}"),
                };
                pairs.map(join).collect()
            }
            other => panic!("this is not for a bench: {other:?}"),
        }
    }
}

/// A generator that gives the same numbers in every run.
pub fn random() -> Xoshiro256StarStar {
    Xoshiro256StarStar::seed_from_u64(3629)
}

/// A random plane of a number of lanes.
pub fn random_plane(random: &mut Xoshiro256StarStar, lanes: usize) -> u128 {
    random.random::<u128>() >> (128 - lanes)
}

/// Lanes as a plane.
pub fn plane<const N: usize>(lanes: u128) -> Bits<N> {
    from_bits(|lane| lanes >> lane & 1 == 1)
}
