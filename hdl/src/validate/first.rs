//! The first ill-formed piece that ends in a beat: a tree that picks the lower of two lanes.
//!
//! # Latency
//! [`latency`] clocks, a beat in every clock.
//!
//! # Reset
//! None.

use crate::primitives::blank;
use crate::primitives::count::Steps;
use crate::verilog::{Body, Expression, Run, bit, bits, concat, name, zero};
use hdl_macros::{Blank, Block, Described};
use rust_hdl::prelude::*;

/// Clocks from the planes to what is picked.
pub const fn latency(lanes: usize) -> usize {
    lanes.ilog2() as usize
}

/// What travels with a lane: the piece's kind and its length, the lowest bit of that inverted, the highest one only if it is asked for.
const PLANES: [&str; 6] = [
    "kind_0", "kind_1", "kind_2", "second", "length_1", "length_2",
];

/// Finds the first ill-formed piece of a beat: its lane, kind and length, which mean nothing if there is none.
#[derive(Blank, Block, Described)]
pub struct First<const N: usize> {
    pub clock: Signal<In, Clock>,
    /// Lanes in which an ill-formed piece ends; its kind, and its length: bit 0 inverted, and bit 1.
    pub ill: Signal<In, Bits<N>>,
    pub kind_0: Signal<In, Bits<N>>,
    pub kind_1: Signal<In, Bits<N>>,
    pub kind_2: Signal<In, Bits<N>>,
    pub second: Signal<In, Bits<N>>,
    pub length_1: Signal<In, Bits<N>>,
    pub length_2: Signal<In, Bits<N>>,
    /// There is such a piece; its kind, its length and its lane.
    pub any: Signal<Out, Bit>,
    pub kind: Signal<Out, Bits<3>>,
    pub length: Signal<Out, Bits<2>>,
    // Bit 2 of the length.
    pub is_long: Signal<Out, Bit>,
    pub lane: Signal<Out, Bits<8>>,
    _steps: Steps,
    _planes: usize,
    _run: Run,
}

impl<const N: usize> First<N> {
    /// With a length of three bits, or of two.
    pub fn new(steps: Steps, has_long: bool) -> Self {
        Self {
            _steps: steps,
            _planes: PLANES.len() - usize::from(!has_long),
            ..blank()
        }
    }

    fn body(&self, body: Body) -> Body {
        let inputs = &PLANES[..self._planes];
        let (body, planes) = pick::<N>(body, &self._steps, "ill", inputs);
        let mut last = planes.iter().map(name);
        let mut next = || last.next().expect("a plane");
        let kind = concat([next(), next(), next()]);
        let length = concat([!next(), next()]);
        let is_long = match self._planes == PLANES.len() {
            true => next(),
            false => zero(1),
        };
        let lane = lane(last);
        body.assign("kind", kind)
            .assign("length", length)
            .assign("is_long", is_long)
            .assign("lane", lane)
    }
}

/// Finds the lowest lane that is set. Without one the number means nothing.
#[derive(Blank, Block, Described)]
pub struct FirstLane<const N: usize> {
    pub clock: Signal<In, Clock>,
    pub x: Signal<In, Bits<N>>,
    /// A lane is set; the number of the lowest.
    pub any: Signal<Out, Bit>,
    pub lane: Signal<Out, Bits<8>>,
    _steps: Steps,
    _run: Run,
}

impl<const N: usize> FirstLane<N> {
    pub fn new(steps: Steps) -> Self {
        Self {
            _steps: steps,
            ..blank()
        }
    }

    fn body(&self, body: Body) -> Body {
        let (body, planes) = pick::<N>(body, &self._steps, "x", &[]);
        body.assign("lane", lane(planes.iter().map(name)))
    }
}

/// The lane's number, of which the planes have the inverted bits.
fn lane(planes: impl Iterator<Item = Expression>) -> Expression {
    let bits: Vec<Expression> = planes.map(|plane| !plane).collect();
    let above = zero(8 - bits.len());
    concat(bits.into_iter().chain([above]))
}

/// Builds the tree, and assigns `any`. The nets that it names are about the lowest lane that is set in `of`: what each of `inputs` has there,
/// then the bits of the lane's number, inverted.
fn pick<const N: usize>(
    mut body: Body,
    steps: &Steps,
    of: &str,
    inputs: &[&str],
) -> (Body, Vec<String>) {
    const { assert!(N.is_power_of_two() && N <= 128) }
    let levels = latency(N);
    // In this order the halves of the first level are neighbours, those of the second pairs of them, and so on:
    // each level adds the next bit of the lane's number.
    let order = |place: usize| (0..levels).fold(0, |lane, bit| lane << 1 | place >> bit & 1);
    let net = |level: usize, plane: &str| format!("level_{level}_{plane}");
    let mut planes: Vec<String> = inputs.iter().map(|plane| plane.to_string()).collect();
    for (plane, input) in [("any", of)]
        .into_iter()
        .chain(inputs.iter().map(|&it| (it, it)))
    {
        let ordered = (0..N).map(|place| bit(input, order(place)));
        body = body.wire(net(0, plane), N, concat(ordered));
    }
    let mut doc = "Level by level, of each two lanes: what the lower one has if it has a piece, else what the upper one has.";
    for level in 1..=levels {
        let lanes = N >> level;
        let lower = |plane: &str| bits(net(level - 1, plane), 0, lanes);
        let upper = |plane: &str| bits(net(level - 1, plane), lanes, lanes);
        let in_lower = lower("any");
        let number = format!("not_lane_{}", level - 1);
        let picked = planes.iter().map(|plane| {
            let picked = (in_lower.clone() & lower(plane)) | (!in_lower.clone() & upper(plane));
            (plane.as_str(), picked)
        });
        let any = ("any", in_lower.clone() | upper("any"));
        let lane = (number.as_str(), in_lower.clone());
        for (plane, next) in [any].into_iter().chain(picked).chain([lane]) {
            let (has, net) = (steps.has(level), net(level, plane));
            body = body.staged(has, net, lanes, std::mem::take(&mut doc), next);
        }
        planes.push(number);
    }
    let planes = planes.iter().map(|plane| net(levels, plane)).collect();
    (body.assign("any", name(net(levels, "any"))), planes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::{clock, plane, random, random_plane};
    use crate::embedded::settle;

    /// A beat in every clock: the first lane with a piece, and what the planes have there.
    fn first<const N: usize>() {
        let mut block = First::<N>::new(Steps::default(), true);
        block.connect_all();
        let (mut random, mut expected) = (random(), Vec::new());
        for at in 0..100_usize {
            let mut plane_of = || random_plane(&mut random, N);
            let ill = plane_of() & plane_of() & plane_of();
            let planes = PLANES.map(|_| plane_of());
            let lane = ill.trailing_zeros();
            let has = planes.map(|plane| plane.checked_shr(lane).unwrap_or(0) as u64 & 1);
            let kind = has[0] | has[1] << 1 | has[2] << 2;
            let length = (has[3] ^ 1) | has[4] << 1;
            expected.push((ill != 0).then_some([kind, length, has[5], u64::from(lane)]));
            block.ill.next = plane(ill);
            block.kind_0.next = plane(planes[0]);
            block.kind_1.next = plane(planes[1]);
            block.kind_2.next = plane(planes[2]);
            block.second.next = plane(planes[3]);
            block.length_1.next = plane(planes[4]);
            block.length_2.next = plane(planes[5]);
            settle(&mut block).expect("it settles");
            let any = block.any.val();
            let found = [
                block.kind.val().to_u64(),
                block.length.val().to_u64(),
                u64::from(block.is_long.val()),
                block.lane.val().to_u64(),
            ];
            if let Some(beat) = at.checked_sub(latency(N)) {
                assert_eq!(any.then_some(found), expected[beat], "{N}");
            }
            clock(&mut block, |block, clock| block.clock.next = clock);
        }
    }

    /// A beat in every clock: the lowest lane that is set.
    fn lowest<const N: usize>() {
        let mut block = FirstLane::<N>::new(Steps::default());
        block.connect_all();
        let (mut random, mut expected) = (random(), Vec::new());
        for at in 0..100_usize {
            let x = random_plane(&mut random, N) & random_plane(&mut random, N);
            expected.push((x != 0).then_some(u64::from(x.trailing_zeros())));
            block.x.next = plane(x);
            settle(&mut block).expect("it settles");
            let found = block.any.val().then(|| block.lane.val().to_u64());
            if let Some(beat) = at.checked_sub(latency(N)) {
                assert_eq!(found, expected[beat], "{N}");
            }
            clock(&mut block, |block, clock| block.clock.next = clock);
        }
    }

    #[test]
    fn the_lowest_lane_is_found() {
        for check in [lowest::<1>, lowest::<2>, lowest::<16>, lowest::<128>] {
            check();
        }
    }

    #[test]
    fn the_first_piece_is_picked() {
        for check in [
            first::<1>,
            first::<2>,
            first::<4>,
            first::<8>,
            first::<16>,
            first::<32>,
            first::<64>,
            first::<128>,
        ] {
            check();
        }
    }
}
