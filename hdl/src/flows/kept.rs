//! The bytes that are kept of a flow: what is kept after a beat, the next beat with them in front, and whether that begins with a
//! signature.
//!
//! # Reset
//! None.

use super::tail::{TAIL, TAIL_BITS};
use crate::primitives::wires::from_bits;
use crate::verilog::{Body, Expression, Operator, bit, bits, concat, literal, name, repeat, set};
use hdl_macros::{Blank, Block};
use rust_hdl::prelude::*;

/// Bits that are kept of a flow: three bytes, the last one uppermost, and for each whether there is one, the last one's lowest.
pub const KEPT: usize = TAIL_BITS + TAIL;

/// What is kept of a flow from a beat on: the last three bytes of what was kept and of the beat's.
///
/// It is in the table's loop, so it needs no more than two LUTs with the choice of what is kept: `keeps` has a bit for each number of bytes by
/// which that is shifted, and what is chosen is masked by it in the same LUT.
#[derive(Block, Blank)]
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
}

impl Logic for Append {
    fn update(&mut self) {
        let (kept, tail) = (self.kept.val(), self.tail.val());
        let (adds, keeps) = (self.adds.val(), self.keeps.val());
        let new = (0..TAIL).filter(|&byte| adds.get_bit(byte)).count();
        let shift = (0..TAIL).find(|&shift| keeps.get_bit(shift));
        let there = match shift {
            Some(_) => (0..TAIL)
                .filter(|&byte| kept.get_bit(TAIL_BITS + byte))
                .count(),
            None => 0,
        };
        self.y.next = from_bits(|bit| match (bit, shift) {
            (TAIL_BITS.., _) => bit - TAIL_BITS < new + there,
            _ if bit + 8 * new >= TAIL_BITS => tail.get_bit(bit),
            (_, Some(_)) => kept.get_bit(bit + 8 * new),
            _ => false,
        });
    }

    fn connect(&mut self) {
        self.y.connect();
    }

    fn hdl(&self) -> Verilog {
        // What is at a place: the beat's own, or of those that are kept the one that comes to it.
        let place = |own: Expression, kept: Vec<Expression>| {
            Expression::join(Operator::Or, std::iter::once(own).chain(kept)).expect("the own")
        };
        let masked =
            |mask: Expression, of: &str, byte: usize| repeat(8, mask) & bits(of, 8 * byte, 8);
        let mut body = Body::new(Self::ABOUT);
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
        body.assign("y", concat(parts)).done()
    }
}

/// A beat with the three bytes before it as lanes below its own; bit 0 of `there` says that there is the last of these. `M` is three
/// more than `N`, and `WIDE` is `8 * M`.
#[derive(Block, Blank)]
pub struct Prepend<const N: usize, const DATA: usize, const M: usize, const WIDE: usize> {
    pub kept: Signal<In, Bits<KEPT>>,
    pub data: Signal<In, Bits<DATA>>,
    pub keep: Signal<In, Bits<N>>,
    pub out_data: Signal<Out, Bits<WIDE>>,
    pub out_keep: Signal<Out, Bits<M>>,
}

impl<const N: usize, const DATA: usize, const M: usize, const WIDE: usize> Logic
    for Prepend<N, DATA, M, WIDE>
{
    fn update(&mut self) {
        const { assert!(M == N + TAIL && DATA == 8 * N && WIDE == 8 * M) }
        let (kept, data, keep) = (self.kept.val(), self.data.val(), self.keep.val());
        self.out_data.next = from_bits(|bit| match bit {
            TAIL_BITS.. => data.get_bit(bit - TAIL_BITS),
            _ => kept.get_bit(bit),
        });
        self.out_keep.next = from_bits(|lane| match lane {
            TAIL.. => keep.get_bit(lane - TAIL),
            _ => kept.get_bit(TAIL_BITS + TAIL - 1 - lane),
        });
    }

    fn connect(&mut self) {
        self.out_data.connect();
        self.out_keep.connect();
    }

    fn hdl(&self) -> Verilog {
        let there = (0..TAIL).map(|lane| bit("kept", TAIL_BITS + TAIL - 1 - lane));
        let keep = there.chain([name("keep")]);
        Body::new(Self::ABOUT)
            .assign(
                "out_data",
                concat([bits("kept", 0, TAIL_BITS), name("data")]),
            )
            .assign("out_keep", concat(keep))
            .done()
    }
}

/// Whether a message's first three bytes, EF BB BF, end in a beat that comes with the three bytes before it; two clocks later.
#[derive(Block, Blank)]
pub struct Opening<const M: usize, const WIDE: usize> {
    pub clock: Signal<In, Clock>,
    pub data: Signal<In, Bits<WIDE>>,
    pub keep: Signal<In, Bits<M>>,
    pub y: Signal<Out, Bit>,
    _before: bool,
    _found: bool,
}

impl<const M: usize, const WIDE: usize> Opening<M, WIDE> {
    /// The lanes in which the message can begin: in its own beat it is the lowest.
    fn starts() -> impl Iterator<Item = usize> {
        (1..=TAIL).filter(|start| start + TAIL <= M)
    }
}

impl<const M: usize, const WIDE: usize> Logic for Opening<M, WIDE> {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            let (data, keep) = (self.data.val(), self.keep.val());
            let byte = |lane: usize| {
                (0..8).fold(0, |byte, bit| {
                    byte | u8::from(data.get_bit(8 * lane + bit)) << bit
                })
            };
            self._found = self._before;
            self._before = Self::starts().any(|start| {
                let bytes = [byte(start), byte(start + 1), byte(start + 2)];
                !keep.get_bit(start - 1) && keep.get_bit(start + 2) && bytes == [0xEF, 0xBB, 0xBF]
            });
        }
        self.y.next = self._found;
    }

    fn connect(&mut self) {
        self.y.connect();
    }

    fn hdl(&self) -> Verilog {
        let mut body = Body::new(Self::ABOUT).register("found", 1, "A signature ends in the beat.");
        for start in Self::starts() {
            let is =
                |byte: usize, value| bits("data", 8 * (start + byte), 8).equals(literal(8, value));
            let found = concat([
                is(0, 0xEF),
                is(1, 0xBB) & !bit("keep", start - 1),
                is(2, 0xBF) & bit("keep", start + 2),
            ]);
            body = body
                .register(
                    format!("is_{start}"),
                    3,
                    "Its three bytes, if the message begins in this lane.",
                )
                .at_clock(set(format!("is_{start}"), found));
        }
        let all = Self::starts().map(|start| name(format!("is_{start}")).all());
        let found = Expression::join(Operator::Or, all).expect("a start");
        body.at_clock(set("found", found))
            .assign("y", name("found"))
            .done()
    }
}
