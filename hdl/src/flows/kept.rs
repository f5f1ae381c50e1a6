//! The bytes that are kept of a flow: what is kept after a beat, the next beat with them in front, and whether that begins with a
//! signature.
//!
//! # Reset
//! None.

use super::tail::{TAIL, TAIL_BITS};
use crate::verilog::{
    Body, Expression, Operator, Run, bit, bits, concat, literal, name, repeat, set,
};
use hdl_macros::{Blank, Block, Described, once};
use rust_hdl::prelude::*;

/// Bits that are kept of a flow: three bytes, the last one uppermost, and for each whether there is one, the last one's lowest.
pub const KEPT: usize = TAIL_BITS + TAIL;

/// What is kept of a flow from a beat on: the last three bytes of what was kept and of the beat's.
///
/// It is in the table's loop, so it needs no more than two LUTs with the choice of what is kept: `keeps` has a bit for each number of bytes by
/// which that is shifted, and what is chosen is masked by it in the same LUT.
#[derive(Block, Blank, Described)]
pub struct Append {
    /// What is kept of the flow.
    pub kept: Signal<In, Bits<KEPT>>,
    /// The beat's last bytes.
    pub tail: Signal<In, Bits<TAIL_BITS>>,
    /// It has one, two, three bytes at least, and something is kept from it on.
    pub adds: Signal<In, Bits<TAIL>>,
    /// What is kept counts, and is shifted by none, one, two bytes of the beat.
    pub keeps: Signal<In, Bits<TAIL>>,
    /// What is kept from now on.
    pub y: Signal<Out, Bits<KEPT>>,
    _run: Run,
}

impl Append {
    fn body(&self, mut body: Body) -> Body {
        // What is at a place: the beat's own, or of those that are kept the one that comes to it.
        let place = |own: Expression, kept: Vec<Expression>| {
            Expression::join(Operator::Or, std::iter::once(own).chain(kept)).expect("the own")
        };
        let masked =
            |mask: Expression, of: &str, byte: usize| repeat(8, mask) & bits(of, 8 * byte, 8);
        for index in 0..TAIL {
            let own = masked(bit("adds", TAIL - 1 - index), "tail", index);
            let kept = (index..TAIL).map(|from| masked(bit("keeps", from - index), "kept", from));
            body = body.wire(format!("byte_{index}"), 8, place(own, kept.collect()));
        }
        for index in 0..TAIL {
            let kept = (0..=index)
                .map(|shift| bit("kept", TAIL_BITS + index - shift) & bit("keeps", shift));
            let value = place(bit("adds", index), kept.collect());
            body = body.wire(format!("there_{index}"), 1, value);
        }
        let parts = ["byte", "there"].into_iter();
        let parts =
            parts.flat_map(|part| (0..TAIL).map(move |index| name(format!("{part}_{index}"))));
        body.assign("y", concat(parts))
    }
}

/// A beat with the three bytes before it as lanes below its own; bit 0 of `there` says that there is the last of these. `M` is three
/// more than `N`, and `WIDE` is `8 * M`.
#[derive(Block, Blank, Described)]
pub struct Prepend<const N: usize, const DATA: usize, const M: usize, const WIDE: usize> {
    pub kept: Signal<In, Bits<KEPT>>,
    pub data: Signal<In, Bits<DATA>>,
    pub keep: Signal<In, Bits<N>>,
    pub out_data: Signal<Out, Bits<WIDE>>,
    pub out_keep: Signal<Out, Bits<M>>,
    _run: Run,
}

impl<const N: usize, const DATA: usize, const M: usize, const WIDE: usize>
    Prepend<N, DATA, M, WIDE>
{
    #[once]
    fn body(&self, body: Body) -> Body {
        const { assert!(M == N + TAIL && DATA == 8 * N && WIDE == 8 * M) }
        let there = (0..TAIL).map(|lane| bit("kept", TAIL_BITS + TAIL - 1 - lane));
        let keep = there.chain([name("keep")]);
        body.assign(
            "out_data",
            concat([bits("kept", 0, TAIL_BITS), name("data")]),
        )
        .assign("out_keep", concat(keep))
    }
}

/// Whether a message's first three bytes, EF BB BF, end in a beat that comes with the three bytes before it; two clocks later.
#[derive(Block, Blank, Described)]
pub struct Opening<const M: usize, const WIDE: usize> {
    pub clock: Signal<In, Clock>,
    pub data: Signal<In, Bits<WIDE>>,
    pub keep: Signal<In, Bits<M>>,
    pub y: Signal<Out, Bit>,
    _run: Run,
}

impl<const M: usize, const WIDE: usize> Opening<M, WIDE> {
    /// The lanes in which the message can begin: in its own beat it is the lowest.
    fn starts() -> impl Iterator<Item = usize> {
        (1..=TAIL).filter(|start| start + TAIL <= M)
    }

    fn body(&self, mut body: Body) -> Body {
        body = body.register("found", 1, "A signature ends in the beat.");
        for start in Self::starts() {
            let is =
                |byte: usize, value| bits("data", 8 * (start + byte), 8).equals(literal(8, value));
            let found = concat([
                is(0, 0xEF),
                is(1, 0xBB) & !bit("keep", start - 1),
                is(2, 0xBF) & bit("keep", start + 2),
            ]);
            let doc = "Its three bytes, if the message begins in this lane.";
            body = body.later(format!("is_{start}"), 3, doc, found);
        }
        let all = Self::starts().map(|start| name(format!("is_{start}")).all());
        let found = Expression::join(Operator::Or, all).expect("a start");
        body.at_clock(set("found", found))
            .assign("y", name("found"))
    }
}
