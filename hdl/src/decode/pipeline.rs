//! The `decode` pipeline: bytes in, events out, no `ready`.
//!
//! Guarantee: in every clock a beat may enter, whatever its bytes are and whatever entered before; each piece of a packet
//! leaves as exactly one event, in order: in the lane of the byte that ends it, or packed into the low lanes.

use super::beat::{PackBeat, StackBeat};
use super::dense::{self, Dense};
use super::events::{self, EventRule, Events};
use super::scalar::Scalar;
use super::side::Side;
use super::units::{self, Units};
use crate::pieces::{self, Pieces, Rules};
use crate::primitives::Cuts;
use crate::primitives::fanout::{Clearing, is_far};
use crate::verilog::Sideband;
use hdl_macros::stages;
use rust_hdl::prelude::*;

/// Clocks from a beat's acceptance to its events on the output registers, if nothing of it waits for the next byte.
pub const fn latency(lanes: usize, dense: bool) -> usize {
    let sparse = pieces::LATENCY + 1;
    if dense {
        sparse + dense::latency(lanes)
    } else {
        sparse
    }
}

stages! {
    /// [`Pieces`], [`Scalar`] or [`Units`], and [`Side`] side by side, then [`Events`], and [`Dense`] if `DENSE` is 1. `DATA` is `8 * N`,
    /// `SCALARS` is `21 * N`, or `16 * N` if units are put out, `STACK` is `6 * N` more, `BEAT` is [`super::beat::beat_bits`].
    // With RFC 2279's grammar `SCALARS` is `31 * N`, and `STACK` is `7 * N` more.
    pub block Pipeline<
        const N: usize,
        const DATA: usize,
        const SCALARS: usize,
        const STACK: usize,
        const BEAT: usize,
        const DENSE: usize,
    > {
        given rule: EventRule;
        given is_utf16: bool = units::is_utf16::<N>(SCALARS);
        /// A reset clears all lanes of what leaves; with all registers only of a few.
        given clearing: Clearing = match cuts == Cuts::ALL {
            true if events::always_sends(N, rule) => Clearing::Never,
            false if is_far(N) => Clearing::Later,
            _ => Clearing::AtOnce,
        };

        in reset: Bit;
        /// A beat enters in this clock.
        in valid: Bit;
        in data: Bits<DATA>;
        in keep;
        in last: Bit;
        in side: Sideband;

        always {
            part pieces: Pieces<N, DATA>(
                cuts,
                Rules {
                    strip: rule.strip,
                    is_utf16,
                    is_2279: rule.grammar.is_2279(),
                    ..Rules::plain(clearing)
                },
            ) = {
                reset,
                valid,
                data,
                keep,
                last,
            };
            part scalar: Scalar<N, DATA, SCALARS>(cuts) = {
                valid: pieces.valid_8,
                ..pieces(bytes, third_up, fourth, fill),
            };
            for i in 0..usize::from(units::is_utf16::<N>(SCALARS)) {
                part units: Units<N, DATA, SCALARS>(cuts) = {
                    valid: pieces.valid_7,
                    ..pieces(bytes, second_of_4, third_of_4, third_up, fourth, fill),
                };
            }
            part beside: Side(cuts) = { x: side, ..pieces(arrival) };
            part events: Events<N, SCALARS>(cuts, rule) = {
                reset,
                valid: pieces.out_valid,
                last: pieces.out_last,
                signature: pieces.out_signature,
                ..pieces(scalar, ill, kind_0, kind_1, kind_2, second, length_1, length_2),
                scalars: units[i].units.or(scalar.scalars),
                third_up: pieces.later_third_up,
                fourth_up: pieces.later_fourth_up,
                fifth_up: pieces.later_fifth_up,
                sixth: pieces.later_sixth,
                side: beside,
            };
            wires stack: StackBeat<N, SCALARS, STACK> = {
                scalars: events.out_scalars,
                sent: events.sent,
                kind_0: events.out_kind_0,
                kind_1: events.out_kind_1,
                kind_2: events.out_kind_2,
                length_0: events.out_length_0,
                length_1: events.out_length_1,
                length_2: events.out_length_2,
            };
            for i in 0..DENSE {
                part dense: Dense<N, STACK>(Cuts::ALL, rule.reject) = {
                    reset,
                    valid: events.out_valid,
                    empty: events.retired,
                    last: events.out_last,
                    signature: events.out_signature,
                    sent: events.sent,
                    planes: stack.planes,
                    side: events.out_side,
                    ..pieces(apart),
                };
            }
            wires pack: PackBeat<STACK, BEAT> = {
                planes: dense[i].out_planes.or(stack.planes),
                last: dense[i].out_last.or(events.out_last),
                signature: dense[i].out_signature.or(events.out_signature),
            };
        }

        /// A beat leaves; `beat` and `out_side` are zero otherwise, but for the clock after a reset.
        out out_valid: Bit = dense[i].out_valid.or(events.out_valid);
        out beat: Bits<BEAT> = pack.beat;
        out out_side: Sideband = dense[i].out_side.or(events.out_side);
        /// A beat has entered that will not leave.
        out retired: Bit = dense[i].retired.or(events.retired);
    }
}
