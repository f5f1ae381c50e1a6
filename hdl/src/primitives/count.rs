//! How many lanes of a plane are set.
//!
//! [`Count`] is a tree of adders over the lanes. Each takes two numbers and, as its carry, a lane, so that `2^k - 1`
//! lanes need no more than `2^k - k - 1` full adders; the one lane that is left is for the carry of whoever adds the
//! count. Every adder takes a bit a clock, so that no path is longer than one full adder: bit `b` of a sum is a clock
//! later than bit `b - 1`, and the next adder takes it as it comes, as does [`crate::validate::counter`] at the end.
//! [`CountLow`] is for lanes that are set from the lowest up, without a hole: bit `b` is the parity of every `2^b`th.
//!
//! # Latency
//! [`latency`] clocks, a beat in every clock; of a [`Count`], bit 0.
//!
//! # Reset
//! None.

use crate::primitives::{Cuts, blank};
use crate::verilog::{Body, Expression, Operator, Run, bit, bits, concat, name, zero};
use hdl_macros::{Blank, Block, Described, once};
use rust_hdl::prelude::*;

/// Clocks from a plane to its count.
pub const fn latency(lanes: usize) -> usize {
    lanes.ilog2() as usize
}

/// Bits of a [`Count`], without the one more.
pub const fn bits_of(lanes: usize) -> usize {
    lanes.ilog2() as usize
}

/// Bits of a [`CountLow`].
pub const fn bits_of_low(lanes: usize) -> usize {
    lanes.ilog2() as usize + 1
}

/// Which clocks a tree takes, of those that it can: step 1 is the clock of its first level.
#[derive(Clone, Debug, Default)]
pub struct Steps(Vec<bool>);

impl Steps {
    /// Those of which the stages have registers; the ones after them are all there.
    pub fn of(cuts: Cuts, stages: impl IntoIterator<Item = i32>) -> Self {
        Self(stages.into_iter().map(|stage| cuts.has(stage)).collect())
    }

    pub fn has(&self, step: usize) -> bool {
        self.0.get(step - 1).copied().unwrap_or(true)
    }
}

/// The sum and the carry of two bits, and of the carry of the bit below if there is one.
pub fn add(a: Expression, b: Expression, carry: Option<Expression>) -> (Expression, Expression) {
    let (sum, both) = (a.clone() ^ b.clone(), a.clone() & b.clone());
    match carry {
        None => (sum, both),
        Some(carry) => (sum ^ carry.clone(), both | (carry & (a | b))),
    }
}

/// Counts the lanes that are set: the top one by itself, the others as a number of which bit `b` is `b` clocks late.
#[derive(Blank, Block, Described)]
pub struct Count<const N: usize> {
    pub clock: Signal<In, Clock>,
    pub x: Signal<In, Bits<N>>,
    pub y: Signal<Out, Bits<8>>,
    /// One more than `y`.
    pub one: Signal<Out, Bit>,
    _steps: Steps,
    _run: Run,
}

impl<const N: usize> Count<N> {
    pub fn new(steps: Steps) -> Self {
        Self {
            _steps: steps,
            ..blank()
        }
    }

    #[once(N, takes: &Steps = &self._steps)]
    fn body(&self, mut body: Body) -> Body {
        const { assert!(N.is_power_of_two() && N <= 128) }
        if N == 1 {
            return body.assign("y", zero(8)).assign("one", name("x"));
        }
        let has = |step: usize| takes.has(step);
        // The bits of a level's numbers, each with a number's bit in every lane, and the lanes that are left: a net,
        // and from which bit.
        let mut doc = "Level by level: sums of two numbers and a lane, bit by bit, with their carries; the lanes that are left.";
        let mut numbers = vec![("x".to_string(), 0)];
        let mut left = ("x".to_string(), N / 2);
        for level in 1..latency(N) {
            let lanes = N >> (level + 1);
            let half =
                |(of, low): &(String, usize), upper: usize| bits(of, low + upper * lanes, lanes);
            let mut carry = half(&left, 0);
            for (index, number) in numbers.iter_mut().enumerate() {
                let (a, b) = (half(number, 0), half(number, 1));
                let sum = format!("sum_{level}_{index}");
                let carries = format!("carry_{level}_{index}");
                let (next, over) = add(a, b, Some(carry));
                body = (body.staged(
                    has(level + index),
                    &sum,
                    lanes,
                    std::mem::take(&mut doc),
                    next,
                ))
                .staged(has(level + index), &carries, lanes, "", over);
                carry = name(carries);
                *number = (sum, 0);
            }
            let (top, rest) = (format!("sum_{level}_{level}"), format!("left_{level}"));
            body = (body.staged(has(2 * level), &top, lanes, "", carry)).staged(
                has(level),
                &rest,
                lanes,
                "",
                half(&left, 1),
            );
            numbers.push((top, 0));
            left = (rest, 0);
        }
        let width = numbers.len();
        let all = (numbers.into_iter().chain([left])).map(|(of, low)| bit(of, low));
        let doc = "The count: its number, of which each bit is a clock later, and the one more.";
        let steps = (0..width).map(|bit| latency(N) + bit).chain([latency(N)]);
        let body = if steps.clone().all(has) {
            body.later("count", width + 1, doc, concat(all))
        } else {
            let each = steps.zip(all).enumerate();
            let body = each.fold(body, |body, (index, (step, next))| {
                body.staged(has(step), format!("count_{index}"), 1, doc, next)
            });
            let all = (0..=width).map(|index| name(format!("count_{index}")));
            body.wire("count", width + 1, concat(all))
        };
        body.assign("y", concat([bits("count", 0, width), zero(8 - width)]))
            .assign("one", bit("count", width))
    }
}

/// Counts lanes that are set from the lowest up without a gap.
#[derive(Blank, Block, Described)]
pub struct CountLow<const N: usize> {
    pub clock: Signal<In, Clock>,
    pub x: Signal<In, Bits<N>>,
    pub y: Signal<Out, Bits<8>>,
    _steps: Steps,
    _run: Run,
}

/// The lanes whose parity is a bit of the count.
fn lanes_of(bit: usize, lanes: usize) -> impl Iterator<Item = usize> {
    (1..=lanes >> bit).map(move |number| (number << bit) - 1)
}

impl<const N: usize> CountLow<N> {
    pub fn new(steps: Steps) -> Self {
        Self {
            _steps: steps,
            ..blank()
        }
    }

    #[once(N, takes: &Steps = &self._steps)]
    fn body(&self, mut body: Body) -> Body {
        const { assert!(N.is_power_of_two() && N <= 128) }
        let mut parts: Vec<Vec<Expression>> = (0..bits_of_low(N))
            .map(|bit_of| lanes_of(bit_of, N).map(|lane| bit("x", lane)).collect())
            .collect();
        let mut doc =
            "Bit by bit of the count: parities of four lanes, of four of those, and so on.";
        for level in 1..=latency(N) {
            let register = format!("parity_{level}");
            let mut next = Vec::new();
            for parts in &mut parts {
                let groups = parts.len().div_ceil(4);
                let parities = (0..groups).filter_map(|group| {
                    let four = parts.iter().skip(group).step_by(groups).cloned();
                    Expression::join(Operator::Xor, four)
                });
                // Most groups of an upper bit are groups of the lowest one, too.
                let mut place_of = |parity: Expression| {
                    let known = next.iter().position(|it| *it == parity);
                    known.unwrap_or_else(|| {
                        next.push(parity);
                        next.len() - 1
                    })
                };
                *parts = parities
                    .map(|parity| bit(&register, place_of(parity)))
                    .collect();
            }
            let (has, width) = (takes.has(level), next.len());
            // With all bits of a number it is the output, and stands apart from those before it.
            let is_output = level == latency(N) && bits_of_low(N) == 8;
            let doc = match is_output {
                true => "The count.",
                false => std::mem::take(&mut doc),
            };
            body = body.staged(has, register, width, doc, concat(next));
        }
        let unset = zero(8 - bits_of_low(N));
        let all = parts.into_iter().flatten().chain([unset]);
        body.assign("y", concat(all))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::{clock, plane, random, random_plane};
    use crate::embedded::settle;
    use rand::Rng;

    /// A beat in every clock: its count, when all of its bits are there, is how many lanes are set.
    fn count<const N: usize>() {
        let mut block = Count::<N>::default();
        block.connect_all();
        let (mut random, mut planes, mut shown) = (random(), Vec::new(), Vec::new());
        for _ in 0..100 {
            planes.push(random_plane(&mut random, N));
            block.x.next = plane(planes[planes.len() - 1]);
            settle(&mut block).expect("it settles");
            let (y, one) = (block.y.val().to_u64(), block.one.val());
            shown.push((y, one));
            clock(&mut block, |block, clock| block.clock.next = clock);
        }
        let whole = shown.len() - latency(N) - bits_of(N);
        for (beat, set) in planes[..whole].iter().enumerate() {
            let at = beat + latency(N);
            let bits = (0..8).filter(|bit| shown[(at + bit).min(99)].0 >> bit & 1 == 1);
            let number: u32 = bits.map(|bit| 1 << bit).sum();
            assert_eq!(
                number + u32::from(shown[at].1),
                set.count_ones(),
                "{N}: {set:b}"
            );
        }
    }

    fn count_low<const N: usize>() {
        let mut block = CountLow::<N>::default();
        block.connect_all();
        let (mut random, mut counts) = (random(), Vec::new());
        for at in 0..100_usize {
            let lanes = random.random_range(0..=N as u32);
            let set = u128::MAX.checked_shr(128 - lanes).unwrap_or(0);
            counts.push(u64::from(lanes));
            block.x.next = plane(set);
            settle(&mut block).expect("it settles");
            let y = block.y.val().to_u64();
            if let Some(beat) = at.checked_sub(latency(N)) {
                assert_eq!(y, counts[beat], "{N}");
            }
            clock(&mut block, |block, clock| block.clock.next = clock);
        }
    }

    #[test]
    fn a_count_is_how_many_lanes_are_set() {
        for check in [
            count::<1>,
            count::<2>,
            count::<4>,
            count::<8>,
            count::<16>,
            count::<32>,
            count::<64>,
            count::<128>,
        ] {
            check();
        }
        for check in [
            count_low::<1>,
            count_low::<2>,
            count_low::<4>,
            count_low::<8>,
            count_low::<16>,
            count_low::<32>,
            count_low::<64>,
            count_low::<128>,
        ] {
            check();
        }
    }
}
