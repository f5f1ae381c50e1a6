//! Bytes in, pieces out: the part that every core shares.
//!
//! Guarantee: in every clock a beat may enter, whatever its bytes are and whatever entered before; each piece of a packet
//! (a well-formed sequence, or a maximal subpart of an ill-formed one) is marked in the lane of the byte that ends it.
//!
//! Read the parts in stream order: [`classify`], [`sequence`] (with [`signature`]), [`lookahead`], [`ends`]. Every signal of a
//! beat is a plane (a bit per lane), so the width is a type parameter and nothing is written per lane.
//!
//! # Latency
//! [`LATENCY`] clocks, a beat in every clock. A beat whose top lane is in an unfinished sequence waits for the next one.
//!
//! # Reset
//! A reset enters stage 0 as the end of a packet, and so clears at each stage what is carried there when it comes by; what entered before it
//! is dropped on leaving the slot. So no stage before that has a reset, and any state at power-on will do.

pub mod classify;
pub mod ends;
pub mod lookahead;
pub mod sequence;
pub mod signature;

use self::ends::Ends;
use self::lookahead::Lookahead;
use self::sequence::Sequence;
use crate::primitives::wires::{BytePlanes, Lane, Unstack};
use crate::primitives::{DFF, blank};
use hdl_macros::{Block, logic};
use rust_hdl::prelude::*;

/// Clocks from a beat's acceptance to its pieces, if nothing of it waits for the next byte.
pub const LATENCY: usize = 13;

/// From bytes to the ends of pieces: stage 0 (the input register) to stage 12. `DATA` is `8 * N`.
#[derive(Block)]
pub struct Pieces<const N: usize, const DATA: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    /// A beat enters in this clock.
    pub valid: Signal<In, Bit>,
    pub data: Signal<In, Bits<DATA>>,
    pub keep: Signal<In, Bits<N>>,
    pub last: Signal<In, Bit>,

    /// For [`crate::decode::scalar`] and [`crate::flows::sums`]: the planes of the bytes at stage 0, the position of bytes in their sequences at stage 8, whether a
    /// beat is at stages 8 and 9, and what fills the slot with the latter.
    pub s0_planes: Signal<Out, Bits<DATA>>,
    pub s8_valid: Signal<Out, Bit>,
    pub open: Signal<Out, Bits<N>>,
    pub third_up: Signal<Out, Bits<N>>,
    pub fourth: Signal<Out, Bits<N>>,
    pub arrival: Signal<Out, Bit>,
    pub fill: Signal<Out, Bits<N>>,
    /// A beat leaves stage 12; its lanes, and the pieces that end in them, as module [`Ends`] gives them.
    pub out_valid: Signal<Out, Bit>,
    pub out_last: Signal<Out, Bit>,
    pub out_signature: Signal<Out, Bit>,
    pub present: Signal<Out, Bits<N>>,
    pub scalar: Signal<Out, Bits<N>>,
    pub ill: Signal<Out, Bits<N>>,
    pub kind_0: Signal<Out, Bits<N>>,
    pub kind_1: Signal<Out, Bits<N>>,
    pub kind_2: Signal<Out, Bits<N>>,
    pub second: Signal<Out, Bits<N>>,
    pub length_1: Signal<Out, Bits<N>>,
    pub tail_0: Signal<Out, Bit>,
    pub tail_1: Signal<Out, Bit>,

    first_lane: Lane<N>,
    /// Stage 0: the input register. A `tlast` without a byte counts as a beat, and a reset comes in as the end of all packets.
    s0_valid: DFF<Bit>,
    s0_last: DFF<Bit>,
    s0_reset: DFF<Bit>,
    s0_present: DFF<Bits<N>>,
    s0_data: DFF<Bits<DATA>>,
    planes: BytePlanes<N, DATA>,
    bits: Unstack<N, 8, DATA>,
    sequences: Sequence<N>,
    lookahead: Lookahead<N>,
    ends: Ends<N>,
}

impl<const N: usize, const DATA: usize> Pieces<N, DATA> {
    /// `strip` leaves signatures out. `clears`: a reset clears all lanes of what leaves, not only what says that a beat does. Over many
    /// lanes the reset's way would be long, and nothing looks at them.
    pub fn new(strip: bool, clears: bool) -> Self {
        Self {
            lookahead: Lookahead::new(strip, clears),
            ends: Ends::new(clears),
            clock: blank(),
            reset: blank(),
            valid: blank(),
            data: blank(),
            keep: blank(),
            last: blank(),
            s0_planes: blank(),
            s8_valid: blank(),
            open: blank(),
            third_up: blank(),
            fourth: blank(),
            arrival: blank(),
            fill: blank(),
            out_valid: blank(),
            out_last: blank(),
            out_signature: blank(),
            present: blank(),
            scalar: blank(),
            ill: blank(),
            kind_0: blank(),
            kind_1: blank(),
            kind_2: blank(),
            second: blank(),
            length_1: blank(),
            tail_0: blank(),
            tail_1: blank(),
            first_lane: Lane::new(0),
            s0_valid: blank(),
            s0_last: blank(),
            s0_reset: blank(),
            s0_present: blank(),
            s0_data: blank(),
            planes: blank(),
            bits: blank(),
            sequences: blank(),
        }
    }
}

impl<const N: usize, const DATA: usize> Logic for Pieces<N, DATA> {
    #[logic]
    fn update(&mut self) {
        dff_setup!(
            self, clock, s0_valid, s0_last, s0_reset, s0_present, s0_data
        );

        // A beat that has no byte and ends no packet is no beat; what has one has one in lane 0.
        self.first_lane.x.next = self.keep.val();
        self.s0_valid.d.next = self.valid.val() & (self.last.val() | self.first_lane.y.val());
        self.s0_last.d.next = self.valid.val() & self.last.val();
        self.s0_reset.d.next = self.reset.val();
        // Without a beat, AXI leaves these undefined. No lane is gated: nothing after here leans on what is no beat's.
        self.s0_present.d.next = self.keep.val();
        self.s0_data.d.next = self.data.val();
        self.planes.data.next = self.s0_data.q.val();
        self.bits.x.next = self.planes.y.val();

        self.sequences.clock.next = self.clock.val();
        // A reset enters as a packet's end.
        self.sequences.valid.next = self.s0_valid.q.val() | self.s0_reset.q.val();
        self.sequences.last.next = self.s0_last.q.val() | self.s0_reset.q.val();
        self.sequences.present.next = self.s0_present.q.val();
        self.sequences.b0.next = self.bits.y[0].val();
        self.sequences.b1.next = self.bits.y[1].val();
        self.sequences.b2.next = self.bits.y[2].val();
        self.sequences.b3.next = self.bits.y[3].val();
        self.sequences.b4.next = self.bits.y[4].val();
        self.sequences.b5.next = self.bits.y[5].val();
        self.sequences.b6.next = self.bits.y[6].val();
        self.sequences.b7.next = self.bits.y[7].val();

        self.lookahead.clock.next = self.clock.val();
        self.lookahead.reset.next = self.reset.val();
        self.lookahead.last_only.next = self.sequences.last_only.val();
        self.lookahead.valid_5.next = self.sequences.valid_5.val();
        self.lookahead.valid_7.next = self.sequences.valid_7.val();
        self.lookahead.last_7.next = self.sequences.last_7.val();
        self.lookahead.open_7.next = self.sequences.open_7.val();
        self.lookahead.valid.next = self.sequences.out_valid.val();
        self.lookahead.last.next = self.sequences.out_last.val();
        self.lookahead.present.next = self.sequences.out_present.val();
        self.lookahead.cont.next = self.sequences.cont.val();
        self.lookahead.consumed.next = self.sequences.consumed.val();
        self.lookahead.high.next = self.sequences.high.val();
        self.lookahead.open.next = self.sequences.open.val();
        self.lookahead.second.next = self.sequences.second.val();
        self.lookahead.never.next = self.sequences.never.val();
        self.lookahead.own_0.next = self.sequences.own_0.val();
        self.lookahead.own_1.next = self.sequences.own_1.val();
        self.lookahead.own_2.next = self.sequences.own_2.val();
        self.lookahead.signature.next = self.sequences.signature.val();

        self.ends.clock.next = self.clock.val();
        self.ends.reset.next = self.reset.val();
        self.ends.valid.next = self.lookahead.out_valid.val();
        self.ends.last.next = self.lookahead.out_last.val();
        self.ends.present.next = self.lookahead.out_present.val();
        self.ends.waited.next = self.lookahead.waited.val();
        self.ends.scalar.next = self.lookahead.scalar.val();
        self.ends.ill.next = self.lookahead.ill.val();
        self.ends.own_kind_0.next = self.lookahead.own_kind_0.val();
        self.ends.kind_1.next = self.lookahead.kind_1.val();
        self.ends.kind_2.next = self.lookahead.kind_2.val();
        self.ends.followed.next = self.lookahead.followed.val();
        self.ends.second.next = self.lookahead.out_second.val();
        self.ends.consumed.next = self.lookahead.out_consumed.val();
        self.ends.signature.next = self.lookahead.out_signature.val();

        self.s0_planes.next = self.planes.y.val();
        self.s8_valid.next = self.sequences.out_valid.val();
        self.open.next = self.sequences.open.val();
        self.third_up.next = self.sequences.third_up.val();
        self.fourth.next = self.sequences.fourth.val();
        self.arrival.next = self.lookahead.arrival.val();
        self.fill.next = self.lookahead.fill.val();
        self.out_valid.next = self.ends.out_valid.val();
        self.out_last.next = self.ends.out_last.val();
        self.out_signature.next = self.ends.out_signature.val();
        self.present.next = self.ends.out_present.val();
        self.scalar.next = self.ends.out_scalar.val();
        self.ill.next = self.ends.out_ill.val();
        self.kind_0.next = self.ends.kind_0.val();
        self.kind_1.next = self.ends.out_kind_1.val();
        self.kind_2.next = self.ends.out_kind_2.val();
        self.second.next = self.ends.out_second.val();
        self.length_1.next = self.ends.length_1.val();
        self.tail_0.next = self.ends.tail_0.val();
        self.tail_1.next = self.ends.tail_1.val();
    }
}
