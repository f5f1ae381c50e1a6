//! What each beat brings to the counters.
//!
//! Bytes and scalar values are counted for the verdict already; here the ill-formed pieces are, by their kinds, and all comes to the
//! counters in the same clock.
//!
//! # Latency
//! [`latency`] clocks from stage 12, a beat in every clock.
//!
//! # Reset
//! That a packet ends: what is dropped is not counted.

use super::kinds::{self, ILL, Kinds, NUMBER};
use super::map::COUNTERS;
use super::reasons::COUNT as REASONS;
use crate::layout::REASON_BITS;
use crate::primitives::Cuts;
use crate::primitives::skew::Skew;
use crate::primitives::wires::{Broadcast, Lane};
use crate::verilog::{Body, Run, concat, literal, name, zero};
use hdl_macros::{Blank, Block, Described, stages};
use rust_hdl::prelude::*;

/// From a beat's counts for the verdict to those of the kinds, which are a clock later, with all their bits.
const DELAY: usize = kinds::BITS + 1;
/// Bits of what a beat brings to all counters, without the one more.
pub const NUMBERS: usize = NUMBER * COUNTERS;

/// Clocks from the pieces of a beat to what it brings.
pub const fn latency(lanes: usize) -> usize {
    kinds::latency(lanes)
}

/// What a beat brings to each counter, in the order of the map.
#[derive(Blank, Block, Described)]
pub struct InOrder {
    /// The beat's packet ends with it, and is ill-formed.
    pub ends: Signal<In, Bit>,
    pub bad: Signal<In, Bit>,
    pub bytes: Signal<In, Bits<NUMBER>>,
    /// Scalar values, and of each kind the ill-formed pieces: a number, and a further one.
    pub scalars: Signal<In, Bits<NUMBER>>,
    pub scalars_one: Signal<In, Bit>,
    #[many(ILL)]
    pub kinds: Vec<Signal<In, Bits<NUMBER>>>,
    #[many(ILL)]
    pub kinds_one: Vec<Signal<In, Bit>>,
    pub numbers: Signal<Out, Bits<NUMBERS>>,
    pub ones: Signal<Out, Bits<COUNTERS>>,
    _run: Run,
}

impl InOrder {
    fn body(&self, body: Body) -> Body {
        let of_kinds = |what: &str| {
            let what = what.to_string();
            (0..ILL).map(move |kind| name(format!("{what}${kind}")))
        };
        let packets = [zero(NUMBER), zero(NUMBER)].into_iter();
        let numbers = packets.chain(["bytes", "scalars"].map(name));
        let ended = [name("ends"), name("ends") & name("bad"), zero(1)].into_iter();
        let ones = ended.chain([name("scalars_one")]);
        body.assign("numbers", concat(numbers.chain(of_kinds("kinds"))))
            .assign("ones", concat(ones.chain(of_kinds("kinds_one"))))
    }
}

/// Whether the packet that ends is judged, or why not: a bit for each code of a reason.
#[derive(Blank, Block, Described)]
pub struct ByReason {
    pub ends: Signal<In, Bit>,
    pub reason: Signal<In, Bits<REASON_BITS>>,
    pub y: Signal<Out, Bits<REASONS>>,
    _run: Run,
}

impl ByReason {
    fn body(&self, body: Body) -> Body {
        let is = |code| name("reason").equals(literal(REASON_BITS, code));
        let each = (0..REASONS as u64).map(|code| name("ends") & is(code));
        body.assign("y", concat(each))
    }
}

stages! {
    /// What a beat adds to each counter, all numbers in the same clock.
    pub block Tally<
        const N: usize,
    > {
        given has_frames: bool;
        in reset: Bit;
        /// Of stage 12 of the pieces: ill-formed ones and their kinds.
        in ill, kind_0, kind_1, kind_2;
        /// From [`crate::validate::verdict::Verdict`]: the beat is its packet's first, or its last; the packet is ill-formed so far.
        in starts, last, wrong: Bit @ 0;
        /// Its bytes; its scalar values, bit `b` of which is `b` clocks late, and a further one.
        in bytes, scalars: Bits<NUMBER> @ 0;
        in scalars_one: Bit @ 0;
        /// The forbidden classes that the packet has so far.
        in met: Bits<8> @ 2;
        /// Why the packet is not judged.
        in reason: Bits<REASON_BITS> @ 6;

        stage 1 "the packet's end" {
            /// The beat is its packet's last.
            mark last: Bit = last;
        }

        stage 6 "all of it in one clock" {
            part kinds: Kinds<N>(Cuts::ALL) = { ill, kind_0, kind_1, kind_2 };
            part even_scalars: Skew<NUMBER>(kinds::rest(DELAY)) = { x: scalars.at(0) };
        }

        stage 7 "each counter's part of it" {
            wires by_reason: ByReason = { ends: last, reason };
            wires is_judged: Lane<REASONS>(0) = { x: by_reason };
            wires all_end: Broadcast<8> = { x: if has_frames { is_judged } else { last } };
            wires in_order: InOrder = {
                ends: last,
                bad: wrong,
                bytes,
                scalars: even_scalars,
                scalars_one,
                kinds[i in 0..ILL]: kinds.number[i],
                kinds_one[i in 0..ILL]: kinds.further[i],
            };
        }

        /// The beat of the next clock is its packet's first; this one is the last.
        out restarts: Bit = starts @ 5;
        out ends: Bit = last @ 6;
        /// A number for each counter, and a further one.
        out numbers: Bits<NUMBERS> = in_order.numbers @ 6;
        out ones: Bits<COUNTERS> = in_order.ones @ 6;
        /// The forbidden classes of the packet that ends.
        out classes: Bits<8> = met & all_end @ 6;
        /// It is judged, or it is not for the reason of this code.
        out reasons: Bits<REASONS> = by_reason @ 6;
    }
}

const _: () = assert!(DELAY == 6);
