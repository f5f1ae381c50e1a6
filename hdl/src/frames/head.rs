//! The first bytes of each frame, which are at places that do not depend on what is in them.

use crate::verilog::{Body, Expression, Run, bit, bits, concat, name, set, set_bits, when, zero};
use hdl_macros::{Blank, Block, Described, once};
use rust_hdl::prelude::*;

/// The bytes that are kept: from Ethernet's type to the third word of an IP header after two tags.
pub const FROM: usize = 12;
pub const TO: usize = 34;
pub const HEAD_BITS: usize = 8 * (TO - FROM);

/// The number of the beat that has the last of these bytes. Headers after those of IP begin in it or later.
pub const fn beat_of_head(lanes: usize) -> usize {
    (TO - 1) / lanes
}

/// The first bytes of each frame, a clock after its beats.
#[derive(Block, Blank, Described)]
pub struct Head<const N: usize, const DATA: usize> {
    pub clock: Signal<In, Clock>,
    pub beat: Signal<In, Bit>,
    /// The beat is its frame's first, or its last.
    pub starts: Signal<In, Bit>,
    pub last: Signal<In, Bit>,
    pub data: Signal<In, Bits<DATA>>,
    pub keep: Signal<In, Bits<N>>,
    /// The bytes, as far as they have come.
    pub bytes: Signal<Out, Bits<HEAD_BITS>>,
    /// Which of Ethernet's types have come whole: without a tag, after one, after two; and all of the bytes.
    pub has: Signal<Out, Bits<4>>,
    /// With this beat all bytes have come, or the frame has ended: once in each frame.
    pub decides: Signal<Out, Bit>,
    _run: Run,
}

/// The last bytes of Ethernet's types, and of the head.
const ENDS: [usize; 4] = [13, 17, 21, TO - 1];

impl<const N: usize, const DATA: usize> Head<N, DATA> {
    #[once(N)]
    fn body(&self, mut body: Body) -> Body {
        let last = beat_of_head(N);
        // Whether the beat has a number.
        let is_number = |number: usize| match number {
            0 => name("starts"),
            _ => bit("numbers", number - 1) & !name("starts"),
        };
        if last > 0 {
            let next = (0..last).map(is_number);
            body = body
                .register(
                    "numbers",
                    last,
                    "The next beat is the second, the third, ...",
                )
                .at_clock(when(name("beat"), vec![set("numbers", concat(next))]));
        }
        body = body
            .register("head", HEAD_BITS, "The bytes that are kept.")
            .register("come", ENDS.len(), "Which ends of types have come.");
        for number in 0..=last {
            let from = FROM.max(number * N);
            let to = TO.min((number + 1) * N);
            if from < to {
                let bytes = bits("data", 8 * (from % N), 8 * (to - from));
                let kept = set_bits("head", 8 * (from - FROM), 8 * (to - from), bytes);
                // Of the only beat with such bytes they are not needed longer than until the next clock.
                body = body.at_clock(match last {
                    0 => kept,
                    _ => when(name("beat") & is_number(number), vec![kept]),
                });
            }
        }
        let come = ENDS.iter().enumerate().map(|(index, end)| {
            let is_here = is_number(end / N) & bit("keep", end % N);
            is_here | (bit("come", index) & !name("starts"))
        });
        let numbered = (0..=last).map(is_number);
        let is_early = numbered.reduce(|any, one| any | one).unwrap_or(zero(1));
        let decides: Expression = name("beat") & (is_number(last) | (name("last") & is_early));
        body.at_clock(when(name("beat"), vec![set("come", concat(come))]))
            .later("whole", 1, "All have come, or no more do.", decides)
            .assign("bytes", name("head"))
            .assign("has", name("come"))
            .assign("decides", name("whole"))
    }
}
