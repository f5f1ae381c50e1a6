//! UTF-16 units in, in the place of [`super::words`]: what each of them becomes (RFC 2781 section 2.2).
//!
//! A high unit and the low one in the next lane are one scalar value of four bytes, which is in the lane of the low unit; the high one
//! becomes nothing. Whether a high unit has its low one is known from the lane above, and of the top lane from the next beat: so the newest
//! beat stays in a slot until it is finished (its top lane has no high unit, or it is its packet's last) or until the next beat takes its
//! place.
//!
//! # Latency
//! [`LATENCY`] clocks, a beat in every clock. A beat whose top lane has a high unit waits for the next one. No path has more than one LUT,
//! but for what looks for words in all lanes.
//!
//! # Reset
//! What marks beats, and the slot.

use super::before::BeforeFirst;
use super::words::{WholeWords, WordBits};
use crate::primitives::delay::Lag;
use crate::primitives::fanout::HoldRegister;
use crate::primitives::wires::{Broadcast, Lane, LaneAhead, LaneBehind, Stack, Unstack};
use crate::verilog::{Body, Run, Sideband, bit, concat, name, one, zero};
use hdl_macros::{Blank, Block, Described, stages};
use rust_hdl::prelude::*;

/// Clocks from a beat's acceptance to what its units become, if it does not wait for the next one.
pub const LATENCY: usize = 7;
/// Clocks until it is known whether an accepted beat is one: without any unit, and if its packet goes on, it is none.
pub const KNOWN: usize = 3;
/// Bits of a scalar value that come from its high unit.
pub const UPPER_BITS: usize = 11;

stages! {
    /// What each unit becomes. `DATA` is `16 * N`, `KEEP` is `2 * N`, `SCALARS` is `21 * N`, `UPPER` is
    /// [`UPPER_BITS`] of each, `MARKS` is `9 * N`.
    pub block Units<
        const N: usize,
        const DATA: usize,
        const KEEP: usize,
        const SCALARS: usize,
        const UPPER: usize,
        const MARKS: usize,
    > {
        /// Configuration: an ill-formed unit becomes nothing; a unit's high octet comes first.
        given omits: bool;
        given swaps: bool;

        in reset: Bit;
        in valid, last: Bit;
        in data: Bits<DATA>;
        in keep: Bits<KEEP>;
        in side: Sideband;

        stage 0 "the input register" {
            wires whole: WholeWords<N, KEEP> = { keep };
            data: Bits<DATA> = data;
            present = whole;
            mark valid: Bit = valid;
            last: Bit = last;
            side: Sideband = side;
        }

        stage 1 "functions of up to four bits of each unit" {
            wires b: WordBits<N, 16, DATA>(swaps) = { data };
            wires all_valid: Broadcast<N> = { x: valid };
            /// The lane has a unit. Without a beat, AXI leaves that undefined.
            present = present & all_valid;
            /// Bits 15 to 12 are D. Bits 15 to 7.
            is_dxxx = b[15] & b[14] & !b[13] & b[12];
            any_15_12 = b[15] | b[14] | b[13] | b[12];
            any_11_8 = b[11] | b[10] | b[9] | b[8];
            /// There is one in some lane.
            has_any: Bit = present.any() & valid;
        }

        stage 2 "what each unit is by itself" {
            wires c: WordBits<N, 16, DATA>(swaps) = { data };
            /// A beat without any unit that does not end its packet is no beat.
            mark valid: Bit = valid & (has_any | last);
            high = present & is_dxxx & c[11] & !c[10];
            low = present & is_dxxx & c[11] & c[10];
            /// What needs two bytes, and three.
            from_80 = any_15_12 | any_11_8 | c[7];
            from_800 = any_15_12 | c[11];
            /// The bits of a high unit that a scalar value has from it: those above bit 15 one more than the unit has.
            wires of_high: Stack<N, 11, UPPER> = {
                x[0]: c[0],
                x[1]: c[1],
                x[2]: c[2],
                x[3]: c[3],
                x[4]: c[4],
                x[5]: c[5],
                x[6]: !c[6],
                x[7]: c[7] ^ c[6],
                x[8]: c[8] ^ (c[7] & c[6]),
                x[9]: c[9] ^ (c[8] & c[7] & c[6]),
                x[10]: c[9] & c[8] & c[7] & c[6],
            };
            upper: Bits<UPPER> = of_high;
            /// The lanes above all units of the beat.
            wires downwards: Reversed<N> = { x: present.at(0) };
            part beyond: BeforeFirst<N> = { x: downwards };
        }

        stage 3 "the pairs, and their scalar values" {
            /// The top lane of the packet's beat before has a high unit.
            state carried: Bit = if reset { false } else if valid { top_high & !last };
            wires top_high: Lane<N>(N - 1) = { x: high };
            wires behind: LaneBehind<N> = { x: high, lower: was(carried) };
            let is_pair = low & behind;
            pair = is_pair;
            alone_low = low & !behind;
            high = high;
            /// The beat waits in the slot for the next one.
            waits: Bit = top_high & !last;
            carry upper_before: Lag<UPPER, UPPER_BITS> = { advance: valid, x: upper };
            wires u: Unstack<N, 11, UPPER> = { x: upper_before };
            wires d: WordBits<N, 16, DATA>(swaps) = { data };
            wires value: Stack<N, 21, SCALARS> = {
                x[0]: d[0],
                x[1]: d[1],
                x[2]: d[2],
                x[3]: d[3],
                x[4]: d[4],
                x[5]: d[5],
                x[6]: d[6],
                x[7]: d[7],
                x[8]: d[8],
                x[9]: d[9],
                x[10]: (is_pair & u[0]) | (!is_pair & d[10]),
                x[11]: (is_pair & u[1]) | (!is_pair & d[11]),
                x[12]: (is_pair & u[2]) | (!is_pair & d[12]),
                x[13]: (is_pair & u[3]) | (!is_pair & d[13]),
                x[14]: (is_pair & u[4]) | (!is_pair & d[14]),
                x[15]: (is_pair & u[5]) | (!is_pair & d[15]),
                x[16]: is_pair & u[6],
                x[17]: is_pair & u[7],
                x[18]: is_pair & u[8],
                x[19]: is_pair & u[9],
                x[20]: is_pair & u[10],
            };
            scalars: Bits<SCALARS> = value;
            /// No unit of the beat is above the lane.
            wires topmost: Topmost<N> = { beyond };
            topmost = topmost;
        }

        stage 4 "the slot: an arrival fills it, else it keeps its beat until that may leave" {
            /// There is a beat in the slot; it is its packet's last; it waits for the next one.
            state slot_live: Bit = if reset {
                false
            } else {
                valid | (was(slot_live) & was(slot_waits))
            };
            state slot_last: Bit = if valid { last };
            state slot_waits: Bit = if valid { waits };
            state slot_side: Sideband = if valid { side };
            wires fill: Broadcast<N> = { x: valid };
            part slot_present: HoldRegister<N, N> = { fill, x: present };
            part slot_high: HoldRegister<N, N> = { fill, x: high };
            part slot_pair: HoldRegister<N, N> = { fill, x: pair };
            part slot_alone_low: HoldRegister<N, N> = { fill, x: alone_low };
            part slot_from_80: HoldRegister<N, N> = { fill, x: from_80 };
            part slot_from_800: HoldRegister<N, N> = { fill, x: from_800 };
            part slot_topmost: HoldRegister<N, N> = { fill, x: topmost };
            part slot_scalars: HoldRegister<N, SCALARS> = { fill, x: scalars };
        }

        stage 5 "which high units have no low one, now that the unit after is known" {
            let leave: Bit = slot_live & (valid.at(3) | !slot_waits);
            mark valid: Bit = leave;
            last: Bit = slot_last;
            side: Sideband = slot_side;
            wires all_leave: Broadcast<N> = { x: leave };
            wires ahead_pair: LaneAhead<N> = {
                x: slot_pair, upper: pair.at(3), same_packet: !slot_last,
            };
            present = slot_present & all_leave;
            /// The units that have bytes: a high one with its low one has none.
            sends = slot_present & all_leave & !(slot_high & ahead_pair);
            alone_high = slot_high & all_leave & !ahead_pair;
            alone_low = slot_alone_low & all_leave;
            pair = slot_pair;
            from_80 = slot_from_80;
            from_800 = slot_from_800;
            /// The packet ends after the unit: in this beat, or in the next one, which has none.
            wires all_last: Broadcast<N> = { x: slot_last };
            wires next_ends: TopLane<N> = { x: !has_any.at(3) };
            at_end = slot_topmost & (all_last | next_ends);
            scalars: Bits<SCALARS> = slot_scalars;
        }

        stage 6 "what becomes of each unit" {
            let is_ill = alone_high | alone_low;
            ill = is_ill;
            kind_0 = alone_low | (alone_high & at_end);
            kind_1 = alone_high;
            has_1 = if omits { sends & !is_ill } else { sends };
            has_2 = if omits { sends & !is_ill & from_80 } else { sends & from_80 };
            has_3 = if omits { sends & !is_ill & from_800 } else { sends & from_800 };
            has_4 = sends & pair;
        }

        stage 7 "all of that" {
            wires all: Stack<N, 9, MARKS> = {
                x[0]: ill,
                x[1]: has_1,
                x[2]: has_2,
                x[3]: has_3,
                x[4]: has_4,
                x[5]: present,
                x[6]: kind_0,
                x[7]: kind_1,
                x[8]: kind_1,
            };
        }

        /// An accepted beat is one; see [`KNOWN`].
        out counted: Bit = valid @ 2;
        /// A beat, in step with what becomes of its units.
        out out_valid: Bit = valid @ 6;
        out out_last: Bit = last @ 6;
        out out_side: Sideband = side @ 6;
        /// Its scalar values.
        out scalars: Bits<SCALARS> @ 6;
        /// What each unit becomes: see [`super::words::MARKS`]. A low unit without a high one is of kind 1, a high one without a low one of
        /// kind 6, or 7 at the packet's end.
        out marks: Bits<MARKS> = all @ 6;
    }
}

/// The lanes in the opposite order.
#[derive(Block, Blank, Described)]
pub struct Reversed<const N: usize> {
    pub x: Signal<In, Bits<N>>,
    pub y: Signal<Out, Bits<N>>,
    _run: Run,
}

impl<const N: usize> Reversed<N> {
    fn body(&self, body: Body) -> Body {
        body.assign("y", concat((0..N).rev().map(|lane| bit("x", lane))))
    }
}

/// The lanes above which there is no unit, from those beyond all units, in the opposite order.
#[derive(Block, Blank, Described)]
pub struct Topmost<const N: usize> {
    pub beyond: Signal<In, Bits<N>>,
    pub y: Signal<Out, Bits<N>>,
    _run: Run,
}

impl<const N: usize> Topmost<N> {
    fn body(&self, body: Body) -> Body {
        let above = (1..N).rev().map(|lane| bit("beyond", lane - 1));
        body.assign("y", concat(above.chain([one()])))
    }
}

/// A bit in the top lane, and none in the others.
#[derive(Block, Blank, Described)]
pub struct TopLane<const N: usize> {
    pub x: Signal<In, Bit>,
    pub y: Signal<Out, Bits<N>>,
    _run: Run,
}

impl<const N: usize> TopLane<N> {
    fn body(&self, body: Body) -> Body {
        body.assign("y", concat([zero(N - 1), name("x")]))
    }
}
